"""Matrices of known structure: low rank, positive definite, sparse codes, blocks."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets.generators.draws import check_counts, check_numbers, drawer
from stylobate.exceptions import InvalidParameterError


def make_low_rank_matrix(
    n_samples: int = 100,
    n_features: int = 100,
    *,
    effective_rank: int = 10,
    tail_strength: float = 0.5,
    random_state: Any = None,
) -> NDArray[Any]:
    r"""A matrix whose singular values fall like a bell, with a fat tail.

    .. math:: \sigma_i = (1 - s)\, e^{-(i/r)^2} + s\, e^{-0.1\, i/r}

    Parameters
    ----------
    n_samples, n_features : int in [1, inf), default=100
        Shape.
    effective_rank : int in [1, inf), default=10
        About how many directions explain most of it: r.
    tail_strength : float in [0, 1], default=0.5
        Weight s of the tail.
    random_state : int, RandomState or None, default=None
        Draws the singular vectors.

    Returns
    -------
    array of shape (n_samples, n_features)

    Examples
    --------
    >>> A = make_low_rank_matrix(30, 20, effective_rank=3, tail_strength=0.0, random_state=0)
    >>> np.linalg.svd(A, compute_uv=False)[:3].round(3)
    array([1.   , 0.895, 0.641])
    """
    from scipy import linalg

    check_counts(
        "make_low_rank_matrix",
        n_samples=n_samples,
        n_features=n_features,
        effective_rank=effective_rank,
    )
    check_numbers("make_low_rank_matrix", 0, 1, tail_strength=tail_strength)
    draw = drawer(random_state)
    rank = min(n_samples, n_features)
    left, _ = linalg.qr(draw.standard_normal(size=(n_samples, rank)), mode="economic")
    right, _ = linalg.qr(draw.standard_normal(size=(n_features, rank)), mode="economic")
    i = np.arange(rank, dtype=np.float64)
    bell = (1 - tail_strength) * np.exp(-((i / effective_rank) ** 2))
    tail = tail_strength * np.exp(-0.1 * i / effective_rank)
    return np.asarray((left * (bell + tail)) @ right.T)


def make_spd_matrix(n_dim: int, *, random_state: Any = None) -> NDArray[Any]:
    """A drawn symmetric positive definite matrix.

    Parameters
    ----------
    n_dim : int in [1, inf)
        Rows and columns.
    random_state : int, RandomState or None, default=None
        Draws it.

    Returns
    -------
    array of shape (n_dim, n_dim)

    Examples
    --------
    >>> A = make_spd_matrix(4, random_state=0)
    >>> bool((np.linalg.eigvalsh(A) > 0).all())
    True
    """
    from scipy import linalg

    check_counts("make_spd_matrix", n_dim=n_dim)
    draw = drawer(random_state)
    A = draw.uniform(size=(n_dim, n_dim))
    left, _, right = linalg.svd(A.T @ A, check_finite=False)
    return np.asarray(left @ (1.0 + np.diag(draw.uniform(size=n_dim))) @ right)


def make_sparse_spd_matrix(
    n_dim: int = 1,
    *,
    alpha: float = 0.95,
    norm_diag: bool = False,
    smallest_coef: float = 0.1,
    largest_coef: float = 0.9,
    sparse_format: str | None = None,
    random_state: Any = None,
) -> Any:
    r"""A sparse symmetric positive definite matrix :math:`LᵀL`, such as a precision matrix.

    Parameters
    ----------
    n_dim : int in [1, inf), default=1
        Rows and columns.
    alpha : float in [0, 1], default=0.95
        Probability that an entry of L below its diagonal is zero.
    norm_diag : bool, default=False
        Whether the diagonal is scaled to 1.
    smallest_coef, largest_coef : float in [0, 1], default=0.1, 0.9
        Bounds of the entries of L.
    sparse_format : {"bsr", "coo", "csc", "csr", "dia", "dok", "lil"} or None, default=None
        Format of a sparse result; None: an array.
    random_state : int, RandomState or None, default=None
        Draws L.

    Returns
    -------
    array or sparse matrix of shape (n_dim, n_dim)

    Examples
    --------
    >>> A = make_sparse_spd_matrix(10, alpha=0.8, random_state=0)
    >>> bool((np.linalg.eigvalsh(A) > 0).all())
    True
    """
    import scipy.sparse as sp

    check_counts("make_sparse_spd_matrix", n_dim=n_dim)
    check_numbers(
        "make_sparse_spd_matrix",
        0,
        1,
        alpha=alpha,
        smallest_coef=smallest_coef,
        largest_coef=largest_coef,
    )
    draw = drawer(random_state)
    drawn = sp.random_array(
        (n_dim, n_dim),
        density=1 - alpha,
        data_sampler=lambda size: draw.uniform(smallest_coef, largest_coef, size=size),
        random_state=draw,
    )
    lower = sp.tril(drawn, k=-1, format="csc")
    order = draw.permutation(n_dim)
    L = lower[order].T[order] - sp.eye_array(n_dim)
    A = L.T @ L
    if norm_diag:
        scale = sp.diags_array(1.0 / np.sqrt(A.diagonal()))
        A = scale @ A @ scale
    if sparse_format is None:
        return A.toarray()
    found: Any = sp.csr_matrix(A)
    return found.asformat(sparse_format)


def make_sparse_coded_signal(
    n_samples: int,
    *,
    n_components: int,
    n_features: int,
    n_nonzero_coefs: int,
    random_state: Any = None,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Signals that are sums of few atoms of a dictionary: ``y = X D``.

    Parameters
    ----------
    n_samples : int in [1, inf)
        Signals.
    n_components, n_features : int in [1, inf)
        Atoms of the dictionary, and the numbers of each.
    n_nonzero_coefs : int in [1, n_components]
        Atoms in each signal.
    random_state : int, RandomState or None, default=None
        Draws the dictionary and the codes.

    Returns
    -------
    y : array of shape (n_samples, n_features) or (n_features,)
        The signals.
    D : array of shape (n_components, n_features)
        The dictionary: rows of norm 1.
    X : array of shape (n_samples, n_components) or (n_components,)
        The codes.

    Examples
    --------
    >>> y, D, X = make_sparse_coded_signal(
    ...     5, n_components=8, n_features=6, n_nonzero_coefs=2, random_state=0
    ... )
    >>> bool(np.allclose(X @ D, y)), (X != 0).sum(axis=1)
    (True, array([2, 2, 2, 2, 2]))
    """
    check_counts(
        "make_sparse_coded_signal",
        n_samples=n_samples,
        n_components=n_components,
        n_features=n_features,
        n_nonzero_coefs=n_nonzero_coefs,
    )
    draw = drawer(random_state)
    D = draw.standard_normal(size=(n_features, n_components))
    D /= np.sqrt((D**2).sum(axis=0))
    codes = np.zeros((n_samples, n_components))
    for code in codes:
        order = np.arange(n_components)
        draw.shuffle(order)
        code[order[:n_nonzero_coefs]] = draw.standard_normal(size=n_nonzero_coefs)
    return np.squeeze(codes @ D.T), np.squeeze(D.T), np.squeeze(codes)


