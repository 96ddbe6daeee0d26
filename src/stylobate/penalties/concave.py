"""Penalties that select like ℓ1 but leave large coefficients alone. They are not convex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stylobate.penalties.penalty import Penalty, require_at_least


@dataclass(frozen=True, slots=True)
class MCP(Penalty):
    r"""The minimax concave penalty: like λ|w| near zero, constant far out.

    .. math:: \lambda|w| - \frac{w^2}{2\gamma} \text{ for } |w| \le \gamma\lambda, \quad
        \tfrac12\gamma\lambda^2 \text{ beyond}

    Parameters
    ----------
    strength : float in [0, inf), default=1.0
        λ.
    concavity : float in (0, inf), default=3.0
        γ; the larger, the closer to ℓ1.

    Examples
    --------
    >>> MCP(1.0, 3.0).prox([0.5, 2.0, 4.0])
    array([0. , 1.5, 4. ])

    References
    ----------
    Zhang (2010), Nearly unbiased variable selection under minimax concave penalty, Annals of
    Statistics 38.
    """

    strength: float = 1.0
    concavity: float = 3.0
    name: ClassVar[str] = "mcp"
    convex: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require_at_least("MCP", "strength", self.strength, 0.0, strict=False)
        require_at_least("MCP", "concavity", self.concavity, 0.0, strict=True)

    def _parameters(self) -> tuple[float, float]:
        return self.strength, self.concavity


@dataclass(frozen=True, slots=True)
class SCAD(Penalty):
    r"""The smoothly clipped absolute deviation: slope λ up to |w| = λ, falling to 0 at |w| = aλ.

    Parameters
    ----------
    strength : float in [0, inf), default=1.0
        λ.
    concavity : float in (1, inf), default=3.7
        a.

    Examples
    --------
    >>> SCAD(1.0, 3.0).prox([1.5, 2.5, 4.0])
    array([0.5, 2. , 4. ])

    References
    ----------
    Fan & Li (2001), Variable selection via nonconcave penalized likelihood and its oracle
    properties, JASA 96.
    """

    strength: float = 1.0
    concavity: float = 3.7
    name: ClassVar[str] = "scad"
    convex: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require_at_least("SCAD", "strength", self.strength, 0.0, strict=False)
        require_at_least("SCAD", "concavity", self.concavity, 1.0, strict=True)

    def _parameters(self) -> tuple[float, float]:
        return self.strength, self.concavity
