"""The language of model formulas: text to a tree, without evaluating anything.

A formula is data and may come from a file of a stranger, so it is parsed by a grammar of its own;
Python never sees it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from stylobate.exceptions import FormulaError

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?:[^\W\d][\w.]*:::?)?(?P<name>[^\W\d][\w.]*)"
    r"|`(?P<quoted>[^`]+)`"
    r"|(?P<text>'[^']*'|\"[^\"]*\")"
    r"|(?P<sign>%in%|%%|\*\*|[<>=!]=|[-~+:*/^(),=.\[\]<>|]))"
)
_DEPTH = 50  # brackets within brackets; a formula has a few


@dataclass(frozen=True)
class Node:
    """Root of all parts of a formula."""


@dataclass(frozen=True)
class Name(Node):
    """A column."""

    name: str


@dataclass(frozen=True)
class Number(Node):
    """A number."""

    value: float


@dataclass(frozen=True)
class Text(Node):
    """A text in quotation marks."""

    value: str


@dataclass(frozen=True)
class Items(Node):
    """A list in square brackets."""

    values: tuple[Node, ...]


@dataclass(frozen=True)
class Binary(Node):
    """Two parts and what stands between them."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Negative(Node):
    """A part with a minus before it."""

    of: Node


@dataclass(frozen=True)
class Call(Node):
    """A function with its arguments."""

    function: str
    arguments: tuple[Node, ...]
    named: tuple[tuple[str, Node], ...] = field(default=())


@dataclass(frozen=True)
class Sides(Node):
    """A whole formula: what is explained (None: nothing), by what, and what is absorbed beside."""

    left: Node | None
    right: Node
    absorbed: Node | None = None


def parse(formula: str) -> Sides:
    """The tree of a formula.

    Examples
    --------
    >>> parse("y ~ x").right
    Name(name='x')
    """
    if not isinstance(formula, str):
        raise FormulaError(
            f"A formula is a text such as 'y ~ x + C(city)', got a {type(formula).__name__}."
        )
    parser = _Parser(formula)
    left = None if parser.peek() == "~" else parser.expression(0)
    if parser.peek() != "~":
        parser.refuse("a formula says 'target ~ terms', and this one has no '~'")
    parser.take()
    right = parser.expression(0)
    absorbed = None
    if parser.peek() == "|":
        parser.take()
        absorbed = parser.expression(0)
    if parser.peek():
        parser.refuse_rest()
    return Sides(left, right, absorbed)


def parse_expression(text: str) -> Node:
    """The tree of one side of a formula.

    Examples
    --------
    >>> parse_expression("log(x)")
    Call(function='log', arguments=(Name(name='x'),), named=())
    """
    parser = _Parser(text)
    found = parser.expression(0)
    if parser.peek():
        parser.refuse_rest()
    return found


COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
_BINDING = {
    **dict.fromkeys(COMPARISONS, 0),
    "+": 1, "-": 1, "*": 2, "/": 2, "%in%": 3, "%%": 3, ":": 4, "^": 6, "**": 6,
}  # fmt: skip


