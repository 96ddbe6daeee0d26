"""Logistic regression."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval, Options, RandomState, Tags
from stylobate.base.study_role import StudyRole
from stylobate.linear_model.logistic.request import SOLVERS, read_request
from stylobate.linear_model.shared.classifier import LinearClassifier
from stylobate.parallel import join_threadpoolctl

if TYPE_CHECKING:
    from stylobate.data.streams import Stream
    from stylobate.inference import GLMSummary
    from stylobate.optimize.logistic.separation import Separation


class LogisticRegression(LinearClassifier):
    r"""Probabilities of classes from a linear function of the columns.

    .. math:: \min_{w, b} \; \sum_i \omega_i \log\big(1 + e^{-y_i(x_i^\top w + b)}\big)
        + \frac{1}{C}\Big(\rho\,\|w\|_1 + \frac{1 - \rho}{2}\|w\|^2\Big), \quad y_i = \pm 1

    and for more than two classes the softmax loss, with one vector of coefficients per class. The
    intercept is not penalised. Two classes with few columns take a handful of mergeable passes over
    the rows (Newton's method); everything else takes passes of the gradient (L-BFGS, scaled by the
    columns' Gram). Every answer carries a duality gap.

    Parameters
    ----------
    penalty : {"l1", "l2", "elasticnet", None}, default="deprecated"
        Deprecated, as in scikit-learn; use `l1_ratio`, and ``C=np.inf`` for no penalty.
    C : float in (0, inf], default=1.0
        Inverse strength of the penalty.
    l1_ratio : float in [0, 1] or None, default=0.0
        ρ, the share of the ℓ1 penalty.
    dual : bool, default=False
        For ``solver="liblinear"`` with an ℓ2 penalty; changes nothing in the answer.
    tol : float in [0, inf), default=1e-4
        The relative duality gap is asked to be at most ``tol / 100`` (no solver can do better than
        rounding, about 1e-13); for "sag" and "saga", at most ``tol``.
    fit_intercept : bool, default=True
        Whether to fit b.
    intercept_scaling : float in (0, inf), default=1
        For ``solver="liblinear"`` only: the value of its constant column, whose coefficient is
        penalised as all others.
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class; "balanced": n / (k·nⱼ).
    random_state : int, RandomState or None, default=None
        For "sag" and "saga".
    solver : {"auto", "lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga", \
"coordinate_descent"}, default="auto"
        "auto" chooses by penalty and shape. "coordinate_descent" and "saga" take any penalty,
        "liblinear" (two classes; penalises the intercept) ℓ1 or ℓ2, the others ℓ2 or none.
    max_iter : int in [0, inf), default=100
        Most iterations.
    verbose : int in [0, inf), default=0
        For compatibility; `trace_` tells what happened.
    warm_start : bool, default=False
        Whether to start from the last answer.
    n_jobs : int or None, default=None
        Deprecated, as in scikit-learn; see `stylobate.set_threads`.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Labels.
    coef_ : array of shape (1, p) or (n_classes, p)
        Coefficients.
    intercept_ : array of shape (1,) or (n_classes,)
        Intercepts.
    n_iter_ : array of shape (1,)
        Iterations.
    certificate_, trace_, solver_, solver_reason_
        As of `LinearRegression`; the certificate's objective is the one above.
    separation_ : Separation or None
        Without a penalty: the direction that separates the classes, if there is one. The likelihood
        then has no maximum; the coefficients are where the iterations stopped.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), ["no", "yes", "no", "yes"]
    >>> model = LogisticRegression().fit(X, y)
    >>> model.predict([[3.0]]).tolist(), model.predict_proba([[3.0]]).round(3).tolist()
    (['yes'], [[0.336, 0.664]])
    >>> model.certificate_.optimal
    True

    References
    ----------
    Hastie, Tibshirani & Friedman (2009), The Elements of Statistical Learning, chapter 4.4.
    """

    _study_role = StudyRole(
        "logistic",
        "Logistic regression",
        10,
        space={"C": (1.0, 0.1, 0.01, 10.0, 100.0)},
        sparse=True,
    )

    separation_: Separation | None

    def __init__(
        self,
        penalty: Annotated[str, Options("l1", "l2", "elasticnet", "deprecated")]
        | None = "deprecated",
        *,
        C: Annotated[float, Interval(0, inf, closed="right")] = 1.0,
        l1_ratio: Annotated[float, Interval(0, 1, closed="both")] | None = 0.0,
        dual: bool = False,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: Annotated[float, Interval(0, inf, closed="neither")] = 1,
        class_weight: dict[Any, float] | Annotated[str, Options("balanced")] | None = None,
        random_state: RandomState = None,
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        max_iter: Annotated[int, Interval(0, inf)] = 100,
        verbose: Annotated[int, Interval(0, inf)] = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                tier="all rows" if self._needs_rows else "one pass per iteration",
                multi_class=self.solver != "liblinear",
            )
        )

    @property
    def _needs_rows(self) -> bool:
        return self.solver not in ("auto", "newton-cholesky")

    # --- learning ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        from stylobate.linear_model.logistic.fit import fit_in_memory

        self._check_parameters()
        join_threadpoolctl()
        fit_in_memory(self, read_request(self), X, y, sample_weight)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """By passes over a stream, one for every step.

        With an ℓ1 penalty, rows of more than two classes or of very many columns are collected.

        Without a penalty, classes that the coefficients separate completely are found and said
        (``separation_``). Separation but for rows on the boundary, or of more than two classes,
        cannot be proved from batches: a warning says that the coefficients keep growing.
        """
        from stylobate.linear_model.logistic.fit import fit_stream

        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        join_threadpoolctl()
        fit_stream(self, read_request(self), stream)
        return self

    # --- predicting -------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """The probability of every class, for every row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        probabilities: NDArray[Any] = np.exp(self.predict_log_proba(X))
        return probabilities

    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """The logarithm of `predict_proba`, exact where the probability itself would be 0.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        # in double precision, whatever X: the logarithm of a probability near 1 has no digits else
        z = self.decision_function(X).astype(np.float64, copy=False)
        if z.ndim == 1:
            both: NDArray[Any] = -np.logaddexp(0.0, np.column_stack([z, -z]))
            return both
        z = z - z.max(axis=1, keepdims=True)
        logs: NDArray[Any] = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        return logs

    # --- the statistical view ---------------------------------------------------------------------

    def summary(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        covariance: Literal["classical", "HC0", "HC1", "cluster"] = "classical",
        groups: Any = None,
        level: float = 0.95,
    ) -> GLMSummary:
        """Standard errors, Wald and likelihood-ratio tests, deviance, AIC, BIC; print it.

        With a penalty, p-values do not hold: the summary warns and leaves them out.

        Parameters
        ----------
        X, y, sample_weight : the data of `fit`, optional
            Needed only for robust and clustered covariance, which look at each row.
        covariance : {"classical", "HC0", "HC1", "cluster"}, default="classical"
            How the covariance of the coefficients is estimated.
        groups : array-like of shape (n,), optional
            Cluster of each row, for ``covariance="cluster"``.
        level : float in (0, 1), default=0.95
            Of the confidence intervals.

        Returns
        -------
        GLMSummary
        """
        from stylobate.linear_model.logistic.summary import rows_of, summarize_logistic

        self._check_fitted()
        rows = None if X is None else rows_of(self, X, y, sample_weight)
        return summarize_logistic(
            self, rows=rows, covariance=covariance, groups=groups, level=level
        )
