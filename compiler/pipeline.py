"""The pipeline: the literal list of passes, and the one runner that does everything between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nnc.compiler.backend.emit import emit
from nnc.compiler.floors import Floors, floors
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.drop_dead import DROP_DEAD
from nnc.compiler.passes.fold_batch_norm import FOLD_BATCH_NORM
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.fuse_activation import FUSE_ACTIVATION
from nnc.compiler.passes.fuse_bias import FUSE_BIAS
from nnc.compiler.passes.fuse_residual import FUSE_RESIDUAL
from nnc.compiler.passes.group import group
from nnc.compiler.passes.map_cores import map_cores
from nnc.compiler.passes.merge_pads import MERGE_PADS
from nnc.compiler.passes.partition import partition
from nnc.compiler.passes.place import place
from nnc.compiler.passes.reorder_flattened_weights import REORDER_FLATTENED_WEIGHTS
from nnc.compiler.plan.decision import Plan
from nnc.compiler.plan.planner import Progress, make_plan, no_progress
from nnc.isa.chip import Chip
from nnc.isa.program import Program

CANONICAL_PASSES = (
    DROP_DEAD,  # first: no work on what nobody reads
    MERGE_PADS,  # before folding: a pad between two layers hides one from the other
    FOLD_BATCH_NORM,  # before bias: the folded shift becomes or extends the bias
    FUSE_BIAS,  # before residual: an added constant is no skip connection
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
    """All results of a compilation: the imported, canonical and placed graphs, the plan, the program."""

    imported: Graph
    canonical: Graph
    placed: Graph
    plan: Plan
    floors: Floors
    program: Program


def canonicalise(imported: Graph, observe: Observer = observe_nothing) -> Graph:
    """The canonical form of an imported graph (which is left as it is)."""
    graph = imported.copy()
    for step in CANONICAL_PASSES:
        step.run(graph)
        observe(step.name, graph)
    graph.notes.level = "canonical"
    return graph


def run_pipeline(
    imported: Graph,
    chip: Chip,
    *,
    progress: Progress = no_progress,
    observe: Observer = observe_nothing,
) -> Compilation:
    """Compile an imported graph for a chip.

    Args:
        imported: from the frontend.
        chip: the target.
        progress: called as progress(what, done, total).
        observe: called with the name of each pass and the graph after it (verifiers, dumps).

    Raises:
        CapacityError: the network cannot fit the chip.
    """
    canonical = canonicalise(imported, observe)
    plan = make_plan(canonical, chip, progress)
    graph = canonical
    for name, materialise in PLANNED_PASSES:
        graph = materialise(graph, plan)
        observe(name, graph)
    limits = floors(imported, canonical, chip)
    program = emit(graph, chip, _facts(limits, plan))
    return Compilation(imported, canonical, graph, plan, limits, program)


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
