"""Opening a hold-out: which rows are private, and whether a log is of the same rows and rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stylobate.exceptions import BudgetSpentError, InvalidDataError, InvalidParameterError
from stylobate.model_selection.holdout.logbook import Entry
from stylobate.model_selection.holdout.questions import Question, decoded


def parts_of(n: int, private: float, seed: int) -> tuple[Any, Any]:
    """Rows for questions and rows for the final score; the same without private ones."""
    every = np.arange(n)
    if private == 0.0:
        return every, every
    kept = round(private * n)
    if not 0 < kept < n:
        raise InvalidParameterError(
            f"Holdout: private={private:g} of {n} rows leaves {n - kept} for questions and {kept} "
            "for the final score; both need one at least."
        )
    order = np.random.default_rng([seed, 0]).permutation(n)
    return np.sort(order[kept:]), np.sort(order[:kept])


def refuse_other(
    header: Entry, about: Mapping[str, Any], data: str, random_state: Any, path: str
) -> None:
    """Refuse a log of other rows or of other rules."""
    if header["data"] != data:
        raise InvalidDataError(
            f"Holdout: {path!r} counts the questions to other rows (the fingerprint of X and y "
            "differs). Pass the rows it was begun with, or another path."
        )
    for name, value in about.items():
        if header.get(name) != value:
            raise InvalidParameterError(
                f"Holdout: {path!r} was begun with {name}={header.get(name)!r}, and is opened with "
                f"{name}={value!r}; the rules of a hold-out do not change once it is asked."
            )
    if isinstance(random_state, int | np.integer) and int(random_state) != header["seed"]:
        raise InvalidParameterError(
            f"Holdout: {path!r} was begun with random_state={header['seed']}, and is opened with "
            f"{int(random_state)}; pass the same, or None."
        )


def read_question(entry: Entry, path: str) -> tuple[Question, Any]:
    try:
        return decoded(entry)
    except (TypeError, ValueError, KeyError) as error:
        raise InvalidDataError(
            f"Holdout: {path!r} has an entry that is no question ({error}); restore the file."
        ) from error


def refuse_closed(log: Sequence[Question]) -> None:
    """Refuse to answer after the final score."""
    if log and log[-1].final:
        raise BudgetSpentError(
            f"Holdout: the final score was given to {log[-1].name!r} at {log[-1].time}, and there "
            "is only one. Set new rows aside for other models."
        )
