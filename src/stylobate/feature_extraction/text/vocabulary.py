"""Vocabularies: given ones checked, learnt ones pruned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers
from stylobate.exceptions import InvalidDataError, InvalidParameterError


def given_vocabulary(vocabulary: Mapping[Any, int] | Iterable[Any]) -> dict[Any, int]:
    """A vocabulary as the caller gave it, as a mapping of terms to columns 0, 1, …

    >>> given_vocabulary(["tea", "cup"])
    {'tea': 0, 'cup': 1}
    """
    if isinstance(vocabulary, Mapping):
        columns = dict(vocabulary)
        _refuse_gaps(columns)
    else:
        terms = sorted(vocabulary) if isinstance(vocabulary, set | frozenset) else list(vocabulary)
        columns = {}
        for column, term in enumerate(terms):
            if columns.setdefault(term, column) != column:
                raise InvalidParameterError(f"Duplicate term in vocabulary: {term!r}")
    if not columns:
        raise InvalidParameterError("empty vocabulary passed to fit; give at least one term.")
    return columns


def _refuse_gaps(columns: Mapping[Any, int]) -> None:
    used = set(columns.values())
    if len(used) != len(columns):
        raise InvalidParameterError("Vocabulary contains repeated indices.")
    for column in range(len(columns)):
        if column not in used:
            raise InvalidParameterError(
                f"Vocabulary of size {len(columns)} doesn't contain index {column}."
            )


def kept_terms(
    documents_with: Integers,
    occurrences: NDArray[Any],
    n_documents: int,
    *,
    min_df: float,
    max_df: float,
    max_features: int | None,
) -> Integers:
    """Positions of the terms that are neither too rare nor too frequent.

    Parameters
    ----------
    documents_with, occurrences : arrays, one entry per term
        Documents that have the term, and how often it occurs in all.
    n_documents : int
        Documents in all.
    min_df, max_df : int or float
        A number of documents, or a share of them.
    max_features : int or None
        How many to keep: those that occur most.

    Returns
    -------
    array of int, increasing
    """
    if len(documents_with) == 0:
        raise InvalidDataError("empty vocabulary; perhaps the documents only contain stop words")
    low = min_df if isinstance(min_df, Integral) else min_df * n_documents
    high = max_df if isinstance(max_df, Integral) else max_df * n_documents
    if high < low:
        raise InvalidParameterError("max_df corresponds to < documents than min_df")
    kept = np.flatnonzero((documents_with >= low) & (documents_with <= high))
    if max_features is not None and len(kept) > max_features:
        most = (-occurrences[kept]).argsort()[:max_features]
        kept = np.sort(kept[most])
    if len(kept) == 0:
        raise InvalidDataError(
            "After pruning, no terms remain. Try a lower min_df or a higher max_df."
        )
    return kept.astype(np.int64)
