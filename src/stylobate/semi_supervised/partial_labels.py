"""Labels of which some are missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_labels
from stylobate.data.labels import label_vector
from stylobate.data.sparse import is_sparse, refuse_sparse
from stylobate.data.target import refuse_missing_target
from stylobate.data.words import Input, refuse_length
from stylobate.exceptions import InvalidDataError

UNLABELLED = -1


def read_partial_labels(
    y: Any, *, owner: str, n_rows: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]:
    """The labels as they came, the sorted classes, and every row's class number or -1.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels; -1 where there is none: with text for labels, objects, text and the number -1.
    owner : str
        Who is asking.
    n_rows : int
        Rows of X.

    Examples
    --------
    >>> labels, classes, codes = read_partial_labels([3, -1, 1], owner="example", n_rows=3)
    >>> classes.tolist(), codes.tolist()
    ([1, 3], [1, -1, 0])
    >>> read_partial_labels(["yes", -1, "no"], owner="example", n_rows=3)[1].tolist()
    ['no', 'yes']
    """
    source = Input(owner, "y")
    if y is None:
        refuse_missing_target(owner)
    if is_sparse(y):
        refuse_sparse(source)
    labels = label_vector(y, source)
    if len(labels) != n_rows:
        refuse_length(source, n_rows, len(labels))
    if labels.dtype.kind == "U" and (labels == str(UNLABELLED)).any():
        raise InvalidDataError(
            f"{owner}: y has dtype string and holds the text '-1', which is a label like others. "
            "Use dtype object, with the number -1 for rows without a label."
        )
    known = np.array([not _is_unlabelled(each) for each in labels.tolist()], dtype=bool)
    if not known.any():
        raise InvalidDataError(
            f"{owner}: no row has a label, all {n_rows} are -1. Give at least one row of each "
            "class its label."
        )
    classes, numbers = read_labels(labels[known], owner=owner)
    codes = np.full(n_rows, UNLABELLED, dtype=np.int64)
    codes[known] = numbers
    return labels, classes, codes


def _is_unlabelled(label: Any) -> bool:
    return not isinstance(label, str | bool) and label == UNLABELLED
