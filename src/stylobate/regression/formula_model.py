"""`FormulaModel`: a formula, a family, and everything that is asked of the fit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeVar

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base import BaseEstimator, Interval, Options, Tags
from stylobate.data.words import user_stacklevel
from stylobate.design.contrasts import CONTRASTS
from stylobate.design.design import Design
from stylobate.design.frame import Frame
from stylobate.exceptions import (
    ConvergenceWarning,
    FormulaError,
    InferenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NotFittedError,
    joined,
)
from stylobate.regression.absorbed import AbsorbedFit
from stylobate.regression.families import ModelFamily, family_of
from stylobate.regression.inference_methods import InferenceMethods
from stylobate.regression.likelihood_fit import (
    LOG_ALPHA,
    LikelihoodModel,
    RowsOfFit,
    fit_likelihood,
)
from stylobate.regression.model_parts import OWNER
from stylobate.regression.overlaps import overlaps, single_rows
from stylobate.regression.prediction_methods import PredictionMethods
from stylobate.regression.row_methods import RowMethods, typical_values
from stylobate.regression.streamed import fit_stream, is_read_on_request, opened
from stylobate.regression.target import TargetVariable

if TYPE_CHECKING:
    from stylobate.inference import LinearFit

_NO_OVERDISPERSION = -8.0  # a log(alpha) so low, of a search that has not ended, goes to −∞
_Method = TypeVar("_Method", bound=Callable[..., Any])


def _takes_tables(method: _Method) -> _Method:
    """Mark a method that reads whole tables by itself: rows on request are collected by `Frame`."""
    method._for_arrays = method  # type: ignore[attr-defined]
    return method


class FormulaModel(RowMethods, PredictionMethods, InferenceMethods, BaseEstimator):
    r"""A regression said by a formula, with the statistician's questions as methods.

    .. math:: g(\operatorname{E} y) = X\beta + \text{offset}

    `X` is the design that the formula makes of the table. `stylobate.model(formula, data)` makes
    and fits one.

    Parameters
    ----------
    formula : str
        Such as ``"y ~ C(city) * x + log(z)"``: terms joined by ``+``, interactions ``a:b`` and
        ``a*b``, nesting ``a/b``, powers ``(a + b)^2``, ``-1`` without intercept, ``.`` for all
        other columns; functions log, log2, log10, log1p, exp, expm1, sqrt, abs, sin, cos, ``I(…)``
        and comparisons, ``ifelse``, ``pmin``, ``pmax``, ``C(x, Sum)`` or ``factor(x)`` for factors,
        ``bs``, ``ns`` and ``poly`` for curves, ``scale`` and ``center``, ``offset(…)``; columns
        behind a bar are absorbed, ``y ~ x | firm + year``. Texts, categories and truth values are
        factors.
    family : str, default="gaussian"
        "gaussian", "binomial", "poisson", "gamma", "inverse_gaussian", "negative_binomial",
        "ordinal", "quasi_binomial", "quasi_poisson", "zero_inflated_poisson",
        "zero_inflated_negative_binomial".
    link : str or None, default=None
        One of the family's links ("logit", "probit", "cloglog", "loglog", "cauchit"; "log",
        "identity", "inverse", "sqrt", "inverse_squared"); None for its first.
    estimator : estimator or None, default=None
        Any regressor or classifier instead of a family: it gets the design without the intercept.
    contrast : {"Treatment", "Sum", "Helmert", "Poly"}, default="Treatment"
        Of factors that name none.
    missing : {"refuse", "drop"}, default="refuse"
        What to do with rows in which a column of the formula is missing. R drops them.
    zeros : str or None, default=None
        The right side of the zero part of zero-inflated counts, such as ``"~ camper"``; by default
        an intercept.
    absorb : str, sequence of str or None, default=None
        Columns whose levels each get an intercept (fixed effects) that is swept out of the columns
        instead of being one: least squares with millions of levels. R² is the one within levels.
    max_iter : int in [1, inf), default=100
        Limit of Newton's steps.

    Attributes
    ----------
    design_ : Design
        Levels, knots and scales of the fit; `names` of the columns.
    coef_ : array of shape (k,)
        All parameters, in the order of `names_`.
    names_ : tuple of str
    target_ : TargetVariable
    absorbed_ : tuple of AbsorbedFactor
        The factors that were swept out, with the effects of their levels.
    estimator_ : estimator
        The least-squares fit, or the given estimator's.
    likelihood_fit_ : LikelihoodFit
        Of the other families.
    n_dropped_ : int
        Rows left out because something was missing.
    data_notes_ : tuple of str
        What is to be minded of the rows, such as levels that one row has; summaries tell it.
    certificate_ : Certificate
    feature_names_in_, n_features_in_
        The table's columns that the formula reads.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.regression import FormulaModel
    >>> data = {"y": [1.0, 2.0, 4.0, 5.0], "g": ["a", "a", "b", "b"], "x": [0.0, 1.0, 0.0, 1.0]}
    >>> fit = FormulaModel("y ~ g + x").fit(data)
    >>> dict(zip(fit.names_, fit.coef_.round(6).tolist()))
    {'(Intercept)': 1.0, 'g[b]': 3.0, 'x': 1.0}

    References
    ----------
    Wilkinson & Rogers (1973), Applied Statistics 22; Chambers & Hastie (1992), Statistical Models
    in S; McCullagh & Nelder (1989), Generalized Linear Models.
    """

    _for_given_columns = True
    formula: str

    def __init__(
        self,
        formula: str,
        *,
        family: str = "gaussian",
        link: str | None = None,
        estimator: Any = None,
        contrast: Annotated[str, Options(*CONTRASTS)] = "Treatment",
        missing: Annotated[str, Options("refuse", "drop")] = "refuse",
        zeros: str | None = None,
        absorb: Any = None,
        max_iter: Annotated[int, Interval(1, np.inf)] = 100,
    ) -> None:
        self.formula = formula
        self.family = family
        self.link = link
        self.estimator = estimator
        self.contrast = contrast
        self.missing = missing
        self.zeros = zeros
        self.absorb = absorb
        self.max_iter = max_iter

    def _tags(self) -> Tags:
        return super()._tags().but(requires_y=False, categorical=True)

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]
        """How many columns of the table the formula reads."""
        if "feature_names_in_" not in vars(self):
            raise AttributeError("FormulaModel has no n_features_in_ before it is fitted")
        return len(self.feature_names_in_)

    # --- fitting ----------------------------------------------------------------------------------

    @_takes_tables
    def fit(self, data: Any, *, sample_weight: Any = None, exposure: Any = None) -> Self:
        """Fit to the rows of a table.

        Parameters
        ----------
        data : data frame (pandas, polars, pyarrow …), mapping of names to columns, path or rows
            The table; its rows are remembered (not copied, not stored in files) for covariances
            that look at them. Of files, databases and other rows that are read on request least
            squares (and given estimators that learn from streams) keep none: two or three passes,
            the bits of memory. Other families collect them, as far as `collect_limit` allows.
        sample_weight : array-like or name of a column, optional
            Non-negative weights; the trials, where the target is a share.
        exposure : array-like or name of a column, optional
            Positive amounts whose logarithm is an offset.

        Returns
        -------
        self
        """
        self._check_parameters()
        family, link = family_of(self.family, self.link)
        for learnt in ("_rows_kept", "_stream_kept", "likelihood_fit_", "absorbed_"):
            vars(self).pop(learnt, None)  # of an earlier fit
        self.has_exposure_ = exposure is not None
        self.has_weights_ = sample_weight is not None
        self.exposure_column_ = exposure if isinstance(exposure, str) else None
        self.weight_column_ = sample_weight if isinstance(sample_weight, str) else None
        data = opened(data)
        if self._learns_in_passes(data, sample_weight, exposure):
            self._stream_kept, self.zero_design_ = data, None
            fit_stream(self, data, sample_weight)
            return self
        frame = Frame.of(data, OWNER)
        kept = self._kept_rows(frame, family)
        self.design_ = Design.fit(self.formula, frame, contrast=self.contrast, kept=kept)
        self.zero_design_ = self._zero_design(frame, kept, family)
        self.target_ = TargetVariable.fit(self.design_.terms.target, frame, kept, family)
        self._rows_kept = (frame, kept, sample_weight, exposure)
        self.n_dropped_ = frame.n_rows - len(kept)
        read = [*self.design_.columns]
        read += [name for name in self._absorbed_names() if name not in read]
        if self.zero_design_ is not None:
            read += [name for name in self.zero_design_.columns if name not in read]
        self.feature_names_in_ = np.array(read, dtype=object)
        self.typical_ = typical_values(frame, kept, self.design_)
        if self.zero_design_ is not None:
            self.typical_ = typical_values(frame, kept, self.zero_design_) | self.typical_
        self.data_notes_ = single_rows(self.design_, frame, kept)
        rows = self._rows()
        if self.estimator is not None:
            self._fit_estimator(rows)
        elif self.absorbs:
            self._fit_absorbed(rows)
        elif (family.name, link) == ("gaussian", "identity"):
            self._fit_least_squares(rows)
        else:
            self._fit_likelihood(rows, family, link)
        return self

    def _learns_in_passes(self, data: Any, weight: Any, exposure: Any) -> bool:
        """Whether rows that are read on request need not be collected: least squares, and
        estimators that learn from streams.
        """
        named = exposure is None and (weight is None or isinstance(weight, str))
        own = isinstance(self.estimator, BaseEstimator) or self.is_least_squares
        apt = named and own and not self.absorbs and self.zeros is None
        return apt and is_read_on_request(data)

    def _zero_design(self, frame: Frame, kept: Indices, family: ModelFamily) -> Design | None:
        inflated = family.name.startswith("zero_inflated")
        if self.zeros is None:
            return None
        if not inflated:
            raise InvalidParameterError(
                f"{OWNER}: zeros is the formula of the zero part of zero-inflated families, but "
                f"family is {family.name!r}."
            )
        return Design.fit(self.zeros, frame, contrast=self.contrast, kept=kept)

    @property
    def family_(self) -> tuple[ModelFamily, str]:
        """The family and its link."""
        return family_of(self.family, self.link)

    def _fit_estimator(self, rows: RowsOfFit) -> None:
        from stylobate.base import clone

        if rows.offset is not None:
            raise FormulaError(f"{OWNER}: an offset is for families, not for estimator=…")
        self.estimator_ = clone(self.estimator)
        weights = {} if rows.weights is None else {"sample_weight": rows.weights}
        self.estimator_.fit(self._named(rows.x), self._labels(rows.y), **weights)
        self._after_estimator()

    def _after_estimator(self) -> None:
        """What is known once the given estimator has learnt."""
        self.names_ = self.design_.names
        coef = getattr(self.estimator_, "coef_", None)
        if coef is not None and np.ndim(coef) == 1:
            intercept = [float(self.estimator_.intercept_)] if self.design_.has_intercept else []
            self.coef_ = np.concatenate([intercept, np.asarray(coef, dtype=np.float64)])
        if hasattr(self.estimator_, "certificate_"):
            self.certificate_ = self.estimator_.certificate_

    def _named(self, x: Array) -> Any:
        """The design without the intercept as a table with names, as estimators read them."""
        return self._block(x[:, int(self.design_.has_intercept) :])

    def _block(self, x: Array) -> Any:
        """The columns beside the intercept as a table with names."""
        from stylobate.data.column_table import ColumnTable

        names = self.design_.names[int(self.design_.has_intercept) :]
        return ColumnTable.of_block(names, np.ascontiguousarray(x.T))

    def _labels(self, y: Array) -> Any:
        """The target as an estimator gets it: labels, where it has some."""
        if not self.target_.classes:
            return y
        return np.array(self.target_.classes)[y.astype(np.intp)]

    def _absorbed_names(self) -> list[str]:
        from stylobate.design.terms import terms_of

        given = [self.absorb] if isinstance(self.absorb, str) else list(self.absorb or ())
        return list(dict.fromkeys((*given, *terms_of(self.formula).absorbed)))

    @property
    def absorbs(self) -> bool:
        """Whether levels of factors are swept out."""
        return bool(self._absorbed_names())

    def _fit_absorbed(self, rows: RowsOfFit) -> None:
        from stylobate.linear_model import LinearRegression

        family, link = self.family_
        if (family.name, link) != ("gaussian", "identity"):
            raise InvalidParameterError(
                f"{OWNER}: absorb is for least squares; write the factors of family "
                f"{family.name!r} into the formula."
            )
        skip = int(self.design_.has_intercept)
        if len(self.design_.names) == skip:
            raise InvalidDataError(
                f"{OWNER}: there is no column beside the absorbed factors; name one in the formula."
            )
        y = rows.y if rows.offset is None else rows.y - rows.offset
        frame, kept = self._rows_kept[:2]
        x = rows.x[:, skip:]
        swept = AbsorbedFit.of(frame, self._absorbed_names(), kept, x, y, rows.weights)
        self.estimator_ = LinearRegression(fit_intercept=False)
        self.estimator_.fit(swept.x, swept.y, sample_weight=rows.weights)
        self.absorbed_rank_ = swept.absorption.rank
        self.absorbed_ = swept.factors(self.estimator_.coef_)
        fit = self.linear_fit()
        self.names_, self.coef_ = fit.names, fit.coef
        self.certificate_ = self.estimator_.certificate_
        if not fit.df_residual:
            raise InvalidDataError(
                f"{OWNER}: {fit.n_rows} rows for {fit.rank} columns and {self.absorbed_rank_} "
                "levels leave no residual degrees of freedom; absorb fewer levels."
            )
        self._warn_undetermined(fit)

    def _fit_least_squares(self, rows: RowsOfFit) -> None:
        from stylobate.linear_model import LinearRegression

        y = rows.y if rows.offset is None else rows.y - rows.offset
        intercept = self.design_.has_intercept
        x = rows.x[:, int(intercept) :]
        if not x.shape[1]:
            x = np.zeros((len(y), 1))  # the mean alone: a column that explains nothing
        self.estimator_ = LinearRegression(fit_intercept=intercept)
        self.estimator_.fit(x, y, sample_weight=rows.weights)
        self._after_least_squares(len(y))

    def _after_least_squares(self, n_rows: int) -> None:
        """What is known once the coefficients are."""
        if self.estimator_._facts.root is None:
            raise InvalidDataError(
                f"{OWNER}: {n_rows} rows do not determine "
                f"{len(self.design_.names)} columns; leave terms out, or take a penalised "
                "estimator, such as estimator=Ridge()."
            )
        fit = self.linear_fit()
        self.names_, self.coef_ = fit.names, fit.coef
        self.certificate_ = self.estimator_.certificate_
        self._warn_undetermined(fit)

    def _warn_undetermined(self, fit: LinearFit) -> None:
        lost = fit.not_estimable_names
        if lost:
            why: tuple[str, ...] = ()
            if "_rows_kept" in vars(self):
                frame, kept = self._rows_kept[:2]
                why = overlaps(self.design_, frame, kept, tuple(self._absorbed_names()))
            more = f" and {len(lost) - 6} more" if len(lost) > 6 else ""
            warnings.warn(
                f"{OWNER}: {', '.join(lost[:6])}{more} cannot be told apart from other columns "
                f"({'; '.join(why) or 'one is a sum of others'}); their estimates are one "
                "choice among many and have no standard error.",
                InferenceWarning,
                stacklevel=user_stacklevel(),
            )

    def linear_fit(self) -> LinearFit:
        """What inference needs of a least-squares fit (see `stylobate.inference`)."""
        self._check_fitted()
        if not self.is_least_squares:
            raise InvalidDataError(f"{OWNER}: this fit is not one of least squares.")
        fit: LinearFit = self.estimator_.linear_fit()
        k = len(self.design_.names)
        if self.absorbs:
            names = self.design_.names[int(self.design_.has_intercept) :]
            return replace(fit, names=names, target=self.target_.name, absorbed=self.absorbed_rank_)
        if len(fit.names) > k:  # the column that explains nothing
            fit = replace(
                fit, coef=fit.coef[:k], names=self.design_.names[:k],
                unscaled_covariance=fit.unscaled_covariance[:k, :k], estimable=fit.estimable[:k],
                null_space=np.zeros((k, 0)), covariance_root=fit.root[:k, :], condition=1.0,
            )  # fmt: skip
        return replace(fit, names=self.design_.names, target=self.target_.name)

    def _fit_likelihood(self, rows: RowsOfFit, family: ModelFamily, link: str) -> None:
        from stylobate.regression.existence import separation

        model = LikelihoodModel(family, link, max(len(self.target_.classes), 2))
        self._refuse_zeros_alone(rows, family)
        self._refuse_no_overdispersion(rows, model)
        names = self._parameter_names(family)
        fit = fit_likelihood(model, rows, names, max_iter=self.max_iter)
        words, lost = separation(model, rows, fit)
        if words is not None and lost is not None:
            fit = replace(fit, determined=fit.determined & ~lost, notes=(*fit.notes, words))
            warnings.warn(
                f"{OWNER}: {words}", joined(ConvergenceWarning), stacklevel=user_stacklevel()
            )
        elif not fit.converged:
            why = (
                f"Newton's method stopped after {fit.iterations} steps with about "
                f"{fit.certificate.gap:.2g} of log-likelihood still to gain; raise max_iter, scale "
                "the columns, or look for a column that separates the targets."
            )
            if LOG_ALPHA in names and fit.coef[names.index(LOG_ALPHA)] < _NO_OVERDISPERSION:
                why = (
                    "beside the zeros of their own the counts vary no more than Poisson's, so "
                    "alpha falls to 0 and has no estimate; use family='zero_inflated_poisson'."
                )
            warnings.warn(
                f"{OWNER}: {why}", joined(ConvergenceWarning), stacklevel=user_stacklevel()
            )
        self.likelihood_fit_ = fit
        self.names_, self.coef_ = fit.names, fit.coef
        self.certificate_ = fit.certificate

    def _refuse_zeros_alone(self, rows: RowsOfFit, family: ModelFamily) -> None:
        y = rows.y if rows.weights is None else rows.y[rows.weights > 0]
        if family.target == "count" and not y.any():
            raise InvalidDataError(
                f"{OWNER}: the target {self.target_.name} is 0 in every row, so there is nothing "
                "to explain: the likelihood rises without end as all means fall to 0."
            )

    def _refuse_no_overdispersion(self, rows: RowsOfFit, model: LikelihoodModel) -> None:
        """The negative binomial's α ends at 0 where counts vary no more than Poisson's."""
        if model.family.name != "negative_binomial":
            return
        poisson = LikelihoodModel(family_of("poisson", None)[0], "log")
        found = poisson.solve(rows, self.max_iter)
        mu = np.exp(poisson.predictors(rows).at(found.theta)[:, 0])
        w = np.ones(len(mu)) if rows.weights is None else rows.weights
        if float(w @ ((rows.y - mu) ** 2 - rows.y)) <= 0.0:
            raise InvalidDataError(
                f"{OWNER}: the counts vary no more than a Poisson model says, so alpha would be 0 "
                "and has no estimate; use family='poisson'."
            )

    def _parameter_names(self, family: ModelFamily) -> tuple[str, ...]:
        names = list(self.design_.names)
        if family.name == "ordinal":
            names = names[int(self.design_.has_intercept) :]
            labels = self.target_.classes
            names += [f"{a}|{b}" for a, b in pairwise(labels)]
        if family.name.endswith("negative_binomial"):
            names.append(LOG_ALPHA)
        if family.name.startswith("zero_inflated"):
            zero = ("(Intercept)",) if self.zero_design_ is None else self.zero_design_.names
            names += [f"zero: {name}" for name in zero]
        return tuple(names)

    @property
    def is_least_squares(self) -> bool:
        """Whether the fit is one of least squares."""
        family, link = self.family_
        return self.estimator is None and (family.name, link) == ("gaussian", "identity")

    @property
    def likelihood_model(self) -> LikelihoodModel:
        """The family as the solver knows it."""
        family, link = self.family_
        return LikelihoodModel(family, link, max(len(self.target_.classes), 2))

    # --- kept -------------------------------------------------------------------------------------

    def _check_fitted(self) -> None:
        if "coef_" not in vars(self) and "estimator_" not in vars(self):
            raise joined(NotFittedError)(
                "This FormulaModel instance is not fitted yet. Call 'fit' with a table first."
            )

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        for rows in ("_rows_kept", "_stream_kept"):
            state.pop(rows, None)
        return state
