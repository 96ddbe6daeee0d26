"""AssignmentSums: what a step of k-means needs of the rows, mergeable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.statistics.rows import csr_parts


class RowAssignments(NamedTuple):
    """Of every row the nearest centre, and squared distances to it and to the next nearest."""

    labels: NDArray[np.int32]
    nearest: Array
    second: Array


@dataclass(frozen=True, slots=True, eq=False)
class AssignTo:
    """Centres to which rows are assigned: the recipe of `AssignmentSums`.

    Parameters
    ----------
    centers : array of shape (k, p)
        Finite; of equally near ones the first counts.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[0.0], [1.0], [9.0]], owner="example")
    >>> recipe = AssignTo(np.array([[0.0], [10.0]]))
    >>> recipe.of(table).means().ravel()
    array([0.5, 9. ])
    >>> recipe.rows(table)[0].labels
    array([0, 0, 1], dtype=int32)
    """

    centers: Array

    def __post_init__(self) -> None:
        centers = np.ascontiguousarray(self.centers, dtype=np.float64)
        if centers.ndim != 2 or len(centers) < 1 or not np.isfinite(centers).all():
            raise InvalidParameterError(
                "AssignTo: centers must be a table of finite numbers with at least one row, got "
                f"shape {centers.shape}."
            )
        object.__setattr__(self, "centers", centers)

    def of(self, table: Table) -> AssignmentSums:
        """The sums of a table's rows, in one pass over them."""
        return self._pass(table, each_row=False)[0]

    def rows(self, table: Table) -> tuple[RowAssignments, AssignmentSums]:
        """What becomes of every row, and the sums, in the same pass."""
        sums, rows = self._pass(table, each_row=True)
        return rows, sums

    def of_packed(self, packed: Any, weights: Array | None = None) -> AssignmentSums:
        """The sums of rows packed by `packed_rows`, for many passes over the same rows."""
        return self._finished(packed.assign(self.centers, weights, False))[0]

    def _pass(self, table: Table, each_row: bool) -> tuple[AssignmentSums, RowAssignments]:
        from stylobate import _core

        if table.n_features != self.centers.shape[1]:
            raise InvalidDataError(
                f"AssignTo: X has {table.n_features} features, but the centres have "
                f"{self.centers.shape[1]}."
            )
        if table.is_sparse:
            values, indices, offsets, _ = csr_parts(table.x)
            values = np.asarray(values, dtype=np.float64)
            given = (values, indices, offsets, self.centers, table.weights, each_row)
            return self._finished(_core.assign_csr(*given))
        return self._finished(_core.assign(table.x, self.centers, table.weights, each_row))

    def _finished(self, found: Any) -> tuple[AssignmentSums, RowAssignments]:
        rows, weight, deviations, inertia, *each = found
        return AssignmentSums(self.centers, rows, weight, deviations, inertia), RowAssignments(
            *each
        )


def packed_rows(table: Table) -> Any:
    """A dense table's rows packed for `AssignTo.of_packed`; holds one copy in double precision."""
    from stylobate import _core

    if table.is_sparse:
        raise InvalidDataError("packed_rows takes dense rows; sparse ones are not packed.")
    pack = _core.PackedRowsSingle if table.x.dtype == np.float32 else _core.PackedRows
    x = table.x if table.x.strides[1] == table.x.itemsize else np.ascontiguousarray(table.x)
    return pack(x, "squared")


@dataclass(frozen=True, slots=True, eq=False)
class AssignmentSums:
    r"""Sums of the rows nearest to each of k centres.

    .. math:: W_c = \sum_{i: l_i = c} w_i, \qquad d_c = \sum_{i: l_i = c} w_i (x_i - \mu_c),
        \qquad \text{inertia} = \sum_i w_i \|x_i - \mu_{l_i}\|^2

    with :math:`l_i` the centre nearest to row i. Made by `AssignTo.of`; merges with sums made for
    the same centres. Sums are held about the centres, so that tight clusters far from the origin
    keep their digits.

    Parameters
    ----------
    centers : array of shape (k, p)
        μ.
    rows, weight : arrays of shape (k,)
        Rows of positive weight, and W.
    deviations : array of shape (k, p)
        d.
    inertia : float

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> recipe = AssignTo(np.array([[0.0], [10.0]]))
    >>> left = recipe.of(read_table([[1.0], [2.0]], owner="example"))
    >>> right = recipe.of(read_table([[9.0]], owner="example"))
    >>> both = left.merge(right)
    >>> both.weight.tolist(), both.sums.ravel().tolist(), both.inertia
    ([2.0, 1.0], [3.0, 9.0], 6.0)
    """

    centers: Array
    rows: Array
    weight: Array
    deviations: Array
    inertia: float

    subtractable: ClassVar[bool] = True

    @property
    def sums(self) -> Array:
        """Σ w x of the rows of each centre."""
        return np.asarray(self.weight[:, None] * self.centers + self.deviations)

    def means(self) -> Array:
        """The mean of each centre's rows: Lloyd's next centres. Those without rows stay."""
        weight = np.where(self.weight > 0.0, self.weight, 1.0)
        return np.asarray(self.centers + self.deviations / weight[:, None])

    def inertia_at_means(self) -> float:
        """Σ w ‖x − mean‖² of the rows of each centre about their own mean."""
        weight = np.where(self.weight > 0.0, self.weight, 1.0)
        gained = float(((self.deviations**2).sum(axis=1) / weight).sum())
        return max(float(self.inertia) - gained, 0.0)

    def merge(self, other: Self) -> Self:
        """The sums of both parts' rows."""
        return self._combined(other, 1.0)

    def subtract(self, other: Self) -> Self:
        """The sums of the rows here that are not in `other`, which must be a part of these."""
        return self._combined(other, -1.0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.inertia))

    def column_lengths(self) -> Array:
        """Nothing: distances of finite rows may overflow, and then the inertia tells."""
        return np.empty(0)

    def to_arrays(self) -> dict[str, Array]:
        arrays = {name: getattr(self, name) for name in AssignmentSums.__slots__[:-1]}
        return {**arrays, "inertia": np.array([self.inertia])}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Self:
        kept = {name: array for name, array in arrays.items() if name != "inertia"}
        return cls(**kept, inertia=float(arrays["inertia"][0]))

    def _combined(self, other: Self, sign: float) -> Self:
        if not np.array_equal(self.centers, other.centers):
            raise InvalidDataError(
                "AssignmentSums: the sums of both parts must be of the same centres."
            )
        return type(self)(
            self.centers,
            self.rows + sign * other.rows,
            self.weight + sign * other.weight,
            self.deviations + sign * other.deviations,
            self.inertia + sign * other.inertia,
        )
