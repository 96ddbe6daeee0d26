"""Intervals around the predictions of any regressor."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import (
    BaseEstimator,
    HasMethods,
    Interval,
    Options,
    RandomState,
    RegressorMixin,
    Tags,
)
from stylobate.base.delegation import fitted_clone, remember_inner, tags_of
from stylobate.conformal.ranks import check_level, lower_end, upper_end, upper_rank
from stylobate.conformal.rows import (
    Fold,
    fitted_folds,
    held_out_split,
    is_frozen,
    read_fit_data,
    read_numbers,
)
from stylobate.data.indexing import take_rows
from stylobate.exceptions import InvalidParameterError
from stylobate.inference import PredictionInterval
from stylobate.model_selection.validation.data import Data, splitter_of
from stylobate.splits import LeaveOneOut

_BLOCK = 4_000_000  # numbers looked at together

Regressor = Annotated[Any, HasMethods("fit", "predict")] | None


class ConformalRegressor(RegressorMixin, BaseEstimator):
    r"""Prediction intervals around any regressor, from its errors on rows it has not seen.

    "split": the model is fitted to some rows; with the absolute errors R of the n others

    .. math:: C(x) = \hat\mu(x) \pm R_{(\lceil (n+1)\,\text{level} \rceil)}

    holds a new observation with probability of at least the level, whatever the model and the
    distribution, as long as rows are exchangeable. "cv+" uses all rows: with the model
    :math:`\hat\mu_{-k(i)}` of the fold that left row i out, the interval goes from the rank
    ⌊(n+1)(1−level)⌋ of :math:`\hat\mu_{-k(i)}(x) - R_i` to the rank ⌈(n+1)·level⌉ of
    :math:`\hat\mu_{-k(i)}(x) + R_i`; "jackknife+" does so with folds of one row. These two
    promise 1 − 2(1−level) (for K folds a little less) and reach about the level in practice.

    Parameters
    ----------
    estimator : regressor or None, default=None
        What predicts; None is `LinearRegression`. One in a `FrozenEstimator` stays as it is, and
        all rows given to `fit` calibrate it.
    method : {"cv+", "split", "jackknife+"}, default="cv+"
        How.
    cv : int in [2, inf), splitter, iterable or None, default=None
        Folds of "cv+"; None is 5.
    test_size : float in (0, 1), default=0.25
        Share of the rows that "split" calibrates on.
    n_jobs : int or None, default=None
        Folds at the same time.
    random_state : int, RandomState or None, default=None
        Draws the rows of "split".

    Attributes
    ----------
    estimator_ : regressor
        What `predict` asks: fitted to all rows ("split": to those it was not calibrated on).
    estimators_ : list of regressors
        One for each fold.
    conformity_scores_ : array of shape (n,)
        Absolute errors of rows the model had not seen.
    score_folds_ : array of int of shape (n,)
        The fold that left each of these rows out.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.tree import DecisionTreeRegressor
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(0, 6, (500, 1))
    >>> y = np.sin(x[:, 0]) + rng.normal(size=500) / 4
    >>> model = ConformalRegressor(DecisionTreeRegressor(max_depth=4)).fit(x[:400], y[:400])
    >>> told = model.predict_interval(x[400:], level=0.9)
    >>> bool(0.85 < np.mean((told.lower <= y[400:]) & (y[400:] <= told.upper)) < 0.97)
    True

    References
    ----------
    Lei, G'Sell, Rinaldo, Tibshirani & Wasserman (2018), Distribution-free predictive inference for
    regression, JASA 113. Barber, Candès, Ramdas & Tibshirani (2021), Predictive inference with the
    jackknife+, Annals of Statistics 49.
    """

    def __init__(
        self,
        estimator: Regressor = None,
        *,
        method: Annotated[str, Options("cv+", "split", "jackknife+")] = "cv+",
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        test_size: Annotated[float, Interval(0, 1, closed="neither")] = 0.25,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.test_size = test_size
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _tags(self) -> Tags:
        inner = tags_of(self._inner())
        drawn = self.method == "split" or inner.non_deterministic
        return (
            super()
            ._tags()
            .but(sparse=inner.sparse, allow_nan=inner.allow_nan, non_deterministic=drawn)
        )

    def _inner(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        from stylobate.linear_model import LinearRegression

        return LinearRegression()

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model, and measure its errors on rows it has not seen.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Targets.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows in the model's fit; errors count alike.

        Returns
        -------
        self
        """
        self._check_parameters()
        owner, inner = type(self).__name__, self._inner()
        _refuse_classifier(owner, inner)
        data = read_fit_data(owner, inner, X, y, sample_weight)
        truth = read_numbers(y, data.n_rows, owner)
        data = replace(data, y=truth)
        folds = fitted_folds(inner, data, self._splits(inner, data), self.n_jobs)
        scores, fold_of = np.zeros(data.n_rows), np.full(data.n_rows, -1)
        for k, (model, test) in enumerate(folds):
            errors = truth[test] - predicted_targets(model, data, test)
            scores[test], fold_of[test] = np.abs(errors), k
        told = fold_of >= 0
        self.conformity_scores_, self.score_folds_ = scores[told], fold_of[told]
        self.estimators_ = [model for model, _ in folds]
        self.estimator_ = self._final(inner, data, folds)
        remember_inner(self, self.estimator_)
        return self

    def _splits(self, inner: Any, data: Data) -> list[Any]:
        if is_frozen(inner):
            rows = np.arange(data.n_rows)
            return [(rows, rows)]
        if self.method == "split":
            return [held_out_split(data, self.test_size, self.random_state, None)]
        cv = LeaveOneOut() if self.method == "jackknife+" else self.cv
        return data.splits(splitter_of(cv, inner, data.y))

    def _final(self, inner: Any, data: Data, folds: list[Fold]) -> Any:
        if len(folds) == 1:
            return folds[0][0]
        return fitted_clone(inner, data.x, data.y, data.params)

    def predict(self, X: Any) -> Array:
        """Predicted targets.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        return np.asarray(self.estimator_.predict(X))

    def predict_interval(self, X: Any, *, level: float = 0.9) -> PredictionInterval:
        """Predictions with an interval for each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        level : float in (0, 1), default=0.9
            Share of new observations that the intervals hold.

        Returns
        -------
        PredictionInterval
            With `mean`, `lower`, `upper`; ends are infinite where there are too few errors to tell.
        """
        self._check_fitted()
        asked = check_level(level, f"{type(self).__name__}.predict_interval")
        mean = self.predict(X).astype(np.float64)
        if len(self.estimators_) == 1:
            reach = float(upper_end(self.conformity_scores_, asked))
            lower, upper = mean - reach, mean + reach
        else:
            lower, upper = self._ends([model.predict(X) for model in self.estimators_], asked)
        return interval_of(mean, lower, upper, self.method, asked, len(self.conformity_scores_))

    def _ends(self, predicted: list[Array], level: float) -> tuple[Array, Array]:
        """Ranks among what the models of all rows left out predict, a block of rows at a time."""
        answers = np.asarray(predicted, dtype=np.float64)
        n, scores = answers.shape[1], self.conformity_scores_
        lower, upper = np.empty(n), np.empty(n)
        step = max(1, _BLOCK // len(scores))
        for first in range(0, n, step):
            block = slice(first, first + step)
            own = answers[self.score_folds_, block].T
            lower[block] = lower_end(own - scores, level)
            upper[block] = upper_end(own + scores, level)
        return lower, upper


def predicted_targets(model: Any, data: Data, rows: Any) -> Array:
    """What a model predicts for some of the rows."""
    return np.asarray(model.predict(take_rows(data.x, rows)), dtype=np.float64)


def interval_of(
    mean: Array, lower: Array, upper: Array, method: str, level: float, n: int
) -> PredictionInterval:
    notes: tuple[str, ...] = ()
    if upper_rank(n, level) > n:
        least = int(np.ceil(level / (1.0 - level) - 1e-9))
        notes = (
            f"{n} errors are too few for level {level:g}: ends are infinite; it takes {least}.",
        )
    unknown = np.full(len(mean), np.nan)
    every = np.ones(len(mean), dtype=bool)
    return PredictionInterval(
        mean, lower, upper, unknown, every, f"conformal ({method})", level, notes
    )


def _refuse_classifier(owner: str, inner: Any) -> None:
    if tags_of(inner).estimator_type == "classifier":
        raise InvalidParameterError(
            f"{owner}: {type(inner).__name__} predicts labels, which have no interval; "
            "ConformalClassifier gives the set of labels of a row."
        )
