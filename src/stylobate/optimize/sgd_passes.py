"""Stochastic gradient descent over windows of rows: an epoch is a pass over their source.

Windows come in their order, and the rows of each are shuffled among themselves, by another order in
every window and epoch. Without shuffling (and without an ℓ1 penalty, whose debts are settled at the
end of each window) the steps are those of rows in memory, up to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.sgd import SgdOptions, SgdProblem, SgdState, descend
from stylobate.statistics import Source

_HISTORY = ("step", "row", "margin")


def descend_passes(
    source: Source, classes: Array | None, options: SgdOptions, state: SgdState
) -> list[dict[str, Any]]:
    """Run the epochs, a pass each; `state` moves on, and each problem's report is returned.

    Parameters
    ----------
    source : Source
        Whose target holds numbers, or class numbers.
    classes : array of shape (k, 3) or None
        As of `SgdProblem`.
    options : SgdOptions
        Of a schedule other than "adaptive", which changes its steps by the course of each problem.
    state : SgdState
        Where to start.
    """
    runs = [_Run(options, n_columns=state.coef.shape[1]) for _ in state.coef]
    for epoch in range(options.max_epochs):
        for run in runs:
            run.begin_epoch()
        for number, window in enumerate(source.windows()):
            _pass_window(window, classes, _in_window(options, epoch, number, runs), state, runs)
        for run, coef in zip(runs, state.coef, strict=True):
            run.end_epoch(options.l1, options.l2, coef)
        state.epochs = epoch + 1
        if all(run.ended for run in runs):
            break
    return [run.report() for run in runs]


def _in_window(options: SgdOptions, epoch: int, number: int, runs: list[_Run]) -> SgdOptions:
    """One epoch of one window; the first window is shuffled as rows in memory are."""
    return replace(
        options,
        max_epochs=1,
        stops=False,
        first_epoch=epoch,
        seed=(options.seed + number) % 2**64,
        most_updates=options.most_updates - min(run.updates for run in runs),
    )


def _pass_window(
    window: Table, classes: Array | None, options: SgdOptions, state: SgdState, runs: list[_Run]
) -> None:
    rows = np.arange(window.n_rows) if window.weights is None else np.flatnonzero(window.weights)
    if not len(rows):
        return
    assert window.y is not None
    problem = SgdProblem(window.x, window.y[:, 0], window.weights, classes, rows)
    before = (state.coef.copy(), state.intercept.copy(), state.mean_coef.copy(),
              state.mean_intercept.copy())  # fmt: skip
    reports = descend(problem, options, state)
    after = (state.coef, state.intercept, state.mean_coef, state.mean_intercept)
    weights = _weight_sums(problem)
    for k, (run, report) in enumerate(zip(runs, reports, strict=True)):
        if run.ended:  # has stopped: the others go on without it
            for new, old in zip(after, before, strict=True):
                new[k] = old[k]
            continue
        penalty = _penalty(options.l1, options.l2, state.coef[k])
        run.add(report, window.first_row, len(rows), float(weights[k]), penalty)


def _weight_sums(problem: SgdProblem) -> Array:
    """The weight of a window's rows in each problem."""
    own = np.ones(len(problem.y)) if problem.weights is None else problem.weights
    if problem.classes is None:
        return np.array([own.sum()])
    sums = [
        float(own @ np.where(problem.y == positive, its, others))
        for positive, its, others in problem.classes
    ]
    return np.array(sums)


def _penalty(l1: float, l2: float, coef: Array) -> float:
    return l1 * float(np.abs(coef).sum()) + 0.5 * l2 * float(coef @ coef)


@dataclass
class _Run:
    """The books of one problem, in the form of the core's report."""

    options: SgdOptions
    n_columns: int
    objective: list[float] = field(default_factory=list)
    mistakes: list[float] = field(default_factory=list)
    history: dict[str, list[Array]] = field(default_factory=lambda: {k: [] for k in _HISTORY})
    weights: list[Array] | None = field(default_factory=list)
    updates: int = 0
    eta: float = 0.0
    converged: bool = False
    failed_epoch: int = 0
    best: float = inf
    waited: int = 0
    sums: Array = field(default_factory=lambda: np.zeros(4))  # loss, rows, weight, mistakes

    @property
    def ended(self) -> bool:
        return self.converged or self.failed_epoch > 0

    def begin_epoch(self) -> None:
        self.sums = np.zeros(4)

    def add(
        self, report: dict[str, Any], first_row: int, rows: int, weight: float, penalty: float
    ) -> None:
        """Count what happened in a window."""
        if report["failed_epoch"]:
            self.failed_epoch = len(self.objective) + 1
            return
        loss = (report["objective"][-1] - penalty) * rows
        self.sums += (loss, rows, weight, report["mistakes"][-1])
        self.eta = float(report["eta"])
        self._remember(report, first_row)

    def _remember(self, report: dict[str, Any], first_row: int) -> None:
        steps = np.asarray(report["step"])[: self.options.most_updates - self.updates]
        if not len(steps):
            return
        self.updates += len(steps)
        for name in _HISTORY:
            values = np.asarray(report[name])[: len(steps)]
            self.history[name].append(values + first_row if name == "row" else values)
        kept = np.asarray(report["weights"])
        fits = self.updates * (self.n_columns + 1) <= self.options.most_weights
        if self.weights is not None and fits and len(kept) >= len(steps):
            self.weights.append(kept[: len(steps)])
        else:
            self.weights = None

    def end_epoch(self, l1: float, l2: float, coef: Array) -> None:
        """Note the objective of the epoch, and whether it has stopped falling."""
        if self.ended:
            return
        loss, rows, weight, mistakes = self.sums.tolist()
        self.objective.append(loss / max(rows, 1.0) + _penalty(l1, l2, coef))
        self.mistakes.append(mistakes)
        if not self.options.stops:
            return
        watched = self.objective[-1] / (weight / rows if weight > 0.0 else 1.0)
        self.waited = self.waited + 1 if watched > self.best - self.options.tol else 0
        self.best = min(self.best, watched)
        self.converged = self.waited >= self.options.patience

    def report(self) -> dict[str, Any]:
        """As the core reports a descent."""
        kept = self.weights or []
        return {
            "epochs": len(self.objective) or 1,
            "converged": self.converged,
            "eta": self.eta,
            "objective": self.objective,
            "mistakes": np.array(self.mistakes),
            "failed_epoch": self.failed_epoch,
            "weights": np.concatenate(kept) if kept else np.zeros((0, self.n_columns + 1)),
        } | {k: np.concatenate(v) if v else np.zeros(0) for k, v in self.history.items()}
