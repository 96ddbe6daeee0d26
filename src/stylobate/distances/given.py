"""Distances of the caller's own: a function of two rows, or the numbers themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.distances.metric import Form, Metric
from stylobate.exceptions import InvalidDataError, InvalidParameterError


@dataclass(frozen=True, eq=False)
class Function(Metric):
    """``function(row, row, **params)``, a number; called once for each pair that is looked at.

    Parameters
    ----------
    function : callable
        Of two rows.
    params : dict
        Its further arguments.

    Examples
    --------
    >>> Function(lambda a, b: abs(len(a) - len(b)))("tree", "trees")
    1.0
    """

    function: Callable[..., Any]
    params: dict[str, Any] = field(default_factory=dict)
    names: ClassVar[tuple[str, ...]] = ("pyfunc",)
    balls = sparse = True

    def __post_init__(self) -> None:
        named = isinstance(self.params, dict) and all(isinstance(key, str) for key in self.params)
        if not callable(self.function) or not named:
            raise InvalidParameterError(
                "Function: a function of two rows is wanted, and its further arguments by name."
            )

    def form(self, columns: int) -> Form:
        """None: the core does not call Python."""
        raise InvalidParameterError("A function of two rows has no form in the compiled core.")

    def __call__(self, a: Any, b: Any) -> float:
        """The distance of two rows, of whatever kind the function takes."""
        value = self.function(a, b, **self.params)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InvalidDataError(
                f"The function of two rows must return one number, got {value!r}."
            ) from None

    def matrix(self, x: Any, y: Any) -> Array:
        """Every pair; half of them where x and y are one table."""
        n, m = x.shape[0], y.shape[0]
        out = np.zeros((n, m))
        for i in range(n):
            for j in range(i if y is x else 0, m):
                out[i, j] = self(_row(x, i), _row(y, j))
                if y is x:
                    out[j, i] = out[i, j]
        return out


@dataclass(frozen=True, eq=False)
class Precomputed(Metric):
    """Rows of X are distances to the rows of the fit.

    Examples
    --------
    >>> Precomputed().matrix(np.array([[0.0, 2.0]]), None)
    array([[0., 2.]])
    """

    names: ClassVar[tuple[str, ...]] = ("precomputed",)
    sparse = True

    def form(self, columns: int) -> Form:
        """None: nothing is left to measure."""
        raise InvalidParameterError(
            "metric='precomputed' takes distances; here rows are needed, to be compared."
        )

    def matrix(self, x: Any, y: Any) -> NDArray[Any]:
        """The distances as they came."""
        return x  # type: ignore[no-any-return]


def _row(x: Any, i: int) -> Any:
    return x[i] if isinstance(x, np.ndarray) else x[[i]]
