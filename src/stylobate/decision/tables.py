"""Joint distributions of finitely many values: a table p(x, y)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.words import aligned
from stylobate.decision.reading import as_floats
from stylobate.decision.table_moments import TableMoments
from stylobate.exceptions import InvalidDataError
from stylobate.splits.splitter import generator
from stylobate.splits.strata import as_array, class_numbers

_SLACK = 1e-6


class JointTable(TableMoments):
    """A joint distribution p(x, y) of finitely many values of x (rows) and y (columns).

    Parameters
    ----------
    probabilities : array-like or data frame of shape (n_x, n_y)
        Non-negative, of sum 1. Row and column labels of a pandas frame are the values of x and y.
    x : sequence of length n_x, optional
        The values of x; 0, 1, … by default.
    y : sequence of length n_y, optional
        The values of y, labels or numbers; 0, 1, … by default.

    Attributes
    ----------
    probabilities : array of shape (n_x, n_y)
    x, y : arrays of the values

    Examples
    --------
    >>> table = JointTable([[0.3, 0.1], [0.2, 0.4]], x=["calm", "stormy"], y=["sail", "stay"])
    >>> table.p_x
    array([0.4, 0.6])
    >>> table.conditional
    array([[0.75      , 0.25      ],
           [0.33333333, 0.66666667]])

    Two coins that like to fall the same way:

    >>> table = JointTable([[0.4, 0.1], [0.1, 0.4]])
    >>> table.mean.tolist(), round(table.covariance, 4), round(table.correlation, 4)
    ([0.5, 0.5], 0.15, 0.6)
    >>> table.covariance_matrix.round(4).tolist()
    [[0.25, 0.15], [0.15, 0.25]]
    >>> table.is_independent()
    False
    """

    def __init__(self, probabilities: Any, x: Any = None, y: Any = None) -> None:
        values, x, y = _read(probabilities, x, y, "probabilities")
        total = float(values.sum())
        if abs(total - 1.0) > _SLACK:
            raise InvalidDataError(
                f"JointTable: the probabilities sum to {total:.6g} and must sum to 1; for counts "
                "use JointTable.from_counts."
            )
        self.probabilities, self.x, self.y = values, x, y

    @classmethod
    def from_counts(cls, counts: Any, x: Any = None, y: Any = None) -> Self:
        """The shares of non-negative counts (or weights).

        >>> JointTable.from_counts([[3, 1], [2, 4]]).probabilities
        array([[0.3, 0.1],
               [0.2, 0.4]])
        """
        values, x, y = _read(counts, x, y, "counts")
        if values.sum() <= 0:
            raise InvalidDataError("JointTable: all counts are 0; at least one must be positive.")
        return cls(values / values.sum(), x, y)

    @classmethod
    def from_data(cls, x: Any, y: Any) -> Self:
        """The shares of the pairs in data.

        >>> JointTable.from_data(["a", "a", "b", "b"], [0, 1, 1, 1]).probabilities
        array([[0.25, 0.25],
               [0.  , 0.5 ]])
        """
        rows = as_array(x)
        kinds, numbers = class_numbers(rows, len(rows), "JointTable.from_data")
        labels, codes = class_numbers(y, len(rows), "JointTable.from_data")
        counts = np.zeros((len(kinds), len(labels)))
        np.add.at(counts, (numbers, codes), 1.0)
        return cls.from_counts(counts, kinds, labels)

    @classmethod
    def from_frame(cls, frame: Any, a: str, b: str) -> Self:
        """The shares of the pairs of values in two columns; rows that lack one take no part.

        >>> import pandas as pd
        >>> rows = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 1, None]})
        >>> JointTable.from_frame(rows, "a", "b").probabilities.round(3).tolist()
        [[0.333, 0.333], [0.0, 0.333]]
        """
        import narwhals as nw

        table = nw.from_native(frame, eager_only=True)
        missing = [name for name in (a, b) if name not in table.columns]
        if missing:
            raise InvalidDataError(
                f"joint_table: there is no column {missing[0]!r}; the table has "
                f"{', '.join(map(repr, table.columns[:12]))}."
            )
        first, second = table[a].to_list(), table[b].to_list()
        kept = [pair for pair in zip(first, second, strict=True) if not _absent(*pair)]
        if not kept:
            raise InvalidDataError(f"joint_table: no row has a value of both {a!r} and {b!r}.")
        return cls.from_data([one for one, _ in kept], [other for _, other in kept])

    @property
    def conditional(self) -> Array:
        """p(y | x) in each row; p(y) where x has probability 0."""
        known = self.p_x[:, None] > 0
        rows = np.where(known, self.probabilities, self.p_y)
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))

    def sample(self, n: int, random_state: Any = None) -> tuple[NDArray[Any], NDArray[Any]]:
        """Draw n pairs (x, y)."""
        draw = generator(random_state)
        flat = self.probabilities.reshape(-1) / self.probabilities.sum()
        rows, columns = np.divmod(draw.choice(flat.size, size=n, p=flat), len(self.y))
        return self.x[rows], self.y[columns]

    def places(self, points: Any) -> NDArray[np.intp]:
        """The row of each value of x; refuses others."""
        known = {value: row for row, value in enumerate(self.x.tolist())}
        listed = np.asarray(points).reshape(-1).tolist()
        unknown = [value for value in listed if value not in known]
        if unknown:
            raise InvalidDataError(
                f"JointTable: x = {unknown[0]!r} is not among the values of the table, "
                f"{self.x.tolist()[:6]!r}."
            )
        return np.array([known[value] for value in listed], dtype=np.intp)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; moments are None where the values are no numbers."""
        found: dict[str, Any] = {
            "x": self.x.tolist(),
            "y": self.y.tolist(),
            "probabilities": self.probabilities.tolist(),
            "mean": None,
            "covariance": None,
            "entropies": self.entropies,
            "mutual_information": self.mutual_information,
            "independent": self.is_independent(),
        }
        if self._numeric():
            matrix = self.covariance_matrix.tolist()
            found.update(mean=self.mean.tolist(), covariance=matrix)
        return found

    def __repr__(self) -> str:
        rows = [("p(x, y)", *(f"y={v}" for v in self.y.tolist()), "p(x)")]
        for value, row, margin in zip(self.x.tolist(), self.probabilities, self.p_x, strict=True):
            rows.append((f"x={value}", *(f"{p:.4g}" for p in row), f"{margin:.4g}"))
        rows.append(("p(y)", *(f"{p:.4g}" for p in self.p_y), f"{self.p_x.sum():.4g}"))
        lines = aligned(rows, words=1)
        if self._numeric():
            mean, cov = self.mean, self.covariance_matrix
            lines.append(
                f"means {mean[0]:.4g}, {mean[1]:.4g}; variances {cov[0, 0]:.4g}, {cov[1, 1]:.4g}; "
                f"covariance {cov[0, 1]:.4g}, correlation {self.correlation:.4g}"
            )
        free = "independent" if self.is_independent() else "dependent"
        lines.append(f"{free}; mutual information {self.mutual_information:.4g} nats")
        return "\n".join(lines)


