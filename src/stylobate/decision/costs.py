"""What decisions cost, given the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError

REFUSAL = "refuse"  # the usual name of the decision not to decide


class CostMatrix:
    """The cost of each decision (columns) given each true class (rows).

    Right decisions may cost something too, and a negative cost is a gain.

    Parameters
    ----------
    costs : array-like or data frame of shape (n_classes, n_decisions)
        ``costs[i, j]``: what deciding j costs when the truth is i. The row labels of a pandas frame
        are the classes and its columns the decisions.
    classes : sequence of labels, optional
        Of the rows, each different; 0, 1, … by default.
    decisions : sequence of labels, optional
        Of the columns; the classes by default, which takes a square matrix.

    Attributes
    ----------
    costs : array of shape (n_classes, n_decisions)
    classes, decisions : arrays of labels

    Examples
    --------
    >>> cost = CostMatrix([[0, 1], [20, 0]], classes=["well", "ill"])
    >>> cost
    CostMatrix: what the decision (column) costs when the truth is (row)
          well  ill
    well     0    1
    ill     20    0
    >>> round(cost.threshold, 4)  # call ill from this probability on
    0.0476
    """

    def __init__(
        self,
        costs: Any,
        classes: Sequence[Any] | NDArray[Any] | None = None,
        decisions: Sequence[Any] | NDArray[Any] | None = None,
    ) -> None:
        if hasattr(costs, "index") and hasattr(costs, "columns"):
            classes = list(costs.index) if classes is None else classes
            decisions = list(costs.columns) if decisions is None else decisions
        self.costs = _numbers(costs)
        rows, columns = self.costs.shape
        if decisions is None and rows != columns:
            raise InvalidDataError(
                f"CostMatrix: costs has {rows} rows (true classes) and {columns} columns "
                "(decisions); a matrix that is not square needs `decisions`, a label per column."
            )
        self.classes = _labels(np.arange(rows) if classes is None else classes, rows, "classes")
        given = self.classes if decisions is None else decisions
        self.decisions = _labels(given, columns, "decisions")
        self.costs.flags.writeable = False

    @classmethod
    def zero_one(cls, classes: Sequence[Any] | NDArray[Any]) -> Self:
        """Every mistake costs 1.

        >>> CostMatrix.zero_one(["a", "b"]).threshold
        0.5
        """
        return cls(1.0 - np.eye(len(classes)), classes)

    @classmethod
    def binary(
        cls,
        *,
        false_positive: float = 1.0,
        false_negative: float = 1.0,
        true_positive: float = 0.0,
        true_negative: float = 0.0,
        classes: Sequence[Any] | NDArray[Any] = (0, 1),
    ) -> Self:
        """Costs of two classes, of which the second is the positive one.

        >>> CostMatrix.binary(false_negative=3).threshold
        0.25
        """
        rows = [[true_negative, false_positive], [false_negative, true_positive]]
        return cls(rows, classes)

    def with_refusal(self, cost: float, label: Any = REFUSAL) -> CostMatrix:
        """One more decision, not to decide, which costs the same whatever the truth is.

        >>> CostMatrix.zero_one([0, 1]).with_refusal(0.1).decisions.tolist()
        [0, 1, 'refuse']
        """
        costs = np.column_stack([self.costs, np.full(len(self.classes), float(cost))])
        return CostMatrix(costs, self.classes, [*self.decisions.tolist(), label])

    @property
    def threshold(self) -> float:
        """From which probability of the second class on it is the cheaper decision.

        (c₀₁ − c₀₀)/(c₀₁ − c₀₀ + c₁₀ − c₁₁) for two classes and two decisions; inf where it never is
        and -inf where it always is.
        """
        if self.costs.shape != (2, 2):
            raise InvalidDataError(
                f"CostMatrix: a threshold is of two classes and two decisions; these are "
                f"{len(self.classes)} and {len(self.decisions)}. Use best_decision."
            )
        (kept, alarm), (missed, hit) = self.costs.tolist()
        if alarm - kept <= 0 and missed - hit >= 0:
            return -np.inf
        if alarm - kept >= 0 and missed - hit <= 0:
            return np.inf
        if alarm - kept < 0:
            raise InvalidDataError(
                "CostMatrix: right decisions cost more than wrong ones for both classes, so there "
                "is no threshold; are the rows the true classes and the columns the decisions?"
            )
        return float((alarm - kept) / ((alarm - kept) + (missed - hit)))

    def arranged(self, classes: NDArray[Any], owner: str) -> Array:
        """The costs with a row for each of these classes, in their order."""
        known = {label: row for row, label in enumerate(self.classes.tolist())}
        wanted = np.asarray(classes).tolist()
        missing = [label for label in wanted if label not in known]
        if missing or len(known) != len(wanted):
            raise InvalidDataError(
                f"{owner}: the cost matrix is for the classes {self.classes.tolist()!r} and the "
                f"data have {wanted!r}; give it a row for each class of the data."
            )
        return np.asarray(self.costs[[known[label] for label in wanted]])

    def __len__(self) -> int:
        return len(self.costs)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.costs, dtype=dtype)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CostMatrix)
            and np.array_equal(self.costs, other.costs)
            and self.classes.tolist() == other.classes.tolist()
            and self.decisions.tolist() == other.decisions.tolist()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        heads = [str(label) for label in self.decisions.tolist()]
        names = [str(label) for label in self.classes.tolist()]
        cells = [[f"{value:g}" for value in row] for row in self.costs]
        widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
        first = max(map(len, names))
        lines = [
            "  ".join([label.ljust(first), *(c.rjust(n) for c, n in zip(row, widths, strict=True))])
            for label, row in zip(["", *names], [heads, *cells], strict=True)
        ]
        title = "CostMatrix: what the decision (column) costs when the truth is (row)"
        return "\n".join([title, *lines])


def as_cost_matrix(cost: Any, classes: Any, owner: str) -> CostMatrix:
    """A cost matrix from what the caller gave, rows and columns in the order of the classes.

    >>> as_cost_matrix([[0, 1], [5, 0]], ["a", "b"], "example").classes.tolist()
    ['a', 'b']
    """
    labels = np.asarray(classes)
    if cost is None:
        return CostMatrix.zero_one(labels)
    if isinstance(cost, CostMatrix) or hasattr(cost, "columns"):
        given = cost if isinstance(cost, CostMatrix) else CostMatrix(cost)
        if given.costs.shape[0] == len(labels) and _is_numbered(given) and not _is_numbers(labels):
            same = _is_numbered(given, decisions=True)
            return CostMatrix(given.costs, labels, labels if same else given.decisions)
        return _in_order(CostMatrix(given.arranged(labels, owner), labels, given.decisions))
    costs = _numbers(cost)
    if costs.shape != (len(labels), len(labels)):
        raise InvalidDataError(
            f"{owner}: cost has shape {costs.shape} and there are {len(labels)} classes, "
            f"{labels.tolist()!r}; it must be a square matrix with a row (truth) and a column "
            "(decision) for each, or a CostMatrix."
        )
    return CostMatrix(costs, labels)


def _in_order(cost: CostMatrix) -> CostMatrix:
    """The decisions that are classes first, in the order of the classes."""
    listed = cost.decisions.tolist()
    named = [label for label in cost.classes.tolist() if label in listed]
    others = [label for label in listed if label not in named]
    columns = [listed.index(label) for label in (*named, *others)]
    return CostMatrix(cost.costs[:, columns], cost.classes, [*named, *others])


def _is_numbered(cost: CostMatrix, *, decisions: bool = False) -> bool:
    """Whether the labels are only the numbers of the rows (or columns)."""
    labels = cost.decisions if decisions else cost.classes
    return bool(labels.tolist() == list(range(len(labels))))


def _is_numbers(labels: NDArray[Any]) -> bool:
    return bool(labels.tolist() == list(range(len(labels))))


def _numbers(costs: Any) -> Array:
    try:
        values = np.array(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(
            f"CostMatrix: costs must be a matrix of numbers, got {costs!r}."
        ) from None
    if values.ndim != 2 or min(values.shape) < 2:
        raise InvalidDataError(
            f"CostMatrix: costs has shape {values.shape}; it needs a row for each of at least two "
            "true classes and a column for each of at least two decisions."
        )
    if not np.isfinite(values).all():
        i, j = (int(k) for k in np.argwhere(~np.isfinite(values))[0])
        raise InvalidDataError(
            f"CostMatrix: costs[{i}, {j}] is {values[i, j]}; every cost must be a finite number."
        )
    return values


def _labels(labels: Any, count: int, name: str) -> NDArray[Any]:
    listed = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    if len(listed) != count or len(set(listed)) != count:
        raise InvalidDataError(
            f"CostMatrix: {name} must be {count} different labels, one for each "
            f"{'row' if name == 'classes' else 'column'}, got {listed!r}."
        )
    values = np.asarray(listed)
    if values.tolist() != listed:  # NumPy made text of numbers, or numbers of truth values
        values = np.empty(count, dtype=object)
        values[:] = listed
    return values
