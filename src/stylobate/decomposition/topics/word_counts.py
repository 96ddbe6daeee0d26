"""Counts of the words of documents, checked."""

from __future__ import annotations

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
