"""Targets as ensembles read them before their members do."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.classes import refuse_one_weighted_class as refuse_one_weighted_class
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.target import read_target, refuse_missing_target
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError


def read_targets(y: Any, n_rows: int, owner: str, *, several: bool) -> NDArray[np.float64]:
    """A finite target of shape (n,), or (n, t) where `several` are taken.

    >>> read_targets([1, 2], 2, "BaggingRegressor", several=False)
    array([1., 2.])
    """
    if y is None:
        refuse_missing_target(owner)
    target, is_vector, finite = read_target(y, n_rows, owner=owner, multi_output=several)
    if not finite:
        refuse_nonfinite(target, Input(owner, "y"))
    return target[:, 0] if is_vector else target


def read_one_target(y: Any, n_rows: int, owner: str) -> NDArray[np.float64]:
    """A finite target of shape (n,)."""
    return read_targets(y, n_rows, owner, several=False)


def refuse_several_labels(y: Any, owner: str) -> None:
    """Refuse a table of labels where one label for each row is needed."""
    shape: tuple[int, ...] = getattr(y, "shape", ())
    if isinstance(y, list) and y and isinstance(y[0], list | tuple):
        shape = (len(y), len(y[0]))
    if len(shape) == 2 and shape[1] > 1:
        raise SeveralLabelsError(
            f"{owner} only supports binary or multiclass classification. Multilabel and "
            f"multi-output classification are not supported; y has shape {shape}."
        )


class SeveralLabelsError(InvalidDataError, NotImplementedError):
    """Several labels for each row, where one is needed (scikit-learn: NotImplementedError)."""
