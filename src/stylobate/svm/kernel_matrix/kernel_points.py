"""Kernels of support vector machines: what is multiplied with the coefficients at fit and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.kernels import Kernel, as_kernel, kernel_block, kernel_product
from stylobate.kernels.given_matrix import refuse_asymmetric
from stylobate.kernels.kernel import count_of
from stylobate.kernels.table_functions import called_on_tables, shape_wanted

_BLOCK_ENTRIES = 1 << 21  # of matrices a function gives, held at one time
_FEW_ENTRIES = 1 << 16  # of sparse rows that are made dense
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "linear": (),
    "rbf": ("gamma",),
    "poly": ("gamma", "degree", "coef0"),
    "sigmoid": ("gamma", "coef0"),
}


@dataclass(frozen=True, slots=True)
class KernelPoints:
    """A kernel with the points of a fit, of which products and blocks are computed.

    Parameters
    ----------
    kernel : Kernel, callable or "precomputed"
        A value, computed by tiles; a function of two tables; or a matrix that is given.
    points : rows, list or array of shape (n, n)
        Points of the fit; for "precomputed" their kernel matrix.
    owner : str
        Who asks.
    mercer : bool, default=None
        Whether a matrix is known to be positive semidefinite: it is where a kernel that is gave it.

    Examples
    --------
    >>> import numpy as np
    >>> points = KernelPoints(as_kernel("linear"), np.array([[1.0], [2.0]]), "SVC")
    >>> points.product(np.array([[3.0]]), np.array([1]), np.array([[0.5]]))
    array([[3.]])
    """

    kernel: Any
    points: Any
    owner: str
    mercer: bool | None = None

    @property
    def is_given(self) -> bool:
        """Whether points come as rows of a kernel matrix."""
        return isinstance(self.kernel, str)

    @property
    def is_value(self) -> bool:
        """Whether tiles compute the kernel."""
        return isinstance(self.kernel, Kernel)

    def for_engine(self) -> tuple[Any, Any]:
        """The kernel and the points as the dual's solvers take them."""
        if self.is_value:
            return self.kernel, *dense_if_few(self.points)
        return "precomputed", self.points if self.is_given else self.matrix(self.points)

    def matrix(self, points: Any) -> Array:
        """The kernel of new points with those of the fit, whole."""
        if self.is_given:
            return np.asarray(points, dtype=np.float64)
        if self.is_value:
            return kernel_block(self.kernel, points, self.points)
        return evaluated(self.kernel, points, self.points, self.owner)

    def product(self, points: Any, chosen: Any, coefficients: Array) -> Array:
        """K(points, chosen of the fit) times coefficients, never more than a block of K."""
        if self.is_value:
            queries, own = dense_if_few(points, taken(self.points, chosen))
            return kernel_product(self.kernel, queries, own, coefficients)
        if self.is_given:
            return np.asarray(points)[:, chosen] @ coefficients
        n, m = count_of(points), count_of(self.points)
        found = np.empty((n, coefficients.shape[1]))
        step = max(1, _BLOCK_ENTRIES // max(m, 1))
        for start in range(0, n, step):
            some = taken(points, slice(start, min(n, start + step)))
            found[start : start + step] = self.matrix(some)[:, chosen] @ coefficients
        return found


def dense_if_few(*tables: Any) -> list[Any]:
    """Sparse tables as dense ones if all have few entries: as quick, and the bits of dense rows."""
    few = all(is_sparse(each) and np.prod(each.shape) <= _FEW_ENTRIES for each in tables)
    return [each.toarray() if few else each for each in tables]


def named_kernel(name: Any, gamma: float, degree: int, coef0: float) -> Any:
    """The kernel a parameter names: a value where there is one, else a function of two tables.

    >>> named_kernel("rbf", 0.5, 3, 0.0)
    RBF(gamma=0.5)
    """
    if not isinstance(name, str) or name == "precomputed":
        return name
    asked = {"gamma": gamma, "degree": degree, "coef0": coef0}
    if name == "poly" and (degree < 1 or coef0 < 0.0):
        return _indefinite_polynomial(gamma, degree, coef0)
    if "degree" in _PARAMETERS[name]:
        asked["degree"] = int(degree)
    return as_kernel(name, **{each: asked[each] for each in _PARAMETERS[name]})


def _indefinite_polynomial(gamma: float, degree: int, coef0: float) -> Callable[[Any, Any], Array]:
    """(γ xᵀy + c)ᵈ with c < 0 or d = 0: none of our values, which are inner products."""

    def polynomial(X: Any, Y: Any) -> Array:
        product = X @ Y.T
        inner = product.toarray() if hasattr(product, "toarray") else product
        return np.asarray((gamma * inner + coef0) ** degree)

    return polynomial


def width(gamma: Any, rows: Any) -> float:
    """γ: a number, 1/p for "auto", 1/(p·var) for "scale" with the variance of all entries.

    >>> width("scale", np.array([[0.0], [1.0]]))
    4.0
    """
    if isinstance(gamma, Real):
        return float(gamma)
    if gamma == "auto":
        return 1.0 / int(rows.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        if hasattr(rows, "tocsr"):
            size = rows.shape[0] * rows.shape[1]
            spread = float((rows.data**2).sum() / size - (rows.data.sum() / size) ** 2)
        else:
            spread = float(rows.var())
    if not np.isfinite(spread):
        raise NumericalError(
            "The dual coefficients or intercepts are not finite: the variance of X exceeds what "
            "double precision can hold, so that gamma='scale' has no value; scale the columns."
        )
    return 1.0 / (rows.shape[1] * spread) if spread != 0.0 else 1.0


def evaluated(function: Any, X: Any, Y: Any, owner: str) -> Array:
    """What a function of two tables gives, if it is a finite matrix of their size."""
    found = called_on_tables(function, X, Y, owner)
    found = found.toarray() if hasattr(found, "toarray") else found
    wanted = count_of(X), count_of(Y)
    try:
        matrix = np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidDataError(
            f"{owner}: the kernel function gave {type(found).__name__} {found!r:.60}, which is no "
            f"matrix of numbers. {shape_wanted(*wanted)}"
        ) from error
    if matrix.shape != wanted:
        raise InvalidDataError(
            f"{owner}: the kernel function gave shape {matrix.shape} for tables of {wanted[0]} and "
            f"{wanted[1]} rows. {shape_wanted(*wanted)}"
        )
    if not np.isfinite(matrix).all():
        raise InvalidDataError(
            f"{owner}: the kernel function gave NaN or infinity; every pair needs a finite number."
        )
    return matrix


def check_gram(matrix: Array, owner: str) -> None:
    """Refuse a kernel matrix of the points of a fit that is not square and symmetric."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = "x".join(map(str, matrix.shape))
        raise InvalidDataError(
            f"{owner}: Precomputed matrix must be a square matrix. Input is a {shape} matrix; give "
            "the kernel of every pair of the rows of the fit."
        )
    refuse_asymmetric(matrix, owner)


def are_rows(points: Any) -> bool:
    """Whether points are rows of a table, and no list of texts or sets."""
    if isinstance(points, list | tuple):
        return not points or not isinstance(points[0], str | set | frozenset | dict)
    return getattr(points, "ndim", 2) != 1


def taken(points: Any, which: Any) -> Any:
    """Some of the points, whatever holds them."""
    if hasattr(points, "iloc"):
        return points.iloc[which]
    if isinstance(points, list | tuple):
        return [points[i] for i in np.arange(len(points))[which]]
    return points[which]


def subset(points: KernelPoints, rows: Any) -> KernelPoints:
    """Some of the points of a fit, with their kernel."""
    if len(rows) == count_of(points.points):
        return points
    if points.is_given:
        block = points.points[np.ix_(rows, rows)]
        return KernelPoints(points.kernel, block, points.owner, points.mercer)
    return KernelPoints(points.kernel, taken(points.points, rows), points.owner)


def with_matrix(points: KernelPoints, megabytes: float) -> KernelPoints:
    """The same with the matrix computed, where it fits into the memory; else as they are."""
    if not points.is_value or 8e-6 * count_of(points.points) ** 2 > megabytes:
        return points
    matrix, mercer = kernel_block(points.kernel, points.points), points.kernel.is_mercer
    return KernelPoints("precomputed", matrix, points.owner, mercer)
