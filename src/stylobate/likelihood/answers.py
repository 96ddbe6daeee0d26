"""From a fitted `MaximumLikelihood` to its summary."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.inference import Coefficients
from stylobate.inference.distributions import two_sided_p, two_sided_quantile
from stylobate.likelihood.summary import LikelihoodSummary

if TYPE_CHECKING:
    from stylobate.likelihood.maximum_likelihood import MaximumLikelihood


def summarize_likelihood(
    model: MaximumLikelihood,
    level: float,
    covariance: Literal["classical", "HC0"],
    interval: Literal["wald", "profile"],
) -> LikelihoodSummary:
    """The summary at a level, with a covariance and a kind of interval."""
    if covariance not in ("classical", "HC0"):
        raise InvalidParameterError(
            f"covariance must be one of 'classical', 'HC0', got {covariance!r}."
        )
    matrix = model.covariance_
    if covariance == "HC0":
        scores = model._rows.scores(model.params_) * model._rows.weights[:, None]
        matrix = matrix @ (scores.T @ scores) @ matrix
    error = np.sqrt(np.diag(matrix))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = model.params_ / error
    half = two_sided_quantile(level, np.inf) * error
    ends = np.column_stack([model.params_ - half, model.params_ + half])
    if interval == "profile":
        ends = model.confidence_interval(level, "profile")
    free, ll, n = (
        int(np.count_nonzero(~model.at_bound_ | model._at_edge)),
        model.log_likelihood_,
        model._rows.n_rows,
    )
    return LikelihoodSummary(
        coefficients=Coefficients(
            model.names_, model.params_, error, z, two_sided_p(z, np.inf), ends[:, 0], ends[:, 1]
        ),
        n=n,
        weight_sum=float(model._rows.weights.sum()),
        n_params=free,
        log_likelihood=ll,
        aic=-2.0 * ll + 2.0 * free,
        bic=-2.0 * ll + math.log(n) * free,
        gradient_norm=model.gradient_norm_,
        converged=model.converged_,
        covariance=matrix,
        covariance_type=covariance,
        interval=interval,
        level=level,
        notes=model.notes_,
    )
