"""How far training has come: a bar with the curve of the losses, for a person who waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Self

import numpy as np

from stylobate.base.progress_bar import terminal_bar

# epochs made, epochs in all, losses of the epochs, scores of held-out rows
Listener = Callable[[int, int, Sequence[float], Sequence[float]], None]
_WAIT = 0.5  # seconds before anything is shown: short trainings need no bar
_BARS = "▁▂▃▄▅▆▇█"


def spark_line(values: Sequence[float], width: int = 24) -> str:
    """Numbers as a line of bars, the last `width` of them; by their logarithms if positive.

    Examples
    --------
    >>> spark_line([4.0, 2.0, 1.0, 0.5])
    '█▆▃▁'
    """
    shown = np.asarray(list(values)[-width:], dtype=np.float64)
    shown = np.log(shown) if shown.min() > 0.0 else shown
    low, high = float(np.min(shown)), float(np.max(shown))
    places = (shown - low) / ((high - low) or 1.0) * (len(_BARS) - 1)
    return "".join(_BARS[round(float(place))] for place in places)


class EpochProgress:
    """Counts epochs: for a listener, or as a bar on standard error in terminals and notebooks.

    Parameters
    ----------
    shown : bool, callable or None
        None shows a bar where standard error is a terminal; False never does; a listener is told.
    total : int
        Epochs at most.
    """

    def __init__(self, shown: bool | Listener | None, total: int) -> None:
        self._shown, self._total = shown, total
        self._bar: Any = None
        self._started = perf_counter()

    def __enter__(self) -> Self:
        return self

    def advance(self, losses: Sequence[float], scores: Sequence[float]) -> None:
        """One epoch more."""
        if callable(self._shown):
            self._shown(len(losses), self._total, tuple(losses), tuple(scores))
        elif self._shown is not False:
            self._draw(losses, scores)

    def _draw(self, losses: Sequence[float], scores: Sequence[float]) -> None:
        if self._bar is None and perf_counter() - self._started > _WAIT:
            self._bar = _bar(self._total)
            self._shown = False if self._bar is None else self._shown
        if self._bar is not None:
            words = f"loss {losses[-1]:.4g} {spark_line(losses)}"
            words += f"  score {scores[-1]:.4g}" if scores else ""
            self._bar.update(0, completed=len(losses), description=words)

    def __exit__(self, *reason: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar(total: int) -> Any:
    from rich import progress

    return terminal_bar(
        total,
        progress.TextColumn("epoch"),
        progress.MofNCompleteColumn(),
        progress.BarColumn(bar_width=20),
        progress.TextColumn("{task.description}"),
        progress.TimeRemainingColumn(),
    )
