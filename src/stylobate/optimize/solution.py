"""Solution: what `minimize` found, how, and how good it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.problem import Problem
from stylobate.optimize.stopping import REASONS
from stylobate.optimize.trace import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.optimize.diagnosis import StationaryPoint


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer of a method to a problem.

    Parameters
    ----------
    x : array (n,)
        The best point.
    value : float
        F there.
    stopped_by : str
        The test that ended the run: "gradient", "value", "change", "iterations", "stalled",
        "diverged", "unbounded" or "callback".
    iterations : int
    trace : Trace
        Objective, gradient norm, step, evaluations and seconds, after each iteration (the first
        entry is the start).
    certificate : Certificate
        A proved bound of F(x) − F*, where the problem's facts give one.
    evaluations : dict
        Values, gradients and Hessians computed.
    path : array (iterations + 1, n) or None
        The points, if they were kept.
    problem : Problem
    method : Method
    """

    x: Array
    value: float
    stopped_by: str
    iterations: int
    trace: Trace = field(repr=False)
    certificate: Certificate = field(repr=False)
    evaluations: dict[str, float] = field(repr=False)
    path: Array | None = field(repr=False)
    problem: Problem = field(repr=False)
    method: Method = field(repr=False)

    @property
    def converged(self) -> bool:
        """Whether a test of convergence ended the run, not the limit or a divergence."""
        return self.stopped_by in ("gradient", "value", "change", "stalled")

    @property
    def reason(self) -> str:
        """Why the run ended, in words."""
        return REASONS[self.stopped_by]

    @property
    def rate(self) -> Rate | None:
        """What theory promises of this method on this problem."""
        return self.method.rate(self.problem)

    def diagnose(self) -> StationaryPoint:
        """What kind of point x is, from the eigenvalues of the Hessian there."""
        from stylobate.optimize.diagnosis import stationary_point

        return stationary_point(self.problem.smooth, self.x)

    def plot(self, *, optimum: float | None = None, ax: Axes | None = None) -> Axes:
        """How far each iteration was from the optimum, and the rate of theory."""
        return plot_solutions({self.method.name: self}, optimum=optimum, ax=ax)

    def plot_path(self, *, ax: Axes | None = None, **options: Any) -> Axes:
        """The path on the curve of a function of one variable, or over the contours of two.

        In one variable the steps of Newton's method show their parabolas. In two, of a problem
        with a set, its outline and the points before their projection are drawn.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        **options : object
            As of `stylobate.plot.plot_descent` or `stylobate.plot.plot_loss_contours`.
        """
        from stylobate.plot import plot_descent, plot_loss_contours

        if self.path is None or self.path.shape[1] > 2:
            raise InvalidParameterError(
                "Solution: a path over contours needs two variables (or one) and keep_path=True."
            )
        if self.path.shape[1] == 1:
            if self.method.name == "Newton":
                options = {"parabolas": self._parabolas()} | options
            return plot_descent(self.problem.smooth.value, self.path, ax=ax, **options)
        if self.problem.is_constrained:
            options = {"region": self.problem.simple, "before": self._before()} | options
        value = self.problem.smooth.value if self.problem.is_constrained else self.problem.value
        return plot_loss_contours(value, paths={self.method.name: self.path}, ax=ax, **options)

    def _parabolas(self, most: int = 3) -> Array:
        """Slope and curvature at the first points but the last."""
        assert self.path is not None
        smooth, points = self.problem.smooth, self.path[:-1][:most]
        return np.array([[smooth.gradient(x)[0], smooth.hessian(x)[0, 0]] for x in points])

    def _before(self, most: int = 5) -> Array | None:
        """Where the first gradient steps led before they were projected, if they were."""
        if self.method.name not in ("projected gradient", "proximal gradient"):
            return None
        assert self.path is not None
        starts = self.path[:-1][:most]
        slopes = np.array([self.problem.smooth.gradient(x) for x in starts])
        lengths = np.asarray(self.trace.step)[1 : 1 + len(starts), None]
        return np.asarray(starts - lengths * slopes)

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {
            "x": self.x.tolist(),
            "value": self.value,
            "method": self.method.name,
            "converged": self.converged,
            "stopped_by": self.stopped_by,
            "iterations": self.iterations,
            "evaluations": dict(self.evaluations),
            "certificate": self.certificate.to_dict(),
        }

    def __str__(self) -> str:
        ended = "converged" if self.converged else "did not converge"
        counts = ", ".join(f"{v:.6g} {k}s" for k, v in self.evaluations.items() if v)
        return "\n".join(
            [
                f"{self.method.name} {ended} after {self.iterations} iterations: {self.reason}.",
                f"  value        {self.value:.10g}",
                f"  x            {np.array2string(self.x, precision=6, threshold=8)}",
                f"  computed     {counts}",
                f"  {self.certificate.verdict}",
            ]
        )


def plot_solutions(
    solutions: Mapping[str, Solution], *, optimum: float | None = None, ax: Axes | None = None
) -> Axes:
    """Several methods on one problem: distance from the optimum by iteration, with theory's rates.

    Parameters
    ----------
    solutions : mapping of str to Solution
    optimum : float, optional
        F*; by default the lowest value of all.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
    """
    from stylobate.plot import plot_convergence

    rates = {}
    for name, found in solutions.items():
        rate = found.rate
        if rate is not None and (rate.power > 0.0 or rate.factor > 0.0):
            rates[name] = rate
    return plot_convergence(
        {name: found.trace for name, found in solutions.items()},
        optimum=optimum,
        rates=rates,
        ax=ax,
    )
