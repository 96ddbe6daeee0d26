"""Losses as values: what solvers minimise, with gradient, curvature, conjugate and prox."""

from stylobate.losses.classification import (
    Hinge,
    Logistic,
    ModifiedHuber,
    Perceptron,
    SquaredHinge,
)
from stylobate.losses.exponential import Gamma, Poisson, Tweedie
from stylobate.losses.information import cross_entropy, entropy, kl_divergence
from stylobate.losses.loss import Loss
from stylobate.losses.multinomial import Multinomial
from stylobate.losses.probabilities import log_odds, sigmoid, softmax
from stylobate.losses.regression import (
    Absolute,
    EpsilonInsensitive,
    HalfSquared,
    Huber,
    Quantile,
    SquaredEpsilonInsensitive,
)
from stylobate.losses.zero_one import ZeroOne

__all__ = [
    "Absolute",
    "EpsilonInsensitive",
    "Gamma",
    "HalfSquared",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "ModifiedHuber",
    "Multinomial",
    "Perceptron",
    "Poisson",
    "Quantile",
    "SquaredEpsilonInsensitive",
    "SquaredHinge",
    "Tweedie",
    "ZeroOne",
    "cross_entropy",
    "entropy",
    "kl_divergence",
    "log_odds",
    "sigmoid",
    "softmax",
]
