"""Columns of a frame as the models of `NaiveBayes` take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.coding import code_column
from stylobate.data.kinds import Column, Schema
from stylobate.data.kinds.spellings import POINT, is_missing, number_of
from stylobate.data.mixed_columns import MixedColumns
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.naive_bayes.feature_models import (
    Categorical,
    Gaussian,
    KernelDensity,
    Poisson,
    multinomials,
)
from stylobate.naive_bayes.occurrences import NumberSums, Occurrences
from stylobate.splits.value_numbers import numpy_of

MODELS = ("gaussian", "categorical", "bernoulli", "multinomial", "poisson", "kde", "ignore")
_BY_KIND = {
    "numeric": "gaussian",
    "geospatial": "gaussian",
    "binary": "bernoulli",
    "ordinal": "categorical",
    "nominal": "categorical",
}
_OF_NUMBERS = ("gaussian", "multinomial", "poisson", "kde")
_OF_COUNTS = ("multinomial", "poisson")
_SUMMED = ("gaussian", *_OF_COUNTS)


def chosen_models(
    schema: Schema, given: Mapping[str, str] | str | None, owner: str
) -> dict[str, str]:
    """The model of each column: as given, else by its kind."""
    if isinstance(given, str):
        return dict.fromkeys(schema.names, given)
    for name, model in (given or {}).items():
        if name not in schema.names:
            raise InvalidParameterError(
                f"{owner}: models names the column {name!r}, but there are only "
                f"{', '.join(map(repr, schema.names))}."
            )
        if model not in MODELS:
            raise InvalidParameterError(
                f"{owner}: the model of column {name!r} must be one of "
                f"{', '.join(map(repr, MODELS))}, got {model!r}."
            )
    by_kind = {column.name: _BY_KIND.get(column.kind, "ignore") for column in schema}
    return by_kind | dict(given or {})


def plain_numbers(columns: MixedColumns, j: int, model: str) -> NDArray[np.float64] | None:
    """The column as doubles, NaN where none is observed; None: it must be read value by value."""
    if model not in _OF_NUMBERS:
        return None
    values = columns.values[j]
    if not isinstance(values, np.ndarray):
        if not values.dtype.is_numeric():
            return None
        values = numpy_of(values)
    return values.astype(np.float64, copy=False) if values.dtype.kind in "fiu" else None


def coded(
    columns: MixedColumns, j: int, column: Column, model: str
) -> tuple[Sequence[Any] | NDArray[Any], NDArray[np.intp]]:
    """Distinct observed values, and every row's number among them (their count: none observed)."""
    known = plain_numbers(columns, j, model)
    if known is not None:
        distinct, place = np.unique(known, return_inverse=True)
        count = int(np.searchsorted(distinct, np.nan))  # NaN is the last, and one
        return distinct[:count], place.reshape(-1)
    found = code_column(columns.values[j])
    listed = found.values.tolist()
    if model in _OF_NUMBERS:
        notation = column.notation or POINT
        numbers = [float("nan") if is_missing(v) else number_of(v, notation) for v in listed]
        keep = [not isnan(number) for number in numbers]
        values: list[Any] = [v for v, kept in zip(numbers, keep, strict=True) if kept]
    else:
        keep = [not is_missing(value, column.missing) for value in listed]
        values = [_category(v) for v, kept in zip(listed, keep, strict=True) if kept]
    kept = np.array(keep, dtype=bool)
    number = np.where(kept, np.cumsum(kept) - 1, len(values))
    return values, number[found.codes]


Seen = Occurrences | NumberSums


def seen_in(
    model: Any,
    columns: MixedColumns,
    codes: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    n_classes: int,
) -> dict[int, Seen]:
    """What some rows say of each column that has a model and a value: parts of the rows merge.

    Numbers are summed up, but for kernel densities, which keep every value.
    """
    found: dict[int, Seen] = {}
    for j, (name, kind) in enumerate(model.models_.items()):
        if kind == "ignore":
            continue
        plain = plain_numbers(columns, j, kind) if kind in _SUMMED else None
        if plain is not None:  # without a table of classes and values
            _refuse_large(plain[~np.isnan(plain)], name, type(model).__name__)
            if (sums := NumberSums.of(plain, codes, weights, n_classes)) is not None:
                found[j] = sums
            continue
        values, numbers = coded(columns, j, model.schema_[name], kind)
        if not len(values):  # nothing observed: nothing to say
            continue
        width = len(values) + 1
        flat = np.bincount(codes * width + numbers, weights=weights, minlength=n_classes * width)
        table = flat.astype(np.float64).reshape(n_classes, width)[:, :-1]
        seen = Occurrences(values, table)
        if kind in _OF_NUMBERS:
            _refuse_large(seen.numbers, name, type(model).__name__)
        found[j] = seen.number_sums() if kind in _SUMMED else seen
    return found


def learnt(model: Any, seen: Mapping[int, Any]) -> list[Any]:
    """The model of each column, fitted; None for columns that are ignored or never observed."""
    features: list[Any] = [None] * len(model.models_)
    counts: dict[int, NumberSums] = {}
    for j, (name, kind) in enumerate(model.models_.items()):
        if j not in seen:
            continue
        _refuse_unsuitable(seen[j], name, kind, type(model).__name__)
        if kind == "multinomial":
            counts[j] = seen[j]
        else:
            features[j] = _fitted(model, kind, seen[j], name)
    if counts:
        shared = multinomials(list(counts.values()), float(model.alpha))
        for j, each in zip(counts, shared, strict=True):
            features[j] = each
    return features


def _fitted(model: Any, kind: str, seen: Any, name: str) -> Any:
    if kind == "gaussian":
        fitted = Gaussian.learn(seen, float(model.var_smoothing))
        if not (fitted.variance > 0).all():
            raise InvalidDataError(
                f"{type(model).__name__}: column {name!r} does not vary within a class, so with "
                "var_smoothing=0 its variance there is 0; set var_smoothing to a positive number."
            )
        return fitted
    if kind == "poisson":
        return Poisson.learn(seen, float(model.alpha))
    if kind == "kde":
        return KernelDensity.learn(seen, model.bandwidth)
    return Categorical.learn(seen, float(model.alpha))


def _refuse_large(numbers: NDArray[np.float64], name: str, owner: str) -> None:
    size = float(np.abs(numbers).max(initial=0.0))
    if size > 1e150:
        raise InvalidDataError(
            f"{owner}: column {name!r} holds values up to {size:.3g}, too large to be squared "
            "in double precision; divide it by a constant."
        )


def _refuse_unsuitable(seen: Any, name: str, kind: str, owner: str) -> None:
    if kind == "bernoulli" and len(seen.values) > 2:
        raise InvalidDataError(
            f"{owner}: column {name!r} has {len(seen.values)} different values, and a Bernoulli "
            "model is for two; use 'categorical'."
        )
    if kind in _OF_COUNTS:
        fraction = seen.fraction if kind == "poisson" else np.nan
        wrong = seen.least if seen.least < 0 else fraction
        if not isnan(wrong):
            raise InvalidDataError(
                f"{owner}: column {name!r} holds {wrong:g}, and a {kind} model is for counts: "
                f"{'whole numbers' if kind == 'poisson' else 'numbers'} that are at least 0."
            )


def _category(value: Any) -> Any:
    """Numbers equal to whole ones as such: 1, 1.0 and True are one category in every container."""
    return float(value) if isinstance(value, int | float) else value
