"""Which columns take part as features, and why the others do not."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.study.question.question import Asked
from stylobate.study.results import StudyWarning
from stylobate.study.table.checks import copies_of_target
from stylobate.study.table.table import StudyTable

_NO_FEATURES = ("constant", "identifier", "text")


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
    special = {question.target, question.group, question.time_column}
    left_out = {}
    for column in table.schema:
        if column.name in drop:
            left_out[column.name] = "left out as asked for"
        elif column.kind in _NO_FEATURES and column.name not in special:
            empty = column.n_missing == table.n_rows
            left_out[column.name] = (
                "empty: no row has a value" if empty else f"{column.kind}: {column.reason}"
            )
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


def _warning(name: str, reason: str) -> StudyWarning:
    return StudyWarning(
        "leakage",
        f"{name} is left out: {reason}. A model would only repeat it. If it really is known before "
        f"the target is, keep it (--keep {name!r}).",
        name,
        True,
    )
