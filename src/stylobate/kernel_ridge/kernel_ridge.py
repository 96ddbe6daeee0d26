"""Kernel ridge regression."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, Numbers, Options
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, joined
from stylobate.kernel_ridge.certificate import KernelRidgeCertificate
from stylobate.kernel_ridge.cholesky import solve_directly
from stylobate.kernel_ridge.conjugate_gradients import IterativeSolution, solve_iteratively
from stylobate.kernel_ridge.regressor import (
    Constant,
    Degree,
    FunctionParameters,
    KernelParameter,
    KernelRegressor,
    Width,
)
from stylobate.kernel_ridge.system import KernelSystem, penalties
from stylobate.kernels.request import KernelRequest
from stylobate.parallel import join_threadpoolctl

EXACT_ROWS = 10_000  # up to which "auto" keeps the kernel matrix: 0.8 GB
_MAX_ITER = 500


class KernelRidge(KernelRegressor):
    r"""Ridge regression in the space of a kernel's features.

    .. math:: f(x) = \sum_i a_i\,\kappa(x, x_i), \qquad
              \min_f \; \sum_i w_i\,(y_i - f(x_i))^2 + \alpha \|f\|^2,
              \qquad a = (K + \alpha W^{-1})^{-1} y

    There is no intercept: centre y, or add a constant to the kernel.

    Thousands of rows are solved exactly, by a Cholesky factor in the place of half of the kernel
    matrix. More of them by conjugate gradients, preconditioned by Nyström's approximation from rows
    drawn with a fixed seed: products with K are computed by tiles, and nothing of the size n × n is
    stored. Either way the residual of the answer is computed, and `certificate_` says what it
    proves about coefficients and predictions.

    Parameters
    ----------
    alpha : float in [0, inf) or array of shape (n_targets,), default=1
        Strength of the penalty.
    kernel : str, Kernel or callable, default="linear"
        A name ("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "chi2", "additive_chi2"),
        "precomputed", a value of `stylobate.kernels`, or a function of two rows.
    gamma : float in [0, inf) or None, default=None
        Of the named kernels; None for 1 / n_features (1 for chi2).
    degree : float in [0, inf), default=3
        Of "poly".
    coef0 : float, default=1
        Of "poly" and "sigmoid".
    kernel_params : dict or None, default=None
        Further arguments of a function of two rows.
    solver : {"auto", "cholesky", "cg"}, default="auto"
        "auto" takes Cholesky for up to 10 000 rows and for kernels that have no tiles.
    tol : float in [0, inf), default=1e-6
        Of "cg": largest relative residual :math:`\|y - (K + \alpha I)a\| / \|y\|`.
    max_iter : int in [1, inf) or None, default=None
        Of "cg": most products with K; None for 500.

    Attributes
    ----------
    dual_coef_ : array of shape (n,) or (n, n_targets)
        a.
    X_fit_ : array or csr_array of shape (n, n_features)
        The rows, which predictions need; for "precomputed" the kernel matrix.
    certificate_ : KernelRidgeCertificate
        Duality gap, and bounds for the error of coefficients and of every prediction.
    solver_, solver_reason_ : str
        Which method was used, and why.
    n_iter_ : int
        Products with K that "cg" made; 1 for "cholesky".
    residuals_ : array of shape (n_iter_ + 1,)
        Of "cg": relative residuals, the largest of a target.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0.0, 6.0, 40).reshape(-1, 1)
    >>> model = KernelRidge(alpha=0.01, kernel="rbf", gamma=1.0).fit(x, np.sin(x[:, 0]))
    >>> model.predict([[1.0], [2.0]]).round(3)
    array([0.842, 0.909])
    >>> model.certificate_.optimal
    True

    References
    ----------
    Saunders, Gammerman & Vovk (1998), Ridge regression learning algorithm in dual variables, ICML.
    Frangella, Tropp & Udell (2023), Randomized Nyström preconditioning, SIAM Journal on Matrix
    Analysis and Applications 44.
    """

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] | Annotated[Any, Numbers(0, inf)] = 1,
        *,
        kernel: KernelParameter = "linear",
        gamma: Width = None,
        degree: Degree = 3,
        coef0: Constant = 1,
        kernel_params: FunctionParameters = None,
        solver: Annotated[str, Options("auto", "cholesky", "cg")] = "auto",
        tol: Annotated[float, Interval(0, inf)] = 1e-6,
        max_iter: Annotated[int, Interval(1, inf)] | None = None,
    ) -> None:
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter

    @property
    def _request(self) -> KernelRequest:
        return self._request_with(self.gamma)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for "precomputed" the kernel matrix.
        y : array-like of shape (n,) or (n, n_targets)
            Targets.
        sample_weight : float or array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        self
        """
        self._check_parameters()
        join_threadpoolctl()
        table = self._read(X, y, sample_weight, reset=True)
        system = KernelSystem.of(self._request, table, type(self).__name__)
        alpha = penalties(self.alpha, system.y.shape[1], type(self).__name__)
        self.solver_, self.solver_reason_ = self._choice(system)
        if self.solver_ == "cg":
            a, residual = self._iterate(system, alpha)
        else:
            found = solve_directly(system.matrix(), system.y, alpha, type(self).__name__)
            a, residual, self.n_iter_ = found.a, found.residual, 1
        self.certificate_ = KernelRidgeCertificate.of(
            system.y, a, residual, alpha, proved=system.is_mercer
        )
        dual = system.dual_coefficients(a)
        self.dual_coef_ = dual[:, 0].copy() if table.y_is_vector else np.ascontiguousarray(dual)
        self.X_fit_ = system.rows if system.request.is_given else system.rows.copy()
        return self

    def _choice(self, system: KernelSystem) -> tuple[str, str]:
        if self.solver != "auto":
            return self.solver, "asked for"
        if system.order <= EXACT_ROWS:
            return "cholesky", f"{system.order} rows: their kernel matrix is solved exactly"
        if not system.has_tiles:
            return "cholesky", "the kernel has no tiles, so that its matrix is stored anyway"
        return "cg", f"the kernel matrix of {system.order} rows is too large to be stored"

    def _iterate(self, system: KernelSystem, alpha: Any) -> tuple[Any, Any]:
        most = _MAX_ITER if self.max_iter is None else self.max_iter
        found = solve_iteratively(system, alpha, tol=self.tol, max_iter=most)
        self.n_iter_, self.residuals_ = max(found.iterations, 1), found.history
        if not found.converged:
            self._warn_not_converged(found)
        return found.a, found.residual

    def _warn_not_converged(self, found: IterativeSolution) -> None:
        sizes = np.linalg.norm(found.residual, axis=0)
        warnings.warn(
            f"{type(self).__name__}: solver 'cg' stopped after {found.iterations} products with a "
            f"residual of {sizes.max():.2g}, relative {found.history[-1]:.2g}; the tolerance asked "
            f"for was {self.tol:g}. Raise max_iter or alpha; solver='cholesky' needs n² memory.",
            joined(ConvergenceWarning),
            stacklevel=user_stacklevel(),
        )
