"""Losses by the names that scikit-learn's users know."""

from __future__ import annotations

from stylobate.losses import classification, exponential, regression
from stylobate.losses.loss import Loss

_KINDS: tuple[type[Loss], ...] = (
    classification.Hinge,
    classification.Logistic,
    classification.ModifiedHuber,
    classification.SquaredHinge,
    classification.Perceptron,
    regression.HalfSquared,
    regression.Huber,
    regression.EpsilonInsensitive,
    regression.SquaredEpsilonInsensitive,
    regression.Absolute,
    regression.Quantile,
    exponential.Poisson,
    exponential.Gamma,
)
NAMED: dict[str, type[Loss]] = {kind.alias or kind.name: kind for kind in _KINDS}


def loss_named(name: str, *parameters: float) -> Loss:
    """The loss of that name with its numbers, where it has any.

    Parameters
    ----------
    name : str
        Such as "squared_error", "log_loss", "huber" or "quantile".
    *parameters : float
        The loss's own numbers.

    Examples
    --------
    >>> loss_named("log_loss"), loss_named("quantile", 0.9)
    (Logistic(), Quantile(level=0.9))
    """
    return NAMED[name](*parameters)
