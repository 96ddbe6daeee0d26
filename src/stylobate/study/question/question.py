"""What is asked: the task, the classes, the metric; and refusals of what cannot be asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.data.kinds import Column
from stylobate.data.kinds.spellings import is_missing
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.report import shortened
from stylobate.study.output.sentences import counted
from stylobate.study.question.classes import (
    check_class_count,
    classes_of,
    positive_class,
    without_rare,
)
from stylobate.study.question.metrics import choose_metric, scorer_of
from stylobate.study.question.tasks import constant_words, is_count, task_of
from stylobate.study.results import Costs, Question
from stylobate.study.table.table import StudyTable

LEAST_ROWS = 20


@dataclass(frozen=True, eq=False)
class Asked:
    """The question with the answers of the rows that have one.

    Attributes
    ----------
    question : Question
    rows : array of int
        Numbers of the rows of the table that take part.
    y : array
        Their targets: numbers, or class codes in the order of `Question.classes` (for two classes
        0 and 1, the positive class being 1).
    labels : array
        The classes in the table's own type, in the order of the codes; empty for numbers.
    missing : int
        Rows without a target.
    left_out : tuple of str
        Sentences about rows that take no part.
    """

    question: Question
    rows: NDArray[np.intp]
    y: NDArray[Any]
    labels: NDArray[Any]
    missing: int
    left_out: tuple[str, ...]

    @property
    def scorer(self) -> Callable[..., Any]:
        """``scorer(estimator, X, y)``, of which more is better."""
        return scorer_of(self.question.metric, self.question.costs)

    @property
    def sign(self) -> int:
        """What a score is multiplied by to be shown."""
        return 1 if self.question.metric.greater_is_better else -1

    def labelled(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Labels of codes; numbers as they are."""
        return self.labels[codes] if len(self.labels) else codes


def ask(
    table: StudyTable,
    target: str,
    *,
    metric: str | None = None,
    positive: str | None = None,
    cost: tuple[float, float] | None = None,
    group: str | None = None,
    time_column: str | None = None,
    task: str | None = None,
) -> Asked:
    """The question about a column of a table; refuses, in a sentence, what makes no sense."""
    _check_names(table, target, group, time_column)
    values = table.columns[target]
    column = table.schema[target]
    rows, missing = _present(values, column, table)
    told = []
    if missing:
        told = [f"{counted(missing, 'row')} without {target} take{'s' * (missing == 1)} no part."]
    kind_of_question = task_of(column, values[rows], task)
    found, reason = kind_of_question.task, kind_of_question.reason
    if found == "regression":
        return _about_numbers(
            table, column, rows, reason, (metric, positive, cost, group, time_column), missing, told
        )
    _check_row_count(len(rows), target)
    known, codes = classes_of(values[rows], column)
    rows, codes, known, rare = without_rare(rows, codes, known)
    told += rare
    check_class_count(column, known)
    _check_row_count(len(rows), target)
    two = len(known) == 2
    chosen, why = positive_class(known, codes, positive, target) if two else (None, "")
    _refuse_costs_of_many(cost, positive, two, target)
    if chosen == 0:  # the positive class is the second
        known, codes = known[::-1], 1 - codes
    costs = _costs(cost)
    judged = choose_metric(
        metric, "binary" if two else "multiclass", costs, np.bincount(codes).tolist(),
        ordered=kind_of_question.ordered, target=target,
    )  # fmt: skip
    words = f"{reason}{why}"
    names = tuple(str(label) for label in known)
    question = Question(
        table.name, target, "binary" if two else "multiclass", words, names,
        names[1] if two else None, judged, costs,
        group, time_column,
    )  # fmt: skip
    return Asked(question, rows, codes, known, missing, tuple(told))


