"""Analysis of variance and of deviance: sequential, by marginality, partial; nested fits.

References
----------
Nelder (1977), A reformulation of linear models, J. Royal Statistical Society A 140. Fox (2016),
Applied Regression Analysis and Generalized Linear Models, chapter 8. Chambers & Hastie (1992),
Statistical Models in S, chapter 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base.parameters import brief
from stylobate.design.syntax import written
from stylobate.design.variables import FactorVariable
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.distributions import chi2_p, f_p
from stylobate.inference.estimates import wald_test
from stylobate.inference.summary.text import notes_text, number, p_value, table

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel

_NAN = float("nan")
_DEPENDENT = 1e-9  # of a column's length that is left beside earlier ones
RESIDUALS = "Residuals"


@dataclass(frozen=True, eq=False)
class AnovaTable:
    """A table of tests, one row per term (or per fit).

    `sum_sq` are sums of squares (least squares) or deviances explained; `law` is "F" or "chi2".
    The last row of a table of terms holds the residuals.
    """

    title: str
    names: tuple[str, ...]
    df: Array
    sum_sq: Array
    mean_sq: Array
    statistic: Array
    p: Array
    law: str
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> dict[str, float]:
        """One row."""
        if name not in self.names:
            raise InvalidParameterError(
                f"There is no row {name!r}; there are {', '.join(self.names)}."
            )
        row = self.names.index(name)
        fields = ("df", "sum_sq", "mean_sq", "statistic", "p")
        return {field: float(getattr(self, field)[row]) for field in fields}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        fields = ("df", "sum_sq", "mean_sq", "statistic", "p")
        return {
            "title": self.title,
            "name": list(self.names),
            **{field: getattr(self, field).tolist() for field in fields},
            "law": self.law,
            "notes": list(self.notes),
        }

    def to_pandas(self) -> Any:
        """A pandas DataFrame indexed by name."""
        import pandas as pd

        fields = ("df", "sum_sq", "mean_sq", "statistic", "p")
        columns = {field: getattr(self, field) for field in fields}
        return pd.DataFrame(columns, index=list(self.names))

    def __str__(self) -> str:
        def cells(values: Array) -> list[str]:
            return ["" if math.isnan(v) else number(v) for v in values]

        columns = [
            ("df", ["" if math.isnan(v) else f"{v:g}" for v in self.df]),
            ("sum sq" if self.law == "F" else "deviance", cells(self.sum_sq)),
            ("mean sq", cells(self.mean_sq)),
            ("F" if self.law == "F" else "χ²", cells(self.statistic)),
            ("p", ["" if math.isnan(v) else p_value(v) for v in self.p]),
        ]
        kept = [column for column in columns if any(column[1])]
        return f"{self.title}\n{table(self.names, kept, '')}{notes_text(self.notes)}"

    __repr__ = __str__


def anova_table(model: FormulaModel, kind: int | str, covariance: dict[str, Any]) -> AnovaTable:
    """The table of a fitted model's terms."""
    model._refuse_estimator()
    number_of = {1: 1, 2: 2, 3: 3, "I": 1, "II": 2, "III": 3, "1": 1, "2": 2, "3": 3}
    if kind not in number_of:
        raise InvalidParameterError(f"type must be 1, 2 or 3, got {kind!r}.")
    chosen = number_of[kind]
    if covariance:
        if chosen != 3:
            raise InvalidParameterError(
                "A robust covariance has no sums of squares: ask for type=3, Wald's tests."
            )
        return _wald_table(model, covariance)
    if model.is_least_squares:
        return _least_squares_table(model, chosen)
    return _deviance_table(model, chosen)


def _contains(model: FormulaModel, i: int) -> list[int]:
    """The terms that contain term i, itself left out."""
    sets = [frozenset(map(written, term)) for term in model.design_.terms.terms]
    return [j for j, each in enumerate(sets) if sets[i] < each]


def _columns(model: FormulaModel, terms: list[int]) -> Indices:
    """The design's columns of some terms, the intercept among them."""
    found = [np.arange(int(model.design_.has_intercept))]
    found += [np.arange(*model.design_.slices[i]) for i in sorted(terms)]
    return np.concatenate(found)


def _compared(model: FormulaModel, kind: int, i: int) -> tuple[list[int], list[int]]:
    """The terms of the smaller and of the larger model whose difference tests term i."""
    every = range(len(model.design_.slices))
    if kind == 1:
        return [j for j in every if j < i], [j for j in every if j <= i]
    if kind == 2:
        above = _contains(model, i)
        larger = [j for j in every if j not in above]
        return [j for j in larger if j != i], larger
    return [j for j in every if j != i], list(every)


