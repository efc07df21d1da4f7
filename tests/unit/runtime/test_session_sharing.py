"""A session in several threads and processes, and copies of all that the library hands out."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import nnc
from nnc.isa.errors import OptionError
from nnc.models import digits

THREADS = 8
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}


@pytest.fixture(scope="module")
def result() -> nnc.Result:
    """The compiled digits network."""
    return nnc.compile_model(digits.MODEL)


@pytest.fixture
def quick_switches() -> Iterator[None]:
    """Threads that take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def feeds(count: int) -> list[dict[str, Any]]:
    generator = np.random.default_rng(0)
    return [{"image": generator.standard_normal((1, 1, 16, 16), np.float32)} for _ in range(count)]


@pytest.mark.usefixtures("quick_switches")
def test_threads_that_share_a_session_get_their_own_outputs(result: nnc.Result) -> None:
    session, given = nnc.Session(result.program), feeds(15 * THREADS)
    expected = [session.run(None, feed)[0] for feed in given]
    with ThreadPoolExecutor(THREADS) as pool:
        outputs = list(pool.map(lambda feed: session.run(None, feed)[0], given))
    for output, value in zip(outputs, expected, strict=True):
        np.testing.assert_array_equal(output, value)


def test_a_refused_input_changes_no_later_run(result: nnc.Result) -> None:
    session, (feed,) = nnc.Session(result.program), feeds(1)
    (expected,) = session.run(None, feed)
    with pytest.raises(nnc.NncError):
        session.run(None, {"image": np.zeros(3, np.float32)})
    np.testing.assert_array_equal(session.run(None, feed)[0], expected)


@pytest.mark.parametrize("how", COPIES)
def test_a_copied_session_runs_by_itself(result: nnc.Result, how: str) -> None:
    session, (first, second) = nnc.Session(result.program, jitter=3, poison=True), feeds(2)
    expected = [session.run(None, feed)[0] for feed in (first, second)]
    twin = COPIES[how](session)
    np.testing.assert_array_equal(twin.run(None, second)[0], expected[1])
    np.testing.assert_array_equal(session.run(None, first)[0], expected[0])
    assert (twin.verified, twin.jitter, twin.report) == (session.verified, session.jitter, session.report)
    assert twin.machine is not session.machine


@pytest.mark.parametrize("how", COPIES)
def test_copies_of_results_programs_and_chips_equal_them(result: nnc.Result, how: str) -> None:
    twin = COPIES[how](result)
    assert twin.report == result.report and list(twin.graphs) == list(result.graphs)
    for stage, graph in result.graphs.items():
        assert list(twin.graphs[stage].types.items()) == list(graph.types.items())
    program, chip = COPIES[how](result.program), COPIES[how](result.program.chip)
    assert chip == program.chip == twin.program.chip == result.program.chip
    assert program.issued == twin.program.issued == result.program.issued
    np.testing.assert_array_equal(program.constants, result.program.constants)


def test_errors_survive_the_way_between_processes() -> None:
    error = OptionError("no", where="here", found="a", expected="b", remedy="c")
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), str(twin), twin.to_json()) == (OptionError, str(error), error.to_json())


def run_one(session: nnc.Session, feed: dict[str, Any]) -> Any:
    return session.run(None, feed)[0]


@pytest.mark.parametrize("start", sorted({"fork", "spawn"} & set(multiprocessing.get_all_start_methods())))
def test_processes_run_a_pickled_session(result: nnc.Result, start: str) -> None:
    session, (feed,) = nnc.Session(result.program, blas_only=True), feeds(1)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(start)) as pool:
        output = pool.submit(run_one, session, feed).result(timeout=120)
    np.testing.assert_array_equal(output, session.run(None, feed)[0])
