"""The course of a recursive elimination."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import clone
from stylobate.feature_selection.history import SelectionStep
from stylobate.feature_selection.importance import Getter, importances_of, squared

Score = Callable[[Any, NDArray[np.intp]], float]


@dataclass(slots=True)
class Elimination:
    """What is left and in which order the rest went; with a score, what each stage was worth."""

    support: NDArray[np.bool_]
    ranking: NDArray[np.int64]
    steps: list[SelectionStep] = field(default_factory=list)
    stage_sizes: list[int] = field(default_factory=list)
    stage_scores: list[float] = field(default_factory=list)
    stage_supports: list[NDArray[np.bool_]] = field(default_factory=list)
    stage_rankings: list[NDArray[np.int64]] = field(default_factory=list)

    def record(self, score: float) -> None:
        self.stage_sizes.append(int(self.support.sum()))
        self.stage_scores.append(score)
        self.stage_supports.append(self.support.copy())
        self.stage_rankings.append(self.ranking.copy())

    def drop(self, worst: NDArray[np.intp], importances: NDArray[np.float64], names: Any) -> None:
        candidates = np.flatnonzero(self.support)
        for at in worst:
            feature = int(candidates[at])
            self.support[feature] = False
            self.steps.append(
                SelectionStep(
                    len(self.steps),
                    "remove",
                    feature,
                    None if names is None else str(names[feature]),
                    int(self.support.sum()),
                    float(importances[at]),
                    candidates=candidates,
                    candidate_scores=importances,
                    support=tuple(np.flatnonzero(self.support).tolist()),
                )
            )
        self.ranking[~self.support] += 1


def eliminate(
    estimator: Any,
    x: Any,
    y: Any,
    target: int,
    *,
    step: float,
    getter: Getter,
    fit_params: dict[str, Any],
    verbose: bool = False,
    names: Sequence[str] | None = None,
    score: Score | None = None,
) -> Elimination:
    """Drop the least important features until `target` are left.

    With `score`, a function of (fitted model, columns), every stage is scored, the last included.
    """
    p = x.shape[1]
    at_once = int(max(1, step * p)) if 0.0 < step < 1.0 else int(step)
    found = Elimination(np.ones(p, dtype=bool), np.ones(p, dtype=np.int64))
    while (left := int(found.support.sum())) > target:
        if verbose:
            print(f"Fitting estimator with {left} features.")
        columns = np.flatnonzero(found.support)
        model = clone(estimator)
        model.fit(x[:, columns], y, **fit_params)
        if score is not None:
            found.record(score(model, columns))
        importances = squared(importances_of(model, getter, type(estimator).__name__))
        worst = np.argsort(importances, kind="stable")[: min(at_once, left - target)]
        found.drop(worst, importances, names)
    if score is not None:
        columns = np.flatnonzero(found.support)
        model = clone(estimator)
        model.fit(x[:, columns], y, **fit_params)
        found.record(score(model, columns))
    return found
