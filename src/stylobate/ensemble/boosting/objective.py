"""What boosting asks of its loss besides derivatives: where to start, and the mean so far."""

from __future__ import annotations

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.losses import Absolute, Huber, Loss, Multinomial
from stylobate.losses.links import LOG

BoostingLoss = Loss | Multinomial


def require_target(loss: BoostingLoss, y: Array, owner: str) -> None:
    """Refuse a y that the loss is not defined for, or that has no best constant."""
    if isinstance(loss, Multinomial):
        return
    loss.require_target(y, owner)
    if loss.link == LOG and not y.sum() > 0.0:
        raise InvalidDataError(
            f"{owner}: loss={loss.name!r} requires non-negative y and sum(y) > 0; the sum is "
            f"{y.sum():g}."
        )


def baseline(loss: BoostingLoss, y: Array, weights: Array | None, outputs: int) -> Array:
    """The scores to start from, one for each output.

    Examples
    --------
    >>> from stylobate.losses import Poisson
    >>> baseline(Poisson(), np.array([1.0, 3.0]), None, 1).round(4)
    array([0.6931])
    """
    if isinstance(loss, Multinomial):
        return loss.baseline(y, weights, n_classes=outputs)
    if isinstance(loss, Huber):  # its slope is set by the residuals of this start
        loss = Absolute()
    return np.array([loss.baseline(y, weights)])


def mean_loss(loss: BoostingLoss, y: Array, weights: Array | None, scores: Array) -> float:
    """Mean loss at scores of shape (outputs, n); Huber's turns linear as it stands."""
    return _core.boost_loss(loss.core, y, weights, scores)
