"""What kind of question a column asks: two classes, several, or numbers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.kinds import Column
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.study.results import Task

TASKS = ("classification", "regression")
_FEW_STEPS = 10  # whole numbers that are rather classes than a scale
_LARGE = 1000.0  # the middle of whole numbers, above which they are rather amounts
_SEVERAL = 0.1  # of the values that hold more than one label
_LABELS = re.compile(r"\s*[|;]\s*")
_LIST = re.compile(r"^[\[({].*,.*[\])}]$")


@dataclass(frozen=True, slots=True)
class TaskOf:
    """What a target asks for, why, and whether its classes have an order."""

    task: Task
    reason: str
    ordered: bool = False


def task_of(column: Column, present: NDArray[Any], wanted: str | None = None) -> TaskOf:
    """Binary, multiclass or regression, with the reason.

    Parameters
    ----------
    column : Column
        The target.
    present : array
        Its values that are there.
    wanted : {"classification", "regression"} or None
        What the user says it is.
    """
    if wanted is not None and wanted not in TASKS:
        raise InvalidParameterError(
            f"task={wanted!r} must be one of {' and '.join(map(repr, TASKS))}, or left out."
        )
    _refuse_unanswerable(column, present)
    if wanted is not None:
        return _as_asked(column, present, wanted)
    kind, many = column.kind, column.n_distinct
    number = holds_numbers(column, present)
    if kind == "binary":
        return TaskOf("binary", "the target has two values, so rows are classified")
    if kind == "nominal" or (kind == "ordinal" and not number):
        what = "steps from low to high" if kind == "ordinal" else "categories"
        said = f"the target has {many} {what}, so rows are classified"
        return TaskOf("multiclass", said, kind == "ordinal")
    if kind == "ordinal" and many <= _FEW_STEPS:
        said = f"the target has {many} different whole numbers, taken for classes"
        return TaskOf("multiclass", f"{said} (--task regression estimates them instead)", True)
    if number:
        return TaskOf("regression", "the target holds numbers, which are estimated")
    share = many / max(len(present), 1)
    raise InvalidDataError(
        f"The target {column.name!r} is text that hardly repeats ({many} different values in "
        f"{len(present)} rows, {100 * share:.0f} %): there are no classes to learn. Choose another "
        "column."
    )


def holds_numbers(column: Column, present: NDArray[Any]) -> bool:
    """Whether a target is numbers, by type or as they are written."""
    return present.dtype.kind in "iuf" or (column.notation or "").startswith("decimal")


def is_count(y: NDArray[Any]) -> bool:
    """Whether numbers count something: whole, not negative, and few of them large.

    >>> is_count(np.array([0.0, 3.0, 1.0])), is_count(np.array([0.5, 3.0]))
    (True, False)
    """
    whole = bool(y.min() >= 0 and np.all(y == np.rint(y)))
    return whole and float(np.median(y)) <= _LARGE


def _as_asked(column: Column, present: NDArray[Any], wanted: str) -> TaskOf:
    if wanted == "regression":
        if holds_numbers(column, present):
            return TaskOf("regression", "the target holds numbers, estimated as asked for")
        raise InvalidParameterError(
            f"task='regression' is for numbers, and {column.name!r} holds {column.kind} values "
            f"such as {_shown(present[0])}; leave task out, or make numbers of them."
        )
    task: Task = "binary" if column.n_distinct == 2 else "multiclass"
    ordered = column.kind == "ordinal" or holds_numbers(column, present)
    what = f"the target's {column.n_distinct} different values are taken for classes"
    return TaskOf(task, f"{what}, as asked for", ordered)


def _refuse_unanswerable(column: Column, present: NDArray[Any]) -> None:
    name = column.name
    if column.kind == "constant" or column.n_distinct == 1:
        raise InvalidDataError(constant_words(name, present[0]))
    if column.kind == "datetime":
        raise InvalidDataError(
            f"The target {name!r} holds dates, which cannot be predicted as they are; make numbers "
            "(days until …) or classes of them."
        )
    several = _several_labels(present)
    if several is not None:
        raise InvalidDataError(
            f"The target {name!r} holds several labels in a row, such as {several}, and a study "
            "predicts one: make a column of yes and no for each label, and study them one by one."
        )


def _several_labels(present: NDArray[Any]) -> str | None:
    """A value that holds several labels, where many do and the labels come back in others."""
    if present.dtype.kind not in "OU":
        return None
    values = Counter(str(value).strip() for value in present.tolist())
    split = {value: _parts(value) for value in values}
    many = [value for value, parts in split.items() if len(parts) > 1]
    if sum(values[value] for value in many) < _SEVERAL * len(present) or len(many) < 3:
        return None
    parts = Counter(part for value in split for part in split[value])
    returning = sum(count > 1 for count in parts.values())
    return _shown(many[0]) if len(parts) < len(values) and 2 * returning >= len(parts) else None


def _parts(value: str) -> list[str]:
    if _LIST.match(value):
        return [part.strip(" '\"") for part in value[1:-1].split(",")]
    return [part for part in _LABELS.split(value) if part]


def _shown(value: Any) -> str:
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 40 else f"{text[:38]}…'"


def constant_words(name: str, value: Any) -> str:
    """Why a target that never changes cannot be predicted."""
    value = value.item() if isinstance(value, np.generic) else value
    return (
        f"The target {name!r} is {value!r} in every row that has one: there is nothing to predict. "
        "Choose another column, or get rows with other values."
    )
