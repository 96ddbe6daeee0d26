"""The joint distribution of two columns of a table."""

from __future__ import annotations

from typing import Any

from stylobate.decision import JointTable


def joint_table(frame: Any, a: str, b: str) -> JointTable:
    """The joint distribution of two columns of a table, by counting.

    Parameters
    ----------
    frame : data frame
        Any frame narwhals knows.
    a, b : str
        The columns; a becomes x (rows), b becomes y (columns).

    Returns
    -------
    JointTable

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"sex": ["f", "f", "m", "m"], "survived": [1, 1, 0, 1]})
    >>> joint_table(rows, "sex", "survived").given_x.tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """
    return JointTable.from_frame(frame, a, b)
