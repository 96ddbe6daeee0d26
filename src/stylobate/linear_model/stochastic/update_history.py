"""What a perceptron did, update by update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class UpdateHistory:
    """Every step that changed the weights.

    Parameters
    ----------
    step : array of int
        Number of the step, 1 for the first row ever looked at.
    row : array of int
        The row that was on the wrong side.
    margin : array
        y·(xw + b) of that row before the update: not positive.
    weights : array of shape (n_updates, n_features) or None
        The weights after each update; None where they would be too many to keep.
    intercept : array or None
        The intercept after each update.

    Examples
    --------
    >>> history = UpdateHistory.of({"step": [1.0], "row": [0.0], "margin": [0.0],
    ...                             "weights": np.array([[2.0, 1.0]])})
    >>> len(history), history.weights.tolist(), history.intercept.tolist()
    (1, [[2.0]], [1.0])
    """

    step: NDArray[np.int64]
    row: NDArray[np.int64]
    margin: Array
    weights: Array | None
    intercept: Array | None

    @classmethod
    def of(cls, report: dict[str, Any]) -> Self:
        """From the core's report of a descent."""
        kept = np.asarray(report["weights"])
        whole = len(kept) == len(report["step"])
        return cls(
            np.asarray(report["step"]).astype(np.int64),
            np.asarray(report["row"]).astype(np.int64),
            np.asarray(report["margin"]),
            kept[:, :-1] if whole else None,
            kept[:, -1] if whole else None,
        )

    def __len__(self) -> int:
        return len(self.step)
