"""What linear regressors share: storing an answer, predicting, and the statistical view."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.base import RegressorMixin, Tags
from stylobate.base.learning import LearnsFromStatistic
from stylobate.base.residuals import ResidualSums
from stylobate.base.tags import Tier
from stylobate.base.validation import input_names
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model.least_squares.request import ROW_SOLVERS
from stylobate.linear_model.shared.predictions import LinearPredictions
from stylobate.statistics import Moments, Source, TriangularFactor

if TYPE_CHECKING:
    from stylobate.inference import Influence, LinearFit, PredictionInterval, RegressionSummary
    from stylobate.inference.covariance.least_squares import CovarianceKind
    from stylobate.linear_model.least_squares.answer import Solved
    from stylobate.linear_model.least_squares.request import LinearRequest


class LinearRegressor(LinearPredictions, RegressorMixin, LearnsFromStatistic):
    """ŷ = Xw + b, with standard errors, intervals and influence where there is no selection."""

    fit_intercept: bool
    _flat_single_target = False  # coef_ for y of one column: (1, p), or (p,) as in Ridge

    def _tags(self) -> Tags:
        tier: Tier = "all rows" if self._needs_rows else "one pass"
        return super()._tags().but(sparse=True, multi_output=True, tier=tier)

    @property
    def _statistic(self) -> type[Any]:
        by_rows = getattr(self, "solver", "auto") in ("qr", "svd")
        return TriangularFactor if by_rows else Moments

    @property
    def _needs_rows(self) -> bool:
        return getattr(self, "solver", "auto") in ROW_SOLVERS

    # --- storing ----------------------------------------------------------------------------------

    def _store(self, solved: Solved, source: Source, request: LinearRequest) -> None:
        from stylobate.linear_model.shared.fit_facts import LinearFitFacts

        solution = solved.solution
        if source.y_is_vector:
            self.coef_ = solution.coef[:, 0].copy()
            self.intercept_: Any = solved.intercept[0]
        elif solution.coef.shape[1] == 1 and self._flat_single_target:
            self.coef_ = solution.coef[:, 0].copy()
            self.intercept_ = solved.intercept
        else:
            self.coef_ = np.ascontiguousarray(solution.coef.T)
            self.intercept_ = solved.intercept
        if not request.intercept:
            self.intercept_ = 0.0
        statistic = solved.moments if solved.moments is not None else solved.factor
        if statistic is not None:
            self.statistic_ = statistic
        self.solver_ = solved.solver
        self.solver_reason_ = solved.reason
        self.certificate_ = solution.certificate
        self.trace_ = solution.trace
        self.n_iter_ = max(solution.iterations, 1)  # a direct solution is one step
        self._facts = LinearFitFacts.of(solved, source, request)
        if not solution.converged:
            self._warn_not_converged(request)

    def _warn_not_converged(self, request: LinearRequest) -> None:
        from stylobate.linear_model.shared.convergence import warn_not_converged

        proof = self.certificate_
        warn_not_converged(
            type(self).__name__,
            self.solver_,
            self.n_iter_,
            proof,
            tol=request.tol,
            advice="Raise max_iter, scale the columns to one size (condition number "
            f"{proof.condition:.2g}), or use solver='auto'.",
        )

    def _columns(self) -> tuple[Array, Array]:
        """Coefficients (p × t) and intercepts (t)."""
        coef = np.atleast_2d(self.coef_).T
        intercept = np.asarray(self.intercept_, dtype=float)
        return coef, np.broadcast_to(intercept, (coef.shape[1],))

    def _residual_sums(self, statistic: Any) -> ResidualSums | None:
        from stylobate.linear_model.ridge.fold_fits import RidgeFoldFits

        coef, intercept = self._columns()
        told, sums = RidgeFoldFits.of_one(coef, intercept).residual_sums([[statistic]])
        return sums if told.all() else None

    def predict_interval(
        self,
        X: Any,
        *,
        level: float = 0.95,
        kind: Literal["confidence", "prediction", "plug-in"] = "prediction",
        target: int = 0,
    ) -> PredictionInterval:
        """Predictions with an interval for each row.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows.
        level : float in (0, 1), default=0.95
            Share of such intervals that cover the truth.
        kind : {"prediction", "confidence", "plug-in"}, default="prediction"
            For a new observation, for the mean of many at the same x, or for a new observation
            as if the maximum likelihood estimates were the truth: ŷ ± z·σ_ML.
        target : int, default=0
            Which target, if there are several.

        Returns
        -------
        PredictionInterval
            With `mean`, `lower`, `upper`, `std_error`.
        """
        from stylobate.inference import prediction

        table = self._read(X, reset=False)
        return prediction(self.linear_fit(target), table.x, level=level, kind=kind)

    # --- the statistical view ---------------------------------------------------------------------

    def linear_fit(self, target: int = 0) -> LinearFit:
        """What inference needs of this fit, for one target (see `stylobate.inference`)."""
        from stylobate.linear_model.shared.fit_facts import linear_fit

        self._check_fitted()
        coef = np.atleast_2d(self.coef_)
        if not isinstance(target, Integral) or not 0 <= target < len(coef):
            raise InvalidParameterError(
                f"{type(self).__name__}: target must be the number of a target, in "
                f"[0, {len(coef) - 1}], got {target!r}."
            )
        intercept = float(np.atleast_1d(self.intercept_)[target if self._facts.intercept else 0])
        names = tuple(map(str, input_names(self)))
        return linear_fit(self._facts, coef[target], intercept, names, target, type(self).__name__)

    def summary(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        covariance: CovarianceKind = "classical",
        groups: Any = None,
        lags: int | None = None,
        level: float = 0.95,
        target: int = 0,
    ) -> RegressionSummary:
        """Standard errors, t and p values, intervals and measures of fit; print it for a table.

        Parameters
        ----------
        X, y, sample_weight : the data of `fit`, optional
            Needed only for robust and clustered covariance, which look at each residual.
        covariance : {"classical", "HC0", "HC1", "HC2", "HC3", "cluster", "CR2", "CR3", "HAC"}, \