def _about_numbers(
    table: StudyTable,
    column: Column,
    rows: NDArray[np.intp],
    reason: str,
    options: tuple[Any, ...],
    missing: int,
    told: list[str],
) -> Asked:
    metric, positive, cost, group, time_column = options
    if positive is not None or cost is not None:
        name = "positive" if positive is not None else "cost"
        raise InvalidParameterError(
            f"{name} is for targets of two classes, and {column.name!r} holds numbers; leave it "
            "out."
        )
    from stylobate.preprocessing.table.parts import numbers_of

    notation = column.notation if column.notation else "decimal point"
    y = numbers_of(table.columns[column.name][rows], notation)
    if is_count(y):
        reason += "; they are counts, so Poisson models are among those tried"
    if not np.isfinite(y).all():
        bad = rows[~np.isfinite(y)] + 1
        where = f"row {bad[0]} below the header" + f" and {len(bad) - 1} more" * (len(bad) > 1)
        raise InvalidDataError(
            f"The target {column.name!r} is no finite number in {where}; correct that, or leave "
            "the cells empty."
        )
    _check_row_count(len(rows), column.name)
    if np.ptp(y) == 0:
        raise InvalidDataError(constant_words(column.name, y[0]))
    question = Question(
        table.name, column.name, "regression", reason, (), None,
        choose_metric(metric, "regression", None, y=y, target=column.name), None, group,
        time_column,
    )  # fmt: skip
    return Asked(question, rows, y, np.array([]), missing, tuple(told))


def _check_names(table: StudyTable, target: str, group: Any, time_column: Any) -> None:
    names = table.columns.columns
    given = {"target": target, "group": group, "time_column": time_column}
    for role, name in given.items():
        if name is None and role != "target":
            continue
        if name not in names:
            close = get_close_matches(str(name), names, n=1, cutoff=0.4)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            listed = ", ".join(map(shortened, names[:12])) + " and more" * (len(names) > 12)
            raise InvalidParameterError(
                f"There is no column {name!r} for {role} in {table.name}; there are: "
                f"{listed}.{hint}"
            )
    used = [name for name in given.values() if name is not None]
    if len(set(used)) < len(used):
        raise InvalidParameterError(
            "target, group and time_column must be different columns, got "
            f"{', '.join(map(repr, used))}."
        )
    if len(names) == len(used):
        raise InvalidDataError(f"{table.name} has no column besides {target!r} to predict it from.")


def _present(
    values: NDArray[Any], column: Column, table: StudyTable
) -> tuple[NDArray[np.intp], int]:
    """Rows with a target, and how many have none."""
    rows = np.flatnonzero(~is_absent(values, column.missing))
    if not len(rows):
        raise InvalidDataError(
            f"Every one of the {len(values)} rows of {table.name} misses the target "
            f"{column.name!r}: there is nothing to learn from."
        )
    return rows, len(values) - len(rows)


def is_absent(values: NDArray[Any], words: str) -> Mask:
    """Which values are missing, or spelt as if they were (see `Column.missing`)."""
    from stylobate.data.coding import code_column

    if values.dtype.kind == "M":
        return np.asarray(np.isnat(values))
    coded = code_column(values)
    gone = np.array([bool(is_missing(v, words)) for v in coded.values.tolist()])
    return np.asarray(gone[coded.codes])


def _check_row_count(n_rows: int, target: str) -> None:
    if n_rows < LEAST_ROWS:
        raise InvalidDataError(
            f"{n_rows} rows with a target {target!r} are too few to learn from, to choose a model "
            f"and to check it: a study needs {LEAST_ROWS} or more."
        )


def _refuse_costs_of_many(cost: Any, positive: Any, two: bool, target: str) -> None:
    if two or (cost is None and positive is None):
        return
    name = "cost" if cost is not None else "positive"
    raise InvalidParameterError(
        f"{name} is for targets of two classes, and {target!r} has more; leave it out."
    )


def _costs(cost: tuple[float, float] | None) -> Costs | None:
    """Costs with the probability from which acting is cheaper."""
    if cost is None:
        return None
    try:
        false_positive, false_negative = (float(each) for each in cost)
        good = min(false_positive, false_negative) >= 0 < false_positive + false_negative
        good = good and np.isfinite(false_positive + false_negative)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise InvalidParameterError(
            f"cost={cost!r} must be what a false alarm and what a miss costs, two numbers of which "
            "none is negative, such as (1, 5)."
        )
    return Costs(false_positive, false_negative, false_positive / (false_positive + false_negative))
