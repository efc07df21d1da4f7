"""A point: compiled in this process, or found in the cache; its figures, or why there are none.

What points of a model have in common is done once in a process: the model is read, checked and imported once
for all chips and options.
"""

from __future__ import annotations

import gc
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nnc.cache.plans import REPORT, encoded, key_of, model_digest_of
from nnc.cache.store import Store, user_store
from nnc.compilation import Result, compile_graph, importing
from nnc.compiler.frontend.errors import ModelFileError
from nnc.compiler.ir.graph import Graph
from nnc.errors import explained
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import chip_from_data
from nnc.isa.errors import NncError
from nnc.report.identity import source_of
from nnc.report.schema import Report
from nnc.sweeps.figures import PointFigures, figures_of
from nnc.sweeps.points import Task

_MODELS = 2
"""Imported models that a process holds: points of one follow each other."""
_ONE_AT_A_TIME = threading.Lock()
"""Threads of one worker would take turns anyway, and switch each other's collector of garbage."""


@dataclass(frozen=True)
class Outcome:
    """What became of a point.

    Attributes:
        error: a code; empty if there are figures.
        message: in one line.
        seconds: that compiling took, when it was compiled.
    """

    number: int
    figures: PointFigures | None
    error: str = ""
    message: str = ""
    seconds: float | None = None


def run_point(task: Task) -> Outcome:
    """Compile a point, or find it; whatever goes wrong is told in the outcome."""
    with _ONE_AT_A_TIME:
        try:
            chip = chip_from_data(dict(task.chip), task.chip_name)
            report = _report_of(task, chip)
            figures = figures_of(report, chip.square_millimetres)
            return Outcome(task.number, figures, seconds=report.compile_seconds)
        except Exception as error:  # one point of thousands: the others go on
            return failed(task.number, explained(error))


def failed(number: int, error: NncError) -> Outcome:
    """The outcome of a point that has no figures."""
    parts = (error.where, error.message, f"found {error.found}" if error.found else "")
    return Outcome(number, None, error.code, " ".join(": ".join(filter(None, parts)).split()))


def _report_of(task: Task, chip: Chip) -> Report:
    _check_model(task)
    store = user_store() if task.is_kept else None
    key = "" if store is None else _key_of(task, chip)
    sections = store.get(key, [REPORT]) if store is not None else None
    if sections is not None:
        return Report.model_validate_json(sections[REPORT])
    result = _compiled(task, chip)
    if store is not None:
        _keep(store, key, result)
    gc.collect()  # plans are full of circles, and the next one is not looked through before it is done
    return result.report


def _compiled(task: Task, chip: Chip) -> Result:
    start = time.perf_counter()
    graph = _imported(task.model, task.sha256, task.shapes, task.dims, task.states)
    compilation = compile_graph(graph, chip, options=task.options)
    return Result(compilation, time.perf_counter() - start, source_of(graph.name, task.model))


@lru_cache(maxsize=_MODELS)
def _imported(
    model: str,
    sha256: str,  # the same file may be another model in the next sweep
    shapes: tuple[tuple[str, tuple[int, ...]], ...],
    dims: tuple[tuple[str, int], ...],
    states: tuple[tuple[str, str], ...] | str | None,
) -> Graph:
    """The imported graph, which all points of the model share."""
    pairs = states if isinstance(states, str) else dict(states or ())
    return importing(Path(model), shapes=dict(shapes), dims=dict(dims), states=pairs)


def _key_of(task: Task, chip: Chip) -> str:
    states = task.states if isinstance(task.states, str) else dict(task.states or ())
    return key_of(
        Path(task.model),
        chip,
        model_digest=task.sha256,
        options=task.options,
        shapes=dict(task.shapes),
        dims=dict(task.dims),
        states=states,
    )


def _keep(store: Store, key: str, result: Result) -> None:
    """Keep the report; programs of thousands of points would push out everything else."""
    store.put(key, {REPORT: encoded(result.report)})


def _check_model(task: Task) -> None:
    """Insist on the model that the sweep was started with.

    Raises:
        ModelFileError: on this machine, or by now, there is another one at the path, or none.
    """
    try:
        state = Path(task.model).stat()
        digest = _digest_of(task.model, state.st_size, state.st_mtime_ns)
    except OSError:
        digest = ""
    if digest != task.sha256:
        raise ModelFileError(
            "the model is not the one that the sweep was started with",
            where=task.model,
            found=f"SHA-256 {digest}" if digest else "no file that can be read",
            expected=f"SHA-256 {task.sha256}",
            remedy="let all workers see the same files under the same paths, and change none meanwhile",
        )


@lru_cache(maxsize=64)
def _digest_of(model: str, size: int, changed: int) -> str:
    """The digest of a model's files, found once unless the file changes."""
    return model_digest_of(Path(model))
