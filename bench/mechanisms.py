"""Mechanisms of the compiler that can be switched off, for ablations: each with what switches it off.

    options = mechanism("copies").off(PlanOptions())     in this process, no copies are looked for any more

A switch is an option, a count of the search or a tuned number where there is one.  Else functions are
replaced wherever they are imported: in a process of its own, since nothing switches a mechanism on again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nnc.compiler import picture_by_picture
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.dump.text_format import to_text
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.canonical_passes import CANONICAL_PASSES
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan import effort
from nnc.compiler.plan.fusion import candidates, channel_slices, cut, resident_sets, sliding
from nnc.compiler.plan.fusion.group_cost import GroupCost, Interval
from nnc.compiler.plan.network import buffers, hidden_runs, orders
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.layer_cycles import BlockSizes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import Staging
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.place import allocate, issue_order, moving_blocks
from nnc.compiler.target import fully_connected
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

Switch = Callable[[PlanOptions], PlanOptions]
"""Switches something off in this process, or by the options that it gives back."""
CONV, BATCH, TOKENS, INT8, CORES, STAGED, PIXELS, WIDE = (
    "conv", "batch", "tokens", "int8", "cores", "staged", "pixels", "wide",
)  # fmt: skip
"""Kinds of networks and chips on which a mechanism may pay (see `ablation_networks`)."""


@dataclass(frozen=True)
class Mechanism:
    """Something that makes plans better, and can be left out.

    Attributes:
        name: of the ablation.
        off: switches it off; why: why that does, where it is no option.
        kinds: of networks on which it may pay; passes have none: where they change nothing, is known.
    """

    name: str
    off: Switch
    kinds: tuple[str, ...]
    why: str = ""


def everywhere(function: Callable[..., Any], substitute: Callable[..., Any]) -> None:
    """Replace a function of the compiler in every module that has it."""
    modules = [module for name, module in [*sys.modules.items()] if name.startswith("nnc.")]
    for module in modules:
        for name in [name for name, value in vars(module).items() if value is function]:
            setattr(module, name, substitute)


def _options(**values: Any) -> Switch:
    """An option of the planner."""
    return lambda options: replace(options, **values)


def _effort(**values: Any) -> Switch:
    """Counts of the search."""

    def off(options: PlanOptions) -> PlanOptions:
        effort.EFFORTS[options.effort] = replace(effort.EFFORTS[options.effort], **values)
        return options

    return off


def _tuned(theme: str, **values: Any) -> Switch:
    """Tuned numbers of the compiler."""

    def off(options: PlanOptions) -> PlanOptions:
        setattr(TUNING, theme, replace(getattr(TUNING, theme), **values))
        return options

    return off


def _replaced(function: Callable[..., Any], substitute: Callable[..., Any]) -> Switch:
    """A function does something else."""

    def off(options: PlanOptions) -> PlanOptions:
        everywhere(function, substitute)
        return options

    return off


def _set(owner: Any, name: str, value: Any) -> Switch:
    """An attribute of a module or a class has another value."""

    def off(options: PlanOptions) -> PlanOptions:
        assert hasattr(owner, name), f"{owner} has no {name}: change the switch in bench/mechanisms.py"
        setattr(owner, name, value)
        return options

    return off


_strips = cut.strips_worth_trying
_axes, _orders = buffers.axes_worth_cutting, orders.orders_of


def _without_axes(*without: CutAxes) -> Switch:
    return _replaced(_axes, lambda graph: [axes for axes in _axes(graph) if axes not in without])


def _strips_of_pictures(network: Any, end: int, cuts: Any) -> Iterator[list[cut.Cut]]:
    """No strips but those along other axes: pictures of a batch, heads."""
    if network.axes in (CutAxes.PICTURES, CutAxes.HEADS):
        yield from _strips(network, end, cuts)


def _cost_without_pinning(self: Interval, traffic: int, _: int, *rest: Any) -> GroupCost:
    """What a group costs if no weights stay for all parts."""
    return GROUP_COST(self, traffic, 0, *rest)


GROUP_COST = Interval._cost

_SPARED = _tuned("weights", spare_share=1)


def _whole_blocks(network: Any, chip: Any, position: int) -> BlockSizes:
    sizes = BLOCK_SIZES(network, chip, position)
    return BlockSizes(sizes.channels[:1], sizes.nbytes[:1])


BLOCK_SIZES = BlockSizes.of


def _nothing(*_: Any) -> None:
    """Leave all as it is."""


def _without_pass(name: str) -> Switch:
    """A pass of that name leaves the graph as it is."""

    def off(options: PlanOptions) -> PlanOptions:
        run = Pass.apply

        def apply(step: Pass, *graph_and_target: Any) -> None:
            run(replace(step, run=_nothing) if step.name == name else step, *graph_and_target)

        return _set(Pass, "apply", apply)(options)

    return off


MECHANISMS = (
    Mechanism("strips of columns", _replaced(_strips, _strips_of_pictures), (CONV, WIDE, INT8),
              "no strips are tried but pictures of a batch and heads"),
    Mechanism("cuts along pictures", _without_axes(CutAxes.PICTURES), (BATCH,),
              "no network with rows inside of pictures is searched"),
    Mechanism("cuts of wide pictures, turned", _without_axes(CutAxes.TURNED), (WIDE,),
              "no network with rows and columns exchanged is searched"),
    Mechanism("cuts along heads", _without_axes(CutAxes.HEADS), (TOKENS,),
              "no network with heads as columns is searched"),
    Mechanism("rows that are kept", _options(overlap="recompute"), (CONV, BATCH, INT8)),
    Mechanism("slices of channels",
              _replaced(channel_slices.slicing_start, lambda network, chip, end: end + 1),
              (CONV, BATCH, INT8, CORES), "slices begin behind the last layer of every group"),
    Mechanism("hidden channels in chunks", _replaced(hidden_runs.hidden_runs, lambda *_: []),
              (CONV, BATCH, TOKENS), "no runs of layers with hidden channels are found"),
    Mechanism("residents between groups", _effort(residents=False), (CONV, BATCH, TOKENS, INT8)),
    Mechanism("copies", _set(resident_sets, "_with_a_copy", lambda *_: []), (CONV, TOKENS, INT8),
              "no set of residents has a copy"),
    Mechanism("last rows", _set(resident_sets, "_rows_that_may_stay", lambda *_: []), (CONV, BATCH, INT8),
              "no set of residents has some rows of a buffer"),
    Mechanism("last rows one by one", _replaced(sliding.moves_by_rows, lambda *_, **__: False),
              (CONV, BATCH, INT8), "last rows move as a block, with bytes for both places"),
    Mechanism("results follow operands", _replaced(sliding.slides, lambda *_: {}), (CONV, BATCH, INT8),
              "no result is found that an operand makes place for"),
    Mechanism("idle residents", _replaced(sliding.idle_bytes, lambda *_: {}), (BATCH,),
              "residents of pictures count in full all the time"),
    Mechanism("results in place", _set(PlanNetwork, "in_place_source", lambda *_: None),
              (CONV, TOKENS, INT8), "no operand is found that a result may overwrite"),
    Mechanism("weights that stay",
              lambda options: _set(Interval, "_cost", _cost_without_pinning)(_SPARED(options)),
              (CONV, TOKENS, INT8), "all weights are priced, and so planned, as loaded in every part"),
    Mechanism("weights that stay in part", _SPARED, (CONV, TOKENS, INT8),
              "all memory is spared, so that nothing is left for weights of which not all stay"),
    Mechanism("blocks of weights", _set(BlockSizes, "of", staticmethod(_whole_blocks)),
              (TOKENS,), "weights of a layer have one size of blocks: all of them"),
    Mechanism("two buffers (M3)", _options(conv_buffers="rows"), (CONV, STAGED, CORES)),
    Mechanism("groups that cores share",
              _replaced(candidates.shared_candidates, lambda *_: []), (CORES,),
              "no group of all cores is found"),
    Mechanism("staging in groups",
              _set(Staging, "is_possible", lambda self, network, position: not self.slots(network, position)),
              (STAGED,), "layers that read another memory are not fused"),
    Mechanism("groups of pixels (M5)", _replaced(fully_connected.features_of, lambda *_: None), (STAGED,),
              "no layer has features in pixels"),
    Mechanism("several orders", _replaced(_orders, lambda *arguments: _orders(*arguments)[:1]),
              (CONV, TOKENS, CORES), "the first order of the layers is the only one"),
    Mechanism("several weights of a cycle", _effort(weights=(0.5,)), (CONV, TOKENS, CORES)),
    Mechanism("several looks", _effort(looks=1), (CONV, TOKENS, CORES)),
    Mechanism("lessons of predictions", _effort(lessons=0), (CONV, TOKENS, STAGED)),
    Mechanism("several placements", _effort(placements=0), (CONV, CORES, STAGED)),
    Mechanism("several plans", _effort(predicted_steps=0), (CONV, CORES, STAGED)),
    Mechanism("double buffers", _tuned("place", store_computations=()), (CONV, CORES, INT8),
              "blocks are placed with the shortest lives"),
    Mechanism("moving blocks", _set(moving_blocks._Taken, "tightest", lambda *_: None),
              (CONV, CORES, INT8), "a block that begins earlier finds no other place"),
    Mechanism("loads in time", _tuned("place", rounds_in_time=0), (CORES,)),
    Mechanism("broadcasts first", _replaced(issue_order.broadcasts_first, lambda graph, steps: None),
              (CORES,), "the order with broadcasts first is the order as it is"),
    Mechanism("overlays",
              _replaced(allocate.overlaid, lambda extents, _: [*map(allocate.Overlay.of, extents)]),
              (CONV, BATCH, INT8), "every block is placed by itself"),
    Mechanism("stitched pictures (M4)", _options(stitch="off"), (PIXELS,)),
    Mechanism("pictures apart",
              _set(picture_by_picture, "_worth_planning", lambda *_: ("", 0.0)), (BATCH,),
              "pictures together are planned alone"),
)  # fmt: skip

NEEDED_PASSES = {
    "drop-dead": "others count readers",
    "free-views": "gives tensors storage",
    "fuse-qdq": "without it, layers compute in f32",
    "unsigned-products": "chips of M5 multiply no other bytes",
    "stitch": "see `stitched pictures (M4)`",
    "pictures-apart": "see `pictures apart`",
}
"""Passes that are no mechanisms, and why."""
PASSES = tuple(
    Mechanism(f"pass {name}", _without_pass(name), (), "the pass leaves the graph as it is")
    for name in dict.fromkeys(step.name for step, _ in CANONICAL_PASSES)
    if name not in NEEDED_PASSES
)
ALL = (*MECHANISMS, *PASSES)


def passes_at_work(path: Path, chip: Chip) -> list[str]:
    """Names of the passes that change a network."""
    graph = import_model(path)
    before, names = to_text(graph), dict[str, None]()

    def observe(name: str, graph: Graph) -> None:
        nonlocal before
        if (after := to_text(graph)) != before:
            names[re.sub(r"-\d+$", "", name)] = None  # a pass that runs again has its count behind its name
        before = after

    canonicalise(graph, observe, chip=chip, verify=False)
    return [*names]


def mechanism(name: str) -> Mechanism:
    """The mechanism of that name."""
    return next(entry for entry in ALL if entry.name == name)
