"""The statistical view of a fit, as values and independent of any estimator.

`LinearFit` holds what inference needs of least squares; `summarize`, `confidence_interval`,
`prediction` and `influence` turn it into answers; the diagnostics look at residuals and columns.
`GLMFit` and `summarize_glm` are the same for generalised linear models. Paired tests say
whether one model is better than another on the same rows or splits.
"""

from __future__ import annotations

from stylobate.inference.checks.collinearity import (
    ConditionIndices,
    VarianceInflation,
    condition_indices,
    variance_inflation,
)
from stylobate.inference.checks.diagnostics import (
    TestResult,
    breusch_pagan,
    durbin_watson,
    jarque_bera,
    white,
)
from stylobate.inference.checks.influence import Influence, WorstRows, influence
from stylobate.inference.checks.residual_view import ResidualView, residual_view, residual_view_of
from stylobate.inference.checks.specification import (
    SpecificationReport,
    breusch_godfrey,
    reset,
    specification_report,
)
from stylobate.inference.comparisons.likelihood_ratio import (
    LikelihoodRatio,
    analysis_of_deviance,
    likelihood_ratio_test,
)
from stylobate.inference.comparisons.multiplicity import ContrastTable, adjusted_p, contrasts
from stylobate.inference.comparisons.paired import (
    corrected_resampled_t_test,
    holm,
    mcnemar_test,
    sign_test,
)
from stylobate.inference.comparisons.power import (
    Power,
    SimulatedPower,
    power_f_test,
    power_proportions,
    power_t_test,
    simulated_power,
)
from stylobate.inference.covariance.least_squares import (
    CoefficientCovariance,
    coefficient_covariance,
)
from stylobate.inference.estimates import Estimates, WaldTest, wald_test
from stylobate.inference.fit import LinearFit, fit_from_factor
from stylobate.inference.glm.fit import GLMFit, fit_from_information
from stylobate.inference.glm.rows import glm_fit_from_rows
from stylobate.inference.glm.summary import GLMSummary, summarize_glm
from stylobate.inference.intervals import PredictionInterval, confidence_interval, prediction
from stylobate.inference.regression_band import RegressionBand, regression_band
from stylobate.inference.summary.regression import Coefficients, RegressionSummary, summarize

__all__ = [
    "CoefficientCovariance",
    "Coefficients",
    "ConditionIndices",
    "ContrastTable",
    "Estimates",
    "GLMFit",
    "GLMSummary",
    "Influence",
    "LikelihoodRatio",
    "LinearFit",
    "Power",
    "PredictionInterval",
    "RegressionBand",
    "RegressionSummary",
    "ResidualView",
    "SimulatedPower",
    "SpecificationReport",
    "TestResult",
    "VarianceInflation",
    "WaldTest",
    "WorstRows",
    "adjusted_p",
    "analysis_of_deviance",
    "breusch_godfrey",
    "breusch_pagan",
    "coefficient_covariance",
    "condition_indices",
    "confidence_interval",
    "contrasts",
    "corrected_resampled_t_test",
    "durbin_watson",
    "fit_from_factor",
    "fit_from_information",
    "glm_fit_from_rows",
    "holm",
    "influence",
    "jarque_bera",
    "likelihood_ratio_test",
    "mcnemar_test",
    "power_f_test",
    "power_proportions",
    "power_t_test",
    "prediction",
    "regression_band",
    "reset",
    "residual_view",
    "residual_view_of",
    "sign_test",
    "simulated_power",
    "specification_report",
    "summarize",
    "summarize_glm",
    "variance_inflation",
    "wald_test",
    "white",
]
