"""The classes of a target: which there are, which are too rare, which one is looked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.kinds import Column
from stylobate.exceptions import InvalidDataError, InvalidParameterError

RARE = 5  # rows of a class, below which it cannot be learnt and judged
MOST_CLASSES = 100
_YES = ("1", "1.0", "true", "yes", "y", "t", "positive", "pos", "good", "success",
        "ja", "oui", "si", "sí", "sim")  # fmt: skip


def classes_of(present: NDArray[Any], column: Column) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The classes in sorted order, in a plain type, and the rows' codes."""
    from stylobate.data.coding import code_column

    coded = code_column(present)
    values = coded.values.tolist()
    plain = [v.strip() if isinstance(v, str) else v for v in values]
    if any(isinstance(v, str) for v in plain):
        plain = [str(v) for v in plain]
        steps = {value: k for k, value in enumerate(column.order or ())}
        order = sorted(set(plain), key=lambda value: (steps.get(value, len(steps)), value))
    else:
        order = sorted(set(plain))
    number = {label: k for k, label in enumerate(order)}
    codes = np.array([number[v] for v in plain], dtype=np.intp)[coded.codes]
    labels = np.array(order)
    if labels.dtype.kind == "f":  # 0.99 and 1.99 as classes are words: a model may give no other
        whole = bool(np.all(labels == np.rint(labels)))
        labels = labels.astype(np.int64) if whole else np.array([str(each) for each in order])
    return labels, codes


def without_rare(
    rows: NDArray[np.intp], codes: NDArray[np.intp], known: NDArray[Any]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[Any], list[str]]:
    """Leave out the rows of classes too rare to be learnt and judged."""
    counts = np.bincount(codes, minlength=len(known))
    kept = counts >= RARE
    if kept.all():
        return rows, codes, known, []
    here = kept[codes]
    new = np.cumsum(kept) - 1
    names = ", ".join(str(label) for label in known[~kept][:6])
    more = int((~kept).sum()) - 6
    told = (
        f"{int((~here).sum())} rows of classes with fewer than {RARE} rows take no part: {names}"
        f"{f' and {more} more' if more > 0 else ''}."
    )
    return rows[here], new[codes[here]].astype(np.intp), known[kept], [told]


def check_class_count(column: Column, known: NDArray[Any]) -> None:
    """Refuse a target of one class, or of too many."""
    if len(known) < 2:
        raise InvalidDataError(
            f"The target {column.name!r} has {column.n_distinct} different values, of which "
            f"{len(known) or 'none'} occur{'s' if len(known) == 1 else ''} in {RARE} rows or more: "
            "two such classes are needed. Get more rows, or choose another column."
        )
    if len(known) > MOST_CLASSES:
        raise InvalidDataError(
            f"The target {column.name!r} has {len(known)} classes, more than the {MOST_CLASSES} "
            "that a study takes; merge the rare ones."
        )


def positive_class(
    known: NDArray[Any], codes: NDArray[np.intp], positive: str | None, target: str
) -> tuple[int, str]:
    """The code of the positive class, and why."""
    names = [str(label) for label in known]
    if positive is not None:
        if str(positive) not in names:
            raise InvalidParameterError(
                f"positive={positive!r} is no class of {target!r}; there are {' and '.join(names)}."
            )
        return names.index(str(positive)), ""
    lower = [name.lower() for name in names]
    said = [k for k in (0, 1) if lower[k] in _YES]
    if len(said) == 1:
        return said[0], f"; {names[said[0]]} counts as positive"
    counts = np.bincount(codes, minlength=2)
    rarer = int(counts[1] <= counts[0])
    return rarer, f"; {names[rarer]}, the rarer class, counts as positive"
