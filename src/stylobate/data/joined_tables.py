"""Tables one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.data.table import Table
from stylobate.exceptions import InvalidDataError


def joined(tables: Sequence[Table], first_row: int = 0) -> Table:
    """The rows of several tables as one.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> parts = [read_table([[1.0], [2.0]], owner="example"), read_table([[3.0]], owner="example")]
    >>> joined(parts).x.ravel().tolist()
    [1.0, 2.0, 3.0]
    """
    head = tables[0]
    if len(tables) == 1:
        return head if head.first_row == first_row else replace(head, first_row=first_row)
    x = _stacked([table.x for table in tables])
    y, classes = _targets(tables)
    weights = None
    if any(table.weights is not None for table in tables):
        weights = np.concatenate(
            [np.ones(t.n_rows) if t.weights is None else t.weights for t in tables]
        )
    return replace(
        head,
        x=x,
        y=y,
        classes=classes,
        weights=weights,
        finite=all(table.finite for table in tables),
        first_row=first_row,
        origin=replace(head.origin, index=None),  # which is that of the first table alone
    )


def _stacked(parts: Sequence[Any]) -> Any:
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts)
    from scipy import sparse

    return sparse.vstack([sparse.csr_array(part) for part in parts], format="csr")


def _targets(tables: Sequence[Table]) -> tuple[Any, Any]:
    """Targets one below the other; codes of classes in terms of all classes."""
    targets = [table.y for table in tables]
    if all(y is None for y in targets):
        return None, None
    if any(y is None for y in targets):
        raise InvalidDataError(f"{tables[0].owner}: some batches have a target and others none.")
    widths = sorted({y.shape[1] for y in targets if y is not None})
    if len(widths) > 1:
        raise InvalidDataError(
            f"{tables[0].owner}: batches with {widths[0]} and with {widths[-1]} targets; all must "
            "have the same."
        )
    if tables[0].classes is None:
        return np.concatenate([y for y in targets if y is not None]), None
    classes = np.unique(np.concatenate([table.classes for table in tables]))
    parts = [
        np.searchsorted(classes, table.classes)[table.y.astype(np.intp)].astype(np.float64)
        for table in tables
        if table.y is not None and table.classes is not None
    ]
    return np.concatenate(parts), classes
