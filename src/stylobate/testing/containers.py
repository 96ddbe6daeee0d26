"""The same numbers in every kind of container the library takes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

Build = Callable[[NDArray[np.float64]], Any]


def _strided(X: NDArray[np.float64]) -> NDArray[np.float64]:
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)  # a slip would read NaN
    wide[::2, ::3] = X
    return wide[::2, ::3]


def _read_only(X: NDArray[np.float64]) -> NDArray[np.float64]:
    copy = X.copy()
    copy.setflags(write=False)
    return copy


def _memory_mapped(X: NDArray[np.float64]) -> NDArray[np.float64]:
    with tempfile.TemporaryFile() as file:
        mapped = np.memmap(file, dtype=X.dtype, mode="w+", shape=X.shape)
    mapped[:] = X
    mapped.setflags(write=False)
    return mapped


def column_names(X: NDArray[Any]) -> list[str]:
    """Names for the columns of X, in an order that sorting would change."""
    if X.shape[1] > 26:  # a Gram matrix
        return [f"column {X.shape[1] - place:04d}" for place in range(X.shape[1])]
    return [f"column {letter}" for letter in "zyxwvutsrqponmlkjihgfedcba"[: X.shape[1]]]


def _columns(X: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    return dict(zip(column_names(X), np.ascontiguousarray(X.T), strict=True))


def _pandas(X: NDArray[np.float64]) -> Any:
    import pandas as pd

    return pd.DataFrame(_columns(X))


def _polars(X: NDArray[np.float64]) -> Any:
    import polars as pl

    return pl.DataFrame(_columns(X))


def _pyarrow(X: NDArray[np.float64]) -> Any:
    import pyarrow as pa

    return pa.table(_columns(X))


def _sparse(kind: str) -> Build:
    def build(X: NDArray[np.float64]) -> Any:
        from scipy import sparse

        return getattr(sparse, kind)(X)

    return build


DENSE: dict[str, Build] = {
    "numpy": lambda X: np.ascontiguousarray(X),
    "fortran": lambda X: np.asfortranarray(X),
    "strided": _strided,
    "read-only": _read_only,
    "memory-mapped": _memory_mapped,
    "float32": lambda X: X.astype(np.float32),
    "list": lambda X: X.tolist(),
}
SPARSE: dict[str, Build] = {
    "csr": _sparse("csr_array"),
    "csc": _sparse("csc_array"),
    "csr matrix": _sparse("csr_matrix"),
}
FRAMES: dict[str, Build] = {"pandas": _pandas, "polars": _polars, "pyarrow": _pyarrow}


def containers(*, sparse: bool) -> dict[str, Build]:
    """Builders of every container, by name; frames whose library is not installed are left out.

    Parameters
    ----------
    sparse : bool
        Whether to include sparse matrices.

    Returns
    -------
    dict of str to callable
        Each takes an array of shape (n, p) and returns the same numbers in its container.

    Examples
    --------
    >>> containers(sparse=False)["list"](np.eye(2))
    [[1.0, 0.0], [0.0, 1.0]]
    """
    frames = {name: build for name, build in FRAMES.items() if find_spec(name) is not None}
    return DENSE | (SPARSE if sparse else {}) | frames
