"""What a kernel is, and how kernels make kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from stylobate.kernels.decomposition import Decomposition


class Kernel(ABC):
    r"""A similarity :math:`\kappa(x, y)`, ideally an inner product :math:`\phi(x)^T\phi(y)`.

    A kernel is a value: it compares equal to another with the same parameters, can be a key, and is
    called with points to give their Gram matrix. Kernels are closed under the rules
    ``c * k``, ``k1 + k2``, ``k1 * k2``, ``k ** n``, `exp`, `polynomial`, `weighted` and `on`.

    Examples
    --------
    >>> from stylobate.kernels import RBF, Linear
    >>> kernel = 2 * RBF(gamma=0.5) + Linear() ** 2
    >>> kernel
    2·RBF(gamma=0.5) + Linear()²
    >>> kernel([[0.0], [1.0]]).round(3)
    array([[2.   , 1.213],
           [1.213, 3.   ]])
    """

    __slots__ = ()

    @property
    @abstractmethod
    def is_mercer(self) -> bool:
        """Whether every Gram matrix is positive semi-definite, by the way the kernel is made."""

    @abstractmethod
    def _gram(self, X: Any, Y: Any | None) -> Array:
        """κ of all pairs; Y None stands for X."""

    def _diagonal(self, X: Any) -> Array:
        return np.array([self._gram(X[i : i + 1], None)[0, 0] for i in range(len(X))])

    def __call__(self, X: Any, Y: Any | None = None) -> Array:
        r"""The Gram matrix :math:`K_{ij} = \kappa(x_i, y_j)`.

        Parameters
        ----------
        X : points, n of them
            Rows of an array, a sparse matrix or a data frame; for kernels of sequences and sets, a
            list of them.
        Y : points, m of them, default=None
            Others; None for X again.

        Returns
        -------
        array of shape (n, m)
        """
        return self._gram(X, Y)

    def diagonal(self, X: Any) -> Array:
        r""":math:`\kappa(x_i, x_i)` of every point, without the rest of the Gram matrix."""
        return self._diagonal(X)

    def decomposition(self, columns: int) -> Decomposition | None:
        r"""The kernel as measures of pairs and maps of them, for points of so many columns.

        Kernels that have one are computed by tiles: rows, blocks and products of their matrix
        without the whole of it (`kernel_block`, `kernel_product`, `KernelRows`). None for kernels
        that only evaluate themselves, such as those of strings.
        """
        return None

    def features(self, X: Any) -> Array:
        r"""Coordinates :math:`\phi(x)` whose inner products are the kernel, if finitely many."""
        raise InvalidParameterError(
            f"{self!r} has no finite map φ; approximate it with "
            "stylobate.kernel_approximation.Nystroem."
        )

    def __add__(self, other: Any) -> Kernel:
        from stylobate.kernels.rules import Sum

        return Sum(self, _operand(other, "+"))

    def __radd__(self, other: Any) -> Kernel:
        from stylobate.kernels.rules import Sum

        return Sum(_operand(other, "+"), self)

    def __mul__(self, other: Any) -> Kernel:
        from stylobate.kernels.rules import Product, Scaled

        if isinstance(other, Real):
            return Scaled(self, float(other))
        return Product(self, _operand(other, "*"))

    def __rmul__(self, other: Any) -> Kernel:
        return self * other if isinstance(other, Real) else _operand(other, "*") * self

    def __pow__(self, power: int) -> Kernel:
        from stylobate.kernels.rules import Power

        return Power(self, power)

    def exp(self) -> Kernel:
        r""":math:`e^{\kappa(x, y)}`."""
        from stylobate.kernels.rules import Exponential

        return Exponential(self)

    def polynomial(self, coefficients: Sequence[float]) -> Kernel:
        r""":math:`\sum_k a_k\,\kappa(x, y)^k` with :math:`a_k \ge 0`, the constant first."""
        from stylobate.kernels.rules import PolynomialOf

        return PolynomialOf(self, tuple(float(a) for a in coefficients))

    def weighted(self, weight: Callable[[Any], Any]) -> Kernel:
        r""":math:`f(x)\,\kappa(x, y)\,f(y)`; `weight` takes all points, gives each a number."""
        from stylobate.kernels.rules import Weighted

        return Weighted(self, weight)

    def normalized(self) -> Kernel:
        r""":math:`\kappa(x, y) / \sqrt{\kappa(x, x)\,\kappa(y, y)}`: cosines of features."""
        from stylobate.kernels.rules import Normalized

        return Normalized(self)

    def on(self, columns: int | str | Sequence[int] | Sequence[str]) -> Kernel:
        """The kernel of one column or some only, by position or, of data frames, by name."""
        from stylobate.kernels.columns import OnColumns

        one = isinstance(columns, int | str | np.integer)
        return OnColumns(self, (columns,) if one else tuple(columns))  # type: ignore[arg-type]


def _operand(other: Any, sign: str) -> Kernel:
    from stylobate.kernels.rules import Constant

    if isinstance(other, Kernel):
        return other
    if isinstance(other, Real) and sign == "+":
        return Constant(float(other))
    raise InvalidParameterError(
        f"A kernel {sign} {type(other).__name__} is no kernel; the other side must be a kernel or "
        "a number that is not negative."
    )


def require_not_negative(owner: str, name: str, value: float) -> None:
    """Refuse a negative or NaN parameter: the result would not be a kernel."""
    if not value >= 0.0 or value == np.inf:
        raise InvalidParameterError(
            f"{owner}: {name} must be a finite number of at least 0, got {value!r}; a negative one "
            "would make negative squared lengths."
        )


def count_of(X: Any) -> int:
    """The number of points."""
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape) > 0:
        return int(shape[0])
    try:
        return len(X)
    except TypeError:
        raise InvalidDataError(
            f"A kernel takes points, rows or a list, got {type(X).__name__}."
        ) from None
