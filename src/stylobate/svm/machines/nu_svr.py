"""Support vector regression that finds the width of its tube."""

from __future__ import annotations

from stylobate.arrays import Array
from stylobate.svm.duals.dual import DualProblem
from stylobate.svm.duals.problems import nu_regression_dual
from stylobate.svm.machines import parameters as p
from stylobate.svm.machines.regression import SupportVectorRegressor


class NuSVR(SupportVectorRegressor):
    r"""The flattest function with a tube around it that leaves a share of at most ν outside.

    .. math:: \min_{w, b, ε}\; \tfrac12\|w\|^2 + \sum_i C_i \big(ν ε + \max(0,\, |y_i - f(x_i)| -
        ε)\big)

    Parameters
    ----------
    nu : float in (0, 1], default=0.5
        ν: at most this share of points is outside the tube, at least this share are support
        vectors.
    C : float in (0, inf), default=1.0
        Cost of a point outside the tube.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, Kernel or callable, default="rbf"
        A name, a value of `stylobate.kernels`, or a function of two tables that gives the matrix of
        all pairs.
    degree : int in [0, inf), default=3
        Of "poly".
    gamma : {"scale", "auto"} or float in [0, inf), default="scale"
        Of "rbf", "poly" and "sigmoid"; "scale": 1/(n_features · variance of X), "auto":
        1/n_features.
    coef0 : float, default=0.0
        Of "poly" and "sigmoid".
    shrinking : bool, default=True
        Accepted for compatibility; it never changes the answer.
    tol : float in (0, inf), default=1e-3
        Worst violation of the optimality conditions, in units of the decision function.
    cache_size : float in (0, inf), default=200
        Memory for rows of the kernel, in MB; also for the factor that proves a given matrix of more
        than 2,000 rows semidefinite (200 are enough for 5,000 rows, or any number at a low rank).
    verbose : bool or int in [0, inf), default=False
        Whether to print a line for each problem.
    max_iter : int in [-1, inf), default=-1
        Most steps of the solver; -1: no limit.
    solver : {"auto", "newton", "block", "smo"}, default="auto"
        "newton": active sets with Newton steps; "block": descent in blocks of coefficients; "smo":
        in pairs of them, the textbook's method. All give the same answer.

    Attributes
    ----------
    support_ : array of int32
        Numbers of the support vectors among the rows.
    support_vectors_ : array or csr_array of shape (n_SV, n_features)
        The support vectors; empty for a precomputed kernel or a function.
    n_support_ : array of int32
        How many.
    dual_coef_ : array or csr_array of shape (1, n_SV)
        Coefficients of the support vectors.
    intercept_ : array of shape (1,)
        b.
    coef_ : array of shape (1, n_features)
        w, for a linear kernel; read-only.
    certificate_ : Certificate
        Primal, dual, their gap and the worst violation of a condition.
    fit_status_ : int
        0, or 1 if the solver stopped early.
    n_iter_ : int
        Steps of the solver.
    shape_fit_ : tuple of int
        Shape of X.
    solver_reason_ : str
        Which solver was used, and why.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    SVR : With a tube of given width.

    References
    ----------
    Schölkopf, Smola, Williamson & Bartlett (2000), New support vector algorithms, Neural
    Computation 12.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0.0, 3.0, 20)
    >>> model = NuSVR(nu=0.2, C=10.0).fit(x[:, None], np.sin(x))
    >>> float(np.abs(model.predict(x[:, None]) - np.sin(x)).max()) < 0.1
    True
    """

    _objective = "½‖w‖² + Σ C (ν ε + max(0, |y − f| − ε))"

    def __init__(
        self,
        *,
        nu: p.Nu = 0.5,
        C: p.FiniteCost = 1.0,
        kernel: p.KernelChoice = "rbf",
        degree: p.Degree = 3,
        gamma: p.Gamma = "scale",
        coef0: p.Coef0 = 0.0,
        shrinking: bool = True,
        tol: p.Tolerance = 1e-3,
        cache_size: p.CacheSize = 200,
        verbose: p.Verbose = False,
        max_iter: p.MaxIter = -1,
        solver: p.Solver = "auto",
    ) -> None:
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.solver = solver

    def _dual(self, target: Array, weights: Array) -> DualProblem:
        return nu_regression_dual(target, self.C * weights, self.nu)
