"""The graphical lasso with its penalty chosen by folds."""

from __future__ import annotations

import warnings
from math import inf
from numbers import Integral
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options, Tags
from stylobate.covariance.functions import empirical_covariance
from stylobate.covariance.normal import NormalCovariance, pseudo_inverse
from stylobate.covariance.sparse_precision import (
    IllConditionedError,
    largest_alpha,
    sparse_precision,
)
from stylobate.exceptions import ConvergenceWarning, InvalidDataError
from stylobate.splits.cv_argument import check_cv
from stylobate.statistics import Source

_EPS = float(np.finfo(np.float64).eps)
Score = tuple[float, list[float]]  # a penalty, and the likelihoods on the folds


class GraphicalLassoCV(NormalCovariance):
    r"""A covariance whose inverse is sparse, its penalty chosen by the likelihood of left-out rows.

    Penalties on a grid, and on finer grids around the best.

    Parameters
    ----------
    alphas : int or array-like of positive float, default=4
        Penalties of each grid, or the penalties.
    n_refinements : int in [1, inf), default=4
        Grids, if `alphas` is a number.
    cv : int, splitter, iterable or None, default=None
        The folds; None is 5.
    tol : float in (0, inf), default=1e-4
        Duality gap at which sweeps end.
    enet_tol : float in (0, inf), default=1e-4
        Relative gap at which each column's lasso ends.
    max_iter : int in [0, inf), default=100
        Sweeps at most; a tenth of them on the folds.
    mode : {"cd", "lars"}, default="cd"
        For compatibility.
    n_jobs : int or None, default=None
        For compatibility.
    verbose : bool, default=False
        For compatibility; nothing is printed.
    eps : float in (0, inf)
        For compatibility.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.

    Attributes
    ----------
    alpha_ : float
        The penalty chosen.
    location_, covariance_, precision_, costs_, n_iter_, statistic_
        As in `GraphicalLasso`, of all rows.
    cv_results_ : dict of arrays
        ``alphas``, ``split0_test_score`` …, ``mean_test_score``, ``std_test_score``; the last entry
        is of no penalty.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).normal(size=(100, 4))
    >>> rows[:, 1] += 2.0 * rows[:, 0]
    >>> model = GraphicalLassoCV().fit(rows)
    >>> bool(abs(model.precision_[0, 1]) > 5 * abs(model.precision_[2, 3]))
    True

    References
    ----------
    Friedman, Hastie & Tibshirani (2008), Sparse inverse covariance estimation with the graphical
    lasso, Biostatistics 9.
    """

    def __init__(
        self,
        *,
        alphas: Annotated[int, Interval(1, inf)]
        | Annotated[Any, Numbers(0, inf, closed="neither")] = 4,
        n_refinements: Annotated[int, Interval(1, inf)] = 4,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        tol: Annotated[float, Interval(0, inf, closed="right")] = 1e-4,
        enet_tol: Annotated[float, Interval(0, inf, closed="right")] = 1e-4,
        max_iter: Annotated[int, Interval(0, inf)] = 100,
        mode: Annotated[str, Options("cd", "lars")] = "cd",
        n_jobs: int | None = None,
        verbose: bool | int = False,
        eps: Annotated[float, Interval(0, inf, closed="both")] = _EPS,
        assume_centered: bool = False,
    ) -> None:
        self.alphas = alphas
        self.n_refinements = n_refinements
        self.cv = cv
        self.tol = tol
        self.enet_tol = enet_tol
        self.max_iter = max_iter
        self.mode = mode
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.eps = eps
        self.assume_centered = assume_centered

    def _tags(self) -> Tags:
        return super()._tags().but(tier="all rows")

    @property
    def _needs_rows(self) -> bool:
        return True

    @property
    def _takes_statistic(self) -> bool:
        return False

    def _learn(self, source: Source) -> None:
        """By `fit` alone: folds need the rows."""
        raise NotImplementedError

    def fit(  # type: ignore[override]
        self, X: Any, y: Any = None, *, groups: Any = None
    ) -> Self:
        """Choose the penalty by folds, and fit to all rows with it.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.
        groups : array-like of shape (n,), optional
            For splitters by groups.

        Returns
        -------
        self
        """
        self._start_afresh()
        grid = self._given_grid()
        table = self._read(X, reset=True, min_rows=2, min_features=2)
        rows = np.asarray(table.x, dtype=np.float64)
        empirical = self._covariance_of(self._source(table))
        with_groups = {} if groups is None else {"groups": groups}
        parts = list(check_cv(self.cv, y).split(rows, y, **with_groups))
        path, best = self._searched(rows, parts, empirical, grid)
        self.alpha_ = path[best][0]
        path.append((0.0, [_plain_score(rows[train], rows[test]) for train, test in parts]))
        scores = np.array([each for _, each in path])
        self.cv_results_ = {
            "alphas": np.array([alpha for alpha, _ in path]),
            **{f"split{i}_test_score": scores[:, i] for i in range(scores.shape[1])},
            "mean_test_score": scores.mean(axis=1),
            "std_test_score": _spread(scores),
        }
        found = sparse_precision(
            empirical, self.alpha_, tol=self.tol, inner_tol=self.enet_tol, max_iter=self.max_iter
        )
        self.covariance_, self.precision_ = found.covariance, found.precision
        self.costs_, self.n_iter_ = found.costs, found.n_iter
        return self

    def _given_grid(self) -> Array | None:
        """The penalties given; None where their number is."""
        return None if isinstance(self.alphas, Integral) else np.asarray(self.alphas, dtype=float)

    def _searched(
        self, rows: Array, parts: list[Any], empirical: Array, grid: Array | None
    ) -> tuple[list[Score], int]:
        """Penalties from large to small with their scores, and where the best is."""
        path: list[Score] = []
        if grid is not None:
            path = self._scores(rows, parts, grid)
            return path, _best(path)[0]
        high = largest_alpha(empirical) or float(empirical.diagonal().min())
        if not high > 0.0:
            raise InvalidDataError(
                "GraphicalLassoCV: a column of X is constant, so that the covariance has no "
                "inverse; leave it out."
            )
        alphas = np.geomspace(high, 1e-2 * high, self.alphas)
        best = 0
        for _ in range(self.n_refinements):
            path = sorted(path + self._scores(rows, parts, alphas), key=lambda e: -e[0])
            best, last = _best(path)
            alphas = np.geomspace(*_around(path, best, last), self.alphas + 2)[1:-1]
        return path, best

    def _scores(self, rows: Array, parts: list[Any], alphas: Array) -> list[Score]:
        columns = [self._path(rows[train], rows[test], alphas) for train, test in parts]
        return [(float(a), list(each)) for a, each in zip(alphas, np.array(columns).T, strict=True)]

    def _path(self, rows: Array, others: Array, alphas: Array) -> list[float]:
        """Likelihoods of other rows along penalties; −inf where one could not be solved."""
        empirical, judged = empirical_covariance(rows), empirical_covariance(others)
        start, scores = empirical, []
        for alpha in alphas:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ConvergenceWarning)
                    found = sparse_precision(
                        empirical, float(alpha), tol=self.tol, inner_tol=self.enet_tol,
                        max_iter=max(int(0.1 * self.max_iter), 1), start=start,
                    )  # fmt: skip
                start = found.covariance
                scores.append(likelihood(judged, found.precision))
            except IllConditionedError:
                scores.append(-inf)
        return scores


