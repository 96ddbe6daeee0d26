"""The class whose centre is nearest."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import reduce
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, ClassifierMixin, Interval, Numbers, Options, Tags
from stylobate.base.availability import available_if
from stylobate.base.batches import batch_door
from stylobate.base.classes import read_classes
from stylobate.data import Table, read_labels
from stylobate.data.streams import Batch, Stream
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    FormulaError,
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
    StylobateWarning,
)
from stylobate.statistics import ColumnMoments
from stylobate.statistics.groups.class_columns import ClassColumnMoments

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class NearestCentroid(ClassifierMixin, BaseEstimator):
    r"""The class of the nearest centre, which may be shrunk towards the centre of all.

    .. math:: a(x) = \arg\min_c d(x, \mu_c), \qquad
        \mu_c = \bar x + m_c\,s \odot
        \mathrm{soft}_\Delta\!\Big(\frac{\bar x_c - \bar x}{m_c\,s}\Big)

    with :math:`m_c = \sqrt{1/n_c - 1/n}` and s the pooled standard deviations plus their median.

    Parameters
    ----------
    metric : {"euclidean", "manhattan"}, default="euclidean"
        Centres are means, or medians.
    shrink_threshold : float in (0, inf) or None, default=None
        Δ; features whose centres all shrink to the overall one play no part.
    priors : {"uniform", "empirical"} or array-like of shape (n_classes,), default="uniform"
        How probable the classes are beforehand.

    Attributes
    ----------
    centroids_ : array of shape (n_classes, n_features)
        The centres, shrunk.
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    class_prior_ : array of shape (n_classes,)
        The priors.
    deviations_ : array of shape (n_classes, n_features)
        The shrunk quotients above.
    within_class_std_dev_ : array of shape (n_features,)
        The pooled standard deviations.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> model = NearestCentroid().fit([[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"])
    >>> model.predict([[2.4], [2.6]]).tolist()
    ['a', 'b']
    >>> model.centroids_
    array([[0.5],
           [4.5]])

    References
    ----------
    Tibshirani et al. (2002), Diagnosis of multiple cancer types by shrunken centroids of gene
    expression, PNAS 99.
    """

    def __init__(
        self,
        metric: Annotated[str, Options("euclidean", "manhattan")] = "euclidean",
        *,
        shrink_threshold: Annotated[float, Interval(0, inf, closed="neither")] | None = None,
        priors: Annotated[str, Options("uniform", "empirical")]
        | Annotated[Any, Numbers(-inf, inf)] = "uniform",
    ) -> None:
        self.metric = metric
        self.shrink_threshold = shrink_threshold
        self.priors = priors

    def _tags(self) -> Tags:
        tier = "one pass" if self.metric == "euclidean" else "all rows"
        return super()._tags().but(sparse=True, tier=tier)

    def fit(self, X: Any, y: Any) -> Self:
        """Find the centres.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True, y_required=False)
        x = table.x.tocsr() if table.is_sparse else table.x
        n = x.shape[0]
        self.classes_, codes = read_classes(y, owner="NearestCentroid", n_rows=n)
        counts = np.bincount(codes, minlength=len(self.classes_))
        self.class_prior_ = self._prior(counts)
        _refuse_constant(x)
        centres = np.vstack([self._centre(x[codes == c]) for c in range(len(counts))])
        overall = np.asarray(x.mean(axis=0), dtype=np.float64).ravel()
        return self._store(counts, centres, _pooled_deviation(x, codes, centres), overall)

    def _fit_stream(self, stream: Stream) -> Self:
        """Means and spreads of the classes by one pass; medians need the rows."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        owner = type(self).__name__

        def read(batch: Batch, reset: bool) -> Table:
            table = self._read(batch.x, reset=reset, y_required=False)
            classes, codes = read_labels(batch.y, owner=owner, n_rows=table.n_rows)
            return replace(table, y=codes[:, None].astype(np.float64), classes=classes)

        found = self._source(stream, batch_door(read)).compute(ClassColumnMoments)
        whole = reduce(ColumnMoments.merge, found.groups)
        self.classes_ = found.classes
        read_classes(found.classes, owner=owner, n_rows=len(found.classes))  # refuses one alone
        counts = np.array([group.n_rows for group in found.groups])
        self.class_prior_ = self._prior(counts)
        if (whole.low == whole.high).all():
            _refuse_all_constant()
        squares = np.sum([group.length**2 for group in found.groups], axis=0)
        centres = np.vstack([group.mean for group in found.groups])
        deviation = np.sqrt(squares / _freedom(whole.n_rows, len(counts)))
        return self._store(counts, centres, deviation, whole.mean)

    def _store(
        self, counts: NDArray[np.intp], centres: Array, deviation: Array, overall: Array
    ) -> Self:
        self.within_class_std_dev_ = deviation
        if not np.isfinite(self.within_class_std_dev_).all():
            raise NumericalError(
                "NearestCentroid: squares of these columns exceed what doubles hold; scale them "
                "first."
            )
        if (self.within_class_std_dev_ == 0.0).any():
            _tell_constant(self.within_class_std_dev_)
        spread = self.within_class_std_dev_ + np.median(self.within_class_std_dev_)
        scale = np.sqrt(1.0 / counts - 1.0 / counts.sum())[:, None] * spread
        with np.errstate(divide="ignore", invalid="ignore"):
            deviations = np.asarray((centres - overall) / scale)
        if self.shrink_threshold is not None:
            shrunk = np.maximum(np.abs(deviations) - self.shrink_threshold, 0.0)
            deviations = np.sign(deviations) * shrunk
            moved = overall + scale * deviations
            centres = np.where(np.isfinite(moved), moved, centres)
        self.deviations_, self.centroids_ = deviations, centres
        return self

    def _centre(self, rows: Any) -> Array:
        if self.metric == "manhattan":
            dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
            return np.median(dense, axis=0)
        return np.asarray(rows.mean(axis=0), dtype=np.float64).ravel()

    def _prior(self, counts: NDArray[np.intp]) -> Array:
        if isinstance(self.priors, str):
            uniform = np.full(len(counts), 1.0 / len(counts))
            return uniform if self.priors == "uniform" else counts / counts.sum()
        prior = np.asarray(self.priors, dtype=np.float64)
        if prior.shape != counts.shape:
            raise InvalidParameterError(
                f"NearestCentroid: priors must be {len(counts)} numbers, one for each class; got "
                f"shape {prior.shape}."
            )
        if (prior < 0).any() or not prior.sum() > 0:
            raise InvalidParameterError("priors must be non-negative and not all 0.")
        if not np.isclose(prior.sum(), 1.0):
            warnings.warn(
                "The priors do not sum to 1. Normalizing such that it sums to one.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        return np.asarray(prior / prior.sum())

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        if not np.allclose(self.class_prior_, 1.0 / len(self.classes_)):
            return np.asarray(self.classes_[np.argmax(self._scores(X), axis=1)])
        from stylobate.metrics.pairwise import pairwise_distances_argmin

        table = self._read(X, reset=False)
        nearest = pairwise_distances_argmin(table.x, self.centroids_, metric=self.metric)
        return np.asarray(self.classes_[nearest])

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.expressions import Answer
        from stylobate.formula.maps import centres_by_chance, nearest_centre

        manhattan = self.metric == "manhattan"
        nearest = nearest_centre(columns, self.centroids_, self.classes_, manhattan=manhattan)
        if manhattan:
            self._refuse_priors()
            return Answer((nearest,), (), tuple(self.classes_.tolist()))
        spread = self.within_class_std_dev_
        with np.errstate(divide="ignore"):
            bias = 2.0 * np.log(self.class_prior_)
        divisor = np.where(spread == 0.0, 1.0, spread)
        likely = centres_by_chance(columns, self.centroids_, divisor, bias, self.classes_)
        if np.allclose(self.class_prior_, 1.0 / len(self.classes_)):
            return Answer((nearest,), likely.probabilities, likely.classes)
        return likely

    def _refuse_priors(self) -> None:
        if not np.allclose(self.class_prior_, 1.0 / len(self.classes_)):
            raise FormulaError(
                "NearestCentroid: distances in Manhattan with unequal priors have no formula; "
                "metric='euclidean' or equal priors have."
            )

    def _scores(self, X: Any) -> Array:
        r""":math:`-\|(x - \mu_c) / s\|^2 + 2 \log \pi_c`."""
        from stylobate.metrics.pairwise import pairwise_distances

        self._check_fitted()
        table = self._read(X, reset=False)
        deviation = self.within_class_std_dev_
        divisor = np.where(deviation == 0.0, 1.0, deviation)
        rows = table.x.multiply(1.0 / divisor).tocsr() if table.is_sparse else table.x / divisor
        distances = pairwise_distances(rows, self.centroids_ / divisor, metric=self.metric)
        with np.errstate(divide="ignore"):
            return np.asarray(2.0 * np.log(self.class_prior_) - distances**2)

    @available_if(lambda self: self.metric == "euclidean", "which need metric='euclidean'")
    def decision_function(self, X: Any) -> Array:
        """Discriminant scores; for two classes the second's minus the first's.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_classes)
        """
        scores = self._scores(X)
        return np.asarray(scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores)

    @available_if(lambda self: self.metric == "euclidean", "which need metric='euclidean'")
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes under Gaussians of equal, diagonal covariance.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        return np.asarray(np.exp(self.predict_log_proba(X)))

    @available_if(lambda self: self.metric == "euclidean", "which need metric='euclidean'")
    def predict_log_proba(self, X: Any) -> Array:
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        from scipy.special import log_softmax

        return np.asarray(log_softmax(self._scores(X), axis=1))


def _refuse_constant(x: Any) -> None:
    low, high = x.min(axis=0), x.max(axis=0)
    if not isinstance(x, np.ndarray):
        low, high = low.toarray().ravel(), high.toarray().ravel()
    if (low == high).all():
        _refuse_all_constant()


def _refuse_all_constant() -> NoReturn:
    raise InvalidDataError("All features have zero variance. Division by zero.")


def _freedom(n_rows: int, n_classes: int) -> int:
    if n_rows == n_classes:
        raise InvalidDataError(
            "NearestCentroid needs more rows than classes to see how rows scatter about centres."
        )
    return n_rows - n_classes


def _tell_constant(deviation: Array) -> None:
    warnings.warn(
        "within_class_std_dev_ has at least 1 zero standard deviation: column "
        f"{int(np.flatnonzero(deviation == 0.0)[0])} is constant within every class.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )


def _pooled_deviation(x: Any, codes: NDArray[np.int64], centres: Array) -> Array:
    """√(Σ (x − centre of its class)² / (n − classes)), column by column."""
    freedom = _freedom(len(codes), len(centres))
    total = np.zeros(x.shape[1])
    for c, centre in enumerate(centres):
        rows = x[codes == c]
        if isinstance(rows, np.ndarray):
            total += ((rows - centre) ** 2).sum(axis=0)
            continue
        # entries that are not stored are 0, each centre² away
        squares = (rows.data - centre[rows.indices]) ** 2
        stored = np.bincount(rows.indices, minlength=x.shape[1])
        total += np.bincount(rows.indices, weights=squares, minlength=x.shape[1])
        total += (rows.shape[0] - stored) * centre**2
    return np.sqrt(total / freedom)
