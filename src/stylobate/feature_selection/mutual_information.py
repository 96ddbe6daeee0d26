"""Mutual information of features and target, estimated by nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base.constraints import Seed, is_number
from stylobate.data import Table, read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.feature_selection.targets import class_codes
from stylobate.statistics import ColumnMoments

_NOISE = 1e-10  # of a standard deviation: separates equal values, changes nothing else
_CONSTANT = 10 * np.finfo(float).eps


def mutual_info_regression(
    X: Any,
    y: Any,
    *,
    discrete_features: Any = "auto",
    n_neighbors: int = 3,
    copy: bool = True,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> NDArray[np.float64]:
    r"""Mutual information of every feature and a continuous target, in nats.

    .. math:: I = \psi(k) + \psi(n) - \overline{\psi(n_x + 1) + \psi(n_y + 1)}

    where nₓ and n_y count the rows nearer in that coordinate than the k-th neighbour in both.
    Zero exactly for independent variables (estimates below zero are cut), for any kind of
    dependence positive.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.
    y : array-like of shape (n,)
        Numbers.
    discrete_features : "auto", bool or array-like, default="auto"
        Which features are discrete: all, none, a mask or their numbers; "auto" means all of sparse
        X and none of dense X.
    n_neighbors : int in [1, inf), default=3
        k. More neighbours: less variance, more bias.
    copy : bool, default=True
        For compatibility; X is never changed.
    random_state : int, RandomState or None, default=None
        Seed of the tiny noise that separates equal values.
    n_jobs : int or None, default=None
        For compatibility; see `stylobate.set_threads`.

    Returns
    -------
    array of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 2))
    >>> information = mutual_info_regression(X, X[:, 0] ** 2, random_state=0)
    >>> bool(information[0] > 1 > 0.1 > information[1])
    True

    References
    ----------
    Kraskov, Stögbauer & Grassberger (2004), Estimating mutual information, Phys. Rev. E 69.
    Ross (2014), Mutual information between discrete and continuous data sets, PLoS ONE 9.
    """
    owner = "mutual_info_regression"
    table = read_table(X, y, owner=owner, y_required=True, multi_output=False)
    assert table.y is not None
    discrete, generator = _prepared(table, discrete_features, n_neighbors, random_state)
    features = _spread(table, ~discrete, generator)
    target = _noisy(table.y[:, 0], generator)
    information = np.empty(table.n_features)
    information[~discrete] = _continuous(features, target, n_neighbors)
    for j in np.flatnonzero(discrete):
        codes = _codes(table, int(j))
        information[j] = _mixed(target[:, None], codes, n_neighbors)[0]
    return np.maximum(information, 0.0)


def mutual_info_classif(
    X: Any,
    y: Any,
    *,
    discrete_features: Any = "auto",
    n_neighbors: int = 3,
    copy: bool = True,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> NDArray[np.float64]:
    r"""Mutual information of every feature and the class, in nats.

    .. math:: I = \psi(n) + \overline{\psi(k)} - \overline{\psi(n_c)} - \overline{\psi(m)}

    where n_c is the size of a row's class and m counts the rows of any class nearer than the k-th
    neighbour within the class; for discrete features the sample's own information.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.
    y : array-like of shape (n,)
        Classes.
    discrete_features, n_neighbors, copy, random_state, n_jobs
        As for `mutual_info_regression`.

    Returns
    -------
    array of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 2))
    >>> information = mutual_info_classif(X, X[:, 0] > 0, random_state=0)
    >>> bool(information[0] > 0.5 > 0.1 > information[1])
    True

    References
    ----------
    Ross (2014), Mutual information between discrete and continuous data sets, PLoS ONE 9.
    """
    owner = "mutual_info_classif"
    table = read_table(X, owner=owner)
    _, codes = class_codes(y, table.n_rows, owner=owner)
    discrete, generator = _prepared(table, discrete_features, n_neighbors, random_state)
    features = _spread(table, ~discrete, generator)
    information = np.empty(table.n_features)
    information[~discrete] = _mixed(features, codes, n_neighbors)
    for j in np.flatnonzero(discrete):
        information[j] = discrete_information(_codes(table, int(j)), codes)
    return np.maximum(information, 0.0)


def discrete_information(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Σ p(a, b) log(p(a, b) / p(a)p(b)) of two columns of codes 0, 1, 2, …

    >>> round(discrete_information(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1])), 6)
    0.693147
    """
    n, width = len(a), int(b.max()) + 1
    pairs, counts = np.unique(a.astype(np.int64) * width + b, return_counts=True)
    rows, columns = np.bincount(a), np.bincount(b)
    expected = rows[pairs // width].astype(float) * columns[pairs % width]
    return float(counts / n @ np.log(counts * float(n) / expected))


def _prepared(
    table: Table, discrete_features: Any, n_neighbors: int, random_state: Any
) -> tuple[NDArray[np.bool_], np.random.RandomState | np.random.Generator]:
    """The mask of discrete features, and where the noise comes from."""
    owner = table.owner
    if not is_number(n_neighbors) or n_neighbors != int(n_neighbors) or n_neighbors < 1:
        raise InvalidParameterError(
            f"{owner}: n_neighbors must be an integer in [1, inf), got {n_neighbors!r}."
        )
    if not Seed().accepts(random_state):
        raise InvalidParameterError(
            f"{owner}: random_state must be {Seed().words}, got {random_state!r}."
        )
    discrete = _discrete_mask(table, discrete_features)
    if table.is_sparse and not discrete.all():
        raise InvalidDataError(
            f"{owner}: Sparse matrix `X` can't have continuous features: its many equal zeros have "
            "no nearest neighbours. Pass discrete_features=True, or a dense X."
        )
    if isinstance(random_state, np.random.RandomState | np.random.Generator):
        return discrete, random_state
    if random_state is None:  # no stream is promised: the fastest
        return discrete, np.random.default_rng()
    return discrete, np.random.RandomState(random_state)  # scikit-learn's noise for a seed


class _NoSuchColumnError(InvalidParameterError, IndexError):
    """A column that is not there."""


def _discrete_mask(table: Table, discrete_features: Any) -> NDArray[np.bool_]:
    p = table.n_features
    if isinstance(discrete_features, str):
        if discrete_features != "auto":
            raise InvalidParameterError(
                f"{table.owner}: discrete_features must be 'auto', True, False, a mask or numbers "
                f"of columns, got {discrete_features!r}."
            )
        return np.full(p, table.is_sparse)
    if isinstance(discrete_features, bool | np.bool_):
        return np.full(p, bool(discrete_features))
    chosen = np.asarray(discrete_features)
    mask = np.zeros(p, dtype=bool)
    try:
        mask[chosen] = True
    except (IndexError, TypeError) as error:
        raise _NoSuchColumnError(
            f"{table.owner}: discrete_features must be a mask of {p} columns or their numbers, got "
            f"{discrete_features!r}."
        ) from error
    return mask


def _spread(table: Table, chosen: NDArray[np.bool_], generator: Any) -> Array:
    """The chosen columns divided by their standard deviations, with noise; column by column."""
    columns = np.flatnonzero(chosen)
    if not len(columns):
        return np.empty((table.n_rows, 0))
    deviation = ColumnMoments.of(table).deviation[columns]
    deviation[deviation < _CONSTANT] = 1.0
    x = np.empty((len(columns), table.n_rows))
    np.divide(
        table.x[:, columns].T if len(columns) < table.n_features else table.x.T,
        deviation[:, None],
        out=x,
    )
    size = np.maximum(1.0, [np.mean(np.abs(column)) for column in x])
    noise = generator.standard_normal(size=(table.n_rows, len(columns)))
    noise *= _NOISE * size
    x += noise.T
    return x.T


def _noisy(y: Array, generator: Any) -> Array:
    deviation = float(np.std(y))
    y = y / (1.0 if deviation < _CONSTANT else deviation)
    size = max(1.0, float(np.mean(np.abs(y))))
    return np.asarray(y + _NOISE * size * generator.standard_normal(size=len(y)))


def _codes(table: Table, j: int) -> NDArray[np.int64]:
    """The number of each row's value among the sorted values of column j."""
    column = table.x[:, [j]]
    values: Any = np.asarray(column.toarray() if table.is_sparse else column).ravel()
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _digamma(n: int) -> Array:
    """ψ at 0 … n; the first is never used."""
    from scipy.special import digamma

    return np.asarray(digamma(np.maximum(np.arange(n + 1.0), 1.0)))


def _continuous(x: Array, y: Array, k: int) -> Array:
    n = len(y)
    if k >= n:
        raise InvalidDataError(
            f"mutual information: n_neighbors={k} needs more than {k} rows (samples), got {n}."
        )
    if not x.shape[1]:
        return np.empty(0)
    psi = _digamma(n)
    return np.asarray(psi[n] + psi[k] - _core.joint_neighbour_counts(x, y, k, psi))


def _mixed(x: Array, codes: NDArray[Any], k: int) -> Array:
    """Classes of a single row say nothing and take no part."""
    sizes = np.bincount(codes)
    several = sizes[codes] > 1
    if not several.any() or not x.shape[1]:
        return np.zeros(x.shape[1])
    if not several.all():
        x, codes = x[several], codes[several]
    _, codes = np.unique(codes, return_inverse=True)
    sizes = np.bincount(codes)
    n = len(codes)
    psi = _digamma(n)
    neighbours = np.minimum(k, sizes - 1)
    fixed = psi[n] + (sizes / n) @ (psi[neighbours] - psi[sizes])
    means = _core.class_neighbour_counts(x, codes.astype(np.int64), len(sizes), k, psi)
    return np.asarray(fixed - means)
