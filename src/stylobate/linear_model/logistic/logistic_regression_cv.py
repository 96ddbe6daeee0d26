"""Logistic regression with its penalty chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from numbers import Integral
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options, RandomState
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model.logistic.logistic_regression import LogisticRegression
from stylobate.linear_model.logistic.request import SOLVERS
from stylobate.linear_model.shared.selection_rule import SelectionRule
from stylobate.parallel import join_threadpoolctl
from stylobate.splits.hashed import HashKFold


class LogisticRegressionCV(LogisticRegression):
    r"""Logistic regression that chooses `C` and `l1_ratio` by cross-validation.

    Every fold's training rows are fitted at every pair (l1_ratio, C), along the Cs from the
    strongest penalty to the weakest, each from the last answer; the rows left out are scored. The
    objective is that of `LogisticRegression`.

    Parameters
    ----------
    Cs : int in [1, inf) or array-like of numbers in (0, inf], default=10
        Inverse strengths to try; a number gives that many from 1e-4 to 1e4, evenly by logarithm.
    l1_ratios : array-like of numbers in [0, 1] or None, default="warn"
        Shares of the ℓ1 penalty to try. None, and the default, is ``(0.0,)``, with the shapes below
        lacking the dimension of the ratios.
    fit_intercept : bool, default=True
        Whether to fit intercepts, which are not penalised.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None is 5. A number gives folds with every class's share, and of a stream those of
        `HashKFold`.
    dual : bool, default=False
        As of `LogisticRegression`.
    penalty : {"l1", "l2", "elasticnet"}, default="deprecated"
        Deprecated, as in scikit-learn; use `l1_ratios`.
    scoring : str, callable or None, default="warn"
        What to maximise, by name (`stylobate.metrics.get_scorer_names`) or as
        ``scorer(estimator, X, y)``. None, and the default, is the accuracy.
    solver : {"auto", "lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga", \
"coordinate_descent"}, default="auto"
        As of `LogisticRegression`.
    tol : float in [0, inf), default=1e-4
        As of `LogisticRegression`.
    max_iter : int in [0, inf), default=100
        Most iterations of every fit.
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class; "balanced": n / (k·nⱼ) of all rows.
    n_jobs : int or None, default=None
        Folds at a time, in threads; None is one, whose passes over the rows use all threads.
    verbose : int in [0, inf), default=0
        For compatibility.
    refit : bool, default=True
        Whether to fit all rows at the best pair; else coefficients, C and l1_ratio are averages of
        every fold's own best.
    intercept_scaling : float in (0, inf), default=1.0
        As of `LogisticRegression`.
    random_state : int, RandomState or None, default=None
        For "sag" and "saga".
    use_legacy_attributes : bool, default="warn"
        Which of two forms the attributes take; the default is True, as in scikit-learn 1.9.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the best mean score; "1se" the strongest penalty within one standard error
        of it, as glmnet's ``lambda.1se`` (the smallest C), at the
        best l1_ratio; it needs ``refit=True``.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Labels.
    coef_, intercept_
        As of `LogisticRegression`.
    Cs_, l1_ratios_ : arrays
        What was tried.
    C_, l1_ratio_ : float, or arrays of shape (n_classes,) or (1,) in the legacy form
        What was chosen.
    scores_ : array of shape (n_folds, n_l1_ratios, n_cs)
        Legacy: a dict of arrays of shape (n_folds, n_cs) or (n_folds, n_cs, n_l1_ratios), all the
        same, by class (the second alone of two).
    coefs_paths_ : array of shape (n_folds, n_l1_ratios, n_cs, n_classes or 1, p or p + 1)
        Coefficients, with the intercept last. Legacy: by class as `scores_`, with the last
        dimension of this.
    n_iter_ : array of shape (n_folds, n_l1_ratios, n_cs)
        Iterations. Legacy: of shape (1, n_folds, n_cs) or (1, n_folds, n_cs, n_l1_ratios).
    certificate_, trace_, solver_, solver_reason_, separation_
        Of the last fit, as of `LogisticRegression`; not there with ``refit=False``.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(80, 3))
    >>> y = np.where(X[:, 0] + rng.logistic(size=80) > 0, "yes", "no")
    >>> model = LogisticRegressionCV(Cs=[0.01, 1.0], scoring="neg_log_loss").fit(X, y)
    >>> model.C_.tolist(), model.scores_["yes"].shape
    ([1.0], (5, 2))
    """

    Cs_: NDArray[np.float64]
    l1_ratios_: NDArray[Any]
    C_: Any
    l1_ratio_: Any
    n_iter_: Any
    scores_: Any
    coefs_paths_: Any

    def __init__(
        self,
        *,
        Cs: Annotated[int, Interval(1, inf)] | Annotated[Any, Numbers(0, inf, closed="right")] = 10,
        l1_ratios: Annotated[Any, Numbers(0, 1, closed="both")]
        | Annotated[str, Options("warn")]
        | None = "warn",
        fit_intercept: bool = True,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        dual: bool = False,
        penalty: Annotated[str, Options("l1", "l2", "elasticnet", "deprecated")] = "deprecated",
        scoring: str | Callable[..., Any] | None = "warn",
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        max_iter: Annotated[int, Interval(0, inf)] = 100,
        class_weight: dict[Any, float] | Annotated[str, Options("balanced")] | None = None,
        n_jobs: int | None = None,
        verbose: Annotated[int, Interval(0, inf)] = 0,
        refit: bool = True,
        intercept_scaling: Annotated[float, Interval(0, inf, closed="neither")] = 1.0,
        random_state: RandomState = None,
        use_legacy_attributes: bool | Annotated[str, Options("warn")] = "warn",
        selection_rule: SelectionRule = "min",
    ) -> None:
        self.Cs = Cs
        self.l1_ratios = l1_ratios
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
        self.penalty = penalty
        self.scoring = scoring
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.refit = refit
        self.intercept_scaling = intercept_scaling
        self.random_state = random_state
        self.use_legacy_attributes = use_legacy_attributes
        self.selection_rule = selection_rule

    @property
    def _needs_rows(self) -> bool:
        """Other solvers, and folds that are not told by row numbers, need them."""
        by_number = self.cv is None or isinstance(self.cv, Integral | HashKFold)
        return not (by_number and self.solver in ("auto", "newton-cholesky"))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose C and l1_ratio, and fit.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights, of the fits and of the scores.

        Returns
        -------
        self
        """
        from stylobate.linear_model.logistic.cv_fit import fit_by_folds

        self._check_parameters()
        join_threadpoolctl()
        fit_by_folds(self, X, y, sample_weight)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """By passes over a stream that all folds share; a number of folds means `HashKFold`."""
        from stylobate.linear_model.logistic.cv_stream_fit import fit_stream_by_folds

        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        join_threadpoolctl()
        fit_stream_by_folds(self, stream)
        return self

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The score of `scoring`, by default the accuracy.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Their labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        float
        """
        from stylobate.metrics import get_scorer

        self._check_fitted()
        scorer = get_scorer(self._scoring())
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(scorer(self, X, y, **weights))

    def _scoring(self) -> Any:
        """What to maximise; the default by its name."""
        unset = self.scoring is None or (isinstance(self.scoring, str) and self.scoring == "warn")
        return "accuracy" if unset else self.scoring

    def _grid(self) -> tuple[Array, list[float], bool]:
        """Cs, l1_ratios, and whether the ratios were named."""
        if self.selection_rule == "1se" and not self.refit:
            raise InvalidParameterError(
                f"{type(self).__name__}: selection_rule='1se' chooses one C for all rows, while "
                "refit=False averages what each fold chose; use refit=True."
            )
        cs = np.logspace(-4, 4, self.Cs) if np.ndim(self.Cs) == 0 else np.asarray(self.Cs, float)
        given = None if isinstance(self.l1_ratios, str) else self.l1_ratios
        if self.penalty in ("l1", "l2"):
            return cs, [1.0 if self.penalty == "l1" else 0.0], False
        if given is None and self.penalty == "elasticnet":
            raise InvalidParameterError(
                f"{type(self).__name__}: l1_ratios must be an array-like of numbers between 0 and "
                "1 when penalty is 'elasticnet', got None."
            )
        ratios = [0.0] if given is None else [float(r) for r in given]
        if not ratios or not len(cs):
            raise InvalidParameterError(
                f"{type(self).__name__}: Cs and l1_ratios must hold at least one number, got "
                f"{self.Cs!r} and {self.l1_ratios!r}."
            )
        return cs, ratios, given is not None
