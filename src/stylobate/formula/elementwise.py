"""NumPy's functions of single numbers as formulas, each missing where it has no finite value."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np

from stylobate.exceptions import FormulaError
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
    held,
)

Rule = Callable[[Expression], Expression]


def _log(base: float = 1.0, shift: float = 0.0) -> Rule:
    return lambda x: Linear((defined("log", Linear((x,), (1.0,), shift)),), (1.0 / base,))


def _exp(rate: float = 1.0, shift: float = 0.0) -> Rule:
    return lambda x: Linear((Function("exp", Linear((x,), (rate,))),), (1.0,), shift)


def _power(exponent: int) -> Rule:
    return lambda x: Product((x,) * exponent)


def _times(factor: float) -> Rule:
    return lambda x: Linear((x,), (factor,))


def _simple(name: str) -> Rule:
    return lambda x: Function(name, x)


def defined(name: str, of: Expression) -> Expression:
    """A function where its argument allows, else missing: databases look at every branch."""
    held = Named("argument", of)
    fits = Compare(">" if name == "log" else ">=", held, Constant(0.0))
    safe = Case(((fits, held),), Constant(1.0))
    return Case(((fits, Function(name, safe)),), Constant(None))


def _reciprocal(x: Expression) -> Expression:
    zero = Compare("=", x, Constant(0.0))
    below = Case(((zero, Constant(1.0)),), x)
    return Case(((zero, Constant(None)),), Ratio(Constant(1.0), below))


def _sign(x: Expression) -> Expression:
    sides = ((Missing(x), Constant(None)), (Compare(">", x, Constant(0.0)), Constant(1.0)))
    return Case((*sides, (Compare("<", x, Constant(0.0)), Constant(-1.0))), Constant(0.0))


RULES: dict[Any, Rule] = {
    np.log: _log(), np.log1p: _log(shift=1.0), np.log2: _log(log(2.0)), np.log10: _log(log(10.0)),
    np.exp: _exp(), np.expm1: _exp(shift=-1.0), np.exp2: _exp(log(2.0)),
    np.sqrt: lambda x: defined("sqrt", x), np.square: _power(2), np.abs: _simple("abs"),
    np.fabs: _simple("abs"), np.floor: _simple("floor"), np.sin: _simple("sin"),
    np.cos: _simple("cos"), np.negative: _times(-1.0), np.positive: _times(1.0),
    np.sign: _sign, np.reciprocal: _reciprocal, np.deg2rad: _times(np.pi / 180.0),
    np.radians: _times(np.pi / 180.0), np.rad2deg: _times(180.0 / np.pi),
    np.degrees: _times(180.0 / np.pi),
}  # fmt: skip


def logarithm(column: Expression, shift: float) -> Expression:
    """log(x + shift), missing where it is none."""
    return _log(shift=shift)(held(column))


def elementwise(owner: str, function: Any, arguments: Any, column: Expression) -> Expression:
    """A function of each number of a column; refused in a sentence where it has no formula."""
    if function is None:
        return column
    rule = RULES.get(function) if callable(function) else None
    if rule is None or arguments:
        known = ", ".join(f"numpy.{name}" for name in sorted({each.__name__ for each in RULES}))
        raise FormulaError(
            f"{owner}: {_name(function)}{' with arguments' if arguments else ''} has no formula in "
            f"SQL or ONNX; one of these without arguments has: {known}."
        )
    return rule(held(column))


def _name(function: Any) -> str:
    return f"the function {getattr(function, '__name__', repr(function))}"
