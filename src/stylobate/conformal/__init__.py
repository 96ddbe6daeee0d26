"""Intervals and sets of labels that hold the truth as often as promised, around any estimator."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.conformal.classifier import ConformalClassifier
    from stylobate.conformal.prediction_sets import PredictionSets
    from stylobate.conformal.quantile_regressor import ConformalQuantileRegressor
    from stylobate.conformal.regressor import ConformalRegressor

__all__ = [
    "ConformalClassifier",
    "ConformalQuantileRegressor",
    "ConformalRegressor",
    "PredictionSets",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ConformalClassifier": "classifier",
        "ConformalQuantileRegressor": "quantile_regressor",
        "ConformalRegressor": "regressor",
        "PredictionSets": "prediction_sets",
    },
)
