"""Scores of sets of features on folds, from the folds' moments: no model is fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.feature_selection.fold_fits import SubsetFoldFits
from stylobate.feature_selection.sweeps import Sweeps
from stylobate.linear_model.least_squares.linear_regression import LinearRegression
from stylobate.linear_model.ridge.fold_scores import refuse_unsuitable
from stylobate.linear_model.ridge.ridge import Ridge
from stylobate.linear_model.shared.row_scores import FROM_MOMENTS, score_squares
from stylobate.sources import MemorySource
from stylobate.splits import Split
from stylobate.statistics import Moments
from stylobate.statistics.parts import PartStatistics

_CANCELLED = 1e-9  # share of the target's squares an error must have to be known from moments
_LARGEST = 1 << 31  # bytes the swept matrices may take
_REFRESH = 200  # columns in or out before rounding is swept away
_DIRECT = ("auto", "cholesky", "qr", "svd")


def why_not_moments(estimator: Any, scoring: Any, table: Table, n_splits: int) -> str | None:
    """Why the scores cannot come from moments; None if they can."""
    kind = type(estimator)
    if kind not in (LinearRegression, Ridge):
        return f"{kind.__name__} needs the rows of each fold"
    if estimator.positive or estimator.solver not in _DIRECT:
        return "positive=True and iterative solvers need the rows of each fold"
    if kind is Ridge and np.ndim(estimator.alpha) != 0:
        return "penalties per target need a fit each"
    if scoring is not None and not (isinstance(scoring, str) and scoring in FROM_MOMENTS):
        return f"scoring={scoring!r} is not a function of squared errors"
    if table.y is None:
        return "there is no target"
    return too_wide(table.n_features + table.y.shape[1], n_splits)


def too_wide(q: int, n_splits: int) -> str | None:
    """Why the moments of so many columns are too many; None if they are not."""
    if 6 * n_splits * q * q * 8 > _LARGEST:
        return f"the moments of {n_splits} folds of {q} columns would not fit in memory"
    return None


@dataclass(slots=True, eq=False)
class FoldSweeps:
    """Scores of linear models on folds by sweeping their moments.

    Where a column is too nearly a combination of the chosen ones for moments to tell, or the fit
    so perfect that its error is rounding, that candidate alone is fitted (`fits`).

    Attributes
    ----------
    fitted : int
        How many sets of features had to be fitted after all.
    """

    start: Sweeps
    total: Array  # squares of y about the validation mean (folds × 1 × targets)
    weight: Array  # rows of each fold (folds × 1 × 1)
    floor: Array  # errors below are rounding (folds × 1 × targets)
    scoring: str
    fits: SubsetFoldFits
    state: Sweeps
    moves: int = 0
    fitted: int = 0

    @classmethod
    def of(
        cls,
        table: Table,
        splits: Sequence[Split],
        estimator: Any,
        scoring: Any,
        fits: SubsetFoldFits,
    ) -> Self:
        refuse_unsuitable(table, splits, "r2" if scoring is None else str(scoring))
        known = PartStatistics.of(MemorySource(table), Moments, splits, table.n_rows)
        return cls.of_moments(known, estimator, scoring, fits)

    @classmethod
    def of_moments(
        cls, known: PartStatistics[Moments], estimator: Any, scoring: Any, fits: Any
    ) -> Self:
        """The same from moments of folds.

        Parameters
        ----------
        known : PartStatistics
        estimator : LinearRegression or Ridge
        scoring : str or None
        fits : SubsetFoldFits, or what has such a `score`
            Where moments are not enough.
        """
        name = "r2" if scoring is None else str(scoring)
        trains, tests = zip(*known.parts, strict=True)
        intercept = bool(estimator.fit_intercept)
        alpha = float(estimator.alpha) if isinstance(estimator, Ridge) else 0.0
        p = trains[0].n_features
        gram = np.stack(
            [each.scatter if intercept else each.about_zero().scatter for each in trains]
        )
        corner = np.arange(p)
        gram[:, corner, corner] += alpha
        about = [_about(test, train, intercept) for train, test in zip(trains, tests, strict=True)]
        validation = np.stack(about)
        total = np.stack([np.diag(test.yy) for test in tests])[:, None, :]
        weight = np.array([test.weight for test in tests])[:, None, None]
        start = Sweeps.of(gram, validation, p)
        floor = _CANCELLED * start.current_squares()[:, None, :]
        return cls(start, total, weight, floor, name, fits, _copy(start))

    def score(self, support: NDArray[np.bool_], candidates: NDArray[np.intp]) -> Array:
        """Scores (candidates × folds) of the set with each candidate put in or taken out."""
        if not self._reach(support):
            return self._by_fits(support, candidates)
        errors = self.state.squares(candidates)
        outside = ~support[candidates]
        sure = np.atleast_1d((errors > self.floor).all(axis=(0, 2)))
        sure[outside] &= self.state.reliable(candidates[outside])
        with np.errstate(invalid="ignore"):
            scores = self._scores(errors)
        if not sure.all():
            scores[~sure] = self._by_fits(support, candidates[~sure])
        return scores

    def _scores(self, errors: Array) -> Array:
        return score_squares(self.scoring, errors, self.total, self.weight).T

    def _by_fits(self, support: NDArray[np.bool_], candidates: NDArray[np.intp]) -> Array:
        sets = flipped(support, candidates)
        self.fitted += len(sets)
        return self.fits.score(sets)

    def _reach(self, support: NDArray[np.bool_]) -> bool:
        self.moves += int((self.state.inside != support).sum())
        if self.moves > _REFRESH:
            self.state, self.moves = _copy(self.start), 0
        return self.state.reach(support)


def flipped(support: NDArray[np.bool_], candidates: NDArray[np.intp]) -> list[NDArray[np.bool_]]:
    """The set with each candidate put in or taken out."""
    sets = []
    for k in candidates:
        mask = support.copy()
        mask[k] = not mask[k]
        sets.append(mask)
    return sets


def _about(test: Moments, train: Moments, intercept: bool) -> Array:
    """Second moments of the validation rows about the training means (the intercept's centre)."""
    if not intercept:
        return test.about_zero().scatter
    shift = test.mean - train.mean
    return np.asarray(test.scatter + test.weight * np.multiply.outer(shift, shift))


def _copy(state: Sweeps) -> Sweeps:
    return Sweeps(state.a.copy(), state.w.copy(), state.scale, state.inside.copy())
