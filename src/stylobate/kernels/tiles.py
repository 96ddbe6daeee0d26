"""Blocks and products of kernel matrices, computed by tiles without the whole matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.data.finite import all_finite
from stylobate.data.sparse import check_sparse
from stylobate.data.words import Input
from stylobate.distances.maps import IDENTITY, Map
from stylobate.distances.tiles import pairs_of
from stylobate.exceptions import InvalidDataError
from stylobate.kernels.decomposition import Constant, Decomposition, Factor, Measure, Preparation
from stylobate.kernels.functions import as_kernel
from stylobate.kernels.kernel import Kernel, count_of

BLOCK_ENTRIES = 1 << 21  # of a kernel that has no tiles, evaluated block by block

PairMaker = Callable[[Any, Any, str], _core.Pairs]


def kernel_block(
    kernel: Any, X: Any, Y: Any | None = None, rows: Any = None, columns: Any = None
) -> Array:
    r"""Some rows and columns of the kernel matrix, :math:`\kappa(x_i, y_j)` for i ∈ I, j ∈ J.

    Parameters
    ----------
    kernel : Kernel, str or callable
        As `as_kernel` takes it.
    X : points, n of them
        Rows of an array, sparse matrix or data frame; lists for kernels of sequences.
    Y : points, m of them, default=None
        None for X again.
    rows, columns : array of int or slice, default=None
        I and J; None for all.

    Returns
    -------
    array of shape (len(I), len(J))

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.kernels import RBF
    >>> x = np.arange(6.0).reshape(-1, 1)
    >>> kernel_block(RBF(gamma=1.0), x, rows=[0, 5], columns=[4]).round(4)
    array([[0.    ],
           [0.3679]])
    """
    value = as_kernel(kernel)
    refuse_damaged("kernel_block", X, Y)
    left = _taken(X, rows)
    if Y is None and rows is None and columns is None:
        right = left
    else:
        right = _taken(X if Y is None else Y, columns)
    return finite_kernel(written_block(value, left, right), value)


def written_block(value: Kernel, left: Any, right: Any, *, lower: bool = False) -> Array:
    """κ of all points of two lists, not searched for what overflowed; see `finite_kernel`.

    With ``lower`` and one list, whatever may lie above the diagonal is not to be read.
    """
    pairs = kernel_pairs(value, left, right)
    if pairs is None:
        return value._gram(left, None if right is left else right)
    out = np.empty((count_of(left), count_of(right)))
    pairs.write(out, *IDENTITY, right is left, lower)
    return out


def kernel_product(kernel: Any, X: Any, Y: Any | None, V: Any, *, transpose: bool = False) -> Array:
    r"""The product K(X, Y) V without K: n × m numbers are never in memory.

    .. math:: (KV)_{ic} = \sum_j \kappa(x_i, y_j)\,v_{jc}

    Parameters
    ----------
    kernel : Kernel, str or callable
        As `as_kernel` takes it.
    X : points, n of them
    Y : points, m of them, or None for X again
    V : array of shape (m,) or (m, k)
        With ``transpose``, of n rows.
    transpose : bool, default=False
        Whether to give :math:`K^T V`.

    Returns
    -------
    array of shape (n,) or (n, k); m rows for the transpose

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.kernels import RBF
    >>> x = np.random.default_rng(0).normal(size=(50, 3))
    >>> v = np.ones(50)
    >>> np.allclose(kernel_product(RBF(), x, None, v), RBF()(x) @ v)
    True
    """
    value = as_kernel(kernel)
    refuse_damaged("kernel_product", X, Y)
    other = X if Y is None else Y
    factor, wanted = np.asarray(V, dtype=np.float64), count_of(X if transpose else other)
    if factor.ndim not in (1, 2) or factor.shape[0] != wanted:
        raise InvalidDataError(
            f"kernel_product: V has shape {factor.shape}, but the kernel matrix has {wanted} "
            f"{'rows' if transpose else 'columns'}."
        )
    flat = factor.reshape(wanted, -1)
    pairs = kernel_pairs(value, other, X) if transpose else kernel_pairs(value, X, other)
    if pairs is None:
        product = _by_blocks(value, X, other, flat, transpose)
    else:
        product = finite_kernel(np.asarray(pairs.multiply(flat, other is X)), value)
    return product[:, 0] if factor.ndim == 1 else product


def refuse_damaged(owner: str, *points: Any) -> None:
    """Refuse sparse rows whose indices point outside them."""
    for each, name in zip(points, ("X", "Y"), strict=False):
        check_sparse(each, Input(owner, name))


def kernel_pairs(kernel: Kernel, X: Any, Y: Any, make: PairMaker = pairs_of) -> _core.Pairs | None:
    """The core's pairs of a kernel that decomposes on points that are rows; None for others."""
    if not _are_rows(X) or not _are_rows(Y):
        return None
    parts = kernel.decomposition(_columns(X))
    if parts is None or not parts.measures:
        return None
    measured = [
        make(*_both(X, Y, measure.prepare, _rows), measure.name) for measure in parts.measures
    ]
    factors = [
        _both(X, Y, step.prepare, step.function) for step in parts.steps if isinstance(step, Factor)
    ]
    return _core.Pairs.kernel(measured, list(_core_steps(parts)), factors)