def _notes(model: FormulaModel, kind: int) -> tuple[str, ...]:
    design = model.design_
    coded = [
        each.contrast for each in design.variables.values() if isinstance(each, FactorVariable)
    ]
    crossed = any(len(term) > 1 for term in design.terms.terms)
    if kind == 3 and crossed and any(each in ("Treatment", "Poly") for each in coded):
        return (
            "Type III tests of main effects beside interactions depend on the coding, and here ask "
            "about the reference level only: fit with contrast='Sum' (or 'Helmert') for tests at "
            "the average level.",
        )
    return ()


# --- least squares ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Reduction:
    """The fit in p × p: columns B (with BᵀB = XᵀWX) and z (with Bᵀz = XᵀWy).

    With an intercept both are centred, and its own column is one of zeros: no digit is spent on
    the mean.
    """

    columns: Array
    z: Array
    intercept: bool

    def explained(self, chosen: Indices) -> tuple[float, int]:
        """Sum of squares on some columns, and their rank."""
        basis = np.zeros((len(self.z), 0))
        for j in chosen:
            column = self.columns[:, j]
            length = float(np.linalg.norm(column))
            rest = column
            for _ in range(2):  # twice is enough
                rest = rest - basis @ (basis.T @ rest)
            left = float(np.linalg.norm(rest))
            if length > 0 and left > _DEPENDENT * length:
                basis = np.column_stack([basis, rest / left])
        share = basis.T @ self.z
        return float(share @ share), basis.shape[1] + self.intercept


def _reduction(model: FormulaModel) -> _Reduction:
    if model.absorbs:
        raise InvalidDataError(
            "model: beside absorbed factors ask for Wald's tests: anova(3, covariance='classical')."
        )
    root = model.estimator_._facts.root
    if root is None:
        raise InvalidDataError("model: the solver kept no second moments of the columns.")
    k, intercept = len(model.design_.names), model.design_.has_intercept
    columns, z = root[0][:, :k], root[1][:, 0]
    if intercept:  # the factor of [1, X] is triangular: below its first row stand centred columns
        columns = np.column_stack([np.zeros(len(z) - 1), columns[1:, 1:]])
        z = z[1:]
    return _Reduction(columns, z, intercept)


def _least_squares_table(model: FormulaModel, kind: int) -> AnovaTable:
    fit, reduced = model.linear_fit(), _reduction(model)
    names = list(model.design_.terms.names)
    rows = []
    for i in range(len(names)):
        small, large = _compared(model, kind, i)
        below, few = reduced.explained(_columns(model, small))
        above, many = reduced.explained(_columns(model, large))
        rows.append((many - few, max(above - below, 0.0)))
    if kind == 3 and model.design_.has_intercept:
        variance = float(fit.unscaled_covariance[0, 0])
        known = bool(fit.estimable[0]) and variance > 0
        rows.insert(0, (int(known), float(fit.coef[0]) ** 2 / variance if known else 0.0))
        names.insert(0, "(Intercept)")
    df = np.array([d for d, _ in rows], dtype=np.float64)
    squares = np.array([s for _, s in rows])
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.where(df > 0, squares / df / fit.sigma2, np.nan)
    p = [f_p(v, d, fit.df_residual) if d else _NAN for v, d in zip(f, df, strict=True)]
    every_df = np.append(df, fit.df_residual)
    every = np.append(squares, fit.rss)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(every_df > 0, every / every_df, np.nan)
    return AnovaTable(
        f"Analysis of variance (type {'I' * kind}): {model.formula}",
        (*names, RESIDUALS), every_df, every, mean,
        np.append(f, np.nan), np.array([*p, np.nan]), "F",
        (*_notes(model, kind), *_empty(df, names)),
    )  # fmt: skip


def _empty(df: Array, names: list[str]) -> tuple[str, ...]:
    lost = [name for name, d in zip(names, df, strict=True) if d == 0]
    if not lost:
        return ()
    add = "adds" if len(lost) == 1 else "add"
    return (
        f"{', '.join(lost)} {add} nothing to the other terms (collinear columns or empty cells), "
        "so that no degree of freedom is left to test.",
    )


# --- deviance -----------------------------------------------------------------------------------


