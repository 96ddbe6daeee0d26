"""Small real data shipped with the package; NumPy is all it takes to load them."""

from stylobate.datasets.bunch import Bunch
from stylobate.datasets.diabetes import load_diabetes
from stylobate.datasets.penguins import load_penguins
from stylobate.datasets.shipped import list_datasets, read_dataset
from stylobate.datasets.titanic import load_titanic

__all__ = [
    "Bunch",
    "list_datasets",
    "load_diabetes",
    "load_penguins",
    "load_titanic",
    "read_dataset",
]
