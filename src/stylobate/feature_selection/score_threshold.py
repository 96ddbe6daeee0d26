"""Selection of features by a threshold of their scores."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import Interval
from stylobate.feature_selection.association import f_classif
from stylobate.feature_selection.univariate import ScoreFunction, UnivariateFilter


class SelectByScore(UnivariateFilter):
    r"""All features whose score is at least a threshold: :math:`|s_j| \ge \theta`.

    Parameters
    ----------
    score_func : callable, default=f_classif
        Function of (X, y) that gives scores, or scores and p-values: `r_regression` for
        correlations, `mutual_info_classif` for information.
    threshold : float in (-inf, inf), default=0.0
        θ.
    absolute : bool, default=True
        Whether signs are ignored, as they should be of correlations.

    Attributes
    ----------
    scores_, pvalues_, history_, n_features_in_, feature_names_in_
        As of `SelectKBest`.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import SelectByScore, r_regression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> SelectByScore(r_regression, threshold=0.43).fit(X, y).get_feature_names_out()
    array(['bmi', 'bp', 's4', 's5'], dtype=object)
    """

    def __init__(
        self,
        score_func: ScoreFunction = f_classif,
        *,
        threshold: Annotated[float, Interval(-inf, inf, closed="neither")] = 0.0,
        absolute: bool = True,
    ) -> None:
        self.score_func = score_func
        self.threshold = threshold
        self.absolute = absolute

    def _choose(self, scores: NDArray[np.float64], p_values: Any) -> Mask:
        sizes = np.abs(scores) if self.absolute else np.asarray(scores)
        return np.asarray(sizes >= self.threshold)  # of NaN: no
