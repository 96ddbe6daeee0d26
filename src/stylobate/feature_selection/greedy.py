"""Greedy search among sets of features: one in or out at a time, with second thoughts or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.feature_selection.history import SelectionStep


class Judge(Protocol):
    """Who scores sets of features."""

    def score(self, support: Mask, candidates: NDArray[np.intp]) -> Array:
        """Scores (candidates × folds) of the set with each candidate put in or taken out."""


@dataclass(slots=True)
class GreedySearch:
    """Forward or backward selection; floating steps back while that beats the best of its size.

    Parameters
    ----------
    judge : Judge
        Scores of candidate sets, higher is better.
    support : array of bool
        Where to start; changed in place.
    forward : bool
        Whether columns are added or removed.
    floating : bool
        Whether to reconsider after every step (Pudil, Novovičová & Kittler 1994).
    tol : float or None
        Stop when a step gains less.
    names : sequence of str
        Of the columns.
    """

    judge: Judge
    support: Mask
    forward: bool
    floating: bool
    tol: float | None
    names: Sequence[str]
    steps: list[SelectionStep] = field(default_factory=list)
    best: dict[int, tuple[float, Mask]] = field(default_factory=dict)

    def run(self, target: int) -> None:
        """Go on until `target` columns are selected, or no step gains `tol`."""
        last = -np.inf
        while int(self.support.sum()) != target:
            feature, folds, candidates, scores = self._best_flip(adding=self.forward)
            score = float(folds.mean())
            if self.tol is not None and score - last < self.tol:
                break
            self._take(feature, folds, candidates, scores)
            if self.floating:
                self._reconsider(feature)
            last = self.steps[-1].score

    def _reconsider(self, newest: int) -> None:
        """Undo earlier steps while the smaller (or larger) set beats the best known of its size."""
        kept = newest  # taking the newest one back would only return to where we were
        while self.support.sum() > 2 if self.forward else (~self.support).sum() > 2:
            feature, folds, candidates, scores = self._best_flip(adding=not self.forward, but=kept)
            size = int(self.support.sum()) + (-1 if self.forward else 1)
            known = self.best.get(size)
            if known is not None and not float(folds.mean()) > known[0]:
                return
            self._take(feature, folds, candidates, scores)
            kept = -1

    def _best_flip(
        self, *, adding: bool, but: int = -1
    ) -> tuple[int, Array, NDArray[np.intp], Array]:
        candidates = np.flatnonzero(self.support != adding)
        candidates = candidates[candidates != but]
        folds = self.judge.score(self.support, candidates)
        scores = folds.mean(axis=1)
        at = int(np.argmax(np.where(np.isnan(scores), -np.inf, scores)))
        return int(candidates[at]), folds[at], candidates, scores

    def _take(
        self, feature: int, folds: Array, candidates: NDArray[np.intp], scores: Array
    ) -> None:
        self.support[feature] = not self.support[feature]
        size, score = int(self.support.sum()), float(folds.mean())
        known = self.best.get(size)
        if known is None or score > known[0]:
            self.best[size] = (score, self.support.copy())
        self.steps.append(
            SelectionStep(
                len(self.steps),
                "add" if self.support[feature] else "remove",
                feature,
                str(self.names[feature]),
                size,
                score,
                folds,
                candidates,
                scores,
                tuple(np.flatnonzero(self.support).tolist()),
            )
        )
