"""Components of a hierarchy below one height."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Integers


def labels_at_cut(merges: Array, cut: float, smallest: int) -> Integers:
    """The components of the merges below `cut`, numbered by their first rows.

    Parameters
    ----------
    merges : array of shape (n - 1, 4)
        As SciPy writes a hierarchy, heights ascending.
    cut : float
        Merges at this height or above are not made.
    smallest : int
        Components of fewer rows are noise, -1.

    Examples
    --------
    >>> merges = np.array([[0.0, 1.0, 1.0, 2.0], [3.0, 2.0, 5.0, 3.0]])
    >>> labels_at_cut(merges, 2.0, 2)
    array([ 0,  0, -1])
    """
    n = len(merges) + 1
    made = int(np.searchsorted(merges[:, 2], cut, side="left"))
    top = np.arange(n + made)
    children = merges[:made, :2].astype(np.intp)
    for k in range(made - 1, -1, -1):  # from the last merge down: what is above is known
        top[children[k]] = top[n + k]
    _, first, part, sizes = np.unique(
        top[:n], return_index=True, return_inverse=True, return_counts=True
    )
    large = np.flatnonzero(sizes >= smallest)
    numbers = np.full(len(sizes), -1, dtype=np.intp)
    numbers[large[np.argsort(first[large])]] = np.arange(len(large))
    return numbers[part]