def make_biclusters(
    shape: tuple[int, int],
    n_clusters: int,
    *,
    noise: float = 0.0,
    minval: float = 10,
    maxval: float = 100,
    shuffle: bool = True,
    random_state: Any = None,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """A matrix that is constant on blocks along its diagonal and zero elsewhere.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    n_clusters : int in [1, inf)
        Blocks.
    noise : float in [0, inf), default=0.0
        Standard deviation of noise.
    minval, maxval : float, default=10, 100
        Bounds of the blocks' values.
    shuffle : bool, default=True
        Whether rows and columns come in drawn orders.
    random_state : int, RandomState or None, default=None
        Draws everything.

    Returns
    -------
    X : array of that shape
    rows : array of bool of shape (n_clusters, n_rows)
    cols : array of bool of shape (n_clusters, n_cols)

    Examples
    --------
    >>> X, rows, cols = make_biclusters((6, 4), 2, shuffle=False, random_state=0)
    >>> bool((X[~(rows.T @ cols)] == 0).all())
    True
    """
    n_rows, n_cols = _shape_of("make_biclusters", shape, minval, maxval, noise)
    check_counts("make_biclusters", n_clusters=n_clusters)
    draw = drawer(random_state)
    values = draw.uniform(minval, maxval, n_clusters)
    even = np.repeat(1.0 / n_clusters, n_clusters)
    row_of = np.repeat(np.arange(n_clusters), draw.multinomial(n_rows, even))
    col_of = np.repeat(np.arange(n_clusters), draw.multinomial(n_cols, even))
    X = np.where(row_of[:, None] == col_of, values[row_of][:, None], 0.0)
    # A seed draws the orders from its own beginning again, as in scikit-learn.
    again = drawer(random_state) if shuffle else None
    X, row_of, col_of = _finished(X, row_of, col_of, noise, draw, again)
    blocks = np.arange(n_clusters)[:, None]
    return X, row_of == blocks, col_of == blocks


def make_checkerboard(
    shape: tuple[int, int],
    n_clusters: Any,
    *,
    noise: float = 0.0,
    minval: float = 10,
    maxval: float = 100,
    shuffle: bool = True,
    random_state: Any = None,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """A matrix that is constant on the fields of a checkerboard.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    n_clusters : int in [1, inf) or pair of int
        Groups of rows and of columns.
    noise : float in [0, inf), default=0.0
        Standard deviation of noise.
    minval, maxval : float, default=10, 100
        Bounds of the fields' values.
    shuffle : bool, default=True
        Whether rows and columns come in drawn orders.
    random_state : int, RandomState or None, default=None
        Draws everything.

    Returns
    -------
    X : array of that shape
    rows : array of bool of shape (n_fields, n_rows)
    cols : array of bool of shape (n_fields, n_cols)

    Examples
    --------
    >>> X, rows, cols = make_checkerboard((6, 4), (3, 2), random_state=0)
    >>> rows.shape, cols.shape, len(np.unique(X))
    ((6, 6), (6, 4), 6)
    """
    n_rows, n_cols = _shape_of("make_checkerboard", shape, minval, maxval, noise)
    pair = (n_clusters, n_clusters) if isinstance(n_clusters, Integral) else tuple(n_clusters)
    if len(pair) != 2:
        raise InvalidParameterError(
            f"make_checkerboard: n_clusters must be a number or two numbers, got {n_clusters!r}."
        )
    check_counts("make_checkerboard", **{"n_clusters[0]": pair[0], "n_clusters[1]": pair[1]})
    row_groups, col_groups = pair
    draw = drawer(random_state)
    row_sizes = draw.multinomial(n_rows, np.repeat(1.0 / row_groups, row_groups))
    col_sizes = draw.multinomial(n_cols, np.repeat(1.0 / col_groups, col_groups))
    row_of = np.repeat(np.arange(row_groups), row_sizes)
    col_of = np.repeat(np.arange(col_groups), col_sizes)
    values = draw.uniform(minval, maxval, size=(row_groups, col_groups))
    X = values[row_of][:, col_of]
    again = drawer(random_state) if shuffle else None
    X, row_of, col_of = _finished(X, row_of, col_of, noise, draw, again)
    rows = np.repeat(row_of == np.arange(row_groups)[:, None], col_groups, axis=0)
    cols = np.tile(col_of == np.arange(col_groups)[:, None], (row_groups, 1))
    return X, rows, cols


def _shape_of(function: str, shape: Any, low: Any, high: Any, noise: Any) -> tuple[int, int]:
    rows, cols = shape
    check_counts(function, **{"shape[0]": rows, "shape[1]": cols})
    check_numbers(function, 0, np.inf, noise=noise)
    if not low <= high:
        raise InvalidParameterError(f"{function}: minval={low!r} is above maxval={high!r}.")
    return int(rows), int(cols)


def _finished(
    X: NDArray[Any], row_of: NDArray[Any], col_of: NDArray[Any], noise: float, draw: Any, again: Any
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """With noise, and with rows and columns in drawn orders where a drawer is given."""
    if noise > 0:
        X = X + draw.normal(scale=noise, size=X.shape)
    if again is not None:
        rows, cols = again.permutation(len(row_of)), again.permutation(len(col_of))
        X, row_of, col_of = X[rows][:, cols], row_of[rows], col_of[cols]
    return X, row_of, col_of
