"""Selectors that score every feature by itself."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import Interval, Tags
from stylobate.data import Table
from stylobate.data.streams import Stream
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.feature_selection.association import f_classif
from stylobate.feature_selection.history import SelectionHistory, ranking
from stylobate.feature_selection.selector import FeatureSelector
from stylobate.feature_selection.stream_scores import is_scored_by_pass, scores_of

ScoreFunction = Callable[..., Any]


class UnivariateFilter(FeatureSelector):
    """A filter by the scores of a function of (X, y); subclasses choose among them in `_choose`."""

    if TYPE_CHECKING:
        score_func: ScoreFunction
        scores_: NDArray[np.float64]
        pvalues_: NDArray[np.float64] | None

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                requires_y=True,
                sparse=True,
                preserves_dtype=("float64", "float32"),
                tier="one pass" if is_scored_by_pass(self.score_func) else "all rows",
            )
        )

    @abstractmethod
    def _choose(self, scores: NDArray[np.float64], p_values: Any) -> Mask:
        """Which features to keep."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Score every feature.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,), optional
            Target: numbers or classes, as the score function takes them.

        Returns
        -------
        self
        """
        self._check_parameters()
        table, y = self._read_with_target(X, y)
        self._refuse_unsuitable(table.n_features)
        return self._store(self.score_func(table.x, y), table.n_features)

    def _fit_stream(self, stream: Stream) -> Self:
        """Scores that follow from moments are computed by one pass."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()

        def read(x: Any, reset: bool) -> Table:
            table: Table = self._read(x, reset=reset, y_required=False)
            if reset:
                self._refuse_unsuitable(table.n_features)
            return table

        found = scores_of(self.score_func, stream, read, type(self).__name__)
        return self._store(found, self.n_features_in_)

    def _store(self, found: Any, n_features: int) -> Self:
        scores, p_values = found if isinstance(found, list | tuple) else (found, None)
        self.scores_ = np.asarray(scores)
        self.pvalues_ = None if p_values is None else np.asarray(p_values)
        if self.scores_.shape != (n_features,):
            raise InvalidDataError(
                f"{type(self).__name__}: score_func gave scores of shape {self.scores_.shape}, "
                f"where X has {n_features} features; it must give one each."
            )
        return self

    def _refuse_unsuitable(self, n_features: int) -> None:
        """Look at parameters that depend on the data."""

    def _get_support_mask(self) -> Mask:
        self._check_fitted()
        return self._choose(self.scores_, self.pvalues_)

    @property
    def support_(self) -> Mask:  # type: ignore[override]  # computed: parameters may change
        """Mask of the features selected."""
        return self._get_support_mask()

    @property
    def history_(self) -> SelectionHistory:
        """The scores of all features, as one step."""
        name = getattr(self.score_func, "__name__", "score")
        return ranking(self.scores_, self._get_support_mask(), name)


