"""What all kernel machines share: how points are read, the kernel, decisions of new points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Tags
from stylobate.data import read_weights
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.kernels import Kernel, Linear
from stylobate.kernels.kernel import count_of
from stylobate.optimize.certificate import Certificate
from stylobate.svm.duals.conditions import KKTReport, MachineConditions
from stylobate.svm.kernel_matrix.kernel_points import (
    KernelPoints,
    are_rows,
    check_gram,
    dense_if_few,
    named_kernel,
    taken,
    width,
)
from stylobate.svm.machines.loaded import check_machine
from stylobate.svm.machines.machine import (
    Machine,
    SolverRequest,
    warn_early,
    warn_indefinite,
    warn_no_margin,
)


class KernelMachine(BaseEstimator):
    """An estimator whose decisions are sums of kernels with its support vectors."""

    kernel: Any
    degree: Any
    gamma: Any
    coef0: Any
    tol: Any
    cache_size: Any
    max_iter: Any
    solver: Any
    verbose: Any
    support_: NDArray[np.int32]
    support_vectors_: Any
    dual_coef_: Any
    intercept_: Array
    shape_fit_: tuple[int, ...]
    fit_status_: int
    certificate_: Certificate
    _n_support: NDArray[np.int32]
    _gamma: float
    _sparse: bool
    _conditions: tuple[MachineConditions, ...]

    def _tags(self) -> Tags:
        given = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return super()._tags().but(sparse=not given, pairwise=given)

    # --- reading --------------------------------------------------------------------------------

    def _reads_raw(self, X: Any) -> bool:
        """Whether points are handed to the kernel as they come: to functions, or texts and sets."""
        if isinstance(self.kernel, str):
            return False
        return not isinstance(self.kernel, Kernel) or not are_rows(X)

    def _points_of_fit(self, X: Any) -> KernelPoints:
        """The points of a fit with their kernel, checked and remembered."""
        owner = type(self).__name__
        if self._tags().pairwise and is_sparse(X):
            raise UnsupportedDataError(
                f"{owner}: Sparse precomputed kernels are not supported; give a dense matrix."
            )
        vars(self).pop("_fit_points", None)
        if self._reads_raw(X):
            self._fit_points = X
            points = KernelPoints(self.kernel, X, owner)
            self._gamma, self._sparse = 0.0, False
            self.shape_fit_ = tuple(X.shape) if hasattr(X, "shape") else (count_of(X),)
            matrix = points.matrix(X)
            check_gram(matrix, owner)
            return KernelPoints("precomputed", matrix, owner)
        rows = self._rows_of(X, reset=True)
        self._sparse = is_sparse(rows)
        self.shape_fit_ = tuple(int(size) for size in rows.shape)
        if self._tags().pairwise:
            check_gram(rows, owner)
            self._gamma = 0.0
            return KernelPoints("precomputed", rows, owner)
        self._gamma = width(self.gamma, rows)
        return KernelPoints(self._kernel_value(), rows, owner)

    def _rows_of(self, X: Any, *, reset: bool) -> Any:
        table = self._read(X, reset=reset, y_required=False)
        if table.is_sparse:
            rows = table.x.tocsr()
            return rows if rows.dtype == np.float64 else rows.astype(np.float64)
        return np.ascontiguousarray(table.x, dtype=np.float64)

    def _weights_of(self, sample_weight: Any, n: int) -> Array:
        """Weights of the rows: what is not positive counts as 0, but not all of them may be."""
        given = np.asarray(sample_weight) if sample_weight is not None else np.ones(1)
        weights = (
            read_weights(sample_weight, n, owner=type(self).__name__, negative=True)
            if given.dtype.kind not in "biuf" or given.any()
            else np.zeros(n)
        )
        if weights is None:
            return np.ones(n)
        kept = np.maximum(weights, 0.0)
        if not kept.any():
            raise InvalidDataError(
                "Invalid input - all samples have zero or negative weights; give at least one row "
                "a positive weight."
            )
        return np.asarray(kept)

    @property
    def _request(self) -> SolverRequest:
        return SolverRequest(
            float(self.tol), int(self.max_iter), float(self.cache_size), self.solver,
            self.verbose, type(self).__name__,
        )  # fmt: skip

    # --- what was learnt ------------------------------------------------------------------------

    def _store(self, points: KernelPoints, machines: list[Machine]) -> None:
        """Support vectors, certificate and conditions, once `support_` and `dual_coef_` are set."""
        if points.is_given:
            self.support_vectors_ = np.empty((0, 0))
        else:
            self.support_vectors_ = points.points[self.support_]
        if self._sparse:
            from scipy.sparse import csr_array

            self.dual_coef_ = csr_array(self.dual_coef_)
        self.fit_status_ = warn_early(machines, self._request)
        warn_no_margin(machines, self._request)
        if points.is_given:
            warn_indefinite(machines, points, type(self).__name__)
        self._conditions = tuple(machine.conditions for machine in machines)
        certificates = [each.certificate for each in self._conditions]
        self.certificate_ = max(certificates, key=lambda each: each.relative_gap)
        self.solver_reason_ = machines[0].reason

    @property
    def n_support_(self) -> NDArray[np.int32]:
        """How many support vectors there are, of each class for a classifier."""
        if "_n_support" not in vars(self):
            raise AttributeError(
                f"{type(self).__name__} has no n_support_ before it is fitted; call fit."
            )
        return self._n_support

    @property
    def coef_(self) -> Any:
        """Weights of the columns, for a linear kernel: read-only."""
        if not self._is_linear:
            raise AttributeError("coef_ is only available when using a linear kernel")
        if "_n_support" not in vars(self):
            raise AttributeError(
                f"{type(self).__name__} has no coef_ before it is fitted; call fit."
            )
        weights = self._linear_weights()
        held = weights.data if is_sparse(weights) else weights
        held.flags.writeable = False
        return weights

    @property
    def _is_linear(self) -> bool:
        return isinstance(self.kernel, Linear) or (
            isinstance(self.kernel, str) and self.kernel == "linear"
        )

    def _linear_weights(self) -> Any:
        coefficients, vectors = dense_if_few(self.dual_coef_, self.support_vectors_)
        weights = coefficients @ vectors
        if not self._sparse:
            return np.asarray(weights)
        from scipy.sparse import csr_array

        return csr_array(weights)

    def kkt_report(self) -> KKTReport:
        """The optimality conditions at the answer: free, bound and violating points, the margin.

        Returns
        -------
        KKTReport
            As data; ``print`` gives sentences.
        """
        self._check_fitted()
        return KKTReport(self._conditions)

    # --- new points -----------------------------------------------------------------------------

    def _kernel_value(self) -> Any:
        return named_kernel(self.kernel, self._gamma, self.degree, self.coef0)

    def _known_points(self) -> tuple[KernelPoints, Any]:
        """The points decisions are made from, and where among them the support vectors are."""
        owner = type(self).__name__
        if "_fit_points" in vars(self):
            return KernelPoints(self.kernel, self._fit_points, owner), self.support_
        kernel = self._kernel_value()
        if isinstance(kernel, str):
            return KernelPoints(kernel, None, owner), self.support_
        return KernelPoints(kernel, self.support_vectors_, owner), np.arange(len(self.support_))

    def _queries(self, X: Any) -> Any:
        """New points as the kernel takes them."""
        self._check_fitted()
        self._check_counts()
        if "_fit_points" in vars(self):
            return X
        rows = self._rows_of(X, reset=False)
        if self._tags().pairwise and rows.shape[1] != self.shape_fit_[0]:
            raise InvalidDataError(
                f"X.shape[1] = {rows.shape[1]} should be equal to {self.shape_fit_[0]}, the number "
                "of samples at training time"
            )
        if is_sparse(rows) and not self._sparse:
            raise InvalidDataError(
                f"cannot use sparse input in {type(self).__name__!r} trained on dense data; call "
                "X.toarray()."
            )
        if self._sparse and not is_sparse(rows):
            from scipy.sparse import csr_array

            return csr_array(rows)
        return rows

    def _check_counts(self) -> None:
        vectors = self.support_vectors_
        altered = not self._sparse and vectors.size and self.n_support_.sum() != vectors.shape[0]
        if altered:
            raise InvalidDataError(
                f"The internal representation of {type(self).__name__} was altered: it has "
                f"{vectors.shape[0]} support vectors and counts {self.n_support_.sum()}; fit it "
                "again."
            )

    def _dense_coefficients(self) -> Array:
        coefficients = self.dual_coef_
        return coefficients.toarray() if is_sparse(coefficients) else np.asarray(coefficients)

    def _sums(self, X: Any) -> Array:
        """Σ β_i κ(x_i, x) + b of a single machine."""
        queries = self._queries(X)
        if self._is_linear:
            left, right = dense_if_few(queries, self._linear_weights())
            product = left @ right.T
            found = product.toarray() if is_sparse(product) else np.asarray(product)
        elif not len(self.support_):
            found = np.zeros((count_of(queries), 1))
        else:
            points, chosen = self._known_points()
            found = points.product(queries, chosen, self._dense_coefficients().T)
        return np.asarray(found + self.intercept_)

    def _support_gram(self, X: Any) -> Array:
        """The kernel among the support vectors; X only where the model does not keep them."""
        points, chosen = self._known_points()
        if points.is_given:
            if X is None:
                raise InvalidDataError(
                    f"{type(self).__name__}: of a precomputed kernel the model keeps no points; "
                    "give the kernel matrix of the fit as X."
                )
            return np.asarray(X, dtype=np.float64)[np.ix_(self.support_, self.support_)]
        some = taken(points.points, chosen)
        return points.matrix(some)[:, chosen]

    def _check_loaded(self) -> None:
        """Refuse support vectors and coefficients of a file that are not of the same machine."""
        if "support_" in vars(self):
            check_machine(self)
