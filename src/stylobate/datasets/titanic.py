"""The passengers of the Titanic."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.datasets.frames import AsFrame, load
from stylobate.datasets.shipped import read_dataset

DESCRIPTION = """
Titanic: 1,313 passengers; name, class (1st, 2nd, 3rd; * for one whose class is unknown), age in
years (missing for 557), sex, survived (1 or 0).

Public domain, as recorded by the package bokeh_sampledata.
"""

_CLASSES = {"1st": 1.0, "2nd": 2.0, "3rd": 3.0}


def load_titanic(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Who survived the Titanic: class, sex and age of 1,313 passengers.

    The features are numbers: class (1, 2, 3), female (1 for women, 0 for men) and age in years. The
    557 passengers whose age is unknown are dropped, which leaves 756. The target is 1 for those who
    survived and 0 for the others.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data`, `target`, `frame` (all columns of all 1,313 rows as they are in the file; a
        dictionary of arrays where no frame is asked for), `feature_names`, `target_names` and
        `DESCR`. Or the tuple ``(data, target)``.

    Examples
    --------
    >>> titanic = load_titanic()
    >>> titanic.feature_names, titanic.data.shape
    (['class', 'female', 'age'], (756, 3))
    >>> female = titanic.data[:, 1] == 1
    >>> [round(float(titanic.target[who].mean()), 2) for who in (female, ~female)]
    [0.75, 0.21]
    """
    whole = read_dataset("titanic")
    features = {
        "class": np.array([_CLASSES.get(label, np.nan) for label in whole["class"]]),
        "female": (whole["sex"] == "female").astype(float),
        "age": whole["age"],
    }
    return load(
        whole,
        features,
        "survived",
        whole["survived"],
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=DESCRIPTION,
    )
