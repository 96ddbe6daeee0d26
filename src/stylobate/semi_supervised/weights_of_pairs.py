"""How much two rows have to do with each other: the weights along which labels travel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError
from stylobate.kernels import RBF, kernel_block, kernel_product
from stylobate.kernels.table_functions import called_on_tables
from stylobate.neighbors import NearestNeighbors

MOST_STORED = 7000  # rows whose Gaussian weights are kept (400 MB); beyond, by tiles each step


@dataclass(frozen=True)
class TiledWeights:
    """The Gaussian weights of all pairs, computed whenever they are multiplied with something."""

    kernel: RBF
    rows: Any

    @property
    def shape(self) -> tuple[int, int]:
        """That of the matrix."""
        return self.rows.shape[0], self.rows.shape[0]

    def __matmul__(self, values: Array) -> Array:
        return kernel_product(self.kernel, self.rows, None, values)


def weights_of_pairs(kernel: Any, gamma: float, n_neighbors: int, X: Any, owner: str) -> Any:
    """The weights of all pairs of rows: an array, a sparse array, or `TiledWeights`.

    Parameters
    ----------
    kernel : {"rbf", "knn"} or callable
        As of the estimators.
    gamma : float
        Of "rbf".
    n_neighbors : int
        Of "knn": 1 for the nearest rows, of which each row is the first itself.
    X : array or sparse array of shape (n, n_features)
        Rows.
    owner : str
        Who is asking.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [5.0]])
    >>> weights_of_pairs("knn", 0.0, 2, x, "example").toarray()
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 1., 1.]])
    """
    n = X.shape[0]
    if isinstance(kernel, str) and kernel == "rbf":
        value = RBF(gamma)
        return TiledWeights(value, X) if n > MOST_STORED else kernel_block(value, X)
    if isinstance(kernel, str):
        if n_neighbors > n:
            raise InvalidDataError(
                f"{owner}: n_neighbors={n_neighbors} asks for more rows than there are, {n}; "
                f"choose at most {n}."
            )
        return NearestNeighbors(n_neighbors=n_neighbors).fit(X).kneighbors_graph(X)
    return checked_weights(called_on_tables(kernel, X, X, owner), (n, n), owner)


def checked_weights(weights: Any, shape: tuple[int, int], owner: str) -> Any:
    """What a caller's function gave, if it can be weights."""
    found = weights.tocsr() if is_sparse(weights) else np.asarray(weights)
    if found.shape != shape or found.dtype.kind not in "biuf":
        raise InvalidDataError(
            f"{owner}: the function given as kernel must give numbers of shape {shape}, a weight "
            f"for each pair of rows; it gave shape {found.shape} of {found.dtype}."
        )
    values = np.asarray(found.data if is_sparse(found) else found)
    if not np.isfinite(values).all() or (values < 0).any():
        raise InvalidDataError(
            f"{owner}: the function given as kernel gave weights that are negative or not finite; "
            "weights of pairs are numbers of at least 0."
        )
    return found.astype(np.float64)
