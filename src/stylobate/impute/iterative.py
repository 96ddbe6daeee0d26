"""Missing values predicted from the other columns, round by round."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options, RandomState, clone
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidParameterError, ModelFileError, joined
from stylobate.impute.bayes_ridge import BayesRidge
from stylobate.impute.cells import MissingMarker, missing_mask, read_cells
from stylobate.impute.imputer import BaseImputer
from stylobate.impute.simple import FillValue, SimpleImputer
from stylobate.statistics import refuse_out_of_range

Rows = NDArray[Any]

_FAINT = 1e-6  # every column keeps some chance of being chosen


class ImputationStep(NamedTuple):
    """One column predicted from others."""

    feat_idx: int
    neighbor_feat_idx: NDArray[np.intp]
    estimator: Any


def _is_step(step: Any, count: int) -> bool:
    """Whether a step out of a file fills a column from other columns there are."""
    if not isinstance(step, ImputationStep) or not hasattr(step.estimator, "predict"):
        return False
    read, column = step.neighbor_feat_idx, step.feat_idx
    coef = getattr(step.estimator, "coef", None)
    whole = isinstance(column, int | np.integer) and not isinstance(column, bool)
    if not whole or not isinstance(read, np.ndarray) or read.ndim != 1 or read.dtype.kind != "i":
        return False
    known = np.append(read, column)
    fits = coef is None or np.shape(coef) == read.shape == np.shape(step.estimator.x_mean)
    return fits and bool((known >= 0).all() and (known < count).all())


class IterativeImputer(BaseImputer):
    """Predict each column's missing values from the other columns, again and again.

    Starting from a simple imputation, every column with missing values is regressed on the others
    where it is present and predicted where it is not; rounds go on until the values settle.

    Parameters
    ----------
    estimator : object with fit and predict, default=None
        The regression; None: ridge regression whose penalty maximises the evidence (scikit-learn's
        ``BayesianRidge``).
    missing_values : float, str, None or pandas.NA, default=nan
        What stands for a missing value.
    sample_posterior : bool, default=False
        Whether to draw values from the predictive distribution instead of taking its mean; an
        `estimator` of your own then needs ``predict(X, return_std=True)``.
    max_iter : int in [0, inf), default=10
        Most rounds.
    tol : float in [0, inf), default=1e-3
        Rounds end when no value changes by more than this times the largest value present.
    n_nearest_features : int in [1, inf), default=None
        How many columns to regress on, drawn with chances proportional to the absolute
        correlation; None: all others.
    initial_strategy : {"mean", "median", "most_frequent", "constant"}, default="mean"
        As `strategy` of `SimpleImputer`, for the start.
    fill_value : number or str, default=None
        As of `SimpleImputer`, for the start.
    imputation_order : {"ascending", "descending", "roman", "arabic", "random"}, \
