"""ℓ1, ℓ2 and their sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stylobate.penalties.penalty import Penalty, require_at_least


@dataclass(frozen=True, slots=True)
class L1(Penalty):
    r""":math:`\lambda |w|`: sets coefficients to zero.

    Parameters
    ----------
    strength : float in [0, inf), default=1.0
        λ.

    Examples
    --------
    >>> L1(1.0).prox([3.0, -0.5, -2.0])
    array([ 2.,  0., -1.])
    """

    strength: float = 1.0
    name: ClassVar[str] = "l1"
    strengths: ClassVar[tuple[str, ...]] = ("strength",)

    def __post_init__(self) -> None:
        require_at_least(type(self).__name__, "strength", self.strength, 0.0, strict=False)

    @property
    def kink(self) -> float:
        return float(self.strength)

    def _parameters(self) -> tuple[float, float]:
        return self.strength, 0.0


@dataclass(frozen=True, slots=True)
class L2(L1):
    r""":math:`\tfrac12 \lambda w^2`: shrinks coefficients.

    Parameters
    ----------
    strength : float in [0, inf), default=1.0
        λ.

    Examples
    --------
    >>> float(L2(3.0).prox(4.0))
    1.0
    """

    name: ClassVar[str] = "l2"

    @property
    def kink(self) -> float:
        return 0.0


@dataclass(frozen=True, slots=True)
class ElasticNet(Penalty):
    r""":math:`\lambda_1 |w| + \tfrac12 \lambda_2 w^2`.

    Parameters
    ----------
    l1, l2 : float in [0, inf), default=1.0
        λ₁ and λ₂.

    Examples
    --------
    >>> float(ElasticNet(l1=1.0, l2=1.0).prox(3.0))
    1.0

    References
    ----------
    Zou & Hastie (2005), Regularization and variable selection via the elastic net, JRSS B 67.
    """

    l1: float = 1.0
    l2: float = 1.0
    name: ClassVar[str] = "elastic_net"
    strengths: ClassVar[tuple[str, ...]] = ("l1", "l2")

    def __post_init__(self) -> None:
        require_at_least("ElasticNet", "l1", self.l1, 0.0, strict=False)
        require_at_least("ElasticNet", "l2", self.l2, 0.0, strict=False)

    @property
    def kink(self) -> float:
        return float(self.l1)

    def _parameters(self) -> tuple[float, float]:
        return self.l1, self.l2
