"""What a fit from several starts prints."""

from __future__ import annotations

from time import perf_counter
from typing import Any


class Progress:
    """What `verbose` prints, as scikit-learn words it."""

    def __init__(self, verbose: Any, interval: int, number: int) -> None:
        self.level, self.interval = int(verbose), interval
        self.begun = self.last = perf_counter()
        if self.level > 0:
            print(f"Initialization {number}")

    def iteration(self, n_iter: int, change: float) -> None:
        """After a step."""
        if self.level == 0 or n_iter % self.interval:
            return
        now = perf_counter()
        extra = f"\t time lapse {now - self.last:.5f}s\t ll change {change:.5f}"
        print(f"  Iteration {n_iter}" + (extra if self.level > 1 else ""))
        self.last = now

    def end(self, bound: float, converged: bool) -> None:
        """After a run."""
        if self.level == 0:
            return
        extra = f" time lapse {perf_counter() - self.begun:.5f}s\t lower bound {bound:.5f}."
        word = "converged" if converged else "did not converge"
        print(f"Initialization {word}." + (extra if self.level > 1 else ""))
