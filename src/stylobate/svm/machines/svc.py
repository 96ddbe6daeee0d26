"""Support vector classification with a cost of mistakes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base import RandomState
from stylobate.exceptions import InvalidDataError
from stylobate.svm.duals.dual import DualProblem
from stylobate.svm.duals.problems import classification_dual
from stylobate.svm.machines import parameters as p
from stylobate.svm.machines.classification import SupportVectorClassifier
from stylobate.svm.machines.machine import Machine, refuse_inseparable


class SVC(SupportVectorClassifier):
    r"""Classification by the plane with the widest margin in the feature space of a kernel.

    .. math:: \min_{w, b}\; \tfrac12\|w\|^2 + \sum_i C_i \max(0,\, 1 - y_i f(x_i)),\qquad
        f(x) = w^Tφ(x) + b = \sum_i α_i y_i\, κ(x_i, x) + b

    is solved in its dual, exactly enough that primal and dual values prove it (`certificate_`).
    Several classes are decided by one machine for each pair.

    Parameters
    ----------
    C : float in (0, inf], default=1.0
        Cost of a point inside the margin; ``inf`` asks for a hard margin, and is refused with the
        points that prevent it where the classes are not separable.
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
    probability : bool or "deprecated", default="deprecated"
        Whether to learn probabilities by Platt's sigmoid on the decisions of five folds. Deprecated
        in scikit-learn 1.9, with a warning here too: calibrate the whole model instead.
    tol : float in (0, inf), default=1e-3
        Worst violation of the optimality conditions, in units of the decision function.
    cache_size : float in (0, inf), default=200
        Memory for rows of the kernel, in MB; also for the factor that proves a given matrix of more
        than 2,000 rows semidefinite (200 are enough for 5,000 rows, or any number at a low rank).
    class_weight : dict, "balanced" or None, default=None
        Factors of C by class; "balanced": n / (n_classes · rows of the class).
    verbose : bool or int in [0, inf), default=False
        Whether to print a line for each problem.
    max_iter : int in [-1, inf), default=-1
        Most steps of the solver; -1: no limit.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Whether `decision_function` gives a number for each class or each pair of classes.
    break_ties : bool, default=False
        Whether `predict` looks at `decision_function` where several classes win equally many pairs;
        otherwise the first of them is the answer.
    random_state : int, RandomState or None, default=None
        Of the folds of `probability`.
    solver : {"auto", "newton", "block", "smo"}, default="auto"
        "newton": active sets with Newton steps; "block": descent in blocks of coefficients; "smo":
        in pairs of them, the textbook's method. All give the same answer.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    class_weight_ : array of shape (n_classes,)
        Factors of C.
    support_ : array of int32
        Numbers of the support vectors among the rows, class by class.
    support_vectors_ : array or csr_array of shape (n_SV, n_features)
        The support vectors; empty for a precomputed kernel or a function.
    n_support_ : array of int32
        How many of each class.
    dual_coef_ : array or csr_array of shape (n_classes − 1, n_SV)
        Coefficients of the support vectors: α times the sign of the class.
    intercept_ : array of shape (n_classes (n_classes − 1) / 2,)
        b of each pair of classes.
    coef_ : array of shape (n_classes (n_classes − 1) / 2, n_features)
        w, for a linear kernel; read-only.
    certificate_ : Certificate
        Primal, dual, their gap and the worst violation of a condition, of the worst pair.
    fit_status_ : int
        0, or 1 if the solver stopped early.
    n_iter_ : array of int32, one for each pair
        Steps of the solver.
    shape_fit_ : tuple of int
        Shape of X.
    solver_reason_ : str
        Which solver was used, and why.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    NuSVC : With a bound of the share of support vectors instead of a cost.
    LinearSVC : For linear kernels and many rows.

    References
    ----------
    Cortes & Vapnik (1995), Support-vector networks, Machine Learning 20. Chang & Lin (2011),
    LIBSVM, ACM Transactions on Intelligent Systems and Technology 2.

    Examples
    --------
    >>> X = [[-2, -1], [-1, -1], [-1, -2], [1, 1], [1, 2], [2, 1]]
    >>> model = SVC(kernel="linear").fit(X, [0, 0, 0, 1, 1, 1])
    >>> model.support_vectors_
    array([[-1., -1.],
           [ 1.,  1.]])
    >>> model.coef_.round(6), model.predict([[-0.8, -1.0]])
    (array([[0.5, 0.5]]), array([0]))
    >>> round(model.kkt_report().problems[0].margin_width, 6)
    2.828427
    """

    _objective = "½‖w‖² + Σ C max(0, 1 − y f)"
    _study_role = p.machine_role()

    def __init__(
        self,
        *,
        C: p.Cost = 1.0,
        kernel: p.KernelChoice = "rbf",
        degree: p.Degree = 3,
        gamma: p.Gamma = "scale",
        coef0: p.Coef0 = 0.0,
        shrinking: bool = True,
        probability: p.Probability = "deprecated",
        tol: p.Tolerance = 1e-3,
        cache_size: p.CacheSize = 200,
        class_weight: p.ClassWeight = None,
        verbose: p.Verbose = False,
        max_iter: p.MaxIter = -1,
        decision_function_shape: p.DecisionShape = "ovr",
        break_ties: bool = False,
        random_state: RandomState = None,
        solver: p.Solver = "auto",
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.solver = solver

    def _check_weights(self, codes: NDArray[np.int64], weights: Array) -> None:
        if len(np.unique(codes[weights > 0.0])) < 2:
            raise InvalidDataError(
                "Invalid input - all samples with positive weights belong to the same class; there "
                "is nothing to separate."
            )

    def _dual(self, sign: Array, codes: NDArray[np.int64], weights: Array) -> DualProblem:
        return classification_dual(sign, self.C * weights * self.class_weight_[codes])

    def _check_machine(self, machine: Machine, sign: Array, rows: Indices) -> None:
        if np.inf == self.C:
            refuse_inseparable(machine, sign, rows, type(self).__name__)