def _deviance_table(model: FormulaModel, kind: int) -> AnovaTable:
    from dataclasses import replace

    fit, family = model.likelihood_fit_, model.family_[0]
    rows, likelihood = model._rows(), model.likelihood_model
    shift = int(model.design_.has_intercept) if family.name == "ordinal" else 0
    seen: dict[bytes, tuple[float, int]] = {}
    # twice the solver's objective and the deviance differ by what does not depend on coefficients
    constant = fit.deviance - 2.0 * fit.certificate.primal if family.exponential else 0.0

    def misfit(terms: list[int]) -> tuple[float, int]:
        """Deviance (or −2 log-likelihood) and rank of the model of some terms."""
        chosen = _columns(model, terms)
        chosen = chosen[chosen >= shift] - shift
        key = chosen.tobytes()
        if key not in seen:
            if len(chosen) == rows.x.shape[1]:
                value = fit.deviance if family.exponential else -2.0 * fit.log_likelihood
                seen[key] = (value, fit.rank)
            else:
                part = replace(rows, x=rows.x[:, chosen])
                found = likelihood.solve(part, model.max_iter)
                seen[key] = (-2.0 * found.log_likelihood + constant, found.rank)
        return seen[key]

    found = []
    for i in range(len(model.design_.slices)):
        (small, few), (large, many) = (misfit(each) for each in _compared(model, kind, i))
        found.append((many - few, max(small - large, 0.0)))
    df = np.array([d for d, _ in found], dtype=np.float64)
    drop = np.array([s for _, s in found])
    estimated = family.scale == "estimated"
    if estimated:
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = np.where(df > 0, drop / df / fit.dispersion, np.nan)
        p = [f_p(v, d, fit.df_residual) if d else _NAN for v, d in zip(statistic, df, strict=True)]
    else:
        statistic = np.where(df > 0, drop, np.nan)
        p = [chi2_p(v, d) if d else _NAN for v, d in zip(statistic, df, strict=True)]
    names = model.design_.terms.names
    return AnovaTable(
        f"Analysis of deviance (type {'I' * kind}): {model.formula}",
        (*names, RESIDUALS), np.append(df, fit.df_residual), np.append(drop, fit.deviance),
        np.full(len(df) + 1, np.nan), np.append(statistic, np.nan), np.array([*p, np.nan]),
        "F" if estimated else "chi2", (*_notes(model, kind), *_empty(df, list(names))),
    )  # fmt: skip


def _wald_table(model: FormulaModel, covariance: dict[str, Any]) -> AnovaTable:
    estimates = model.estimates(**covariance)
    tests = [wald_test(estimates, model._term_matrix(n)) for n in model.design_.terms.names]
    blank = np.full(len(tests), np.nan)
    return AnovaTable(
        f"Wald tests (type III, {estimates.kind}): {model.formula}",
        model.design_.terms.names,
        np.array([t.df for t in tests], dtype=np.float64),
        blank, blank, np.array([t.statistic for t in tests]),
        np.array([t.p for t in tests]), "chi2" if np.isinf(estimates.df) else "F",
        _notes(model, 3),
    )  # fmt: skip


# --- nested fits --------------------------------------------------------------------------------


def nested_tests(models: list[FormulaModel]) -> AnovaTable:
    """Each model against the one before it; the largest gives the residual variance."""
    for model in models:
        if not hasattr(model, "_refuse_estimator"):
            raise InvalidParameterError(
                f"compare takes a second model(...) fitted to the same rows, got {brief(model)}."
            )
        model._refuse_estimator()
    _refuse_incomparable(models)
    if models[0].is_least_squares:
        return _nested_squares(models)
    return _nested_deviances(models)


# Families that are another one where its log(alpha) goes to −∞, the end of its range.
_AT_THE_END = {
    ("poisson", "negative_binomial"),
    ("zero_inflated_poisson", "zero_inflated_negative_binomial"),
}


def _at_the_end(one: FormulaModel, two: FormulaModel) -> bool:
    """Whether the smaller model is the larger one without overdispersion."""
    return (one.family_[0].name, two.family_[0].name) in _AT_THE_END and (
        one.family_[1] == two.family_[1]
    )


