"""Rows with the number of their class, as the statistics of classes take them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.rows import csr_parts


def class_codes(table: Table) -> tuple[NDArray[Any], Array]:
    """The labels of a table's classes, and the number of each row's among them (as floats).

    Numbers without labels stand for themselves: 0, 1, … up to the largest.
    """
    if table.y is None or table.y.shape[1] != 1:
        raise InvalidDataError(
            f"{table.owner}: moments of classes need one class per row in y, got "
            f"{'no y' if table.y is None else f'{table.y.shape[1]} columns'}."
        )
    codes: Array = table.y[:, 0]
    if table.classes is not None:
        return table.classes, codes
    if len(codes) and not ((codes >= 0).all() and (codes == np.floor(codes)).all()):
        raise InvalidDataError(
            f"{table.owner}: numbers of classes must be 0, 1, 2 …, got "
            f"{codes[~((codes >= 0) & (codes == np.floor(codes)))][0]:g}."
        )
    return np.arange(int(codes.max(initial=-1)) + 1), codes


def class_pass(name: str, table: Table, codes: Array, count: int) -> tuple[Array, ...]:
    """What the core's pass of that name finds in the rows of each of `count` classes."""
    codes = np.ascontiguousarray(codes)
    if table.is_sparse:
        found = getattr(_core, f"{name}_csr")(*csr_parts(table.x), codes, table.weights, count)
    else:
        found = getattr(_core, name)(table.x, codes, table.weights, count)
    arrays: tuple[Array, ...] = found
    return arrays
