"""The diabetes patients of the least angle regression paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.datasets.frames import AsFrame, load
from stylobate.datasets.shipped import read_dataset

DESCRIPTION = """
Diabetes: 442 patients; age, sex, body mass index, average blood pressure and six blood serum
measurements (s1 total cholesterol, s2 low-density and s3 high-density lipoproteins, s4 total
cholesterol / HDL, s5 possibly the logarithm of the triglycerides, s6 blood sugar), and a measure of
the disease's progression one year later (target).

Licence: BSD-3-Clause, from scikit-learn. Efron, Hastie, Johnstone & Tibshirani (2004), Least angle
regression, Annals of Statistics 32(2), 407-499.
"""


def load_diabetes(
    *, return_X_y: bool = False, as_frame: AsFrame = False, scaled: bool = True
) -> Any:
    """Ten measurements of 442 diabetes patients, and the disease's progression one year later.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).
    scaled : bool, default=True
        Whether the features are centred and scaled to sum of squares 1, as in scikit-learn, or in
        their own units.

    Returns
    -------
    Bunch
        With `data`, `target`, `frame` (features and target together; a dictionary of arrays where
        no frame is asked for), `feature_names`, `target_names` and `DESCR`. Or the tuple
        ``(data, target)``.

    Examples
    --------
    >>> X, y = load_diabetes(return_X_y=True)
    >>> X.shape, round(float(X[:, 2] @ X[:, 2]), 12)
    ((442, 10), 1.0)
    >>> load_diabetes(scaled=False).data[0, :4]
    array([ 59. ,   2. ,  32.1, 101. ])

    References
    ----------
    Efron, Hastie, Johnstone & Tibshirani (2004), Least angle regression, Annals of Statistics
    32(2), 407-499.
    """
    whole = read_dataset("diabetes")
    for name in (name for name in whole if scaled and name != "target"):
        centred = whole[name] - whole[name].mean()
        whole[name] = centred / np.sqrt(centred @ centred)
    return load(
        whole,
        {name: column for name, column in whole.items() if name != "target"},
        "target",
        whole["target"],
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=DESCRIPTION,
    )
