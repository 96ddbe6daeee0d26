"""Numbers computed from columns: what `log(x)`, `I(x^2 + 1)` and their like mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.design.frame import Frame
from stylobate.design.syntax import (
    COMPARISONS,
    Binary,
    Call,
    Name,
    Negative,
    Node,
    Number,
    Text,
    written,
)
from stylobate.exceptions import FormulaError
from stylobate.formula.expressions import (
    Case,
    Compare,
    Constant,
    Expression,
    Extreme,
    Function,
    Linear,
    Lookup,
    Missing,
    Product,
    Ratio,
    held,
    number,
    read_like,
)

_FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "abs": np.abs,
    "ceiling": np.ceil,
    "cos": np.cos,
    "exp": np.exp,
    "expm1": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "sin": np.sin,
    "sqrt": np.sqrt,
}
# Of several numbers.
_SEVERAL = {"ifelse": "a condition and two numbers", "pmax": "numbers", "pmin": "numbers"}
# What R has and a formula here has not, and what to do instead.
_ELSEWHERE = {
    "cut": "; make a column of classes in the table, with pandas.cut or the like.",
    "interaction": "; the interaction of a and b is written a:b.",
    "lag": "; make a column of the values before in the table.",
    "lo": "; curves are bs(x, df=5), ns(x, df=4) and poly(x, 2).",
    "s": "; curves are bs(x, df=5), ns(x, df=4) and poly(x, 2).",
    "te": "; surfaces are products of curves, ns(x, df=3):ns(z, df=3).",
}
FUNCTIONS = tuple(
    sorted([*_FUNCTIONS, *_SEVERAL, "I", "C", "bs", "ns", "poly", "scale", "center", "offset"])
)


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
    if isinstance(node, Binary) and node.sign in COMPARISONS:
        return _compared(node, frame)
    if isinstance(node, Binary):
        left, right = _value(node.left, frame), _value(node.right, frame)
        return _SIGNS[_arithmetic_sign(node)](left, right)
    if isinstance(node, Call) and node.function in _SEVERAL:
        return _of_several(node, [_value(each, frame) for each in _arguments(node)])
    if isinstance(node, Call):
        inner = _value(_argument(node), frame)
        return inner if node.function == "I" else _FUNCTIONS[node.function](inner)
    raise FormulaError(f"{written(node)} is no number computed from columns.")


def _compared(node: Binary, frame: Frame) -> Array:
    """1 where it holds, 0 where not, NaN where a side is missing; a text is one of the labels."""
    label = _label_comparison(node)
    if label is not None:
        column, text = label
        gone = frame.missing(column)
        found = (frame.labels(column) == text) != (node.sign == "!=")
        return np.where(gone, np.nan, found.astype(np.float64))
    left, right = _value(node.left, frame), _value(node.right, frame)
    found = _COMPARED[node.sign](left, right)
    return np.where(np.isnan(left) | np.isnan(right), np.nan, found.astype(np.float64))


def _label_comparison(node: Binary) -> tuple[str, str] | None:
    """Column and label of `city == "Oslo"`."""
    sides = (node.left, node.right)
    texts = [each for each in sides if isinstance(each, Text)]
    if not texts:
        return None
    names = [each for each in sides if isinstance(each, Name)]
    if node.sign not in ("==", "!=") or not names:
        raise FormulaError(
            f"{written(node)}: a text is compared with a column by == or !=, as in city == 'Oslo'."
        )
    return names[0].name, texts[0].value


def _of_several(node: Call, values: list[Array]) -> Array:
    if node.function == "ifelse":
        condition, yes, no = values
        return np.where(np.isnan(condition), np.nan, np.where(condition != 0, yes, no))
    choose = np.maximum if node.function == "pmax" else np.minimum
    found = values[0]
    for each in values[1:]:
        found = choose(found, each)
    return found


def _arguments(node: Call) -> tuple[Node, ...]:
    right = len(node.arguments) == 3 if node.function == "ifelse" else len(node.arguments) > 1
    if not right or node.named:
        raise FormulaError(f"{node.function} takes {_SEVERAL[node.function]}, got {written(node)}.")
    return node.arguments


def _power(left: Array, right: Array) -> Array:
    return np.asarray(np.power(left, right))


_SIGNS: dict[str, Callable[[Array, Array], Array]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": _power,
    "%%": np.mod,
}
_COMPARED: dict[str, Callable[[Array, Array], Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
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
    if isinstance(node, Binary) and node.sign in COMPARISONS:
        return _comparison(node, columns)
    if isinstance(node, Binary):
        left, right = expression_of(node.left, columns), expression_of(node.right, columns)
        return _combined(_arithmetic_sign(node), left, right, node)
    if isinstance(node, Call) and node.function in _SEVERAL:
        return _chosen(node, [held(expression_of(each, columns)) for each in _arguments(node)])
    if isinstance(node, Call):
        inner = expression_of(_argument(node), columns)
        return _called(node.function, inner)
    raise FormulaError(f"{written(node)} is no number computed from columns.")


def _comparison(node: Binary, columns: dict[str, Expression]) -> Expression:
    label = _label_comparison(node)
    if label is not None:
        column, text = label
        same, other = (0.0, 1.0) if node.sign == "!=" else (1.0, 0.0)
        return Lookup(read_like(columns[column], text), (text,), (same,), other)
    left, right = (held(expression_of(each, columns)) for each in (node.left, node.right))
    operator: Any = {"==": "=", "!=": "="}.get(node.sign, node.sign)
    holds, fails = (0.0, 1.0) if node.sign == "!=" else (1.0, 0.0)
    gone = ((Missing(each), Constant(None)) for each in (left, right))
    found = (Compare(operator, left, right), Constant(holds))
    return Case((*gone, found), Constant(fails))


def _chosen(node: Call, parts: list[Expression]) -> Expression:
    gone = tuple((Missing(each), Constant(None)) for each in parts)
    if node.function == "ifelse":
        condition, yes, no = parts
        zero = Compare("=", condition, Constant(0.0))
        return Case((gone[0], (zero, no)), yes)
    return Case(gone, Extreme(node.function == "pmax", tuple(parts)))


def _combined(sign: str, left: Expression, right: Expression, node: Binary) -> Expression:
    if sign in "+-":
        return Linear((left, right), (1.0, 1.0 if sign == "+" else -1.0))
    if sign == "*":
        return Product((left, right))
    if sign == "/":
        return Ratio(left, right)
    if sign == "%%":
        left, right = held(left), held(right)
        whole = Function("floor", Ratio(left, right))
        return Linear((left, Product((whole, right))), (1.0, -1.0))
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
    if function == "ceiling":
        return Linear((Function("floor", Linear((inner,), (-1.0,))),), (-1.0,))
    if function in ("log2", "log10"):
        base = np.log(2.0 if function == "log2" else 10.0)
        return Ratio(Function("log", inner), Constant(float(base)))
    if function == "log1p":
        return Function("log", Linear((inner,), (1.0,), 1.0))
    if function == "expm1":
        return Linear((Function("exp", inner),), (1.0,), -1.0)
    return Function(function, inner)
