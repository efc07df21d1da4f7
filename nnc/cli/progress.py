"""Progress on stderr: only for work of more than a second, on a terminal where nothing is logged."""

from __future__ import annotations

import logging
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_DELAY_SECONDS = 1.0


class ShownProgress:
    """A progress display that appears after a second; call it as progress(what, done, total).

    A `total` of 0 means that nobody knows how much there is to do.
    """

    def __init__(self, what: str) -> None:
        self._state = (what, 0, 0)
        self._lock = threading.Lock()
        self._display: Progress | None = None
        self._task: TaskID | None = None
        self._finished = False
        self._timer: threading.Timer | None = None

    def __enter__(self) -> ShownProgress:
        if sys.stderr.isatty() and not logging.getLogger("nnc").isEnabledFor(logging.DEBUG):
            self._timer = threading.Timer(_DELAY_SECONDS, self._appear)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._finished = True
            if self._timer is not None:
                self._timer.cancel()
            if self._display is not None:
                self._display.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Note how far the work is."""
        with self._lock:
            self._state = (what, done, total)
            self._update()

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        shown = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
        columns = (*shown, TextColumn("left"), TimeRemainingColumn())
        with self._lock:
            if self._finished:
                return
            self._display = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._display.add_task("")
            self._update()
            self._display.start()

    def _update(self) -> None:
        if self._display is not None and self._task is not None:
            what, done, total = self._state
            self._display.update(self._task, description=what, completed=done, total=total or None)
