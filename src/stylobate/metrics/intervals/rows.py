"""The rows an interval is asked for: read once, taken by number as often as needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_weights
from stylobate.exceptions import InvalidDataError
from stylobate.splits.strata import as_array


@dataclass(frozen=True, slots=True)
class Rows:
    """What is true, what one or more models predicted, and the weights of the rows."""

    truth: NDArray[Any]
    predicted: tuple[NDArray[Any], ...]
    weights: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, index: NDArray[np.intp]) -> Rows:
        """These rows by number, with repetitions."""
        weights = None if self.weights is None else self.weights[index]
        return Rows(self.truth[index], tuple(p[index] for p in self.predicted), weights)


def read_rows(y_true: Any, predictions: dict[str, Any], sample_weight: Any, owner: str) -> Rows:
    """Arrays with one entry for each row, all of the same length; the metric checks the rest."""
    truth = _as_sortable(as_array(y_true))
    predicted = {name: _as_sortable(as_array(values)) for name, values in predictions.items()}
    for name, values in {"y_true": truth, **predicted}.items():
        if values.ndim == 0 or len(values) == 0:
            raise InvalidDataError(f"{owner}: {name} is empty; a minimum of 1 sample is required.")
        if len(values) != len(truth):
            raise InvalidDataError(
                f"{owner}: y_true has {len(truth)} rows and {name} {len(values)}; they need one "
                "entry for each row."
            )
    weights = read_weights(sample_weight, len(truth), owner=owner)
    return Rows(truth, tuple(predicted.values()), weights)


def _as_sortable(values: NDArray[Any]) -> NDArray[Any]:
    """Objects as what they hold, so that they sort and compare."""
    return np.array(values.tolist()) if values.dtype.kind == "O" else values
