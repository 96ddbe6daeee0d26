"""The closure rules: sums, products, multiples, powers, polynomials, exponentials, weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels.kernel import Kernel, count_of, require_not_negative

if TYPE_CHECKING:
    from stylobate.kernels.decomposition import Decomposition, Joint

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Constant(Kernel):
    r""":math:`\kappa(x, y) = c \ge 0`."""

    value: float

    def __post_init__(self) -> None:
        require_not_negative("Constant", "value", self.value)

    @property
    def is_mercer(self) -> bool:
        return True

    def decomposition(self, columns: int) -> Decomposition | None:
        from stylobate.kernels import decomposition

        return decomposition.Decomposition((decomposition.Constant(self.value),))

    def _gram(self, X: Any, Y: Any | None) -> Array:
        shape = (count_of(X), count_of(X if Y is None else Y))
        return np.full(shape, self.value)

    def _diagonal(self, X: Any) -> Array:
        return np.full(count_of(X), self.value)

    def features(self, X: Any) -> Array:
        return np.full((count_of(X), 1), np.sqrt(self.value))

    def __repr__(self) -> str:
        return f"{self.value:g}"


@dataclass(frozen=True, slots=True, repr=False)
class Sum(Kernel):
    r""":math:`\kappa_1(x, y) + \kappa_2(x, y)`: the features of both, side by side."""

    left: Kernel
    right: Kernel

    @property
    def is_mercer(self) -> bool:
        return self.left.is_mercer and self.right.is_mercer

    def decomposition(self, columns: int) -> Decomposition | None:
        return _joined(self.left, self.right, columns, "add")

    def _gram(self, X: Any, Y: Any | None) -> Array:
        gram = self.left._gram(X, Y)
        gram += self.right._gram(X, Y)
        return gram

    def _diagonal(self, X: Any) -> Array:
        return self.left._diagonal(X) + self.right._diagonal(X)

    def features(self, X: Any) -> Array:
        return np.hstack([self.left.features(X), self.right.features(X)])

    def __repr__(self) -> str:
        return f"{self.left!r} + {self.right!r}"


@dataclass(frozen=True, slots=True, repr=False)
class Product(Kernel):
    r""":math:`\kappa_1(x, y)\,\kappa_2(x, y)`: all products of a feature of each."""

    left: Kernel
    right: Kernel

    @property
    def is_mercer(self) -> bool:
        return self.left.is_mercer and self.right.is_mercer

    def decomposition(self, columns: int) -> Decomposition | None:
        return _joined(self.left, self.right, columns, "multiply")

    def _gram(self, X: Any, Y: Any | None) -> Array:
        gram = self.left._gram(X, Y)
        gram *= self.right._gram(X, Y)
        return gram

    def _diagonal(self, X: Any) -> Array:
        return self.left._diagonal(X) * self.right._diagonal(X)

    def features(self, X: Any) -> Array:
        left, right = self.left.features(X), self.right.features(X)
        return np.asarray(np.einsum("ij,ik->ijk", left, right).reshape(len(left), -1))

    def __repr__(self) -> str:
        return f"{_factor(self.left)}·{_factor(self.right)}"


@dataclass(frozen=True, slots=True, repr=False)
class Scaled(Kernel):
    r""":math:`c\,\kappa(x, y)` with :math:`c \ge 0`."""

    kernel: Kernel
    scale: float

    def __post_init__(self) -> None:
        require_not_negative("c·κ", "c", self.scale)

    @property
    def is_mercer(self) -> bool:
        return self.kernel.is_mercer

    def decomposition(self, columns: int) -> Decomposition | None:
        return _mapped(self.kernel, columns, "scale", self.scale)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        gram = self.kernel._gram(X, Y)
        gram *= self.scale
        return gram

    def _diagonal(self, X: Any) -> Array:
        return self.scale * self.kernel._diagonal(X)

    def features(self, X: Any) -> Array:
        return np.asarray(np.sqrt(self.scale) * self.kernel.features(X))

    def __repr__(self) -> str:
        return f"{self.scale:g}·{_factor(self.kernel)}"


@dataclass(frozen=True, slots=True, repr=False)
class Power(Kernel):
    r""":math:`\kappa(x, y)^n` for whole :math:`n \ge 1`."""

    kernel: Kernel
    power: int

    def __post_init__(self) -> None:
        if not isinstance(self.power, int) or isinstance(self.power, bool) or self.power < 1:
            raise InvalidParameterError(
                f"κ**n: n must be a whole number of at least 1, got {self.power!r}; roots of "
                "kernels are in general no kernels."
            )

    @property
    def is_mercer(self) -> bool:
        return self.kernel.is_mercer

    def decomposition(self, columns: int) -> Decomposition | None:
        return _mapped(self.kernel, columns, "polynomial", 1.0, 0.0, float(self.power))

    def _gram(self, X: Any, Y: Any | None) -> Array:
        return np.asarray(self.kernel._gram(X, Y) ** self.power)

    def _diagonal(self, X: Any) -> Array:
        return np.asarray(self.kernel._diagonal(X) ** self.power)

    def features(self, X: Any) -> Array:
        first = self.kernel.features(X)
        made = first
        for _ in range(self.power - 1):
            made = np.einsum("ij,ik->ijk", made, first).reshape(len(first), -1)
        return made

    def __repr__(self) -> str:
        return _factor(self.kernel) + str(self.power).translate(_SUPERSCRIPTS)


@dataclass(frozen=True, slots=True, repr=False)
class PolynomialOf(Kernel):
    r""":math:`\sum_k a_k\,\kappa(x, y)^k` with :math:`a_k \ge 0`."""

    kernel: Kernel
    coefficients: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.coefficients:
            raise InvalidParameterError("polynomial: give at least one coefficient.")
        for k, coefficient in enumerate(self.coefficients):
            require_not_negative("polynomial", f"coefficient {k}", coefficient)

    @property
    def is_mercer(self) -> bool:
        return self.kernel.is_mercer

    def _value(self, gram: Array) -> Array:
        return np.asarray(np.polynomial.polynomial.polyval(gram, self.coefficients))

    def decomposition(self, columns: int) -> Decomposition | None:
        own = self.kernel.decomposition(columns)
        if own is None:
            return None
        from stylobate.distances.maps import Map
        from stylobate.kernels.decomposition import Constant, Decomposition

        *lower, first = self.coefficients
        horner = Decomposition((Constant(first),))
        for coefficient in reversed(lower):
            product = horner.joined(own, "multiply")
            horner = product.then(Map("polynomial", 1.0, coefficient, 1.0))
        return horner

    def _gram(self, X: Any, Y: Any | None) -> Array:
        return self._value(self.kernel._gram(X, Y))

    def _diagonal(self, X: Any) -> Array:
        return self._value(self.kernel._diagonal(X))

    def __repr__(self) -> str:
        return f"polynomial{self.coefficients!r} of ({self.kernel!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Exponential(Kernel):
    r""":math:`e^{\kappa(x, y)}`: a power series with positive coefficients."""

    kernel: Kernel

    @property
    def is_mercer(self) -> bool:
        return self.kernel.is_mercer

    def decomposition(self, columns: int) -> Decomposition | None:
        return _mapped(self.kernel, columns, "exponential", 1.0)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        return _exponential(self.kernel._gram(X, Y), self)

    def _diagonal(self, X: Any) -> Array:
        return _exponential(self.kernel._diagonal(X), self)

    def __repr__(self) -> str:
        return f"exp({self.kernel!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Weighted(Kernel):
    r""":math:`f(x)\,\kappa(x, y)\,f(y)`."""

    kernel: Kernel
    weight: Callable[[Any], Any]

    @property
    def is_mercer(self) -> bool:
        return self.kernel.is_mercer

    def _weights(self, X: Any) -> Array:
        weights = np.asarray(self.weight(X), dtype=np.float64)
        if weights.shape != (count_of(X),):
            raise InvalidDataError(
                f"weighted: the function gave shape {weights.shape} for {count_of(X)} points; it "
                "must take all points at once and give one number for each."
            )
        return weights

    def decomposition(self, columns: int) -> Decomposition | None:
        return _multiplied(self.kernel, columns, self._weights)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        gram = self.kernel._gram(X, Y)
        left = self._weights(X)
        gram *= np.multiply.outer(left, left if Y is None else self._weights(Y))
        return gram

    def _diagonal(self, X: Any) -> Array:
        return np.asarray(self._weights(X) ** 2 * self.kernel._diagonal(X))

    def features(self, X: Any) -> Array:
        return self._weights(X)[:, None] * self.kernel.features(X)

    def __repr__(self) -> str:
        name = getattr(self.weight, "__name__", "f")
        name = "f" if name == "<lambda>" else name
        return f"{name}(x)·{_factor(self.kernel)}·{name}(y)"


@dataclass(frozen=True, slots=True, repr=False)
class Normalized(Kernel):
    r""":math:`\kappa(x, y) / \sqrt{\kappa(x, x)\,\kappa(y, y)}`; 0 for points of length 0."""

    kernel: Kernel

    @property
    def is_mercer(self) -> bool:
        return self.kernel.is_mercer

    def _lengths(self, X: Any) -> Array:
        squares = self.kernel._diagonal(X)
        if (squares < 0.0).any():
            raise InvalidDataError(
                f"{self!r}: κ(x, x) is negative for point {int(np.argmin(squares))}, so it has no "
                "length; the kernel is not a Mercer kernel on these points."
            )
        lengths = np.sqrt(squares)
        lengths[lengths == 0.0] = np.inf
        return lengths

    def _inverse_lengths(self, X: Any) -> Array:
        return np.asarray(1.0 / self._lengths(X))

    def decomposition(self, columns: int) -> Decomposition | None:
        return _multiplied(self.kernel, columns, self._inverse_lengths)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        gram = self.kernel._gram(X, Y)
        left = self._lengths(X)
        gram /= np.multiply.outer(left, left if Y is None else self._lengths(Y))
        return gram

    def _diagonal(self, X: Any) -> Array:
        return (self.kernel._diagonal(X) > 0.0).astype(np.float64)

    def __repr__(self) -> str:
        return f"normalized({self.kernel!r})"


def _joined(left: Kernel, right: Kernel, columns: int, how: Joint) -> Decomposition | None:
    first, second = left.decomposition(columns), right.decomposition(columns)
    return None if first is None or second is None else first.joined(second, how)


def _mapped(kernel: Kernel, columns: int, kind: str, *numbers: float) -> Decomposition | None:
    from stylobate.distances.maps import Map

    own = kernel.decomposition(columns)
    return None if own is None else own.then(Map(kind, *numbers))


def _multiplied(
    kernel: Kernel, columns: int, function: Callable[[Any], Array]
) -> Decomposition | None:
    from stylobate.kernels.decomposition import Factor

    own = kernel.decomposition(columns)
    return None if own is None else own.then(Factor(function))


def _exponential(values: NDArray[np.float64], owner: Kernel) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        out = np.exp(values)
    if np.isinf(out).any():
        raise InvalidDataError(
            f"{owner!r} overflows: κ reaches {values.max():.3g} on these points and e^709 is the "
            "largest double; scale the data, or multiply κ by a small number first."
        )
    return np.asarray(out)


def _factor(kernel: Kernel) -> str:
    text = repr(kernel)
    return f"({text})" if isinstance(kernel, Sum | PolynomialOf) else text
