"""Support vector classification with cost and width chosen by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options
from stylobate.base.classes import class_weights
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, joined
from stylobate.metrics import check_scoring
from stylobate.metrics.scoring.names import SCORER_NAMES
from stylobate.metrics.scoring.scorers import takes_weights
from stylobate.parallel import join_threadpoolctl
from stylobate.splits import splits_of
from stylobate.svm.choice.cost_path import costs_of
from stylobate.svm.choice.svc_grid import GridProblem, Split, grid_decisions
from stylobate.svm.duals.known_answers import KnownAnswers
from stylobate.svm.kernel_matrix.kernel_points import KernelPoints, named_kernel, taken, width
from stylobate.svm.machines import parameters as p
from stylobate.svm.machines.one_vs_one import PairProblems, class_numbers, shaped_decisions
from stylobate.svm.machines.svc import SVC

_STEP = 4.0  # between widths
_OF_SVC = (
    "kernel", "degree", "coef0", "tol", "cache_size", "class_weight", "verbose", "max_iter",
    "decision_function_shape", "break_ties", "solver",
)  # fmt: skip


class SVCCV(SVC):
    r"""`SVC` that chooses `C` and the width γ of its kernel by cross-validation.

    The kernel matrix of a width is computed once for all folds and costs where it fits into
    `cache_size`, else once for each pair of classes; machines start from the solution of the cost
    before. The best pair is the one a grid search over `SVC` finds, the first of equals with the
    costs in the outer loop; all rows are fitted with it in the end.

    Parameters
    ----------
    Cs : int in [1, inf) or array-like of numbers in (0, inf), default=6
        Costs to try; a number gives that many from 1e-2 to 1e4, evenly by logarithm.
    gammas : int in [1, inf) or array-like of numbers in [0, inf), default=5
        Widths of "rbf", "poly" and "sigmoid" to try; a number gives that many around 1/(n_features
        · variance of X), a factor of 4 apart. Other kernels have none.
    kernel, degree, coef0, tol, cache_size, class_weight, verbose, max_iter, \
            decision_function_shape, break_ties, solver
        As of `SVC`.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None is 5. A number gives folds with every class's share.
    scoring : str, callable or None, default=None
        What to maximise, by name or as ``scorer(estimator, X, y)``; the estimator has `predict` and
        `decision_function` for these rows. None: the accuracy. Weights of rows count in it.
    n_jobs : int or None, default=None
        Folds at a time.

    Attributes
    ----------
    C_ : float
        The chosen cost.
    gamma_ : float or None
        The chosen width; None for kernels without one.
    best_score_ : float
        Mean score of the folds at both.
    best_index_ : int
        Their place in `cv_results_`.
    cv_results_ : dict of arrays
        "param_C", "param_gamma", "split0_test_score" …, "mean_test_score", "std_test_score",
        "rank_test_score", and "params" as a list, as a grid search has them.
    n_splits_ : int
        How many folds there were.
    classes_, support_, support_vectors_, dual_coef_, intercept_, certificate_, …
        As of `SVC` fitted to all rows at the chosen cost and width.

    See Also
    --------
    svc_path : All costs at one width.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(90, 2))
    >>> y = (X[:, 0] ** 2 + X[:, 1] ** 2 > 1.2).astype(int)
    >>> model = SVCCV([0.1, 1.0, 10.0], [0.01, 0.1, 1.0], cv=3).fit(X, y)
    >>> model.C_, model.gamma_, round(model.best_score_, 2)
    (10.0, 0.1, 0.96)
    """

    probability = False  # of the folds nothing is kept; calibrate the chosen machine
    random_state = None
    gamma = "scale"  # while the rows are read: the middle of the widths to try

    def __init__(
        self,
        Cs: Annotated[int, Interval(1, inf)]
        | Annotated[Any, Numbers(0, inf, closed="neither")] = 6,
        gammas: Annotated[int, Interval(1, inf)] | Annotated[Any, Numbers(0, inf)] = 5,
        *,
        kernel: p.KernelChoice = "rbf",
        degree: p.Degree = 3,
        coef0: p.Coef0 = 0.0,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        scoring: Annotated[str, Options(*SCORER_NAMES)] | Callable[..., Any] | None = None,
        tol: p.Tolerance = 1e-3,
        cache_size: p.CacheSize = 200,
        class_weight: p.ClassWeight = None,
        verbose: p.Verbose = False,
        max_iter: p.MaxIter = -1,
        decision_function_shape: p.DecisionShape = "ovr",
        break_ties: bool = False,
        solver: p.Solver = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.Cs = Cs
        self.gammas = gammas
        self.kernel = kernel
        self.degree = degree
        self.coef0 = coef0
        self.cv = cv
        self.scoring = scoring
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.solver = solver
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose cost and width, and fit all rows with them.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` the kernel matrix.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), default=None
            Factors of C; rows whose weight is not positive are left out.

        Returns
        -------
        self
        """
        self._check_parameters()
        join_threadpoolctl()
        asked = self._pair_problems(X, y, sample_weight)
        Cs = costs_of(self.Cs, type(self).__name__)
        gammas = self._widths(asked.points)
        labels = self.classes_[asked.codes]
        folds = splits_of(self.cv, asked.points.points, labels, classifier=True)
        weighted = sample_weight is not None
        scores = self._scores(asked, folds, Cs, gammas, weighted=weighted)
        self._choose(scores, Cs, gammas)
        chosen = self._machine(C=self.C_, gamma="scale" if self.gamma_ is None else self.gamma_)
        chosen.fit(X, y, sample_weight)
        for name in ("_fit_points", "feature_names_in_"):
            vars(self).pop(name, None)
        learnt = set(vars(chosen)) - set(chosen.get_params(deep=False))
        vars(self).update({name: vars(chosen)[name] for name in learnt})
        return self

    def _machine(self, **chosen: Any) -> SVC:
        return SVC(**{name: getattr(self, name) for name in _OF_SVC}, **chosen)

    def _widths(self, points: KernelPoints) -> list[float | None]:
        """Widths to try; one that is None for kernels without."""
        if self.kernel not in ("rbf", "poly", "sigmoid"):
            return [None]
        given: Any = self.gammas
        if np.ndim(given):
            return [float(each) for each in given]
        powers = np.arange(given) - (given - 1) // 2
        return [float(each) for each in width("scale", points.points) * _STEP**powers]

    def _scores(
        self,
        asked: PairProblems,
        folds: list[Split],
        Cs: Array,
        gammas: list[float | None],
        *,
        weighted: bool,
    ) -> Array:
        """Scores of shape (n_Cs, n_gammas, n_folds)."""
        owner, classes = type(self).__name__, self.classes_
        costs = np.zeros((len(folds), len(asked.codes)))
        for number, (train, test) in enumerate(folds):
            own = asked.codes[train]
            _refuse_weightless(number, own, asked.weights[train], asked.weights[test], owner)
            factors = _fold_class_weights(self.class_weight, classes, own, owner)
            costs[number, train] = asked.weights[train] * factors[own]
        problem = GridProblem(
            asked.codes, len(classes), folds, costs, Cs, self._request, self.n_jobs
        )
        judge = _Judge(self, asked, classes, weighted)
        found, unfinished = np.empty((len(Cs), len(gammas), len(folds))), 0
        for place, gamma in enumerate(gammas):
            points = asked.points
            if gamma is not None:
                kernel = named_kernel(self.kernel, gamma, self.degree, self.coef0)
                points = KernelPoints(kernel, points.points, owner)
            tried = grid_decisions(points, problem)
            unfinished += tried.unfinished
            for number, (_, test) in enumerate(folds):
                for c, decisions in enumerate(tried.decisions[number]):
                    found[c, place, number] = judge(test, decisions)
        if unfinished:
            _warn_unfinished(owner, unfinished, self.max_iter)
        return found

    def _choose(self, scores: Array, Cs: Array, gammas: list[float | None]) -> None:
        flat = scores.reshape(-1, scores.shape[2])
        mean = flat.mean(axis=1)
        if np.isnan(mean).all():
            raise InvalidDataError(
                f"{type(self).__name__}: none of the {len(mean)} settings has a score on every "
                "fold; use fewer folds or another scoring."
            )
        known = np.where(np.isnan(mean), -np.inf, mean)
        best = int(known.argmax())
        settings = [(float(c), gamma) for c in Cs for gamma in gammas]
        self.C_, self.gamma_ = settings[best]
        self.best_index_, self.best_score_ = best, float(mean[best])
        self.n_splits_ = scores.shape[2]
        named = ("C",) if gammas == [None] else ("C", "gamma")
        columns = {f"param_{name}": np.array(each) for name, each in zip(named, zip(*settings))}  # noqa: B905
        folds = {f"split{number}_test_score": flat[:, number] for number in range(flat.shape[1])}
        self.cv_results_ = {
            **columns,
            "params": [dict(zip(named, each)) for each in settings],  # noqa: B905
            **folds,
            "mean_test_score": mean,
            "std_test_score": flat.std(axis=1),
            "rank_test_score": 1 + (known[:, None] < known).sum(axis=1),
        }


