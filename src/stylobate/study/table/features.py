"""Which columns take part as features, and why the others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from stylobate.data.kinds import Column
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.study.question.question import Asked
from stylobate.study.results import StudyWarning
from stylobate.study.table.checks import copies_of_target
from stylobate.study.table.table import StudyTable

_NO_FEATURES = ("constant", "identifier")
_NEARLY_UNIQUE = 0.9  # different values per row, as exploring says it
_FEW_ROWS = 20
_SENTENCE = 5  # words on average, from which on a text says more than a name
_LOOKED_AT = 1000  # rows


def choose_features(
    table: StudyTable,
    asked: Asked,
    training: NDArray[np.intp],
    drop: Sequence[str],
    keep: Sequence[str],
) -> tuple[tuple[str, ...], dict[str, str], list[StudyWarning]]:
    """The features, the other columns with reasons, and warnings about copies of the target.

    Whether a column is a copy is seen from the rows at the positions `training` alone.
    """
    names = table.columns.columns
    for option, given in (("drop", drop), ("keep", keep)):
        for name in given:
            if name not in names:
                close = get_close_matches(str(name), names, n=1, cutoff=0.4)
                hint = f" Did you mean {close[0]!r}?" if close else ""
                raise InvalidParameterError(
                    f"{option}: there is no column {name!r} in {table.name}.{hint}"
                )
    question = asked.question
    # the time that rows are ordered by is known when predictions are made, and has its seasons
    special = {question.target, question.group}
    left_out = {}
    for column in table.schema:
        if column.name in drop:
            left_out[column.name] = "left out as asked for"
        elif column.name not in special:
            why = _no_feature(table, column, kept=column.name in keep)
            left_out |= {} if why is None else {column.name: why}
    left = [name for name in names if name not in special and name not in left_out]
    able = [name for name in left if name not in keep]
    copies = copies_of_target(table.columns, able, asked, training)
    warnings = [_warning(name, reason) for name, reason in copies.items()]
    left_out |= copies
    features = tuple(name for name in left if name not in copies)
    if not features:
        listed = "; ".join(f"{name} ({reason})" for name, reason in list(left_out.items())[:6])
        raise InvalidDataError(
            f"No column is left to predict {question.target!r} from. Left out: {listed}."
        )
    return features, left_out, warnings


def with_marks(table: StudyTable) -> StudyTable:
    """The table with columns of one value or none, such as boxes to tick, as two categories."""
    columns = tuple(
        replace(each, kind="nominal", reason="one value or none: being there may tell")
        if each.kind == "constant" and each.n_distinct == 1 and _divides(each, table.n_rows)
        else each
        for each in table.schema
    )
    return replace(table, schema=replace(table.schema, columns=columns))


def _divides(column: Column, n_rows: int) -> bool:
    """Whether enough rows have a value, and enough have none."""
    known = n_rows - column.n_missing
    return min(known, column.n_missing) >= _FEW_ROWS


def _no_feature(table: StudyTable, column: Column, *, kept: bool) -> str | None:
    """Why a column says nothing about rows to come; None if it may."""
    if column.n_missing == table.n_rows:
        return "empty: no row has a value"
    if column.kind in _NO_FEATURES:
        return f"{column.kind}: {column.reason}"
    present = column.n_rows - column.n_missing
    if kept or column.reason == "as given" or present < _FEW_ROWS:
        return None
    if column.n_distinct >= _NEARLY_UNIQUE * present and column.kind in ("nominal", "text"):
        values = table.columns[column.name]
        words = np.mean([len(str(value).split()) for value in values[:_LOOKED_AT].tolist()])
        if words < _SENTENCE:
            return (
                f"names the rows: {column.n_distinct} different values in {present} rows, of few "
                "words"
            )
    return None


def _warning(name: str, reason: str) -> StudyWarning:
    return StudyWarning(
        "leakage",
        f"{name} is left out: {reason}. A model would only repeat it. If it really is known before "
        f"the target is, keep it (--keep {name!r}).",
        name,
        True,
    )