def _core_steps(parts: Decomposition) -> Iterator[tuple[str, int, str, float, float, float]]:
    places = {measure: place for place, measure in enumerate(parts.measures)}
    factors = 0
    for step in parts.steps:
        if isinstance(step, Measure):
            yield "measure", places[step], *IDENTITY
        elif isinstance(step, Map):
            yield "map", 0, *step
        elif isinstance(step, Constant):
            yield "constant", 0, "identity", step.value, 0.0, 1.0
        elif isinstance(step, Factor):
            yield "factors", factors, *IDENTITY
            factors += 1
        else:
            yield step, 0, *IDENTITY


def _both(
    X: Any, Y: Any, prepare: tuple[Preparation, ...], finish: Callable[[Any], Any]
) -> tuple[Any, Any]:
    """What becomes of both sides: one object if they are one."""

    def made(points: Any) -> Any:
        for step in prepare:
            points = step(points)
        return finish(points)

    left = made(X)
    return left, left if Y is X else made(Y)


def _rows(points: Any) -> Any:
    return read_table(points, owner="Kernel").x


def _are_rows(points: Any) -> bool:
    """Whether the points are a table and no list of texts or sets."""
    if isinstance(points, list | tuple):
        return bool(points) and not isinstance(points[0], str | set | frozenset | dict)
    return getattr(points, "ndim", 2) == 2


def _columns(points: Any) -> int:
    shape = getattr(points, "shape", None)
    return int(shape[1]) if shape is not None else len(points[0])


def _taken(points: Any, which: Any) -> Any:
    if which is None:
        return points
    if isinstance(points, list | tuple):
        return [points[i] for i in np.arange(len(points))[which]]
    if hasattr(points, "iloc"):
        return points.iloc[which]
    index: NDArray[np.intp] = np.arange(count_of(points))[which]
    return points.tocsr()[index] if hasattr(points, "tocsr") else points[index]


def _by_blocks(kernel: Kernel, X: Any, Y: Any, V: Array, transpose: bool) -> Array:
    """The product through the kernel's own blocks of rows."""
    n, m = count_of(X), count_of(Y)
    step = max(1, BLOCK_ENTRIES // max(m, 1))
    product = np.zeros((m if transpose else n, V.shape[1]))
    for start in range(0, n, step):
        some = slice(start, min(n, start + step))
        block = kernel._gram(_taken(X, some), Y)
        if transpose:
            product += block.T @ V[some]
        else:
            product[some] = block @ V
    return product


def finite_kernel(values: Array, owner: Kernel) -> Array:
    """The values of a kernel, or sums of them; refused where one overflowed."""
    if not all_finite(values):
        raise InvalidDataError(
            f"{owner!r} overflows on these points: a value exceeds the largest double; scale the "
            "data, or multiply κ by a small number first."
        )
    return values
