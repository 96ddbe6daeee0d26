"""The two stages of t-SNE's descent, when they stop, and who is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.manifold.tsne.affinities import EdgeLists

EXPLORATION_ITERATIONS = 250  # with exaggerated attraction
_CHECK_EVERY = 50
_LONGEST_STEP = 5.0  # of one point in one iteration; late learning rates are large
Callback = Callable[[int, NDArray[np.float32], float], Any]


@dataclass(frozen=True, slots=True)
class Repulsion:
    """How the repulsion between all points is computed.

    Parameters
    ----------
    method : {"exact", "barnes_hut", "fft"}
    angle : float
        Of "barnes_hut".
    dof : float
        Degrees of freedom of the similarities.
    """

    method: str
    angle: float
    dof: float


@dataclass(frozen=True, slots=True)
class Stage:
    """Iterations with the same settings.

    Parameters
    ----------
    end : int
        The iteration before which it ends.
    exaggeration, momentum, learning_rate : float
    patience : int
        Iterations without progress after which it ends.
    """

    end: int
    exaggeration: float
    momentum: float
    learning_rate: float
    patience: int


@dataclass(frozen=True, slots=True)
class Watch:
    """Who follows the descent.

    Parameters
    ----------
    callback : callable or None
        Told of iteration, map and divergence; the descent ends if it returns True.
    every : int
        Iterations between two calls.
    verbose : int
        0, 1 or more.
    """

    callback: Callback | None
    every: int
    verbose: int


@dataclass(frozen=True, slots=True, eq=False)
class DescentResult:
    """Where a descent ended.

    Parameters
    ----------
    embedding : ndarray of float32, shape (n, d)
    divergence : float
        Of the embedding.
    last_iteration : int
        Counted from 0.
    """

    embedding: NDArray[np.float32]
    divergence: float
    last_iteration: int


class Descent:
    """A map on its way down.

    Parameters
    ----------
    edges : EdgeLists
        Joint affinities.
    start : ndarray of float32, shape (n, d)
    repulsion : Repulsion
    min_grad_norm : float
        The descent ends below it.
    watch : Watch
    """

    def __init__(
        self,
        edges: EdgeLists,
        start: NDArray[np.float32],
        repulsion: Repulsion,
        min_grad_norm: float,
        watch: Watch,
    ) -> None:
        self._core = _core.TsneDescent(
            edges.offsets,
            edges.columns,
            edges.values,
            start,
            repulsion.dof,
            repulsion.method,
            repulsion.angle,
        )
        self._min_grad_norm, self._watch = min_grad_norm, watch

    def run(self, stages: list[Stage]) -> DescentResult:
        """All stages, one after the other."""
        iteration, stopped = 0, False
        for stage in stages:
            if iteration < stage.end and not stopped:
                self._core.restart()
                iteration, stopped = self._run_stage(iteration, stage)
        divergence = float(self._core.divergence())
        if self._watch.verbose:
            print(f"[t-SNE] KL divergence after {iteration} iterations: {divergence:f}")
        return DescentResult(np.asarray(self._core.points()), divergence, max(iteration - 1, 0))

    def _run_stage(self, iteration: int, stage: Stage) -> tuple[int, bool]:
        """The iteration after the last, and whether the callback said to stop."""
        best, best_at = inf, iteration
        while iteration < stage.end:
            steps = self._steps_to_next_look(iteration, stage.end)
            value, norm = self._core.run(
                steps, stage.exaggeration, stage.momentum, stage.learning_rate, _LONGEST_STEP
            )
            iteration += steps
            if self._told_to_stop(iteration, value):
                return iteration, True
            if iteration % _CHECK_EVERY:
                continue
            if self._watch.verbose >= 2:
                print(
                    f"[t-SNE] Iteration {iteration}: error = {value:.7f}, "
                    f"gradient norm = {norm:.7f}"
                )
            if value < best:
                best, best_at = value, iteration
            elif iteration - best_at > stage.patience:
                self._say(f"no progress in the last {stage.patience} iterations", iteration)
                break
            if norm <= self._min_grad_norm:
                self._say(f"gradient norm {norm:f}", iteration)
                break
        return iteration, False

    def _steps_to_next_look(self, iteration: int, end: int) -> int:
        nexts = [_CHECK_EVERY - iteration % _CHECK_EVERY, end - iteration]
        if self._watch.callback is not None:
            nexts.append(self._watch.every - iteration % self._watch.every)
        return min(nexts)

    def _told_to_stop(self, iteration: int, value: float) -> bool:
        callback = self._watch.callback
        if callback is None or iteration % self._watch.every:
            return False
        return callback(iteration, np.asarray(self._core.points()), float(value)) is True

    def _say(self, why: str, iteration: int) -> None:
        if self._watch.verbose >= 2:
            print(f"[t-SNE] Iteration {iteration}: {why}. Finished.")
