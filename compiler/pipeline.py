"""The pipeline: the literal list of passes, and the one runner that does everything between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nnc.compiler.backend.emit import emit
from nnc.compiler.floors import Floors, floors
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.materialise.group import group
from nnc.compiler.materialise.map_cores import map_cores
from nnc.compiler.materialise.partition import partition
from nnc.compiler.materialise.place import place
from nnc.compiler.passes.drop_dead import DROP_DEAD
from nnc.compiler.passes.fold_affine import FOLD_AFFINE
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.fuse_activation import FUSE_ACTIVATION
from nnc.compiler.passes.fuse_residual import FUSE_RESIDUAL
from nnc.compiler.passes.merge_affine import MERGE_AFFINE
from nnc.compiler.passes.merge_pads import MERGE_PADS
from nnc.compiler.passes.reorder_flattened_weights import REORDER_FLATTENED_WEIGHTS
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import DEFAULT_OPTIONS, Progress, make_plan, no_progress
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError
from nnc.isa.program import Program

CANONICAL_PASSES = (
    DROP_DEAD,  # first: no work on what nobody reads
    MERGE_PADS,  # before folding: a pad between two layers hides one from the other
    MERGE_AFFINE,  # before folding: one fold instead of several
    FOLD_AFFINE,  # before residual: an added constant is no skip connection
    FUSE_RESIDUAL,  # before activation: the epilogue adds first, then applies the function
    FUSE_ACTIVATION,  # after residual: what follows the addition belongs to the same epilogue
    REORDER_FLATTENED_WEIGHTS,  # before views are settled: it makes flattening free
    DROP_DEAD,  # constants that folding replaced
    FREE_VIEWS,  # last: storage of all tensors that are left
)

PLANNED_PASSES: tuple[tuple[str, Callable[[Graph, Plan], Graph]], ...] = (
    ("group", group),  # the groups of the plan, on the whole layers
    ("partition", partition),  # slices, partial networks, joins; needs the groups
    ("map", map_cores),  # a core for every part; needs the parts
    ("place", place),  # addresses; needs to know which core's memory
)

STAGES = ("import", "canonical", *(name for name, _ in PLANNED_PASSES))
"""What `nnc dump-ir --stage` accepts, in the order of the pipeline."""

Observer = Callable[[str, Graph], None]


def observe_nothing(stage: str, graph: Graph) -> None:
    """The observer that does nothing."""


@dataclass(frozen=True)
class Compilation:
    """All results of a compilation: graphs, the plan and what was asked of it, the floors, the program."""

    imported: Graph
    canonical: Graph
    placed: Graph
    options: PlanOptions
    plan: Plan
    floors: Floors
    program: Program


def canonicalise(imported: Graph, observe: Observer = observe_nothing, *, verify: bool = True) -> Graph:
    """The canonical form of an imported graph (which is left as it is).

    Args:
        imported: from the frontend.
        observe: called with the name of each pass and the graph after it.
        verify: check the imported graph, and the graph after each pass.

    Raises:
        InternalError: a pass broke the graph.
    """
    graph = imported.copy()
    if verify:
        _verify("import", graph)
    for step in CANONICAL_PASSES:
        step.run(graph)
        if verify:
            _verify(step.name, graph)
        observe(step.name, graph)
    return graph


def planned_levels(
    canonical: Graph, plan: Plan, chip: Chip, *, verify: bool = True
) -> Iterator[tuple[str, Graph]]:
    """The stages that materialise a plan, one after the other: name and graph.

    Raises:
        InternalError: a pass broke the graph.
    """
    graph = canonical
    for name, materialise in PLANNED_PASSES:
        before, graph = graph, materialise(graph, plan)
        if verify:
            _verify(name, graph, chip, before, canonical)
        yield name, graph


def run_pipeline(
    imported: Graph,
    chip: Chip,
    *,
    options: PlanOptions = DEFAULT_OPTIONS,
    progress: Progress = no_progress,
    observe: Observer = observe_nothing,
    verify_each: bool = False,
) -> Compilation:
    """Compile an imported graph for a chip.

    Args:
        imported: from the frontend.
        chip: the target.
        options: what the user asks of the planner.
        progress: called as progress(what, done, total).
        observe: called with the name of each pass and the graph after it (dumps, timing).
        verify_each: check every level after each pass.  Without it, the placed graph is checked for all that
            decides the values that the program computes.

    Raises:
        CapacityError: the network cannot fit the chip.
        InternalError: a pass broke the graph.
    """
    graph = canonical = canonicalise(imported, observe, verify=verify_each)
    plan = make_plan(canonical, chip, progress, options)
    for name, graph in planned_levels(canonical, plan, chip, verify=verify_each):
        observe(name, graph)
    if not verify_each:
        progress("verifying", 0, 0)
        _verify(STAGES[-1], graph, chip, network=canonical, values_only=True)
    limits = floors(imported, canonical, chip)
    program = emit(graph, chip, _facts(limits, plan))
    return Compilation(imported, canonical, graph, options, plan, limits, program)


def stage_graph(
    imported: Graph,
    chip: Chip,
    stage: str,
    progress: Progress = no_progress,
    options: PlanOptions = DEFAULT_OPTIONS,
) -> Graph:
    """The graph after a stage (see `STAGES`); nothing behind the stage is computed.

    Raises:
        ValueError: there is no such stage.
        CapacityError: the network cannot fit the chip (stages from `group` on).
    """
    if stage not in STAGES:
        raise ValueError(f"no stage {stage!r}: choose one of {', '.join(STAGES)}")
    if stage == "import":
        return imported
    graph = canonicalise(imported)
    if stage == "canonical":
        return graph
    levels = planned_levels(graph, make_plan(graph, chip, progress, options), chip)
    return next(graph for name, graph in levels if name == stage)


def _verify(
    stage: str,
    graph: Graph,
    chip: Chip | None = None,
    before: Graph | None = None,
    network: Graph | None = None,
    *,
    values_only: bool = False,
) -> None:
    """See `verify_graph`; the error names the stage that broke the graph."""
    try:
        verify_graph(graph, chip, verified=before, network=network, values_only=values_only)
    except InternalError as error:
        message = f"after {stage}: {error.message}"
        raise InternalError(message, where=error.where, found=error.found) from error


def _facts(limits: Floors, plan: Plan) -> dict[str, int]:
    """Figures for reports about the program that the program itself cannot know."""
    return {
        "floor_bytes": limits.dram_bytes,
        "macs": limits.macs,
        "peak_floor_cycles": limits.peak_cycles,
        "compute_floor_cycles": limits.compute_cycles,
        "dram_floor_cycles": limits.dram_cycles,
        "predicted_cycles": plan.cycles,
        "predicted_dram_bytes": sum(prediction.dram_bytes for prediction in plan.predictions),
    }
