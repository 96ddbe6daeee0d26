"""Tables of targets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.finite import refuse_nonfinite
from stylobate.data.sparse import is_sparse
from stylobate.data.target import read_target, refuse_missing_target
from stylobate.data.words import Input, refuse_length
from stylobate.exceptions import InvalidDataError
from stylobate.splits.value_numbers import numpy_of


def read_numbers(Y: Any, n_rows: int, owner: str) -> NDArray[np.float64]:
    """A finite table of targets of shape (n, t); refuses a vector."""
    if Y is None:
        refuse_missing_target(owner)
    target, is_vector, finite = read_target(Y, n_rows, owner=owner)
    if is_vector:
        _refuse_vector(owner, "regression")
    if not finite:
        refuse_nonfinite(target, Input(owner, "y"))
    return target


def read_label_table(Y: Any, n_rows: int | None, owner: str) -> NDArray[Any]:
    """A table of labels of shape (n, t); refuses a vector.

    >>> read_label_table([["a", 1], ["b", 2]], 2, "example").shape
    (2, 2)
    """
    if Y is None:
        refuse_missing_target(owner)
    if is_sparse(Y):
        Y = Y.toarray()
    table = np.asarray(numpy_of(Y) if hasattr(Y, "to_numpy") else Y)
    if table.ndim < 2:
        _refuse_fractions(table, "continuous", owner)  # which no shape would make labels
        _refuse_vector(owner, "target classification")
    if table.ndim > 2 or not table.shape[1]:
        raise InvalidDataError(
            f"{owner}: y must have a row for each sample and a column for each output, got shape "
            f"{table.shape}."
        )
    if n_rows is not None and len(table) != n_rows:
        refuse_length(Input(owner, "y"), n_rows, len(table))
    if table.dtype.kind == "f":
        if not np.isfinite(table).all():
            refuse_nonfinite(table.astype(np.float64), Input(owner, "y"))
        _refuse_fractions(table, "continuous-multioutput", owner)
    return table


def _refuse_fractions(labels: NDArray[Any], kind: str, owner: str) -> None:
    fractions = labels.dtype.kind == "f" and (labels != np.floor(labels)).any()
    if fractions and np.isfinite(labels).all():
        raise InvalidDataError(
            f"{owner}: Unknown label type: {kind}. Maybe you are trying to fit a classifier, which "
            "expects discrete classes, to continuous targets."
        )


def _refuse_vector(owner: str, kind: str) -> None:
    raise InvalidDataError(
        f"{owner}: y must have at least two dimensions for multi-output {kind} but has only one; "
        "for one target fit the estimator itself."
    )
