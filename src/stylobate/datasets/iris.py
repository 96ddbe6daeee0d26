"""Fisher's irises."""

from __future__ import annotations

from typing import Any

from stylobate.datasets.class_loading import load_classes
from stylobate.datasets.frames import AsFrame

DESCRIPTION = """
Iris: 150 flowers of three species; length and width of sepals and petals in centimetres.

Licence: BSD-3-Clause, from scikit-learn.
Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of Eugenics 7.
"""


def load_iris(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Four measurements of 150 irises of three species.

    Parameters
    ----------
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data`, `target` (classes as numbers), `frame` (the file, with species by name; a
        dictionary of arrays where no frame is asked for), `feature_names`, `target_names` and
        `DESCR`. Or the tuple ``(data, target)``.

    Examples
    --------
    >>> found = load_iris()
    >>> found.data.shape, found.target_names
    ((150, 4), ['setosa', 'versicolor', 'virginica'])

    References
    ----------
    Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of Eugenics 7.
    """
    return load_classes(
        "iris",
        "species",
        ("setosa", "versicolor", "virginica"),
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=DESCRIPTION,
    )
