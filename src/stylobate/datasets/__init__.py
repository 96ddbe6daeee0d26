"""Small real data shipped with the package, and made-up ones; NumPy is all it takes."""

from stylobate.datasets.bunch import Bunch
from stylobate.datasets.diabetes import load_diabetes
from stylobate.datasets.optimization import (
    TestFunction,
    make_lasso,
    make_logistic,
    make_quadratic,
    make_two_feature_regression,
    parabola,
    paraboloid,
    rosenbrock,
)
from stylobate.datasets.penguins import load_penguins
from stylobate.datasets.pitch import make_pitch_track
from stylobate.datasets.shipped import list_datasets, read_dataset
from stylobate.datasets.titanic import load_titanic

__all__ = [
    "Bunch",
    "TestFunction",
    "list_datasets",
    "load_diabetes",
    "load_penguins",
    "load_titanic",
    "make_lasso",
    "make_logistic",
    "make_pitch_track",
    "make_quadratic",
    "make_two_feature_regression",
    "parabola",
    "paraboloid",
    "read_dataset",
    "rosenbrock",
]