def _spread(scores: Array) -> Array:
    """Standard deviations over the folds; NaN where a fold could not be solved."""
    with np.errstate(invalid="ignore"):
        return np.asarray(scores.std(axis=1))


def likelihood(covariance: Array, precision: Array) -> float:
    """Mean log density of rows with this covariance about the model's mean."""
    sign, size = np.linalg.slogdet(precision)
    size = size if sign > 0 else -inf
    fit = float((covariance * precision).sum())
    return float(0.5 * (size - fit - len(precision) * np.log(2.0 * np.pi)))


def _plain_score(rows: Array, others: Array) -> float:
    """Of the covariance without a penalty."""
    off = others - rows.mean(axis=0)
    return likelihood(off.T @ off / len(off), pseudo_inverse(empirical_covariance(rows)))


def _best(path: list[Score]) -> tuple[int, int]:
    """Where the mean score is largest (the smallest of equal penalties), and the last finite."""
    best, best_score, last = 0, -inf, 0
    for index, (_, scores) in enumerate(path):
        score = float(np.mean(scores))
        if score >= 0.1 / _EPS:
            score = float("nan")
        if np.isfinite(score):
            last = index
        if score >= best_score:
            best, best_score = index, score
    return best, last


def _around(path: list[Score], best: int, last: int) -> tuple[float, float]:
    """The penalties on both sides of the best."""
    if best == 0:
        return path[0][0], path[min(1, len(path) - 1)][0]
    if best == len(path) - 1:
        return path[best][0], 0.01 * path[best][0]
    if best == last:
        return path[best][0], path[best + 1][0]
    return path[best - 1][0], path[best + 1][0]
