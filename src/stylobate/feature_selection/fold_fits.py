"""Scores of sets of features by fitting a model on every fold: for any estimator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.base import clone
from stylobate.exceptions import InvalidParameterError
from stylobate.splits import Split

Array = NDArray[np.float64]
Scorer = Callable[..., Any]
T = TypeVar("T")


def scorer_for(estimator: Any, scoring: Any, owner: str) -> Scorer:
    """A function of (fitted estimator, X, y): the named one, one's own, or the model's `score`."""
    if callable(scoring):
        return scoring  # type: ignore[no-any-return]
    if scoring is not None:
        return partial(_named_score, scoring)
    if not callable(getattr(estimator, "score", None)):
        raise InvalidParameterError(
            f"{owner}: the estimator {estimator!r} has no score method; pass scoring."
        )
    return _own_score


def _named_score(scoring: str, model: Any, X: Any, *y: Any) -> Any:
    from stylobate.metrics import get_scorer

    return get_scorer(scoring)(model, X, *y)


def _own_score(model: Any, X: Any, *y: Any) -> Any:
    return model.score(X, *y)


@dataclass(frozen=True, slots=True)
class FoldFits:
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
        jobs = [(mask, split) for mask in sets for split in self.splits]
        scores = run_jobs(self._score_one, jobs, self.n_jobs)
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


def run_jobs(job: Callable[..., T], jobs: Sequence[tuple[Any, ...]], n_jobs: int | None) -> list[T]:
    """The results of job(*arguments) in order, several at the same time if asked."""
    if n_jobs in (None, 1):
        return [job(*arguments) for arguments in jobs]
    from joblib import Parallel, delayed

    found: list[T] = Parallel(n_jobs=n_jobs)(delayed(job)(*arguments) for arguments in jobs)
    return found
