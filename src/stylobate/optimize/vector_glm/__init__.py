"""Likelihoods of one or several linear predictors per row, maximised by Newton's method.

A `RowLikelihood` says the log-likelihood of rows with its derivatives in their predictors; which
columns and parameters make the predictors is the solver's business. So ordinal models, negative
binomial and zero-inflated counts are values like any other family.

References
----------
Yee & Wild (1996), Vector generalized additive models, J. Royal Statistical Society B 58.
"""

from __future__ import annotations

from stylobate.optimize.vector_glm.exponential import (
    BinaryResponse,
    ExponentialFamily,
)
from stylobate.optimize.vector_glm.likelihood import Derivatives, Predictors, RowLikelihood
from stylobate.optimize.vector_glm.negative_binomial import NegativeBinomial
from stylobate.optimize.vector_glm.newton import VectorSolution, maximise
from stylobate.optimize.vector_glm.ordinal import OrderedResponse
from stylobate.optimize.vector_glm.zero_inflated import ZeroInflated

__all__ = [
    "BinaryResponse",
    "Derivatives",
    "ExponentialFamily",
    "NegativeBinomial",
    "OrderedResponse",
    "Predictors",
    "RowLikelihood",
    "VectorSolution",
    "ZeroInflated",
    "maximise",
]
