"""The refusal of a target that is no column."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from stylobate.exceptions import InvalidParameterError

_SHOWN = 12


def check_target_name(target: str, names: Sequence[str], owner: str) -> None:
    """Refuse a target that is not among the columns, and name the nearest one.

    >>> check_target_name("incme", ["age", "income"], "explore")
    Traceback (most recent call last):
    ...
    stylobate.exceptions.InvalidParameterError: explore: there is no column 'incme' to be the \
target; there are 'age', 'income'. Did you mean 'income'?
    """
    if target in names:
        return
    close = get_close_matches(str(target), names, n=1, cutoff=0.4)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    listed = ", ".join(map(repr, names[:_SHOWN]))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    raise InvalidParameterError(
        f"{owner}: there is no column {target!r} to be the target; there are {listed}{more}.{hint}"
    )
