"""Kernels of vectors: linear, polynomial, RBF, Laplacian, sigmoid, cosine, xᵀAy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidParameterError
from stylobate.kernels.kernel import Kernel, count_of, require_not_negative

if TYPE_CHECKING:
    from stylobate.kernels.decomposition import Decomposition


def _pairwise() -> Any:
    from stylobate.metrics import pairwise

    return pairwise


def _rows(X: Any) -> Any:
    return read_table(X, owner="Kernel").x


def _squares(X: Any) -> Array:
    """‖x‖² of every row."""
    x = _rows(X)
    if isinstance(x, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", x, x, dtype=np.float64))
    return np.asarray(x.multiply(x).sum(axis=1), dtype=np.float64).ravel()


def _width(gamma: float | None, X: Any) -> float:
    """γ, or 1 / number of columns as scikit-learn has it."""
    return _width_of(gamma, 0 if gamma is not None else _rows(X).shape[1])


def _width_of(gamma: float | None, columns: int) -> float:
    return 1.0 / columns if gamma is None else float(gamma)


def _decomposed(measure: str, kind: str = "identity", *numbers: float) -> Decomposition:
    """A map of a measure, by their names."""
    from stylobate.distances.maps import Map
    from stylobate.kernels.decomposition import Decomposition

    return Decomposition.of(measure, Map(kind, *numbers))


def unit_points(X: Any) -> Any:
    """The rows scaled to length 1; rows of zeros stay."""
    from stylobate.distances.directions import unit_rows

    return unit_rows(_rows(X))[0]


def _check_gamma(owner: str, gamma: float | None) -> None:
    if gamma is not None:
        require_not_negative(owner, "gamma", gamma)


@dataclass(frozen=True, slots=True)
class Linear(Kernel):
    r""":math:`\kappa(x, y) = x^T y`.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    @property
    def is_mercer(self) -> bool:
        return True

    def decomposition(self, columns: int) -> Decomposition:
        return _decomposed("inner")

    def _gram(self, X: Any, Y: Any | None) -> Array:
        return np.asarray(_pairwise().linear_kernel(X, Y))

    def _diagonal(self, X: Any) -> Array:
        return _squares(X)

    def features(self, X: Any) -> Array:
        """The points themselves."""
        x = _rows(X)
        return np.asarray(x if isinstance(x, np.ndarray) else x.toarray(), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Polynomial(Kernel):
    r""":math:`\kappa(x, y) = (\gamma\,x^T y + c)^d`.

    Parameters
    ----------
    degree : int in [1, inf), default=2
        d.
    gamma : float in [0, inf) or None, default=1.0
        γ; None for 1 / number of columns.
    coef0 : float in [0, inf), default=0.0
        c; with a positive one all degrees up to d take part.

    Examples
    --------
    The map behind the kernel, by the multinomial theorem:

    >>> kernel = Polynomial(degree=2)
    >>> kernel.features([[3.0, 5.0]]).round(4)
    array([[ 9.    , 21.2132, 25.    ]])
    >>> kernel([[3.0, 5.0]], [[1.0, 2.0]])
    array([[169.]])
    """

    degree: int = 2
    gamma: float | None = 1.0
    coef0: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.degree, int) or isinstance(self.degree, bool) or self.degree < 1:
            raise InvalidParameterError(
                f"Polynomial: degree must be a whole number of at least 1, got {self.degree!r}."
            )
        _check_gamma("Polynomial", self.gamma)
        require_not_negative("Polynomial", "coef0", self.coef0)

    @property
    def is_mercer(self) -> bool:
        return True

    def decomposition(self, columns: int) -> Decomposition:
        width = _width_of(self.gamma, columns)
        return _decomposed("inner", "polynomial", width, self.coef0, float(self.degree))

    def _gram(self, X: Any, Y: Any | None) -> Array:
        width = _width(self.gamma, X)
        kernel = _pairwise().polynomial_kernel
        return np.asarray(kernel(X, Y, degree=self.degree, gamma=width, coef0=self.coef0))

    def _diagonal(self, X: Any) -> Array:
        return np.asarray((_width(self.gamma, X) * _squares(X) + self.coef0) ** self.degree)

    def features(self, X: Any) -> Array:
        r"""Monomials of degree d of :math:`(\sqrt\gamma x, \sqrt c)` (multinomial theorem)."""
        from stylobate.kernels.monomials import weighted_monomials

        x = Linear().features(X)
        scaled = np.sqrt(_width(self.gamma, X)) * x
        return weighted_monomials(scaled, self.degree, self.coef0)


