"""Two or three columns that make up the target exactly: as a sum, a difference or a product."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

import numpy as np

from stylobate.arrays import Array
from stylobate.exploration.association.columns import AnyColumn, NumberColumn

_FEWEST = 20  # rows that have all of them
_TRIED = 64  # rows that columns must pass before all are looked at
_FIRST = 8  # rows that three columns must pass before those
_MOST_COLUMNS = 1000
_MOST_OF_THREE = 80  # columns among which three are searched
_ROUNDING = 1e-9
_DECIMALS = 6  # a target written with fewer may be rounded
_FINE = 100.0  # deviations of the target in a rounding error, for a product to be no chance

Terms = tuple[tuple[str, int], ...]  # columns with their signs


def exact_sums(columns: Mapping[str, AnyColumn], target: NumberColumn) -> dict[str, str]:
    """Columns whose sum, difference, product or ratio is the target in every row, with a reason.

    >>> from stylobate.exploration.association import number_column
    >>> a, b = np.arange(1.0, 31.0), np.arange(30.0) ** 2 + 1
    >>> parts = {"a": number_column("a", a), "b": number_column("b", b)}
    >>> exact_sums(parts, number_column("y", a + b))
    {'a': "'a' + 'b' is y in every row", 'b': "'a' + 'b' is y in every row"}
    >>> exact_sums(parts, number_column("y", b / a))["a"]
    "'b' / 'a' is y in every row"
    """
    amounts = {
        name: column.values
        for name, column in columns.items()
        if isinstance(column, NumberColumn) and column.kind == "numeric" and _varies(column.values)
    }
    if target.kind != "numeric" or not 2 <= len(amounts) <= _MOST_COLUMNS:
        return {}
    y = target.values
    found: dict[str, str] = {}
    for terms in _candidates(amounts, y, np.broadcast_to(_ROUNDING, y.shape)):
        if not found.keys() & dict(terms).keys() and _is_sum(amounts, terms, y):
            found |= _told(terms, "+", "−", target.name)
    positive = {name: values for name, values in amounts.items() if np.nanmin(values) > 0}
    if len(positive) < 2 or not np.nanmin(y) > 0:
        return found
    near = _rounded_by(y)
    logs = {name: np.log(values) for name, values in positive.items()}
    for terms in _candidates(logs, np.log(y), np.log1p(near / y) + _ROUNDING):
        if not found.keys() & dict(terms).keys() and _is_product(positive, terms, y, near):
            found |= _told(terms, "·", "/", target.name)
    return found


def _told(terms: Terms, plus: str, minus: str, target: str) -> dict[str, str]:
    """The same sentence for every column, with a term that adds first."""
    (first, sign), *others = sorted(terms, key=lambda each: -each[1])
    words = repr(first)
    if sign < 0:
        words = f"−{words}" if plus == "+" else f"1 / {words}"
    for name, sign in others:
        words += f" {plus if sign > 0 else minus} {name!r}"
    return {name: f"{words} is {target} in every row" for name, _ in terms}


def _candidates(amounts: Mapping[str, Array], target: Array, slack: Array) -> Iterator[Terms]:
    """Pairs, then threes, whose signed sum holds on some rows spread over the table."""
    present = np.flatnonzero(np.isfinite(target))
    if len(present) < _FEWEST:
        return
    rows = present[np.linspace(0, len(present) - 1, min(_TRIED, len(present))).astype(int)]
    names, y = list(amounts), target[rows]
    table = np.array([amounts[name][rows] for name in names])
    with np.errstate(invalid="ignore", over="ignore"):
        some = _Rows(names, table, y, slack[rows] * (np.abs(table) + np.abs(y) + 1.0))
        for i in range(len(names)):
            for sign in (1, -1):
                yield from some.completed(((i, sign),))
        if len(names) > _MOST_OF_THREE:
            return
        for i, j in combinations(range(len(names)), 2):
            for one, other in product((1, -1), repeat=2):
                yield from some.completed(((i, one), (j, other)))


class _Rows:
    """Some rows of the columns and the target, and how near each value is known."""

    def __init__(self, names: list[str], table: Array, y: Array, near: Array) -> None:
        self.names, self.table, self.y, self.near = names, table, y, near

    def completed(self, terms: tuple[tuple[int, int], ...]) -> Iterator[Terms]:
        """Terms with one more column, after theirs, that makes them the target."""
        few = slice(None) if len(terms) == 1 else slice(0, _FIRST)
        start = terms[-1][0] + 1
        rest, slack = self.y[few].copy(), self.near[start:, few].copy()
        for k, sign in terms:
            rest -= sign * self.table[k, few]
            slack += self.near[k, few]
        later = self.table[start:, few]
        for sign in (1, -1):
            fits = ~(np.abs(later - sign * rest) > slack)  # a missing value is no objection
            for j in np.flatnonzero(fits.all(axis=1)).tolist():
                whole = (*terms, (start + j, sign))
                if self.holds(whole):
                    yield tuple((self.names[k], each) for k, each in whole)

    def holds(self, terms: tuple[tuple[int, int], ...]) -> bool:
        """Whether the terms make up the target on all of these rows."""
        made = np.sum([sign * self.table[k] for k, sign in terms], axis=0)
        near = np.sum([self.near[k] for k, _ in terms], axis=0)
        return not (np.abs(made - self.y) > near).any()


def _varies(values: Array) -> bool:
    known = values[np.isfinite(values)]
    return len(known) >= _FEWEST and bool(known.min() < known.max())


def _is_sum(amounts: Mapping[str, Array], terms: Terms, target: Array) -> bool:
    made = np.sum([sign * amounts[name] for name, sign in terms], axis=0)
    return _equal(made, target, 0.0)


def _is_product(amounts: Mapping[str, Array], terms: Terms, target: Array, near: float) -> bool:
    made = np.prod([amounts[name] ** float(sign) for name, sign in terms], axis=0)
    return _equal(made, target, near)


def _rounded_by(target: Array) -> float:
    """Half of the last decimal that is written, where that is small beside the differences."""
    known = target[np.isfinite(target)]
    for decimals in range(_DECIMALS):
        if np.allclose(known, np.round(known, decimals), rtol=0, atol=1e-12 * np.abs(known).max()):
            half: float = 0.500001 * 10.0**-decimals
            return half if half * _FINE < float(known.std()) else 0.0
    return 0.0


def _equal(made: Array, target: Array, near: float) -> bool:
    known = np.isfinite(made) & np.isfinite(target)
    if int(known.sum()) < max(_FEWEST, len(known) // 2):
        return False
    near += _ROUNDING * float(np.abs(target[known]).max())
    return bool((np.abs(made[known] - target[known]) <= near).all())
