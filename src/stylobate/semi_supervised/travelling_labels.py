"""What `LabelPropagation` and `LabelSpreading` share: weights, steps until rest, new rows."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, ClassifierMixin, Interval, Options, Tags
from stylobate.base.constraints import CallableObject
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.distances import SquaredEuclidean, measured
from stylobate.exceptions import ConvergenceWarning, ModelFileError, StylobateWarning, joined
from stylobate.kernels import RBF, kernel_product
from stylobate.kernels.table_functions import called_on_tables
from stylobate.neighbors import NearestNeighbors
from stylobate.semi_supervised.partial_labels import read_partial_labels
from stylobate.semi_supervised.weights_of_pairs import checked_weights, weights_of_pairs

KernelChoice = Annotated[str, Options("knn", "rbf")] | Annotated[Any, CallableObject()]
Gamma = Annotated[float, Interval(0, inf)]
Neighbors = Annotated[int, Interval(0, inf, closed="neither")]
MaxIter = Annotated[int, Interval(0, inf, closed="neither")]
Tolerance = Annotated[float, Interval(0, inf)]


class TravellingLabels(ClassifierMixin, BaseEstimator):
    """A classifier whose labels travel along weights of pairs of rows."""

    kernel: Any
    gamma: float
    n_neighbors: int
    max_iter: int
    tol: float
    X_: Any
    classes_: NDArray[Any]
    label_distributions_: Array
    transduction_: NDArray[Any]
    n_iter_: int
    residual_: float

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True)

    @abstractmethod
    def _build_graph(self) -> Any:
        """The matrix of one step, from the weights of the rows."""

    @abstractmethod
    def _step(self, known: Array) -> Callable[[Any, Array], Array]:
        """One step, a function of the matrix and the distributions.

        `known`: ones at the class of each row that has one.
        """

    def _weights(self) -> Any:
        return weights_of_pairs(
            self.kernel, float(self.gamma), int(self.n_neighbors), self.X_, type(self).__name__
        )

    def fit(self, X: Any, y: Any) -> Self:
        """Let the labels travel to the rows that have none.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, with a label and without.
        y : array-like of shape (n,)
            Labels; -1 for rows without one.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = self._rows_of(X, reset=True)
        owner = type(self).__name__
        _, self.classes_, codes = read_partial_labels(y, owner=owner, n_rows=rows.shape[0])
        self.X_ = rows
        known = (codes[:, None] == np.arange(len(self.classes_))).astype(np.float64)
        found = self._at_rest(self._build_graph(), self._step(known), known)
        self.label_distributions_ = shares(found)
        self.transduction_ = self.classes_[self.label_distributions_.argmax(axis=1)]
        self._warn_unreached()
        return self

    def _at_rest(self, graph: Any, step: Callable[[Any, Array], Array], start: Array) -> Array:
        """Steps until the sum of all changes is below `tol`."""
        before, now = np.zeros_like(start), start
        for taken in range(int(self.max_iter)):
            self.n_iter_, self.residual_ = taken, float(np.abs(now - before).sum())
            if self.residual_ < self.tol:
                return now
            before, now = now, step(graph, now)
        self.n_iter_, self.residual_ = int(self.max_iter), float(np.abs(now - before).sum())
        warnings.warn(
            f"{type(self).__name__}: max_iter={self.max_iter} was reached without convergence. "
            f"The last step still changed the distributions by {self.residual_:.2g} in all; raise "
            "max_iter, or tol.",
            joined(ConvergenceWarning),
            stacklevel=user_stacklevel(),
        )
        return now

    def _warn_unreached(self) -> None:
        left = int((self.label_distributions_.sum(axis=1) == 0.0).sum())
        if left:
            warnings.warn(
                f"{type(self).__name__}: no label has reached {left} of {len(self.transduction_)} "
                f"rows, whose transduction_ says {self.classes_[0]!r} for want of better. Let "
                "more rows be neighbours: a smaller gamma or more n_neighbors.",
                joined(StylobateWarning),
                stacklevel=user_stacklevel(),
            )

    # --- new rows -------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> Array:
        """The chance of each class: the distributions of the fit's rows, weighted.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
            Where no row of the fit has a weight, that of the nearest for "rbf", and otherwise the
            mean distribution of the fit.
        """
        self._check_fitted()
        rows = self._rows_of(X, reset=False)
        rows = _like(rows, self.X_)
        if not isinstance(self.kernel, str):
            shape = (self.X_.shape[0], rows.shape[0])
            owner = type(self).__name__
            given = called_on_tables(self.kernel, self.X_, rows, owner)
            weights = checked_weights(given, shape, owner)
            sums = np.asarray(weights.T @ self.label_distributions_)
        elif self.kernel == "knn":
            index = NearestNeighbors(n_neighbors=int(self.n_neighbors)).fit(self.X_)
            near = index.kneighbors(rows, return_distance=False)
            sums = self.label_distributions_[near].sum(axis=1)
        else:
            sums = kernel_product(RBF(float(self.gamma)), rows, self.X_, self.label_distributions_)
            far = np.flatnonzero(sums.sum(axis=1) < np.finfo(float).tiny)
            if len(far):
                sums[far] = self._far_away(rows[far])
        found = shares(sums)
        found[found.sum(axis=1) == 0.0] = shares(self.label_distributions_.mean(axis=0)[None])
        return found

    def _far_away(self, rows: Any) -> Array:
        """Weights relative to the largest one, for rows where all are too small for a double."""
        reached = np.flatnonzero(self.label_distributions_.any(axis=1))
        squares = measured(rows, self.X_[reached], SquaredEuclidean()).write()
        squares -= squares.min(axis=1, keepdims=True)
        weights = np.exp(-float(self.gamma) * squares)
        return np.asarray(weights @ self.label_distributions_[reached])

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the largest chance.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        chances = self.predict_proba(X)
        return np.asarray(self.classes_[chances.argmax(axis=1)])

    def _rows_of(self, X: Any, *, reset: bool) -> Any:
        table = self._read(X, reset=reset, y_required=False)
        if table.is_sparse:
            return table.x.tocsr().astype(np.float64)
        return np.ascontiguousarray(table.x, dtype=np.float64)

    def _check_loaded(self) -> None:
        """Refuse a file whose rows, distributions and classes do not belong together."""
        if "X_" not in vars(self):
            return
        n, k = getattr(self.X_, "shape", (0, 0))[0], len(self.classes_)
        found = self.label_distributions_
        if (
            not isinstance(found, np.ndarray)
            or found.shape != (n, k)
            or found.dtype.kind != "f"
            or not k
        ):
            raise ModelFileError(
                f"The {type(self).__name__} of the file has distributions that are not those of "
                "its rows and classes."
            )


def shares(sums: Array) -> Array:
    """Rows divided by their sums; rows of zeros stay."""
    total = sums.sum(axis=1, keepdims=True)
    return np.asarray(sums / np.where(total == 0.0, 1.0, total))


def _like(rows: Any, known: Any) -> Any:
    """Rows sparse or dense as the known ones are."""
    if is_sparse(rows) == is_sparse(known):
        return rows
    if is_sparse(rows):
        return rows.toarray()
    from scipy.sparse import csr_array

    return csr_array(rows)
