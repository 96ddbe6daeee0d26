"""Passes over streams, shown to a person: a bar in terminals and notebooks, lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from stylobate.data.streams.progress import Pass, listening

_WAIT = 0.5  # seconds before a pass is shown: short ones need no bar
_LINES = 10.0  # seconds between two lines of a pass


@contextmanager
def progress(shown: bool | None = None) -> Iterator[None]:
    """Show on standard error how far fits to files and other streams have come.

    Rows, bytes and seconds of every pass that takes longer than half a second.

    Parameters
    ----------
    shown : bool or None, default=None
        None shows them where standard error is a terminal or a notebook; True writes lines
        elsewhere, too, every ten seconds and at the end of each pass; False shows nothing.

    Examples
    --------
    >>> import stylobate
    >>> from stylobate.preprocessing import StandardScaler
    >>> with stylobate.progress():
    ...     scaler = StandardScaler().fit(stylobate.read("galton"))
    >>> scaler.n_features_in_
    2
    """
    view = _view(shown)
    if view is None:
        yield
        return
    try:
        with listening(view.tell):
            yield
    finally:
        view.close()


def _view(shown: bool | None) -> Bar | Lines | None:
    if shown is False:
        return None
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_jupyter or (console.is_terminal and not console.is_dumb_terminal):
        return Bar(console)
    return Lines() if shown or console.is_terminal else None


class Lines:
    """A line now and then, for logs."""

    def __init__(self) -> None:
        self._pass: Pass | None = None
        self._told = 0.0

    def tell(self, report: Pass) -> None:
        """Write how far a pass has come, if it is time to."""
        now = perf_counter()
        if report is not self._pass:
            self._pass, self._told = report, now
        if (now - self._told >= _LINES) or (report.done and report.seconds >= _WAIT):
            self._told = now
            print(f"{report.name}: {report}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Nothing is left to be done."""


class Bar:
    """A bar for the pass that is going on, drawn by rich."""

    def __init__(self, console: Any) -> None:
        from rich import progress

        self._bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.TextColumn("{task.fields[words]}"),
            progress.TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._pass: Pass | None = None
        self._task: Any = None

    def tell(self, report: Pass) -> None:
        """Draw how far a pass has come; one that has ended leaves the screen."""
        if report.seconds < _WAIT:
            return
        if report is not self._pass:
            self._clear()
            self._pass = report
            self._bar.start()
            whole = report.length if report.partitions is None else report.partitions
            self._task = self._bar.add_task(report.name, total=whole, words=str(report))
        so_far = report.rows if report.partitions is None else report.partitions_done
        self._bar.update(self._task, completed=so_far, words=str(report))
        if report.done:
            self._clear()

    def _clear(self) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._pass = self._task = None

    def close(self) -> None:
        """Leave the screen as it was."""
        self._clear()
        self._bar.stop()
