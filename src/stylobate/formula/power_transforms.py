"""Powers that bend columns, as formulas."""

from __future__ import annotations

from stylobate.formula.elementwise import defined
from stylobate.formula.expressions import (
    Case,
    Compare,
    Constant,
    Expression,
    Function,
    Linear,
    Missing,
    Named,
    held,
    number,
)


def box_cox(column: Expression, power: float) -> Expression:
    """(x^λ − 1) / λ, the logarithm for λ = 0; missing for what is not positive."""
    return _bent(defined("log", number(column)), power)


def yeo_johnson(column: Expression, power: float) -> Expression:
    """Box–Cox of 1 + x; for negative x minus that of 1 − x with the power 2 − λ."""
    x = held(column)
    size = Named("size", Linear((Function("abs", x),), (1.0,), 1.0))
    log = Named("log", Function("log", size))
    below = Linear((_bent(log, 2.0 - power),), (-1.0,))
    known = ((Missing(x), Constant(None)), (Compare("<", x, Constant(0.0)), below))
    return Case(known, _bent(log, power))


def _bent(log: Expression, power: float) -> Expression:
    """(exp(λ log) − 1) / λ."""
    if power == 0.0:
        return log
    return Linear((Function("exp", Linear((log,), (power,))),), (1.0 / power,), -1.0 / power)
