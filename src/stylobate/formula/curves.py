"""Curves as formulas: polynomials, pieces of lines and of polynomials, normal quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.formula.expressions import (
    Case,
    Compare,
    Constant,
    Expression,
    Function,
    Linear,
    Missing,
    Named,
    Product,
    Ratio,
    TreeValue,
    held,
)
from stylobate.formula.pieces import clipped
from stylobate.formula.trees import TreeInputs


@dataclass(frozen=True, eq=False)
class Intervals:
    """A tree that finds the interval of a number: (edge before, edge] by number, in few questions.

    Examples
    --------
    >>> halves = Intervals.between([0.0, 1.0])
    >>> halves.children_left.tolist(), halves.threshold.tolist()
    ([1, 2, -1, -1, -1], [1.0, 0.0, -2.0, -2.0, -2.0])
    """

    children_left: NDArray[np.int32]
    children_right: NDArray[np.int32]
    threshold: Array
    interval: NDArray[np.int32]  # of a leaf

    @classmethod
    def between(cls, edges: Sequence[float]) -> Intervals:
        """Those before, between and after increasing edges."""
        left: list[int] = []
        right: list[int] = []
        threshold: list[float] = []
        interval: list[int] = []

        def grow(first: int, last: int) -> int:
            """The part of the tree for the intervals first … last."""
            node, middle = len(left), (first + last) // 2
            inner = first < last
            left.append(-1)
            right.append(-1)
            threshold.append(float(edges[middle]) if inner else -2.0)
            interval.append(first)
            if inner:
                left[node] = grow(first, middle)
                right[node] = grow(middle + 1, last)
            return node

        grow(0, len(edges))
        whole = [np.array(each, dtype=np.int32) for each in (left, right, interval)]
        return cls(whole[0], whole[1], np.array(threshold), whole[2])

    @property
    def feature(self) -> NDArray[np.int32]:
        return np.where(self.children_left < 0, -2, 0).astype(np.int32)

    @property
    def missing_go_to_left(self) -> NDArray[np.uint8]:
        return np.zeros(len(self.threshold), dtype=np.uint8)

    @property
    def category_start(self) -> NDArray[np.int32]:
        return np.full(len(self.threshold), -1, dtype=np.int32)

    def left_categories(self, node: int) -> None:
        """Numbers have none."""

    def of(self, inputs: TreeInputs, values: Sequence[float]) -> Expression:
        """The value of the interval a number lies in."""
        return TreeValue(self, inputs, tuple(float(values[i]) for i in self.interval))


def share_below(column: Expression, quantiles: Array, shares: Array) -> Expression:
    """The share of a distribution below a value: lines between quantiles, 0 and 1 beyond them.

    A value that is several quantiles gets the middle of their shares.
    """
    if np.isnan(quantiles).any():
        return Constant(None)
    x = held(column)
    edges, lines = _lines(quantiles, shares)
    found, inputs = Intervals.between(edges), TreeInputs([x])
    start, height, slope = (found.of(inputs, each) for each in zip(*lines, strict=True))
    away = Linear((x, start), (1.0, -1.0))
    return Linear((height, Product((slope, away))), (1.0, 1.0))


def _lines(quantiles: Array, shares: Array) -> tuple[list[float], list[tuple[float, float, float]]]:
    """Edges, and of each interval where its line starts, how high, and how steep it is."""
    values, first, count = np.unique(quantiles, return_index=True, return_counts=True)
    last = first + count - 1
    edges, lines = [float(values[0])], [(float(values[0]), 0.0, 0.0)]

    def add(edge: float, line: tuple[float, float, float]) -> None:
        if edge > edges[-1]:  # neighbouring doubles have nothing between them
            edges.append(edge)
            lines.append(line)

    for i in range(1, len(values)):
        low, high = float(values[i - 1]), float(values[i])
        base = float(shares[last[i - 1]])
        line = (low, base, (float(shares[first[i]]) - base) / (high - low))
        alone = count[i] == 1 and i < len(values) - 1
        add(high if alone else nextafter(high, low), line)
        if not alone and i < len(values) - 1:
            add(high, (high, float(shares[first[i]] + shares[last[i]]) / 2.0, 0.0))
    return edges, [*lines, (float(values[-1]), 1.0, 0.0)]


def polynomial(x: Expression, coefficients: Sequence[float]) -> Expression:
    """Horner's form of a polynomial, the highest power first."""
    made: Expression = Constant(float(coefficients[0]))
    for each in coefficients[1:]:
        value = each if isinstance(made, Constant) and not made.value else None
        if value is not None:
            made = Constant(float(value))
        elif isinstance(made, Constant):
            made = Linear((x,), (float(made.value or 0.0),), float(each))
        else:
            made = Linear((Product((made, x)),), (1.0,), float(each))
    return made