default="ascending"
        Columns with few missing values first, last, left to right, right to left, or at random.
    skip_complete : bool, default=False
        Whether no model is kept for columns that had no missing value at `fit`.
    min_value, max_value : float or array-like of shape (n_features,), default=-inf, inf
        Bounds of imputed values.
    verbose : int in [0, inf), default=0
        Accepted for compatibility; nothing is printed.
    random_state : int, RandomState or None, default=None
        Draws values, columns and orders.
    add_indicator : bool, default=False
        Whether to append the columns of `MissingIndicator`.
    keep_empty_features : bool, default=False
        Whether to keep columns without a single value, as the start filled them.

    Attributes
    ----------
    initial_imputer_ : SimpleImputer
        The start.
    imputation_sequence_ : list of (feat_idx, neighbor_feat_idx, estimator)
        The models in the order they were fitted.
    n_iter_ : int
        Rounds.
    n_features_with_missing_ : int
        Columns predicted in a round.
    indicator_ : MissingIndicator or None
        The indicator, if added.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rows = [[1, 2], [3, 6], [4, 8], [np.nan, 3], [7, np.nan]]
    >>> IterativeImputer(random_state=0).fit_transform(rows).round(1)[3:]
    array([[ 1.5,  3. ],
           [ 7. , 14. ]])

    References
    ----------
    van Buuren & Groothuis-Oudshoorn (2011), mice: Multivariate imputation by chained equations in
    R, Journal of Statistical Software 45.
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit", "predict")] | None = None,
        *,
        missing_values: Annotated[Any, MissingMarker()] = np.nan,
        sample_posterior: bool = False,
        max_iter: Annotated[int, Interval(0, inf)] = 10,
        tol: Annotated[float, Interval(0, inf)] = 1e-3,
        n_nearest_features: Annotated[int, Interval(1, inf)] | None = None,
        initial_strategy: Annotated[
            str, Options("mean", "median", "most_frequent", "constant")
        ] = "mean",
        fill_value: Annotated[Any, FillValue()] = None,
        imputation_order: Annotated[
            str, Options("ascending", "descending", "roman", "arabic", "random")
        ] = "ascending",
        skip_complete: bool = False,
        min_value: Annotated[float, Interval(-inf, inf, closed="both")]
        | Annotated[Any, Numbers(-inf, inf)]
        | None = -inf,
        max_value: Annotated[float, Interval(-inf, inf, closed="both")]
        | Annotated[Any, Numbers(-inf, inf)]
        | None = inf,
        verbose: Annotated[int, Interval(0, inf)] = 0,
        random_state: RandomState = None,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
    ) -> None:
        self.estimator = estimator
        self.missing_values = missing_values
        self.sample_posterior = sample_posterior
        self.max_iter = max_iter
        self.tol = tol
        self.n_nearest_features = n_nearest_features
        self.initial_strategy = initial_strategy
        self.fill_value = fill_value
        self.imputation_order = imputation_order
        self.skip_complete = skip_complete
        self.min_value = min_value
        self.max_value = max_value
        self.verbose = verbose
        self.random_state = random_state
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the regressions.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = read_cells(self, X, reset=True, text=False)
        self._fit_indicator(table.x)
        self._random = _generator(self.random_state)
        self.initial_imputer_ = SimpleImputer(
            missing_values=self.missing_values,
            strategy=self.initial_strategy,
            fill_value=self.fill_value,
            keep_empty_features=self.keep_empty_features,
        ).set_output(transform="default")
        self.initial_imputer_.fit(table.x)
        self._empty = missing_mask(table.x, self.missing_values).all(axis=0)
        self._bounds = self._read_bounds()
        filled, mask = self._start(table.x)
        self.imputation_sequence_: list[ImputationStep] = []
        self.n_iter_ = 0
        self.n_features_with_missing_ = 0
        if filled.shape[1] > 1 and not mask.all():
            refuse_out_of_range(Table(filled, owner="IterativeImputer"))
            self._rounds(filled, mask)
        return self

    @property
    def _kept(self) -> NDArray[np.intp]:
        return self.initial_imputer_._kept

    def _start(self, x: Rows) -> tuple[Array, NDArray[np.bool_]]:
        """The simple imputation, and what is to be predicted in it."""
        filled = self.initial_imputer_.transform(x).astype(np.float64)
        mask = missing_mask(x, self.missing_values)
        mask[:, self._empty] = False
        return filled, mask[:, self._kept]

    def _read_bounds(self) -> Array:
        found = []
        for name, default in (("min_value", -inf), ("max_value", inf)):
            given = getattr(self, name)
            limit = np.atleast_1d(np.asarray(default if given is None else given, dtype=float))
            if limit.size not in (1, self.n_features_in_):
                raise InvalidParameterError(
                    f"IterativeImputer: '{name}' should be of shape ({self.n_features_in_},) when "
                    f"an array-like is provided. Got {limit.size}, instead."
                )
            found.append(np.broadcast_to(limit, self.n_features_in_)[self._kept])
        if not (found[1] > found[0]).all():
            raise InvalidParameterError(
                "IterativeImputer: One (or more) features have min_value >= max_value."
            )
        return np.array(found)

    def _rounds(self, filled: Array, mask: NDArray[np.bool_]) -> None:
        order = self._order(mask)
        self.n_features_with_missing_ = len(order)
        chances = self._chances(filled)
        largest = self.tol * np.abs(filled[~mask]).max()
        for round_ in range(1, int(self.max_iter) + 1):
            self.n_iter_ = round_
            before = filled.copy()
            order = self._order(mask) if self.imputation_order == "random" else order
            for j in order:
                others = self._others(int(j), filled.shape[1], chances)
                step = ImputationStep(
                    int(j), others, self._model(filled, mask[:, j], int(j), others)
                )
                self.imputation_sequence_.append(step)
                self._predict(filled, mask[:, j], step)
            if not self.sample_posterior and np.abs(filled - before).sum(axis=1).max() < largest:
                return
        if self.max_iter and not self.sample_posterior:
            warnings.warn(
                f"IterativeImputer: Early stopping criterion not reached after {self.max_iter} "
                "rounds; raise max_iter or tol.",
                joined(ConvergenceWarning),
                stacklevel=user_stacklevel(),
            )

    def _order(self, mask: NDArray[np.bool_]) -> NDArray[np.intp]:
        share = mask.mean(axis=0)
        columns = np.flatnonzero(share) if self.skip_complete else np.arange(len(share))
        if self.imputation_order == "arabic":
            return columns[::-1]
        if self.imputation_order == "random":
            return np.asarray(self._random.permutation(columns))
        if self.imputation_order == "roman":
            return columns
        sorted_ = np.argsort(share, kind="stable")[len(share) - len(columns) :]
        return sorted_ if self.imputation_order == "ascending" else sorted_[::-1]

    def _chances(self, filled: Array) -> Array | None:
        """Chances of each column (in rows) to be used for each other (in columns)."""
        p = filled.shape[1]
        if self.n_nearest_features is None or self.n_nearest_features >= p:
            return None
        with np.errstate(invalid="ignore", divide="ignore"):
            chances = np.abs(np.corrcoef(filled.T))
        chances = np.maximum(np.nan_to_num(chances, nan=_FAINT), _FAINT)
        np.fill_diagonal(chances, 0.0)
        return np.asarray(chances / chances.sum(axis=0))

    def _others(self, j: int, p: int, chances: Array | None) -> NDArray[np.intp]:
        if chances is None:
            return np.delete(np.arange(p), j)
        count = min(int(self.n_nearest_features or p), p - 1)
        return np.asarray(self._random.choice(p, count, replace=False, p=chances[:, j]))

    def _model(self, filled: Array, missing: NDArray[np.bool_], j: int, others: Any) -> Any:
        x, y = filled[np.ix_(~missing, others)], filled[~missing, j]
        return (
            BayesRidge.fitted(x, y) if self.estimator is None else clone(self.estimator).fit(x, y)
        )

    def _predict(self, filled: Array, missing: NDArray[np.bool_], step: ImputationStep) -> None:
        if not missing.any():
            return
        x, model = filled[np.ix_(missing, step.neighbor_feat_idx)], step.estimator
        low, high = self._bounds[:, step.feat_idx]
        if not self.sample_posterior:
            values = np.asarray(model.predict(x))
        elif isinstance(model, BayesRidge):
            values = self._drawn(model.predict(x), model.deviations(x), low, high)
        else:
            mean, deviation = model.predict(x, return_std=True)
            values = self._drawn(mean, deviation, low, high)
        filled[missing, step.feat_idx] = np.clip(values, low, high)

    def _drawn(self, mean: Array, deviation: Array, low: float, high: float) -> Array:
        """Draws from normal distributions cut at the bounds, by the inverse of their cdf."""
        from scipy.special import ndtr, ndtri

        scale = np.maximum(deviation, np.finfo(float).tiny)
        a, b = ndtr((low - mean) / scale), ndtr((high - mean) / scale)
        drawn = ndtri(a + (b - a) * self._random.random(len(mean)))
        return np.where(np.isfinite(drawn) & (deviation > 0), mean + scale * drawn, mean)

    def _check_loaded(self) -> None:
        """Refuse steps of a file that read or fill columns there are not."""
        if "imputation_sequence_" not in vars(self):
            return
        steps, count = self.imputation_sequence_, self._bounds.shape[1]
        kept = self.n_features_in_ - int(self._empty.sum())  # columns without values may be dropped
        known = count in (kept, self.n_features_in_) and isinstance(steps, list)
        if not known or not all(_is_step(each, count) for each in steps):
            raise ModelFileError("The IterativeImputer of the file has steps of other columns.")

    def transform(self, X: Any) -> Any:
        """X with its missing values predicted by the regressions learnt.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame
            Without the columns that had no value at `fit`, unless `keep_empty_features`.
        """
        self._check_fitted()
        table = read_cells(self, X, reset=False, text=False)
        filled, mask = self._start(table.x)
        for step in self.imputation_sequence_:
            self._predict(filled, mask[:, step.feat_idx], step)
        return self._with_indicator(filled.astype(table.x.dtype, copy=False), table)


def _generator(seed: Any) -> np.random.Generator:
    if isinstance(seed, np.random.RandomState):
        seed = int(seed.randint(np.iinfo(np.int32).max))
    return np.random.default_rng(seed)
