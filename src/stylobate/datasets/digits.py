"""Handwritten digits as small pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.datasets.class_loading import whole_numbers
from stylobate.datasets.frames import AsFrame, load
from stylobate.datasets.shipped import read_dataset
from stylobate.exceptions import InvalidParameterError

DESCRIPTION = """
Digits: 1,797 handwritten digits of 8 by 8 pixels, shades from 0 to 16.

Licence: BSD-3-Clause, from scikit-learn (UCI, Optical Recognition of Handwritten Digits, test set).
Alpaydin & Kaynak (1998), Cascading classifiers, Kybernetika 34(4), 369-374.
"""


def load_digits(*, n_class: int = 10, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """1,797 handwritten digits of 8 by 8 pixels.

    Parameters
    ----------
    n_class : int in [1, 10], default=10
        Digits below this number are given back.
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data` (64 shades from 0 to 16), `target` (the digit), `images` (data as 8 by 8),
        `frame`, `feature_names`, `target_names` and `DESCR`. Or the tuple ``(data, target)``.

    Examples
    --------
    >>> digits = load_digits()
    >>> digits.data.shape, digits.images.shape, digits.target[:5]
    ((1797, 64), (1797, 8, 8), array([0, 1, 2, 3, 4]))

    References
    ----------
    Alpaydin & Kaynak (1998), Cascading classifiers, Kybernetika 34(4), 369-374.
    """
    if isinstance(n_class, bool) or n_class not in range(1, 11):
        raise InvalidParameterError(
            f"load_digits: n_class must be an integer from 1 to 10, got {n_class!r}."
        )
    whole = read_dataset("digits")
    kept = whole["digit"] < n_class
    whole = {name: column[kept] for name, column in whole.items()}
    pixels = {name: column for name, column in whole.items() if name != "digit"}
    found = load(
        whole,
        pixels,
        "target",
        whole["digit"],
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=DESCRIPTION,
    )
    if return_X_y:
        return found[0], whole_numbers(found[1])
    found["target"] = whole_numbers(found["target"])
    found["images"] = np.column_stack(list(pixels.values())).reshape(-1, 8, 8)
    found["target_names"] = np.arange(10)
    return found
