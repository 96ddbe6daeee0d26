"""Formulas as values: columns, constants and what is computed from them, in no language yet.

A value may be missing (SQL's NULL, ONNX's NaN); what is computed from it is then missing as well,
except where `Case`, `Lookup` and `Filled` say otherwise. Conditions are true or false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from stylobate.exceptions import FormulaError

Operator = Literal["=", "<", "<=", ">", ">="]
FUNCTIONS = ("exp", "log", "abs", "sqrt", "floor", "sin", "cos", "asin")


class Expression:
    """Root of all formulas; two are the same if they are one object."""

    def parts(self) -> Iterator[Expression]:
        """The expressions it is made of."""
        for each in fields(self):  # type: ignore[arg-type]
            yield from _expressions_in(getattr(self, each.name))


def _expressions_in(value: Any) -> Iterator[Expression]:
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _expressions_in(each)


@dataclass(frozen=True, eq=False)
class Column(Expression):
    """A column of the table: a number, text, truth value … as its kind says; "any" until used.

    `absent` lists texts (without spaces around them, in small letters unless they are `exact`) that
    stand for missing values; `trims` says whether spaces around other texts count. A moment is read
    as seconds since 1970; `form` tells how it is written where it is a text. An amount is a text
    that reads as a number by the pattern `form`; `comma` says whether its decimals follow a comma.
    A whole number is one that a double may not hold.
    """

    name: str
    kind: Literal["any", "number", "whole", "text", "truth", "moment", "amount"] = "any"
    place: int = 0
    absent: tuple[str, ...] = ()
    trims: bool = True
    form: str | None = None
    comma: bool = False
    exact: bool = False

    @property
    def reading(self) -> tuple[Any, ...]:
        """What tells two ways to read columns apart."""
        return (
            self.name, self.kind, self.absent, self.trims, self.form, self.comma, self.exact
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Constant(Expression):
    """A number, a text, a truth value, or None: missing."""

    value: float | int | str | bool | None


@dataclass(frozen=True, eq=False)
class Linear(Expression):
    """Σ weightⱼ · termⱼ + constant."""

    terms: tuple[Expression, ...]
    weights: tuple[float, ...]
    constant: float = 0.0


@dataclass(frozen=True, eq=False)
class Product(Expression):
    """The product of the factors."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Ratio(Expression):
    """Above divided by below."""

    above: Expression
    below: Expression


@dataclass(frozen=True, eq=False)
class Function(Expression):
    """One of `FUNCTIONS` of a number."""

    name: str
    of: Expression


@dataclass(frozen=True, eq=False)
class Extreme(Expression):
    """The largest or smallest of some numbers."""

    largest: bool
    among: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Compare(Expression):
    """A condition on two values; false where one is missing."""

    operator: Operator
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Missing(Expression):
    """The condition that a value is missing."""

    of: Expression


@dataclass(frozen=True, eq=False)
class Either(Expression):
    """The condition that one of some conditions holds."""

    conditions: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Case(Expression):
    """The value of the first condition that holds, else the last."""

    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression


@dataclass(frozen=True, eq=False)
class Filled(Expression):
    """A value, or a constant where it is missing."""

    of: Expression
    value: float | str


@dataclass(frozen=True, eq=False)
class Lookup(Expression):
    """A number for each known value; others get `default`, missing ones `missing` (None: missing).

    `keys` are all texts, all numbers or all truth values.
    """

    of: Expression
    keys: tuple[Any, ...]
    values: tuple[float | None, ...]
    default: float | None = None
    missing: float | None = None


@dataclass(frozen=True, eq=False)
class Choice(Expression):
    """The label of the highest score, the first one of equals."""

    scores: tuple[Expression, ...]
    labels: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class TreeValue(Expression):
    """The number of the leaf a row falls into; writers ask `whole` for the tree as cases.

    Parameters
    ----------
    tree : Tree
        A flat tree.
    inputs : TreeInputs
        The columns it splits.
    values : tuple of float
        The number of every node, of which those of leaves count.
    """

    tree: Any
    inputs: Any
    values: tuple[float, ...]

    @cached_property
    def whole(self) -> Expression:
        """The tree as cases within cases."""
        from stylobate.formula.trees import nested

        return nested(self.tree, self.inputs, self.values)

    def parts(self) -> Iterator[Expression]:
        """The columns it may split; the cases themselves are made when asked for."""
        yield from self.inputs.read


