"""The centred Gram matrix times a few directions, in one pass and without the matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.parallel import in_order

CHUNK_CELLS = 1 << 18  # 2 MB of doubles: rows centred at a time
SPARSE_ROWS = 8192


@dataclass(frozen=True, slots=True, eq=False)
class ProductSum:
    """A sum over rows of matrices p × b.

    >>> import numpy as np
    >>> ProductSum(np.ones((2, 1))).merge(ProductSum(np.ones((2, 1)))).value.ravel()
    array([2., 2.])
    """

    value: Array

    subtractable: ClassVar[bool] = True

    def merge(self, other: Self) -> Self:
        """The sum over both parts' rows."""
        return type(self)(self.value + other.value)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.value).all())

    def column_lengths(self) -> Array:
        return np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class GramProduct:
    r"""Recipe of :math:`X_c^\top W X_c\,Q`, with :math:`X_c = X - 1c^\top`.

    Rows are read once for both products, block by block; dense ones are centred before they are
    multiplied, so that no digits cancel. Sparse rows stay sparse: there the centre is taken from
    the products.

    Parameters
    ----------
    directions : array of shape (p, b)
        Q.
    center : array of shape (p,)
        c.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.data import read_table
    >>> table = read_table([[1.0, 2.0], [3.0, 2.0]], owner="example")
    >>> GramProduct(np.eye(2), np.array([2.0, 2.0])).of(table).value
    array([[2., 0.],
           [0., 0.]])
    """

    directions: Array
    center: Array

    def of(self, table: Table) -> ProductSum:
        """The product for the rows of a table."""
        if not table.is_sparse:
            found = _core.gram_product(table.x, table.weights, self.center, self.directions)
            return ProductSum(found)
        x = table.x.tocsr()

        def of_part(first: int) -> Array:
            part = slice(first, first + SPARSE_ROWS)
            return self._less_center(
                x[part], None if table.weights is None else table.weights[part]
            )

        total = np.zeros_like(self.directions)
        for value in in_order(of_part, range(0, table.n_rows, SPARSE_ROWS)):
            total += value
        return ProductSum(total)

    def _less_center(self, rows: Any, weights: Array | None) -> Array:
        image = rows @ self.directions
        image -= self.center @ self.directions
        if weights is not None:
            image *= weights[:, np.newaxis]
        sums = image.sum(axis=0)
        return np.asarray(rows.T @ image) - np.outer(self.center, sums)
