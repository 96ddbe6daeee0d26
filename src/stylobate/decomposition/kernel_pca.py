"""Principal components in the feature space of a kernel."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, RandomState, Tags, TransformerMixin
from stylobate.base.constraints import CallableObject, Instance
from stylobate.data import Table, read_table
from stylobate.decomposition.centred_kernel import centred_kernel
from stylobate.decomposition.centred_matrix import (
    CentredMatrix,
    EigenRequest,
    LeadingPairs,
    leading_pairs,
    warn_slow,
)
from stylobate.decomposition.preimages import preimage_coefficients
from stylobate.decomposition.projection import wrap_rows
from stylobate.decomposition.semidefinite import checked_eigenvalues
from stylobate.decomposition.spectrum import signed
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    NotFittedError,
    joined,
)
from stylobate.kernels import Kernel
from stylobate.kernels.request import KERNEL_NAMES, KernelRequest
from stylobate.parallel import join_threadpoolctl
from stylobate.splits.splitter import generator

_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)


class KernelPCA(TransformerMixin, BaseEstimator):
    r"""Principal components of the features behind a kernel, which are never computed.

    With the Gram matrix K of n points and :math:`H = I - \frac1n 11^T`,

    .. math:: HKH\,v_j = λ_j v_j,\qquad
        z_j(x) = \frac1{\sqrt{λ_j}} \sum_i v_{ij}\,\tildeκ(x, x_i)

    with :math:`\tildeκ` the kernel of centred features. For few components the matrix is multiplied
    with blocks of vectors (block Krylov iteration until the residuals are small) and never
    decomposed; beyond 20,000 points it is not stored either.

    Parameters
    ----------
    n_components : int in [1, inf) or None, default=None
        How many components; None: all with a positive eigenvalue.
    kernel : {"linear", "poly", "rbf", "sigmoid", "cosine", "precomputed"}, Kernel or callable, \
