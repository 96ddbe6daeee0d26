"""Exercises and measurements of the body of twenty men."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.datasets.bunch import Bunch
from stylobate.datasets.frames import AsFrame, frame_of, load
from stylobate.datasets.shipped import read_dataset

DESCRIPTION = """
Linnerud: three exercises of 20 men at a fitness club, and three measurements of their bodies.

Licence: BSD-3-Clause, from scikit-learn.
Tenenhaus (1998), La régression PLS: théorie et pratique.
"""
_TARGETS = ("Weight", "Waist", "Pulse")


def load_linnerud(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Chin-ups, sit-ups and jumps of 20 men, with their weight, waist and pulse as targets.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data`, `target` (three columns), `frame`, `feature_names`, `target_names` and `DESCR`.
        Or the tuple ``(data, target)``.

    Examples
    --------
    >>> men = load_linnerud()
    >>> men.data.shape, men.target.shape, men.target_names
    ((20, 3), (20, 3), ['Weight', 'Waist', 'Pulse'])

    References
    ----------
    Tenenhaus (1998), La régression PLS: théorie et pratique, Technip.
    """
    whole = read_dataset("linnerud")
    exercises = {name: column for name, column in whole.items() if name not in _TARGETS}
    body = {name: whole[name] for name in _TARGETS}
    found: Bunch = load(
        whole,
        exercises,
        "target",
        whole["Weight"],
        return_X_y=False,
        as_frame=as_frame,
        description=DESCRIPTION,
    )
    found["target"] = frame_of(body, as_frame) if as_frame else np.column_stack([*body.values()])
    found["target_names"] = list(_TARGETS)
    return (found.data, found.target) if return_X_y else found
