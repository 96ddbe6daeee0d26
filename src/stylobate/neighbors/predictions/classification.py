"""Labels by the votes of neighbours."""

from __future__ import annotations

import warnings
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import ClassifierMixin, Interval, Options, Tags
from stylobate.base.constraints import CallableObject, Instance
from stylobate.base.outputs import read_outputs
from stylobate.base.study_role import StudyRole
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.neighbors.base import (
    Algorithm,
    ExactAlgorithm,
    KNeighborsMixin,
    LeafSize,
    Metric,
    MetricParams,
    NeighborsBase,
    Power,
    RadiusNeighborsMixin,
)
from stylobate.neighbors.partition_index import remember_partitions
from stylobate.neighbors.predictions.votes import (
    class_votes,
    closest_of_tied,
    list_votes,
    margins,
    shares,
)
from stylobate.neighbors.predictions.weights import NAMED, WeightRule, weights_of, weights_of_lists

if TYPE_CHECKING:
    from stylobate.data.streams import Stream

Weights = (
    Annotated[str, Options(*NAMED)]
    | Annotated[Any, Instance(WeightRule)]
    | Annotated[Any, CallableObject()]
    | None
)


class NeighborsClassifierBase(ClassifierMixin, NeighborsBase):
    """Labels of the rows remembered, one column or several."""

    classes_: Any
    outputs_2d_: bool
    _y: NDArray[np.int64]

    def _tags(self) -> Tags:
        return super()._tags().but(multi_label=True)

    def fit(self, X: Any, y: Any) -> Self:
        """Remember the rows and their labels.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed", distances among them.
        y : array-like of shape (n,) or (n, n_outputs)
            Labels.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._check_refusal()
        table = self._read(X, reset=True, y_required=False)
        classes, codes, several = read_outputs(
            y, owner=type(self).__name__, n_rows=table.x.shape[0]
        )
        self._remember(table.x)
        self.outputs_2d_ = several
        self.classes_ = classes if several else classes[0]
        self._y = codes
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        if stream.here:
            return super()._fit_stream(stream)
        self._check_refusal()
        seen = remember_partitions(self, stream, labels=True, targets=True)
        self.outputs_2d_ = seen.several
        self.classes_ = seen.classes if seen.several else seen.classes[0]
        self._know_outliers()
        return self

    def _know_outliers(self) -> None:
        """Nothing to know where there are always neighbours."""

    def _check_refusal(self) -> None:
        """Nothing to check where no answer is ever refused."""

    def _all_classes(self) -> list[NDArray[Any]]:
        return self.classes_ if self.outputs_2d_ else [self.classes_]


class KNeighborsClassifier(KNeighborsMixin, NeighborsClassifierBase):
    r"""The class most of the k nearest rows have.

    .. math:: a(x) = \arg\max_c \sum_{s=1}^k w_s\,[y^{(i_s)} = c]

    Parameters
    ----------
    n_neighbors : int in [1, inf), default=5
        k.
    weights : str, WeightRule, callable or None, default="uniform"
        w: "uniform" (or None), "distance" (1/d), "rank" ((k+1−s)/k), "geometric" (0.5ˢ), a kernel
        of the distance such as "gaussian" or "epanechnikov", a value such as
        ``GeometricWeights(0.8)`` or ``KernelWeights("gaussian", bandwidth=2.0)``, or a function of
        an array of distances.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute", "hnsw"} or HNSW, default="auto"
        "auto" chooses by shape and metric, and says why in `algorithm_reason_`; "hnsw" (or settings
        such as ``HNSW(M=32)``) is approximate, and measures its recall.
    leaf_size : int in [1, inf), default=30
        Accepted for compatibility; leaves hold 16 rows.
    p : float in (0, inf], default=2
        Power of the Minkowski metric.
    metric : str or callable, default="minkowski"
        A name `pairwise_distances` knows, "precomputed", or a function of two rows.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    refuse : "tie", float in (0, 1] or None, default=None
        When to give no answer. "tie": where the votes are equal the closest neighbour decides, and
        where the closest ones are equally far and disagree, nobody does. A number: where the
        winner's share of the votes is ahead of the second's by less. None: the first of tied
        classes wins, as in scikit-learn.
    refused_label : label or None, default=None
        What `predict` gives where it refuses; needed with `refuse`.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or list of them
        The labels, sorted.
    outputs_2d_ : bool
        Whether y had several columns.
    algorithm_, algorithm_reason_ : str
        What was chosen, and why.
    recall_ : Interval or None
        The share of the true neighbours the approximate index finds; None where all are.
    effective_metric_, effective_metric_params_
        What `metric`, `p` and `metric_params` come to.
    n_samples_fit_ : int
        Rows remembered.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    Two triangles are nearest, three squares a little farther; by rank the triangles win 9/5 to 6/5:

    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["▲", "▲", "■", "■", "■"]
    >>> str(KNeighborsClassifier(5).fit(X, y).predict([[0.0]])[0])
    '■'
    >>> str(KNeighborsClassifier(5, weights="rank").fit(X, y).predict([[0.0]])[0])
    '▲'

    References
    ----------
    Cover & Hart (1967), Nearest neighbor pattern classification, IEEE Trans. Inf. Theory 13.
    """

    _study_role = StudyRole(
        "neighbours",
        "Nearest neighbours",
        40,
        space={"n_neighbors": (15, 5, 30, 60), "weights": ("uniform", "distance")},
        max_rows=100_000,
        max_columns=500,
    )

    def __init__(
        self,
        n_neighbors: Annotated[int, Interval(1, inf)] = 5,
        *,
        weights: Weights = "uniform",
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2,
        metric: Metric = "minkowski",
        metric_params: MetricParams = None,
        n_jobs: int | None = None,
        refuse: Annotated[str, Options("tie")]
        | Annotated[float, Interval(0, 1, closed="right")]
        | None = None,
        refused_label: int | float | str | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.refuse = refuse
        self.refused_label = refused_label

    def _check_refusal(self) -> None:
        if (self.refuse is None) != (self.refused_label is None):
            raise InvalidParameterError(
                f"KNeighborsClassifier: refuse={self.refuse!r} and refused_label="
                f"{self.refused_label!r} go together: say when to refuse and what label to give "
                "then, for example refuse='tie', refused_label=0 for classes -1 and +1."
            )

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), or None
            Rows; None for those of the fit, each predicted from the others.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
        """
        distances, rows = self.kneighbors(X)
        weights = self._weights(distances)
        predicted = []
        for place, classes in enumerate(self._all_classes()):
            codes = self._y[rows, place]
            votes = class_votes(codes, weights, len(classes))
            predicted.append(self._winners(votes, codes, distances, classes))
        return np.column_stack(predicted) if self.outputs_2d_ else predicted[0]

    def _winners(
        self, votes: Array, codes: NDArray[Any], distances: Array, classes: NDArray[Any]
    ) -> NDArray[Any]:
        if self.refuse is None:
            return np.asarray(classes[np.argmax(votes, axis=1)])
        winner, refused = closest_of_tied(votes, codes, distances)
        if not isinstance(self.refuse, str):
            refused = margins(votes) < self.refuse
        with_refusal = np.append(classes, np.asarray([self.refused_label]).astype(classes.dtype))
        return np.asarray(with_refusal[np.where(refused, len(classes), winner)])

    def _weights(self, distances: Array) -> Array:
        weights = weights_of(self.weights, distances)
        empty = ~(weights > 0.0).any(axis=1)
        if empty.any():
            warnings.warn(
                f"{int(empty.sum())} rows have no neighbour of positive weight; all neighbours "
                "count the same there. Choose a larger bandwidth.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
            weights[empty] = 1.0
        return weights

    def predict_proba(self, X: Any) -> Any:
        """The share of each class among the neighbours, weighted.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), or None
            Rows; None for those of the fit, each predicted from the others.

        Returns
        -------
        array of shape (n, n_classes), or list of them for several outputs
        """
        distances, rows = self.kneighbors(X)
        weights = self._weights(distances)
        found = [
            shares(class_votes(self._y[rows, place], weights, len(classes)))
            for place, classes in enumerate(self._all_classes())
        ]
        return found if self.outputs_2d_ else found[0]


class RadiusNeighborsClassifier(RadiusNeighborsMixin, NeighborsClassifierBase):
    r"""The class most of the rows within a radius have.

    .. math:: a(x) = \arg\max_c \sum_{i:\,d(x, x_i) \le r} w_i\,[y_i = c]

    Parameters
    ----------
    radius : float in [0, inf], default=1.0
        r.
    weights : str, WeightRule, callable or None, default="uniform"
        As for `KNeighborsClassifier`.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        "auto" chooses by shape and metric, and says why in `algorithm_reason_`.
    leaf_size : int in [1, inf), default=30
        Accepted for compatibility; leaves hold 16 rows.
    p : float in (0, inf], default=2
        Power of the Minkowski metric.
    metric : str or callable, default="minkowski"
        A name `pairwise_distances` knows, "precomputed", or a function of two rows.
    outlier_label : label, list of labels, "most_frequent" or None, default=None
        For rows with nobody within the radius; None refuses them.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or list of them
        The labels, sorted.
    outlier_label_ : list or None
        The label for rows without neighbours, of every output.
    outputs_2d_ : bool
        Whether y had several columns.
    algorithm_, algorithm_reason_ : str
        What was chosen, and why.
    effective_metric_, effective_metric_params_
        What `metric`, `p` and `metric_params` come to.
    n_samples_fit_ : int
        Rows remembered.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> model = RadiusNeighborsClassifier(1.0).fit([[0.0], [1.0], [4.0]], [0, 0, 1])
    >>> model.predict([[0.4], [3.5]])
    array([0, 1])
    """

    def __init__(
        self,
        radius: Annotated[float, Interval(0, inf, closed="both")] = 1.0,
        *,
        weights: Weights = "uniform",
        algorithm: ExactAlgorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2,
        metric: Metric = "minkowski",
        outlier_label: int | float | str | Annotated[Any, Instance(list)] | None = None,
        metric_params: MetricParams = None,
        n_jobs: int | None = None,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.outlier_label = outlier_label
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Remember the rows and their labels.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed", distances among them.
        y : array-like of shape (n,) or (n, n_outputs)
            Labels.

        Returns
        -------
        self
        """
        super().fit(X, y)
        self._know_outliers()
        return self

    def _know_outliers(self) -> None:
        self.outlier_label_ = self._outlier_labels()

    def _labels_of_outliers(self) -> list[Any]:
        labels = self.outlier_label_
        return [None] * len(self._all_classes()) if labels is None else labels

    def _outlier_labels(self) -> list[Any] | None:
        every = self._all_classes()
        given = self.outlier_label
        if given is None:
            return None
        if isinstance(given, str) and given == "most_frequent":
            return [
                classes[np.argmax(np.bincount(self._y[:, j], minlength=len(classes)))]
                for j, classes in enumerate(every)
            ]
        labels = (
            list(given) if isinstance(given, list | tuple | np.ndarray) else [given] * len(every)
        )
        if len(labels) != len(every):
            raise InvalidDataError(
                f"The length of outlier_label: {len(labels)} is inconsistent with the output "
                f"length: {len(every)}"
            )
        for label, classes in zip(labels, every, strict=True):
            if np.ndim(label) > 0:
                raise TypeError(
                    f"The outlier_label of classes {classes.tolist()} is supposed to be a scalar, "
                    f"got {label!r}."
                )
            if np.asarray([label]).dtype.kind in "US" and classes.dtype.kind not in "USO":
                raise TypeError(
                    f"The outlier_label of classes {classes.tolist()} is inconsistent with y."
                )
        return labels

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), or None
            Rows; None for those of the fit, each predicted from the others.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
        """
        self._check_fitted()
        predicted = []
        for classes, label, (votes, alone) in zip(
            self._all_classes(), self._labels_of_outliers(), self._votes(X), strict=True
        ):
            labels = classes[np.argmax(votes, axis=1)]
            if alone.any():
                if not (classes == label).any():
                    _warn_unknown_label(label)
                kind = np.result_type(classes.dtype, np.asarray([label]).dtype)
                labels = labels.astype(kind)
                labels[alone] = label
            predicted.append(labels)
        return np.column_stack(predicted) if self.outputs_2d_ else predicted[0]

    def _votes(self, X: Any) -> list[tuple[Array, NDArray[np.bool_]]]:
        lists = self._lists(X, None).sorted()
        alone = np.diff(lists.offsets) == 0
        if alone.any() and self.outlier_label is None:
            raise InvalidDataError(
                f"No neighbors found for test samples {np.flatnonzero(alone)[:10].tolist()}, you "
                "can try using larger radius, giving a label for outliers, or considering removing "
                "them from your dataset."
            )
        weights = weights_of_lists(self.weights, lists.distances, lists.offsets)
        return [
            (list_votes(self._y[lists.rows, place], weights, lists.offsets, len(classes)), alone)
            for place, classes in enumerate(self._all_classes())
        ]

    def predict_proba(self, X: Any) -> Any:
        """The share of each class among the rows within the radius, weighted.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), or None
            Rows; None for those of the fit, each predicted from the others.

        Returns
        -------
        array of shape (n, n_classes), or list of them for several outputs
            Rows of outliers are 1 at the outlier label, or 0 everywhere if it is no class.
        """
        self._check_fitted()
        found = []
        for classes, label, (votes, alone) in zip(
            self._all_classes(), self._labels_of_outliers(), self._votes(X), strict=True
        ):
            proba = shares(votes)
            if alone.any():
                proba[np.ix_(alone, classes == label)] = 1.0
                if not (classes == label).any():
                    _warn_unknown_label(label)
            found.append(proba)
        return found if self.outputs_2d_ else found[0]


def _warn_unknown_label(label: Any) -> None:
    warnings.warn(
        f"Outlier label {label} is not in training classes. All class probabilities of outliers "
        "will be assigned with 0.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )
