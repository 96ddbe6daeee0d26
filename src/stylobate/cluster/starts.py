"""Where k-means starts from: rows drawn far from one another, rows drawn at random, or given."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, Numbers, Options
from stylobate.base.parameters import check_parameters, constraint_from
from stylobate.base.randomness import stream_of
from stylobate.cluster.passes import dense
from stylobate.data import Table, read_table, read_weights
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NumericalError

if TYPE_CHECKING:
    Draws = np.random.RandomState

Positive = Annotated[int, Interval(1, inf)]
Centres = Annotated[str, Options("k-means++", "random")] | Callable[..., Any]
Init = Centres | Annotated[Any, Numbers(ndim=2)]


def kmeans_plusplus(
    X: Any,
    n_clusters: int,
    *,
    sample_weight: Any = None,
    x_squared_norms: Any = None,
    random_state: Any = None,
    n_local_trials: int | None = None,
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    r"""Draw rows far from one another: the starts of k-means.

    The first row is drawn with chances proportional to the weights, each further one with chances
    :math:`w_i \min_c \|x_i - x_c\|^2`, c over those drawn so far; of several candidates the one
    that lowers the sum of these numbers most is taken.

    Parameters
    ----------
    X : array-like or sparse of shape (n, p)
        Rows.
    n_clusters : int in [1, n]
        How many to draw.
    sample_weight : array-like of shape (n,), default=None
        Non-negative weights.
    x_squared_norms : array-like of shape (n,), default=None
        Accepted and checked for its shape; not needed here.
    random_state : int, RandomState, Generator or None, default=None
        The same seed draws the rows that scikit-learn draws.
    n_local_trials : int in [1, inf) or None, default=None
        Candidates for each row but the first; None: 2 + ⌊log k⌋.

    Returns
    -------
    centers : array of shape (n_clusters, p)
        The rows drawn.
    indices : array of int, shape (n_clusters,)
        Their numbers.

    Examples
    --------
    >>> centers, indices = kmeans_plusplus([[1.0], [2.0], [50.0]], 2, random_state=0)
    >>> sorted(centers.ravel().tolist())
    [2.0, 50.0]

    References
    ----------
    Arthur & Vassilvitskii (2007), k-means++: the advantages of careful seeding, SODA.
    """
    owner = "kmeans_plusplus"
    allowed = {
        "n_clusters": constraint_from(Positive),
        "n_local_trials": constraint_from(Positive | None),
    }
    check_parameters(owner, allowed, locals())
    table = read_table(X, owner=owner)
    weights = read_weights(sample_weight, table.n_rows, owner=owner)
    if x_squared_norms is not None and np.shape(x_squared_norms)[:1] != (table.n_rows,):
        raise InvalidDataError(
            f"{owner}: The length of x_squared_norms {len(x_squared_norms)} should be equal to "
            f"the length of n_samples {table.n_rows}."
        )
    refuse_few_rows(table.n_rows, n_clusters)
    draws = stream_of(random_state)
    x = table.x.tocsr() if table.is_sparse else table.x
    chosen = drawn_apart(x, weights, n_clusters, draws, n_local_trials)
    taken = x[chosen]
    return (taken.toarray() if table.is_sparse else taken), chosen


def refuse_few_rows(n_rows: int, n_clusters: int) -> None:
    """Refuse more clusters than rows."""
    if n_rows < n_clusters:
        raise InvalidDataError(f"n_samples={n_rows} should be >= n_clusters={n_clusters}.")


def drawn_apart(
    x: Any, weights: Array | None, k: int, draws: Draws, trials: int | None = None
) -> NDArray[np.intp]:
    """Numbers of rows drawn by k-means++, with the draws of scikit-learn."""
    n = x.shape[0]
    trials = trials or 2 + int(log(k))
    w = np.ones(n) if weights is None else weights
    chosen = np.empty(k, dtype=np.intp)
    chosen[0] = draws.choice(n, p=w / w.sum())
    squares = SquaresTo(x, weights)
    closest, potential = squares.best(chosen[:1], None)[1:]
    for c in range(1, k):
        limits = draws.uniform(size=trials) * potential
        heaped = np.cumsum(closest if weights is None else weights * closest)
        candidates = np.minimum(np.searchsorted(heaped, limits), n - 1)
        best, closest, potential = squares.best(candidates, closest)
        chosen[c] = candidates[best]
    return chosen


class SquaresTo:
    """Squared distances of all rows to a few of them."""

    def __init__(self, x: Any, weights: Array | None) -> None:
        self.x, self.weights = x, weights

    def best(self, candidates: NDArray[np.intp], closest: Array | None) -> tuple[int, Array, float]:
        """Which candidate lowers the potential most, and what the rows' distances become."""
        found = self._dense if isinstance(self.x, np.ndarray) else self._sparse
        best, squares, potential = found(candidates, closest)
        if not np.isfinite(potential):
            raise NumericalError(
                "k-means++: squared distances of these rows exceed what double precision can hold "
                "(about 1e308). Divide the large columns by a constant first."
            )
        return best, squares, potential

    def _dense(self, candidates: NDArray[np.intp], closest: Array | None) -> Any:
        from stylobate import _core

        found = _core.best_candidate(by_rows(self.x), candidates.tolist(), self.weights, closest)
        return int(found[0]), np.asarray(found[1]), float(found[2])

    def _sparse(self, candidates: NDArray[np.intp], closest: Array | None) -> Any:
        from stylobate.metrics.pairwise import euclidean_distances

        squares = euclidean_distances(self.x[candidates], self.x, squared=True)
        squares = squares.astype(np.float64, copy=False)
        if closest is not None:
            np.minimum(squares, closest, out=squares)
        potentials = squares.sum(axis=1) if self.weights is None else squares @ self.weights
        best = int(np.argmin(potentials))
        return best, squares[best], float(potentials[best])


