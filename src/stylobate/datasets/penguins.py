"""The Palmer penguins."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from stylobate.datasets.frames import AsFrame, load
from stylobate.datasets.shipped import read_dataset
from stylobate.exceptions import InvalidParameterError

MEASUREMENTS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")

DESCRIPTION = """
Palmer penguins: 344 penguins of the species Adelie, Chinstrap and Gentoo, observed on three islands
near Palmer Station, Antarctica, 2007-2009. Columns: species, island, bill_length_mm, bill_depth_mm,
flipper_length_mm, body_mass_g, sex, year. Two penguins have no measurements, eleven no sex.

Licence: CC0. Gorman, Williams & Fraser (2014), Ecological sexual dimorphism and environmental
variability within a community of Antarctic penguins, PLoS ONE 9(3): e90081.
"""


def load_penguins(
    *, target: str | None = None, return_X_y: bool = False, as_frame: AsFrame = False
) -> Any:
    """The Palmer penguins: four measurements of 344 penguins of three species.

    The features are the measurements bill_length_mm, bill_depth_mm, flipper_length_mm and
    body_mass_g, without the target if it is one of them. Rows in which a feature or the target is
    missing are dropped: two penguins, or eleven if the target is sex.

    Parameters
    ----------
    target : str, default=None
        Any column of the file; None stands for "species".
    return_X_y : bool, default=False
        Whether to return ``(data, target)`` alone.
    as_frame : {False, True, "pandas", "polars", "pyarrow"}, default=False
        NumPy arrays, or the frame named (True: pandas).

    Returns
    -------
    Bunch
        With `data`, `target`, `frame` (all columns of all 344 rows; a dictionary of arrays where
        no frame is asked for), `feature_names`, `target_names` (the classes, or the target's name
        if it is a number) and `DESCR`. Or the tuple ``(data, target)``.

    Examples
    --------
    >>> X, y = load_penguins(target="body_mass_g", return_X_y=True)
    >>> X.shape, y[:3]
    ((342, 3), array([3750., 3800., 3250.]))
    >>> penguins = load_penguins()
    >>> penguins.target_names
    ['Adelie', 'Chinstrap', 'Gentoo']

    References
    ----------
    Gorman, Williams & Fraser (2014), Ecological sexual dimorphism and environmental variability
    within a community of Antarctic penguins (genus Pygoscelis), PLoS ONE 9(3): e90081.
    """
    whole = read_dataset("penguins")
    chosen = "species" if target is None else target
    if not isinstance(chosen, str) or chosen not in whole:
        close = get_close_matches(str(chosen), whole, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise InvalidParameterError(
            f"load_penguins: target must be one of {', '.join(whole)}, got {chosen!r}.{hint}"
        )
    return load(
        whole,
        {name: whole[name] for name in MEASUREMENTS if name != chosen},
        chosen,
        whole[chosen],
        return_X_y=return_X_y,
        as_frame=as_frame,
        description=DESCRIPTION,
    )
