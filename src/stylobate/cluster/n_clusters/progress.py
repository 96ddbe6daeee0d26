"""How many fits are done, for a person who waits."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, Self

from stylobate.base.progress_bar import terminal_bar

Listener = Callable[[int, int, str], None]  # fits done, fits in all, what the last was for
_WAIT = 0.5  # seconds before anything is shown: short waits need no bar


class Fits:
    """Counts fits: for a listener, or as a bar on standard error in terminals and notebooks.

    Parameters
    ----------
    shown : bool, callable or None
        None shows a bar where standard error is a terminal; False never does; a listener is told.
    total : int
        Fits to come.
    """

    def __init__(self, shown: bool | Listener | None, total: int) -> None:
        self._shown = shown
        self._total = total
        self._done = 0
        self._bar: Any = None
        self._started = perf_counter()

    def __enter__(self) -> Self:
        return self

    def advance(self, what: str) -> None:
        """One fit more."""
        self._done += 1
        if callable(self._shown):
            self._shown(self._done, self._total, what)
        elif self._shown is not False:
            self._draw(what)

    def _draw(self, what: str) -> None:
        if self._bar is None and perf_counter() - self._started > _WAIT:
            self._bar = _bar(self._total)
            self._shown = False if self._bar is None else self._shown
        if self._bar is not None:
            self._bar.update(0, completed=self._done, description=what)

    def __exit__(self, *reason: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar(total: int) -> Any:
    from rich import progress

    return terminal_bar(
        total,
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
    )
