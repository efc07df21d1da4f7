"""Progress on stderr: only for work of half a second and more, on a terminal where nothing is logged.

The display may be started before the command that works (`shown_from_the_start`), as importing what it needs
and reading its files take their time, too; the command then tells that display how far it is.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_DELAY_SECONDS = 0.5


class _Display:
    """A line that appears after the delay, until it is stopped."""

    def __init__(self, what: str) -> None:
        self._state = (what, 0, 0)
        self._lock = threading.Lock()
        self._shown: Progress | None = None
        self._task: TaskID | None = None
        self.is_stopped = False
        self._timer = threading.Timer(_DELAY_SECONDS, self._appear)
        self._timer.daemon = True

    def start(self) -> None:
        """Begin to wait."""
        if sys.stderr.isatty():
            self._timer.start()

    def stop(self) -> None:
        """Take the line away, for good."""
        with self._lock:
            self.is_stopped = True
            self._timer.cancel()
            if self._shown is not None:
                self._shown.stop()

    def tell(self, what: str, done: int, total: int) -> None:
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
            if self.is_stopped:
                return
            self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._shown.add_task("")
            self._update()
            self._shown.start()

    def _update(self) -> None:
        if self._shown is not None and self._task is not None:
            what, done, total = self._state
            self._shown.update(self._task, description=what, completed=done, total=total or None)


_early: _Display | None = None
"""The display that was started before the command."""


@contextmanager
def shown_from_the_start(what: str) -> Iterator[None]:
    """Start a display that the first `ShownProgress` in the block goes on with, and ends."""
    global _early
    _early = _Display(what)
    _early.start()
    try:
        yield
    finally:
        _early.stop()
        _early = None


class ShownProgress:
    """A progress display; call it as progress(what, done, total).

    A `total` of 0 means that nobody knows how much there is to do.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._display = _Display(what)

    def __enter__(self) -> ShownProgress:
        is_logged = logging.getLogger("nnc").isEnabledFor(logging.DEBUG)
        if _early is not None and is_logged:
            _early.stop()
        elif _early is not None and not _early.is_stopped:
            self._display = _early
            self._display.tell(self._what, 0, 0)
        elif not is_logged:
            self._display.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._display.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Note how far the work is."""
        self._display.tell(what, done, total)
