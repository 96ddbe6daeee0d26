"""Linear discriminant analysis: a classifier and a projection."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Options, TransformerMixin
from stylobate.base.class_scores import Answer
from stylobate.base.constraints import Numbers
from stylobate.base.gaussian_classes import GaussianClasses, require_covariance
from stylobate.base.study_role import StudyRole
from stylobate.data import Table
from stylobate.discriminant_analysis.covariances import pooled_of
from stylobate.discriminant_analysis.gaussian import GaussianDiscriminant, digits_left
from stylobate.discriminant_analysis.singular import SingularCovarianceError
from stylobate.discriminant_analysis.solution import Projection, solve
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.statistics import (
    DiagonalClassMoments,
    FullClassMoments,
    PooledClassMoments,
    Source,
    rows_at_hand,
)

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer as FormulaAnswer
    from stylobate.formula.expressions import Expression


_WIDE = 640  # columns from which on few rows are decomposed themselves, not their covariance


class LinearDiscriminantAnalysis(TransformerMixin, GaussianDiscriminant):
    r"""Normal densities that share one covariance matrix: linear boundaries, and a projection.

    .. math:: p(c \mid x) = \operatorname{softmax}_c(\beta_c^\top x + \gamma_c), \qquad
              \beta_c = \Sigma^{-1} \mu_c, \quad
              \gamma_c = -\tfrac12 \mu_c^\top \Sigma^{-1} \mu_c + \log \pi_c

    ``coef_`` and ``intercept_`` are the weights β and γ of that softmax. `transform` projects on
    the directions in which the means of the classes lie furthest apart, measured by the spread
    within classes. One pass over the rows gives all that is needed (`PooledClassMoments`).

    Parameters
    ----------
    solver : {"svd", "lsqr", "eigen"}, default="svd"
        "svd" drops directions without spread; "lsqr" solves for the weights and does not project;
        "eigen" solves the generalised eigenproblem. The last two take shrinkage.
    shrinkage : "auto", "oas", float in [0, 1] or None, default=None
        Share of the mean variance in each class's covariance: estimated by Ledoit and Wolf
        ("auto"), by the oracle approximation ("oas"), given, or none.
    priors : array-like of shape (n_classes,) or None, default=None
        Prior probabilities; None: shares of the rows.
    n_components : int in [1, inf) or None, default=None
        Columns `transform` returns, at most min(n_classes − 1, n_features); None: so many.
    store_covariance : bool, default=False
        Whether to keep the common covariance matrix with solver "svd" too.
    tol : float in [0, inf), default=1e-4
        Singular values of standardised columns not above it count as zero. With solver "svd".
    covariance_estimator : object with fit, or None, default=None
        Fitted to the rows of each class; its ``covariance_`` is used. With "lsqr" or "eigen".
    missing : {"refuse", "marginalize"}, default="refuse"
        What predictions do with rows that lack features (NaN): refuse them, or integrate those
        features out of the densities, which leaves the others.

    Attributes
    ----------
    coef_ : array of shape (1, n_features) or (n_classes, n_features)
        Weights.
    intercept_ : array of shape (1,) or (n_classes,)
        Intercepts.
    classes_ : array of shape (n_classes,)
        Labels.
    covariance_ : array of shape (n_features, n_features)
        The common covariance matrix, with solver "svd" if `store_covariance`.
    explained_variance_ratio_ : array of shape (n_components,)
        Shares of the spread between the means, with solvers "svd" and "eigen".
    means_ : array of shape (n_classes, n_features)
        Means.
    priors_ : array of shape (n_classes,)
        Prior probabilities.
    scalings_ : array of shape (n_features, rank)
        Directions, with solvers "svd" and "eigen".
    xbar_ : array of shape (n_features,)
        The mean of all classes, with solver "svd".
    condition_, digits_ : float
        Condition number of the common covariance of columns of variance 1, within its rank, and the
        decimal digits that rounding leaves of the weights.
    statistic_ : PooledClassMoments or FullClassMoments
        What was learnt from. Of few rows with many columns nothing is kept.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[-1.0, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    >>> model = LinearDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2])
    >>> model.predict([[-0.8, -1]]), model.predict_proba([[0.0, 0.0]]).round(6)
    (array([1]), array([[0.5, 0.5]]))
    >>> abs(model.transform([[1.0, 1.0]])).round(6)
    array([[2.12132]])
    >>> model.n_parameters_, model.predict_joint_log_proba([[-2.0, -1.0]]).round(2)
    (8, array([[ -1.88, -13.88]]))

    References
    ----------
    Fisher (1936), The use of multiple measurements in taxonomic problems. Hastie, Tibshirani &
    Friedman (2009), The Elements of Statistical Learning, section 4.3.
    """

    _study_role = StudyRole(
        "lda",
        "Linear discriminant analysis",
        10,
        space={"shrinkage": ("auto", 0.0, 0.1, 0.5)},
        fixed={"solver": "lsqr"},
        max_columns=2000,
    )

    def __init__(
        self,
        solver: Annotated[str, Options("svd", "lsqr", "eigen")] = "svd",
        shrinkage: Annotated[str, Options("auto", "oas")]
        | Annotated[float, Interval(0, 1, "both")]
        | None = None,
        priors: Annotated[Any, Numbers(-inf, inf)] | None = None,
        n_components: Annotated[int, Interval(1, inf)] | None = None,
        store_covariance: bool = False,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        covariance_estimator: Annotated[Any, HasMethods("fit")] | None = None,
        missing: Annotated[str, Options("refuse", "marginalize")] = "refuse",
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.missing = missing

    @property
    def _statistic(self) -> type[Any]:
        by_class = isinstance(self.shrinkage, str) or self.covariance_estimator is not None
        shows = self.solver != "svd" or self.store_covariance
        weighted = self.priors is not None and shows
        return FullClassMoments if by_class or weighted else PooledClassMoments

    def _statistic_for(self, source: Source) -> Any:
        table = rows_at_hand(source)
        few = table is not None and table.n_features > max(_WIDE, table.n_rows)
        if few and self.solver == "svd" and not self.store_covariance:
            return DiagonalClassMoments
        return self._statistic

    def _learn(self, source: Source) -> None:
        self._refuse_unsuitable()
        super()._learn(source)
        if isinstance(self.statistic_, DiagonalClassMoments) and not isinstance(
            self.statistic_, FullClassMoments
        ):
            del self.statistic_

    def _solve(self, statistic: Any, source: Source) -> None:
        if statistic.n_rows.sum() <= len(self.classes_):
            raise InvalidDataError(
                f"{type(self).__name__}: the number of samples must be more than the number of "
                f"classes, got {statistic.n_rows.sum():g} samples of {len(self.classes_)} classes."
            )
        self._refuse_empty(statistic.n_rows)
        self._set_priors(statistic.weight)
        components = self._components(statistic.n_features)
        self.means_: Array = statistic.mean
        solved: Projection = solve(self, statistic, source)
        self._center, self._weights, self._bias = solved.center, solved.weights, solved.bias
        for name in ("covariance_", "scalings_", "explained_variance_ratio_", "xbar_"):
            value = getattr(solved, name.rstrip("_"))
            if value is not None:
                setattr(self, name, value)
        if solved.explained_variance_ratio is not None:
            self.explained_variance_ratio_ = solved.explained_variance_ratio[:components]
        self.condition_ = solved.condition
        self.digits_ = float(digits_left(solved.condition))
        coef, intercept = solved.weights, solved.bias - solved.weights @ solved.center
        two = len(self.classes_) == 2
        self.coef_: Array = coef[1:] - coef[:1] if two else coef
        self.intercept_: Array = intercept[1:] - intercept[:1] if two else intercept
        self._n_features_out = components

    def _components(self, n_features: int) -> int:
        most = min(len(self.classes_) - 1, n_features)
        if self.n_components is not None and self.n_components > most:
            raise InvalidParameterError(
                f"{type(self).__name__}: n_components cannot be larger than min(n_features, "
                f"n_classes - 1) = {most}, got {self.n_components}."
            )
        return most if self.n_components is None else int(self.n_components)

    def transform(self, X: Any) -> Any:
        """Project on the directions that separate the classes best.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        if self.solver == "lsqr":
            raise InvalidParameterError(
                f"{type(self).__name__}: transform not implemented for 'lsqr' solver (use 'svd' or "
                "'eigen')."
            )
        table = self._read(X, reset=False)
        directions = self.scalings_[:, : self._n_features_out]
        center = getattr(self, "xbar_", None)
        kind = table.x.dtype
        rows = table.x if center is None else table.x - center
        return self._wrap((rows @ directions).astype(kind, copy=False), table)

    scalings_: Array

    @property
    def n_parameters_(self) -> int:
        """Free parameters: means of all classes, one covariance matrix, and the priors."""
        self._check_fitted()
        classes, p = self.means_.shape
        free = classes * p + p * (p + 1) // 2
        return int(free + (classes - 1 if self.priors is None else 0))

    def _gaussian_classes(self) -> GaussianClasses:
        kept = getattr(self, "covariance_", None)
        if self.solver == "svd":  # whose weights come from the pooled matrix whatever the priors
            moments = getattr(self, "statistic_", None)
            kept = None if moments is None else pooled_of(moments) / moments.weight.sum()
        common = require_covariance(kept, type(self).__name__)
        if not np.linalg.matrix_rank(common, hermitian=True) == len(common):
            raise SingularCovarianceError(
                f"{type(self).__name__}: the covariance matrix within classes is singular, so that "
                "rows have no density. Set shrinkage (solver='lsqr'), or leave columns out."
            )
        covariance = np.broadcast_to(common, (len(self.classes_), *common.shape))
        return GaussianClasses(self._log_priors(), self.means_, covariance)

    def _formula(self, columns: list[Expression]) -> FormulaAnswer:
        from stylobate.formula.pieces import classes_by_scores, shifted, weighted

        centered = [shifted(x, c) for x, c in zip(columns, self._center, strict=True)]
        scores = [
            weighted(centered, row, b) for row, b in zip(self._weights, self._bias, strict=True)
        ]
        return classes_by_scores(scores, self.classes_, chances=True)

    def _scores(self, table: Table, answer: Answer) -> tuple[NDArray[Any], bool]:
        found, finite = _core.linear_scores(
            table.x, self._center, self._bias, self._weights, int(answer)
        )
        return found, finite
