"""Data sets whose target is a class: numbered as in scikit-learn, by name in the file."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.datasets.frames import AsFrame, load
from stylobate.datasets.shipped import read_dataset


def load_classes(
    name: str,
    target: str,
    classes: tuple[str, ...],
    *,
    return_X_y: bool,
    as_frame: AsFrame,
    description: str,
) -> Any:
    """A shipped data set with its classes numbered in the order given."""
    whole = read_dataset(name)
    number = {label: k for k, label in enumerate(classes)}
    codes = np.array([number[label] for label in whole[target]], dtype=np.float64)
    found = load(
        whole,
        {each: column for each, column in whole.items() if each != target},
        "target",
        codes,
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=description,
    )
    if return_X_y:
        return found[0], whole_numbers(found[1])
    found["target"] = whole_numbers(found["target"])
    found["target_names"] = list(classes)
    return found


def whole_numbers(codes: Any) -> Any:
    """The numbers of classes as integers, in the container they came in."""
    if isinstance(codes, np.ndarray):
        return codes.astype(np.int64)
    kind = type(codes).__module__.partition(".")[0]
    if kind == "polars":
        import polars

        return codes.cast(polars.Int64)
    return codes.cast("int64") if kind == "pyarrow" else codes.astype("int64")
