"""Galton's heights of parents and their children."""

from __future__ import annotations

from typing import Any

from stylobate.datasets.frames import AsFrame, load
from stylobate.datasets.shipped import read_dataset

_SOURCE = """
The numbers were published by F. Galton in 1886 (Regression towards mediocrity in hereditary
stature, Journal of the Anthropological Institute 15, 246-263) and are free. The file comes from
the package pydataset (licence: MIT), which took it from the R package HistData.
"""

DESCRIPTION = f"""
Galton: heights in inches of 928 grown children and of their mid-parents (the mean of the father and
1.08 times the mother); those of daughters are multiplied by 1.08. Galton tabulated them in classes
of one inch, so there are few distinct values. Columns: parent, child.

Licence: {_SOURCE.strip()}
"""

FAMILIES_DESCRIPTION = f"""
Galton's families: heights in inches of 934 grown children of 205 families and of their parents, as
they are in his notebook. Columns: family, father, mother, midparentHeight ((father + 1.08 mother) /
2), children (of the family), childNum, gender, childHeight.

Licence: {_SOURCE.strip()}
"""


def load_galton(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """The heights of 928 children and of their parents, which gave regression its name.

    The feature is the height of the mid-parent, the target that of the child, both in inches.
    Children of tall parents are tall, but less so than their parents: the slope is below 1.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data`, `target`, `frame`, `feature_names`, `target_names` and `DESCR`. Or the tuple
        ``(data, target)``.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = load_galton(return_X_y=True)
    >>> slope, intercept = np.polyfit(X[:, 0], y, 1)
    >>> round(float(slope), 4), round(float(intercept), 2)
    (0.6463, 23.94)

    References
    ----------
    Galton (1886), Regression towards mediocrity in hereditary stature, Journal of the
    Anthropological Institute of Great Britain and Ireland 15, 246-263.
    """
    whole = read_dataset("galton")
    return load(
        whole,
        {"parent": whole["parent"]},
        "child",
        whole["child"],
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=DESCRIPTION,
    )


def load_galton_families(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """The heights of 934 children of 205 families, with those of father and mother.

    The features are father and mother (inches) and male (1 for sons, 0 for daughters); the target
    is the child's height. Children of one family are alike, so rows are not independent: keep
    families together when you split them (the column family of `frame`).

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data`, `target`, `frame` (all columns as they are in the file; a dictionary of arrays
        where no frame is asked for), `feature_names`, `target_names` and `DESCR`. Or the tuple
        ``(data, target)``.

    Examples
    --------
    >>> families = load_galton_families()
    >>> families.feature_names, families.data.shape
    (['father', 'mother', 'male'], (934, 3))
    >>> sons = families.data[:, 2] == 1
    >>> [round(float(families.target[who].mean()), 1) for who in (sons, ~sons)]
    [69.2, 64.1]

    References
    ----------
    Galton (1886), Regression towards mediocrity in hereditary stature, Journal of the
    Anthropological Institute of Great Britain and Ireland 15, 246-263.
    """
    whole = read_dataset("galton_families")
    features = {
        "father": whole["father"],
        "mother": whole["mother"],
        "male": (whole["gender"] == "male").astype(float),
    }
    return load(
        whole,
        features,
        "childHeight",
        whole["childHeight"],
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=FAMILIES_DESCRIPTION,
    )
