"""The finest groups of rows that several clusterings respect: one sum serves all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.metrics.classification.label_codes import code

_MOST_PARTS = 2048  # whose sums for some rows still lie in a cache


def clusterings_of(codes: Sequence[NDArray[np.int64]]) -> _core.Clusterings:
    """Clusterings as the compiled core takes them, in groups with common parts.

    Clusterings of one data set cut it along similar lines, so that their common parts are few:
    a distance is added to the sum of one part instead of one cluster of each clustering. A group
    ends where adding up the parts would cost more than adding each distance once more.

    Parameters
    ----------
    codes : sequence of ndarray of shape (n,)
        For each clustering the number of each row's cluster, of 0 to k - 1; rows of -1 are left
        out, as if they were not there.
    """
    rows = len(codes[0])
    core = _core.Clusterings(rows)
    start, (parts, joint) = 0, _finer(np.zeros(rows, dtype=np.int64), codes[0])
    for place in range(1, len(codes)):
        distinct, finer = _finer(joint, codes[place])
        if distinct * (place + 1 - start) <= rows and distinct <= max(_MOST_PARTS, parts):
            joint, parts = finer, distinct
            continue
        core.add(*_labelled(joint, parts, codes[start:place]))
        start, (parts, joint) = place, _finer(np.zeros(rows, dtype=np.int64), codes[place])
    core.add(*_labelled(joint, parts, codes[start:]))
    return core


def _finer(joint: NDArray[np.int64], codes: NDArray[np.int64]) -> tuple[int, NDArray[np.int64]]:
    distinct, finer = code(joint * (int(codes.max()) + 2) + codes + 1)
    return len(distinct), finer


def _labelled(
    joint: NDArray[np.int64], parts: int, codes: Sequence[NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first = np.empty(parts, dtype=np.int64)
    first[joint[::-1]] = np.arange(len(joint))[::-1]
    labels = np.stack([each[first] for each in codes])
    return np.ascontiguousarray(joint, dtype=np.int64), labels.astype(np.int64, copy=False)