# Wichura (1988), Algorithm AS241: the percentage points of the normal distribution; relative error
# about 1e-16. Numerators and denominators, the highest power first.
_MIDDLE = (
    (2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
     4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
     1.3314166789178437745e2, 3.3871328727963666080e0),
    (5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4,
     2.1213794301586595867e4, 5.3941960214247511077e3, 6.8718700749205790830e2,
     4.2313330701600911252e1, 1.0),
)  # fmt: skip
_TAIL = (
    (7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
     1.27045825245236838258e0, 3.64784832476320460504e0, 5.76949722146069140550e0,
     4.63033784615654529590e0, 1.42343711074968357734e0),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
     1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e0,
     2.05319162663775882187e0, 1.0),
)  # fmt: skip


def normal_quantile(share: Expression, edge: float) -> Expression:
    """The normal quantile of a share, which is clipped to edge … 1 − edge (edge above 1e-10)."""
    if isinstance(share, Constant):
        return share  # missing for every row
    p = Named("share", clipped(Named("share", share), edge, 1.0 - edge))
    q = Named("distance", Linear((p,), (1.0,), -0.5))
    r = Named("inside", Linear((Product((q, q)),), (-1.0,), 0.180625))
    middle = Product((q, Ratio(polynomial(r, _MIDDLE[0]), polynomial(r, _MIDDLE[1]))))
    # not 0.5 - |q|, of which little is left near 0
    nearest = Case(((Compare("<", q, Constant(0.0)), p),), Linear((p,), (-1.0,), 1.0))
    root = Function("sqrt", Linear((Function("log", nearest),), (-1.0,)))
    s = Named("outside", Linear((root,), (1.0,), -1.6))
    tail = Named("tail", Ratio(polynomial(s, _TAIL[0]), polynomial(s, _TAIL[1])))
    below = Compare("<", q, Constant(-0.425))
    above = Compare(">", q, Constant(0.425))
    return Case(((below, Linear((tail,), (-1.0,))), (above, tail)), middle)


def spline_basis(
    column: Expression, spline: Any, extrapolation: str, missing: float | None
) -> list[Expression]:
    """The functions of a B-spline basis, each as polynomials between knots.

    Parameters
    ----------
    column : Expression
        The number.
    spline : scipy.interpolate.BSpline
        With a column of coefficients for each function.
    extrapolation : {"error", "constant", "linear", "continue", "periodic"}
        Outside the knots: missing, the value at the boundary, its tangent, its polynomial, or the
        same again.
    missing : float or None
        For a missing number.
    """
    from scipy.interpolate import PPoly

    x = held(column)
    low, high = float(spline.t[spline.k]), float(spline.t[-spline.k - 1])
    z = _inside(x, low, high, extrapolation)
    inner = [
        i for i in range(spline.k, len(spline.t) - spline.k - 1) if spline.t[i] < spline.t[i + 1]
    ]
    away = {i: Named("away", Linear((z,), (1.0,), -float(spline.t[i]))) for i in inner}
    gone: tuple[Any, ...] = ((Missing(x), Constant(missing)),)
    outside = (Compare("<", x, Constant(low)), Compare(">", x, Constant(high)))
    if extrapolation == "error":
        gone += tuple((each, Constant(None)) for each in outside)
    made = []
    for f in range(spline.c.shape[1]):
        pieces = PPoly.from_spline((spline.t, np.ascontiguousarray(spline.c[:, f]), spline.k))
        curves = [polynomial(away[i], pieces.c[:, i].tolist()) for i in inner]
        ends = [Compare("<", z, Constant(float(spline.t[i + 1]))) for i in inner[:-1]]
        branches = (*gone, *_tangents(spline, f, x, outside, extrapolation))
        made.append(Case((*branches, *zip(ends, curves[:-1], strict=True)), curves[-1]))
    return list(made)


def _inside(x: Expression, low: float, high: float, extrapolation: str) -> Expression:
    """Where a spline is asked: at x, at the nearest end, or at x some periods away."""
    if extrapolation == "periodic":
        period = high - low
        turns = Function("floor", Ratio(Linear((x,), (1.0,), -low), Constant(period)))
        return Named("phase", Linear((x, turns), (1.0, -period)))
    return x if extrapolation == "continue" else Named("inside", clipped(x, low, high))


def _tangents(
    spline: Any, f: int, x: Expression, outside: tuple[Expression, Expression], extrapolation: str
) -> list[tuple[Expression, Expression]]:
    if extrapolation != "linear" or spline.k == 0:
        return []
    ends = (float(spline.t[spline.k]), float(spline.t[-spline.k - 1]))
    heights, slopes = spline(np.array(ends))[:, f], spline.derivative()(np.array(ends))[:, f]
    return [
        (beyond, Linear((Linear((x,), (1.0,), -end),), (float(slope),), float(height)))
        for beyond, end, height, slope in zip(outside, ends, heights, slopes, strict=True)
    ]
