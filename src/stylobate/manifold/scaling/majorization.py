"""One run of stress minimization from one start: by majorization, or by L-BFGS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from stylobate.arrays import Array
from stylobate.manifold.scaling.disparities import OrderedPairs
from stylobate.manifold.scaling.stress import Stress, StressPoint
from stylobate.optimize.lbfgs import minimize_lbfgs
from stylobate.optimize.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """Where a run ended.

    Parameters
    ----------
    positions : array of shape (n, k)
    stress : float
    normalized : float
        Kruskal's stress-1.
    n_iter : int
    converged : bool
    trace : Trace
    """

    positions: Array
    stress: float
    normalized: float
    n_iter: int
    converged: bool
    trace: Trace


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a run ends: a step gains less than eps of the squared distances, or max_iter."""

    eps: float
    max_iter: int
    verbose: int = 0

    def small(self, before: float, now: StressPoint) -> bool:
        """Whether the last step gained next to nothing."""
        return before - now.value < self.eps * now.squares or now.squares == 0.0


def majorize(stress: Stress, start: Array, rule: StopRule) -> Scaled:
    """SMACOF: Guttman transforms one after the other; the stress never rises."""
    k = start.shape[1]
    point, trace = stress.at(start.ravel(), k), Trace()
    for step in range(rule.max_iter):
        before = point.value
        point = stress.at(stress.majorized(point, k), k)
        _record(trace, point, step, rule)
        if step and rule.small(before, point):
            return _ended(point, k, step + 1, True, trace)
    return _ended(point, k, rule.max_iter, False, trace)


def majorize_ranks(
    pairs: OrderedPairs, weights: Array | None, start: Array, rule: StopRule
) -> Scaled:
    """Non-metric SMACOF: new disparities, then a Guttman transform."""
    k, trace, before = start.shape[1], Trace(), np.inf
    stress = Stress(pairs.scaled(), weights)
    point = stress.at(start.ravel(), k)
    for step in range(rule.max_iter):
        if step:
            pairs.fill(point.theta.reshape(-1, k))  # the matrix that `stress` looks at
            point = stress.at(point.theta, k)
        point = stress.at(stress.majorized(point, k), k)
        _record(trace, point, step, rule)
        if step and rule.small(before, point):
            return _ended(point, k, step + 1, True, trace)
        before = point.value
    return _ended(point, k, rule.max_iter, False, trace)


def descend_stress(stress: Stress, start: Array, rule: StopRule) -> Scaled:
    """L-BFGS, whose first step is the Guttman transform, and every later one knows the last ten."""
    n, k = start.shape
    trace = Trace()
    first = stress.at((start - start.mean(axis=0)).ravel(), k)

    def scaling(gradient: Array) -> Array:
        return 0.5 * stress.solve(gradient.reshape(n, k)).ravel()

    done = _Stopped(rule)
    point, steps = minimize_lbfgs(
        lambda theta: stress.at(theta, k),
        first,
        done,
        max_iter=rule.max_iter,
        trace=trace,
        scaling=scaling,
    )
    if rule.verbose:
        print(f"L-BFGS: {steps} steps, stress {point.value:.6g}")
    return _ended(point, k, max(steps, 1), done.converged, trace)


class _Stopped:
    """Asked at every point of a descent: two small gains in a row end it."""

    def __init__(self, rule: StopRule) -> None:
        self._rule, self._before, self._small = rule, np.inf, 0
        self.converged = False

    def __call__(self, point: StressPoint) -> bool:
        small = np.isfinite(self._before) and self._rule.small(self._before, point)
        self._small = self._small + 1 if small else 0
        self._before = point.value
        self.converged = self._small >= 2
        return self.converged


def best_of(starts: list[Array], run: Callable[[Array], Scaled], normalized: bool) -> Scaled:
    """The run that ends with the least stress; the first of equal ones."""
    runs = [run(start) for start in starts]
    return min(runs, key=lambda done: done.normalized if normalized else done.stress)


def _record(trace: Trace, point: StressPoint, step: int, rule: StopRule) -> None:
    size = float(np.linalg.norm(point.gradient))
    trace.record(objective=point.value, gradient_norm=size, step=1.0)
    if rule.verbose >= 2:
        print(f"Iteration {step}, stress {point.value:.4f}")


def _ended(point: StressPoint, k: int, n_iter: int, converged: bool, trace: Trace) -> Scaled:
    positions = point.theta.reshape(-1, k)
    ended = Scaled(positions, point.value, point.normalized, n_iter, converged, trace)
    return replace(ended, positions=positions.copy())
