"""Rows held out of training, and the score of a network on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.scoring.scorers import takes_weights
from stylobate.metrics.scoring.scoring_argument import check_scoring
from stylobate.neural_network.batches import Examples, read_examples
from stylobate.neural_network.passes import WINDOW_ROWS, Stage, forward
from stylobate.neural_network.training_loss import TrainingLoss

if TYPE_CHECKING:
    from stylobate.neural_network.network import Network


class Answers:
    """A network as scorers see it: labels and probabilities, or numbers.

    Parameters
    ----------
    stages : sequence of Stage
        With the weights of now.
    loss : TrainingLoss
    shape : tuple of int
        Of one example.
    """

    def __init__(self, stages: Sequence[Stage], loss: TrainingLoss, shape: tuple[int, ...]) -> None:
        self.stages, self.loss, self.shape = stages, loss, shape
        self._estimator_type = "classifier" if loss.classes else "regressor"
        if loss.classes:
            self.classes_ = np.arange(loss.classes)
            self.predict_proba = self._probabilities

    def _outputs(self, x: NDArray[Any]) -> NDArray[Any]:
        rows = x.reshape(len(x), -1)
        parts = [
            forward(self.stages, rows[first : first + WINDOW_ROWS], None)[0]
            for first in range(0, len(rows), WINDOW_ROWS)
        ]
        return np.concatenate(parts)

    def _probabilities(self, x: NDArray[Any]) -> NDArray[np.float64]:
        found = self._outputs(x).astype(np.float64)
        if found.shape[1] == 1:
            return np.column_stack([1.0 - found, found])
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def predict(self, x: NDArray[Any]) -> NDArray[Any]:
        """Class numbers, or numbers."""
        if self.loss.classes:
            return np.asarray(self._probabilities(x).argmax(axis=1))
        found = self._outputs(x).astype(np.float64)
        return np.asarray(found[:, 0] if found.shape[1] == 1 else found)


@dataclass(frozen=True, slots=True)
class Validation:
    """Held-out rows and what is asked of them; more is better.

    Parameters
    ----------
    examples : tuple
        Rows, targets and weights (or None).
    loss : TrainingLoss
    shape : tuple of int
        Of one example.
    scorer : callable, optional
        ``scorer(estimator, X, y)``; minus the mean loss by default.
    """

    examples: Examples
    loss: TrainingLoss
    shape: tuple[int, ...]
    scorer: Any = None

    @classmethod
    def of(cls, network: Network, loss: TrainingLoss, held: Any, scoring: Any) -> Validation:
        """Of pairs (x, y) or triples with weights that a caller gave."""
        if not isinstance(held, tuple | list) or not 2 <= len(held) <= 3:
            raise InvalidParameterError(
                "Network: validation must be a share of the rows in (0, 1), or (x, y), or (x, y, "
                f"sample_weight), got {type(held).__name__}."
            )
        scorer = None if scoring is None else check_scoring(None, scoring)
        return cls(read_examples(network, loss, *held), loss, network.input_shape, scorer)

    def score(self, stages: Sequence[Stage]) -> float:
        """Of a network with the weights of now."""
        x, y, weights = self.examples
        if self.scorer is None:
            return -mean_loss(self.loss, stages, self.examples)
        answers = Answers(stages, self.loss, self.shape)
        target = y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
        if weights is None or not takes_weights(self.scorer):
            found = self.scorer(answers, x, target)
        else:
            found = self.scorer(answers, x, target, sample_weight=weights)
        return float(found)


def mean_loss(loss: TrainingLoss, stages: Sequence[Stage], examples: Examples) -> float:
    """The mean loss of predictions, window by window."""
    x, y, weights = examples
    ahead, total, weight = loss.ahead(stages), 0.0, 0.0
    for first in range(0, len(x), WINDOW_ROWS):
        part = slice(first, first + WINDOW_ROWS)
        some = None if weights is None else weights[part]
        outputs, _ = forward(ahead, x[part], None)
        share = float(len(outputs)) if some is None else float(some.sum())
        total += loss.of_rows(outputs, y[part], some)[0] * share
        weight += share
    return total / weight


def held_out(n: int, share: float, draw: np.random.Generator) -> tuple[Any, Any]:
    """Numbers of rows to learn from and of those held out."""
    count = round(n * share)
    if not 1 <= count < n:
        raise InvalidDataError(
            f"Network: validation={share!r} of {n} rows leaves none to learn from or none to hold "
            "out; give (x, y) or another share."
        )
    order = draw.permutation(n)
    return np.sort(order[count:]), np.sort(order[:count])
