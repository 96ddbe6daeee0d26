"""Breast tumours, benign and malignant."""

from __future__ import annotations

from typing import Any

from stylobate.datasets.class_loading import load_classes
from stylobate.datasets.frames import AsFrame

DESCRIPTION = """
Breast cancer: 569 tumours, malignant or benign; mean, standard error and worst value of ten
measurements of cell nuclei in an image.

Licence: BSD-3-Clause, from scikit-learn.
Street, Wolberg & Mangasarian (1993), Nuclear feature extraction for breast tumor diagnosis.
"""


def load_breast_cancer(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Thirty measurements of the cell nuclei of 569 tumours, malignant or benign.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data`, `target` (classes as numbers), `frame` (the file, with diagnosis by name; a
        dictionary of arrays where no frame is asked for), `feature_names`, `target_names` and
        `DESCR`. Or the tuple ``(data, target)``.

    Examples
    --------
    >>> found = load_breast_cancer()
    >>> found.data.shape, found.target_names
    ((569, 30), ['malignant', 'benign'])

    References
    ----------
    Street, Wolberg & Mangasarian (1993), Nuclear feature extraction for breast tumor diagnosis.
    """
    return load_classes(
        "breast_cancer",
        "diagnosis",
        ("malignant", "benign"),
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=DESCRIPTION,
    )
