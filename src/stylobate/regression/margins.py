"""What a model says of its variables: average marginal effects, estimated means, their differences.

References
----------
Searle, Speed & Milliken (1980), Population marginal means in the linear model, The American
Statistician 34. Greene (2018), Econometric Analysis, section 17.2 (the delta method).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.design.frame import Frame
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.comparisons.multiplicity import ContrastTable, contrasts
from stylobate.inference.distributions import check_level, two_sided_p, two_sided_quantile
from stylobate.inference.summary.text import aligned, interval_label, number, p_value, table
from stylobate.losses.response_curves import ResponseCurve
from stylobate.optimize.vector_glm import ExponentialFamily

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel

_STEP = 1e-3  # of a column's spread, for differences of fourth order
_MOST_CELLS = 100_000


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
        columns = _interval_columns(self, "z" if np.isinf(self.df) else "t")
        title = "Average marginal effects" if self.at == "overall" else "Effects at the mean row"
        return f"{title} (delta method)\n{table(self.names, columns, '')}"

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class EstimatedMeans:
    """Means of levels, other factors averaged over and numbers at their mean."""

    names: tuple[str, ...]
    estimate: Array
    std_error: Array
    ci_low: Array
    ci_high: Array
    df: float
    scale: str
    level: float

    def __getitem__(self, name: str) -> dict[str, float]:
        """One row."""
        if name not in self.names:
            raise InvalidParameterError(
                f"There is no mean {name!r}; there are {', '.join(self.names[:8])}."
            )
        row = self.names.index(name)
        fields = ("estimate", "std_error", "ci_low", "ci_high")
        return {field: float(getattr(self, field)[row]) for field in fields}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        fields = ("estimate", "std_error", "ci_low", "ci_high")
        plain: dict[str, Any] = {"name": list(self.names)}
        plain |= {field: getattr(self, field).tolist() for field in fields}
        return plain | {"df": self.df, "scale": self.scale, "level": self.level}

    def __str__(self) -> str:
        columns = _interval_columns(self, None)
        return f"Estimated means ({self.scale} scale)\n{table(self.names, columns, '')}"

    __repr__ = __str__


def _interval_columns(result: Any, law: str | None) -> list[tuple[str, list[str]]]:
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


# --- the mean as a function of the predictor ------------------------------------------------------


def mean_and_slope(model: FormulaModel, z: Array) -> tuple[Array, Array]:
    """μ and dμ/dz."""
    if model.is_least_squares:
        return z, np.ones_like(z)
    family, link = model.family_
    name: Any = link
    if family.power is None and family.exponential:
        curve = ResponseCurve(name)
        return curve.mean(z), np.exp(curve.log_slope(z))
    if family.name == "negative_binomial":
        return np.exp(z), np.exp(z)
    if family.power is None:
        raise InvalidDataError(
            f"model: family {family.name!r} has no single mean whose effects could be taken."
        )
    exponential = ExponentialFamily(family.power, name)
    return exponential.mean(z), exponential.mean_slopes(z)[0]


# --- marginal effects -----------------------------------------------------------------------------


def marginal_effects(
    model: FormulaModel, variables: Any, *, at: str, level: float, data: Any, **covariance: Any
) -> MarginalEffects:
    """Effects of columns on the mean (see `FormulaModel.effects`)."""
    check_level(level)
    if at not in ("overall", "mean"):
        raise InvalidParameterError(f"at must be 'overall' or 'mean', got {at!r}.")
    found = model.estimates(**covariance)
    frame, offset = _frame_and_offset(model, data)
    looked = _Look(model, frame, offset, at)
    columns = _chosen(model, variables, tuple(model.design_.columns))
    names: list[str] = []
    values: list[float] = []
    slopes: list[Array] = []
    factors = model.design_.factors
    for column in columns:
        effects = (
            looked.of_factor(column, factors[column].levels)
            if column in factors
            else [looked.of_number(column)]
        )
        for name, value, slope in effects:
            names.append(name)
            values.append(value)
            slopes.append(slope)
    jacobian = np.array(slopes)
    k = jacobian.shape[1]
    used = (jacobian != 0).any(axis=0)
    block = np.where(np.outer(used, used), found.covariance[:k, :k], 0.0)
    matrix = jacobian @ block @ jacobian.T
    estimate, error = np.array(values), np.sqrt(np.maximum(np.diag(matrix), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = estimate / error
    half = two_sided_quantile(level, found.df) * error
    return MarginalEffects(
        tuple(names), estimate, error, t, two_sided_p(t, found.df),
        estimate - half, estimate + half, matrix, found.df, at, level,
    )  # fmt: skip


def _frame_and_offset(model: FormulaModel, data: Any) -> tuple[Frame, Array | None]:
    from stylobate.regression.formula_model import _taken

    if data is not None:
        frame = Frame.of(data, "model")
        return frame, model.design_.offset(frame)
    rows = model._rows()
    frame, kept = model._rows_kept[:2]
    return _taken(frame, kept), rows.offset


@dataclass(frozen=True, eq=False)
class _Look:
    """Means of changed rows, with their derivatives in the coefficients."""

    model: FormulaModel
    frame: Frame
    offset: Array | None
    at: str

    def mean(self, changed: dict[str, Any]) -> tuple[float, Array]:
        """The average mean where columns are changed."""
        frame = Frame({**self.frame.columns, **changed}, self.frame.n_rows, "model")
        x = self.model.design_.matrix(frame)
        offset = self.offset
        if self.at == "mean":
            x = x.mean(axis=0, keepdims=True)
            offset = None if offset is None else np.array([offset.mean()])
        z = x @ self.model.coef_[: x.shape[1]]
        mu, slope = mean_and_slope(self.model, z if offset is None else z + offset)
        return float(mu.mean()), np.asarray(slope @ x / len(x))

    def of_number(self, column: str) -> tuple[str, float, Array]:
        """The derivative, by differences of fourth order."""
        x = self.frame.numbers(column)
        spread = float(x.std()) or 1.0
        h = _STEP * spread
        value, slope = 0.0, np.zeros(len(self.model.design_.names))
        for step, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
            mu, derivative = self.mean({column: x + step * h})
            value += weight * mu / (12.0 * h)
            slope = slope + weight * derivative / (12.0 * h)
        return column, value, slope

    def of_factor(self, column: str, levels: tuple[Any, ...]) -> list[tuple[str, float, Array]]:
        """The difference of each level from the first."""

        def all_at(level: Any) -> tuple[float, Array]:
            values = np.empty(self.frame.n_rows, dtype=object)
            values[:] = level
            return self.mean({column: values})

        base, base_slope = all_at(levels[0])
        found = []
        for level in levels[1:]:
            value, slope = all_at(level)
            found.append((f"{column}[{level}]", value - base, slope - base_slope))
        return found


def _chosen(model: FormulaModel, asked: Any, known: tuple[str, ...]) -> list[str]:
    """Columns by name; a misspelt one is refused with the nearest."""
    if asked is None:
        return list(known)
    names = [asked] if isinstance(asked, str) else list(asked)
    shown = Frame(dict.fromkeys(known), 0, "model")
    for name in names:
        shown.column(name)
    return names


# --- estimated means ------------------------------------------------------------------------------


def mean_rows(model: FormulaModel, factors: Any) -> tuple[tuple[str, ...], Array]:
    """A row of the design for every combination of levels, and its name."""
    model._refuse_estimator()
    known = model.design_.factors
    asked = [factors] if isinstance(factors, str) else list(factors or ())
    numbers = [name for name in asked if name in model.typical_]
    if numbers:
        raise InvalidDataError(
            f"model: {numbers[0]} is a number in this formula, and means are of levels: of "
            f"{', '.join(known) or 'no factor here'}; write C({numbers[0]}) to make it a factor."
        )
    chosen = _chosen(model, factors, tuple(known)) if factors is not None else list(known)
    if not chosen:
        raise InvalidDataError("model: the formula has no factor whose levels have means.")
    others = [name for name in known if name not in chosen]
    cells = list(product(*(known[name].levels for name in chosen)))
    rest = list(product(*(known[name].levels for name in others)))
    if len(cells) * len(rest) > _MOST_CELLS:
        raise InvalidDataError(
            f"model: the factors have {len(cells) * len(rest)} combinations of levels, more than "
            f"{_MOST_CELLS}; ask for fewer factors, or leave some out of the formula."
        )
    grid = [(*cell, *more) for cell in cells for more in rest]
    columns: dict[str, Any] = {}
    for place, name in enumerate([*chosen, *others]):
        values = np.empty(len(grid), dtype=object)
        values[:] = [row[place] for row in grid]
        columns[name] = values
    for name, value in model.typical_.items():
        columns[name] = np.full(len(grid), value)
    x = model.design_.matrix(Frame(columns, len(grid), "model"))
    x = x.reshape(len(cells), len(rest), -1).mean(axis=1)
    if model.family_[0].name == "ordinal":
        x = x[:, int(model.design_.has_intercept) :]
    wide = np.zeros((len(cells), len(model.coef_)))
    wide[:, : x.shape[1]] = x
    return tuple(", ".join(map(str, cell)) for cell in cells), wide


def estimated_means(
    model: FormulaModel, factors: Any, *, level: float, scale: str, **covariance: Any
) -> EstimatedMeans:
    """Means of levels (see `FormulaModel.means`)."""
    check_level(level)
    if scale not in ("response", "link"):
        raise InvalidParameterError(f"scale must be 'response' or 'link', got {scale!r}.")
    names, rows = mean_rows(model, factors)
    found = model.estimates(**covariance)
    _refuse_undetermined(found, rows)
    used = (rows != 0).any(axis=0)
    matrix = np.where(np.outer(used, used), found.covariance, 0.0)
    z = rows @ np.where(used, found.coef, 0.0)
    error = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", rows, matrix, rows), 0.0))
    half = two_sided_quantile(level, found.df) * error
    low, high = z - half, z + half
    if scale == "response" and not model.is_least_squares:
        mu, slope = mean_and_slope(model, z)
        ends = np.array([mean_and_slope(model, each)[0] for each in (low, high)])
        z, error = mu, error * np.abs(slope)
        low, high = ends.min(axis=0), ends.max(axis=0)
    return EstimatedMeans(names, z, error, low, high, found.df, scale, level)


def _refuse_undetermined(found: Any, rows: Array) -> None:
    lost = ~np.isfinite(np.diag(found.covariance))
    bad = lost & (rows != 0).any(axis=0)
    if bad.any():
        names = [name for name, gone in zip(found.names, bad, strict=True) if gone]
        raise InvalidDataError(
            f"model: the data do not determine {', '.join(names[:4])} (an empty cell), so means "
            "that need it do not exist; leave the interaction out, or merge levels."
        )


def pairwise_differences(
    model: FormulaModel, factors: Any, *, adjust: str, level: float, **covariance: Any
) -> ContrastTable:
    """All differences of means (see `FormulaModel.pairwise`)."""
    names, rows = mean_rows(model, factors)
    found = model.estimates(**covariance)
    _refuse_undetermined(found, rows)
    pairs: Sequence[tuple[int, int]] = list(combinations(range(len(names)), 2))
    matrix = np.array([rows[a] - rows[b] for a, b in pairs])
    labels = tuple(f"{names[a]} - {names[b]}" for a, b in pairs)
    title = "Pairwise differences" + ("" if model.is_least_squares else " (link scale)")
    return contrasts(
        found, matrix, labels, adjust=adjust, level=level, means=len(names), title=title
    )