def _refuse_incomparable(models: list[FormulaModel]) -> None:
    for one, two in pairwise(models):
        if one.family_ != two.family_ and not _at_the_end(one, two):
            raise InvalidDataError(
                f"The models have different families ({_plain(one.family_)} and "
                f"{_plain(two.family_)}), of which none is a special case of the other that a test "
                "could look at; compare summary().aic or summary().bic."
            )
        for what, a, b in (
            ("targets", one.target_.name, two.target_.name),
            ("numbers of rows", _n(one), _n(two)),
        ):
            if a != b:
                raise InvalidDataError(
                    f"The models have different {what} ({_plain(a)} and {_plain(b)}); nested "
                    "models are fitted to the same rows (fit both with the rows that are complete "
                    "for the larger)."
                )
        if _rank(two) <= _rank(one):
            raise InvalidDataError(
                f"The second model must have more parameters than the first, but has "
                f"{_rank(two)} and {_rank(one)}; give the smaller model first."
            )


def _plain(value: Any) -> str:
    return value[0].name if isinstance(value, tuple) else str(value)


def _n(model: FormulaModel) -> int:
    return model.linear_fit().n_rows if model.is_least_squares else model.likelihood_fit_.n_rows


def _rank(model: FormulaModel) -> int:
    return model.linear_fit().rank if model.is_least_squares else model.likelihood_fit_.rank


def _nested_squares(models: list[FormulaModel]) -> AnovaTable:
    fits = [model.linear_fit() for model in models]
    largest = max(fits, key=lambda fit: fit.rank)
    df, drop, f, p = [_NAN], [_NAN], [_NAN], [_NAN]
    for small, large in pairwise(fits):
        _refuse_worse(small.rss, large.rss, small.tss)
        gained = large.rank - small.rank
        df.append(gained)
        drop.append(max(small.rss - large.rss, 0.0))
        f.append(drop[-1] / gained / largest.sigma2)
        p.append(f_p(f[-1], gained, largest.df_residual))
    squares = np.array(drop)
    return AnovaTable(
        "Nested models (F tests)", tuple(model.formula for model in models), np.array(df),
        squares, squares / np.array(df), np.array(f), np.array(p), "F",
    )  # fmt: skip


def _refuse_worse(small: float, large: float, scale: float) -> None:
    if large > small + 1e-8 * abs(scale):
        raise InvalidDataError(
            "The larger model fits worse than the smaller one, so they are not nested (or not of "
            "the same rows)."
        )


def _nested_deviances(models: list[FormulaModel]) -> AnovaTable:
    fits = [model.likelihood_fit_ for model in models]
    family = models[0].family_[0]
    largest = max(fits, key=lambda fit: fit.rank)
    estimated = family.scale == "estimated"
    df, drop, statistic, p = [_NAN], [_NAN], [_NAN], [_NAN]
    for pair in pairwise(models):
        small, large = (model.likelihood_fit_ for model in pair)
        end = _at_the_end(*pair)
        if family.exponential and not end:
            change = small.deviance - large.deviance
        else:
            change = 2.0 * (large.log_likelihood - small.log_likelihood)
        _refuse_worse(0.0, -change, large.n_rows)
        gained = large.rank - small.rank
        df.append(gained)
        drop.append(max(change, 0.0))
        if estimated:
            statistic.append(drop[-1] / gained / largest.dispersion)
            p.append(f_p(statistic[-1], gained, largest.df_residual))
        else:
            statistic.append(drop[-1])
            p.append(_half_p(drop[-1], gained) if end else chi2_p(drop[-1], gained))
    notes = () if len({model.family_ for model in models}) == 1 else (_END_NOTE,)
    return AnovaTable(
        "Nested models (likelihood ratio)", _model_names(models),
        np.array(df), np.array(drop), np.full(len(df), np.nan), np.array(statistic), np.array(p),
        "F" if estimated else "chi2", notes,
    )  # fmt: skip


_END_NOTE = (
    "Without overdispersion alpha is 0, the end of its range, where the likelihood ratio is 0 in "
    "half of all samples: p is the mean of those with and without its degree of freedom (Self & "
    "Liang, 1987)."
)


def _half_p(statistic: float, df: int) -> float:
    """Of a parameter at the end of its range, ½ χ²(df − 1) + ½ χ²(df)."""
    less = chi2_p(statistic, df - 1) if df > 1 else float(statistic <= 0.0)
    return 0.5 * (less + chi2_p(statistic, df))


def _model_names(models: list[FormulaModel]) -> tuple[str, ...]:
    """The formulas; with the families where they differ."""
    if len({model.family_ for model in models}) == 1:
        return tuple(model.formula for model in models)
    return tuple(f"{model.formula} ({model.family_[0].name})" for model in models)