def _absent(*values: Any) -> bool:
    return any(value is None or value != value for value in values)


def _read(table: Any, x: Any, y: Any, name: str) -> tuple[Array, NDArray[Any], NDArray[Any]]:
    if hasattr(table, "columns"):
        y = list(table.columns) if y is None else y
        if hasattr(table, "index") and x is None:
            x = list(table.index)
    values = as_floats(table, "JointTable", name)
    if values.ndim != 2 or 0 in values.shape:
        raise InvalidDataError(
            f"JointTable: {name} has shape {values.shape}; it needs a row for each value of x and "
            "a column for each value of y."
        )
    bad = ~np.isfinite(values) | (values < 0)
    if bad.any():
        i, j = (int(k) for k in np.argwhere(bad)[0])
        raise InvalidDataError(
            f"JointTable: {name}[{i}, {j}] is {values[i, j]:g}; every one must be a finite number "
            "of at least 0."
        )
    return values, _values(x, values.shape[0], "x"), _values(y, values.shape[1], "y")


def _values(given: Any, count: int, name: str) -> NDArray[Any]:
    if given is None:
        return np.arange(count)
    listed = list(given)
    if len(listed) != count or len(set(listed)) != count:
        raise InvalidDataError(
            f"JointTable: {name} must be {count} different values, one for each "
            f"{'row' if name == 'x' else 'column'}, got {listed!r}."
        )
    values = np.asarray(listed)
    return values if values.tolist() == listed else np.array(listed, dtype=object)
