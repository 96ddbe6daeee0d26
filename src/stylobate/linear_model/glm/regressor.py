"""What the regressors of counts and positive amounts share: fitting, predicting, inference."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.base import RegressorMixin, Tags
from stylobate.base.learning import LearnsFromStatistic
from stylobate.base.validation import input_names
from stylobate.data import read_table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, NumericalError, joined
from stylobate.optimize.glm.family import Family
from stylobate.statistics import Source
from stylobate.statistics.source import rows_at_hand

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression
    from stylobate.inference import GLMFit, GLMSummary
    from stylobate.optimize.glm import GLMSolution
    from stylobate.optimize.glm.zeros import SeparatedZeros

VANISHING = 1e-6  # fitted means of zero rows, as a share of the mean, that raise a suspicion
SOLVERS = ("auto", "lbfgs", "newton-cholesky")


class GeneralizedLinearRegressor(RegressorMixin, LearnsFromStatistic):
    """E[y] = g⁻¹(Xw + b), fitted by maximum likelihood with an optional ℓ2 penalty."""

    alpha: float
    fit_intercept: bool
    solver: str
    max_iter: int
    tol: float
    warm_start: bool
    verbose: int
    separation_: SeparatedZeros | None = None

    @property
    def _family(self) -> Family:
        raise NotImplementedError

    def _tags(self) -> Tags:
        try:
            power = self._family.power
            positive = power is not None and power >= 1.0
        except (TypeError, ValueError):  # parameters not yet checked
            positive = False
        tier: Literal["one pass per iteration"] = "one pass per iteration"
        return super()._tags().but(sparse=True, positive_y=positive, tier=tier)

    # --- fitting ----------------------------------------------------------------------------------

    def _start_afresh(self) -> None:
        known = None
        if self.warm_start and hasattr(self, "coef_"):
            known = (np.asarray(self.coef_, dtype=np.float64), float(self.intercept_))
        super()._start_afresh()
        self._known_start = known

    def _learn(self, source: Source) -> None:
        from stylobate.optimize.glm import GLMRequest
        from stylobate.optimize.glm.lbfgs import MAX_HESSIAN_COLUMNS, solve_lbfgs
        from stylobate.optimize.glm.newton import solve_newton

        known = self.__dict__.pop("_known_start", None)
        if known is not None and len(known[0]) != getattr(self, "n_features_in_", len(known[0])):
            known = None
        request = GLMRequest(
            owner=type(self).__name__,
            family=self._family,
            alpha=float(self.alpha),
            fit_intercept=self.fit_intercept,
            tol=float(self.tol),
            max_iter=self.max_iter,
            start=known,
        )
        columns = source.n_features
        many = columns > MAX_HESSIAN_COLUMNS
        name, reason = self.solver, "asked for"
        if name == "auto":
            name = "lbfgs" if many else "newton-cholesky"
            reason = (
                f"{columns} columns: a Hessian is too large"
                if many
                else ("few columns: a handful of passes, each a weighted Gram")
            )
        solve = solve_lbfgs if name == "lbfgs" else solve_newton
        solution = solve(source, request)
        self.separation_ = self._separated(source, solution)
        self._store(solution, name, reason)

    def _separated(self, source: Source, solution: GLMSolution) -> SeparatedZeros | None:
        """Zeros that the unpenalised fit sends to a mean of 0, if rows are there to look at."""
        family, table = self._family, rows_at_hand(source)
        power = family.power
        if self.alpha > 0 or table is None or power is None or not 1.0 <= power < 2.0:
            return None
        assert table.y is not None
        x, y = table.x, table.y[:, 0]
        if table.weights is not None and not table.weights.all():
            kept = np.flatnonzero(table.weights)
            x, y = x[kept], y[kept]
        fitted = family.mean(np.asarray(x @ solution.coef + solution.intercept, dtype=np.float64))
        if not (fitted[y == 0] < VANISHING * y.mean()).any():
            return None
        from stylobate.optimize.glm.zeros import find_separated_zeros

        return find_separated_zeros(x, y, fit_intercept=self.fit_intercept)

    def _store(self, solution: GLMSolution, solver: str, reason: str) -> None:
        self.coef_ = solution.coef
        self.intercept_ = solution.intercept
        self.solver_ = solver
        self.solver_reason_ = reason
        self.certificate_ = solution.certificate
        self.trace_ = solution.trace
        self.n_iter_ = max(solution.iterations, 1)
        self._facts = solution
        if self.verbose:
            for i, value in enumerate(solution.trace.objective):
                print(f"{type(self).__name__}: iteration {i}, objective {value:.10g}")
        if self.separation_ is not None:
            names = list(map(str, input_names(self)))
            warnings.warn(
                f"{type(self).__name__}: {self.separation_.words(names)} Raise alpha for finite "
                "ones.",
                joined(ConvergenceWarning),
                stacklevel=user_stacklevel(),
            )
        elif not solution.converged:
            self._warn_not_converged()

    def _warn_not_converged(self) -> None:
        from stylobate.linear_model.shared.convergence import warn_not_converged

        warn_not_converged(
            type(self).__name__,
            self.solver_,
            self.n_iter_,
            self.certificate_,
            tol=self.tol,
            advice="Raise max_iter or alpha (without a penalty the likelihood may have no maximum: "
            "look for columns that separate zeros from the rest), scale the columns, or use "
            "solver='auto'.",
        )

    # --- predicting -------------------------------------------------------------------------------

    def predict(self, X: Any) -> NDArray[Any]:
        """Predicted means, g⁻¹(Xw + b).

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        z = table.x @ self.coef_.astype(table.x.dtype) + self.intercept_
        return np.asarray(self._family.mean(np.asarray(z))).astype(table.x.dtype)

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.pieces import linear_answer, through_link

        return through_link(linear_answer(columns, self.coef_, self.intercept_), self._family.link)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        r"""D², the share of the deviance explained.

        .. math:: D^2 = 1 - \frac{D(y, \hat\mu)}{D(y, \bar y)}

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows to predict.
        y : array-like of shape (n,)
            What they really are.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        float
            In (-inf, 1]: 1 is perfect, 0 no better than the mean of y.
        """
        mu = np.asarray(self.predict(X), dtype=np.float64)
        # the door checks y and the weights against the rows predicted
        table = read_table(
            mu[:, None], y, sample_weight, owner=type(self).__name__, y_required=True
        )
        assert table.y is not None
        target = table.y[:, 0]
        w = np.ones(len(target)) if table.weights is None else table.weights
        family = self._family
        family.refuse_target(target, f"{type(self).__name__}.score")
        mean = np.full(len(target), float(w @ target / w.sum()))
        unexplained, total = (float(w @ family.deviance(target, m)) for m in (mu, mean))
        if total == 0.0:
            return 1.0 if unexplained == 0.0 else 0.0
        return 1.0 - unexplained / total

    # --- the statistical view ---------------------------------------------------------------------

    def glm_fit(self) -> GLMFit:
        """What inference needs of this fit (see `stylobate.inference`)."""
        from stylobate.inference import fit_from_information
        from stylobate.optimize.glm.zeros import determined

        self._check_fitted()
        found: GLMSolution = self._facts
        if found.information is None:
            raise NumericalError(
                f"{type(self).__name__}: with {len(found.coef)} columns no information matrix was "
                "kept, which standard errors need; fit with solver='newton-cholesky'."
            )
        k = len(found.coef) + self.fit_intercept
        return fit_from_information(
            self._family,
            coef=found.coef,
            intercept=found.intercept,
            information=found.information[:k, :k],
            center=found.center,
            has_intercept=self.fit_intercept,
            n_rows=found.facts.n_rows,
            weight_sum=found.facts.weight,
            deviance=found.facts.deviance,
            null_deviance=found.facts.null_deviance,
            pearson=found.facts.pearson,
            saturated=found.facts.saturated,
            names=tuple(map(str, input_names(self))),
            penalised=self.alpha > 0,
            certificate=found.certificate,
            separation=self._separation_words(),
            estimable=(
                None
                if self.separation_ is None
                else determined(self.separation_, self.fit_intercept)
            ),
        )

    def _separation_words(self) -> str | None:
        if self.separation_ is None:
            return None
        said = self.separation_.words(list(map(str, input_names(self))))
        return said[0].upper() + said[1:]

    def summary(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        covariance: Literal["classical", "HC0", "HC1", "cluster"] = "classical",
        groups: Any = None,
        level: float = 0.95,
        dispersion: float | Literal["auto", "pearson"] = "auto",
    ) -> GLMSummary:
        """Standard errors, Wald and likelihood-ratio tests, deviance, AIC and BIC.

        Only an unpenalised fit (``alpha=0``) has valid standard errors; a penalised one gets none,
        and a warning.

        Parameters
        ----------
        X, y, sample_weight : the data of `fit`, optional
            Needed only for robust and clustered covariance, which look at each row, and for the
            log-likelihood of Tweedie's family and of unequally weighted Gamma rows.
        covariance : {"classical", "HC0", "HC1", "cluster"}, default="classical"
            How the covariance of the coefficients is estimated.
        groups : array-like of shape (n,), optional
            Cluster of each row, for ``covariance="cluster"``.
        level : float in (0, 1), default=0.95
            Of the confidence intervals.
        dispersion : float > 0, "auto" or "pearson", default="auto"
            φ; "pearson" estimates it (quasi-likelihood), "auto" only where the family does not
            know it.

        Returns
        -------
        GLMSummary
        """
        from dataclasses import replace

        from stylobate.inference import summarize_glm
        from stylobate.optimize.glm import Saturated

        fit, rows = self.glm_fit(), None
        if X is not None:
            table = self._read(X, y, sample_weight, reset=False, y_required=True)
            assert table.y is not None
            target = table.y[:, 0]
            if len(target) != fit.n_rows and table.weights is None:
                raise InvalidDataError(
                    f"{type(self).__name__}.summary: the model was fitted on {fit.n_rows} rows, "
                    f"these are {len(target)}; pass the data of the fit itself."
                )
            rows = (table.x, target, table.weights)
            fit = replace(fit, saturated=Saturated.of(self._family, target, table.weights))
        return summarize_glm(
            fit, rows=rows, covariance=covariance, groups=groups, level=level, dispersion=dispersion
        )
