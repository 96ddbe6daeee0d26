"""How much ratios, differences and products of two columns say of a target beyond the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices

OPERATIONS = ("ratio", "difference", "product")
_ROWS = 20_000  # that candidates are scored on, evenly spaced
_CLASSES = 20  # numbers of more different values are amounts
_NEARLY_ALL = 0.9  # of what two columns say, for a difference to be said in their place
_LOOKED_AT = 200  # good candidates asked whether they add to those taken
_DEPENDENT = 1e-10  # of a candidate's variance: it is a line in its columns


@dataclass(frozen=True)
class ScoredPairs:
    """Candidates and what they add: share of the target's variance, and p-value."""

    operations: list[str]
    pairs: Indices
    floors: Array
    gains: Array
    p_values: Array

    def chosen(self, x: Array, target: NDArray[Any], alpha: float, most: int) -> list[int]:
        """The candidates to take: the largest gain first, each beyond those before it."""
        tests = max(len(self.gains), 1)
        good = np.flatnonzero(self.p_values * tests < alpha)
        rows = _some(len(x))
        x, y = x[rows], indicators(target[rows])
        y = y - y.mean(axis=0)
        taken: list[int] = []
        columns: list[Array] = []
        for k in good[np.argsort(-self.gains[good], kind="stable")][:_LOOKED_AT]:
            if len(taken) >= most:
                break
            i, j = self.pairs[k]
            made = _standardised(
                combined(self.operations[k], x[:, i], x[:, j], float(self.floors[k]))
            )
            parents = [] if self.operations[k] == "difference" else [i, j]
            known = [*(_standardised(x[:, each]) for each in parents), *columns]
            if columns and not _adds(made, known, y) * tests < alpha:
                continue
            taken.append(int(k))
            columns.append(made)
        return taken


def _adds(column: Array, known: list[Array], y: Array) -> float:
    """The p-value of a column beside known ones."""
    basis, triangle = np.linalg.qr(np.column_stack(known))
    basis = basis[:, np.abs(np.diag(triangle)) > np.sqrt(_DEPENDENT)]
    rest = column - basis @ (basis.T @ column)
    size = float(rest @ rest)
    if size < _DEPENDENT:
        return 1.0
    left = y - basis @ (basis.T @ y)
    gain = float(((rest @ left) ** 2).sum() / size)
    n, q = y.shape
    return _p_value(gain, float((left**2).sum()) - gain, q, n - basis.shape[1] - 2)


def combined(operation: str, a: Any, b: Any, floor: float) -> Any:
    """Two columns in one; denominators no nearer to zero than ``floor``, and of its sign."""
    if operation == "difference":
        return a - b
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if operation == "product":
            return a * b
        held = np.maximum(b, floor) if floor > 0 else np.minimum(b, floor)
        return a / held.astype(b.dtype, copy=False)


def scored_pairs(
    x: Array, target: NDArray[Any], operations: Sequence[str], max_columns: int
) -> ScoredPairs:
    """Score the combinations of all pairs of columns (of the best ones, if there are many)."""
    rows = _some(len(x))
    x, y = x[rows], indicators(target[rows])
    y = y - y.mean(axis=0)
    total = float((y**2).sum())
    usable = np.flatnonzero(np.ptp(x, axis=0) > 0) if len(x) else np.arange(0)
    if total <= 0 or len(x) < 6:
        usable = usable[:0]
    alone = np.array([float(((_standardised(x[:, j]) @ y) ** 2).sum()) for j in usable])
    kept = np.sort(usable[np.argsort(-alone, kind="stable")[:max_columns]])
    found = [each for i, j in _pairs(kept) for each in _scored(x, y, total, i, j, operations)]
    return ScoredPairs(
        [each[0] for each in found],
        np.array([each[1] for each in found], dtype=np.intp).reshape(-1, 2),
        np.array([each[2] for each in found], dtype=np.float64),
        np.array([each[3] for each in found], dtype=np.float64),
        np.array([each[4] for each in found], dtype=np.float64),
    )


def indicators(target: NDArray[Any]) -> Array:
    """Numbers as columns; classes as one column each.

    >>> indicators(np.array(["a", "b", "a"])).tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    if target.ndim == 1 and (target.dtype.kind not in "f" or _whole(target)):
        classes, numbers = np.unique(target, return_inverse=True)
        if target.dtype.kind not in "iuf" or len(classes) <= _CLASSES:
            return np.eye(len(classes))[numbers.reshape(-1)]
    return np.asarray(target, dtype=np.float64).reshape(len(target), -1)


def _whole(target: NDArray[Any]) -> bool:
    return bool((target == np.floor(target)).all())


def _pairs(columns: Indices) -> Iterator[tuple[int, int]]:
    for place, i in enumerate(columns):
        for j in columns[place + 1 :]:
            yield int(i), int(j)


Scored = tuple[str, tuple[int, int], float, float, float]


def _scored(
    x: Array, y: Array, total: float, i: int, j: int, operations: Sequence[str]
) -> Iterator[Scored]:
    """The candidates of a pair with gain and p-value."""
    a, b = _standardised(x[:, i]), _standardised(x[:, j])
    rest = b - (a @ b) * a
    length = float(np.linalg.norm(rest))
    if length**2 < _DEPENDENT:
        return
    basis = np.column_stack([a, rest / length])
    left = y - basis @ (basis.T @ y)
    n, q = y.shape
    for operation, pair, floor in _candidates(x, i, j, operations):
        made = combined(operation, x[:, pair[0]], x[:, pair[1]], floor)
        if not np.isfinite(made).all() or not np.ptp(made) > 0:
            continue
        column = _standardised(made)
        if operation == "difference":
            both = total - float((left**2).sum())
            better = max(float(((each @ y) ** 2).sum()) for each in (a, b))
            own = float(((column @ y) ** 2).sum())
            gain = own - better if own - better >= _NEARLY_ALL * (both - better) else 0.0
            p = _p_value(both - better, total - both, q, n - 3)
        else:
            column = column - basis @ (basis.T @ column)
            size = float(column @ column)
            gain = float(((column @ left) ** 2).sum() / size) if size > _DEPENDENT else 0.0
            p = _p_value(gain, float((left**2).sum()) - gain, q, n - 4)
        yield operation, pair, floor, gain / total, p if gain > 0 else 1.0


def _candidates(
    x: Array, i: int, j: int, operations: Sequence[str]
) -> Iterator[tuple[str, tuple[int, int], float]]:
    for operation in operations:
        if operation != "ratio":
            yield operation, (i, j), 0.0
            continue
        for above, below in ((i, j), (j, i)):
            values = x[:, below]
            if (values > 0).all() or (values < 0).all():
                yield operation, (above, below), float(values[np.argmin(np.abs(values))])


def _p_value(gain: float, rest: float, q: int, df: int) -> float:
    from scipy.special import fdtrc

    if gain <= 0 or df < 1:
        return 1.0
    if rest <= 0:
        return 0.0
    return float(fdtrc(q, q * df, (gain / q) / (rest / (q * df))))


def _standardised(column: Array) -> Array:
    """Centred, of length one; zeros where it does not vary."""
    size = float(np.abs(column).max(initial=0.0)) or 1.0
    centred = column / size - np.mean(column / size)
    length = float(np.linalg.norm(centred))
    return np.asarray(centred / length if length > 0 else centred)


def _some(n: int) -> Indices:
    return np.arange(n) if n <= _ROWS else np.linspace(0, n - 1, _ROWS).astype(np.intp)
