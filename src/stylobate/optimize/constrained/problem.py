"""A function with constraints, and its Lagrangian."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize.functions.smooth import Smooth

if TYPE_CHECKING:
    from stylobate.optimize.constrained.conditions import KKTConditions


class ConstrainedProblem:
    r"""Minimise f(x) subject to :math:`g_i(x) \le 0` and :math:`h_j(x) = 0`.

    Its Lagrangian puts a price on every constraint:

    .. math:: L(x, \lambda, \mu) = f(x) + \sum_i \lambda_i g_i(x) + \sum_j \mu_j h_j(x),
              \qquad \lambda_i \ge 0

    Parameters
    ----------
    function : callable, or anything with value and gradient
        f, of an array; smooth.
    inequalities : function or sequence of functions, default=()
        The g, each a number that must not be positive (for :math:`a(x) \le b` write a − b).
    equalities : function or sequence of functions, default=()
        The h, each a number that must be 0.

    Examples
    --------
    The point nearest to (2, 1) on the line x + y = 1:

    >>> problem = ConstrainedProblem(
    ...     lambda x: (x[0] - 2) ** 2 + (x[1] - 1) ** 2, equalities=lambda x: x[0] + x[1] - 1
    ... )
    >>> problem.lagrangian([1.0, 0.0], equalities=[2.0])
    2.0
    >>> problem.lagrangian_gradient([1.0, 0.0], equalities=[2.0]).round(9)
    array([0., 0.])
    >>> problem.conditions([1.0, 0.0]).equality_multipliers.round(6)
    array([2.])

    References
    ----------
    Boyd & Vandenberghe (2004), Convex Optimization, chapter 5.
    """

    def __init__(self, function: Any, inequalities: Any = (), equalities: Any = ()) -> None:
        self.smooth = _smooth(function, "function")
        self.inequalities = _functions(inequalities, "inequalities")
        self.equalities = _functions(equalities, "equalities")

    def value(self, x: Any) -> float:
        """f(x)."""
        return float(self.smooth.value(_point(x)))

    def gradient(self, x: Any) -> Array:
        """∇f(x)."""
        return np.asarray(self.smooth.gradient(_point(x)), dtype=np.float64)

    def constraint_values(self, x: Any) -> tuple[Array, Array]:
        """All g(x), and all h(x)."""
        point = _point(x)
        return tuple(  # type: ignore[return-value]
            np.array([_number(part, point) for part in parts], dtype=np.float64)
            for parts in (self.inequalities, self.equalities)
        )

    def constraint_gradients(self, x: Any) -> tuple[Array, Array]:
        """The gradients of all g and of all h at x, a row each."""
        point = _point(x)
        return tuple(  # type: ignore[return-value]
            np.array([part.gradient(point) for part in parts]).reshape(len(parts), len(point))
            for parts in (self.inequalities, self.equalities)
        )

    def lagrangian(self, x: Any, inequalities: Any = None, equalities: Any = None) -> float:
        """L(x, λ, μ).

        Parameters
        ----------
        x : array (n,)
            Where.
        inequalities : array (number of inequalities,), optional
            λ; 0 by default.
        equalities : array (number of equalities,), optional
            μ; 0 by default.
        """
        prices = self._multipliers(inequalities, equalities)
        values = self.constraint_values(x)
        return self.value(x) + sum(float(p @ v) for p, v in zip(prices, values, strict=True))

    def lagrangian_gradient(
        self, x: Any, inequalities: Any = None, equalities: Any = None
    ) -> Array:
        """The gradient of the Lagrangian in x, which is 0 at a solution with its multipliers.

        Parameters
        ----------
        x, inequalities, equalities
            As of `lagrangian`.
        """
        prices = self._multipliers(inequalities, equalities)
        slopes = self.constraint_gradients(x)
        return np.asarray(
            self.gradient(x) + sum(p @ s for p, s in zip(prices, slopes, strict=True))
        )

    def dual(self, start: Any, inequalities: Any = None, equalities: Any = None) -> float:
        r"""The dual function :math:`q(\lambda, \mu) = \inf_x L(x, \lambda, \mu)`.

        With λ ≥ 0 it is a lower bound of the smallest f; −inf where L falls without end. It is
        found by descent from a start, so that it is the infimum only where L is convex in x.

        Parameters
        ----------
        start : array (n,)
            Where to begin.
        inequalities, equalities
            As of `lagrangian`.
        """
        from stylobate.optimize.minimization import minimize

        prices = self._multipliers(inequalities, equalities)
        found = minimize(
            lambda x: self.lagrangian(x, *prices),
            start,
            gradient=lambda x: self.lagrangian_gradient(x, *prices),
        )
        return -np.inf if found.stopped_by == "unbounded" else found.value

    def conditions(self, x: Any, inequalities: Any = None, equalities: Any = None) -> KKTConditions:
        """The Karush–Kuhn–Tucker conditions at x.

        Parameters
        ----------
        x : array (n,)
            Where.
        inequalities, equalities : arrays, optional
            λ and μ; by default those that leave the least of the gradient.
        """
        from stylobate.optimize.constrained.conditions import conditions_at

        return conditions_at(self, _point(x), inequalities, equalities)

    def _multipliers(self, inequalities: Any, equalities: Any) -> tuple[Array, Array]:
        parts = (self.inequalities, self.equalities)
        given = ((inequalities, "inequalities"), (equalities, "equalities"))
        found = []
        for part, (values, name) in zip(parts, given, strict=True):
            prices = np.zeros(len(part)) if values is None else np.asarray(values, np.float64)
            if prices.shape != (len(part),):
                raise InvalidDataError(
                    f"ConstrainedProblem: {name} has multipliers of shape {prices.shape}; give "
                    f"one for each of the {len(part)} {name}."
                )
            found.append(prices)
        return found[0], found[1]


def _functions(given: Any, name: str) -> tuple[Any, ...]:
    several: Sequence[Any] = given if isinstance(given, list | tuple) else [given]
    return tuple(_smooth(each, name) for each in several)


def _smooth(given: Any, name: str) -> Any:
    if hasattr(given, "value") and hasattr(given, "gradient"):
        return given
    if not callable(given):
        raise InvalidParameterError(
            f"ConstrainedProblem: {name} must be functions of an array, got {given!r}."
        )
    function: Callable[[Any], Any] = given
    return Smooth(function)


def _point(x: Any) -> Array:
    point = np.atleast_1d(np.asarray(x, dtype=np.float64))
    if point.ndim != 1:
        raise InvalidDataError(f"ConstrainedProblem: x has shape {point.shape}; it is a vector.")
    return point


def _number(part: Any, point: Array) -> float:
    value = np.asarray(part.value(point), dtype=np.float64)
    if value.size != 1:
        raise InvalidDataError(
            f"ConstrainedProblem: a constraint returned an array of shape {value.shape}; it must "
            "return a number. Give one function for each constraint."
        )
    return float(value.reshape(()))
