"""What a statistician asks of a fitted model: errors, tests, tables, effects, means, checks."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.inference.distributions import chi2_p, f_p, two_sided_p, two_sided_quantile
from stylobate.inference.estimates import Estimates, WaldTest, hypothesis_matrix, wald_test
from stylobate.inference.summary.regression import Coefficients
from stylobate.regression.covariance_methods import CovarianceMethods, Kind

if TYPE_CHECKING:
    from stylobate.inference import Influence, RegressionSummary
    from stylobate.inference.checks.specification import SpecificationReport
    from stylobate.inference.comparisons.multiplicity import ContrastTable
    from stylobate.inference.intervals import PredictionInterval
    from stylobate.regression.anova import AnovaTable
    from stylobate.regression.influence import GLMInfluence
    from stylobate.regression.margins import MarginalEffects
    from stylobate.regression.means import EstimatedMeans
    from stylobate.regression.summary import ModelSummary

_NAN = float("nan")


class InferenceMethods(CovarianceMethods):
    """Methods of `FormulaModel` that follow from its estimates and, where said, its rows."""

    # --- the summary ------------------------------------------------------------------------------

    def summary(
        self,
        *,
        covariance: Kind = "classical",
        groups: Any = None,
        lags: int | None = None,
        level: float = 0.95,
        data: Any = None,
    ) -> RegressionSummary | ModelSummary:
        """Coefficients with errors, tests and intervals, and measures of fit; print it.

        Parameters
        ----------
        covariance, groups, lags, data
            As of `estimates`.
        level : float in (0, 1), default=0.95
            Of the intervals.

        Returns
        -------
        RegressionSummary or ModelSummary
        """
        if self.estimator is not None:
            own: ModelSummary = self._estimator_summary(data)
            return own
        self._refuse_estimator()
        if self.is_least_squares:
            from stylobate.inference import summarize

            rows = None if covariance == "classical" else self._least_squares_rows(data)
            codes = self._groups(groups, data)
            told = summarize(
                self._clustered_fit(codes, data), rows=rows, covariance=covariance, groups=codes,
                lags=lags, level=level,
            )  # fmt: skip
            return replace(told, notes=(*told.notes, *self._data_notes()))
        found = self.estimates(covariance=covariance, groups=groups, lags=lags, data=data)
        return self._likelihood_summary(found, level)

    def _data_notes(self) -> tuple[str, ...]:
        dropped, found = self.n_dropped_, getattr(self, "data_notes_", ())
        if not dropped:
            return found
        return (
            *found,
            f"{dropped} row(s) were left out because a column of the formula is missing in them.",
        )

    def _estimator_summary(self, data: Any) -> Any:
        """The summary of an estimator that has one, of the named columns."""
        self._check_fitted()
        own: Any = getattr(self.estimator_, "summary", None)
        if own is None:
            self._refuse_estimator()
        rows = self._rows(data)
        weights = () if rows.weights is None else (rows.weights,)
        y = self._labels(rows.y)
        return own(self._named(rows.x), y, *weights)

    def _likelihood_summary(self, found: Estimates, level: float) -> ModelSummary:
        from stylobate.regression.summary import ModelSummary

        fit, (family, link) = self.likelihood_fit_, self.family_
        lr, lr_df, lr_p = self._against_null()
        k = fit.rank
        estimated = family.scale == "estimated"
        return ModelSummary(
            formula=self.formula,
            title=family.title,
            family=family.name,
            link=link,
            target=self.target_.name,
            coefficients=coefficient_table(found, level),
            n=fit.n_rows,
            weight_sum=fit.weight_sum,
            n_params=k,
            df_residual=fit.df_residual,
            dispersion=fit.dispersion if family.exponential else _NAN,
            dispersion_estimated=estimated,
            deviance=fit.deviance,
            null_deviance=fit.null_deviance,
            pearson=fit.pearson,
            log_likelihood=fit.log_likelihood,
            null_log_likelihood=fit.null_log_likelihood,
            pseudo_r2=1.0 - fit.log_likelihood / fit.null_log_likelihood
            if fit.null_log_likelihood
            else _NAN,
            lr=lr,
            lr_df=lr_df,
            lr_p=lr_p,
            aic=-2.0 * fit.log_likelihood + 2.0 * k,
            bic=-2.0 * fit.log_likelihood + math.log(fit.n_rows) * k,
            covariance_type=found.kind,
            covariance=found.covariance,
            df_inference=found.df,
            level=level,
            certificate=fit.certificate.verdict,
            notes=(*fit.notes, *self._data_notes()),
        )

    def _against_null(self) -> tuple[float, int, float]:
        """The likelihood ratio against the intercept alone."""
        fit, family = self.likelihood_fit_, self.family_[0]
        spare = len(fit.names) - len(self.design_.names)
        spare = spare + 1 if family.name == "ordinal" else spare
        zero = self.zero_design_
        extra = 0 if zero is None else len(zero.names) - 1
        df = fit.rank - (spare - extra if family.name != "ordinal" else 0) - 1
        if family.name == "ordinal":
            df = fit.rank - (len(self.target_.classes) - 1)
        if df < 1:
            return _NAN, df, _NAN
        if family.exponential:
            lr = max(fit.null_deviance - fit.deviance, 0.0) / fit.dispersion
        else:
            lr = max(2.0 * (fit.log_likelihood - fit.null_log_likelihood), 0.0)
        if family.scale == "estimated":
            return lr, df, f_p(lr / df, df, fit.df_residual)
        return lr, df, chi2_p(lr, df)

    # --- tests ------------------------------------------------------------------------------------

    def test(self, hypotheses: Any, value: Any = 0.0, **covariance: Any) -> WaldTest:
        """Wald's test of linear hypotheses, jointly.

        Parameters
        ----------
        hypotheses : str or matrix
            Such as ``"x1 = x2, log(z) = 0"``; or the name of a term, all of whose coefficients are
            then tested against 0.
        value : float or array, default=0.0
            What a matrix of hypotheses is compared with.
        **covariance
            As of `estimates`.

        Returns
        -------
        WaldTest
        """
        found = self.estimates(**covariance)
        terms = self.design_.terms.names
        if isinstance(hypotheses, str) and hypotheses not in found.names:
            term = hypotheses if hypotheses in terms else _own_words(hypotheses)
            hypotheses = self._term_matrix(term) if term in terms else hypotheses
        return wald_test(found, hypotheses, value)

    def _term_matrix(self, term: str) -> Array:
        place = self.design_.terms.names.index(term)
        start, end = self.design_.slices[place]
        shift = int(self.design_.has_intercept) if self.family_[0].name == "ordinal" else 0
        return np.eye(len(self.coef_))[start - shift : end - shift]

    def contrasts(
        self, hypotheses: Any, *, adjust: str = "none", level: float = 0.95, **covariance: Any
    ) -> ContrastTable:
        """Linear combinations one by one, with a joint test and adjustment for their number.

        Parameters
        ----------
        hypotheses : str, list of str, or matrix
            As of `test`.
        adjust : str, default="none"
            "bonferroni", "sidak", "holm", "hochberg", "fdr".
        level : float in (0, 1), default=0.95
        **covariance
            As of `estimates`.

        Returns
        -------
        ContrastTable
        """
        from stylobate.inference.comparisons.multiplicity import contrasts

        matrix, values, words = hypothesis_matrix(self.names_, hypotheses)
        found = self.estimates(**covariance)
        return contrasts(found, matrix, words, values=values, adjust=adjust, level=level)

    def compare(self, larger: Any) -> Any:
        """F (least squares) or likelihood-ratio test of this model against a larger one.

        Parameters
        ----------
        larger : FormulaModel
            Fitted to the same rows; this model is a special case of it.

        Returns
        -------
        AnovaTable
        """
        from stylobate.regression.anova import nested_tests

        return nested_tests([self._model, larger])

    def anova(self, type: int | str = 2, **covariance: Any) -> AnovaTable:
        """Analysis of variance (least squares) or of deviance, term by term.

        Parameters
        ----------
        type : {1, 2, 3} or "I", "II", "III", default=2
            Each term after those before it; after all but those that contain it; after all others
            (which asks for contrasts that sum to 0 where there are interactions).
        **covariance
            As of `estimates`: Wald's tests with it, for type 3.

        Returns
        -------
        AnovaTable
        """
        from stylobate.regression.anova import anova_table

        return anova_table(self._model, type, covariance)

    # --- effects and means ------------------------------------------------------------------------

    def effects(
        self,
        variables: Any = None,
        *,
        at: str = "overall",
        level: float = 0.95,
        data: Any = None,
        **covariance: Any,
    ) -> MarginalEffects:
        """Average marginal effects on the mean, with delta-method errors.

        Of classes in order the effects are those on the chance of each class, of zero-inflated
        counts those on the mean of all rows.

        Parameters
        ----------
        variables : str or sequence of str, optional
            Columns; all by default. Of a number the derivative, of a factor the difference of each
            level from the first.
        at : {"overall", "mean"}, default="overall"
            The average over the rows, or the effect at the mean row of the design.
        level : float in (0, 1), default=0.95
        data : data frame, optional
            Other rows to average over.
        **covariance
            As of `estimates`.

        Returns
        -------
        MarginalEffects
        """
        from stylobate.regression.margins import marginal_effects

        return marginal_effects(self._model, variables, at=at, level=level, data=data, **covariance)

    def means(
        self,
        factors: Any,
        *,
        at: Any = None,
        level: float = 0.95,
        scale: str = "response",
        **covariance: Any,
    ) -> EstimatedMeans:
        """Estimated (marginal) means of the levels of factors.

        Parameters
        ----------
        factors : str or sequence of str
            Columns that are factors; several give their combinations. Other factors are averaged
            over, each level alike; numbers stand at their mean.
        at : dict, optional
            Values at which numbers (or other factors) stand instead, such as ``{"x": 2.0}``.
        level : float in (0, 1), default=0.95
        scale : {"response", "link"}, default="response"
            Of classes in order "response" are the chances of each class, of zero-inflated counts
            the means of all rows, zeros included; "link" is the predictor.
        **covariance
            As of `estimates`.

        Returns
        -------
        EstimatedMeans
        """
        from stylobate.regression.means import estimated_means

        return estimated_means(self._model, factors, level=level, scale=scale, at=at, **covariance)

    def pairwise(
        self,
        factors: Any,
        *,
        adjust: str = "tukey",
        at: Any = None,
        level: float = 0.95,
        **covariance: Any,
    ) -> ContrastTable:
        """All differences of estimated means, on the scale of the predictor.

        Parameters
        ----------
        factors : str or sequence of str
            As of `means`.
        adjust : str, default="tukey"
            For the number of pairs: "tukey", "holm", "bonferroni", "sidak", "fdr", "none".
        at : dict, optional
            As of `means`.
        level : float in (0, 1), default=0.95
        **covariance
            As of `estimates`.

        Returns
        -------
        ContrastTable
        """
        from stylobate.regression.means import pairwise_differences

        return pairwise_differences(
            self._model, factors, adjust=adjust, level=level, at=at, **covariance
        )

    # --- rows -------------------------------------------------------------------------------------

    def residuals(
        self, kind: str = "deviance", *, data: Any = None, random_state: Any = None
    ) -> Array:
        """Residuals of the rows of the fit.

        Parameters
        ----------
        kind : {"deviance", "pearson", "response", "working", "quantile"}, default="deviance"
            "quantile" are those of Dunn and Smyth: normal where the model is right, whatever the
            family; of discrete targets drawn at random within the jump.
        data : data frame, optional
            The table of the fit, for models from a file.
        random_state : int or None, default=None
            Of the draws.

        Returns
        -------
        array of shape (n,)
        """
        from stylobate.regression.residuals import residuals

        self._refuse_estimator()
        return residuals(self._model, kind, self._rows(data), random_state)

    def influence(self, *, data: Any = None) -> Influence | GLMInfluence:
        """What each row does to the fit: leverages, Cook's distances and more.

        Parameters
        ----------
        data : data frame, optional
            The table of the fit, for models from a file.
        """
        self._refuse_estimator()
        if self.is_least_squares:
            from stylobate.inference import influence

            return influence(self.linear_fit(), *self._least_squares_rows(data))
        from stylobate.regression.influence import glm_influence

        return glm_influence(self._model, self._rows(data))

    def specification(self, *, data: Any = None, lags: int = 1) -> SpecificationReport:
        """Tests of what the model assumes, each with what to do about it.

        Least squares: normal residuals, equal variances, no autocorrelation, a straight mean. Other
        families: dispersion and zeros of Poisson counts, Hosmer and Lemeshow's groups of binary
        targets, Pregibon's link test, normal quantile residuals.

        Parameters
        ----------
        data : data frame, optional
            The table of the fit, for models from a file.
        lags : int >= 1, default=1
            Of the test of autocorrelation of least squares.

        Returns
        -------
        SpecificationReport
        """
        from stylobate.inference.checks.specification import specification_report

        self._refuse_estimator()
        if not self.is_least_squares:
            from stylobate.regression.specification import likelihood_report

            return likelihood_report(self._model, self._rows(data))
        return specification_report(self.linear_fit(), *self._least_squares_rows(data), lags=lags)

    def predict_interval(
        self,
        data: Any,
        *,
        level: float = 0.95,
        kind: Literal["confidence", "prediction"] = "confidence",
        exposure: Any = None,
    ) -> PredictionInterval:
        """Predicted means with intervals, for the mean or for a new observation.

        Parameters
        ----------
        data : data frame or mapping
            New rows.
        level : float in (0, 1), default=0.95
        kind : {"confidence", "prediction"}, default="confidence"
            "prediction" of families other than least squares are quantiles of the family's
            distribution, averaged over the uncertainty of the predictor.
        exposure : array-like or name of a column, optional
            As in `fit`.

        Returns
        -------
        PredictionInterval
        """
        from stylobate.regression.intervals import predict_interval

        self._refuse_estimator()
        return predict_interval(self._model, data, level, kind, exposure)


def _own_words(term: str) -> str:
    """A term as the tables name it, such as C(x) for factor(x); itself where it is none."""
    from stylobate.design.terms import terms_of
    from stylobate.exceptions import FormulaError

    try:
        names = terms_of(f"~ {term}").names
    except FormulaError:
        return term
    return names[0] if len(names) == 1 else term


def coefficient_table(found: Estimates, level: float) -> Coefficients:
    """Estimates with errors, statistics, p-values and intervals."""
    error = np.sqrt(np.diag(found.covariance))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = found.coef / error
    half = two_sided_quantile(level, found.df) * error
    p = two_sided_p(t, found.df)
    return Coefficients(found.names, found.coef, error, t, p, found.coef - half, found.coef + half)
