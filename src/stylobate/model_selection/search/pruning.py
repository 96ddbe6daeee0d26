"""Which settings are given up: those whose scores on the way fall behind the others'."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

Rule = Literal["median", "halving"]
Place = tuple[int, int]  # of a checkpoint: the split, and the step of the fit


@dataclass
class Pruning:
    """Scores at checkpoints, and what a setting needs there to go on.

    The last step of a split stands for the mean over all splits so far.

    Parameters
    ----------
    rule : {"median", "halving"}
        "median": as good as the median of the settings that were finished; "halving": among the
        best of so many (``factor``) that came as far.
    factor : float
    n_initial : int
        Settings finished before the median counts.
    """

    rule: Rule
    factor: float
    n_initial: int
    reached: dict[Place, list[float]] = field(default_factory=dict)
    finished: dict[Place, list[float]] = field(default_factory=dict)
    n_finished: int = 0

    def needed(self, place: Place) -> float:
        """The score a setting needs at a checkpoint; −∞ where too little is known."""
        scores = (self.finished if self.rule == "median" else self.reached).get(place, [])
        known = [score for score in scores if not np.isnan(score)]
        if self.rule == "median":
            enough = self.n_finished >= self.n_initial and len(known) > 0
            return float(np.median(known)) if enough else -np.inf
        if len(known) < max(self.factor, 2):
            return -np.inf
        return float(np.quantile(known, 1.0 - 1.0 / self.factor))

    def add(self, course: dict[Place, float], *, finished: bool) -> None:
        """Remember the scores of a setting on its way."""
        for place, score in course.items():
            self.reached.setdefault(place, []).append(score)
            if finished:
                self.finished.setdefault(place, []).append(score)
        self.n_finished += finished