def by_rows(x: NDArray[Any]) -> NDArray[Any]:
    """Rows whose columns lie side by side."""
    return x if x.strides[1] == x.itemsize or x.shape[1] == 1 else np.ascontiguousarray(x)


def starts(table: Table, init: Any, k: int, draws: Draws, owner: str, given: Any = None) -> Array:
    """K centres to start from, as doubles.

    Parameters
    ----------
    table : Table
        The rows to draw from.
    init : {"k-means++", "random"}, callable or array
    k : int
    draws : RandomState
    owner : str
        Who asks, for refusals.
    given : object, optional
        The rows as a callable is to see them, where that is not the table's own array.
    """
    x = table.x.tocsr() if table.is_sparse else table.x
    if isinstance(init, str) and init == "k-means++":
        return dense(x[drawn_apart(x, table.weights, k, draws)])
    if isinstance(init, str):
        w = np.ones(table.n_rows) if table.weights is None else table.weights
        if np.count_nonzero(w) < k:
            raise InvalidDataError(
                f"{owner}: init='random' draws {k} rows of positive weight, and there are "
                f"{np.count_nonzero(w)}."
            )
        return dense(x[draws.choice(table.n_rows, size=k, replace=False, p=w / w.sum())])
    if callable(init):
        init = init(x if given is None else given, k, random_state=draws)
    return given_centers(init, k, table.n_features, owner)


def given_centers(centers: Any, k: int, n_features: int, owner: str) -> Array:
    """Centres that were given, checked."""
    found = dense(read_table(centers, owner=f"{owner}: init").x)
    if found.shape[0] != k:
        raise InvalidParameterError(
            f"{owner}: The shape of the initial centers {found.shape} does not match the number of "
            f"clusters {k}."
        )
    if found.shape[1] != n_features:
        raise InvalidParameterError(
            f"{owner}: The shape of the initial centers {found.shape} does not match the number of "
            f"features of the data {n_features}."
        )
    return found
