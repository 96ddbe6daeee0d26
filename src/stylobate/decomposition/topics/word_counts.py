"""Counts of the words of documents, checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stylobate.exceptions import InvalidDataError, NumericalError

_LARGEST_COUNT = 1e60  # fourth powers of sums of counts have to be finite


def word_counts(x: Any, method: str) -> Any:
    """The documents as compressed rows; counts are not negative, and not huge."""
    from scipy import sparse

    counts = sparse.csr_array(x)
    if counts.data.size and counts.data.min() < 0.0:
        raise InvalidDataError(
            f"Negative values in data passed to LatentDirichletAllocation.{method}: the "
            f"smallest is {counts.data.min():g}; counts of words are not negative."
        )
    if float(counts.data.max(initial=0.0)) > _LARGEST_COUNT:
        raise NumericalError(
            f"LatentDirichletAllocation.{method}: X holds a count of {counts.data.max():g}, "
            "beyond what its digamma function can be computed of; divide X by a constant."
        )
    return counts


def regrouped(parts: Iterator[Any], size: int) -> Iterator[Any]:
    """The same rows, `size` of them at a time, however the parts were cut.

    >>> from scipy.sparse import csr_array
    >>> parts = (csr_array([[1.0]] * n) for n in (3, 1, 4))
    >>> [part.shape[0] for part in regrouped(parts, 3)]
    [3, 3, 2]
    """
    from scipy import sparse

    held: Any = None
    for part in parts:
        held = part if held is None else sparse.vstack([held, part], format="csr")
        while held.shape[0] >= size:
            yield held[:size]
            held = held[size:]
    if held is not None and held.shape[0]:
        yield held
