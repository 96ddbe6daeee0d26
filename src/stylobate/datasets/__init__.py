"""Small real data shipped with the package, and made-up ones; most need NumPy alone."""

from stylobate.datasets.breast_cancer import load_breast_cancer
from stylobate.datasets.bunch import Bunch
from stylobate.datasets.diabetes import load_diabetes
from stylobate.datasets.digits import load_digits
from stylobate.datasets.galton import load_galton, load_galton_families
from stylobate.datasets.generators.classes import (
    make_classification,
    make_gaussian_quantiles,
    make_hastie_10_2,
)
from stylobate.datasets.generators.labels import (
    make_multilabel_classification,
)
from stylobate.datasets.generators.matrices import (
    make_biclusters,
    make_checkerboard,
    make_low_rank_matrix,
    make_sparse_coded_signal,
    make_sparse_spd_matrix,
    make_spd_matrix,
)
from stylobate.datasets.generators.regressions import (
    make_friedman1,
    make_friedman2,
    make_friedman3,
    make_regression,
    make_sparse_uncorrelated,
)
from stylobate.datasets.generators.shapes import (
    make_blobs,
    make_circles,
    make_moons,
    make_s_curve,
    make_swiss_roll,
)
from stylobate.datasets.iris import load_iris
from stylobate.datasets.linnerud import load_linnerud
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
    "load_digits",
    "load_galton",
    "load_galton_families",
    "load_iris",
    "load_linnerud",
    "load_penguins",
    "load_titanic",
    "load_wine",
    "make_biclusters",
    "make_blobs",
    "make_checkerboard",
    "make_circles",
    "make_classification",
    "make_friedman1",
    "make_friedman2",
    "make_friedman3",
    "make_gaussian_quantiles",
    "make_hastie_10_2",
    "make_lasso",
    "make_logistic",
    "make_low_rank_matrix",
    "make_moons",
    "make_multilabel_classification",
    "make_pitch_track",
    "make_quadratic",
    "make_regression",
    "make_s_curve",
    "make_sparse_coded_signal",
    "make_sparse_spd_matrix",
    "make_sparse_uncorrelated",
    "make_spd_matrix",
    "make_swiss_roll",
    "make_two_feature_regression",
    "parabola",
    "paraboloid",
    "read_dataset",
    "rosenbrock",
]
