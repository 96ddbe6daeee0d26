"""Linear models: least squares and ridge, with inference and certificates."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.linear_model.constrained_ridge import ConstrainedRidge
    from stylobate.linear_model.linear_regression import LinearRegression
    from stylobate.linear_model.perceptron import Perceptron
    from stylobate.linear_model.ridge import Ridge
    from stylobate.linear_model.ridge_classifier import RidgeClassifier
    from stylobate.linear_model.ridge_classifier_cv import RidgeClassifierCV
    from stylobate.linear_model.ridge_cv import RidgeCV
    from stylobate.linear_model.sgd_classifier import SGDClassifier
    from stylobate.linear_model.sgd_regressor import SGDRegressor

__all__ = [
    "ConstrainedRidge",
    "LinearRegression",
    "Perceptron",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "SGDClassifier",
    "SGDRegressor",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ConstrainedRidge": "constrained_ridge",
        "LinearRegression": "linear_regression",
        "Perceptron": "perceptron",
        "Ridge": "ridge",
        "RidgeCV": "ridge_cv",
        "RidgeClassifier": "ridge_classifier",
        "RidgeClassifierCV": "ridge_classifier_cv",
        "SGDClassifier": "sgd_classifier",
        "SGDRegressor": "sgd_regressor",
    },
)
