"""What a penalty is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from stylobate.exceptions import InvalidParameterError


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty of each coefficient by itself; all functions work entry by entry.

    They are computed in the compiled core, by the same code the solvers use.
    """

    name: ClassVar[str]  # in the compiled core
    convex: ClassVar[bool] = True
    strengths: ClassVar[tuple[str, ...]] = ()  # fields that say how strong it is

    def _parameters(self) -> tuple[float, float]:
        raise NotImplementedError

    @property
    def core(self) -> tuple[str, float, float]:
        """Name and numbers, as the compiled core takes them."""
        return (self.name, *self._parameters())

    @property
    def kink(self) -> float:
        """The slope just above zero: a coefficient whose loss is less steep stays at zero."""
        return 0.0

    def scaled(self, factor: float) -> Self:
        """The penalty with its strengths multiplied; where it turns concave moves along.

        >>> from stylobate.penalties import MCP
        >>> MCP(2.0, 3.0).scaled(0.5)
        MCP(strength=1.0, concavity=3.0)
        """
        return replace(self, **{name: factor * getattr(self, name) for name in self.strengths})

    def _call(self, what: str, w: Any, t: float = 1.0) -> Any:
        from stylobate import _core

        points = np.ascontiguousarray(w, dtype=np.float64)
        out = _core.penalty(*self.core, what, points.reshape(-1), t)
        return out.reshape(np.shape(w))[()]

    def value(self, w: Any) -> Any:
        """The penalty of each entry; infinite outside a constraint."""
        return self._call("value", w)

    def gradient(self, w: Any) -> Any:
        """The derivative; the smallest subgradient at a kink."""
        return self._call("gradient", w)

    def curvature(self, w: Any) -> Any:
        """The second derivative of the smooth pieces."""
        return self._call("curvature", w)

    def conjugate(self, u: Any) -> Any:
        """Sup over w of uw − penalty(w)."""
        return self._call("conjugate", u)

    def prox(self, v: Any, step: float = 1.0) -> Any:
        """The w that minimises step·penalty(w) + ½(w − v)².

        Parameters
        ----------
        v : float or array
            The point to stay near.
        step : float in (0, inf), default=1.0
            Weight of the penalty.
        """
        if not 0.0 < step < np.inf:
            raise InvalidParameterError(
                f"{type(self).__name__}: step must be a number in (0, inf), got {step!r}."
            )
        return self._call("prox", v, step)


def require_at_least(owner: str, name: str, value: float, least: float, *, strict: bool) -> None:
    """Refuse a parameter below its range."""
    if not (value > least if strict else value >= least):
        bracket = "(" if strict else "["
        raise InvalidParameterError(
            f"{owner}: {name} must be a number in {bracket}{least:g}, inf), got {value!r}."
        )
