"""One division of the rows into several parts of given sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices, Integers
from stylobate.exceptions import InvalidDataError
from stylobate.splits.apportionment import apportion_table
from stylobate.splits.strata import class_numbers
from stylobate.splits.stratified_grouped import class_counts
from stylobate.splits.value_numbers import group_numbers, rows_by_number

Draw = np.random.RandomState


def random_parts(n: int, sizes: Integers, draw: Draw) -> list[Indices]:
    """Parts of these sizes, in random order; rows beyond their sum are left out."""
    return _cut(draw.permutation(n), sizes)


def stratified_parts(
    n: int, sizes: Integers, stratify: Any, draw: Draw, owner: str
) -> list[Indices]:
    """Parts in each of which every class has its share, to less than one row."""
    classes, numbers = class_numbers(stratify, n, owner)
    counts = np.bincount(numbers)
    _refuse_small_classes(classes, counts, len(sizes), owner)
    left_out = n - int(sizes.sum())
    table = apportion_table(counts, np.append(sizes, left_out))
    parts: list[list[Indices]] = [[] for _ in sizes]
    for rows, shares in zip(rows_by_number(numbers, counts), table, strict=True):
        order = rows[draw.permutation(len(rows))]
        for part, some in zip(parts, _cut(order, shares[:-1]), strict=True):
            part.append(some)
    return [draw.permutation(np.concatenate(part)) for part in parts]


def grouped_parts(
    n: int, sizes: Integers, groups: Any, stratify: Any, draw: Draw, owner: str
) -> list[Indices]:
    """Parts of whole groups, of these sizes as nearly as the groups allow.

    Without classes the groups in random order are cut where the sizes are met best. With classes
    each in turn goes to the part that needs its classes most.
    """
    kinds, numbers = group_numbers(groups, n, owner)
    if len(kinds) < len(sizes):
        raise InvalidDataError(
            f"{owner}: {len(kinds)} group(s) cannot be spread over {len(sizes)} parts; each part "
            f"needs a group of its own, so give at least {len(sizes)} groups."
        )
    order = draw.permutation(len(kinds))
    if stratify is None:
        part_of = _cut_groups(np.bincount(numbers), order, sizes)
    else:
        classes, labels = class_numbers(stratify, n, owner)
        counts = class_counts(numbers, labels, len(kinds), len(classes))
        part_of = _deal_groups(counts, order, sizes / n)
    of_row = part_of[numbers]
    return [np.flatnonzero(of_row == k) for k in range(len(sizes))]


def _cut(order: Indices, sizes: Integers) -> list[Indices]:
    ends = np.cumsum(sizes)
    return [order[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _cut_groups(rows: NDArray[Any], order: Indices, sizes: Integers) -> NDArray[np.int64]:
    """The part of each group, -1 for none: runs of the order, none of them empty."""
    count, parts = len(order), len(sizes)
    behind = np.concatenate([[0], np.cumsum(rows[order])])
    part_of = np.full(count, -1)
    start = 0
    for k, end in enumerate(np.cumsum(sizes).tolist()):
        stop = int(np.abs(behind - end).argmin())
        stop = min(max(stop, start + 1), count - (parts - 1 - k))
        part_of[order[start:stop]] = k
        start = stop
    return part_of


def _deal_groups(
    counts: NDArray[np.float64], order: Indices, shares: NDArray[np.float64]
) -> NDArray[np.int64]:
    """The part of each group: that which lacks most of its classes, in shares of the class."""
    totals = counts.sum(axis=0)
    rest = max(0.0, 1.0 - float(shares.sum()))
    lacking = np.outer(np.append(shares, rest), totals)
    scale = 1.0 / totals**2
    part_of = np.full(len(order), -1)
    parts = len(shares)
    held = [0] * (parts + 1)
    for place, group in enumerate(order.tolist()):
        gain = lacking @ (counts[group] * scale)
        empty = [k for k in range(parts) if not held[k]]
        if len(order) - place <= len(empty):  # the last groups go to parts that have none
            part = max(empty, key=lambda k: float(gain[k]))
        else:
            part = int(gain.argmax())
        lacking[part] -= counts[group]
        held[part] += 1
        part_of[group] = part if part < parts else -1
    return part_of


def _refuse_small_classes(
    classes: NDArray[Any], counts: NDArray[Any], parts: int, owner: str
) -> None:
    if counts.min() < parts:
        which = classes[int(counts.argmin())].item()
        raise InvalidDataError(
            f"{owner}: The least populated class in stratify, {which!r}, has only {counts.min()} "
            f"member(s) and there are {parts} parts; each class needs at least {parts}. Join rare "
            "classes, or leave stratify out."
        )
