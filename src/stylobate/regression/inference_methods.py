"""What a statistician asks of a fitted model: errors, tests, tables, effects, means, checks."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.covariance.least_squares import CoefficientCovariance
from stylobate.inference.distributions import chi2_p, f_p, two_sided_p, two_sided_quantile
from stylobate.inference.estimates import Estimates, WaldTest, hypothesis_matrix, wald_test
from stylobate.inference.summary.regression import Coefficients

if TYPE_CHECKING:
    from stylobate.design.frame import Frame
    from stylobate.inference import Influence, LinearFit, RegressionSummary
    from stylobate.inference.bootstrap import Bootstrap
    from stylobate.inference.checks.specification import SpecificationReport
    from stylobate.inference.comparisons.multiplicity import ContrastTable
    from stylobate.inference.intervals import PredictionInterval
    from stylobate.regression.anova import AnovaTable
    from stylobate.regression.formula_model import FormulaModel
    from stylobate.regression.influence import GLMInfluence
    from stylobate.regression.margins import MarginalEffects
    from stylobate.regression.means import EstimatedMeans
    from stylobate.regression.summary import ModelSummary

_NAN = float("nan")
Kind = Literal["classical", "HC0", "HC1", "HC2", "HC3", "cluster", "CR2", "CR3", "HAC"]


class InferenceMethods:
    """Methods of `FormulaModel` that follow from its estimates and, where said, its rows."""

    if TYPE_CHECKING:
        design_: Any
        target_: Any
        likelihood_fit_: Any
        coef_: Array
        names_: tuple[str, ...]
        formula: str
        family_: Any
        is_least_squares: Any
        likelihood_model: Any
        linear_fit: Any
        _rows: Any
        _remembered: Any
        _remembers_rows: bool
        _check_fitted: Any
        estimator: Any
        estimator_: Any
        zero_design_: Any
        n_dropped_: int
        _absorbed_names: Any
        _kept_rows: Any
        _named: Any
        _labels: Any

    @property
    def _model(self) -> FormulaModel:
        """The model whose methods these are."""
        return cast("FormulaModel", self)

    def _refuse_estimator(self) -> None:
        self._check_fitted()
        if self.estimator is not None:
            raise InvalidDataError(
                f"model: standard errors are those of a family; "
                f"{type(self.estimator).__name__} was fitted instead (see its own methods, or "
                "bootstrap)."
            )

    # --- covariances ------------------------------------------------------------------------------

    def estimates(
        self,
        *,
        covariance: Kind = "classical",
        groups: Any = None,
        lags: int | None = None,
        data: Any = None,
    ) -> Estimates:
        """Coefficients with their covariance, of which all tests are made.

        Parameters
        ----------
        covariance : {"classical", "HC0", "HC1", "HC2", "HC3", "cluster", "CR2", "CR3", "HAC"}
            Those with leverages (HC2, HC3, CR2, CR3) are of least squares and, by the working
            model of their last step, of binomial, Poisson, Gamma and other exponential families.
        groups : name of a column, array-like, or two of them, optional
            Labels for "cluster" (two: both ways), "CR2" and "CR3".
        lags : int, optional
            Of "HAC".
        data : data frame, optional
            The table of the fit, for models from a file.

        Returns
        -------
        Estimates
        """
        self._refuse_estimator()
        found = self._covariance(covariance, groups, lags, data)
        known = self._determined()
        matrix = np.where(np.outer(known, known), found.matrix, np.nan)
        estimated = self.is_least_squares or self.family_[0].scale == "estimated"
        t_law = estimated or covariance in ("CR2", "CR3")
        return Estimates(
            self.names_, self.coef_, matrix, found.df if t_law else math.inf, found.kind
        )

    def _determined(self) -> Array:
        if self.is_least_squares:
            return np.asarray(self.linear_fit().estimable)
        return np.asarray(self.likelihood_fit_.determined)

    def _covariance(
        self, kind: Kind, groups: Any, lags: int | None, data: Any
    ) -> CoefficientCovariance:
        groups = self._groups(groups, data)
        if self.is_least_squares:
            from stylobate.inference.covariance.least_squares import coefficient_covariance

            rows = None if kind == "classical" else self._least_squares_rows(data)
            fit = self._clustered_fit(groups, data)
            return coefficient_covariance(fit, rows=rows, covariance=kind, groups=groups, lags=lags)
        fit = self.likelihood_fit_
        if kind == "classical":
            if groups is not None or lags is not None:
                raise InvalidParameterError(
                    "groups are used by covariance='cluster', lags by 'HAC' only."
                )
            return CoefficientCovariance(fit.inverse * fit.dispersion, kind, float(fit.df_residual))
        from stylobate.inference.covariance.sandwich import sandwich
        from stylobate.inference.covariance.working_model import KINDS, working_covariance

        rows = self._rows(data)
        if kind in KINDS and self.family_[0].exponential:
            if groups is not None and kind.startswith("HC"):
                raise InvalidParameterError(
                    f"groups are used by 'cluster', 'CR2' and 'CR3', but covariance is {kind!r}."
                )
            w = np.ones(len(rows.y)) if rows.weights is None else rows.weights
            z = self.likelihood_model.predictors(rows).at(self.coef_)
            found = self.likelihood_model.likelihood().at(rows.y, z)
            return working_covariance(
                rows.x, w * found.expected[:, 0, 0], w * found.slope[:, 0], fit.inverse, kind,
                df=float(fit.df_residual), weights=rows.weights, groups=groups,
            )  # fmt: skip
        return sandwich(
            fit.bread, self._scores(rows), kind, rank=fit.rank, n_rows=fit.n_rows,
            weights=rows.weights, groups=groups, lags=lags,
        )  # fmt: skip

    def _least_squares_rows(self, data: Any) -> tuple[Array, Array, Array | None]:
        rows = self._rows(data)
        y = rows.y if rows.offset is None else rows.y - rows.offset
        x = rows.x[:, int(self.design_.has_intercept) :]
        names = self._absorbed_names()
        if not names:
            return x, y, rows.weights
        from stylobate.regression.absorbed import AbsorbedFit

        frame, kept = self._frame_of(data)
        swept = AbsorbedFit.of(frame, names, kept, x, y, rows.weights)
        return swept.x, swept.y, rows.weights

    def _frame_of(self, data: Any) -> tuple[Frame, Indices]:
        """The table of the fit, remembered or given again, and which of its rows count."""
        if data is None:
            frame, kept = self._remembered()[:2]
            return frame, kept
        from stylobate.design.frame import Frame

        frame = Frame.of(data, "model")
        return frame, self._kept_rows(frame, self.family_[0])

    def _clustered_fit(self, groups: Any, data: Any) -> LinearFit:
        """The fit, with what its clusters need to know of absorbed levels."""
        fit: LinearFit = self.linear_fit()
        if groups is None or not fit.absorbed:
            return fit
        from stylobate.regression.absorbed import levels_within_groups

        frame, kept = self._frame_of(data)
        within = levels_within_groups(frame, self._absorbed_names(), kept, groups)
        return replace(fit, within_groups=within)

    def _scores(self, rows: Any) -> Array:
        model = self.likelihood_model
        predictors, likelihood = model.predictors(rows), model.likelihood()
        found = np.empty((len(rows.y), len(self.coef_)))
        for part in predictors.chunks():
            with np.errstate(all="ignore"):
                slope = likelihood.at(rows.y[part], predictors.at(self.coef_, part)).slope
            if rows.weights is not None:
                slope = slope * rows.weights[part, None]
            found[part] = predictors.scores(slope, part)
        return found

    def _groups(self, groups: Any, data: Any) -> Any:
        """Labels of the kept rows: columns by name, or arrays of the table's length."""
        if groups is None:
            return None
        if data is None and not self._remembers_rows:
            return groups
        frame, kept = self._frame_of(data)
        several = isinstance(groups, list | tuple) and len(groups) <= 2
        columns = list(groups) if several and not _is_vector(groups, frame.n_rows) else [groups]
        found = []
        for column in columns:
            values = frame.labels(column) if isinstance(column, str) else np.asarray(column)
            if isinstance(column, str) and any(each is None for each in values):
                raise InvalidDataError(
                    f"model: groups: column {column!r} has missing labels; every row needs one."
                )
            if values.shape[0] != frame.n_rows:
                raise InvalidDataError(
                    f"model: groups must hold one label per row of the table ({frame.n_rows}), got "
                    f"{values.shape[0]}."
                )
            taken = values[kept]
            if taken.dtype == object:
                taken = np.unique(taken.astype(str), return_inverse=True)[1]
            found.append(taken)
        return found[0] if len(found) == 1 else tuple(found)

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

    def bootstrap(
        self,
        *,
        kind: Literal["pairs", "wild"] = "pairs",
        groups: Any = None,
        n_samples: int = 1000,
        random_state: int | None = None,
        data: Any = None,
    ) -> Bootstrap:
        """Bootstrap all parameters.

        Least squares needs no refits: all samples come from one pass over the rows. Families are
        refitted from the estimates with the samples' counts as weights, estimators to the rows.

        Parameters
        ----------
        kind : {"pairs", "wild"}, default="pairs"
            "wild" (least squares) changes the signs of residuals and keeps the columns.
        groups : name of a column or array-like, optional
            Clusters that are drawn whole (or change signs together).
        n_samples : int >= 2, default=1000
        random_state : int or None, default=None
        data : data frame, optional
            The table of the fit, for models from a file.

        Returns
        -------
        Bootstrap
        """
        from stylobate.regression.resampling import bootstrap_model

        self._check_fitted()
        codes = self._groups(groups, data)
        return bootstrap_model(self._model, self._rows(data), kind, codes, n_samples, random_state)

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


def _is_vector(groups: Any, n: int) -> bool:
    """Whether a list or tuple is one column of labels."""
    return len(groups) == n and not all(
        isinstance(each, np.ndarray) or (isinstance(each, str) and n != len(groups))
        for each in groups
    )


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
