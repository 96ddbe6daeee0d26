"""Intervals of a width that follows the rows: two quantiles, corrected."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, HasMethods, Interval, RandomState, RegressorMixin, Tags
from stylobate.base.cloning import clone
from stylobate.base.delegation import remember_inner, tags_of
from stylobate.conformal.ranks import upper_end
from stylobate.conformal.regressor import interval_of, predicted_targets
from stylobate.conformal.rows import fitted_folds, held_out_split, read_fit_data, read_numbers
from stylobate.exceptions import InvalidParameterError
from stylobate.inference import PredictionInterval

Regressor = Annotated[Any, HasMethods("fit", "predict", "set_params")] | None


class ConformalQuantileRegressor(RegressorMixin, BaseEstimator):
    r"""Prediction intervals between two estimated quantiles, widened or narrowed to the level.

    With quantiles :math:`\hat q` at (1 ± level)/2 fitted to some rows, and of the n others

    .. math:: E_i = \max\{\hat q_{lo}(x_i) - y_i,\; y_i - \hat q_{hi}(x_i)\},

    the interval :math:`[\hat q_{lo}(x) - E_{(r)},\; \hat q_{hi}(x) + E_{(r)}]`, with the rank
    r = ⌈(n+1)·level⌉, holds a new observation with probability of at least the level, however
    wrong the quantiles are; where they are right, its width follows the noise of each row.

    Parameters
    ----------
    estimator : regressor with a parameter `quantile`, or None, default=None
        Fitted twice, with the quantiles set; None is `QuantileRegressor(alpha=0.0)`.
    level : float in (0, 1), default=0.9
        Share of new observations that the intervals hold.
    test_size : float in (0, 1), default=0.25
        Share of the rows that are kept for the correction.
    random_state : int, RandomState or None, default=None
        Draws them.

    Attributes
    ----------
    lower_estimator_, upper_estimator_ : regressors
        The two quantiles.
    correction_ : float
        :math:`E_{(r)}`.
    conformity_scores_ : array
        E of the rows kept.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(0, 1, (600, 1))
    >>> y = x[:, 0] * (1 + rng.normal(size=600))  # a fan
    >>> told = ConformalQuantileRegressor(random_state=0).fit(x, y).predict_interval([[0.1], [0.9]])
    >>> width = told.upper - told.lower
    >>> bool(width[1] > 3 * width[0])
    True

    References
    ----------
    Romano, Patterson & Candès (2019), Conformalized quantile regression, NeurIPS 32.
    """

    def __init__(
        self,
        estimator: Regressor = None,
        *,
        level: Annotated[float, Interval(0, 1, closed="neither")] = 0.9,
        test_size: Annotated[float, Interval(0, 1, closed="neither")] = 0.25,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.level = level
        self.test_size = test_size
        self.random_state = random_state

    def _tags(self) -> Tags:
        inner = tags_of(self._inner())
        return (
            super()
            ._tags()
            .but(sparse=inner.sparse, allow_nan=inner.allow_nan, non_deterministic=True)
        )

    def _inner(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        from stylobate.linear_model import QuantileRegressor

        return QuantileRegressor(alpha=0.0)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the two quantiles, and correct them by rows they have not seen.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Targets.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows in the model's fits; scores count alike.

        Returns
        -------
        self
        """
        self._check_parameters()
        owner, inner = type(self).__name__, self._inner()
        if "quantile" not in inner.get_params(deep=False):
            raise InvalidParameterError(
                f"{owner}: {type(inner).__name__} has no parameter 'quantile'; give a regressor of "
                "quantiles, such as HistGradientBoostingRegressor(loss='quantile')."
            )
        data = read_fit_data(owner, inner, X, y, sample_weight)
        truth = read_numbers(y, data.n_rows, owner)
        data = replace(data, y=truth)
        split = held_out_split(data, self.test_size, self.random_state, None)
        ends = []
        for quantile in ((1.0 - self.level) / 2.0, (1.0 + self.level) / 2.0):
            model = clone(inner).set_params(quantile=quantile)
            ends.append(fitted_folds(model, data, [split], None)[0][0])
        self.lower_estimator_, self.upper_estimator_ = ends
        rows = split[1]
        truth = truth[rows]
        low, high = (predicted_targets(model, data, rows) for model in ends)
        self.conformity_scores_ = np.maximum(low - truth, truth - high)
        self.correction_ = float(upper_end(self.conformity_scores_, self.level))
        remember_inner(self, self.lower_estimator_)
        return self

    def predict(self, X: Any) -> Array:
        """The middle of the two quantiles.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        low, high = self.lower_estimator_.predict(X), self.upper_estimator_.predict(X)
        return np.asarray((low + high) / 2.0)

    def predict_interval(self, X: Any) -> PredictionInterval:
        """The corrected interval of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        PredictionInterval
            With `mean` (its middle), `lower`, `upper`. Where the quantiles cross or the correction
            is so negative that nothing is left, both ends are the middle.
        """
        self._check_fitted()
        mean = self.predict(X).astype(np.float64)
        low = np.asarray(self.lower_estimator_.predict(X)) - self.correction_
        high = np.asarray(self.upper_estimator_.predict(X)) + self.correction_
        lower, upper = np.minimum(low, mean), np.maximum(high, mean)
        n = len(self.conformity_scores_)
        return interval_of(mean, lower, upper, "quantiles", float(self.level), n)
