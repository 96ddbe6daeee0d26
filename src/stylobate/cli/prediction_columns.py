"""What a model file wants of each column of a source, and the columns made so."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.composition.pass_through import PassThrough
from stylobate.data.kinds.spellings import is_missing
from stylobate.exceptions import InvalidDataError

Columns = dict[str, NDArray[Any]]
NUMBER, TEXT, ANY = "number", "text", "any"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns of a model in order, what each holds, and whether numbers may be missing."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    named: bool
    missing_allowed: bool


def wanted_by(model: Any) -> Wanted:
    """What a fitted model takes."""
    names = getattr(model, "feature_names_in_", None)
    count = int(getattr(model, "n_features_in_", 1))
    kinds = _kinds(model, count)
    numbers_only = all(kind == NUMBER for kind in kinds)
    allowed = not numbers_only or bool(model._tags().allow_nan)
    if names is None:
        return Wanted(tuple(f"x{j}" for j in range(count)), kinds, False, allowed)
    return Wanted(tuple(str(name) for name in names), kinds, True, allowed)


def _kinds(model: Any, count: int) -> tuple[str, ...]:
    """What each column is to the first estimator that sees it."""
    for inner in ("best_estimator_", "estimator_"):
        if inner in vars(model):
            return _kinds(vars(model)[inner], count)
    steps = getattr(model, "steps", None)
    if steps:
        first = next((step for _, step in steps if hasattr(step, "get_params")), None)
        return (ANY,) * count if first is None else _kinds(first, count)
    plan = getattr(model, "_plan", None)
    if isinstance(plan, list):
        return _kinds_of_plan(plan, count)
    if hasattr(model, "schema_"):
        return tuple(_kind_of_column(model, j) for j in range(count))
    categories = getattr(model, "categories_", None)
    if isinstance(categories, list) and len(categories) == count:
        return tuple(_kind_of_categories(known) for known in categories)
    coded = getattr(
        getattr(model, "column_categories_", getattr(model, "_columns", None)), "of", ()
    )
    if isinstance(coded, tuple) and len(coded) == count:  # trees: numbers and codes of categories
        return tuple(NUMBER if known is None else _kind_of_categories(known) for known in coded)
    tags = model._tags() if hasattr(model, "_tags") else None
    plain = tags is not None and not tags.categorical and not tags.text and tags.two_d
    return (NUMBER if plain else ANY,) * count


def _kinds_of_plan(plan: list[Any], count: int) -> tuple[str, ...]:
    kinds = [ANY] * count
    for each in plan:
        if not each.works or not hasattr(each.transformer, "fit"):
            continue
        passes = isinstance(each.transformer, PassThrough)
        found = _kinds(each.transformer, len(each.positions))
        for j, kind in zip(each.positions, found, strict=True):
            kinds[j] = ANY if passes else kind
    return tuple(kinds)


def _kind_of_column(model: Any, j: int) -> str:
    """A column as a table encoder takes it."""
    column = model.schema_.columns[j]
    if column.kind == "numeric" and not column.notation:
        return NUMBER
    for part, places in getattr(model, "_parts", ()):
        known = getattr(part, "known", None)
        if j in places and known is not None:
            return _kind_of_categories(known)
    return ANY


def _kind_of_categories(known: Any) -> str:
    values = [value for value in np.asarray(known).tolist() if not is_missing(value)]
    return TEXT if values and all(isinstance(value, str) for value in values) else ANY


def chosen(wanted: Wanted, available: tuple[str, ...], source: str) -> list[str]:
    """The source's columns that the model takes, in its order; refused if some are missing."""
    if not wanted.named:
        if len(available) != len(wanted.names):
            raise InvalidDataError(
                f"The model was fitted to {len(wanted.names)} columns without names, and {source} "
                f"has {len(available)}; give it exactly these, in the order of the fit."
            )
        return list(available)
    lacking = [name for name in wanted.names if name not in available]
    if lacking:
        told = "; ".join(_hint(name, available) for name in lacking[:5])
        more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
        there = ", ".join(map(repr, available[:10])) + (", …" if len(available) > 10 else "")
        raise InvalidDataError(
            f"{source} lacks columns the model needs: {told}{more}; it has {there}."
        )
    return list(wanted.names)


def _hint(name: str, available: tuple[str, ...]) -> str:
    lower = {each.casefold(): each for each in available}
    close = get_close_matches(name.casefold(), lower, n=1)
    return f"{name!r} (did you mean {lower[close[0]]!r}?)" if close else repr(name)


def as_wanted(columns: Columns, names: list[str], wanted: Wanted) -> tuple[Columns, dict[int, str]]:
    """The columns as the model takes them, and what is wrong with which rows."""
    made: Columns = {}
    wrong: dict[int, str] = {}
    for name, kind in zip(names, wanted.kinds, strict=True):
        values = columns[name]
        if kind == NUMBER:
            values, bad = _numbers(values)
            for row, cell in bad.items():
                wrong.setdefault(row, f"column {name!r} holds {cell!r}, which is not a number")
            if not wanted.missing_allowed:
                for row in np.flatnonzero(np.isnan(values)).tolist():
                    wrong.setdefault(row, f"column {name!r} is empty, and the model needs a value")
        elif kind == TEXT:
            values = _texts(values)
        made[name] = values
    return made, wrong


def _numbers(values: NDArray[Any]) -> tuple[NDArray[np.float64], dict[int, str]]:
    """Cells as numbers, and those that are neither numbers nor missing, by row."""
    if values.dtype.kind in "fiub":
        return values.astype(np.float64), {}
    numbers = np.full(len(values), np.nan)
    bad: dict[int, str] = {}
    for row, value in enumerate(values.tolist()):
        if is_missing(value):
            continue
        try:
            numbers[row] = float(value)
        except (TypeError, ValueError):
            bad[row] = str(value)[:60]
    for row in np.flatnonzero(np.isinf(numbers)).tolist():
        bad[row] = str(values[row])[:60]
    return numbers, bad


def _texts(values: NDArray[Any]) -> NDArray[np.object_]:
    """Cells as texts, whole numbers without a decimal point; None where missing."""
    texts = np.empty(len(values), dtype=object)
    for row, value in enumerate(values.tolist()):
        if value is None or value != value:
            continue
        whole = isinstance(value, float) and value.is_integer()
        texts[row] = str(int(value)) if whole else str(value)
    return texts
