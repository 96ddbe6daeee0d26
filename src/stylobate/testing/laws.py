"""The laws of statistics: parts merge to the whole in any order, subtracting undoes merging."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table

Arrays = Mapping[str, NDArray[Any]]
Finish = Callable[[Any], Arrays]

TOLERANCE = 1e-10


class LawError(AssertionError):
    """A statistic breaks a law; the text says which, and by how much."""


def check_merge_laws(
    statistic: Any,
    tables: Sequence[Table],
    *,
    finish: Finish | None = None,
    tolerance: float = TOLERANCE,
) -> None:
    """Check every law of a mergeable statistic on the parts of a table.

    With s(·) the statistic and ⊕ its merge: s(A ∪ B) = s(A) ⊕ s(B), ⊕ commutes and associates,
    s(∅) is its identity, and, where the statistic is `subtractable`, (s(A) ⊕ s(B)) ⊖ s(B) = s(A).
    What is written out as arrays comes back with the same bits, and no law changes its operands.

    Parameters
    ----------
    statistic : type
        A class as `stylobate.statistics.Statistic` describes it.
    tables : sequence of at least 2 Table
        Parts of one table: same columns, all dense or all sparse, all or none with y and weights.
    finish : callable, optional
        What to compare: a statistic → arrays by name. All of its arrays if not given; a statistic
        that holds something only up to a sign has to say what is determined.
    tolerance : float, default=1e-10
        Largest difference allowed, relative to the largest entry of an array of the whole.

    Raises
    ------
    LawError
        Naming the law that is broken.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.statistics import Moments, TriangularFactor
    >>> X, y = np.random.default_rng(0).normal(size=(2, 30, 3))[0], np.arange(30.0)
    >>> parts = [read_table(X[i : i + 10], y[i : i + 10], owner="example") for i in (0, 10, 20)]
    >>> check_merge_laws(Moments, parts)
    >>> check_merge_laws(TriangularFactor, parts, finish=lambda f: {"gram": f.r.T @ f.r})
    """
    if len(tables) < 2:
        raise ValueError(f"check_merge_laws needs at least 2 tables to merge, got {len(tables)}.")
    finish = finish or (lambda each: each.to_arrays())
    parts = [statistic.of(table) for table in tables]
    before = [_copied(part) for part in parts]
    whole = finish(statistic.of(stacked(tables)))
    merged = reduce(lambda a, b: a.merge(b), parts)

    def same(law: str, found: Any, expected: Arrays = whole) -> None:
        # what is left of a subtraction is known to the digits of what it was taken from
        sizes = {name: _largest(value) for name, value in whole.items()}
        _require_same(f"{statistic.__name__}: {law}", expected, finish(found), tolerance, sizes)

    same("merging the parts does not give the whole", merged)
    same("merge does not commute", reduce(lambda a, b: b.merge(a), parts))
    same("merge does not associate", reduce(lambda a, b: b.merge(a), reversed(parts)))
    nothing = statistic.of(tables[0].take(slice(0, 0)))
    same("merging no rows changes something", merged.merge(nothing), finish(merged))
    same("merging into no rows changes something", nothing.merge(merged), finish(merged))
    if hasattr(statistic, "update"):
        same("update is not merge", reduce(lambda a, t: a.update(t), tables[1:], parts[0]))
    if statistic.subtractable:
        _subtraction_laws(same, finish, merged, parts)
    _round_trip(statistic, merged)
    for part, kept in zip(parts, before, strict=True):
        _require_same(f"{statistic.__name__}: a law changes its operand", kept, part.to_arrays(), 0)


def _subtraction_laws(
    same: Callable[..., None], finish: Finish, merged: Any, parts: Sequence[Any]
) -> None:
    rest = reduce(lambda a, b: a.merge(b), parts[1:])
    same("subtracting does not undo merging", merged.subtract(rest), finish(parts[0]))
    back = merged.subtract(parts[0]).merge(parts[0])
    same("subtracting and merging again changes something", back)


def _round_trip(statistic: Any, value: Any) -> None:
    arrays = value.to_arrays()
    again = statistic.from_arrays(arrays).to_arrays()
    _require_same(f"{statistic.__name__}: from_arrays is not the way back", arrays, again, 0.0)


def _copied(value: Any) -> Arrays:
    return {name: np.array(array) for name, array in value.to_arrays().items()}


def _largest(array: NDArray[Any]) -> float:
    return float(np.max(np.abs(array), initial=0.0))


def _require_same(
    law: str,
    expected: Arrays,
    found: Arrays,
    tolerance: float,
    sizes: Mapping[str, float] | None = None,
) -> None:
    if expected.keys() != found.keys():
        raise LawError(f"{law}: {sorted(expected)} against {sorted(found)}.")
    for name, value in expected.items():
        other = found[name]
        if value.shape != other.shape:
            raise LawError(f"{law}: {name} has shape {value.shape} against {other.shape}.")
        scale = _largest(value) if sizes is None else sizes[name]
        error = _largest(value - other)
        if not error <= tolerance * scale:  # NaN breaks a law, too
            raise LawError(f"{law}: {name} differs by {error:.3g} where values reach {scale:.3g}.")


def stacked(tables: Sequence[Table]) -> Table:
    """One table of all rows, in order.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> stacked([read_table([[1.0]], owner="a"), read_table([[2.0]], owner="a")]).x.tolist()
    [[1.0], [2.0]]
    """
    first = tables[0]
    if first.is_sparse:
        from scipy import sparse

        x = sparse.vstack([table.x for table in tables], format="csr")
    else:
        x = np.vstack([table.x for table in tables])
    y = None if first.y is None else np.vstack([table.y for table in tables])  # type: ignore[misc]
    weights = None
    if any(table.weights is not None for table in tables):
        ones = [np.ones(t.n_rows) if t.weights is None else t.weights for t in tables]
        weights = np.concatenate(ones)
    return replace(first, x=x, y=y, weights=weights)
