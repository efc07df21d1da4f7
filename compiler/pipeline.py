"""The pipeline: the one runner of the passes, and the steps that materialise a plan."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

from nnc.compiler import picture_by_picture
from nnc.compiler.backend.emit import emit
from nnc.compiler.facts import program_facts
from nnc.compiler.floors import Floors, floors
from nnc.compiler.ir.annotations import Level
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.materialise.copies import without_copies
from nnc.compiler.materialise.group import group
from nnc.compiler.materialise.map_cores import map_cores
from nnc.compiler.materialise.materialiser import Materialiser
from nnc.compiler.materialise.partition import partition
from nnc.compiler.materialise.place import place
from nnc.compiler.passes.canonical_passes import CANONICAL_PASSES, canonical_names
from nnc.compiler.passes.pictures_apart import PICTURES_APART, pictures_of
from nnc.compiler.passes.share_constants import SHARE_CONSTANTS
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import DEFAULT_OPTIONS, make_plan, no_progress
from nnc.compiler.plan.scheduled import Progress
from nnc.compiler.stitching import cheapest as stitched
from nnc.compiler.stitching import check_stitched, chosen_pictures
from nnc.compiler.target.target import ANY_CHIP, Target
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError
from nnc.isa.program import Program

_LOG = logging.getLogger(__name__)
MATERIALISERS: tuple[tuple[Materialiser, str], ...] = (
    (Materialiser(Level.GROUP, group), "first: the groups of the plan, on the whole layers"),
    (
        Materialiser(Level.PARTITION, partition),
        "after group: slices, partial networks and joins are cut by group",
    ),
    (Materialiser(Level.MAP, map_cores), "after partition: it gives every part a core"),
    (Materialiser(Level.PLACE, place), "last: an address lies in the memory of some core"),
)
"""The steps that materialise a plan, each with the reason for its place."""

STAGES = tuple(level.value for level in Level)
"""What `nnc dump-ir --stage` accepts: the levels, in the order of the pipeline."""

Observer = Callable[[str, Graph], None]


def observe_nothing(stage: str, graph: Graph) -> None:
    """The observer that does nothing."""


@dataclass(frozen=True)
class Compilation:
    """All results of a compilation: graphs, the plan and what was asked of it, the floors, the program.

    `network` is the canonical graph without stitched pictures; most often, it is the canonical one.
    """

    imported: Graph
    network: Graph
    canonical: Graph
    options: PlanOptions
    plan: Plan
    floors: Floors
    program: Program

    @cached_property
    def placed(self) -> Graph:
        """The graph with all decisions of the plan, made when it is first asked for."""
        return [*planned_levels(self.canonical, self.plan, self.program.chip, verify=False)][-1][1]


def canonicalise(
    imported: Graph,
    observe: Observer = observe_nothing,
    *,
    chip: Chip | None = None,
    verify: bool = True,
    until: str | None = None,
    pictures: int = 0,
    apart: str = "",
    objective: str = DEFAULT_OPTIONS.objective,
    softmax: str = DEFAULT_OPTIONS.softmax,
) -> Graph:
    """The canonical form of an imported graph (which is left as it is).

    Args:
        imported: from the frontend.
        observe: called with the name of each pass and the graph after it.
        chip: whose DMA decides how tensors are aligned, and whose array in which order their axes nest;
            None: they are not aligned, and channels lie innermost.
        verify: check the imported graph, and the graph after each pass.
        until: the name of the last pass to run; None means all.
        pictures: at most so many pictures are stitched; 0: none.
        apart: the tensor up to which every picture of a batch has layers of its own; "": none.
        objective: what plans are chosen by.
        softmax: in what softmax and normalisations between integers are computed (`PlanOptions`).

    Raises:
        InternalError: a pass broke the graph.
    """
    graph = imported.copy()
    target = (
        replace(ANY_CHIP, softmax=softmax)
        if chip is None
        else Target.of(chip, objective, softmax=softmax, pictures=pictures, apart=apart)
    )
    if verify:
        _verify("import", graph)
    for name, (step, _) in zip(canonical_names(), CANONICAL_PASSES, strict=True):
        step.apply(graph, target)
        _LOG.debug("%s: %d layers", name, len(graph))
        if verify:
            _verify(name, graph)
        observe(name, graph)
        if name == until:
            break
    return graph


def planned_levels(
    canonical: Graph, plan: Plan, chip: Chip, *, verify: bool = True
) -> Iterator[tuple[str, Graph]]:
    """The steps that materialise a plan, one after the other: name and graph.

    Raises:
        InternalError: a pass broke the graph.
    """
    graph = canonical
    for step, _ in MATERIALISERS:
        before, graph = graph, step.apply(graph, plan)
        _LOG.debug("%s: %d nodes", step.name, len(graph))
        if verify:
            _verify(step.name, graph, chip, before, canonical)
        yield step.name, graph


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
        verify_each: check every level after each pass; what is placed is checked for all that decides
            values in any case.

    Raises:
        CapacityError: the network cannot fit the chip.
        InternalError: a pass broke the graph.
    """
    folded = imported

    def observe_folded(name: str, graph: Graph) -> None:
        nonlocal folded
        if name == SHARE_CONSTANTS.name:  # the first time, behind fold-affine
            folded = graph.copy()
        observe(name, graph)

    how = _chosen(imported, chip, options, progress, verify=verify_each)
    made = partial(canonicalise, imported, chip=chip, objective=options.objective, softmax=options.softmax)
    canonical = graph = made(observe_folded, verify=verify_each, pictures=how.pictures, apart=how.apart)
    plan = how.plan or make_plan(canonical, chip, progress, options)
    # what a network needs at least does not depend on how it is computed
    network = made(verify=False) if how.pictures or how.apart else canonical
    if verify_each or observe is not observe_nothing:
        for name, graph in planned_levels(canonical, plan, chip, verify=verify_each):
            observe(name, graph)
    copies = without_copies(plan)
    if copies.groups or graph is canonical:
        graph = copies.noted([*planned_levels(canonical, copies.plan, chip, verify=False)][-1][1])
    if copies.groups or not verify_each:
        progress("verifying", 0, 0)
        _verify(STAGES[-1], graph, chip, network=canonical, values_only=True)
    limits = floors(folded, network, chip)
    program = emit(graph, chip, program_facts(limits, plan, options))
    return Compilation(imported, network, canonical, options, plan, limits, program)


