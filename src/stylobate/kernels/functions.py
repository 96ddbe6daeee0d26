"""Kernels by name, and kernels of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels.discrete import Intersection, Matching, Spectrum, Subsequence
from stylobate.kernels.kernel import Kernel
from stylobate.kernels.vectors import RBF, Cosine, Laplacian, Linear, Polynomial, Sigmoid

NAMES: dict[str, type[Kernel]] = {
    "linear": Linear,
    "poly": Polynomial,
    "polynomial": Polynomial,
    "rbf": RBF,
    "laplacian": Laplacian,
    "sigmoid": Sigmoid,
    "cosine": Cosine,
    "spectrum": Spectrum,
    "subsequence": Subsequence,
    "matching": Matching,
    "intersection": Intersection,
}


@dataclass(frozen=True, slots=True)
class FunctionKernel(Kernel):
    r"""A function of two points as a kernel.

    Parameters
    ----------
    function : callable
        Takes two points, gives a number. It is called for all pairs, in Python.
    mercer : bool, default=False
        Whether you know that all Gram matrices are positive semi-definite; `check_mercer` can
        refute it on points, never prove it.

    Examples
    --------
    >>> kernel = FunctionKernel(lambda x, y: min(x[0], y[0]))
    >>> kernel([[1.0], [3.0]])
    array([[1., 1.],
           [1., 3.]])
    """

    function: Callable[[Any, Any], float]
    mercer: bool = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InvalidParameterError(
                f"FunctionKernel: function must be callable, got {type(self.function).__name__}."
            )

    @property
    def is_mercer(self) -> bool:
        return self.mercer

    def _points(self, X: Any) -> list[Any]:
        return list(X.to_numpy() if hasattr(X, "to_numpy") else X)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        left = self._points(X)
        right = left if Y is None else self._points(Y)
        gram = np.empty((len(left), len(right)))
        for i, x in enumerate(left):
            for j, y in enumerate(right):
                gram[i, j] = self._value(x, y, i, j)
        return gram

    def _value(self, x: Any, y: Any, i: int, j: int) -> float:
        value = self.function(x, y)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = np.nan
        if not np.isfinite(number):
            raise InvalidDataError(
                f"FunctionKernel: the function gave {value!r} for points {i} and {j}; a kernel "
                "gives a finite number for every pair."
            )
        return number


def as_kernel(thing: Any, **parameters: Any) -> Kernel:
    """A kernel from a kernel, a name such as "rbf" with parameters, or a function of two points.

    Examples
    --------
    >>> as_kernel("rbf", gamma=2.0)
    RBF(gamma=2.0)
    """
    if isinstance(thing, Kernel):
        if parameters:
            raise InvalidParameterError(
                f"{thing!r} has its parameters; {', '.join(parameters)} cannot be given too."
            )
        return thing
    if isinstance(thing, str):
        if thing not in NAMES:
            raise InvalidParameterError(
                f"There is no kernel {thing!r}; the names are {', '.join(NAMES)}."
            )
        try:
            return NAMES[thing](**parameters)
        except TypeError:
            raise InvalidParameterError(
                f"The kernel {thing!r} does not take {', '.join(parameters)}."
            ) from None
    return FunctionKernel(thing, **parameters)