default="linear"
        A name, a value of `stylobate.kernels`, or a function of two rows.
    gamma : float in [0, inf) or None, default=None
        Of "rbf", "poly", "sigmoid"; None: 1 / n_features.
    degree : float in [0, inf), default=3
        Of "poly".
    coef0 : float, default=1
        Of "poly" and "sigmoid".
    kernel_params : dict or None, default=None
        Further arguments of a function.
    alpha : float in [0, inf), default=1.0
        Ridge penalty of the regression that learns `inverse_transform`.
    fit_inverse_transform : bool, default=False
        Whether to learn approximate pre-images: a kernel ridge regression of rows on scores.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        "dense": all eigenvalues. "arpack": the leading ones to the last digit (here by block
        Krylov iteration). "randomized": a fixed number of steps, the eigenvalues of largest size.
        "auto": "dense" for few points or many components, else iteration to a residual of 1e-10.
    tol : float in [0, inf), default=0
        Relative residual at which iterations stop; 0: as said above.
    max_iter : int in [1, inf) or None, default=None
        Most products with a block; None: 400.
    iterated_power : int in [0, inf) or "auto", default="auto"
        Steps of "randomized".
    remove_zero_eig : bool, default=False
        Whether components with the eigenvalue 0 are dropped; always with ``n_components=None``.
    random_state : int, RandomState or None, default=None
        Seed of the first directions.
    copy_X : bool, default=True
        Whether a copy of the rows is kept for `transform`; X is never written to.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    eigenvalues_ : array of shape (n_components,)
        λ, the largest first.
    eigenvectors_ : array of shape (n, n_components)
        v; of each the entry of largest size is positive.
    explained_variance_ratio_ : array of shape (n_components,)
        λ by the sum of all eigenvalues.
    certificate_ : ComponentCertificate
        A bound for the error of each eigenpair.
    kernel_means_ : array of shape (n,)
        Mean of the kernel of each point with all points.
    dual_coef_, X_transformed_fit_
        Of the regression for pre-images.
    X_fit_ : array or csr_array of shape (n, n_features)
        The rows; not kept of a precomputed kernel.
    gamma_, n_features_in_, feature_names_in_
        As in scikit-learn.
    solver_reason_ : str
        Which method was used and why.

    Examples
    --------
    Two rings become two heaps:

    >>> import numpy as np
    >>> angle = np.linspace(0.0, 6.0, 20)
    >>> ring = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> model = KernelPCA(1, kernel="rbf", gamma=0.5).fit(np.vstack([ring, 4.0 * ring]))
    >>> print(model.certificate_.verdict)
    All 1 components are exact to 1e-14 of their direction or better.
    >>> model.transform([[0.5, 0.5], [3.0, 3.0]]).round(2)
    array([[ 0.47],
           [-0.37]])

    References
    ----------
    Schölkopf, Smola & Müller (1998), Nonlinear component analysis as a kernel eigenvalue problem,
    Neural Computation 10. Bakır, Weston & Schölkopf (2004), Learning to find pre-images, NeurIPS.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] | None = None,
        *,
        kernel: Annotated[str, Options(*KERNEL_NAMES)]
        | Annotated[Any, Instance(Kernel)]
        | Annotated[Any, CallableObject()] = "linear",
        gamma: Annotated[float, Interval(0, inf)] | None = None,
        degree: Annotated[float, Interval(0, inf)] = 3,
        coef0: Annotated[float, Interval(-inf, inf, closed="neither")] = 1,
        kernel_params: Annotated[Any, Instance(dict)] | None = None,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: Annotated[str, Options("auto", "dense", "arpack", "randomized")] = "auto",
        tol: Annotated[float, Interval(0, inf)] = 0,
        max_iter: Annotated[int, Interval(1, inf)] | None = None,
        iterated_power: Annotated[int, Interval(0, inf)] | Annotated[str, Options("auto")] = "auto",
        remove_zero_eig: bool = False,
        random_state: RandomState = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs

    def _tags(self) -> Tags:
        given = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return (
            super()._tags().but(sparse=True, pairwise=given, preserves_dtype=("float64", "float32"))
        )

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    @property
    def _request(self) -> KernelRequest:
        return KernelRequest(self.kernel, self.gamma_, self.degree, self.coef0, self.kernel_params)

    # --- learning -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components of rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for "precomputed" the kernel matrix.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        r"""Find the components of rows, and their scores: :math:`\sqrt{λ_j}\,v_j`.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        table = self._learn(X)
        return self._wrap(self._scores(table), table)

    def _learn(self, X: Any) -> Table:
        self._check_parameters()
        join_threadpoolctl()
        given = self._tags().pairwise
        if self.fit_inverse_transform and given:
            raise InvalidParameterError(
                "KernelPCA: Cannot fit_inverse_transform with a precomputed kernel: without the "
                "rows there is nothing to go back to; set kernel to a name or a value."
            )
        table = self._read(X, reset=True)
        rows = table.x.tocsr() if table.is_sparse else table.x
        if given and rows.shape[0] != rows.shape[1]:
            raise InvalidDataError(
                f"KernelPCA: a precomputed kernel is a square matrix, X has shape {rows.shape}."
            )
        self.gamma_ = 1.0 / rows.shape[1] if self.gamma is None else self.gamma
        centred = centred_kernel(self._request, rows)
        n = centred.order
        wanted = n if self.n_components is None else min(n, self.n_components)
        request = EigenRequest(self.eigen_solver, self.tol, self.max_iter, self.iterated_power)
        found = leading_pairs(centred, wanted, request, generator(self.random_state))
        if not found.pairs.converged:
            warn_slow("KernelPCA", found.pairs)
        single = given and rows.dtype == np.float32
        self._store(found, centred, single)
        self.solver_reason_ = found.reason
        if not given:  # of a kernel matrix nothing is needed again
            self.X_fit_ = rows.copy() if self.copy_X else rows
        if self.fit_inverse_transform:
            self._learn_inverse(table, rows)
        return table

    def _store(self, found: LeadingPairs, centred: CentredMatrix, single: bool) -> None:
        values = checked_eigenvalues(found.pairs.values, single=single)
        rounding = _ROUNDING * abs(centred.trace)  # of the kernel before its means were taken off
        values = np.where(values <= rounding, 0.0, values)
        order = np.argsort(-values, kind="stable")
        if self.remove_zero_eig or self.n_components is None:
            order = order[values[order] > 0]
        self.eigenvalues_ = values[order]
        self.eigenvectors_ = np.ascontiguousarray(signed(found.pairs.vectors.T[order]).T)
        self.kernel_means_ = centred.column_means
        total = max(centred.centred_trace, np.finfo(float).tiny)
        self.explained_variance_ratio_ = self.eigenvalues_ / total
        self.certificate_ = found.certificate(self.eigenvalues_, order, total)

    def _learn_inverse(self, table: Table, rows: Any) -> None:
        if table.is_sparse:
            raise NotImplementedError(
                "KernelPCA: Inverse transform not implemented for sparse matrices! Give dense rows."
            )
        scores = self._scores(table)
        self.dual_coef_ = preimage_coefficients(self._request.matrix(scores), rows, self.alpha)
        self.X_transformed_fit_ = scores

    # --- new points -----------------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        """The scores of rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (m, n_features)
            Rows; for "precomputed" their kernel with the n points of the fit.

        Returns
        -------
        array or frame of shape (m, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        rows = table.x.tocsr() if table.is_sparse else table.x
        values = self.eigenvalues_
        factors = self.eigenvectors_ / np.sqrt(np.where(values > 0, values, 1.0))
        factors = np.where(values > 0, factors - factors.mean(axis=0), 0.0)
        known = getattr(self, "X_fit_", None)  # none of a precomputed kernel
        scores = self._request.product(rows, known, factors) - self.kernel_means_ @ factors
        return self._wrap(scores.astype(table.x.dtype, copy=False), table)

    def inverse_transform(self, X: Any) -> Any:
        """Rows whose scores are about X: pre-images by the regression of rows on scores.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n_components)
            Scores.

        Returns
        -------
        array or frame of shape (m, n_features)
        """
        if not self.fit_inverse_transform:
            raise joined(NotFittedError)(
                "The fit_inverse_transform parameter was not set to True when instantiating and "
                "hence the inverse transform is not available."
            )
        self._check_fitted()
        table = read_table(X, owner="KernelPCA")
        if table.n_features != self._n_features_out:
            raise InvalidDataError(
                f"KernelPCA.inverse_transform: X has {table.n_features} columns; the model has "
                f"{self._n_features_out} components."
            )
        rows = self._request.product(table.x, self.X_transformed_fit_, self.dual_coef_)
        return wrap_rows(self, rows.astype(table.x.dtype, copy=False), table)

    def _scores(self, table: Table) -> Array:
        scores = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        return np.asarray(scores.astype(table.x.dtype, copy=False))