class _Judge:
    """Scores of decisions on given rows."""

    def __init__(
        self, model: SVCCV, asked: PairProblems, classes: NDArray[Any], weighted: bool
    ) -> None:
        self.model, self.asked, self.classes = model, asked, classes
        self.scorer = check_scoring(KnownAnswers(), model.scoring)
        own = model.scoring is None or takes_weights(self.scorer)
        self.weights = asked.weights if weighted and own else None

    def __call__(self, test: Any, decisions: Array) -> float:
        k, model = len(self.classes), self.model
        codes = class_numbers(decisions, k, break_ties=bool(model.break_ties))
        shown = shaped_decisions(decisions, k, model.decision_function_shape)
        known = KnownAnswers(self.classes, self.classes[codes], shown)
        rows = taken(self.asked.points.points, test)
        more = {} if self.weights is None else {"sample_weight": self.weights[test]}
        return float(self.scorer(known, rows, self.classes[self.asked.codes[test]], **more))


def _fold_class_weights(
    class_weight: Any, classes: NDArray[Any], codes: NDArray[np.int64], owner: str
) -> Array:
    """Factors of C from a fold's training rows, which may lack some classes."""
    if not isinstance(class_weight, str):
        return class_weights(class_weight, classes, codes, owner=owner)
    present, own = np.unique(codes, return_inverse=True)
    factors = np.ones(len(classes))
    factors[present] = class_weights(class_weight, classes[present], own.reshape(-1), owner=owner)
    return factors


def _refuse_weightless(
    number: int, codes: NDArray[np.int64], trained: Array, tested: Array, owner: str
) -> None:
    lacks = None
    if len(np.unique(codes[trained > 0.0])) < 2:
        lacks = "fewer than two classes of positive weight to train on"
    elif not tested.any():
        lacks = "no row of positive weight to test on"
    if lacks is not None:
        raise InvalidDataError(
            f"{owner}: split {number} of the cross-validation has {lacks}; shuffle the rows, leave "
            "out those of weight zero, or use fewer folds."
        )


def _warn_unfinished(owner: str, count: int, max_iter: int) -> None:
    warnings.warn(
        f"Solver terminated early (max_iter={max_iter}).  Consider pre-processing your data with "
        f"StandardScaler or MinMaxScaler. {owner}: {count} problems of the folds are unfinished.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )
