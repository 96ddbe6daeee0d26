"""Pairs of columns that make up the target exactly, as its sum or difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from stylobate.arrays import Array
from stylobate.exploration.association.columns import AnyColumn, NumberColumn

_FEWEST = 20  # rows that have all three
_TRIED = 64  # rows that a pair must pass before all are looked at
_MOST_COLUMNS = 1000
_ROUNDING = 1e-9


def exact_sums(columns: Mapping[str, AnyColumn], target: NumberColumn) -> dict[str, str]:
    """Columns of a pair whose sum or difference is the target in every row, each with a reason.

    >>> from stylobate.exploration.association import number_column
    >>> a, b = np.arange(30.0), np.arange(30.0) ** 2
    >>> parts = {"a": number_column("a", a), "b": number_column("b", b)}
    >>> exact_sums(parts, number_column("y", a + b))
    {'a': "'a' + 'b' is y in every row", 'b': "'a' + 'b' is y in every row"}
    """
    amounts = {
        name: column.values
        for name, column in columns.items()
        if isinstance(column, NumberColumn) and column.kind == "numeric" and _varies(column.values)
    }
    found: dict[str, str] = {}
    if target.kind != "numeric" or not 2 <= len(amounts) <= _MOST_COLUMNS:
        return found
    for a, b, sign in _candidates(amounts, target.values):
        if a in found or b in found:
            continue
        if _equal(amounts[a] + (amounts[b] if sign == "+" else -amounts[b]), target.values):
            found[a] = found[b] = f"{a!r} {sign} {b!r} is {target.name} in every row"
    return found


def _candidates(amounts: Mapping[str, Array], target: Array) -> Iterator[tuple[str, str, str]]:
    """Pairs that hold on some rows spread over the table."""
    present = np.flatnonzero(np.isfinite(target))
    if len(present) < _FEWEST:
        return
    rows = present[np.linspace(0, len(present) - 1, min(_TRIED, len(present))).astype(int)]
    names, y = list(amounts), target[rows]
    table = np.array([amounts[name][rows] for name in names])
    with np.errstate(invalid="ignore", over="ignore"):
        near = _ROUNDING * (np.abs(table) + np.abs(y))
        for i, name in enumerate(names):
            for sign, rest in (("+", y - table[i]), ("−", table[i] - y)):
                fits = ~(np.abs(table - rest) > near + near[i])  # a missing value is no objection
                for j in np.flatnonzero(fits.all(axis=1)).tolist():
                    if j != i:
                        yield name, names[j], sign


def _varies(values: Array) -> bool:
    known = values[np.isfinite(values)]
    return len(known) >= _FEWEST and bool(known.min() < known.max())


def _equal(made: Array, target: Array) -> bool:
    known = np.isfinite(made) & np.isfinite(target)
    if int(known.sum()) < max(_FEWEST, len(known) // 2):
        return False
    size = float(np.abs(target[known]).max())
    return bool((np.abs(made[known] - target[known]) <= _ROUNDING * size).all())
