"""What R and patsy write otherwise, in this grammar's own words.

`factor(x)` and `as.factor(x)` are `C(x)`, `ordered(x)` is `C(x, Poly)`, `relevel(x, ref = "b")` is
`C(x, Treatment('b'))`, `c(1, 2)` is `[1, 2]`, `log(x, 2)` is `log2(x)`, `np.log(x)` is `log(x)` and
`Q("a b")` is the column `a b`. So a factor has one name however it is spelt.
"""

from __future__ import annotations

from dataclasses import replace

from stylobate.design.syntax import (
    Binary,
    Call,
    Items,
    Name,
    Negative,
    Node,
    Number,
    Sides,
    Text,
    written,
)
from stylobate.exceptions import FormulaError

_FACTORS = {"factor": None, "as.factor": None, "ordered": "Poly", "as.ordered": "Poly"}
_PREFIXES = ("np.", "numpy.")


def canonical_sides(sides: Sides) -> Sides:
    """Both sides of a formula in the grammar's own words."""
    left = None if sides.left is None else canonical(sides.left)
    return replace(sides, left=left, right=canonical(sides.right))


def canonical(node: Node) -> Node:
    """A part of a formula in the grammar's own words.

    Examples
    --------
    >>> from stylobate.design.syntax import parse_expression
    >>> written(canonical(parse_expression("relevel(factor(cyl), ref = 8)")))
    "C(cyl, Treatment('8'))"
    >>> written(canonical(parse_expression("bs(log(x, 2), knots = c(1, 2))")))
    'bs(log2(x), knots=[1, 2])'
    """
    if isinstance(node, Binary):
        return replace(node, left=canonical(node.left), right=canonical(node.right))
    if isinstance(node, Negative):
        return replace(node, of=canonical(node.of))
    if isinstance(node, Items):
        return Items(tuple(map(canonical, node.values)))
    if not isinstance(node, Call):
        return node
    function = node.function
    for prefix in _PREFIXES:
        function = function.removeprefix(prefix)
    arguments = tuple(map(canonical, node.arguments))
    named = tuple((name, canonical(value)) for name, value in node.named)
    return _translated(Call(function, arguments, named))


def _translated(node: Call) -> Node:
    function, named = node.function, dict(node.named)
    if function in _FACTORS:
        return _factor(node, named)
    if function == "relevel":
        return _relevelled(node, named)
    if function == "c" and not named:
        return Items(node.arguments)
    if function == "Q" and len(node.arguments) == 1 and isinstance(node.arguments[0], Text):
        return Name(node.arguments[0].value)
    if function == "as.numeric" and len(node.arguments) == 1 and not named:
        return Call("I", node.arguments)
    if function == "log":
        return _logarithm(node, named)
    return node


def _factor(node: Call, named: dict[str, Node]) -> Node:
    levels = named.pop("levels", node.arguments[1] if len(node.arguments) == 2 else None)
    if named or not 1 <= len(node.arguments) <= 2:
        raise FormulaError(
            f"{written(node)}: {node.function} takes a column and levels=[…]; rename labels in the "
            "table."
        )
    kind = _FACTORS[node.function]
    contrast = () if kind is None else (Name(kind),)
    order = () if levels is None else (("levels", levels),)
    return Call("C", (node.arguments[0], *contrast), order)


def _relevelled(node: Call, named: dict[str, Node]) -> Node:
    reference = named.pop("ref", node.arguments[1] if len(node.arguments) == 2 else None)
    if named or reference is None or not 1 <= len(node.arguments) <= 2:
        raise FormulaError(
            f"{written(node)}: relevel takes a factor and ref=, as in relevel(city, ref='Oslo')."
        )
    level = Text(written(reference)) if isinstance(reference, Number) else reference
    inner, treatment = node.arguments[0], Call("Treatment", (level,))
    if isinstance(inner, Call) and inner.function == "C":
        return Call("C", (inner.arguments[0], treatment), inner.named)
    return Call("C", (inner, treatment))


def _logarithm(node: Call, named: dict[str, Node]) -> Node:
    base = named.pop("base", node.arguments[1] if len(node.arguments) == 2 else None)
    if base is None or named or not 1 <= len(node.arguments) <= 2:
        return node
    if isinstance(base, Number) and base.value in (2.0, 10.0):
        return Call(f"log{int(base.value)}", node.arguments[:1])
    return Call("I", (Binary("/", Call("log", node.arguments[:1]), Call("log", (base,))),))
