"""A link: an edge whose keys have been numbered, so that rows find their matches by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices, Integers
from stylobate.exceptions import InvalidDataError
from stylobate.joins.edge import Edge
from stylobate.joins.keys import Codes, CompositeIndex, key_text


class Link:
    """The rows of a joined table by their keys.

    Parameters
    ----------
    edge : Edge
    columns : sequence of arrays of shape (n,)
        The key's columns.
    parents : tuple of int
        The tables that point, by position: 0 for the facts, k for the table of the k-th edge.

    Attributes
    ----------
    n_rows : int
        Rows of the table. Position `n_rows` stands for no match.
    row_of : array of shape (keys,) or None
        The row of each key, where each has one.
    """

    def __init__(self, edge: Edge, columns: Sequence[NDArray[Any]], parents: tuple[int, ...]):
        self.edge, self.parents = edge, parents
        self.n_rows = len(columns[0])
        self.index = CompositeIndex(columns, edge.key)
        codes = self.index.codes
        self.sizes: Integers = np.bincount(codes[codes >= 0], minlength=self.index.size)
        self.most = int(self.sizes.max(initial=0))
        if self.most > 1 and not edge.many:
            self._refuse_fan_out(columns)
        self.row_of: Indices | None = None
        there = np.flatnonzero(codes >= 0)
        if self.most <= 1:
            self.row_of = np.full(self.index.size + 1, self.n_rows, np.intp)
            self.row_of[codes[there]] = there
            return
        self.order: Indices = there[np.argsort(codes[there], kind="stable")]
        self.starts: Integers = np.concatenate([[0], np.cumsum(self.sizes)])

    def _refuse_fan_out(self, columns: Sequence[NDArray[Any]]) -> None:
        key = int(np.argmax(self.sizes))
        row = int(np.flatnonzero(self.index.codes == key)[0])
        shown = ", ".join(
            f"{name}={key_text(column, row)}"
            for name, column in zip(self.edge.columns, columns, strict=True)
        )
        repeated = int((self.sizes > 1).sum())
        raise InvalidDataError(
            f"join: {self.edge.table} has {self.sizes[key]} rows with {shown} ({repeated:,} of "
            f"{self.index.size:,} keys occur more than once), so joining it would multiply the "
            f"rows of {' and '.join(self.edge.parent_tables)}. Keep one row of each key, or pass "
            "many=True "
            "if every pair of rows is wanted."
        )

    def rows_of(self, codes: Codes) -> Indices:
        """The one row of each code, `n_rows` where there is none."""
        assert self.row_of is not None
        return self.row_of[codes]  # the last element belongs to the code -1

    def counts_of(self, codes: Codes) -> Integers:
        """How many rows each code has; at least one with a left join: that of no match."""
        found = np.append(self.sizes, 0)[codes]
        return np.maximum(found, 1) if self.edge.how == "left" else found

    def member(self, codes: Codes, offsets: Integers) -> Indices:
        """The row of each code at a place among its rows."""
        places = np.where(codes < 0, 0, self.starts[codes] + offsets)
        return np.where(codes < 0, self.n_rows, self.order[places])

    def sum_by_key(self, values: Array) -> Array:
        """Sums over the rows of each key, the last one standing for no match.

        Parameters
        ----------
        values : array of shape (n_rows + 1,)
            The last element is the value of no match.
        """
        codes = self.index.codes
        there = codes >= 0
        sums = np.bincount(codes[there], values[:-1][there], minlength=self.index.size)
        return np.append(sums, values[-1] if self.edge.how == "left" else 0.0)
