"""The statistical view of least squares, as values and independent of any estimator.

`LinearFit` holds what inference needs of a fit; `summarize`, `confidence_interval`, `prediction`
and `influence` turn it into answers; the diagnostics look at residuals and columns.
"""

from __future__ import annotations

from .collinearity import (
    ConditionIndices,
    VarianceInflation,
    condition_indices,
    variance_inflation,
)
from .covariance import CoefficientCovariance, coefficient_covariance
from .diagnostics import TestResult, breusch_pagan, durbin_watson, jarque_bera, white
from .fit import LinearFit, fit_from_factor
from .influence import Influence, WorstRows, influence
from .intervals import PredictionInterval, confidence_interval, prediction
from .summary import Coefficients, RegressionSummary, summarize

__all__ = [
    "CoefficientCovariance",
    "Coefficients",
    "ConditionIndices",
    "Influence",
    "LinearFit",
    "PredictionInterval",
    "RegressionSummary",
    "TestResult",
    "VarianceInflation",
    "WorstRows",
    "breusch_pagan",
    "coefficient_covariance",
    "condition_indices",
    "confidence_interval",
    "durbin_watson",
    "fit_from_factor",
    "influence",
    "jarque_bera",
    "prediction",
    "summarize",
    "variance_inflation",
    "white",
]
