"""Labels to be compared: read once, and counted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_weights
from stylobate.data.sparse import check_sparse, is_sparse
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.classification.counts import ClassCounts, count_classes
from stylobate.metrics.ranking.indicators import (
    IndicatorPairs,
    indicator_pairs,
    is_sparse_indicator,
)
from stylobate.metrics.regression.outputs import require_same_length
from stylobate.splits.strata import as_array, type_of_target

_COUNTABLE = ("binary", "multiclass", "multilabel-indicator")


def read_label_pairs(
    y_true: Any, y_pred: Any, sample_weight: Any, owner: str
) -> ClassCounts | IndicatorPairs:
    """Read both sides of a classification metric; refuses numbers that are not labels.

    Counts that are known already (and nothing in `y_pred`) are taken as they are.
    """
    if isinstance(y_true, ClassCounts) and y_pred is None:
        return y_true
    a, b = (y if is_sparse(y) else as_array(y) for y in (y_true, y_pred))
    for name, labels in (("y_true", a), ("y_pred", b)):
        check_sparse(labels, Input(owner, name))
        if labels.ndim == 0 or 0 in labels.shape:
            raise InvalidDataError(f"{owner}: {name} is empty; a minimum of 1 sample is required.")
    require_same_length(owner, a.shape[0], b.shape[0])
    weights = read_weights(sample_weight, a.shape[0], owner=owner)
    if _is_column(a) and _is_column(b):
        counts = count_classes(*_alike(a.reshape(-1), b.reshape(-1), owner), weights)
        if counts is not None:
            return counts
    for name, labels in (("y_true", a), ("y_pred", b)):
        numbers = labels.data if is_sparse(labels) else labels
        if labels.dtype.kind == "f" and not np.isfinite(numbers).all():
            what = "NaN" if np.isnan(numbers).any() else "infinity"
            raise InvalidDataError(
                f"{owner}: Input {name} contains {what}; drop those rows, or give them a label."
            )
    _require_indicators(_kind(a), _kind(b), owner)
    return indicator_pairs(a, b, weights, owner)


def classes_only(read: ClassCounts | IndicatorPairs, owner: str, instead: str = "") -> ClassCounts:
    """These, unless rows have several labels, which are then refused."""
    if isinstance(read, ClassCounts):
        return read
    remedy = f"; use {instead}." if instead else "; pass one label for each row."
    raise InvalidDataError(f"{owner}: multilabel-indicator is not supported{remedy}")


def _is_column(labels: Any) -> bool:
    return not is_sparse(labels) and (
        labels.ndim == 1 or (labels.ndim == 2 and labels.shape[1] == 1)
    )


def _kind(labels: Any) -> str:
    if not is_sparse(labels):
        return type_of_target(labels)
    return "multilabel-indicator" if is_sparse_indicator(labels) else "multiclass-multioutput"


def _require_indicators(true_kind: str, predicted_kind: str, owner: str) -> None:
    kinds = {true_kind, predicted_kind}
    if len(kinds) > 1:
        raise InvalidDataError(
            f"{owner}: Classification metrics can't handle a mix of {true_kind} and "
            f"{predicted_kind} targets; pass labels of one kind in y_true and y_pred."
        )
    if true_kind not in _COUNTABLE:
        raise InvalidDataError(
            f"{owner}: {true_kind} is not supported; pass labels (text, integers or booleans)."
        )


def _alike(a: NDArray[Any], b: NDArray[Any], owner: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both as text or both as numbers; objects become what they hold."""
    a, b = (_known_kind(v, name, owner) for v, name in ((a, "y_true"), (b, "y_pred")))
    text = [v.dtype.kind in "USO" for v in (a, b)]
    if text[0] != text[1]:
        raise InvalidDataError(
            f"{owner}: Mix of label input types (string and number): y_true has dtype {a.dtype}, "
            f"y_pred {b.dtype}."
        )
    return a, b


def _known_kind(values: NDArray[Any], name: str, owner: str) -> NDArray[Any]:
    """Objects that are numbers as numbers; those that are all text stay as they are."""
    if values.dtype.kind in "biufUS":
        return values
    if values.dtype.kind == "O":
        kinds = set(map(type, values.tolist()))
        if all(issubclass(kind, str) for kind in kinds):
            return values
        plain = np.array(values.tolist())
        if plain.dtype.kind in "biuf":
            return plain
        found = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise InvalidDataError(
            f"{owner}: unknown is not supported: {name} holds {found}; pass labels of one kind "
            "(text, integers or booleans)."
        )
    raise InvalidDataError(
        f"{owner}: unknown is not supported: {name} has dtype {values.dtype}; pass labels (text, "
        "integers or booleans)."
    )
