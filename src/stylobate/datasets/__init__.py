"""Small real data shipped with the package, and made-up ones; NumPy is all it takes."""

from stylobate.datasets.breast_cancer import load_breast_cancer
from stylobate.datasets.bunch import Bunch
from stylobate.datasets.diabetes import load_diabetes
from stylobate.datasets.galton import load_galton, load_galton_families
from stylobate.datasets.iris import load_iris
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
from stylobate.datasets.wine import load_wine

__all__ = [
    "Bunch",
    "TestFunction",
    "list_datasets",
    "load_breast_cancer",
    "load_diabetes",
    "load_galton",
    "load_galton_families",
    "load_iris",
    "load_penguins",
    "load_titanic",
    "load_wine",
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
