"""How many pictures of a batch to stitch (method M4): what the user asks for, or what costs least."""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import prod

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.stitch.pitch import pictures_of_a_vector
from nnc.compiler.passes.stitch.region import Region, find_region
from nnc.compiler.passes.stitch.stitch_pictures import stitched_figures
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.target.target import Target
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.errors import OptionError

_log = logging.getLogger(__name__)

Canonical = Callable[[int], Graph]
"""Pictures of a stitch → the canonical graph."""
Planned = Callable[[Graph], Plan]


def chosen_pictures(chip: Chip, options: PlanOptions) -> int | None:
    """The pictures of a stitch that the user asks for; None: whatever costs least.

    Raises:
        OptionError: a number is asked for, and the chip has no lanes along pixels.
    """
    if options.stitch == "off":
        return 0
    if options.stitch == "auto":
        return None if chip.compute.map == "pixels" else 0
    if chip.compute.map != "pixels":
        raise OptionError(
            f"--stitch {options.stitch} is for chips whose lanes run along pixels",
            where=f"chip {chip.name}",
            found=f'compute.map = "{chip.compute.map}"',
            expected='compute.map = "pixels"',
            remedy="choose such a chip (--chip pixel-dsp), or leave out --stitch",
        )
    return int(options.stitch)


def check_stitched(graph: Graph) -> None:
    """Insist that a canonical graph has stitched layers.

    Raises:
        OptionError: it has none.
    """
    if graph.notes.stitch.layers:
        return
    raise OptionError(
        "no layer of the network can be stitched",
        where=f"network {graph.name}",
        found="no convolution or pool of pictures is reached from an input by convolutions, pools and "
        "functions of elements alone",
        remedy="leave out --stitch",
    )


def cheapest(canonical: Canonical, chip: Chip, options: PlanOptions, planned: Planned) -> tuple[int, Plan]:
    """How many pictures give the plan of least cycles (or of what else is the objective), and that plan.

    Raises:
        CapacityError: the network cannot fit the chip as it is.
    """
    network, asked = canonical(0), AskedPrice.of(options.objective, chip)
    best, plan = 0, planned(network)
    for pictures in _worth_planning(network, chip):
        try:
            candidate = planned(canonical(pictures))
        except CapacityError as error:
            _log.info("stitch %d: %s", pictures, error.message)
            continue
        _log.info("stitch %d: %d cycles, before %d", pictures, candidate.cycles, plan.cycles)
        if asked.worth_of(candidate) < asked.worth_of(plan):
            best, plan = pictures, candidate
    return best, plan


def _worth_planning(graph: Graph, chip: Chip) -> list[int]:
    """All pictures of the batch, those that fit on chip with the largest layer, and those of one vector."""
    region = find_region(graph)
    if region is None:
        return []
    target = Target.of(chip)
    fitting = target.memory_bytes // max(1, _picture_bytes(graph, region))
    counts = {
        min(region.batch, count)
        for count in (region.batch, max(1, fitting), pictures_of_a_vector(max(target.lanes), region.pitch))
    }
    return [
        count
        for count in sorted(counts)
        if _vectors_left(graph, region, target, count) <= TUNING.batches.max_stitched_vectors
    ]


def _picture_bytes(graph: Graph, region: Region) -> int:
    """Bytes of a picture before and behind the layer where that is most."""
    return max(
        sum(graph.types[t].nbytes for t in (required(graph.inputs_of(name)[0]), graph.output_of(name)))
        // region.batch
        for name in region.layers
    )


def _vectors_left(graph: Graph, region: Region, target: Target, count: int) -> float:
    """Vectors of all convolutions and pools stitched, as a share of those one by one."""
    stitched = alone = 0
    for figures in stitched_figures(graph, region, target, count):
        layer = graph.layer(figures.layer)
        weights = graph.operand(figures.layer, 1) if isinstance(layer, ir.Conv) else None
        out = graph.types[graph.output_of(figures.layer)].shape
        depth = out[1] if weights is None else prod(graph.types[weights].shape)
        stitched, alone = stitched + figures.vectors * depth, alone + figures.unstitched * depth
    return stitched / alone
