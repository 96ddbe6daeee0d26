"""Kernels of some of the columns, so that blocks of features get kernels of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.columns import read_columns
from stylobate.exceptions import InvalidDataError
from stylobate.kernels.kernel import Kernel

if TYPE_CHECKING:
    from stylobate.kernels.decomposition import Decomposition


@dataclass(frozen=True, slots=True, repr=False)
class OnColumns(Kernel):
    r""":math:`\kappa(x_a, y_a)` where :math:`x_a` are some coordinates of :math:`x`.

    Parameters
    ----------
    kernel : Kernel
        Of the columns.
    columns : tuple of int or str
        Which: positions, negative ones from the end, or names of a data frame's columns.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.kernels import RBF, Linear
    >>> kernel = RBF(gamma=1.0).on([0]) * Linear().on([1, 2])
    >>> kernel
    RBF(gamma=1.0).on([0])·Linear().on([1, 2])
    >>> kernel(np.array([[0.0, 1.0, 2.0]]))
    array([[5.]])
    """

    kernel: Kernel
    columns: tuple[Any, ...]

    @property
    def is_mercer(self) -> bool:
        return self.kernel.is_mercer

    def _taken(self, X: Any) -> Any:
        table = read_columns(X, owner="Kernel")
        return table.take(_positions(self.columns, table.n_columns, table.names))

    def decomposition(self, columns: int) -> Decomposition | None:
        own = self.kernel.decomposition(len(self.columns))
        return None if own is None else own.prepared(self._taken)

    def _gram(self, X: Any, Y: Any | None) -> Array:
        return self.kernel._gram(self._taken(X), None if Y is None else self._taken(Y))

    def _diagonal(self, X: Any) -> Array:
        return self.kernel._diagonal(self._taken(X))

    def features(self, X: Any) -> Array:
        return self.kernel.features(self._taken(X))

    def __repr__(self) -> str:
        text = repr(self.kernel)
        text = f"({text})" if " + " in text or "·" in text else text
        return f"{text}.on({list(self.columns)})"


def _positions(
    columns: tuple[Any, ...], count: int, names: tuple[str, ...] | None
) -> NDArray[np.intp]:
    found = []
    for column in columns:
        if isinstance(column, str):
            if names is None or column not in names:
                known = "the points have no names" if names is None else ", ".join(names[:12])
                raise InvalidDataError(
                    f"Kernel: there is no column {column!r}; there are: {known}."
                )
            found.append(names.index(column))
        elif -count <= column < count:
            found.append(int(column) % count)
        else:
            raise InvalidDataError(
                f"Kernel: column {column} does not exist; the points have {count} columns."
            )
    return np.array(found, dtype=np.intp)
