"""How many components: by share of the variance, by Minka's evidence, by a number."""

from __future__ import annotations

from math import lgamma, log, pi
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError

_LEAST = 1e-15  # of the largest variance: below it there is nothing but rounding


def minka_evidence(variances: Array, n_rows: float) -> Array:
    """Laplace's approximation of the log evidence for each number of components.

    Parameters
    ----------
    variances : array of shape (p,)
        All eigenvalues of the covariance, the largest first.
    n_rows : float
        Rows behind them.

    Returns
    -------
    array of shape (p,)
        For 0, 1, …, p − 1 components; of 0, which is never chosen, ``-inf``.

    References
    ----------
    Minka (2000), Automatic choice of dimensionality for PCA, NeurIPS 13, equation (76).
    """
    p = len(variances)
    least = _LEAST * max(float(variances[0]), np.finfo(float).tiny) if p else 0.0
    evidence = np.full(p, -np.inf)
    logs = np.log(np.maximum(variances, least))
    prior = 0.0
    for k in range(1, p):
        left = (p - k + 1) / 2.0
        prior += lgamma(left) - log(pi) * left
        if variances[k - 1] <= least:
            break
        noise = max(least, float(variances[k:].sum()) / (p - k))
        m = p * k - k * (k + 1) / 2.0
        likelihood = -n_rows / 2.0 * (float(logs[:k].sum()) + log(noise) * (p - k))
        curvature = _log_curvature(variances, k, noise, least) + m * log(n_rows)
        evidence[k] = (
            prior - k * log(2.0) + likelihood + log(2.0 * pi) * (m + k) / 2.0
            - curvature / 2.0 - k * log(n_rows) / 2.0
        )  # fmt: skip
    return evidence


def _log_curvature(variances: Array, k: int, noise: float, least: float) -> float:
    """Σ log (λᵢ − λⱼ)(1/λ̂ⱼ − 1/λ̂ᵢ) over i ≤ k, j > i; equal values are as far as rounding."""
    fitted = np.concatenate([variances[:k], np.full(len(variances) - k, noise)])
    inverse = 1.0 / np.maximum(fitted, least)
    above = np.arange(len(variances))[np.newaxis, :] > np.arange(k)[:, np.newaxis]
    apart = np.maximum(variances[:k, np.newaxis] - variances, least)[above]
    bent = np.maximum(inverse - inverse[:k, np.newaxis], _LEAST * inverse[0])[above]
    return float(np.log(apart).sum() + np.log(bent).sum())


def components_for_share(variances: Array, total: float, share: float) -> int:
    """The fewest components that explain more than a share of the variance."""
    cumulated = np.cumsum(variances / total) if total > 0 else np.ones(len(variances))
    return min(int(np.searchsorted(cumulated, share, side="right")) + 1, len(variances))


def refuse_count(wanted: Any, n_rows: int, p: int, solver: str) -> None:
    """Refuse a number of components that the solver cannot give."""
    most = min(n_rows, p)
    if solver in ("full", "covariance_eigh"):
        if wanted == "mle" and n_rows < p:
            raise InvalidParameterError(
                "PCA: n_components='mle' is only supported if n_samples >= n_features, got "
                f"{n_rows} rows of {p} columns."
            )
        if wanted != "mle" and not 0 <= wanted <= most:
            raise InvalidParameterError(
                f"PCA: n_components={wanted} must be between 0 and "
                f"min(n_samples, n_features)={most} with svd_solver={solver!r}"
            )
        return
    if isinstance(wanted, str):
        raise InvalidParameterError(
            f"PCA: n_components={wanted!r} cannot be a string with svd_solver={solver!r}"
        )
    if not 1 <= wanted <= most:
        raise InvalidParameterError(
            f"PCA: n_components={wanted!r} must be between 1 and "
            f"min(n_samples, n_features)={most!r} with svd_solver={solver!r}"
        )
    if solver == "arpack" and wanted == most:
        raise InvalidParameterError(
            f"PCA: n_components={wanted!r} must be strictly less than "
            f"min(n_samples, n_features)={most!r} with svd_solver={solver!r}"
        )
