"""Who computes points: this process, processes of this machine, or those of a cluster that runs already.

    with Workers(4) as workers:
        for outcome in workers.run(tasks):     as they are done, in any order

The processes are those of dask.distributed, here and on a cluster alike.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from itertools import islice
from types import ModuleType, TracebackType
from typing import Any

from nnc.cache.origin import origin
from nnc.errors import MissingPackageError
from nnc.isa.errors import InternalError, NncError, OptionError
from nnc.sweeps.point_run import Outcome, failed, run_point
from nnc.sweeps.points import Task

_AHEAD = 2
"""Tasks per thread of a worker that are with the cluster: one runs, the next one is there already."""
_CONNECT_SECONDS = 20


class Workers:
    """Processes that compute points, from the first point that has to be computed on."""

    def __init__(self, count: int | None = None, scheduler: str = "") -> None:
        """Say who is to compute.

        Args:
            count: processes of this machine; None: as many as it has cores for; 1: this process alone.
            scheduler: address of the scheduler of a cluster, such as tcp://host:8786, in their place.

        Raises:
            MissingPackageError: dask is not installed, and needed.
        """
        self._count = count or _cores()
        self._scheduler = scheduler
        self._stack = ExitStack()
        self._client: Any = None
        if self._is_apart and find_spec("distributed") is None:
            raise MissingPackageError(
                "sweeps on several processes need the package dask, which is not installed",
                remedy="pip install 'nnc[sweep]', or --workers 1",
            )

    @property
    def _is_apart(self) -> bool:
        return self._count > 1 or bool(self._scheduler)

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def run(self, tasks: Iterable[Task], count: int) -> Iterator[Outcome]:
        """Compute points; each outcome comes as soon as it is there.

        Args:
            tasks: taken as workers are free.
            count: how many these are; one alone is not worth a process of its own.

        Raises:
            OptionError: the cluster does not answer, or has another nnc.
        """
        if self._client is None and (not self._is_apart or (count == 1 and not self._scheduler)):
            yield from map(run_point, tasks)
            return
        if self._client is None:
            self._connect(count)
        yield from self._run_apart(iter(tasks))

    def _run_apart(self, tasks: Iterator[Task]) -> Iterator[Outcome]:
        from distributed import as_completed

        ahead = _AHEAD * max(1, sum(self._client.nthreads().values()))
        numbers = {}

        def submitted(task: Task) -> Any:
            future = self._client.submit(run_point, task, pure=False)
            numbers[future.key] = task.number
            return future

        running = as_completed([submitted(task) for task in islice(tasks, ahead)])
        for future in running:
            number = numbers.pop(future.key)
            yield future.result() if future.status == "finished" else _lost(number, future)
            for task in islice(tasks, 1):
                running.add(submitted(task))

    def _connect(self, count: int) -> None:
        import dask.config
        from distributed import Client, LocalCluster

        self._stack.enter_context(dask.config.set({"distributed.admin.tick.limit": "1h"}))
        self._stack.enter_context(_quiet())
        if self._scheduler:
            self._client = self._connected(Client)
        else:
            self._stack.enter_context(_without_main())
            without_dashboard: dict[str, Any] = {"dashboard_address": None}
            cluster = LocalCluster(
                n_workers=min(self._count, count),
                threads_per_worker=1,
                processes=True,
                memory_limit=0,
                silence_logs=logging.CRITICAL,
                **without_dashboard,
            )
            self._stack.enter_context(cluster)
            self._client = self._stack.enter_context(Client(cluster))

    def _connected(self, client_type: Any) -> Any:
        """A client of the cluster, whose workers have this nnc.

        Raises:
            OptionError: nobody answers, there is no worker, or one has another nnc.
        """
        try:
            client = self._stack.enter_context(client_type(self._scheduler, timeout=_CONNECT_SECONDS))
        except (OSError, ValueError, RuntimeError) as error:
            raise OptionError(
                "the scheduler does not answer",
                where=f"--scheduler {self._scheduler}",
                found=" ".join(str(error).split())[:400],
                remedy="start dask scheduler, and dask worker ADDRESS on all machines; then give its address",
            ) from error
        try:
            client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
        except TimeoutError as error:
            raise OptionError(
                "the cluster has no worker",
                where=f"--scheduler {self._scheduler}",
                remedy=f"start some: dask worker {self._scheduler}",
            ) from error
        for worker, answer in client.run(_origin_here, on_error="return").items():
            if answer != origin():
                raise OptionError(
                    "a worker of the cluster has another nnc",
                    where=str(worker),
                    found=str(answer)[:200],
                    expected=origin(),
                    remedy="install the same nnc, onnx and numpy for all workers, and start them again",
                )
        return client


def _origin_here() -> str:
    return origin()


def _lost(number: int, future: Any) -> Outcome:
    """The outcome of a point whose worker has come to an end, again and again."""
    error = future.exception()
    if isinstance(error, NncError):
        return failed(number, error)
    return failed(
        number,
        InternalError(
            "the process that compiled this point came to an end, perhaps for want of memory",
            found=" ".join(f"{type(error).__name__}: {error}".split())[:200],
        ),
    )


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing of the cluster's own logs on stderr: what goes wrong is told by outcomes."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the script that is running from the processes that are started.

    They need nothing of it, but each would run it, as processes of multiprocessing do: a script without a
    guard would start sweeps in sweeps.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
