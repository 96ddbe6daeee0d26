"""Which categories get no column: a reference, or as many as a design of full rank allows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.data.coding import Coded, positions
from stylobate.exceptions import InvalidDataError
from stylobate.interrupts import interruptible
from stylobate.preprocessing.encoding.onehot_matrix import sparse_ones

_TOLERANCE = 1e-9  # of a column's count: what is left of it after projection on the others
_MOST = 6000  # columns whose cross-products are kept as a dense matrix


def choose_dropped(
    drop: Any,
    categories: list[NDArray[Any]],
    groups: list[Indices],
    infrequent: list[Indices | None],
    coded: list[Coded],
) -> tuple[Any, list[Indices]]:
    """``drop_idx_``, in places of `categories`, and the dropped groups of each feature.

    Parameters
    ----------
    drop : "first", "if_binary", "rank", array-like or None
        As the user said.
    categories : list of arrays
        Of each feature.
    groups : list of arrays
        Group of each category after rare ones were merged.
    infrequent : list of arrays or None
        The rare categories.
    coded : list of Coded
        The columns of the fit.
    """
    if drop is None:
        return None, [np.empty(0, dtype=np.intp) for _ in groups]
    if isinstance(drop, str) and drop == "rank":
        dropped = rank_safe(coded, groups)
        places = np.empty(len(groups), dtype=object)
        for j, gone in enumerate(dropped):
            places[j] = np.flatnonzero(np.isin(groups[j], gone))
        return places, dropped
    if isinstance(drop, str):
        sizes = [int(group.max(initial=-1)) + 1 for group in groups]
        wanted = [0 if drop == "first" or size == 2 else None for size in sizes]
    else:
        wanted = _given(drop, categories, groups, infrequent)
    dropped = [np.array([] if g is None else [g], dtype=np.intp) for g in wanted]
    places = np.empty(len(groups), dtype=object)
    for j, g in enumerate(wanted):
        places[j] = None if g is None else int(np.flatnonzero(groups[j] == g)[0])
    return places, dropped


def _given(
    drop: Any,
    categories: list[NDArray[Any]],
    groups: list[Indices],
    infrequent: list[Indices | None],
) -> list[int | None]:
    values = np.empty(len(drop), dtype=object)
    values[:] = list(drop)
    if len(values) != len(categories):
        raise InvalidDataError(
            f"`drop` should have length equal to the number of features ({len(categories)}), got "
            f"{len(values)}"
        )
    wanted: list[int | None] = []
    missing = []
    for j, known in enumerate(categories):
        place = int(positions(values[j : j + 1], known)[0])
        if place < 0:
            missing.append((j, values[j]))
        rare = infrequent[j]
        if rare is not None and place in rare:
            raise InvalidDataError(
                f"Unable to drop category {values[j]!r} from feature {j} because it is infrequent"
            )
        wanted.append(int(groups[j][place]))
    if missing:
        listed = "\n".join(f"Category: {value}, Feature: {j}" for j, value in missing)
        raise InvalidDataError(
            "The following categories were supposed to be dropped, but were not found in the "
            f"training data.\n{listed}"
        )
    return wanted


def rank_safe(coded: list[Coded], groups: list[Indices]) -> list[Indices]:
    """The groups to leave out so that the rest, with a constant, are linearly independent.

    Columns are added one after the other, in each feature the most frequent last, and kept unless
    they depend on those before: elimination on their cross-products, which are counts.

    >>> same = Coded(np.array(["a", "b"]), np.array([0, 1, 1]))
    >>> [gone.tolist() for gone in rank_safe([same, same], [np.arange(2)] * 2)]
    [[1], [0, 1]]
    """
    products, starts, order = _cross_products(coded, groups)
    kept = _independent(products, order)
    return [np.flatnonzero(~kept[starts[j] : starts[j + 1]]) for j in range(len(coded))]


def dropped_from_kept(coded: list[Coded], groups: list[Indices], dropped: list[Indices]) -> Any:
    """The columns that were left out, as sums of a constant and of the columns that were not.

    Returns
    -------
    csc_array of shape (1 + kept columns, dropped columns)
        Column d of the design is ``[1, kept] @ column d`` in all rows of the fit.

    >>> same = Coded(np.array(["a", "b"]), np.array([0, 1, 1]))
    >>> dropped_from_kept([same, same], [np.arange(2)] * 2, [np.array([1]), np.arange(2)]).toarray()
    array([[ 1.,  0.,  1.],
           [-1.,  1., -1.]])
    """
    from scipy import linalg, sparse

    products, starts, _ = _cross_products(coded, groups)
    gone = np.concatenate([start + each for start, each in zip(starts[:-1], dropped, strict=True)])
    kept = np.setdiff1d(np.arange(len(products)), gone)
    found = interruptible(
        linalg.solve, products[np.ix_(kept, kept)], products[np.ix_(kept, gone)], assume_a="pos"
    )
    return sparse.csc_array(np.where(np.abs(found) > _TOLERANCE, found.round(12), 0.0))


def _cross_products(
    coded: list[Coded], groups: list[Indices]
) -> tuple[NDArray[np.float64], NDArray[np.intp], list[int]]:
    """Of a constant and all columns; where those of each feature start; rare ones first."""
    sizes = [int(group.max(initial=-1)) + 1 for group in groups]
    starts = np.concatenate([[1], 1 + np.cumsum(sizes)]).astype(np.intp)
    if starts[-1] > _MOST:
        raise InvalidDataError(
            f"OneHotEncoder: drop='rank' compares all columns, and {starts[-1] - 1} are too many; "
            "merge rare categories with max_categories, or choose drop='first'."
        )
    at = np.zeros((len(coded[0].codes), len(coded) + 1), dtype=np.intp)
    order = [0]
    for j, (each, group) in enumerate(zip(coded, groups, strict=True)):
        place = np.append(group + starts[j], -1)[each.codes]
        at[:, j + 1] = place
        counts = np.bincount(place[place >= 0] - starts[j], minlength=sizes[j])
        order += (starts[j] + np.argsort(counts, kind="stable")).tolist()
    ones = sparse_ones(at, (len(at), int(starts[-1])), np.dtype(np.float64))
    return (ones.T @ ones).toarray(), starts, order


def _independent(gram: NDArray[np.float64], order: list[int]) -> NDArray[np.bool_]:
    kept = np.zeros(len(gram), dtype=bool)
    scale = gram.diagonal().copy()
    for j in order:
        pivot = gram[j, j]
        if pivot > _TOLERANCE * max(scale[j], 1.0):
            kept[j] = True
            row = gram[j] / pivot
            touched = np.flatnonzero(row)
            gram[np.ix_(touched, touched)] -= np.outer(gram[touched, j], row[touched])
    return kept
