"""Sets of labels, one for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PredictionSets:
    """Labels that a row may have, for each row.

    Parameters
    ----------
    contains : array of bool of shape (n, n_classes)
        Whether a label (column) belongs to the set of a row.
    classes : array of shape (n_classes,)
        The labels.
    level : float
        Share of the rows whose set is promised to hold their label.
    notes : tuple of str
        What to mind.

    Examples
    --------
    >>> sets = PredictionSets(np.array([[True, False], [True, True]]), np.array(["a", "b"]), 0.9)
    >>> sets.labels()
    [['a'], ['a', 'b']]
    >>> sets.sizes
    array([1, 2])
    """

    contains: NDArray[np.bool_]
    classes: NDArray[Any]
    level: float
    notes: tuple[str, ...] = ()

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Labels in the set of each row."""
        return np.asarray(self.contains.sum(axis=1))

    def labels(self) -> list[list[Any]]:
        """The set of each row as a list."""
        return [self.classes[row].tolist() for row in self.contains]

    def coverage(self, y: Any) -> float:
        """The share of rows whose set holds their label.

        Parameters
        ----------
        y : array-like of shape (n,)
            The true labels.
        """
        truth = np.asarray(y)
        return float((self.contains & (truth[:, None] == self.classes)).any(axis=1).mean())

    def __len__(self) -> int:
        return len(self.contains)

    def __repr__(self) -> str:
        sizes = np.bincount(self.sizes, minlength=2)
        counted = ", ".join(f"{n} of {k}" for k, n in enumerate(sizes.tolist()) if n)
        lines = [f"{len(self)} sets of labels, level {self.level:.6g}: {counted}"]
        lines += [f"  {', '.join(map(str, each)) or '(none)'}" for each in self.labels()[:10]]
        if len(self) > 10:
            lines.append(f"… {len(self) - 10} more in .contains, .labels()")
        return "\n".join([*lines, *self.notes])