class _Parser:
    """Precedence climbing over tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []
        self.at, self.depth = 0, 0
        place = 0
        while place < len(text.rstrip()):
            found = _TOKEN.match(text, place)
            if found is None or found.lastgroup is None:
                sign = text[place:].strip()[:1]
                self._refuse_at(place, f"{sign!r} has no meaning in a formula")
            value = found.group(found.lastgroup)
            self.tokens.append((found.lastgroup, value, found.start(found.lastgroup)))
            place = found.end()

    def _refuse_at(self, place: int, reason: str) -> NoReturn:
        raise FormulaError(
            f"Formula {self.text.strip()!r}: {reason} (at character {place + 1}); a formula looks "
            "like 'y ~ x + C(city) * log(z)'."
        )

    def refuse(self, reason: str) -> NoReturn:
        """Refuse the formula at the token that comes next."""
        rest = self.tokens[self.at][2] if self.at < len(self.tokens) else len(self.text.rstrip())
        self._refuse_at(rest, reason)

    def refuse_rest(self) -> NoReturn:
        """Refuse what is left over; after a name another one may be meant as its rest."""
        kinds = [kind for kind, _, _ in self.tokens[max(self.at - 1, 0) : self.at + 1]]
        spaced = " (names with spaces stand in backticks)" if kinds == ["name", "name"] else ""
        self.refuse(f"{self.peek()!r} is not expected here{spaced}")

    def peek(self) -> str:
        """The next sign, or a word for what is next; empty at the end."""
        if self.at >= len(self.tokens):
            return ""
        kind, value, _ = self.tokens[self.at]
        return value if kind == "sign" else f"{kind} {value}"

    def take(self) -> tuple[str, str]:
        """The next token."""
        kind, value, _ = self.tokens[self.at]
        self.at += 1
        return kind, value

    def expect(self, sign: str) -> None:
        """Take a sign that has to come."""
        if self.peek() != sign:
            self.refuse(f"{sign!r} is missing")
        self.take()

    def expression(self, least: int) -> Node:
        """What binds at least so strongly."""
        self.depth += 1
        if self.depth > _DEPTH:
            self.refuse(f"brackets are nested more than {_DEPTH} deep")
        left = self._part()
        while (sign := self.peek()) in _BINDING and _BINDING[sign] >= least:
            self.take()
            right = self.expression(_BINDING[sign] + (0 if sign in ("^", "**") else 1))
            left = Binary("^" if sign == "**" else sign, left, right)
        self.depth -= 1
        return left

    def _part(self) -> Node:
        sign = self.peek()
        if not sign:
            self.refuse("something is missing at the end")
        if sign in ("-", "+"):
            self.take()
            of = self.expression(2)
            return Negative(of) if sign == "-" else of
        if sign == "(":
            self.take()
            inner = self.expression(0)
            if self.peek() == "|":
                self.refuse(
                    "random effects, (… | group), are not there; fixed ones are '… | group'"
                )
            self.expect(")")
            return inner
        if sign == "[":
            self.take()
            return Items(self._list("]"))
        if sign == ".":
            self.take()
            return Name(".")
        kind, value = self.take()
        if kind == "number":
            return Number(float(value))
        if kind == "text":
            return Text(value[1:-1])
        if kind == "quoted":
            return Name(value)
        if kind == "name":
            return self._call(value) if self.peek() == "(" else Name(value)
        self.at -= 1
        self.refuse(f"{value!r} is not expected here")

    def _list(self, end: str) -> tuple[Node, ...]:
        found: list[Node] = []
        while self.peek() != end:
            found.append(self.expression(0))
            if self.peek() != end:
                self.expect(",")
        self.take()
        return tuple(found)

    def _call(self, function: str) -> Node:
        self.take()
        arguments: list[Node] = []
        named: list[tuple[str, Node]] = []
        while self.peek() != ")":
            is_named = (
                self.at + 1 < len(self.tokens)
                and self.tokens[self.at][0] == "name"
                and self.tokens[self.at + 1][1] == "="
            )
            if is_named:
                _, name = self.take()
                self.take()
                named.append((name, self.expression(0)))
            else:
                arguments.append(self.expression(0))
            if self.peek() != ")":
                self.expect(",")
        self.take()
        return Call(function, tuple(arguments), tuple(named))


def written(node: Node) -> str:
    """A part as text, in one way of writing it, so that the same parts have the same name.

    Examples
    --------
    >>> written(parse_expression("log( x )+1"))
    'log(x) + 1'
    """
    if isinstance(node, Name):
        plain = re.fullmatch(r"[^\W\d][\w.]*", node.name) or node.name == "."
        return node.name if plain else f"`{node.name}`"
    if isinstance(node, Number):
        return f"{node.value:.17g}" if node.value != int(node.value) else str(int(node.value))
    if isinstance(node, Text):
        mark = '"' if "'" in node.value else "'"
        return f"{mark}{node.value}{mark}"
    if isinstance(node, Items):
        return "[" + ", ".join(map(written, node.values)) + "]"
    if isinstance(node, Negative):
        return f"-{_bracketed(node.of, 3)}"
    if isinstance(node, Binary):
        strength = _BINDING[node.sign]
        gap = "" if node.sign in (":", "^") else " "
        right = _bracketed(node.right, strength + 1)
        return f"{_bracketed(node.left, strength)}{gap}{node.sign}{gap}{right}"
    if isinstance(node, Call):
        parts = [written(each) for each in node.arguments]
        parts += [f"{name}={written(each)}" for name, each in node.named]
        return f"{node.function}({', '.join(parts)})"
    raise FormulaError(f"A part of a formula has no text: {node!r}.")


def _bracketed(node: Node, least: int) -> str:
    text = written(node)
    weak = isinstance(node, Binary) and _BINDING[node.sign] < least
    return f"({text})" if weak or isinstance(node, Negative) else text
