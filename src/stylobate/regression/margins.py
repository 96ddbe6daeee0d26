"""What a variable does to the mean: average marginal effects.

References
----------
Greene (2018), Econometric Analysis, section 17.2 (the delta method).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.design.frame import Frame
from stylobate.design.variables import FactorVariable
from stylobate.exceptions import InvalidParameterError
from stylobate.inference.distributions import check_level, two_sided_p, two_sided_quantile
from stylobate.inference.summary.text import aligned, interval_label, number, p_value, table
from stylobate.regression.response import (
    response,
)

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel

_STEP = 1e-3  # of a column's spread, for differences of fourth order


@dataclass(frozen=True, eq=False)
class MarginalEffects:
    """Average effects on the mean: of a number per unit, of a level against the first."""

    names: tuple[str, ...]
    estimate: Array
    std_error: Array
    statistic: Array
    p: Array
    ci_low: Array
    ci_high: Array
    covariance: Array
    df: float
    at: str
    level: float

    def __getitem__(self, name: str) -> dict[str, float]:
        """One row."""
        if name not in self.names:
            raise InvalidParameterError(
                f"There is no effect {name!r}; there are {', '.join(self.names[:8])}."
            )
        row = self.names.index(name)
        fields = ("estimate", "std_error", "statistic", "p", "ci_low", "ci_high")
        return {field: float(getattr(self, field)[row]) for field in fields}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        fields = ("estimate", "std_error", "statistic", "p", "ci_low", "ci_high")
        plain: dict[str, Any] = {"name": list(self.names)}
        plain |= {field: getattr(self, field).tolist() for field in fields}
        return plain | {"df": self.df, "at": self.at, "level": self.level}

    def __str__(self) -> str:
        columns = interval_columns(self, "z" if np.isinf(self.df) else "t")
        title = "Average marginal effects" if self.at == "overall" else "Effects at the mean row"
        return f"{title} (delta method)\n{table(self.names, columns, '')}"

    __repr__ = __str__


def interval_columns(result: Any, law: str | None) -> list[tuple[str, list[str]]]:
    low, high = (aligned([number(v) for v in side]) for side in (result.ci_low, result.ci_high))
    columns = [
        ("estimate", [number(v) for v in result.estimate]),
        ("std error", [number(v, 3) for v in result.std_error]),
    ]
    if law is not None:
        columns.append((law, [number(v, 3) for v in result.statistic]))
        columns.append(("p", [p_value(v) for v in result.p]))
    spans = [f"{a}  {b}" for a, b in zip(low, high, strict=True)]
    return [*columns, (interval_label(result.level), spans)]


# --- marginal effects -----------------------------------------------------------------------------


def marginal_effects(
    model: FormulaModel, variables: Any, *, at: str, level: float, data: Any, **covariance: Any
) -> MarginalEffects:
    """Effects of columns on the mean (see `FormulaModel.effects`)."""
    check_level(level)
    if at not in ("overall", "mean"):
        raise InvalidParameterError(f"at must be 'overall' or 'mean', got {at!r}.")
    found = model.estimates(**covariance)
    frame, exposure = _frame_and_exposure(model, data)
    looked = _Look(model, frame, exposure, at == "mean")
    factors = factors_of(model)
    names: list[str] = []
    values: list[Array] = []
    slopes: list[Array] = []
    for column in chosen_columns(model, variables, _columns(model)):
        effects = (
            looked.of_factor(column, factors[column].levels)
            if column in factors
            else [looked.of_number(column)]
        )
        for name, value, slope in effects:
            names += [f"{name} on {of}" if of else name for of in looked.responses]
            values.append(value)
            slopes.append(slope)
    jacobian = np.concatenate(slopes)
    used = (jacobian != 0).any(axis=0)
    block = np.where(np.outer(used, used), found.covariance, 0.0)
    matrix = jacobian @ block @ jacobian.T
    estimate, error = np.concatenate(values), np.sqrt(np.maximum(np.diag(matrix), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = estimate / error
    half = two_sided_quantile(level, found.df) * error
    return MarginalEffects(
        tuple(names), estimate, error, t, two_sided_p(t, found.df),
        estimate - half, estimate + half, matrix, found.df, at, level,
    )  # fmt: skip


def _columns(model: FormulaModel) -> tuple[str, ...]:
    """The columns of the table whose effects on the mean can be told: numbers and factors."""
    zero = () if model.zero_design_ is None else model.zero_design_.columns
    every = dict.fromkeys((*model.design_.columns, *zero))
    return tuple(name for name in every if not isinstance(model.typical_.get(name), str))


def factors_of(model: FormulaModel) -> dict[str, FactorVariable]:
    zero = {} if model.zero_design_ is None else model.zero_design_.factors
    return {**zero, **model.design_.factors}


def _frame_and_exposure(model: FormulaModel, data: Any) -> tuple[Frame, Array | None]:
    """The rows that are looked at, without those that were left out, and the logarithms of their
    exposures.
    """
    from stylobate.regression.row_methods import row_amounts

    if data is None:
        frame, kept, _, exposure = model._remembered()
    else:
        frame = Frame.of(data, "model")
        kept, exposure = np.arange(frame.n_rows), model._given_again("exposure")
    amount = row_amounts(exposure, frame, kept, "exposure", least=0.0)
    return frame.of_rows(kept), None if amount is None else np.log(amount)


@dataclass(frozen=True, eq=False)
class _Look:
    """Means of changed rows, with their derivatives in the coefficients."""

    model: FormulaModel
    frame: Frame
    log_exposure: Array | None
    at_mean: bool

    @property
    def responses(self) -> tuple[str, ...]:
        """What is predicted: one mean, or a chance for each class."""
        if self.model.family_[0].name != "ordinal":
            return ("",)
        return tuple(f"P({each})" for each in self.model.target_.classes)

    def mean(self, changed: dict[str, Any]) -> tuple[Array, Array]:
        """The average means where columns are changed, (c,), and their derivatives, (c, k)."""
        frame = Frame({**self.frame.columns, **changed}, self.frame.n_rows, "model")
        offset, more = self.model.design_.offset(frame), self.log_exposure
        if more is not None:
            offset = more if offset is None else offset + more
        found = response(self.model, frame, offset, at_mean=self.at_mean)
        values, slopes = found.averaged()
        return values[0], slopes[0]

    def of_number(self, column: str) -> tuple[str, Array, Array]:
        """The derivative, by differences of fourth order."""
        x = self.frame.numbers(column)
        spread = float(x.std()) or 1.0
        h = _STEP * spread
        c, k = len(self.responses), len(self.model.coef_)
        value, slope = np.zeros(c), np.zeros((c, k))
        for step, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
            mu, derivative = self.mean({column: x + step * h})
            value = value + weight * mu / (12.0 * h)
            slope = slope + weight * derivative / (12.0 * h)
        return column, value, slope

    def of_factor(self, column: str, levels: tuple[Any, ...]) -> list[tuple[str, Array, Array]]:
        """The difference of each level from the first."""

        def all_at(level: Any) -> tuple[Array, Array]:
            values = np.empty(self.frame.n_rows, dtype=object)
            values[:] = level
            return self.mean({column: values})

        base, base_slope = all_at(levels[0])
        found = []
        for level in levels[1:]:
            value, slope = all_at(level)
            found.append((f"{column}[{level}]", value - base, slope - base_slope))
        return found


def chosen_columns(model: FormulaModel, asked: Any, known: tuple[str, ...]) -> list[str]:
    """Columns by name; a misspelt one is refused with the nearest."""
    if asked is None:
        return list(known)
    names = [asked] if isinstance(asked, str) else list(asked)
    shown = Frame(dict.fromkeys(known), 0, "model")
    for name in names:
        shown.column(name)
    return names
