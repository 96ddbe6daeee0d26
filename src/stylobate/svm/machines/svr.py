"""Support vector regression with a tube of given width."""

from __future__ import annotations

from stylobate.arrays import Array
from stylobate.svm.duals.dual import DualProblem
from stylobate.svm.duals.problems import regression_dual
from stylobate.svm.machines import parameters as p
from stylobate.svm.machines.regression import SupportVectorRegressor


class SVR(SupportVectorRegressor):
    r"""The flattest function of which most targets are no farther than ε.

    .. math:: \min_{w, b}\; \tfrac12\|w\|^2 + \sum_i C_i \max(0,\, |y_i - f(x_i)| - ε),\qquad
        f(x) = \sum_i β_i\, κ(x_i, x) + b

    Parameters
    ----------
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
    tol : float in (0, inf), default=1e-3
        Worst violation of the optimality conditions, in units of the decision function.
    C : float in (0, inf], default=1.0
        Cost of a point outside the tube; ``inf`` asks that there be none.
    epsilon : float in [0, inf), default=0.1
        ε: errors up to it are free, so rows within the tube are no support vectors.
    shrinking : bool, default=True
        Accepted for compatibility; it never changes the answer.
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
    NuSVR : With a bound of the share of points outside the tube instead of its width.
    LinearSVR : For linear kernels and many rows.

    References
    ----------
    Smola & Schölkopf (2004), A tutorial on support vector regression, Statistics and Computing 14.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
    >>> model = SVR(kernel="linear", C=10.0, epsilon=0.5).fit(X, y)
    >>> model.coef_.round(4), model.predict([[1.0]]).round(4)
    (array([[0.5]]), array([1.]))
    """

    _objective = "½‖w‖² + Σ C max(0, |y − f| − ε)"
    _study_role = p.machine_role({"epsilon": (0.1,), "tol": (1e-3,)})

    def __init__(
        self,
        *,
        kernel: p.KernelChoice = "rbf",
        degree: p.Degree = 3,
        gamma: p.Gamma = "scale",
        coef0: p.Coef0 = 0.0,
        tol: p.Tolerance = 1e-3,
        C: p.Cost = 1.0,
        epsilon: p.Epsilon = 0.1,
        shrinking: bool = True,
        cache_size: p.CacheSize = 200,
        verbose: p.Verbose = False,
        max_iter: p.MaxIter = -1,
        solver: p.Solver = "auto",
    ) -> None:
        self.C = C
        self.epsilon = epsilon
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
        return regression_dual(target, self.C * weights, self.epsilon)
