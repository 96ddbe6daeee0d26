"""Embeddings of categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
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
        if not isinstance(given, Mapping | tuple | list):
            raise InvalidParameterError(
                "Embedding: categories must be a mapping from column to the number of its "
                f"categories, such as {{0: 5}}, got {given!r}."
            )
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

    def plain_columns(self, shape: Shape) -> NDArray[np.int64]:
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
        self._check_codes(x)
        pairs = list(self._pairs())
        embed: Any = _core.embed_codes
        return np.asarray(embed(x, pairs, [weights[f"W{column}"] for column, _ in pairs])), x

    def _check_codes(self, x: Rows) -> None:
        pairs = list(self._pairs())
        wrong: Any = _core.first_wrong_code
        row, place = wrong(x, pairs)
        if row >= 0:
            column, count = pairs[place]
            raise InvalidDataError(
                f"Embedding: column {column} must hold whole codes 0 … {count - 1}, got "
                f"{x[row, column]:g}."
            )

    def backward(
        self, dy: Rows, kept: Any, shape: Shape, weights: Weights
    ) -> tuple[Rows, dict[str, NDArray[Any]]]:
        back: Any = _core.embed_codes_back
        dx, tables = back(kept, list(self._pairs()), int(self.size), dy)
        names = [f"W{column}" for column, _ in self._pairs()]
        return np.asarray(dx), dict(zip(names, map(np.asarray, tables), strict=True))
