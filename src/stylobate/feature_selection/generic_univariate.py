"""One selector for all ways to choose by the scores of single features."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import Interval
from stylobate.feature_selection.association import f_classif
from stylobate.feature_selection.univariate import (
    ScoreFunction,
    SelectFdr,
    SelectFpr,
    SelectFwe,
    SelectKBest,
    SelectPercentile,
    UnivariateFilter,
)

if TYPE_CHECKING:
    from stylobate.data import Table

_MODES: dict[str, tuple[type[UnivariateFilter], str]] = {
    "percentile": (SelectPercentile, "percentile"),
    "k_best": (SelectKBest, "k"),
    "fpr": (SelectFpr, "alpha"),
    "fdr": (SelectFdr, "alpha"),
    "fwe": (SelectFwe, "alpha"),
}


class GenericUnivariateSelect(UnivariateFilter):
    """Select by scores of single features, in the way named by a parameter.

    Parameters
    ----------
    score_func : callable, default=f_classif
        Function of (X, y) that gives scores, or scores and p-values.
    mode : {"percentile", "k_best", "fpr", "fdr", "fwe"}, default="percentile"
        How to choose: as `SelectPercentile`, `SelectKBest`, `SelectFpr`, `SelectFdr`, `SelectFwe`.
    param : float in [0, inf), int or "all", default=1e-5
        The parameter of that selector.

    Attributes
    ----------
    scores_, pvalues_, history_, n_features_in_, feature_names_in_
        As of `SelectKBest`.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import GenericUnivariateSelect, f_regression
    >>> X, y = load_diabetes(return_X_y=True)
    >>> chosen = GenericUnivariateSelect(f_regression, mode="k_best", param=2).fit(X, y)
    >>> chosen.get_support(indices=True)
    array([2, 8])
    """

    def __init__(
        self,
        score_func: ScoreFunction = f_classif,
        *,
        mode: Literal["percentile", "k_best", "fpr", "fdr", "fwe"] = "percentile",
        param: Annotated[float, Interval(0, inf)] | Literal["all"] = 1e-5,
    ) -> None:
        self.score_func = score_func
        self.mode = mode
        self.param = param

    def _read_with_target(self, X: Any, y: Any, **options: Any) -> tuple[Table, Any]:
        """As other filters; a score function of X alone needs no y."""
        if y is None:
            return self._read(X, reset=True, y_required=False, **options), None
        return super()._read_with_target(X, y, **options)

    def _selector(self) -> UnivariateFilter:
        kind, name = _MODES[self.mode]
        selector = kind().set_params(score_func=self.score_func, **{name: self.param})
        selector._check_parameters()
        return selector

    def _refuse_unsuitable(self, n_features: int) -> None:
        self._selector()._refuse_unsuitable(n_features)

    def _choose(self, scores: NDArray[np.float64], p_values: Any) -> Mask:
        return self._selector()._choose(scores, p_values)
