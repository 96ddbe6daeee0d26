"""Affinity propagation: rows elect exemplars by messages."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.base import (
    BaseEstimator,
    ClusterMixin,
    Interval,
    Numbers,
    Options,
    RandomState,
    Tags,
)
from stylobate.data.words import user_stacklevel
from stylobate.distances import Euclidean, SquaredEuclidean, measured
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
    StylobateWarning,
    joined,
)
from stylobate.splits.splitter import generator


class AffinityPropagation(ClusterMixin, BaseEstimator):
    r"""Clusters around exemplars, which rows choose by exchanging messages.

    From similarities s (the negative squared distance, or given), responsibilities and
    availabilities are updated in turn, each damped:

    .. math:: r_{ik} \leftarrow s_{ik} - \max_{k' \ne k} (a_{ik'} + s_{ik'}), \quad
        a_{ik} \leftarrow \min\Big(0, r_{kk} + \sum_{i' \notin \{i, k\}} \max(0, r_{i'k})\Big).

    Rows k with :math:`r_{kk} + a_{kk} > 0` are exemplars. Memory and each step are O(n²).

    Parameters
    ----------
    damping : float in [0.5, 1), default=0.5
        The share of the old message that is kept.
    max_iter : int in [1, inf), default=200
        Steps at most.
    convergence_iter : int in [1, inf), default=15
        Steps without a change of exemplars after which to stop.
    copy : bool, default=True
        Whether given similarities are left as they are; otherwise they may get the preferences and
        the noise.
    preference : float, array-like of shape (n,) or None, default=None
        How much each row wants to be an exemplar: more of it, more clusters; None means the median
        similarity.
    affinity : {"euclidean", "precomputed"}, default="euclidean"
        Whether similarities are negative squared distances of rows, or given as X.
    verbose : bool or int, default=False
        Accepted for compatibility.
    random_state : int, RandomState or None, default=None
        Of the noise of a few units in the last place that tells equal similarities apart.

    Attributes
    ----------
    cluster_centers_indices_ : array of shape (n_clusters,)
        The exemplars.
    cluster_centers_ : array of shape (n_clusters, n_features)
        Their rows; unless affinity is "precomputed".
    labels_ : array of shape (n,)
        The exemplar of every row, by its place; -1 where none was found.
    affinity_matrix_ : array of shape (n, n)
        The similarities.
    n_iter_ : int
        Steps taken.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1.0, 2.0], [1.0, 4.0], [1.0, 0.0], [4.0, 2.0], [4.0, 4.0], [4.0, 0.0]]
    >>> model = AffinityPropagation(random_state=5).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> model.predict([[0.0, 0.0], [4.0, 4.0]])
    array([0, 1])

    References
    ----------
    Frey & Dueck (2007), Clustering by passing messages between data points, Science.
    """

    cluster_centers_indices_: Any
    cluster_centers_: Any
    affinity_matrix_: Array
    n_iter_: int

    def __init__(
        self,
        *,
        damping: Annotated[float, Interval(0.5, 1, closed="left")] = 0.5,
        max_iter: Annotated[int, Interval(1, inf)] = 200,
        convergence_iter: Annotated[int, Interval(1, inf)] = 15,
        copy: bool = True,
        preference: float | Annotated[Any, Numbers()] | None = None,
        affinity: Annotated[str, Options("euclidean", "precomputed")] = "euclidean",
        verbose: bool | int = False,
        random_state: RandomState = None,
    ) -> None:
        self.damping = damping
        self.max_iter = max_iter
        self.convergence_iter = convergence_iter
        self.copy = copy
        self.preference = preference
        self.affinity = affinity
        self.verbose = verbose
        self.random_state = random_state

    def _tags(self) -> Tags:
        given = self.affinity == "precomputed"
        return super()._tags().but(pairwise=given, sparse=not given)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the exemplars.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with affinity="precomputed" the (n, n) similarities among them.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = self._read(X, reset=True).x
        given = self.affinity == "precomputed"
        if given and rows.shape[0] != rows.shape[1]:
            raise InvalidDataError(
                f"The matrix of similarities must be a square array. Got {rows.shape} instead."
            )
        if given:
            similarities = rows.copy() if self.copy or not rows.flags.writeable else rows
        else:
            similarities = -measured(rows, rows, SquaredEuclidean()).write()
        if not np.isfinite(similarities).all():
            raise NumericalError(
                "AffinityPropagation: squared distances between these rows exceed what doubles "
                "hold; scale the columns first."
            )
        wanted = np.median(similarities) if self.preference is None else self.preference
        preference = np.asarray(wanted, dtype=similarities.dtype)
        if preference.ndim > 1 or (preference.ndim and len(preference) != len(similarities)):
            raise InvalidParameterError(
                "AffinityPropagation: preference must be one number, or one for each row; got "
                f"shape {preference.shape} for {len(similarities)} rows."
            )
        found = elect(
            similarities,
            preference,
            _Messages(self.damping, self.max_iter, min(self.convergence_iter, self.max_iter)),
            generator(self.random_state),
        )
        self.affinity_matrix_ = similarities
        self.cluster_centers_indices_, self.labels_, self.n_iter_ = found
        if not given:
            self.cluster_centers_ = rows[self.cluster_centers_indices_].copy()
        return self

    def predict(self, X: Any) -> Integers:
        """The nearest exemplar of each row; not with affinity="precomputed".

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
            -1 everywhere if there are no exemplars.
        """
        self._check_fitted()
        rows = self._read(X, reset=False).x
        if self.affinity == "precomputed":
            raise InvalidParameterError(
                "Predict method is not supported when affinity='precomputed'."
            )
        if self.cluster_centers_.shape[0]:
            return measured(rows, self.cluster_centers_, Euclidean()).nearest(1)[1][:, 0]
        _warn(
            "This model does not have any cluster centers because affinity propagation did not "
            "converge. Labeling every sample as '-1'.",
            ConvergenceWarning,
        )
        return np.full(rows.shape[0], -1)


class _Messages(NamedTuple):
    """How messages are exchanged, and how long."""

    damping: float
    max_iter: int
    patience: int


def elect(
    s: Array, preference: Array, messages: _Messages, random: Any
) -> tuple[Integers, Integers, int]:
    """Exemplars, labels and the number of steps; `s` gets the preferences and a little noise."""
    n = len(s)
    if n == 1 or _all_equal(s, preference):
        _warn(
            "All samples have mutually equal similarities. Returning arbitrary cluster center(s).",
            StylobateWarning,
        )
        if preference.flat[0] > s.flat[n - 1]:
            return np.arange(n), np.arange(n), 0
        return np.array([0]), np.zeros(n, dtype=np.intp), 0
    np.fill_diagonal(s, preference)
    limits = np.finfo(s.dtype)
    s += (limits.eps * s + limits.tiny * 100) * random.standard_normal(size=(n, n))
    chosen, steps, settled = _exchange(s, messages)
    if not len(chosen):
        _warn(
            "Affinity propagation did not converge and this model will not have any cluster "
            "centers.",
            ConvergenceWarning,
        )
        return np.empty(0, dtype=np.intp), np.full(n, -1, dtype=np.intp), steps
    if not settled:
        _warn(
            "Affinity propagation did not converge, this model may return degenerate cluster "
            "centers and labels.",
            ConvergenceWarning,
        )
    return *_refined(s, chosen), steps


def _all_equal(s: Array, preference: Array) -> bool:
    apart = s[~np.eye(len(s), dtype=bool)]
    return bool((preference == preference.flat[0]).all() and (apart == apart[0]).all())


def _exchange(s: Array, messages: _Messages) -> tuple[Integers, int, bool]:
    """The exemplars when messages stop, the steps, and whether nothing changed any more."""
    n, damping = len(s), messages.damping
    available, responsible, new = np.zeros((3, n, n))
    each = np.arange(n)
    history = np.zeros((n, messages.patience), dtype=bool)
    for step in range(messages.max_iter):
        np.add(available, s, out=new)
        best = np.argmax(new, axis=1)
        first = new[each, best]
        new[each, best] = -np.inf
        second = new.max(axis=1)
        np.subtract(s, first[:, None], out=new)
        new[each, best] = s[each, best] - second
        new *= 1 - damping
        responsible *= damping
        responsible += new
        np.maximum(responsible, 0, out=new)
        new[each, each] = responsible[each, each]
        new -= new.sum(axis=0)
        own = new[each, each].copy()
        np.clip(new, 0, np.inf, out=new)
        new[each, each] = own
        new *= 1 - damping
        available *= damping
        available -= new
        chosen = (available[each, each] + responsible[each, each]) > 0
        history[:, step % messages.patience] = chosen
        same = (history.all(axis=1) | ~history.any(axis=1)).all()
        if step >= messages.patience and same and chosen.any():
            return np.flatnonzero(chosen), step + 1, True
    return np.flatnonzero(chosen), messages.max_iter, False


def _refined(s: Array, chosen: Integers) -> tuple[Integers, Integers]:
    """The row of each cluster that is most similar to all of it, and the labels by these."""
    exemplars = chosen.copy()
    label = _nearest(s, exemplars)
    for k in range(len(exemplars)):
        members = np.flatnonzero(label == k)
        exemplars[k] = members[np.argmax(s[np.ix_(members, members)].sum(axis=0))]
    labels = exemplars[_nearest(s, exemplars)]
    centres = np.unique(labels)
    return centres, np.searchsorted(centres, labels)


def _nearest(s: Array, exemplars: Integers) -> Integers:
    label: Integers = np.argmax(s[:, exemplars], axis=1)
    label[exemplars] = np.arange(len(exemplars))
    return label


def _warn(message: str, kind: type[Warning]) -> None:
    warnings.warn(message, joined(kind), stacklevel=user_stacklevel())


def affinity_propagation(
    S: Any,
    *,
    preference: Any = None,
    convergence_iter: int = 15,
    max_iter: int = 200,
    damping: float = 0.5,
    copy: bool = True,
    verbose: bool = False,
    return_n_iter: bool = False,
    random_state: Any = None,
) -> Any:
    """The exemplars and labels of `AffinityPropagation` from similarities.

    Parameters
    ----------
    S : array-like of shape (n, n)
        Similarities.
    preference, convergence_iter, max_iter, damping, copy, verbose, random_state
        As of `AffinityPropagation`.
    return_n_iter : bool, default=False
        Whether to return the number of steps, too.

    Returns
    -------
    cluster_centers_indices : array of shape (n_clusters,)
    labels : array of shape (n,)
    n_iter : int, only if `return_n_iter`

    Examples
    --------
    >>> X = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 0.0], [4.0, 2.0], [4.0, 4.0], [4.0, 0.0]])
    >>> S = -((X[:, None] - X[None]) ** 2).sum(axis=2)
    >>> affinity_propagation(S, random_state=0)
    (array([0, 3]), array([0, 0, 0, 1, 1, 1]))
    """
    model = AffinityPropagation(
        damping=damping,
        max_iter=max_iter,
        convergence_iter=convergence_iter,
        copy=copy,
        preference=preference,
        affinity="precomputed",
        verbose=verbose,
        random_state=random_state,
    ).fit(S)
    found = model.cluster_centers_indices_, model.labels_
    return (*found, model.n_iter_) if return_n_iter else found