@dataclass(frozen=True)
class _Chosen:
    """How pictures of a batch are computed (see `canonicalise`), and the plan if it was needed to choose."""

    pictures: int = 0
    apart: str = ""
    plan: Plan | None = None


def _chosen(
    imported: Graph,
    chip: Chip,
    options: PlanOptions,
    progress: Progress,
    *,
    verify: bool,
    may_be_apart: bool = True,
) -> _Chosen:
    """How many pictures of a batch are stitched, or up to where each has layers of its own."""

    made = partial(
        canonicalise,
        imported,
        chip=chip,
        verify=verify,
        objective=options.objective,
        softmax=options.softmax,
    )

    def canonical(pictures: int = 0, apart: str = "", until: str | None = None) -> Graph:
        return made(pictures=pictures, apart=apart, until=until)

    if (pictures := chosen_pictures(chip, options)) is None:
        choice = stitched(canonical, chip, options, lambda graph: make_plan(graph, chip, progress, options))
        return _Chosen(choice[0], plan=choice[1])
    if pictures:
        check_stitched(canonical(pictures))
        return _Chosen(pictures)
    if not may_be_apart or not pictures_of(imported) > 1:
        return _Chosen()
    apart, plan = picture_by_picture.cheapest(
        canonical(until=PICTURES_APART.name), lambda tensor: canonical(apart=tensor), chip, options, progress
    )
    return _Chosen(apart=apart, plan=plan)


def stage_graph(
    imported: Graph,
    chip: Chip,
    stage: str,
    progress: Progress = no_progress,
    options: PlanOptions = DEFAULT_OPTIONS,
) -> Graph:
    """The graph at a level (see `STAGES`) or after a pass (see `pass_names`).

    Nothing behind it is computed, but plans that decide how the pictures of a batch are (from the passes on
    that stitch them or take them apart).

    Raises:
        ValueError: there is no such stage.
        CapacityError: the network cannot fit the chip (stages that ask for a plan).
    """
    if stage not in (*STAGES, *pass_names()):
        raise ValueError(f"no stage {stage!r}: choose one of {', '.join((*STAGES, *pass_names()))}")
    if stage == Level.IMPORT:
        return imported
    names = canonical_names()
    is_early = stage in names[: names.index(PICTURES_APART.name)]
    how = _chosen(imported, chip, options, progress, verify=False, may_be_apart=not is_early)
    made = partial(canonicalise, imported, chip=chip, objective=options.objective, softmax=options.softmax)
    graph = made(until=stage, pictures=how.pictures, apart=how.apart)
    if stage == Level.CANONICAL or stage in names:
        return graph
    plan = how.plan or make_plan(graph, chip, progress, options)
    return next(graph for name, graph in planned_levels(graph, plan, chip) if name == stage)


def pass_names() -> tuple[str, ...]:
    """What `nnc dump-ir --after` accepts: all steps of the pipeline that change the graph, in order."""
    return (*canonical_names(), *(step.name for step, _ in MATERIALISERS))


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
        raise InternalError(
            f"after {stage}: {error.message}", where=error.where, found=error.found
        ) from error
