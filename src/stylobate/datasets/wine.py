"""Wines of three growers."""

from __future__ import annotations

from typing import Any

from stylobate.datasets.class_loading import load_classes
from stylobate.datasets.frames import AsFrame

DESCRIPTION = """
Wine: 178 Italian wines from three cultivars; thirteen chemical measurements.

Licence: BSD-3-Clause, from scikit-learn.
Forina et al. (1991), PARVUS; Aeberhard & Forina, UCI Machine Learning Repository.
"""


def load_wine(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Thirteen chemical measurements of 178 wines from three cultivars.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data`, `target` (classes as numbers), `frame` (the file, with cultivar by name; a
        dictionary of arrays where no frame is asked for), `feature_names`, `target_names` and
        `DESCR`. Or the tuple ``(data, target)``.

    Examples
    --------
    >>> found = load_wine()
    >>> found.data.shape, found.target_names
    ((178, 13), ['class_0', 'class_1', 'class_2'])

    References
    ----------
    Forina et al. (1991), PARVUS; Aeberhard & Forina, UCI Machine Learning Repository.
    """
    return load_classes(
        "wine",
        "cultivar",
        ("class_0", "class_1", "class_2"),
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=DESCRIPTION,
    )
