"""Proximal gradient steps, plain and accelerated, for the lasso's solvers and everyone's."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from stylobate.arrays import Array

_TINIEST = 1e-300  # a step this short moves nothing
_SHORT = 1e-12  # of the first step: no curvature is that much larger


class Composite(Protocol):
    """A smooth part with value and gradient, and a proximal point of the simple part."""

    def smooth_value(self, x: Array) -> float: ...

    def gradient(self, x: Array) -> Array: ...

    def simple_value(self, x: Array) -> float: ...

    def prox(self, v: Array, step: float) -> Array: ...


def proximal_step(
    task: Composite, x: Array, value: float, step: float, *, search: bool = True
) -> tuple[Array, float, float]:
    r""":math:`x^+ = \operatorname{prox}_{\eta g}(x - \eta \nabla f(x))`, f(x⁺) and the η used.

    With `search` η is halved until the parabola it stands for lies above f at x⁺:
    :math:`f(x^+) \le f(x) + \nabla f(x)^\top (x^+ - x) + \|x^+ - x\|^2 / 2\eta`.
    """
    slope = task.gradient(x)
    while True:
        new = task.prox(x - step * slope, step)
        reached = task.smooth_value(new)
        if not search:
            return new, reached, step
        change = new - x
        bound = value + float(slope @ change) + 0.5 * float(change @ change) / step
        if reached <= bound + 1e-12 * (abs(value) + abs(reached)) or step < _TINIEST:
            return new, reached, step
        step *= 0.5


def proximal_steps(
    task: Composite, start: Array, step: float, *, search: bool = True
) -> Iterator[tuple[Array, float, float]]:
    """The points of proximal gradient, each with its smooth value and the step that led there.

    References
    ----------
    Daubechies, Defrise & De Mol (2004), An iterative thresholding algorithm for linear inverse
    problems with a sparsity constraint, Comm. Pure Appl. Math. 57.
    """
    x, value = start, task.smooth_value(start)
    while True:
        x, value, step = proximal_step(task, x, value, step, search=search)
        yield x, value, step


def spectral_steps(
    task: Composite, start: Array, step: float
) -> Iterator[tuple[Array, float, float]]:
    r"""Proximal gradient with steps :math:`\|s\|^2 / s^\top y` of the last move and its bend.

    s is how the point changed and y how the gradient did. The objective may rise now and then,
    which is what makes these steps fast; one that would raise it above the largest of the last ten
    values is halved.

    References
    ----------
    Barzilai & Borwein (1988), Two-point step size gradient methods, IMA J. Numer. Anal. 8;
    Figueiredo, Nowak & Wright (2007), Gradient projection for sparse reconstruction, IEEE J. Sel.
    Topics Signal Process. 1; Grippo, Lampariello & Lucidi (1986), A nonmonotone line search
    technique for Newton's method, SIAM J. Numer. Anal. 23; Wright, Nowak & Figueiredo (2009),
    Sparse reconstruction by separable approximation, IEEE Trans. Signal Process. 57.
    """
    x, slope = start, task.gradient(start)
    first = step
    last = deque([task.smooth_value(start) + task.simple_value(start)], maxlen=10)
    while True:
        step = first if step < _SHORT * first else step  # rounding made the last bend
        while True:
            new = task.prox(x - step * slope, step)
            smooth = task.smooth_value(new)
            change = new - x
            reached = smooth + task.simple_value(new)
            promised = 1e-4 * float(change @ change) / step
            highest = max(last)
            if reached <= highest - promised + 1e-15 * abs(highest) or step < _TINIEST:
                break
            step *= 0.5
        ahead, used = task.gradient(new), step
        bend = float(change @ (ahead - slope))
        if bend > 0.0:
            step = float(change @ change) / bend
        x, slope = new, ahead
        last.append(reached)
        yield x, smooth, used


def accelerated_steps(
    task: Composite,
    start: Array,
    step: float,
    *,
    search: bool = True,
    momentum: float | None = None,
    restart: bool = True,
) -> Iterator[tuple[Array, float, float]]:
    """The points of FISTA; without a simple part, of Nesterov's accelerated gradient.

    Parameters
    ----------
    task, start, step, search
        As of `proximal_steps`.
    momentum : float, optional
        A constant one, (√κ − 1)/(√κ + 1) for strongly convex functions; growing by default.
    restart : bool, default=True
        Whether momentum that points uphill is dropped.

    References
    ----------
    Nesterov (1983); Beck & Teboulle (2009), A fast iterative shrinkage-thresholding algorithm for
    linear inverse problems, SIAM J. Imaging Sciences 2; O'Donoghue & Candès (2015), Adaptive
    restart for accelerated gradient schemes, Found. Comput. Math. 15.
    """
    x = ahead = start
    value = value_ahead = task.smooth_value(start)
    weight = 1.0
    while True:
        new, reached, step = proximal_step(task, ahead, value_ahead, step, search=search)
        if restart and float((ahead - new) @ (new - x)) > 0.0:
            weight = 1.0
            new, reached, step = proximal_step(task, x, value, step, search=search)
        grown = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * weight**2))
        share = (weight - 1.0) / grown if momentum is None else momentum
        ahead = new + share * (new - x)
        x, value, weight = new, reached, grown
        value_ahead = task.smooth_value(ahead) if search else np.nan
        yield x, value, step
