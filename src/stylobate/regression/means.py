"""Estimated (marginal) means of levels, and their differences.

References
----------
Searle, Speed & Milliken (1980), Population marginal means in the linear model, The American
Statistician 34. Lenth (2016), Least-squares means: the R package lsmeans, J. Statistical
Software 69.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.parameters import brief
from stylobate.design.frame import Frame
from stylobate.design.variables import FactorVariable
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.comparisons.multiplicity import ContrastTable, contrasts
from stylobate.inference.distributions import check_level, two_sided_quantile
from stylobate.inference.summary.text import table
from stylobate.regression.margins import chosen_columns, factors_of, interval_columns
from stylobate.regression.response import (
    bounded_interval,
    mean_and_slope,
    predictor_columns,
    response,
)

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel

_MOST_CELLS = 100_000


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
        columns = interval_columns(self, None)
        return f"Estimated means ({self.scale} scale)\n{table(self.names, columns, '')}"

    __repr__ = __str__


def mean_grid(model: FormulaModel, factors: Any, at: Any) -> tuple[tuple[str, ...], Frame]:
    """The levels of some factors by name, and a table of rows to average over for each in turn:
    all combinations of the other factors' levels, numbers at their mean or where `at` says.
    """
    known = factors_of(model)
    chosen = _asked_factors(model, factors, known)
    fixed = _fixed(model, at, known)
    others = [name for name in known if name not in chosen and name not in fixed]
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
        columns[name] = _repeated([row[place] for row in grid])
    for name, value in model.typical_.items():
        columns[name] = _repeated([fixed.get(name, value)] * len(grid))
    for name in fixed:
        if name in known:
            columns[name] = _repeated([fixed[name]] * len(grid))
    names = tuple(", ".join(map(str, cell)) for cell in cells)
    return names, Frame(columns, len(grid), "model")


def _repeated(values: list[Any]) -> Any:
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _asked_factors(
    model: FormulaModel, factors: Any, known: dict[str, FactorVariable]
) -> list[str]:
    asked = [factors] if isinstance(factors, str) else list(factors or ())
    numbers = [name for name in asked if isinstance(model.typical_.get(name), float)]
    if numbers:
        raise InvalidDataError(
            f"model: {numbers[0]} is a number in this formula, and means are of levels: of "
            f"{', '.join(known) or 'no factor here'}; write C({numbers[0]}) to make it a factor."
        )
    chosen = chosen_columns(model, factors, tuple(known)) if factors is not None else list(known)
    if not chosen:
        raise InvalidDataError("model: the formula has no factor whose levels have means.")
    return chosen


def _fixed(model: FormulaModel, at: Any, known: dict[str, FactorVariable]) -> dict[str, Any]:
    """What `at` says of columns; misspelt ones are refused."""
    if at is None:
        return {}
    if not isinstance(at, Mapping):
        raise InvalidParameterError(f"at is a dict such as {{'x': 2.0}}, got {brief(at)}.")
    chosen_columns(model, list(at), (*known, *model.typical_))
    return dict(at)


def mean_rows(model: FormulaModel, factors: Any, at: Any) -> tuple[tuple[str, ...], Array]:
    """For every combination of levels its row of the predictor's columns, and its name."""
    model._refuse_estimator()
    names, frame = mean_grid(model, factors, at)
    x = predictor_columns(model, frame).reshape(len(names), frame.n_rows // len(names), -1)
    wide = np.zeros((len(names), len(model.coef_)))
    wide[:, : x.shape[2]] = x.mean(axis=1)
    return names, wide


def estimated_means(
    model: FormulaModel, factors: Any, *, level: float, scale: str, at: Any, **covariance: Any
) -> EstimatedMeans:
    """Means of levels (see `FormulaModel.means`)."""
    check_level(level)
    if scale not in ("response", "link"):
        raise InvalidParameterError(f"scale must be 'response' or 'link', got {scale!r}.")
    if model.absorbs:
        raise InvalidDataError(
            "model: means of levels stand at no level of the absorbed factors; ask for their "
            "differences, pairwise(…), which are the same at all of them."
        )
    names, rows = mean_rows(model, factors, at)
    found = model.estimates(**covariance)
    _refuse_undetermined(found, rows)
    if scale == "response" and model.family_[0].several:
        return _means_of_several(model, mean_grid(model, factors, at), found, level)
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


def _means_of_several(
    model: FormulaModel, grid: tuple[tuple[str, ...], Frame], found: Any, level: float
) -> EstimatedMeans:
    """Of families whose mean, or chances, follow from several predictors: averages of these."""
    names, frame = grid
    of = response(model, frame, None)
    values, slopes = of.averaged(len(names))
    k = slopes.shape[2]
    flat = slopes.reshape(-1, k)
    used = (flat != 0).any(axis=0)
    matrix = np.where(np.outer(used, used), found.covariance, 0.0)
    error = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", flat, matrix, flat), 0.0))
    value = values.ravel()
    low, high = bounded_interval(value, error, two_sided_quantile(level, found.df), of.is_chance)
    said = tuple(f"{name}: {c}" if c else name for name in names for c in of.names)
    return EstimatedMeans(said, value, error, low, high, found.df, "response", level)


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
    model: FormulaModel, factors: Any, *, adjust: str, level: float, at: Any, **covariance: Any
) -> ContrastTable:
    """All differences of means (see `FormulaModel.pairwise`)."""
    names, rows = mean_rows(model, factors, at)
    found = model.estimates(**covariance)
    _refuse_undetermined(found, rows)
    pairs: Sequence[tuple[int, int]] = list(combinations(range(len(names)), 2))
    matrix = np.array([rows[a] - rows[b] for a, b in pairs])
    labels = tuple(f"{names[a]} - {names[b]}" for a, b in pairs)
    title = "Pairwise differences" + ("" if model.is_least_squares else " (link scale)")
    return contrasts(
        found, matrix, labels, adjust=adjust, level=level, means=len(names), title=title
    )
