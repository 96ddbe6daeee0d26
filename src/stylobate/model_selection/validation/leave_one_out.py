"""Leaving out each row without refits, where the estimator knows how."""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.base.residuals import ResidualSums
from stylobate.model_selection.fits.fold_statistics import left_out_residuals, sum_scores
from stylobate.model_selection.fits.task import Outcome, Task


class LeftOutScores(NamedTuple):
    """The scores of each row by name, and the seconds spent on a row."""

    scores: dict[str, NDArray[np.float64]]
    fit_time: float
    score_time: float

    def outcomes(self) -> list[Outcome]:
        """The same, row by row."""
        count = len(next(iter(self.scores.values())))
        return [
            Outcome(
                {name: float(values[row]) for name, values in self.scores.items()},
                fit_time=self.fit_time,
                score_time=self.score_time,
                way="statistics",
            )
            for row in range(count)
        ]


def leaves_one_out(splitter: Any, n: int) -> bool:
    """Whether a splitter, ours or scikit-learn's, tests each row once, alone and in order."""
    name = type(splitter).__name__
    if name == "KFold":
        return bool(getattr(splitter, "n_splits", 0) == n > 1 and not splitter.shuffle)
    return name == "LeaveOneOut" and n > 1


def left_out_scores(estimator: Any, task: Task) -> LeftOutScores | None:
    """The scores of each row by the fit to all others; None where refits are needed."""
    if task.train_score or task.keep_estimator or task.predictions or task.judges_get_arguments:
        return None
    scores = sum_scores(task.scorer, estimator, single_rows=True)
    if scores is None:
        return None
    started = perf_counter()
    found = left_out_residuals(estimator, task.data)
    if found is None:
        return None
    fitted = perf_counter()
    sums = ResidualSums.of_rows(found[1])
    values = {name: score(sums) for name, score in scores.items()}
    n = task.data.n_rows
    return LeftOutScores(values, (fitted - started) / n, (perf_counter() - fitted) / n)
