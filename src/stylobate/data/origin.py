"""What container the data came in, so that results can go out the same way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from stylobate.data.sparse import is_sparse_array

ARRAYS = ("numpy", "sparse", "sparse-array")


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The kind of container and, where it has one, its row index.

    Parameters
    ----------
    kind : str
        ``"numpy"`` for every plain array and list, ``"sparse"`` for SciPy's matrices,
        ``"sparse-array"`` for its arrays, ``"pandas"``, ``"polars"``, ``"pyarrow"``,
        ``"pyarrow-batch"``, or the name of another data-frame library.
    index : object, default=None
        The row labels of a pandas frame.

    Examples
    --------
    >>> Origin("polars").is_frame
    True
    """

    kind: str = "numpy"
    index: Any = None

    @property
    def is_frame(self) -> bool:
        """Whether the container was a data frame."""
        return self.kind not in ARRAYS

    def take(self, rows: Any) -> Origin:
        """The origin of a subset of rows: the index follows, the kind stays."""
        return self if self.index is None else replace(self, index=self.index[rows])


NUMPY = Origin("numpy")


def sparse_origin(thing: Any) -> Origin:
    """Whether a sparse container is of SciPy's older kind, a matrix, or of the newer, an array."""
    return Origin("sparse-array" if is_sparse_array(thing) else "sparse")