def _cleaned(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Scores with NaN as the smallest number, so that it loses every comparison."""
    return np.asarray(
        np.nan_to_num(np.asarray(scores, dtype=float), nan=-inf, posinf=inf, neginf=-inf)
    )


class SelectKBest(UnivariateFilter):
    """The k features with the highest scores.

    Parameters
    ----------
    score_func : callable, default=f_classif
        Function of (X, y) that gives scores, or scores and p-values.
    k : int in [0, inf) or "all", default=10
        How many to keep.

    Attributes
    ----------
    scores_, pvalues_ : arrays of shape (n_features,)
        What the function gave; `pvalues_` is None if it gave scores only.
    history_ : SelectionHistory
        The scores as data for a picture.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import SelectKBest, f_regression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> SelectKBest(f_regression, k=2).fit(X, y).get_feature_names_out()
    array(['bmi', 's5'], dtype=object)
    """

    def __init__(
        self,
        score_func: ScoreFunction = f_classif,
        *,
        k: Annotated[int, Interval(0, inf)] | Literal["all"] = 10,
    ) -> None:
        self.score_func = score_func
        self.k = k

    def _tags(self) -> Tags:
        return super()._tags().but(requires_y=False)

    def _refuse_unsuitable(self, n_features: int) -> None:
        if not isinstance(self.k, str) and self.k > n_features:
            warnings.warn(
                f"{type(self).__name__}: k={self.k} is greater than n_features={n_features}. All "
                "the features will be returned.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )

    def _choose(self, scores: NDArray[np.float64], p_values: Any) -> Mask:
        if isinstance(self.k, str):
            return np.ones(len(scores), dtype=bool)
        mask = np.zeros(len(scores), dtype=bool)
        if self.k:
            mask[np.argsort(_cleaned(scores), kind="stable")[-self.k :]] = True
        return mask


class SelectPercentile(UnivariateFilter):
    """The given share of features with the highest scores.

    Parameters
    ----------
    score_func : callable, default=f_classif
        Function of (X, y) that gives scores, or scores and p-values.
    percentile : float in [0, 100], default=10
        Percent of the features to keep.

    Attributes
    ----------
    scores_, pvalues_, history_, n_features_in_, feature_names_in_
        As of `SelectKBest`.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import SelectPercentile, f_regression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> SelectPercentile(f_regression, percentile=10).fit(X, y).get_support(indices=True)
    array([2])
    """

    def __init__(
        self,
        score_func: ScoreFunction = f_classif,
        *,
        percentile: Annotated[float, Interval(0, 100, closed="both")] = 10,
    ) -> None:
        self.score_func = score_func
        self.percentile = percentile

    def _tags(self) -> Tags:
        return super()._tags().but(requires_y=False)

    def _choose(self, scores: NDArray[np.float64], p_values: Any) -> Mask:
        if self.percentile in (0, 100):
            return np.full(len(scores), self.percentile == 100)
        scores = np.nan_to_num(_cleaned(scores), neginf=np.finfo(float).min)
        threshold = np.percentile(scores, 100 - self.percentile)
        mask = scores > threshold
        ties = np.flatnonzero(scores == threshold)
        mask[ties[: int(len(scores) * self.percentile / 100) - mask.sum()]] = True
        return np.asarray(mask)


class _ByPValue(UnivariateFilter):
    if TYPE_CHECKING:
        alpha: float

    def _choose(self, scores: NDArray[np.float64], p_values: Any) -> Mask:
        if p_values is None:
            raise InvalidParameterError(
                f"{type(self).__name__}: score_func gives scores without p-values; use one such as "
                "f_classif or chi2, or select by scores with SelectKBest."
            )
        return self._reject(p_values)

    @abstractmethod
    def _reject(self, p_values: NDArray[np.float64]) -> Mask:
        """The features whose tests reject."""


class SelectFpr(_ByPValue):
    """Features with p-values below alpha: the share of false positives among tests is alpha.

    Parameters
    ----------
    score_func : callable, default=f_classif
        Function of (X, y) that gives scores and p-values.
    alpha : float in [0, 1], default=0.05
        Level of each test.

    Attributes
    ----------
    scores_, pvalues_, history_, n_features_in_, feature_names_in_
        As of `SelectKBest`.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import SelectFpr, f_regression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> SelectFpr(f_regression, alpha=1e-3).fit(X, y).get_support().sum()
    np.int64(9)
    """

    def __init__(
        self,
        score_func: ScoreFunction = f_classif,
        *,
        alpha: Annotated[float, Interval(0, 1, closed="both")] = 0.05,
    ) -> None:
        self.score_func = score_func
        self.alpha = alpha

    def _reject(self, p_values: NDArray[np.float64]) -> Mask:
        return np.asarray(p_values < self.alpha)


class SelectFdr(_ByPValue):
    """Features chosen by Benjamini & Hochberg: the expected share of false ones is alpha.

    Parameters
    ----------
    score_func : callable, default=f_classif
        Function of (X, y) that gives scores and p-values.
    alpha : float in [0, 1], default=0.05
        Highest expected false discovery rate.

    Attributes
    ----------
    scores_, pvalues_, history_, n_features_in_, feature_names_in_
        As of `SelectKBest`.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import SelectFdr, f_regression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> SelectFdr(f_regression).fit(X, y).get_support().sum()
    np.int64(9)

    References
    ----------
    Benjamini & Hochberg (1995), Controlling the false discovery rate, JRSS B 57.
    """

    def __init__(
        self,
        score_func: ScoreFunction = f_classif,
        *,
        alpha: Annotated[float, Interval(0, 1, closed="both")] = 0.05,
    ) -> None:
        self.score_func = score_func
        self.alpha = alpha

    def _reject(self, p_values: NDArray[np.float64]) -> Mask:
        count = len(p_values)
        ascending = np.sort(p_values)
        below = ascending[ascending <= self.alpha / count * np.arange(1, count + 1)]
        return np.asarray(p_values <= below.max()) if len(below) else np.zeros(count, dtype=bool)


class SelectFwe(_ByPValue):
    """Features with p-values below alpha / n_features: any false one has probability alpha.

    Parameters
    ----------
    score_func : callable, default=f_classif
        Function of (X, y) that gives scores and p-values.
    alpha : float in [0, 1], default=0.05
        Highest family-wise error rate (Bonferroni).

    Attributes
    ----------
    scores_, pvalues_, history_, n_features_in_, feature_names_in_
        As of `SelectKBest`.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import SelectFwe, f_regression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> SelectFwe(f_regression).fit(X, y).get_support().sum()
    np.int64(9)
    """

    def __init__(
        self,
        score_func: ScoreFunction = f_classif,
        *,
        alpha: Annotated[float, Interval(0, 1, closed="both")] = 0.05,
    ) -> None:
        self.score_func = score_func
        self.alpha = alpha

    def _reject(self, p_values: NDArray[np.float64]) -> Mask:
        return np.asarray(p_values < self.alpha / len(p_values))