@dataclass(frozen=True, slots=True, init=False)
class RBF(Kernel):
    r""":math:`\kappa(x, y) = e^{-\gamma \|x - y\|^2} = e^{-\|x - y\|^2 / (2\sigma^2)}`.

    Parameters
    ----------
    gamma : float in [0, inf) or None, default=None
        γ; None for 1 / number of columns.
    sigma : float in (0, inf), optional
        The width σ, in place of γ: :math:`\gamma = 1 / (2\sigma^2)`.

    Examples
    --------
    >>> RBF(gamma=0.5)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    >>> RBF(sigma=1.0) == RBF(gamma=0.5), RBF(gamma=2.0).sigma
    (True, 0.5)
    """

    gamma: float | None = None

    def __init__(self, gamma: float | None = None, sigma: float | None = None) -> None:
        if sigma is not None:
            if gamma is not None or not 0.0 < sigma < np.inf:
                raise InvalidParameterError(
                    f"RBF: give gamma, or a width sigma in (0, inf), got gamma={gamma!r} and "
                    f"sigma={sigma!r}."
                )
            gamma = 0.5 / float(sigma) ** 2
        _check_gamma("RBF", gamma)
        object.__setattr__(self, "gamma", gamma)

    @property
    def sigma(self) -> float | None:
        """The width σ; None where γ follows from the columns."""
        if self.gamma is None:
            return None
        return float(np.inf) if self.gamma == 0.0 else float(np.sqrt(0.5 / self.gamma))

    @property
    def is_mercer(self) -> bool:
        return True

    def decomposition(self, columns: int) -> Decomposition:
        return _decomposed("squared", "exponential", -_width_of(self.gamma, columns))

    def _gram(self, X: Any, Y: Any | None) -> Array:
        return np.asarray(_pairwise().rbf_kernel(X, Y, gamma=_width(self.gamma, X)))

    def _diagonal(self, X: Any) -> Array:
        return np.ones(count_of(X))


@dataclass(frozen=True, slots=True)
class Laplacian(Kernel):
    r""":math:`\kappa(x, y) = e^{-\gamma \|x - y\|_1}`.

    Parameters
    ----------
    gamma : float in [0, inf) or None, default=None
        γ; None for 1 / number of columns.

    Examples
    --------
    >>> Laplacian(gamma=1.0)([[0.0, 0.0]], [[1.0, 1.0]]).round(4)
    array([[0.1353]])
    """

    gamma: float | None = None

    def __post_init__(self) -> None:
        _check_gamma("Laplacian", self.gamma)

    @property
    def is_mercer(self) -> bool:
        return True

    def decomposition(self, columns: int) -> Decomposition:
        return _decomposed("manhattan", "exponential", -_width_of(self.gamma, columns))

    def _gram(self, X: Any, Y: Any | None) -> Array:
        return np.asarray(_pairwise().laplacian_kernel(X, Y, gamma=_width(self.gamma, X)))

    def _diagonal(self, X: Any) -> Array:
        return np.ones(count_of(X))


