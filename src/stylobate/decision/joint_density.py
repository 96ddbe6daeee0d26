"""A joint density p(x, y) of two numbers, for regression."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.decision.losses import DecisionLoss
from stylobate.decision.quadrature import change_points, gauss_nodes, integrate
from stylobate.exceptions import InvalidDataError, InvalidParameterError

_TAIL = 1e-13
_PANELS = 12  # of the range of y, for conditional means and quantiles


class JointDensity:
    """A density p(x, y) of two numbers, integrated by Gauss–Legendre panels.

    Parameters
    ----------
    pdf : callable of (x, y)
        The density; takes arrays that broadcast.
    x : pair of finite numbers
        The range of x.
    y : pair of finite numbers, or callable of x giving such a pair
        The range of y (given x).

    Examples
    --------
    >>> square = JointDensity(lambda x, y: 4 * x * y, x=(0, 1), y=(0, 1))
    >>> from stylobate.decision import best_predictor
    >>> best_predictor(square, "squared")([0.3]).round(6)  # x and y are independent
    array([0.666667])
    """

    def __init__(self, pdf: Callable[[Any, Any], Any], x: Any, y: Any) -> None:
        if not callable(pdf):
            raise InvalidParameterError(f"JointDensity: pdf must be a function of (x, y): {pdf!r}.")
        self.pdf = pdf
        self.x = _range(x, "x")
        self._y = y if callable(y) else _range(y, "y")
        at, weights = gauss_nodes(*self.x, panels=16)
        mass = float((weights * self.integral(at, lambda _: 1.0)).sum())
        if not abs(mass - 1.0) <= 1e-4:
            raise InvalidDataError(
                f"JointDensity: the density integrates to {mass:.6g} over the ranges given; it "
                "must integrate to 1."
            )

    @classmethod
    def from_conditional(cls, x: Any, y_given_x: Callable[[Any], Any]) -> Self:
        """From the distribution of x and that of y given x.

        Parameters
        ----------
        x : distribution of `scipy.stats`
            Of x.
        y_given_x : callable
            ``y_given_x(x)`` is a distribution of `scipy.stats` with parameters that may be arrays.

        Examples
        --------
        >>> from scipy.stats import norm, uniform
        >>> model = JointDensity.from_conditional(uniform(0, 1), lambda x: norm(2 * x, 0.1))
        >>> from stylobate.decision import best_predictor
        >>> best_predictor(model, "absolute")([0.25]).round(6)
        array([0.5])
        """

        def pdf(at: Any, y: Any) -> Any:
            return x.pdf(at) * y_given_x(at).pdf(y)

        def ends(at: Any) -> tuple[Any, Any]:
            given = y_given_x(at)
            return given.ppf(_TAIL), given.isf(_TAIL)

        return cls(pdf, (x.ppf(_TAIL), x.isf(_TAIL)), ends)

    def marginal_x(self, x: Any) -> Array:
        """p(x) = ∫ p(x, y) dy at each x; 0 outside the range.

        Parameters
        ----------
        x : array-like of shape (n,)
            Where.

        Examples
        --------
        >>> triangle = JointDensity(lambda x, y: 2.0 + 0 * (x + y), x=(0, 1), y=lambda x: (0, x))
        >>> triangle.marginal_x([0.25, 0.5])
        array([0.5, 1. ])
        """
        at = np.atleast_1d(np.asarray(x, dtype=np.float64))
        inside = (at >= self.x[0]) & (at <= self.x[1])
        found = np.zeros(len(at))
        found[inside] = self.integral(at[inside], lambda _: 1.0)
        return found

    def marginal_y(self, y: Any) -> Array:
        """p(y) = ∫ p(x, y) dx at each y, with the range of x cut where that of y begins or ends.

        Parameters
        ----------
        y : array-like of shape (n,)
            Where.

        Examples
        --------
        >>> triangle = JointDensity(lambda x, y: 2.0 + 0 * (x + y), x=(0, 1), y=lambda x: (0, x))
        >>> triangle.marginal_y([0.25, 0.5]).round(9)
        array([1.5, 1. ])
        """
        points = np.atleast_1d(np.asarray(y, dtype=np.float64))
        return np.array([self._marginal_at(each) for each in points])

    def _marginal_at(self, y: float) -> float:
        def reaches(at: Array) -> Array:
            low, high = self.ends(at)
            return np.asarray((low <= y) & (y <= high))

        cuts = change_points(reaches, np.linspace(*self.x, 257))[0]

        def density(at: Array) -> Array:
            values = np.broadcast_to(self.pdf(at, np.full(at.shape, y)), at.shape)
            return np.where(reaches(at), values, 0.0)

        return integrate(density, np.array([self.x[0], *cuts, self.x[1]]))[0]

    def conditional(self, y: Any, x: float) -> Array:
        """p(y | x) = p(x, y) / p(x) at each y, given one x.

        Parameters
        ----------
        y : array-like of shape (n,)
            Where.
        x : float
            What is given; of positive density.

        Examples
        --------
        >>> triangle = JointDensity(lambda x, y: 2.0 + 0 * (x + y), x=(0, 1), y=lambda x: (0, x))
        >>> triangle.conditional([0.1, 0.3, 0.9], x=0.5)  # uniform from 0 to x
        array([2., 2., 0.])
        """
        points, at = np.atleast_1d(np.asarray(y, dtype=np.float64)), np.array([float(x)])
        share = float(self.marginal_x(at)[0])
        if not share > 0.0:
            raise InvalidDataError(
                f"JointDensity: x = {x!r} has density 0, so that nothing is known of y given it."
            )
        low, high = (float(end[0]) for end in self.ends(at))
        values = np.broadcast_to(self.pdf(np.full(points.shape, at[0]), points), points.shape)
        return np.where((points >= low) & (points <= high), values / share, 0.0)

    def ends(self, at: Array) -> tuple[Array, Array]:
        """The range of y at each x."""
        low, high = self._y(at) if callable(self._y) else self._y
        return np.broadcast_to(low, at.shape), np.broadcast_to(high, at.shape)

    def integral(
        self,
        at: Array,
        function: Callable[[Array], Any],
        cut: Array | None = None,
        panels: int = _PANELS,
        *,
        below: bool = False,
    ) -> Array:
        """∫ function(y) p(x, y) dy at each x, with the pieces cut at a point that may be a kink.

        Parameters
        ----------
        at : array of shape (n,)
            The values of x.
        function : callable
            Of y, an array of shape (n, number of nodes).
        cut : array of shape (n,), optional
            Where the integrand may have a kink.
        panels : int, default=12
            Of each piece.
        below : bool, default=False
            Whether to integrate up to the cut only.
        """
        low, high = self.ends(at)
        edges = [low, high] if cut is None else [low, np.clip(cut, low, high), high]
        total = np.zeros(len(at))
        for a, b in pairwise(edges[: 2 if below else None]):
            nodes, weights = gauss_nodes(a, b, panels)
            density = np.asarray(self.pdf(at[:, None], nodes), dtype=np.float64)
            if not (density >= 0).all():
                raise InvalidDataError(
                    "JointDensity: the density is negative or NaN somewhere in the ranges given."
                )
            total = total + (weights * density * function(nodes)).sum(axis=1)
        return np.asarray(total)

    def expected(self, decide: Callable[[Array], Any], loss: DecisionLoss) -> tuple[float, float]:
        """E L(y, f(x)), and how far it may be off: panels are doubled until that is little."""
        value, off = np.nan, np.inf
        for panels in (4, 8, 16, 32, 64, 128):
            before = value
            at, weights = gauss_nodes(*self.x, panels=panels)
            chosen = np.asarray(decide(at), dtype=np.float64)
            losses = self.integral(at, lambda y, c=chosen: loss(y, c[:, None]), chosen)  # type: ignore[misc]
            value = float((weights * losses).sum())
            off = abs(value - before)
            if off <= 1e-10 * max(1.0, abs(value)):
                break
        return value, off

    def __repr__(self) -> str:
        return f"JointDensity for x in [{self.x[0]:g}, {self.x[1]:g}]"


def _range(given: Any, name: str) -> tuple[float, float]:
    try:
        low, high = (float(each) for each in given)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not (np.isfinite([low, high]).all() and low < high):
        raise InvalidParameterError(
            f"JointDensity: {name} must be a pair (low, high) of finite numbers, got {given!r}."
        )
    return low, high
