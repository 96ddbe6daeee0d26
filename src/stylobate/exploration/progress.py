"""What is being done and how many rows have been read, for a person who waits."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, Self

from stylobate.base.progress_bar import terminal_bar

Listener = Callable[[str, int, int], None]  # what is being done, steps done, steps in all

_WAIT = 0.5  # seconds before anything is shown: short passes need none


def listener_of(progress: Listener | bool | None) -> Listener:
    """The one to tell, or one that says nothing."""
    return progress if callable(progress) else _silent


def _silent(what: str, done: int, total: int) -> None:
    """Say nothing."""


class Rows:
    """Counts rows on standard error, in terminals and notebooks only.

    Parameters
    ----------
    shown : bool or None
        None shows them where standard error is a terminal; False never does.
    """

    def __init__(self, shown: bool | None) -> None:
        """Show nothing yet."""
        self._shown = shown
        self._bar: Any = None
        self._rows = 0
        self._started = perf_counter()

    def __enter__(self) -> Self:
        return self

    def advance(self, rows: int) -> None:
        """So many rows more."""
        self._rows += rows
        if self._shown is False:
            return
        if self._bar is None and perf_counter() - self._started > _WAIT:
            self._bar = _bar()
            self._shown = False if self._bar is None else self._shown
        if self._bar is not None:
            self._bar.update(0, completed=self._rows)

    def __exit__(self, *reason: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar() -> Any:
    from rich import progress

    return terminal_bar(
        None,
        progress.SpinnerColumn(),
        progress.TextColumn("reading: {task.completed:,} rows"),
        progress.TimeElapsedColumn(),
    )
