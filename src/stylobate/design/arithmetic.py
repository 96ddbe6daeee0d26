"""Numbers computed from columns: what `log(x)`, `I(x^2 + 1)` and their like mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.design.frame import Frame
from stylobate.design.syntax import Binary, Call, Name, Negative, Node, Number, written
from stylobate.exceptions import FormulaError
from stylobate.formula.expressions import (
    Constant,
    Expression,
    Function,
    Linear,
    Product,
    Ratio,
    held,
    number,
)

_FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "abs": np.abs,
    "cos": np.cos,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "sin": np.sin,
    "sqrt": np.sqrt,
}
# What R and patsy call otherwise.
_ELSEWHERE = {
    "factor": "; C(…) makes a factor of a column.",
    "Q": "; a name with spaces or signs stands in backticks, `like this`.",
}
FUNCTIONS = tuple(sorted([*_FUNCTIONS, "I", "C", "bs", "ns", "poly", "scale", "center", "offset"]))


def value_of(node: Node, frame: Frame) -> Array:
    """The numbers of a part of a formula, one per row.

    Examples
    --------
    >>> from stylobate.design.syntax import parse_expression
    >>> frame = Frame.of({"x": [1.0, 2.0]}, "model")
    >>> value_of(parse_expression("I(x^2 + 1)"), frame)
    array([2., 5.])
    """
    with np.errstate(all="ignore"):  # what is not finite is refused by row afterwards
        return _value(node, frame)


def _value(node: Node, frame: Frame) -> Array:
    if isinstance(node, Name):
        return frame.numbers(node.name)
    if isinstance(node, Number):
        return np.full(frame.n_rows, node.value)
    if isinstance(node, Negative):
        return -_value(node.of, frame)
    if isinstance(node, Binary):
        left, right = _value(node.left, frame), _value(node.right, frame)
        return _SIGNS[_arithmetic_sign(node)](left, right)
    if isinstance(node, Call):
        inner = _value(_argument(node), frame)
        return inner if node.function == "I" else _FUNCTIONS[node.function](inner)
    raise FormulaError(f"{written(node)} is no number computed from columns.")


def _power(left: Array, right: Array) -> Array:
    return np.asarray(np.power(left, right))


_SIGNS: dict[str, Callable[[Array, Array], Array]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": _power,
}


def _arithmetic_sign(node: Binary) -> str:
    if node.sign not in _SIGNS:
        raise FormulaError(
            f"{written(node)}: {node.sign!r} stands between terms, not inside of a function."
        )
    return node.sign


def _argument(node: Call) -> Node:
    if node.function not in _FUNCTIONS and node.function != "I":
        from difflib import get_close_matches

        close = get_close_matches(node.function, FUNCTIONS, 1)
        meant = f"; did you mean {close[0]}?" if close else f"; there are {', '.join(FUNCTIONS)}."
        meant = _ELSEWHERE.get(node.function, meant)
        raise FormulaError(f"There is no function {node.function!r} in formulas{meant}")
    if len(node.arguments) != 1 or node.named:
        raise FormulaError(f"{node.function} takes one expression, got {written(node)}.")
    return node.arguments[0]


def expression_of(node: Node, columns: dict[str, Expression]) -> Expression:
    """The same as a formula from which SQL and ONNX are written."""
    if isinstance(node, Name):
        return number(columns[node.name])
    if isinstance(node, Number):
        return Constant(node.value)
    if isinstance(node, Negative):
        return Linear((expression_of(node.of, columns),), (-1.0,))
    if isinstance(node, Binary):
        left, right = expression_of(node.left, columns), expression_of(node.right, columns)
        return _combined(_arithmetic_sign(node), left, right, node)
    if isinstance(node, Call):
        inner = expression_of(_argument(node), columns)
        return _called(node.function, inner)
    raise FormulaError(f"{written(node)} is no number computed from columns.")


def _combined(sign: str, left: Expression, right: Expression, node: Binary) -> Expression:
    if sign in "+-":
        return Linear((left, right), (1.0, 1.0 if sign == "+" else -1.0))
    if sign == "*":
        return Product((left, right))
    if sign == "/":
        return Ratio(left, right)
    power: Any = right.value if isinstance(right, Constant) else None
    if power in range(1, 21):
        base = held(left)
        return Product((base,) * int(power))
    if power == 0.5:
        return Function("sqrt", left)
    raise FormulaError(f"{written(node)}: only whole powers from 1 to 20 have a form in SQL.")


def _called(function: str, inner: Expression) -> Expression:
    if function == "I":
        return inner
    if function in ("log2", "log10"):
        base = np.log(2.0 if function == "log2" else 10.0)
        return Ratio(Function("log", inner), Constant(float(base)))
    if function == "log1p":
        return Function("log", Linear((inner,), (1.0,), 1.0))
    if function == "expm1":
        return Linear((Function("exp", inner),), (1.0,), -1.0)
    return Function(function, inner)
