"""Predictions batch by batch: good rows answered, bad rows told apart with the reason."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.cli.prediction_columns import Columns, Wanted, as_wanted, chosen
from stylobate.cli.prediction_unseen import Unseen, unseen_of
from stylobate.exceptions import StylobateError

if TYPE_CHECKING:
    from stylobate.data.reading import Relation

ROWS_AT_ONCE = 16_384
SHOWN = 20  # bad rows told of one by one


@dataclass(slots=True)
class Tally:
    """How many rows came, what was wrong with the first bad ones, what was new in good ones."""

    rows: int = 0
    batches: int = 0
    left_out: int = 0
    reasons: dict[int, str] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)  # where bad rows stand in a text file
    unseen: list[Unseen] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # on reading the source

    def leave_out(self, start: int, wrong: dict[int, str]) -> None:
        """Count the bad rows of a batch that begins at a row of the source."""
        self.left_out += len(wrong)
        for row, reason in sorted(wrong.items()):
            if len(self.reasons) < SHOWN:
                self.reasons[start + row] = reason


def answered(
    model: Any, relation: Relation, wanted: Wanted, keep: list[str], *, proba: bool, tally: Tally
) -> Iterator[dict[str, NDArray[Any]]]:
    """Columns of answers for the good rows of each batch; `tally` counts along."""
    names = chosen(wanted, relation.columns, relation.name)
    tally.unseen = unseen_of(model, names)
    for columns in relation.batches(ROWS_AT_ONCE, library="numpy"):
        start, count = tally.rows, len(next(iter(columns.values())))
        tally.rows += count
        tally.batches += 1
        taken, wrong = as_wanted(columns, names, wanted)
        good = np.array([row for row in range(count) if row not in wrong], dtype=np.intp)
        parts, refused = _asked(model, taken, wanted, good, proba)
        tally.leave_out(start, wrong | refused)
        if parts:
            kept = np.concatenate([rows for rows, _ in parts])
            for each in tally.unseen:
                each.look(taken[each.column][kept])
            yield {
                "row": start + kept + 1,
                **{name: columns[name][kept] for name in keep},
                **_joined([answers for _, answers in parts]),
            }


Part = tuple[NDArray[np.intp], dict[str, NDArray[Any]]]


def _asked(
    model: Any, columns: Columns, wanted: Wanted, rows: NDArray[np.intp], proba: bool
) -> tuple[list[Part], dict[int, str]]:
    """Answers for some rows; those the model refuses are found by halving."""
    if not len(rows):
        return [], {}
    table = as_table({name: values[rows] for name, values in columns.items()}, wanted)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [(rows, _answers(model, table, proba))], {}
    except (StylobateError, ValueError, TypeError) as error:
        if len(rows) == 1:
            return [], {int(rows[0]): " ".join(str(error).split())[:300]}
    middle = len(rows) // 2
    left, wrong = _asked(model, columns, wanted, rows[:middle], proba)
    right, also = _asked(model, columns, wanted, rows[middle:], proba)
    return left + right, wrong | also


def _answers(model: Any, table: Any, proba: bool) -> dict[str, NDArray[Any]]:
    predicted = np.asarray(model.predict(table))
    if predicted.ndim == 2:
        found = {f"prediction_{t}": predicted[:, t] for t in range(predicted.shape[1])}
    else:
        found = {"prediction": predicted}
    if proba:
        chances = np.asarray(model.predict_proba(table))
        labels = model.classes_.tolist()
        found |= {f"probability_{label}": chances[:, k] for k, label in enumerate(labels)}
    return found


def as_table(columns: Columns, wanted: Wanted) -> Any:
    """The rows in a container with names, if the model knows names and one is installed."""
    if not wanted.named:
        return np.column_stack(list(columns.values()))
    if find_spec("pandas"):
        import pandas

        return pandas.DataFrame(columns)
    if find_spec("polars"):
        import polars

        return polars.DataFrame({name: values.tolist() for name, values in columns.items()})
    table = np.empty((len(next(iter(columns.values()))), len(columns)), dtype=object)
    for j, values in enumerate(columns.values()):
        table[:, j] = values
    return table


def _joined(parts: list[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
