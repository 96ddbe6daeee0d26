"""Curves of one number: B-splines, natural splines, orthogonal polynomials; as R's bs, ns, poly.

References
----------
Chambers & Hastie (1992), Statistical Models in S, chapters 7.4 and 2.3; R's package splines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.design.arithmetic import expression_of, value_of
from stylobate.design.frame import Frame
from stylobate.design.syntax import Call, written
from stylobate.design.variables import literal
from stylobate.exceptions import FormulaError, InvalidDataError
from stylobate.formula.expressions import Expression

CURVES = ("bs", "ns", "poly")


@dataclass(frozen=True, eq=False)
class SplineVariable:
    """A spline basis in one number.

    Parameters
    ----------
    node : Call
    knots : (m,) array
        All knots, those at the ends repeated.
    degree : int
    turn : (m − degree − 1, q) array
        From B-splines to the columns: drops the first, or makes the curve straight beyond the ends.
    natural : bool
        Whether the curve goes on as a line beyond the ends; else as its last piece.
    """

    node: Call
    knots: Array
    degree: int
    turn: Array
    natural: bool

    @classmethod
    def fit(cls, node: Call, frame: Frame, kept: Indices) -> SplineVariable:
        """Place the knots at quantiles of the rows that are kept."""
        return cls.of(node, value_of(node.arguments[0], frame)[kept])

    @classmethod
    def of(cls, node: Call, x: Array) -> SplineVariable:
        """From the values of all rows."""
        asked = _options(node, ("df", "degree", "knots", "intercept"))
        natural = node.function == "ns"
        degree = 3 if natural else int(asked.get("degree", 3))
        intercept = bool(asked.get("intercept", False))
        inner = _inner_knots(node, asked, x, degree, natural, intercept)
        low, high = float(x.min()), float(x.max())
        if not low < high:
            raise InvalidDataError(f"{written(node)}: the column is constant; a curve needs two.")
        knots = np.concatenate([[low] * (degree + 1), inner, [high] * (degree + 1)])
        turn = np.eye(len(knots) - degree - 1)[:, 0 if intercept else 1 :]
        if natural:
            turn = _natural(knots, low, high, intercept)
        return cls(node, knots, degree, turn, natural)

    def _spline(self) -> Any:
        from scipy.interpolate import BSpline

        return BSpline(self.knots, self.turn, self.degree, extrapolate=True)

    def columns(self, frame: Frame) -> Array:
        """The basis at each row."""
        x = value_of(self.node.arguments[0], frame)
        spline = self._spline()
        if not self.natural:
            return np.asarray(spline(x))
        low, high = self.knots[0], self.knots[-1]
        inside = np.clip(x, low, high)
        beyond = (x - inside)[:, None]
        slopes = spline.derivative()(inside)
        return np.asarray(spline(inside) + np.where(beyond != 0, beyond * slopes, 0.0))

    def labels(self) -> tuple[str, ...]:
        """What the columns are called."""
        return _numbered(self.node, self.turn.shape[1])

    def expressions(self, columns: dict[str, Expression]) -> list[Expression]:
        """The same as formulas."""
        from stylobate.formula.curves import spline_basis

        x = expression_of(self.node.arguments[0], columns)
        beyond = "linear" if self.natural else "continue"
        return spline_basis(x, self._spline(), beyond, None)


def _natural(knots: Array, low: float, high: float, intercept: bool) -> Array:
    """The B-splines' combinations whose second derivative is 0 at both ends, as R chooses them."""
    from scipy.interpolate import BSpline

    count = len(knots) - 4
    second = BSpline(knots, np.eye(count), 3).derivative(2)(np.array([low, high]))
    first = 0 if intercept else 1
    q = np.linalg.qr(second[:, first:].T, mode="complete")[0]
    turn = np.zeros((count, count - first - 2))
    turn[first:] = q[:, 2:]
    return turn


def _inner_knots(
    node: Call, asked: dict[str, Any], x: Array, degree: int, natural: bool, intercept: bool
) -> Array:
    if "knots" in asked:
        given = np.atleast_1d(np.asarray(asked["knots"], dtype=np.float64))
        if ((given <= x.min()) | (given >= x.max())).any():
            raise FormulaError(
                f"{written(node)}: knots must lie within the column's range, "
                f"{x.min():.6g} … {x.max():.6g}."
            )
        return np.sort(given)
    least = (1 if natural else degree) + intercept
    df = int(asked.get("df", least))
    if df < least or not 1 <= degree <= 20:
        raise FormulaError(f"{written(node)}: df must be at least {least}, got {df}.")
    return np.quantile(x, np.linspace(0, 1, df - least + 2)[1:-1])


