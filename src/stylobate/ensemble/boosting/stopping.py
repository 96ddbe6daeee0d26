"""When boosting ends: scores of every iteration and the rule that reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.ensemble.boosting.objective import BoostingLoss, mean_loss


class BoostingProgress(NamedTuple):
    """What a callback is told after each iteration; if it returns True, boosting ends.

    Attributes
    ----------
    iteration : int
        Iterations done.
    train_loss : float
        Mean loss of the training rows.
    train_score, validation_score : float or None
        What early stopping looks at (higher is better), if it is on.
    """

    iteration: int
    train_loss: float
    train_score: float | None
    validation_score: float | None


@dataclass(frozen=True, eq=False)
class KnownScores:
    """Rows whose scores are known, of shape (outputs, n): what scorers are given as X."""

    scores: Array

    def __len__(self) -> int:
        return int(self.scores.shape[1])


@dataclass
class Judge:
    """Scores the model on some rows, by its loss or by a scorer."""

    loss: BoostingLoss
    y: Array
    weights: Array | None
    labels: NDArray[Any] | None  # y as the scorer knows it; not needed without one
    scorer: Callable[..., Any] | None = None

    def __call__(self, model: Any, scores: Array) -> float:
        if self.scorer is None:
            return -mean_loss(self.loss, self.y, self.weights, scores)
        known = KnownScores(scores)
        if self.weights is None:
            return float(self.scorer(model, known, self.labels))
        return float(self.scorer(model, known, self.labels, sample_weight=self.weights))


@dataclass
class Validation:
    """Rows the trees do not learn from, with their scores so far."""

    rows: _core.BinnedRows
    scores: Array
    judge: Judge


@dataclass
class History:
    """Scores of the iterations so far; those before the first are of the constant."""

    train: list[float] = field(default_factory=list)
    validation: list[float] = field(default_factory=list)

    def ends(self, patience: int, tol: float) -> bool:
        """Whether none of the last `patience` scores beats the one before them by `tol`."""
        scores = self.validation or self.train
        if len(scores) < patience + 1:
            return False
        goal = scores[-patience - 1] + tol
        return not any(score > goal for score in scores[-patience:])
