"""Penalties that select like ℓ1 but leave large coefficients alone. They are not convex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stylobate.penalties.penalty import Penalty, require_at_least


@dataclass(frozen=True, slots=True)
class ConcavePenalty(Penalty):
    """What they share: a strength λ, the slope at zero, and a concavity."""

    strength: float = 1.0
    concavity: float = 3.0
    convex: ClassVar[bool] = False
    strengths: ClassVar[tuple[str, ...]] = ("strength",)
    least_concavity: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        owner = type(self).__name__
        require_at_least(owner, "strength", self.strength, 0.0, strict=False)
        require_at_least(owner, "concavity", self.concavity, self.least_concavity, strict=True)

    @property
    def kink(self) -> float:
        return float(self.strength)

    def _parameters(self) -> tuple[float, float]:
        return self.strength, self.concavity


@dataclass(frozen=True, slots=True)
class MCP(ConcavePenalty):
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

    name: ClassVar[str] = "mcp"


@dataclass(frozen=True, slots=True)
class SCAD(ConcavePenalty):
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

    concavity: float = 3.7
    name: ClassVar[str] = "scad"
    least_concavity: ClassVar[float] = 1.0
