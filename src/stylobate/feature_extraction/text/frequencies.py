"""Document frequencies: the statistic from which idf weights follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    r"""How many documents there are, and in how many of them each term occurs.

    Parts add up: :math:`n = \sum n_k`, :math:`\mathrm{df}_t = \sum \mathrm{df}_{t,k}`.

    Parameters
    ----------
    documents : float
        Number of documents.
    counts : array of shape (n_terms,)
        Documents with each term: entries stored, whatever their value, of a sparse matrix; other
        than zero, of a dense one.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> monday = read_table([[1.0, 0.0], [2.0, 1.0]], owner="example")
    >>> tuesday = read_table([[0.0, 3.0]], owner="example")
    >>> both = DocumentFrequencies.of(monday).merge(DocumentFrequencies.of(tuesday))
    >>> both.documents, both.counts
    (3.0, array([2., 2.]))
    """

    documents: float
    counts: Array

    subtractable: ClassVar[bool] = True

    @classmethod
    def of(cls, table: Table) -> Self:
        """The statistic of a table of counts."""
        if not table.is_sparse:
            return cls(float(table.n_rows), np.count_nonzero(table.x, axis=0).astype(np.float64))
        return cls(float(table.n_rows), stored_per_column(table.x))

    def merge(self, other: Self) -> Self:
        """The statistic of both parts' documents."""
        return type(self)(self.documents + other.documents, self.counts + other.counts)

    def subtract(self, other: Self) -> Self:
        """The statistic without the documents of a part."""
        return type(self)(self.documents - other.documents, self.counts - other.counts)

    def idf(self, *, smooth: bool = True) -> Array:
        r"""Inverse document frequencies of the terms.

        :math:`1 + \log\frac{n + s}{\mathrm{df} + s}`; s = 1 if smooth (as if one document had all
        terms), else 0.

        Parameters
        ----------
        smooth : bool, default=True
            Whether to add one to both; terms in no document then keep a finite weight.

        Returns
        -------
        array of shape (n_terms,)
        """
        extra = float(smooth)
        weights: Array = np.log((self.documents + extra) / (self.counts + extra)) + 1.0
        return weights

    def is_finite(self) -> bool:
        """Counts always are."""
        return True

    def column_lengths(self) -> Array:
        """It does not tell."""
        return np.empty(0)

    def to_arrays(self) -> dict[str, Array]:
        """Plain arrays from which `from_arrays` rebuilds the statistic."""
        return {"documents": np.array(self.documents), "counts": self.counts}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Self:
        """The statistic that gave these arrays."""
        return cls(float(arrays["documents"]), arrays["counts"])


def stored_per_column(matrix: Any) -> Array:
    """Entries stored in each column of a CSR or CSC matrix."""
    by_columns = matrix.format == "csc"
    counts = (
        np.diff(matrix.indptr)
        if by_columns
        else np.bincount(matrix.indices, minlength=matrix.shape[1])
    )
    return np.asarray(counts, dtype=np.float64)
