"""Rows drawn, put into another order, or taken by batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.indexing import take_rows
from stylobate.data.sparse import check_sparse
from stylobate.data.words import Input
from stylobate.datasets.generators.draws import drawer
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.utils.arrays import check_consistent_length, indexable


def check_random_state(seed: Any) -> Any:
    """The generator that a seed means; None is NumPy's global one.

    Parameters
    ----------
    seed : int in [0, 2³²), RandomState or None
        A seed.

    Returns
    -------
    numpy.random.RandomState

    Examples
    --------
    >>> check_random_state(0).randint(10, size=3)
    array([5, 0, 3])
    """
    if seed is np.random:
        seed = None
    try:
        return drawer(seed)
    except InvalidParameterError as error:
        raise InvalidParameterError(
            f"{seed!r} cannot be used to seed a numpy.random.RandomState instance: {error}"
        ) from error


def shuffle(*arrays: Any, random_state: Any = None, n_samples: int | None = None) -> Any:
    """Rows of all inputs in one drawn order.

    Parameters
    ----------
    *arrays : array-like, sparse matrix or data frame
        Inputs of one length.
    random_state : int, RandomState or None, default=None
        Draws the order.
    n_samples : int, optional
        How many rows to give back; None: all.

    Returns
    -------
    one input, or a list of them

    Examples
    --------
    >>> shuffle([1, 2, 3, 4], random_state=0)
    [3, 4, 2, 1]
    """
    return resample(*arrays, replace=False, n_samples=n_samples, random_state=random_state)


def resample(
    *arrays: Any,
    replace: bool = True,
    n_samples: int | None = None,
    random_state: Any = None,
    stratify: Any = None,
    sample_weight: Any = None,
) -> Any:
    """Rows drawn from all inputs together, with or without putting them back.

    Parameters
    ----------
    *arrays : array-like, sparse matrix or data frame
        Inputs of one length.
    replace : bool, default=True
        Whether a row can be drawn more than once: a bootstrap sample.
    n_samples : int in [1, inf), optional
        How many; None: as many as there are.
    random_state : int, RandomState or None, default=None
        Draws the rows.
    stratify : array-like of shape (n,), optional
        Classes whose shares the sample keeps.
    sample_weight : array-like of shape (n,), optional
        Rows are drawn in proportion to it (with `replace` only).

    Returns
    -------
    one input, or a list of them

    Examples
    --------
    >>> resample([1, 2, 3, 4], random_state=0)
    [1, 4, 2, 1]
    """
    draw = check_random_state(random_state)
    if not arrays:
        return None
    given = indexable(*arrays)
    check_consistent_length(*given)
    n = given[0].shape[0] if hasattr(given[0], "shape") else len(given[0])
    count = n if n_samples is None else n_samples
    if not replace and count > n:
        raise InvalidParameterError(
            f"Cannot sample {count} out of arrays with dim {n} when replace is False; ask for "
            "fewer rows."
        )
    if sample_weight is not None and not replace:
        raise InvalidParameterError(
            "Resampling with sample_weight is only implemented for replace=True."
        )
    if sample_weight is not None and stratify is not None:
        raise InvalidParameterError("Resampling with sample_weight needs stratify=None.")
    rows = _drawn(draw, n, count, replace, stratify, sample_weight)
    taken = [take_rows(each, rows) for each in given]
    return taken[0] if len(taken) == 1 else taken


def _drawn(
    draw: Any, n: int, count: int, replace: bool, stratify: Any, weight: Any
) -> NDArray[Any]:
    """Numbers of the rows drawn."""
    if stratify is not None:
        return _stratified(draw, count, replace, stratify)
    if weight is not None:
        share = np.asarray(weight, dtype=np.float64)
        return np.asarray(draw.choice(n, count, replace=True, p=share / share.sum()))
    if replace:
        return np.asarray(draw.randint(0, n, size=(count,)))
    rows = np.arange(n)
    draw.shuffle(rows)
    return rows[:count]


def _stratified(draw: Any, count: int, replace: bool, stratify: Any) -> NDArray[Any]:
    """Rows of each class by its share; what rounding leaves goes by drawn ties."""
    from stylobate.splits.shuffled import share_out
    from stylobate.splits.strata import class_numbers

    labels = np.asarray(stratify)
    _, codes = class_numbers(labels, len(labels), "resample")
    sizes = np.bincount(codes)
    wanted = share_out(sizes, count, draw)
    order = np.split(np.argsort(codes, kind="mergesort"), np.cumsum(sizes)[:-1])
    parts = [
        members[draw.choice(len(members), want, replace=replace)]
        for members, want in zip(order, wanted, strict=True)
    ]
    return np.asarray(draw.permutation(np.concatenate(parts)))


def gen_batches(n: int, batch_size: int, *, min_batch_size: int = 0) -> Iterator[slice]:
    """Slices of equal length over n rows; the last one takes what is left.

    Parameters
    ----------
    n : int in [0, inf)
        Rows.
    batch_size : int in [1, inf)
        Rows of a slice.
    min_batch_size : int in [0, inf), default=0
        Fewer rows than these are given to the slice before.

    Yields
    ------
    slice

    Examples
    --------
    >>> list(gen_batches(7, 3))
    [slice(0, 3, None), slice(3, 6, None), slice(6, 7, None)]
    """
    if isinstance(batch_size, bool) or not isinstance(batch_size, int | np.integer):
        raise InvalidParameterError(
            f"gen_batches: batch_size must be an integer, got {batch_size!r}."
        )
    if batch_size < 1:
        raise InvalidParameterError(
            f"gen_batches: batch_size must be at least 1, got {batch_size}."
        )
    start = 0
    for _ in range(int(n // batch_size)):
        end = start + int(batch_size)
        if end + min_batch_size > n:
            continue
        yield slice(start, end)
        start = end
    if start < n:
        yield slice(start, int(n))


def gen_even_slices(n: int, n_packs: int, *, n_samples: int | None = None) -> Iterator[slice]:
    """As many slices as asked for, of lengths that differ by at most one.

    Parameters
    ----------
    n : int in [1, inf)
        Rows.
    n_packs : int in [1, inf)
        Slices.
    n_samples : int, optional
        Slices end here at the latest.

    Yields
    ------
    slice

    Examples
    --------
    >>> list(gen_even_slices(10, 3))
    [slice(0, 4, None), slice(4, 7, None), slice(7, 10, None)]
    """
    if n_packs < 1:
        raise InvalidParameterError(f"gen_even_slices: n_packs must be at least 1, got {n_packs}.")
    start = 0
    for k in range(n_packs):
        length = n // n_packs + (k < n % n_packs)
        if length > 0:
            end = start + length if n_samples is None else min(n_samples, start + length)
            yield slice(start, end)
            start = end


def safe_mask(X: Any, mask: Any) -> NDArray[Any]:
    """A mask that takes rows of X: numbers of rows where X is sparse.

    Parameters
    ----------
    X : array or sparse matrix
        Rows.
    mask : array
        Truths or numbers.

    Returns
    -------
    array

    Examples
    --------
    >>> safe_mask(np.ones((3, 1)), [True, False, True])
    array([ True, False,  True])
    """
    check_sparse(X, Input("safe_mask", "X"))
    chosen = np.asarray(mask)
    if chosen.dtype.kind == "b" and len(chosen) != X.shape[0]:
        raise InvalidDataError(f"The mask has {len(chosen)} entries for {X.shape[0]} rows.")
    whole = np.issubdtype(chosen.dtype, np.signedinteger)
    return chosen if whole or not hasattr(X, "toarray") else np.flatnonzero(chosen)
