"""How far a long run has come: a bar in terminals and notebooks, lines elsewhere."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any, Self

_LINES = 10  # written over a whole run where there is no terminal
_WAIT = 0.5  # seconds before the first line: short runs need none


class Progress:
    """Counts finished fits; this one shows nothing."""

    def advance(self, count: int = 1) -> None:
        """Some more have finished."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        """Nothing is left on the screen."""


class Bar(Progress):
    """A bar with the time left, drawn by rich on standard error."""

    def __init__(self, title: str, total: int) -> None:
        from rich import progress
        from rich.console import Console

        self.bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            progress.TextColumn("left"),
            progress.TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self.task = self.bar.add_task(title, total=total)

    def advance(self, count: int = 1) -> None:
        self.bar.advance(self.task, count)

    def __enter__(self) -> Self:
        self.bar.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self.bar.stop()


class Lines(Progress):
    """A line on standard error now and then, for logs."""

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.finished, self.told = title, total, 0, 0
        self.started = perf_counter()

    def advance(self, count: int = 1) -> None:
        self.finished += count
        step = max(self.total // _LINES, 1)
        passed = perf_counter() - self.started
        last = self.finished == self.total
        if not last and (self.finished - self.told < step or passed < _WAIT):
            return
        self.told = self.finished
        left = passed / self.finished * (self.total - self.finished)
        ending = f"took {passed:.1f} s" if last else f"about {left:.0f} s left"
        words = f"{self.title}: {self.finished} of {self.total}, {ending}"
        print(words, file=sys.stderr, flush=True)


def progress_of(title: str, total: int, *, verbose: int, progress: bool | None) -> Progress:
    """Show the progress of so many fits, or nothing.

    Parameters
    ----------
    title : str
        What is going on.
    total : int
        How many fits there are.
    verbose : int
        From 1 on the progress is shown in terminals and notebooks.
    progress : bool or None
        Whether to show it; None goes by ``verbose``. True writes lines where there is no terminal.
    """
    if progress is False or (progress is None and not verbose) or total == 0:
        return Progress()
    if _is_shown():
        return Bar(title, total)
    return Lines(title, total) if progress else Progress()


def _is_shown() -> bool:
    from rich.console import Console

    console: Any = Console(stderr=True)
    return bool(console.is_terminal or console.is_jupyter)
