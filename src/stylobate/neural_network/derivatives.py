"""Losses of a network and their derivatives: by its weights, and by what it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.losses import Loss
from stylobate.neural_network.layers.layer import Rows
from stylobate.neural_network.layout import Place
from stylobate.neural_network.passes import WINDOW_ROWS, Stage, stages_of
from stylobate.neural_network.training_loss import TrainingLoss, loss_and_slopes

if TYPE_CHECKING:
    from stylobate.neural_network.gradient_check import WeightCheck


class HasDerivatives:
    """What a `Network` says of losses, from its passes forward and back."""

    if TYPE_CHECKING:
        input_shape: tuple[int, ...]
        state: Array
        _places: list[Place]

        @property
        def parameters(self) -> NDArray[Any]: ...

        def _rows(self, x: Any) -> Rows: ...

        def _bound(self) -> list[Stage]: ...

    def loss(self, x: Any, y: Any, loss: str | Loss = "squared") -> float:
        """The mean loss of predictions.

        Parameters
        ----------
        x, y : arrays of n rows
            Examples; numbers of the outputs' shape, or class numbers.
        loss : {"squared", "absolute", "huber", "cross_entropy"} or Loss, default="squared"
            Half the squared error summed over outputs and its robust kin (with parameters of
            their own as values of `stylobate.losses`); minus the log-probability of the class.
        """
        from stylobate.neural_network.validation import mean_loss

        chosen, rows = TrainingLoss.of(loss, self._places), self._rows(x)
        targets = chosen.targets(y, len(rows))
        return mean_loss(chosen, self._bound(), (rows, targets, None))

    def gradient(
        self, x: Any, y: Any, loss: str | Loss = "squared", *, seed: int | None = None
    ) -> tuple[float, NDArray[Any]]:
        """The mean loss and its derivatives by all parameters.

        Parameters
        ----------
        x, y, loss
            As of `loss`.
        seed : int, optional
            Of what is dropped: a pass as in training. None: a pass as in predictions.
        """
        chosen, rows = TrainingLoss.of(loss, self._places), self._rows(x)
        targets = chosen.targets(y, len(rows))
        draw = None if seed is None else np.random.default_rng(seed)
        gradient = np.zeros_like(self.parameters)
        stages = stages_of(self._places, self.parameters, self.state.copy(), gradient)
        value, _ = loss_and_slopes(stages, rows, targets, chosen, draw)
        return value, gradient

    def input_gradient(
        self, x: Any, y: Any, loss: str | Loss = "squared"
    ) -> tuple[float, NDArray[Any]]:
        """The mean loss of predictions and its derivatives by all entries of x.

        Parameters
        ----------
        x, y, loss
            As of `loss`.

        Returns
        -------
        (float, array of shape (n, *input_shape))
            Of the mean over the n rows: times n, a row is the derivative of its own loss.
        """
        chosen, rows = TrainingLoss.of(loss, self._places), self._rows(x)
        targets = chosen.targets(y, len(rows))
        total, slopes = 0.0, np.empty_like(rows)
        for first in range(0, len(rows), WINDOW_ROWS):
            part = slice(first, first + WINDOW_ROWS)
            value, by_input = loss_and_slopes(
                self._bound(), rows[part], targets[part], chosen, None, by_input=True
            )
            share = len(rows[part]) / len(rows)
            total += value * share
            slopes[part] = by_input * slopes.dtype.type(share)
        return total, slopes.reshape(len(rows), *self.input_shape)

    def gradient_check(
        self: Any, x: Any, y: Any, loss: str | Loss = "squared", *, seed: int | None = 0
    ) -> WeightCheck:
        """Compare all derivatives with central differences in float64; names the worst weight.

        Parameters
        ----------
        x, y, loss, seed
            As of `gradient`; two passes for every parameter, so take a small network and few rows.
        """
        from stylobate.neural_network.gradient_check import check_weights

        found: WeightCheck = check_weights(self, x, y, loss, seed)
        return found
