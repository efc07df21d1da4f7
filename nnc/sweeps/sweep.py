"""`nnc.sweep`: many networks on many chips, with many options, in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from nnc.cache.plans import model_digest_of
from nnc.compiler.frontend.errors import ModelFileError
from nnc.compiler.frontend.model.load import load_model
from nnc.compiler.frontend.states import Pairs
from nnc.compiler.plan.planner import no_progress
from nnc.compiler.plan.scheduled import Progress
from nnc.isa.argument_types import typed
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import chip_data, overridden
from nnc.isa.errors import OptionError
from nnc.isa.limits import SWEEP_POINTS
from nnc.isa.nearest import did_you_mean
from nnc.option_words import OptionWords, plan_options
from nnc.sweeps.evaluation import Evaluation
from nnc.sweeps.finding import check_question, find, most_points, parse_question
from nnc.sweeps.front import DEFAULT_MINIMISED, front_of, minimised_figures
from nnc.sweeps.journal import Journal, journal_path
from nnc.sweeps.point_run import Outcome
from nnc.sweeps.points import DIM, Asked, Space, SweptChip, SweptModel, canonical_key
from nnc.sweeps.results import check_results_path, rows_of, write_results
from nnc.sweeps.schema import PointReport, SweepReport
from nnc.sweeps.search import insist_on_optuna, search_points
from nnc.sweeps.vary import Value, make_vary
from nnc.sweeps.workers import Workers
from nnc.version import __version__

ModelPath = str | os.PathLike[str]
ChipLike = str | Chip


@dataclass(frozen=True, repr=False)
class SweepResult:
    """What a sweep has found.

    Attributes:
        report: all of it, typed, as ``nnc sweep --json`` prints it.
    """

    report: SweepReport

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A flat dictionary for each point, such as ``pandas.DataFrame`` takes."""
        return rows_of(self.report)

    @property
    def front(self) -> list[dict[str, Any]]:
        """The rows of the points on the Pareto front."""
        on_front = {number: place for place, number in enumerate(self.report.front)}
        pairs = zip(self.report.points, self.rows, strict=True)
        rows = [(on_front[point.point], row) for point, row in pairs if point.point in on_front]
        return [row for _, row in sorted(rows, key=lambda item: item[0])]

    def __repr__(self) -> str:
        points = self.report.points
        failed = sum(point.error is not None for point in points)
        return f"<SweepResult: {len(points)} points, {failed} failed, {len(self.report.front)} on the front>"


@typed
def sweep(
    models: ModelPath | Sequence[ModelPath],
    vary: Mapping[str, str | Sequence[Value]] | None = None,
    *,
    chips: ChipLike | Sequence[ChipLike] = "npu",
    overrides: Sequence[str] = (),
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    states: Pairs | str | None = None,
    output: ModelPath | None = None,
    workers: int | None = None,
    scheduler: str = "",
    minimise: str | Sequence[str] = DEFAULT_MINIMISED,
    find: str = "",
    search: int = 0,
    cache: bool = True,
    seconds: bool = False,
    progress: Progress = no_progress,
    **words: Unpack[OptionWords],
) -> SweepResult:
    """Compile models for all combinations of chips and values, in parallel; the report compares them.

    >>> result = nnc.sweep("model.onnx", {"memory.sram.bytes": "64KiB..2MiB*2", "cores": [1, 2, 4]})
    >>> result.front

    Args:
        models: paths of ONNX files.
        vary: values by key: a list, or a text such as ``"64KiB..2MiB*2"``.  Keys are those of a chip, options
            of the planner, and symbolic dimensions (``dim.tokens``).
        chips: presets, paths of TOML files, or chips from `nnc.load_chip`.
        overrides: of all chips, such as ``"cores=2"``.
        shapes, dims, states, words: as of `nnc.compile_model`, the same for all points.
        output: a row for each point is written here: .parquet, .csv or .json.  A journal beside it keeps what
            is done: a sweep that was interrupted goes on where it was.
        workers: processes of this machine; None: one for each core; 1: this process alone.
        scheduler: address of a cluster of dask, such as ``"tcp://host:8786"``, in place of processes here.
        minimise: two to four figures whose Pareto front is shown, and by which a search chooses.
        find: a question such as ``"smallest cores where cycles <= 1e6"``: what answers it is compiled alone.
        search: of each model, so many points are tried that optuna takes for promising; 0: all points.
        cache: whether results are kept for the next time, and taken from there.
        seconds: whether rows say how long compiling took.
        progress: called as progress(what, done, total).

    Raises:
        NncError: a key, range, chip or file cannot be used.  A point that cannot be compiled is a row with
            its error.
    """
    plan_options(None, words)
    asked = Asked(words, shapes or {}, dims or {}, states)
    space = space_of(_listed(models), vary or {}, _listed(chips), overrides, asked, cache)
    return run_sweep(
        space,
        output=None if output is None else Path(output),
        workers=Workers(workers, scheduler),
        minimised=minimised_figures(minimise),
        question=find,
        trials=search,
        is_timed=seconds,
        progress=progress,
    )


