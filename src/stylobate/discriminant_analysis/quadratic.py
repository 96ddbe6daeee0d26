"""Quadratic discriminant analysis."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Options
from stylobate.base.class_scores import Answer
from stylobate.base.constraints import Numbers
from stylobate.base.gaussian_classes import GaussianClasses, covariance_of_factors
from stylobate.base.study_role import StudyRole
from stylobate.data import Table
from stylobate.discriminant_analysis.covariances import class_covariances
from stylobate.discriminant_analysis.gaussian import GaussianDiscriminant, digits_left
from stylobate.discriminant_analysis.singular import SingularCovarianceError
from stylobate.exceptions import InvalidDataError
from stylobate.interrupts import interruptible
from stylobate.parallel import one_blas_thread
from stylobate.statistics import DiagonalClassMoments, FullClassMoments, Source, rows_at_hand

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer as FormulaAnswer
    from stylobate.formula.expressions import Expression


class QuadraticDiscriminantAnalysis(GaussianDiscriminant):
    r"""A normal density for each class, with its own covariance matrix: quadratic boundaries.

    .. math:: \hat y = \arg\max_c \; \log \pi_c - \tfrac12 \log |\Sigma_c|
              - \tfrac12 (x - \mu_c)^\top \Sigma_c^{-1} (x - \mu_c)

    One pass over the rows gives all means and covariances (`FullClassMoments`), so batches, more
    rows later and cross-validation read no row twice. Distances come from triangular factors,
    posterior probabilities from differences of logarithms: both stay exact in hundreds of columns.

    Parameters
    ----------
    solver : {"svd", "eigen"}, default="svd"
        "svd" regularises by `reg_param`, "eigen" by `shrinkage` or `covariance_estimator`. Both
        work from the same moments.
    shrinkage : "auto", "oas", float in [0, 1] or None, default=None
        Share of the mean variance in each covariance: estimated by Ledoit and Wolf ("auto"), by the
        oracle approximation ("oas"), given, or none. With solver "eigen".
    priors : array-like of shape (n_classes,) or None, default=None
        Prior probabilities; None: shares of the rows.
    reg_param : float in [0, 1], default=0.0
        Covariances become (1 − r)Σ + rI. With solver "svd".
    store_covariance : bool, default=False
        Whether to keep the covariance matrices in ``covariance_``.
    tol : float in [0, inf), default=1e-4
        A covariance matrix with a variance not above it along some axis is refused as singular.
    covariance_estimator : object with fit, or None, default=None
        Fitted to the rows of each class; its ``covariance_`` is used. With solver "eigen".
    covariance_type : {"full", "diag"}, default="full"
        "diag": columns are independent within a class, as in `GaussianNB`.
    missing : {"refuse", "marginalize"}, default="refuse"
        What predictions do with rows that lack features (NaN): refuse them, or integrate those
        features out of the densities, which leaves the others.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Labels.
    covariance_ : list of n_classes arrays of shape (n_features, n_features)
        If `store_covariance`.
    means_ : array of shape (n_classes, n_features)
        Means.
    priors_ : array of shape (n_classes,)
        Prior probabilities.
    rotations_, scalings_ : lists of n_classes arrays
        Principal axes of each class (in columns), and its variances along them, largest first.
    condition_, digits_ : arrays of shape (n_classes,)
        Condition numbers of the covariance matrices, and the decimal digits that rounding leaves
        of distances in them.
    statistic_ : FullClassMoments or DiagonalClassMoments
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[-1.0, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    >>> model = QuadraticDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2])
    >>> model.predict([[-0.8, -1]])
    array([1])
    >>> model.scalings_[0].round(4)
    array([0.8451, 0.0438])
    >>> model.n_parameters_, model.predict_joint_log_proba([[-2.0, -1.0]]).round(2)
    (11, array([[ -1.88, -13.88]]))

    References
    ----------
    Hastie, Tibshirani & Friedman (2009), The Elements of Statistical Learning, section 4.3.
    """

    _study_role = StudyRole(
        "qda",
        "Quadratic discriminant analysis",
        30,
        space={"reg_param": (0.1, 0.01, 0.5)},
        max_columns=500,
    )

    def __init__(
        self,
        *,
        solver: Annotated[str, Options("svd", "eigen")] = "svd",
        shrinkage: Annotated[str, Options("auto", "oas")]
        | Annotated[float, Interval(0, 1, "both")]
        | None = None,
        priors: Annotated[Any, Numbers(-inf, inf)] | None = None,
        reg_param: Annotated[float, Interval(0, 1, "both")] = 0.0,
        store_covariance: bool = False,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        covariance_estimator: Annotated[Any, HasMethods("fit")] | None = None,
        covariance_type: Annotated[str, Options("full", "diag")] = "full",
        missing: Annotated[str, Options("refuse", "marginalize")] = "refuse",
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.covariance_type = covariance_type
        self.missing = missing

    @property
    def _diagonal(self) -> bool:
        simple = not self._needs_rows and self.shrinkage != "oas"
        return self.covariance_type == "diag" and simple

    @property
    def _statistic(self) -> type[Any]:
        return DiagonalClassMoments if self._diagonal else FullClassMoments

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]  # as in scikit-learn
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.

        Returns
        -------
        self
        """
        return super().fit(X, y)

    def _learn(self, source: Source) -> None:
        self._refuse_unsuitable()
        super()._learn(source)

    def _solve(self, statistic: Any, source: Source) -> None:
        self._set_priors(statistic.weight)
        self._refuse_lonely(statistic.n_rows)
        self.means_: Array = statistic.mean
        if self._diagonal:
            self._from_variances(statistic)
        else:
            self._from_covariances(statistic, source)
        widest = np.array([each.max() for each in self.scalings_])
        self.condition_: Array = widest / np.array([each.min() for each in self.scalings_])
        self.digits_: Array = digits_left(self.condition_)

    def _from_variances(self, statistic: Any) -> None:
        variances = statistic.scatter / statistic.weight[:, None]
        if self.solver == "svd":
            variances = (1.0 - self.reg_param) * variances + self.reg_param
        elif self.shrinkage is not None:
            mean = variances.mean(axis=1, keepdims=True)
            variances = (1.0 - self.shrinkage) * variances + self.shrinkage * mean
        self._refuse_singular(variances, statistic.n_rows)
        order = [np.argsort(-each, kind="stable") for each in variances]
        self.scalings_ = [each[at] for each, at in zip(variances, order, strict=True)]
        self.rotations_ = [np.eye(len(at))[:, at] for at in order]
        self._spread: Array = 1.0 / np.sqrt(variances)
        self._log_det: Array = np.log(variances).sum(axis=1)
        if self.store_covariance:
            self.covariance_ = [np.diag(each) for each in variances]

    def _from_covariances(self, statistic: Any, source: Source) -> None:
        shrinkage = self.shrinkage if self.solver == "eigen" else None
        found = class_covariances(
            statistic, shrinkage, self.covariance_estimator, rows_at_hand(source)
        )
        if self.covariance_type == "diag":
            found = found * np.eye(found.shape[1])
        if self.solver == "svd":
            found = (1.0 - self.reg_param) * found + self.reg_param * np.eye(found.shape[1])
        with one_blas_thread():
            values, axes = interruptible(np.linalg.eigh, found)
            self._refuse_singular(values, statistic.n_rows)
            self._spread, self._log_det = inverse_factors(found, self.classes_.tolist())
        self.scalings_ = [each[::-1] for each in values]
        self.rotations_ = [each[:, ::-1] for each in axes]
        if self.store_covariance:
            self.covariance_ = list(found)

    def _refuse_lonely(self, n_rows: Array) -> None:
        self._refuse_empty(n_rows)
        if (n_rows == 1).any():
            label = self.classes_.tolist()[int(np.argmin(n_rows))]
            raise InvalidDataError(
                f"{type(self).__name__}: y has only 1 sample in class {label!r}, covariance is "
                "ill defined. Join it with another class, or use LinearDiscriminantAnalysis, "
                "whose classes share one covariance."
            )

    def _refuse_singular(self, variances: Array, n_rows: Array) -> None:
        low = ~(variances > self.tol).all(axis=1)
        if not low.any():
            return
        c, p = int(np.argmax(low)), variances.shape[1]
        if self.solver == "svd" and n_rows[c] <= p:
            advice = (
                "When using `solver='svd'` the number of samples in each class should be more than "
                f"the number of features, but this one has {n_rows[c]:g} samples and {p} features. "
                "Try using `solver='eigen'` and setting the parameter `shrinkage`, for instance "
                "to 'auto'."
            )
        else:
            name = "shrinkage" if self.solver == "eigen" else "reg_param"
            advice = (
                f"Its smallest variance along an axis is {variances[c].min():.2g}, not above "
                f"tol={self.tol:g}. Increase the value of `{name}` to reduce the collinearity, or "
                "scale the columns."
            )
        raise SingularCovarianceError(
            f"{type(self).__name__}: the covariance matrix of class {self.classes_.tolist()[c]!r} "
            f"is not full rank. {advice}"
        )

    @property
    def n_parameters_(self) -> int:
        """Free parameters: means and covariances of all classes, and the priors."""
        self._check_fitted()
        classes, p = self.means_.shape
        each = 2 * p if self.covariance_type == "diag" else p + p * (p + 1) // 2
        return int(classes * each + (classes - 1 if self.priors is None else 0))

    def _gaussian_classes(self) -> GaussianClasses:
        covariance = covariance_of_factors(self._spread)
        return GaussianClasses(self._log_priors(), self.means_, covariance)

    def _formula(self, columns: list[Expression]) -> FormulaAnswer:
        from stylobate.formula.pieces import classes_by_scores, normal_score

        biases = np.log(np.maximum(self.priors_, 1e-300)) - 0.5 * self._log_det
        scores = [
            normal_score(columns, mean, spread, bias, log_det=0.0)
            for mean, spread, bias in zip(self.means_, self._spread, biases, strict=True)
        ]
        return classes_by_scores(scores, self.classes_, chances=True)

    def _scores(self, table: Table, answer: Answer) -> tuple[NDArray[Any], bool]:
        with np.errstate(divide="ignore"):
            bias = np.log(self.priors_) - 0.5 * self._log_det
        center = self.priors_ @ self.means_
        mean = self.means_ - center
        if self._spread.ndim == 2:
            found = _core.diagonal_scores(
                table.x, center, bias, self._spread, mean * self._spread, int(answer)
            )
        else:
            found = _core.triangular_scores(table.x, center, bias, self._spread, mean, int(answer))
        return found[0], found[1]


def inverse_factors(covariances: Array, labels: list[Any]) -> tuple[Array, Array]:
    """L⁻¹ and log|Σ| of each covariance matrix Σ = LLᵀ.

    Examples
    --------
    >>> factor, log_det = inverse_factors(np.array([[[4.0]]]), ["a"])
    >>> factor.item(), log_det.item()
    (0.5, 1.3862943611198906)
    """
    from scipy.linalg import lapack

    factors, log_dets = np.empty_like(covariances), np.empty(len(covariances))
    for c, covariance in enumerate(covariances):
        lower, wrong = lapack.dpotrf(covariance, lower=1, clean=1)
        if wrong:
            raise SingularCovarianceError(
                f"QuadraticDiscriminantAnalysis: the covariance matrix of class {labels[c]!r} is "
                "not positive definite. Use solver='eigen' with shrinkage='auto'."
            )
        log_dets[c] = 2.0 * np.log(np.diag(lower)).sum()
        factors[c] = lapack.dtrtri(lower, lower=1)[0]
    return factors, log_dets
