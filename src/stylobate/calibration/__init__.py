"""Probabilities that mean what they say: calibration of classifiers, and reliability diagrams."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names
from stylobate.metrics import CalibrationCurve, CalibrationDisplay, calibration_curve

if TYPE_CHECKING:
    from stylobate.calibration.calibrated_classifier import CalibratedClassifier
    from stylobate.calibration.cross_validated import CalibratedClassifierCV
    from stylobate.calibration.sigmoid import SigmoidCalibration
    from stylobate.calibration.temperature import TemperatureScaling

__all__ = [
    "CalibratedClassifier",
    "CalibratedClassifierCV",
    "CalibrationCurve",
    "CalibrationDisplay",
    "SigmoidCalibration",
    "TemperatureScaling",
    "calibration_curve",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "CalibratedClassifier": "calibrated_classifier",
        "CalibratedClassifierCV": "cross_validated",
        "SigmoidCalibration": "sigmoid",
        "TemperatureScaling": "temperature",
    },
)
