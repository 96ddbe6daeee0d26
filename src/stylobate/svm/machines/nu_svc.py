"""Support vector classification with a share of support vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import RandomState
from stylobate.exceptions import InvalidDataError
from stylobate.svm.duals.dual import DualProblem
from stylobate.svm.duals.problems import nu_classification_dual
from stylobate.svm.machines import parameters as p
from stylobate.svm.machines.classification import SupportVectorClassifier
from stylobate.svm.machines.one_vs_one import class_pairs


class NuSVC(SupportVectorClassifier):
    r"""Classification with the widest margin, where ν says how many points may be inside it.

    .. math:: \min_{w, b, ρ}\; \tfrac12\|w\|^2 - ν\tfrac n2 ρ + \tfrac12\sum_i
        \max(0,\, ρ - y_i f(x_i))

    up to a factor; the answer is divided by ρ, so that its margin is at ±1 as that of `SVC`.

    Parameters
    ----------
    nu : float in (0, 1], default=0.5
        ν: at most this share of the points is inside the margin, at least this share are support
        vectors. Refused where a class has fewer than ν n / 2 points. Too small a ν for classes that
        overlap leaves a margin of 0 and w = 0, which a warning tells.
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
        Accepted for compatibility: the dual has no cost that it could change.
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
    SVC : With a cost instead.

    References
    ----------
    Schölkopf, Smola, Williamson & Bartlett (2000), New support vector algorithms, Neural
    Computation 12.

    Examples
    --------
    >>> X = [[-2, -1], [-1, -1], [-1, -2], [1, 1], [1, 2], [2, 1]]
    >>> model = NuSVC(nu=0.5, kernel="linear").fit(X, [0, 0, 0, 1, 1, 1])
    >>> model.predict([[-0.8, -1.0], [3.0, 0.0]])
    array([0, 1])
    """

    _objective = "½‖w‖² − ½ν Σw ρ + Σ w max(0, ρ − y f)"
    _has_margin = True

    def __init__(
        self,
        *,
        nu: p.Nu = 0.5,
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
        self.nu = nu
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
        counts = np.bincount(codes, weights=weights, minlength=len(self.classes_))
        for i, j in class_pairs(len(self.classes_)):
            least, half = min(counts[i], counts[j]), 0.5 * (counts[i] + counts[j])
            if self.nu * half > least * (1.0 + 1e-12):
                a, b = self.classes_[i], self.classes_[j]
                raise InvalidDataError(
                    f"NuSVC: specified nu is infeasible: {self.nu:g} asks for {self.nu * half:g} "
                    f"of each of the classes {a} and {b}, one of which has {least:g}; nu can be at "
                    f"most {least / half:g} here."
                )

    def _dual(self, sign: Array, codes: NDArray[np.int64], weights: Array) -> DualProblem:
        above, below = weights[sign > 0.0].sum(), weights[sign < 0.0].sum()
        # folds of the probabilities may have fewer of a class than all rows
        most = 2.0 * min(above, below) / (above + below)
        return nu_classification_dual(sign, weights, min(self.nu, most))
