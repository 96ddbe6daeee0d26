"""Predictions of many fits, batch by batch, reduced to what the decomposition needs of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.model_selection.decomposition.result import BiasVariance


class NumberTally:
    """Means and squared deviations of numeric predictions; they merge batch by batch.

    Examples
    --------
    >>> tally = NumberTally(np.array([1.0, 2.0]), None)
    >>> tally.add(np.array([[0.0, 2.0], [1.0, 2.0]]))
    >>> found = tally.result()
    >>> found.bias, found.variance, found.expected_loss
    (0.125, 0.125, 0.25)
    """

    def __init__(self, y: Array, truth: Array | None) -> None:
        self.y, self.truth = y, truth
        self.count = 0
        self.mean, self.deviations = np.zeros(len(y)), np.zeros(len(y))
        self.losses: list[Array] = []
        self.row_losses = np.zeros(len(y))

    def add(self, predictions: NDArray[Any]) -> None:
        """Tally predictions of shape (n_fits, m)."""
        batch = predictions.astype(np.float64)
        new, mean = len(batch), batch.mean(axis=0)
        away, total = mean - self.mean, self.count + len(batch)
        self.deviations += ((batch - mean) ** 2).sum(axis=0)
        self.deviations += away**2 * (self.count * new / total)
        self.mean += away * (new / total)
        self.count = total
        squares = (batch - self.y) ** 2
        self.losses.append(squares.mean(axis=1))
        self.row_losses += squares.sum(axis=0)

    def result(self) -> BiasVariance:
        """The decomposition of all predictions so far."""
        target = self.y if self.truth is None else self.truth
        variance = self.deviations / self.count
        return BiasVariance(
            "squared",
            self.mean.copy(),
            (target - self.mean) ** 2,
            variance,
            variance,
            (self.y - target) ** 2,
            self.row_losses / self.count,
            np.concatenate(self.losses),
            self.truth is not None,
        )


class LabelTally:
    """Counts of the labels predicted for each row.

    Examples
    --------
    >>> tally = LabelTally(np.array(["a", "b"]), None)
    >>> tally.add(np.array([["a", "a"], ["a", "a"], ["b", "b"]]))
    >>> found = tally.result()
    >>> found.main_prediction.tolist(), found.bias, round(found.expected_loss, 3)
    (['a', 'a'], 0.5, 0.5)
    """

    def __init__(self, y: NDArray[Any], truth: NDArray[Any] | None) -> None:
        self.y, self.truth = y, truth
        self.counts: dict[Any, Array] = {}
        self.losses: list[Array] = []

    def add(self, predictions: NDArray[Any]) -> None:
        """Tally labels of shape (n_fits, m)."""
        for label in np.unique(predictions):
            hits = (predictions == label).sum(axis=0).astype(np.float64)
            self.counts[label] = self.counts.get(label, 0.0) + hits
        self.losses.append((predictions != self.y).mean(axis=1))

    def result(self) -> BiasVariance:
        """The decomposition of all predictions so far."""
        labels = sorted(self.counts)  # ties go to the first label, as in a sorted vote
        shares = np.array([self.counts[label] for label in labels])
        shares /= shares.sum(axis=0)
        place = shares.argmax(axis=0)
        main = np.array(labels)[place]
        target = self.y if self.truth is None else self.truth
        variance = 1.0 - shares.max(axis=0)
        wrong = main != target
        return BiasVariance(
            "zero_one",
            main,
            wrong.astype(np.float64),
            variance,
            np.where(wrong, -self._share(labels, shares, target), variance),
            (self.y != target).astype(np.float64),
            1.0 - self._share(labels, shares, self.y),
            np.concatenate(self.losses),
            self.truth is not None,
        )

    @staticmethod
    def _share(labels: list[Any], shares: Array, wanted: NDArray[Any]) -> Array:
        """How often each row was given the label wanted for it."""
        found = np.zeros(len(wanted))
        for label, share in zip(labels, shares, strict=True):
            found = np.where(wanted == label, share, found)
        return found