@dataclass(frozen=True, slots=True)
class Sigmoid(Kernel):
    r""":math:`\kappa(x, y) = \tanh(\gamma\,x^T y + c)`; not a Mercer kernel in general.

    Parameters
    ----------
    gamma : float or None, default=None
        γ; None for 1 / number of columns.
    coef0 : float, default=1.0
        c.

    Examples
    --------
    >>> Sigmoid(gamma=1.0, coef0=0.0)([[0.5]]).round(4)
    array([[0.2449]])
    """

    gamma: float | None = None
    coef0: float = 1.0

    @property
    def is_mercer(self) -> bool:
        return False

    def decomposition(self, columns: int) -> Decomposition:
        width = _width_of(self.gamma, columns)
        return _decomposed("inner", "sigmoid", width, self.coef0)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        width = _width(self.gamma, X)
        return np.asarray(_pairwise().sigmoid_kernel(X, Y, gamma=width, coef0=self.coef0))

    def _diagonal(self, X: Any) -> Array:
        return np.tanh(_width(self.gamma, X) * _squares(X) + self.coef0)


@dataclass(frozen=True, slots=True)
class Cosine(Kernel):
    r""":math:`\kappa(x, y) = x^T y / (\|x\|\,\|y\|)`; 0 where a point is 0.

    Examples
    --------
    >>> Cosine()([[1.0, 0.0]], [[1.0, 1.0]]).round(4)
    array([[0.7071]])
    """

    @property
    def is_mercer(self) -> bool:
        return True

    def decomposition(self, columns: int) -> Decomposition:
        return _decomposed("inner").prepared(unit_points)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        return np.asarray(_pairwise().cosine_similarity(X, Y))

    def _diagonal(self, X: Any) -> Array:
        return (_squares(X) > 0.0).astype(np.float64)

    def features(self, X: Any) -> Array:
        """The points, scaled to length 1."""
        x = Linear().features(X)
        lengths = np.sqrt(_squares(x))
        return x / np.where(lengths > 0.0, lengths, 1.0)[:, None]


@dataclass(frozen=True, slots=True, eq=False)
class QuadraticForm(Kernel):
    r""":math:`\kappa(x, y) = x^T A y` with A symmetric and positive semi-definite.

    Parameters
    ----------
    matrix : array of shape (p, p)
        A; refused if not symmetric or if an eigenvalue is negative beyond rounding.

    Examples
    --------
    >>> QuadraticForm([[2.0, 1.0], [1.0, 2.0]])([[1.0, 1.0]])
    array([[6.]])
    """

    matrix: Any
    _root: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        a = np.asarray(self.matrix, dtype=np.float64)
        if a.ndim != 2 or a.shape[0] != a.shape[1] or not np.isfinite(a).all():
            raise InvalidParameterError(
                f"QuadraticForm: A must be a square matrix of finite numbers, got shape {a.shape}."
            )
        size = np.abs(a).max(initial=0.0)
        if np.abs(a - a.T).max(initial=0.0) > 1e-12 * size:
            raise InvalidParameterError("QuadraticForm: A is not symmetric; (A + Aᵀ)/2 would be.")
        values, vectors = np.linalg.eigh((a + a.T) / 2.0)
        if values.min(initial=0.0) < -1e-12 * len(a) * size:
            raise InvalidParameterError(
                f"QuadraticForm: A has the eigenvalue {values.min():.3g} < 0, so xᵀAx is negative "
                "for its eigenvector; A must be positive semi-definite."
            )
        object.__setattr__(self, "_root", vectors * np.sqrt(np.maximum(values, 0.0)))

    @property
    def is_mercer(self) -> bool:
        return True

    def decomposition(self, columns: int) -> Decomposition:
        return _decomposed("inner").prepared(self.features)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        left = self.features(X)
        return np.asarray(left @ (left if Y is None else self.features(Y)).T)

    def _diagonal(self, X: Any) -> Array:
        return _squares(self.features(X))

    def features(self, X: Any) -> Array:
        r""":math:`A^{1/2} x`."""
        x = _rows(X)
        if x.shape[1] != len(self._root):
            raise InvalidParameterError(
                f"QuadraticForm: A is {self._root.shape[0]} × {self._root.shape[0]}, but the "
                f"points have {x.shape[1]} columns."
            )
        return np.asarray(x @ self._root, dtype=np.float64)
