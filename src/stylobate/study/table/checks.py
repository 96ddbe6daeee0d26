"""What makes a score too good to be true, or not good enough: leaks, separation, baselines."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.coding import code_column
from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds.spellings import is_missing
from stylobate.data.reading.ragged import tells_of_ragged
from stylobate.study.output.sentences import ended
from stylobate.study.question.question import Asked
from stylobate.study.results import StudyWarning
from stylobate.study.table.table import StudyTable, fingerprint_of_column

_COPY = 0.9999  # correlation of a column that is the target in other units
_MOST_NUMBERS = 5_000_000  # of the design that is searched for a separating direction
_FEWEST = 20
_LASTING = re.compile(
    r"(?i)(^|[\W_])(time|duration|tenure|survival|lifetime|days|weeks|months|years|futime|followup)"
    r"($|[\W_])|survival|time.?to|until"
)
_EVENT = re.compile(
    r"(?i)(^|[\W_])(event|status|censor\w*|death|dead|died|deceased|relapse\w*|churn\w*|failure|"
    r"failed|observed|fustat)($|[\W_])"
)
_MANY = 0.5  # share of separated rows that is worth a warning


def ragged_warnings(notes: Sequence[str]) -> list[StudyWarning]:
    """A warning of lines of a file that do not have the header's number of cells.

    Parameters
    ----------
    notes : sequence of str
        What reading the table had to say.
    """
    advice = "A delimiter too many or too few shifts the cells after it: look at these lines"
    return [StudyWarning("data", f"{note}. {advice}.") for note in notes if tells_of_ragged(note)]


def copies_of_target(
    table: ColumnTable, names: Sequence[str], asked: Asked, training: NDArray[np.intp]
) -> dict[str, str]:
    """Columns that are the target under another name in the training rows, with the reason.

    A class: each of its values means one class and each class has one value. A number: its
    correlation with the target is ±1 up to rounding.
    """
    found = {}
    rows, y = asked.rows[training], asked.y[training]
    for name in names:
        values = table[name][rows]
        if asked.question.task == "regression":
            reason = _in_other_units(values, y)
        else:
            reason = _renamed(values, y, asked.labels)
        if reason is not None:
            found[name] = reason
    return found


def _renamed(values: NDArray[Any], codes: NDArray[Any], labels: NDArray[Any]) -> str | None:
    coded = code_column(values)
    if not len(labels) <= len(coded.values) <= len(labels) + 1:  # one more: missing ones
        return None
    present = ~np.array([bool(is_missing(v)) for v in coded.values.tolist()])
    known = present[coded.codes]
    if known.sum() < _FEWEST:
        return None
    pairs = np.unique(np.column_stack([coded.codes[known], codes[known]]), axis=0)
    if not (len(pairs) == len(np.unique(pairs[:, 0])) == len(np.unique(pairs[:, 1]))):
        return None
    if len(pairs) < len(labels):
        return None
    return "it is the target under another name: each of its values means one class"


def _in_other_units(values: NDArray[Any], y: NDArray[Any]) -> str | None:
    if values.dtype.kind not in "iuf":
        return None
    numbers = values.astype(np.float64)
    known = np.isfinite(numbers)
    if known.sum() < _FEWEST or np.ptp(numbers[known]) == 0 or np.ptp(y[known]) == 0:
        return None
    r = float(np.corrcoef(numbers[known], y[known])[0, 1])
    if abs(r) < _COPY:
        return None
    return f"it is the target in other units (correlation {r:.6g})"


def censoring_warning(table: StudyTable, asked: Asked) -> StudyWarning | None:
    """A word about times until something happens, cut off where it had not happened yet."""
    target = asked.question.target
    if asked.question.task != "regression" or not _LASTING.search(target):
        return None
    events = [
        column.name
        for column in table.schema
        if column.kind == "binary" and column.name != target and _EVENT.search(column.name)
    ]
    if not events:
        return None
    return StudyWarning(
        "censoring",
        f"{target} looks like a time until something happens, and {events[0]} like whether it has: "
        "where it has not, the time is cut off, and only known to be longer. No model of a study "
        f"knows that, and all estimate too short times; study the rows where {events[0]} says it "
        "has happened, or use a survival model.",
        events[0],
        True,
    )


def repetition_warnings(table: ColumnTable) -> list[StudyWarning]:
    """Columns that hold the same as another one in every row."""
    first: dict[str, str] = {}
    found = []
    for name in table.columns:
        twin = first.setdefault(fingerprint_of_column(table[name]), name)
        if twin != name:
            text = (
                f"{name} holds the same as {twin} in every row, so a model shares out between them "
                f"what one of them says; leave one out (--drop {name!r})."
            )
            found.append(StudyWarning("repetition", text, name))
    return found


def separation_warning(x: Any, y: NDArray[Any], names: Sequence[str]) -> StudyWarning | None:
    """Whether a linear function tells the classes apart without a mistake, with the proof's words.

    Logistic regression without a penalty has no finite answer then, and says so.
    """
    if x.size > _MOST_NUMBERS or x.shape[0] <= x.shape[1]:
        return None
    from stylobate.exceptions import StylobateError
    from stylobate.linear_model import LogisticRegression

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = LogisticRegression(C=np.inf, max_iter=200).fit(x, y)
        except StylobateError:
            return None
    found: Any = getattr(model, "separation_", None)
    if found is None or np.mean(found.rows) < _MANY:
        return None
    strongest = np.argsort(-np.abs(np.asarray(found.coef)).max(axis=0))[:3]
    listed = ", ".join(str(names[j]) for j in strongest)
    how = "all" if found.kind == "complete" else "some"
    return StudyWarning(
        "separability",
        f"A linear function of the columns (mostly {listed}) tells {how} of the training rows' "
        "classes apart without a mistake. If that is no surprise, fine; if it is, look for a leak. "
        "Coefficients of logistic regression exist only with a penalty here.",
    )


def suspect_warnings(target: Any, used: Sequence[str]) -> list[StudyWarning]:
    """What exploring found suspicious about columns that take part."""
    suspects = [] if target is None else target.suspects
    return [
        StudyWarning(
            each.topic,
            f"{each.column}: {ended(each.reason)} If it is not known when predictions are made, "
            f"leave it out (--drop {each.column!r}).",
            each.column,
            each.topic == "leakage",
        )
        for each in suspects
        if each.column in used and each.topic == "leakage"
    ]


def sentinel_warnings(profile: Any, target: str, names: Sequence[str]) -> list[StudyWarning]:
    """What exploring found of numbers that look like codes for missing, of columns that count.

    Of the target it is severe: what is predicted is then mostly whether it is missing.
    """
    advice = [] if profile is None else [a for a in profile.warnings if a.topic == "sentinel"]
    return [
        StudyWarning(
            "sentinel",
            each.text,
            each.columns[0] if len(each.columns) == 1 else None,
            target in each.columns,
        )
        for each in advice
        if {target, *names} & set(each.columns)
    ]
