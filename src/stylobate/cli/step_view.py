"""How far a command is: a bar in terminals, a line for each step elsewhere."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Self


class StepView:
    """Told of steps; shows them on standard error, so that standard output holds the result alone.

    Parameters
    ----------
    quiet : bool
        Whether nothing is shown.
    """

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Any = None
        self._console: Any = None
        self._step = ""
        self._started = perf_counter()

    def __enter__(self) -> Self:
        if self._quiet:
            return self
        from rich.console import Console

        self._console = Console(stderr=True)
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._bar = _bar(self._console)
            self._bar.start()
        return self

    def __exit__(self, *reason: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Take a step in."""
        if self._quiet:
            return
        if self._bar is not None:
            self._bar.update(0, description=what, completed=done, total=total or None)
        elif (step := what.partition(":")[0]) != self._step:
            self._step = step
            seconds = perf_counter() - self._started
            self._console.print(f"{seconds:5.1f} s  {step}", markup=False, highlight=False)


def _bar(console: Any) -> Any:
    from rich import progress

    bar = progress.Progress(
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    bar.add_task("", total=None)
    return bar
