"""Embeddings of categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network.layers.layer import Course, Layer, Rows, Shape, Weights, require_whole


@dataclass(frozen=True)
class Embedding(Layer):
    """Some columns hold codes 0, 1, … of categories; each category becomes a vector that is learnt.

    The other columns come first in the output, in their order, then the vectors of the embedded
    ones. Derivatives by codes are zero.

    Parameters
    ----------
    categories : mapping of int to int
        Column → how many categories it has. Kept as a tuple of pairs.
    size : int in [1, inf), default=8
        Numbers a category becomes.
    spread : float in (0, inf), default=0.1
        Standard deviation of the normal numbers that vectors start with.

    References
    ----------
    Guo & Berkhahn (2016), Entity embeddings of categorical variables.

    Examples
    --------
    >>> layer = Embedding({1: 5}, size=3)
    >>> layer.output_shape((4,)), layer.weight_shapes((4,))
    ((6,), {'W1': (5, 3)})
    """

    categories: tuple[tuple[int, int], ...] | Mapping[int, int]
    size: int = 8
    spread: float = 0.1

    def __post_init__(self) -> None:
        given = self.categories
        pairs = sorted(given.items() if isinstance(given, Mapping) else given)
        object.__setattr__(self, "categories", tuple((int(c), int(k)) for c, k in pairs))
        require_whole(self, "size", self.size)
        columns = [column for column, _ in pairs]
        if not pairs or len(set(columns)) < len(columns):
            raise InvalidParameterError(
                "Embedding: categories must name at least one column, each once."
            )
        for column, count in pairs:
            require_whole(self, "categories' columns", column, 0)
            require_whole(self, f"categories[{column}]", count)

    def output_shape(self, shape: Shape) -> Shape:
        last = self._pairs()[-1][0]
        if len(shape) != 1 or last >= shape[0]:
            raise InvalidParameterError(
                f"Embedding takes vectors that have a column {last}, but its input has shape "
                f"{shape}."
            )
        return (shape[0] + len(self._pairs()) * (self.size - 1),)

    def _pairs(self) -> tuple[tuple[int, int], ...]:
        assert isinstance(self.categories, tuple)
        return self.categories

    def _plain(self, shape: Shape) -> NDArray[np.int64]:
        """Columns that are numbers."""
        return np.setdiff1d(np.arange(shape[0]), [column for column, _ in self._pairs()])

    def weight_shapes(self, shape: Shape) -> dict[str, Shape]:
        return {f"W{column}": (count, self.size) for column, count in self._pairs()}

    def start(self, shape: Shape, draw: np.random.Generator) -> dict[str, NDArray[np.float64]]:
        return {
            name: draw.normal(0.0, self.spread, size)
            for name, size in self.weight_shapes(shape).items()
        }

    def forward(self, x: Rows, shape: Shape, weights: Weights, course: Course) -> tuple[Rows, Any]:
        codes = [self._codes(x[:, column], column, count) for column, count in self._pairs()]
        tables = [weights[f"W{column}"] for column, _ in self._pairs()]
        vectors = [table[code] for table, code in zip(tables, codes, strict=True)]
        return np.concatenate([x[:, self._plain(shape)], *vectors], axis=1), codes

    def _codes(self, values: NDArray[Any], column: int, count: int) -> NDArray[np.int64]:
        codes = values.astype(np.int64)
        wrong = (codes != values) | (codes < 0) | (codes >= count)
        if wrong.any():
            raise InvalidDataError(
                f"Embedding: column {column} must hold whole codes 0 … {count - 1}, got "
                f"{values[wrong.argmax()]:g}."
            )
        return codes

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        plain = self._plain(shape)
        dx = np.zeros((len(dy), shape[0]), dtype=dy.dtype)
        dx[:, plain] = dy[:, : len(plain)]
        found, at = {}, len(plain)
        for (column, count), codes in zip(self._pairs(), kept, strict=True):
            sums = np.zeros((count, self.size))
            np.add.at(sums, codes, dy[:, at : at + self.size])
            found[f"W{column}"] = sums
            at += self.size
        return dx, found
