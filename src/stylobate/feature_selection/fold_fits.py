"""Scores of sets of features by fitting a model on every fold: for any estimator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import clone
from stylobate.splits import Split

Scorer = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class SubsetFoldFits:
    """Fit the estimator to the training rows of every split, score it on the others.

    Parameters
    ----------
    estimator : estimator
        Cloned for each fit.
    x, y : arrays
        All rows, and the target as the estimator takes it (or None).
    splits : sequence of (train, test)
        Row numbers.
    scorer : callable
        Of (estimator, X, y).
    n_jobs : int or None
        Fits at the same time.
    fit_params : mapping
        More arguments of the estimator's fit.
    """

    estimator: Any
    x: Any
    y: Any
    splits: Sequence[Split]
    scorer: Scorer
    n_jobs: int | None = None
    fit_params: dict[str, Any] = field(default_factory=dict)

    def score(self, sets: Sequence[NDArray[np.bool_]]) -> Array:
        """Scores (sets × folds)."""
        from stylobate.base.jobs import run_jobs

        jobs = [partial(self._score_one, mask, split) for mask in sets for split in self.splits]
        scores = run_jobs(jobs, self.n_jobs, self.estimator, "2*n_jobs")
        return np.array(scores, dtype=float).reshape(len(sets), len(self.splits))

    def _score_one(self, mask: NDArray[np.bool_], split: Split) -> float:
        train, test = split
        columns = np.flatnonzero(mask)
        x = self.x[:, columns]
        model = clone(self.estimator)
        params = {name: _rows(value, train) for name, value in self.fit_params.items()}
        if self.y is None:
            model.fit(x[train], **params)
            return float(self.scorer(model, x[test]))
        model.fit(x[train], self.y[train], **params)
        return float(self.scorer(model, x[test], self.y[test]))


def _rows(value: Any, rows: NDArray[np.intp]) -> Any:
    """The rows of an argument that has one entry per row; anything else as it is."""
    if value is None or np.ndim(value) == 0:
        return value
    return np.asarray(value)[rows]
