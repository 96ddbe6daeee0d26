"""Sums over batches that give the components, and when steps from batches end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.nonnegative.problem import FLOOR, FactorizationProblem
from stylobate.decomposition.nonnegative.solvers import clear_tiny


@dataclass(slots=True, eq=False)
class ComponentSums:
    """What pulls the components F (p × k) up and down, older batches forgotten bit by bit."""

    numerator: Array
    denominator: Array
    forget: float

    def step(self, problem: FactorizationProblem, w: Array, f: Array) -> float:
        """Add a batch, move F in place; the batch's loss per row before."""
        cost = (
            problem.table.divergence(w, f, problem.beta)
            + problem.of_w.l1 * w.sum()
            + problem.of_f.l1 * f.sum()
            + problem.of_w.l2 * (w**2).sum()
            + problem.of_f.l2 * (f**2).sum()
        )
        up, down = problem.column_parts(w, f)
        # of Kullback–Leibler the denominator of a component without weight is 1, as scikit-learn's
        down = np.where(down == 0.0, 1.0 if problem.beta == 1.0 else FLOOR, down)
        gamma = problem.gamma
        pulled = up * (f if gamma == 1.0 else f ** (1.0 / gamma))
        self.numerator = self.forget * self.numerator + pulled
        self.denominator = self.forget * self.denominator + down
        f[:] = self.numerator / self.denominator
        if gamma != 1.0:
            f **= gamma
        clear_tiny(f, problem.beta <= 1.0)
        return float(cost) / len(w)


class BatchMonitor:
    """Whether steps may end: components that stay, or a smoothed loss that falls no more."""

    def __init__(self, model: Any, n_rows: int, steps_per_pass: int) -> None:
        self.tol, self.patience, self.verbose = model.tol, model.max_no_improvement, model.verbose
        self.n_rows, self.most = n_rows, steps_per_pass * model.max_iter
        self.step, self.since_lowest = 0, 0
        self.smoothed: float | None = None
        self.lowest = np.inf

    def is_done(self, cost: float, before: Array, after: Array, rows: int) -> bool:
        """Count a step of so many rows, of this loss per row."""
        self.step += 1
        if self.step == 1:
            self._tell(f"mean batch cost: {cost}")
            return False
        share = min(rows / (self.n_rows + 1), 1.0)
        old = cost if self.smoothed is None else self.smoothed
        self.smoothed = old * (1.0 - share) + cost * share
        self._tell(f"mean batch cost: {cost}, ewa cost: {self.smoothed}")
        size = np.linalg.norm(after)
        if self.tol > 0.0 and np.linalg.norm(after - before) <= self.tol * size:
            return self._end("small H change")
        self.since_lowest = 0 if self.smoothed < self.lowest else self.since_lowest + 1
        self.lowest = min(self.lowest, self.smoothed)
        if self.patience is not None and self.since_lowest >= self.patience:
            return self._end("lack of improvement in objective function")
        return False

    def _end(self, reason: str) -> bool:
        if self.verbose:
            print(f"Converged ({reason}) at step {self.step}/{self.most}")
        return True

    def _tell(self, what: str) -> None:
        if self.verbose:
            print(f"Minibatch step {self.step}/{self.most}: {what}")
