"""The data sets in the package: their names and their files."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path

from stylobate.datasets.columns import Columns, read_columns
from stylobate.exceptions import InvalidParameterError

DESCRIPTIONS = {
    "penguins": "344 penguins of three species: size, mass, sex and island",
    "diabetes": "442 patients: ten measurements, and the disease one year later",
    "titanic": "1,313 passengers: class, age, sex, and who survived",
    "galton": "928 grown children: their height and that of their parents",
    "galton_families": "934 grown children of 205 families: heights of father, mother and child",
    "iris": "150 flowers of three species: sepals and petals",
    "wine": "178 wines of three cultivars: thirteen chemical measurements",
    "breast_cancer": "569 tumours, malignant or benign: thirty measurements of cell nuclei",
    "digits": "1,797 handwritten digits: 8 by 8 pixels in 17 shades",
    "linnerud": "20 men: three exercises and three measurements of the body",
}


def list_datasets() -> dict[str, str]:
    """Names of the shipped data sets, with a line about each.

    >>> list(list_datasets())[:4]
    ['penguins', 'diabetes', 'titanic', 'galton']
    """
    return dict(DESCRIPTIONS)


def read_dataset(name: str) -> Columns:
    """All columns and rows of a shipped data set, as NumPy arrays by name.

    Numbers are float64 with NaN where a value is missing; other columns hold text, None where
    missing.

    Parameters
    ----------
    name : str
        One of `list_datasets`.

    Returns
    -------
    dict of str to array

    Examples
    --------
    >>> columns = read_dataset("penguins")
    >>> list(columns)[:3], len(columns["species"])
    (['species', 'island', 'bill_length_mm'], 344)
    """
    if name not in DESCRIPTIONS:
        close = get_close_matches(str(name), DESCRIPTIONS, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise InvalidParameterError(
            f"There is no shipped data set {name!r}; there are {', '.join(DESCRIPTIONS)}.{hint}"
        )
    with path_of(name).open("r", encoding="utf-8") as file:
        return read_columns(file, f"{name}.csv")


def path_of(name: str) -> Path:
    """The file of a shipped data set."""
    return Path(str(files("stylobate.datasets") / "data" / f"{name}.csv"))