@dataclass(frozen=True, eq=False)
class PolynomialVariable:
    """Orthogonal polynomials (three-term recurrence), or plain powers if `raw`.

    Parameters
    ----------
    node : Call
    centers, lengths : (degree,) and (degree + 2,) arrays
        Of the recurrence `p_j = (x − c_j) p_{j−1} − l_j / l_{j−1} p_{j−2}`; empty for powers.
    degree : int
    """

    node: Call
    centers: Array
    lengths: Array
    degree: int

    @classmethod
    def fit(cls, node: Call, frame: Frame, kept: Indices) -> PolynomialVariable:
        """Find the recurrence of the rows that are kept."""
        return cls.of(node, value_of(node.arguments[0], frame)[kept])

    @classmethod
    def of(cls, node: Call, x: Array) -> PolynomialVariable:
        """From the values of all rows."""
        asked = _options(node, ("degree", "raw"))
        degree, raw = asked.get("degree", 1), bool(asked.get("raw", False))
        if degree not in range(1, 31) or len(np.unique(x)) <= degree:
            raise FormulaError(
                f"{written(node)}: the degree must be a whole number from 1 to 30 and less than "
                f"the number of different values ({len(np.unique(x))}), got {degree}."
            )
        if raw:
            return cls(node, np.zeros(0), np.zeros(0), degree)
        before, now = np.zeros_like(x), np.ones_like(x)
        centers, lengths = [], [1.0, float(len(x))]
        for _ in range(degree):
            centers.append(float(x @ now**2 / lengths[-1]))
            share = lengths[-1] / lengths[-2] if len(centers) > 1 else 0.0
            before, now = now, (x - centers[-1]) * now - share * before
            lengths.append(float(now @ now))
        return cls(node, np.array(centers), np.array(lengths), degree)

    def columns(self, frame: Frame) -> Array:
        """The polynomials at each row."""
        x = value_of(self.node.arguments[0], frame)
        if not len(self.centers):
            return np.asarray(x[:, None] ** np.arange(1, self.degree + 1))
        before, now, found = np.zeros_like(x), np.ones_like(x), []
        for j, center in enumerate(self.centers):
            share = self.lengths[j + 1] / self.lengths[j] if j else 0.0
            before, now = now, (x - center) * now - share * before
            found.append(now / np.sqrt(self.lengths[j + 2]))
        return np.column_stack(found)

    def labels(self) -> tuple[str, ...]:
        """What the columns are called."""
        return _numbered(self.node, self.degree)

    def expressions(self, columns: dict[str, Expression]) -> list[Expression]:
        """The same as formulas."""
        from stylobate.formula.curves import polynomial
        from stylobate.formula.expressions import held

        x = held(expression_of(self.node.arguments[0], columns))
        return [polynomial(x, each) for each in self._powers()]

    def _powers(self) -> list[list[float]]:
        """Coefficients of each column, the highest power first."""
        if not len(self.centers):
            return [[1.0, *[0.0] * j] for j in range(1, self.degree + 1)]
        before, now, found = np.poly1d([0.0]), np.poly1d([1.0]), []
        for j, center in enumerate(self.centers):
            share = self.lengths[j + 1] / self.lengths[j] if j else 0.0
            before, now = now, np.poly1d([1.0, -center]) * now - share * before
            found.append((now / np.sqrt(self.lengths[j + 2])).coeffs.tolist())
        return found


def _numbered(node: Call, count: int) -> tuple[str, ...]:
    name = written(node)
    return (name,) if count == 1 else tuple(f"{name}[{j + 1}]" for j in range(count))


def _options(node: Call, places: tuple[str, ...]) -> dict[str, Any]:
    """Arguments after the first by name; positions count from the first of `places`."""
    if not node.arguments or len(node.arguments) > len(places) + 1:
        raise FormulaError(
            f"{written(node)}: {node.function} takes an expression, then {', '.join(places)}."
        )
    asked = dict(zip(places, map(literal, node.arguments[1:]), strict=False))
    for name, value in node.named:
        if name not in places:
            raise FormulaError(
                f"{written(node)}: {node.function} has no {name!r}; it takes {', '.join(places)}."
            )
        asked[name] = literal(value)
    return asked