default="classical"
            How the covariance of the coefficients is estimated; "CR2" and "CR3" are for few groups,
            "HAC" (Newey and West) for rows in the order of time.
        groups : array-like of shape (n,) or (n, 2), optional
            Cluster of each row, for "cluster" (two columns: both ways), "CR2" and "CR3".
        lags : int in [0, n), optional
            Of "HAC"; by default the whole part of ``4 (n/100)^(2/9)``.
        level : float in (0, 1), default=0.95
            Of the confidence intervals.
        target : int, default=0
            Which target, if there are several.

        Returns
        -------
        RegressionSummary
        """
        from stylobate.inference import summarize

        fit, rows = self.linear_fit(target), None
        if X is not None:
            table = self._read(X, y, sample_weight, reset=False, y_required=True)
            assert table.y is not None
            rows = (table.x, table.y[:, target], table.weights)
        return summarize(
            fit, rows=rows, covariance=covariance, groups=groups, lags=lags, level=level
        )

    def influence(self, X: Any, y: Any, sample_weight: Any = None, *, target: int = 0) -> Influence:
        """Leverages, studentised residuals, Cook's distances and more of the rows of `fit`.

        Parameters
        ----------
        X, y, sample_weight
            The data given to `fit`.
        target : int, default=0
            Which target, if there are several.

        Returns
        -------
        Influence
        """
        from stylobate.inference import influence

        fit = self.linear_fit(target)
        table = self._read(X, y, sample_weight, reset=False, y_required=True)
        assert table.y is not None
        return influence(fit, table.x, table.y[:, target], table.weights)

    def leverages(self, X: Any, sample_weight: Any = None, *, target: int = 0) -> Array:
        """hᵢ = wᵢ·xᵢᵀ(XᵀWX)⁻¹xᵢ: the diagonal of the hat matrix for the rows of `fit`.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows; those of `fit` for the hat matrix.
        sample_weight : array-like of shape (n,), optional
            The weights given to `fit`.
        target : int, default=0
            Which target, if there are several with penalties of their own.

        Returns
        -------
        array of shape (n,)
        """
        from stylobate.linear_model.shared.fit_facts import leverages

        self._check_fitted()
        table = self._read(X, None, sample_weight, reset=False)
        return leverages(self._facts, table, target, type(self).__name__)