@dataclass(frozen=True, eq=False)
class Named(Expression):
    """A value that is used more than once and computed once."""

    hint: str
    of: Expression


@dataclass(frozen=True, eq=False)
class Answer:
    """What a model says of a row.

    Parameters
    ----------
    predictions : tuple of Expression
        One for each target.
    probabilities : tuple of Expression
        One for each class; empty where the model gives none.
    classes : tuple
        The labels.
    """

    predictions: tuple[Expression, ...]
    probabilities: tuple[Expression, ...] = ()
    classes: tuple[Any, ...] = ()


def plain(value: Any) -> Any:
    """A label or category as Python's own value."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str | bool | int | float):
        return value
    raise FormulaError(
        f"{value!r} (a {type(value).__name__}) has no form in SQL or ONNX; labels and categories "
        "must be texts, numbers or truth values."
    )


def is_missing(value: Any) -> bool:
    """Whether a category stands for missing values."""
    return value is None or bool(value != value)


def number(expression: Expression) -> Expression:
    """The expression as a number: a column is read as one."""
    return _read_as(expression, "number")


def held(expression: Expression, hint: str = "value") -> Expression:
    """The expression as a number that is computed once: a column is there as it is."""
    value = number(expression)
    return value if isinstance(value, Column | Named) else Named(hint, value)


def _read_as(expression: Expression, kind: Any) -> Expression:
    if isinstance(expression, Column):
        if expression.kind not in ("any", kind):
            raise FormulaError(
                f"Column {expression.name!r} is read both as {expression.kind} and as {kind}."
            )
        return replace(expression, kind=kind)
    return expression


def moment(expression: Expression, form: str | None = None) -> Expression:
    """A column of dates as seconds since 1970; `form` says how texts are written."""
    if not isinstance(expression, Column):
        raise FormulaError("Dates that are the result of another step have no formula.")
    return replace(_read_as(expression, "moment"), form=form)  # type: ignore[type-var]


def amount(expression: Expression, pattern: str, *, comma: bool) -> Expression:
    """A column of texts as the numbers they read as by a pattern."""
    if not isinstance(expression, Column):
        raise FormulaError("Amounts that are the result of another step have no formula.")
    return replace(_read_as(expression, "amount"), form=pattern, comma=comma)  # type: ignore[type-var]


def read_like(expression: Expression, example: Any) -> Expression:
    """The expression read as values of the kind of an example."""
    return _read_as(expression, _kind_of(example))


def known_number(value: Any) -> float | None:
    """A number, None for NaN."""
    return None if is_missing(value) else float(value)


def lookup(
    of: Expression,
    known: Sequence[tuple[Any, float | None]],
    default: float | None = None,
    missing: float | None = None,
) -> Expression:
    """Numbers for categories; the kind of the column follows from the kind of the categories.

    A category that is NaN or None is that of missing values.
    """
    for key, value in known:
        if is_missing(key):
            missing = value
    pairs = [(plain(key), value) for key, value in known if not is_missing(key)]
    kinds = {_kind_of(key) for key, _ in pairs}
    if len(kinds) > 1:
        raise FormulaError(
            "A column mixes texts and numbers among its categories, which no column of a "
            "database does."
        )
    kind = kinds.pop() if kinds else "any"
    if kind == "number" and any(_is_beyond_doubles(key) for key, _ in pairs):
        kind = "whole"
    read = _read_as(of, kind) if pairs else of
    keys, values = tuple(key for key, _ in pairs), tuple(value for _, value in pairs)
    return Lookup(read, keys, values, default, missing)


_LARGEST = 2**53  # doubles hold every whole number up to here


def _is_beyond_doubles(key: Any) -> bool:
    if isinstance(key, int) and abs(key) >= 2**63:
        raise FormulaError(f"The whole number {key} has more digits than databases' own have.")
    return isinstance(key, int) and abs(key) > _LARGEST


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    return "text" if isinstance(value, str) else "number"
