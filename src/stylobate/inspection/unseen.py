"""Values of a row that a fitted table encoder never saw, and what it takes them for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stylobate.data.kinds.spellings import is_missing


def unseen_values(estimator: Any, values: Mapping[str, Any]) -> tuple[str, ...]:
    """A sentence for each category of a row that was not there when the model was fitted.

    Parameters
    ----------
    estimator : fitted estimator
        Whose first step is a `TableEncoder`; nothing is said of others.
    values : mapping of str to object
        What the row holds, by column.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> from stylobate.preprocessing import TableEncoder
    >>> table = {"sex": ["male", "female", "male"], "age": [22.0, 38.0, 26.0]}
    >>> import pandas
    >>> encoder = TableEncoder().fit(pandas.DataFrame(table))
    >>> unseen_values(encoder, {"sex": "femal", "age": 30.0})
    ("sex: 'femal' was never seen, taken as male.",)
    """
    first = estimator
    while getattr(first, "steps", None):
        first = first.steps[0][1]
    said = []
    for part, _ in getattr(first, "_parts", ()):
        value = values.get(part.column.name)
        if is_missing(value, part.column.missing):
            continue
        taken = taken_for(part, value)
        if taken is not None:
            said.append(f"{part.column.name}: {str(value)!r} was never seen, taken as {taken}.")
    return tuple(said)


def taken_for(part: Any, value: Any) -> str | None:
    """What an encoder's part takes a value for that it does not know; None of those it does."""
    known = getattr(part, "steps", None)
    known = getattr(part, "known", None) if known is None else known
    plain = value.strip() if isinstance(value, str) else value
    if known is None or plain in known.tolist():
        return None
    if hasattr(part, "fill"):
        middle = float(part.fill)
        if np.isnan(middle) or part.mark:
            return "missing"
        return str(part.typical) if middle.is_integer() else "the middle of those known"
    last = float(part.place[-1])
    if np.isnan(last):
        return "missing"
    return "none of those known" if last < 0 else "one of the rare ones"
