"""How many rows two clusterings put where: the table that every score of agreement follows from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.classification.label_codes import code
from stylobate.metrics.cluster.labelings import read_two_labelings


@dataclass(frozen=True)
class Contingency:
    r"""The counts :math:`n_{ij}` of rows in class i and cluster j, where there are any.

    Parameters
    ----------
    classes, clusters : ndarray of shape (cells,)
        The numbers i and j of each cell that is not empty.
    counts : ndarray of shape (cells,)
        Its rows.
    shape : tuple of int
        How many classes and clusters there are.

    Examples
    --------
    >>> table = contingency_of([0, 0, 1, 1], ["a", "b", "b", "b"])
    >>> table.counts, table.class_sizes, table.cluster_sizes
    (array([1, 1, 2]), array([2, 2]), array([1, 3]))
    """

    classes: NDArray[np.int64]
    clusters: NDArray[np.int64]
    counts: NDArray[np.int64]
    shape: tuple[int, int]

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    @cached_property
    def class_sizes(self) -> NDArray[np.int64]:
        """Rows of each class."""
        return _totals(self.classes, self.counts, self.shape[0])

    @cached_property
    def cluster_sizes(self) -> NDArray[np.int64]:
        """Rows of each cluster."""
        return _totals(self.clusters, self.counts, self.shape[1])

    def with_counts(self, counts: NDArray[np.int64]) -> Contingency:
        """The table of as many rows in each cell; classes and clusters without rows are dropped."""
        there = counts > 0
        distinct, classes = np.unique(self.classes[there], return_inverse=True)
        others, clusters = np.unique(self.clusters[there], return_inverse=True)
        shape = len(distinct), len(others)
        return replace(self, classes=classes, clusters=clusters, counts=counts[there], shape=shape)


def contingency_of(labels_true: Any, labels_pred: Any) -> Contingency:
    """The table of two clusterings, checked."""
    a, b = read_two_labelings(labels_true, labels_pred)
    return _counted(code(a), code(b))


def given_contingency(contingency: Any) -> Contingency:
    """The table of counts a caller already has, dense or sparse."""
    from scipy.sparse import coo_array

    table = coo_array(contingency)
    table.sum_duplicates()
    if table.ndim != 2:
        raise InvalidDataError("contingency must have a row for each class; it has one dimension.")
    values = np.asarray(table.data)
    if values.dtype.kind not in "biuf" or not (values >= 0).all() or (values % 1 != 0).any():
        raise InvalidDataError("contingency must hold counts: whole numbers, none negative.")
    there = values > 0
    rows, columns = (each[there].astype(np.int64) for each in table.coords)
    return Contingency(rows, columns, values[there].astype(np.int64), table.shape)


def contingency_matrix(
    labels_true: Any,
    labels_pred: Any,
    *,
    eps: float | None = None,
    sparse: bool = False,
    dtype: Any = np.int64,
) -> Any:
    """The matrix of how many rows are in each class and each cluster.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Two clusterings of the same rows.
    eps : float in [0, inf), default=None
        Added to every entry, so that logarithms are defined.
    sparse : bool, default=False
        Whether to return a sparse matrix of compressed rows; not together with `eps`.
    dtype : dtype, default=int64
        Of the entries, where `eps` is None.

    Returns
    -------
    ndarray or csr_matrix of shape (n_classes, n_clusters)

    Examples
    --------
    >>> contingency_matrix([0, 0, 1, 1, 2, 2], [1, 0, 2, 1, 0, 2])
    array([[1, 1, 0],
           [0, 1, 1],
           [1, 0, 1]])
    """
    if eps is not None and sparse:
        raise InvalidParameterError("Cannot set 'eps' when sparse=True: every entry would be.")
    if eps is not None and not eps >= 0:
        raise InvalidParameterError(f"contingency_matrix: eps must be at least 0, got {eps!r}.")
    table = contingency_of(labels_true, labels_pred)
    if sparse:
        from scipy.sparse import csr_matrix

        cells = table.counts.astype(dtype), (table.classes, table.clusters)
        return csr_matrix(cells, shape=table.shape)
    matrix = np.zeros(table.shape, dtype=dtype)
    matrix[table.classes, table.clusters] = table.counts
    return matrix if eps is None else matrix + eps


def _counted(
    a: tuple[NDArray[Any], NDArray[np.int64]], b: tuple[NDArray[Any], NDArray[np.int64]]
) -> Contingency:
    shape = len(a[0]), len(b[0])
    cells, of_row = code(a[1] * max(1, shape[1]) + b[1])
    counts = np.bincount(of_row, minlength=len(cells)).astype(np.int64)
    return Contingency(cells // max(1, shape[1]), cells % max(1, shape[1]), counts, shape)


def _totals(places: NDArray[np.int64], counts: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    totals = np.zeros(length, dtype=np.int64)
    np.add.at(totals, places, counts)
    return totals