def space_of(
    models: Sequence[ModelPath],
    vary: Mapping[str, str | Sequence[Value]],
    chips: Sequence[ChipLike],
    overrides: Sequence[str],
    asked: Asked,
    is_kept: bool,
) -> Space:
    """All points, judged before any is compiled.

    Raises:
        NncError: as `sweep`.
    """
    space = Space(
        tuple(_model(Path(model)) for model in models),
        tuple(_chip(chip, overrides) for chip in chips),
        tuple(make_vary(canonical_key(key), values) for key, values in vary.items()),
        asked,
        is_kept,
    )
    if not space.models or not space.chips:
        raise OptionError("there is no model, or no chip", remedy="give at least one of each")
    space.check()
    _check_dims(space)
    return space


def run_sweep(
    space: Space,
    *,
    output: Path | None,
    workers: Workers,
    minimised: Sequence[str] = DEFAULT_MINIMISED,
    question: str = "",
    trials: int = 0,
    is_timed: bool = False,
    progress: Progress = no_progress,
) -> SweepResult:
    """Compute the points of a space, those that answer a question, or those that a search chooses.

    Raises:
        NncError: as `sweep`.
    """
    asked = parse_question(question) if question else None
    count = len(space)
    if trials:
        insist_on_optuna()
        count = min(count, trials * len(space.models))
    if asked is not None and trials:
        raise OptionError("a question and a search are two things", remedy="give --find, or --search")
    if asked is not None:
        check_question(asked, space)
        count = most_points(asked, space)
    SWEEP_POINTS.check(
        count, OptionError, "the sweep has too many points", remedy="vary fewer keys, or take larger steps"
    )
    if output is not None:
        check_results_path(output)
    with ExitStack() as stack:
        journal = None if output is None else stack.enter_context(Journal(journal_path(output), space))
        stack.enter_context(workers)
        evaluation = Evaluation(space, workers, progress, journal, count)
        findings = find(asked, evaluation) if asked is not None else []
        if trials:
            search_points(evaluation, trials, minimised)
        is_chosen = asked is not None or trials > 0
        outcomes = evaluation.outcomes if is_chosen else evaluation.of(range(len(space)))
        points = [_point(space, outcomes[number], is_timed=is_timed) for number in sorted(outcomes)]
        report = SweepReport(
            nnc=__version__,
            models=tuple(str(model.path) for model in space.models),
            chips=tuple(chip.name for chip in space.chips),
            varied={vary.key: vary.values for vary in space.varied},
            minimised=tuple(minimised),
            points=tuple(points),
            front=tuple(front_of(points, minimised)),
            findings=tuple(findings),
        )
        if output is not None and journal is not None:
            write_results(report, output)
            journal.remove()
    return SweepResult(report)


def _point(space: Space, outcome: Outcome, *, is_timed: bool) -> PointReport:
    model = space.model(outcome.number)
    return PointReport(
        point=outcome.number,
        model=str(model.path),
        sha256=model.sha256,
        chip=space.chip(outcome.number).name,
        values=space.values(outcome.number),
        error=outcome.error or None,
        message=outcome.message or None,
        figures=outcome.figures,
        seconds=outcome.seconds if is_timed else None,
    )


def _listed(items: Any) -> list[Any]:
    """One or several, as a list."""
    return [items] if isinstance(items, str | os.PathLike | Chip) else [*items]


def _model(path: Path) -> SweptModel:
    """A model with its digest.

    Raises:
        NncError: a file of it cannot be read.
    """
    digest = model_digest_of(path)
    if not digest:
        load_model(path)  # says what is wrong
        raise ModelFileError(
            "a file of the model cannot be read", where=str(path), remedy="give files that can be read"
        )
    return SweptModel(path, digest)


def _chip(chip: ChipLike, overrides: Sequence[str]) -> SweptChip:
    name, data = (
        (chip.name, chip.model_dump(mode="json")) if isinstance(chip, Chip) else (chip, chip_data(chip))
    )
    return SweptChip(name, overridden(data, overrides))


def _check_dims(space: Space) -> None:
    """Insist on symbolic dimensions that the models have.

    Raises:
        OptionError: one has none of that name.
    """
    varied = [vary.key.removeprefix(DIM) for vary in space.varied if vary.key.startswith(DIM)]
    for model in space.models if varied else ():
        inputs = load_model(model.path, apart=True).proto.graph.input
        symbols = {dim.dim_param for info in inputs for dim in info.type.tensor_type.shape.dim} - {""}
        for name in varied:
            if name not in symbols:
                raise OptionError(
                    f"the model has no dimension {name} (of {len(space):,} points, none was compiled)",
                    where=f"--vary {DIM}{name}",
                    found=", ".join(sorted(symbols)) or f"no symbolic dimension in {model.path}",
                    remedy=did_you_mean(name, symbols, "name one of its symbolic dimensions"),
                )
