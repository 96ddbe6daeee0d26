"""The evidence bound of a topic model: what is proved of its fit."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array

_LARGEST_EXPONENT = 709.0  # of which exp is finite


@dataclass(frozen=True, slots=True)
class TopicCertificate:
    r"""A lower bound of the logarithm of the documents' probability under the model (ELBO).

    .. math:: \log p(\text{documents}) \ge E_q[\log p(w, z, θ, β)] - E_q[\log q(z, θ, β)]

    Whatever the fit did, the bound holds; how far above it the truth is, is not known, and neither
    is it the largest bound that topics could reach.

    Parameters
    ----------
    bound : float
        The bound.
    n_words : float
        Sum of all counts.

    Examples
    --------
    >>> TopicCertificate(-600.0, 200.0).perplexity.__round__(3)
    20.086
    """

    bound: float
    n_words: float

    @property
    def perplexity(self) -> float:
        """exp(−bound per word): as many equally likely words would be as hard to guess."""
        if self.n_words == 0.0 or -self.bound / self.n_words > _LARGEST_EXPONENT:
            return inf
        return exp(-self.bound / self.n_words)

    @property
    def verdict(self) -> str:
        """The certificate in words."""
        return (
            f"The documents' log probability under the model is at least {self.bound:.6g}: a word "
            f"is no harder to guess than one of {self.perplexity:.4g} equally likely ones. The "
            "bound is proved; that no other topics have a higher one is not."
        )


def word_log_probability(counts: Any, gamma: Array, components: Array) -> float:
    """Σ n log Σ_t exp(E[log θ_t] + E[log β_t]) over the words of all documents."""
    log_theta = _core.dirichlet_expectation(gamma, False)
    log_beta = np.ascontiguousarray(_core.dirichlet_expectation(components, False).T)
    return _core.word_evidence(counts.data, counts.indices, counts.indptr, log_theta, log_beta)


def dirichlet_evidence(prior: float, distribution: Array) -> float:
    """Σ over rows of E[log p(·|prior)] − E[log q(·|row)], both Dirichlet."""
    from scipy.special import gammaln

    if prior == 0.0:  # improper: nothing has a probability
        return -inf
    logs = _core.dirichlet_expectation(distribution, False)
    size = distribution.shape[1]
    total = ((prior - distribution) * logs).sum() + (gammaln(distribution) - gammaln(prior)).sum()
    return float(total + (gammaln(prior * size) - gammaln(distribution.sum(axis=1))).sum())
