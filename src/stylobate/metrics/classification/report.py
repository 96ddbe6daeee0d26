"""All scores of all classes, as a table to read or a dictionary."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.metrics.classification.counts import ClassCounts
from stylobate.metrics.classification.label_scores import ALL, scores_of
from stylobate.metrics.classification.labels import read_label_pairs

HEADERS = ("precision", "recall", "f1-score", "support")


def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    target_names: Any = None,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
) -> str | dict[str, Any]:
    """Precision, recall, F1 and support of each class, and their averages.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, n_labels)
        The labels and what was predicted.
    labels : array-like of shape (k,), optional
        The classes to report, in that order; default: all that occur, sorted.
    target_names : sequence of str of length k, optional
        How to call them.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    digits : int, default=2
        Digits after the point; nothing is rounded in a dictionary.
    output_dict : bool, default=False
        Whether to return a dictionary of dictionaries instead of text.
    zero_division : {"warn", 0.0, 1.0, nan}, default="warn"
        The score where nothing was predicted or true.

    Returns
    -------
    str or dict

    Examples
    --------
    >>> print(classification_report([0, 1, 1], [0, 1, 0], digits=1))
                  precision    recall  f1-score   support
    <BLANKLINE>
               0        0.5       1.0       0.7         1
               1        1.0       0.5       0.7         2
    <BLANKLINE>
        accuracy                            0.7         3
       macro avg        0.8       0.8       0.7         3
    weighted avg        0.8       0.7       0.7         3
    <BLANKLINE>
    """
    owner = "classification_report"
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    wanted = read.classes if labels is None else np.asarray(labels).reshape(-1)
    # the micro average of all classes is the accuracy
    accurate = isinstance(read, ClassCounts) and (
        labels is None or set(wanted.tolist()) >= set(read.classes.tolist())
    )
    names = _names(wanted, target_names, labels, owner)

    def scores(average: str | None) -> tuple[Any, Any, Any, Any]:
        return scores_of(read, owner, 1.0, wanted, None, average, ALL, zero_division)

    each = scores(None)
    rows = {
        name: dict(zip(HEADERS, values, strict=True))
        for name, values in zip(names, zip(*map(np.ndarray.tolist, each), strict=True), strict=True)
    }
    averages = {}
    kinds = ("micro", "macro", "weighted", *(() if isinstance(read, ClassCounts) else ("samples",)))
    for average in kinds:
        found = dict(zip(HEADERS, (*scores(average)[:3], each[3].sum().item()), strict=True))
        averages["accuracy" if average == "micro" and accurate else f"{average} avg"] = found
    if output_dict:
        if accurate:
            averages["accuracy"] = averages["accuracy"]["precision"]
        return rows | averages
    return _text(rows, averages, digits)


def _names(wanted: Any, target_names: Any, labels: Any, owner: str) -> list[str]:
    if target_names is None:
        return [str(label) for label in wanted.tolist()]
    names = [str(name) for name in target_names]
    if len(names) == len(wanted):
        return names
    if labels is None:
        raise InvalidParameterError(
            f"{owner}: Number of classes, {len(wanted)}, does not match size of target_names, "
            f"{len(names)}. Try specifying the labels parameter"
        )
    warnings.warn(
        f"labels size, {len(wanted)}, does not match size of target_names, {len(names)}",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )
    return names


def _text(rows: dict[str, Any], averages: dict[str, Any], digits: int) -> str:
    width = max([len(name) for name in (*rows, "weighted avg")] + [digits])

    def line(name: str, cells: dict[str, Any], hidden: tuple[str, ...] = ()) -> str:
        shown = ["" if h in hidden else f"{cells[h]:.{digits}f}" for h in HEADERS[:3]]
        return f"{name:>{width}s} " + "".join(f" {c:>9}" for c in (*shown, cells["support"])) + "\n"

    text = f"{'':>{width}s} " + "".join(f" {h:>9}" for h in HEADERS) + "\n\n"
    text += "".join(line(name, cells) for name, cells in rows.items()) + "\n"
    for name, cells in averages.items():
        text += line(name, cells, ("precision", "recall") if name == "accuracy" else ())
    return text
