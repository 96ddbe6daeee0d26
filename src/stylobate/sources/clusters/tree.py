"""The tree of merges: partials of eight neighbours at a time, by the index of their partitions.

Which partials meet follows from their indices alone, never from who was ready first. The same
partitions therefore give the same bits, whatever the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

WIDTH = 8


def levels(leaves: Sequence[T], merge: Callable[[list[T]], T]) -> T:
    """The root of the tree over the leaves, which are in the order of their partitions.

    Parameters
    ----------
    leaves : sequence, not empty
    merge : callable
        Takes at most eight neighbours, in their order. An engine passes one that starts a task.

    Examples
    --------
    >>> levels(list("abcdefghij"), lambda parts: "(" + "".join(parts) + ")")
    '((abcdefgh)(ij))'
    """
    level = list(leaves)
    while len(level) > 1:
        level = [
            merge(level[k : k + WIDTH]) if len(level[k : k + WIDTH]) > 1 else level[k]
            for k in range(0, len(level), WIDTH)
        ]
    return level[0]
