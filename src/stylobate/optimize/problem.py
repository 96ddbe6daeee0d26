"""Problem: what is minimised, a smooth part and a simple part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.functions.smooth import Smooth
from stylobate.penalties import L1, L2, ElasticNet


@runtime_checkable
class SmoothPart(Protocol):
    """A function with a gradient; further facts (`lipschitz` …) are optional."""

    def value(self, x: Any) -> float: ...

    def gradient(self, x: Any) -> Array: ...


@runtime_checkable
class SimplePart(Protocol):
    """A penalty or a set: something with a proximal point."""

    def value(self, x: Any) -> Any: ...

    def prox(self, v: Any, step: float = 1.0) -> Array: ...


@dataclass(frozen=True, eq=False)
class Problem:
    r"""Minimise :math:`F(x) = f(x) + g(x)`, f smooth, g simple (a penalty or a constraint set).

    Parameters
    ----------
    smooth : function, `Smooth`, `Quadratic`, `EmpiricalRisk`, or anything with value and gradient
        f.
    simple : penalty of `stylobate.penalties`, or set of `stylobate.optimize`, optional
        g; a set means that x must stay in it.
    name : str, default=""
        For pictures and tables.

    Examples
    --------
    >>> from stylobate.optimize import L2Ball, Quadratic
    >>> problem = Problem(Quadratic(np.eye(2), [-3.0, -4.0]), L2Ball(1.0))
    >>> problem.value(np.array([0.6, 0.8])), problem.strong_convexity
    (-4.5, 1.0)
    """

    smooth: Any
    simple: Any = None
    name: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.smooth, SmoothPart):
            if not callable(self.smooth):
                raise InvalidParameterError(
                    f"Problem: smooth must be a function or have value and gradient, got "
                    f"{self.smooth!r}."
                )
            object.__setattr__(self, "smooth", Smooth(self.smooth))
        if self.simple is not None and not isinstance(self.simple, SimplePart):
            raise InvalidParameterError(
                f"Problem: simple must be a penalty or a convex set (something with value and "
                f"prox), got {self.simple!r}."
            )

    def value(self, x: Any) -> float:
        """F(x), infinite outside a set."""
        return float(self.smooth.value(x)) + self.simple_value(x)

    def simple_value(self, x: Any) -> float:
        """g(x)."""
        return 0.0 if self.simple is None else float(np.sum(self.simple.value(x)))

    def prox(self, v: Array, step: float) -> Array:
        """The point that minimises step·g(x) + ½‖x − v‖²."""
        if self.simple is None:
            return v
        nearest = np.asarray(self.simple.prox(v, step), dtype=np.float64)
        return nearest.reshape(v.shape)

    @property
    def lipschitz(self) -> float | None:
        """Of the smooth part's gradient, if it is known."""
        return getattr(self.smooth, "lipschitz", None)

    @property
    def strong_convexity(self) -> float:
        """Of the smooth part; 0 if none is known."""
        return float(getattr(self.smooth, "strong_convexity", 0.0) or 0.0)

    @property
    def convex(self) -> bool | None:
        """Whether both parts are known to be convex (True) or one is known not to be (False)."""
        smooth: bool | None = getattr(self.smooth, "convex", None)
        simple: bool | None = True if self.simple is None else getattr(self.simple, "convex", None)
        if smooth is False or simple is False:
            return False
        return True if smooth and simple else None

    @property
    def is_constrained(self) -> bool:
        """Whether the simple part is a set."""
        return hasattr(self.simple, "project")


def strengths(simple: Any) -> tuple[float, float] | None:
    """The factors of ‖x‖₁ and ½‖x‖² of a penalty; None where it is something else.

    Examples
    --------
    >>> from stylobate.penalties import L1, ElasticNet
    >>> strengths(L1(0.5)), strengths(ElasticNet(0.5, 2.0)), strengths(None)
    ((0.5, 0.0), (0.5, 2.0), (0.0, 0.0))
    """
    if simple is None:
        return 0.0, 0.0
    if type(simple) is L1:
        return float(simple.strength), 0.0
    if type(simple) is L2:
        return 0.0, float(simple.strength)
    if type(simple) is ElasticNet:
        return float(simple.l1), float(simple.l2)
    return None
