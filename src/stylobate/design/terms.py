"""Wilkinson's algebra: the terms of a formula, in R's order.

`a + b` both; `a:b` their interaction; `a*b` is `a + b + a:b`; `a/b` is `a + a:b`; `(a + b)^2` all
of degree two at most; `- a` leaves out; `0` or `-1` leave out the intercept.

References
----------
Wilkinson & Rogers (1973), Symbolic description of factorial models for analysis of variance,
Applied Statistics 22. Chambers & Hastie (1992), Statistical Models in S, chapter 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stylobate.design.spellings import canonical, canonical_sides
from stylobate.design.syntax import (
    COMPARISONS,
    Binary,
    Call,
    Name,
    Negative,
    Node,
    Number,
    parse,
    written,
)
from stylobate.exceptions import FormulaError

Term = tuple[Node, ...]  # the factors of a product; empty: the intercept

_MOST_TERMS = 2000


@dataclass(frozen=True)
class Terms:
    """What a formula says.

    Parameters
    ----------
    target : Node or None
        What is explained.
    terms : tuple of Term
        By what, without the intercept: main effects first, then by the order of interaction.
    intercept : bool
    offsets : tuple of Node
        What is added to the predictor as it is.
    absorbed : tuple of str
        Columns whose levels are swept out, as in `y ~ x | firm + year`.
    """

    target: Node | None
    terms: tuple[Term, ...]
    intercept: bool
    offsets: tuple[Node, ...] = ()
    absorbed: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The terms as texts."""
        return tuple(term_name(term) for term in self.terms)


def term_name(term: Term) -> str:
    """A term as text.

    Examples
    --------
    >>> term_name((Name("a"), Name("b")))
    'a:b'
    """
    if not term:
        return "(Intercept)"
    parts = (written(each) for each in term)
    loose = (Binary, Negative)
    return ":".join(
        f"({part})" if isinstance(node, loose) else part
        for part, node in zip(parts, term, strict=True)
    )


def terms_of(formula: str, columns: Sequence[str] = ()) -> Terms:
    """The terms of a formula; `.` stands for the columns that the target does not name.

    Examples
    --------
    >>> terms_of("y ~ a * b - 1").names, terms_of("y ~ a * b - 1").intercept
    (('a', 'b', 'a:b'), False)
    >>> terms_of("y ~ (a + b + c)^2 - b:c").names
    ('a', 'b', 'c', 'a:b', 'a:c')
    """
    sides = canonical_sides(parse(formula))
    absorbed = () if sides.absorbed is None else _absorbed(formula, sides.absorbed)
    used = (set() if sides.left is None else names_in(sides.left)) | set(absorbed)
    reader = _Reader(formula, tuple(name for name in columns if name not in used))
    found = reader.expand(sides.right)
    intercept = reader.intercept
    order = sorted((term for term in found if term), key=len)
    return Terms(sides.left, tuple(order), intercept, tuple(reader.offsets), absorbed)


def _absorbed(formula: str, node: Node) -> tuple[str, ...]:
    """The columns behind the bar."""
    node = canonical(node)
    if isinstance(node, Binary) and node.sign == "+":
        return (*_absorbed(formula, node.left), *_absorbed(formula, node.right))
    if isinstance(node, Call) and node.function == "C" and len(node.arguments) == 1:
        node = node.arguments[0]
    if not isinstance(node, Name):
        raise FormulaError(
            f"Formula {formula!r}: behind the bar stand columns joined by '+', as in "
            f"'y ~ x | firm + year', not {written(node)}; make a column of combinations first."
        )
    return (node.name,)


def names_in(node: Node) -> set[str]:
    """The columns a part reads.

    Examples
    --------
    >>> sorted(names_in(Binary("+", Name("a"), Call("log", (Name("b"),)))))
    ['a', 'b']
    """
    if isinstance(node, Name):
        return {node.name}
    if isinstance(node, Binary):
        return names_in(node.left) | names_in(node.right)
    if isinstance(node, Negative):
        return names_in(node.of)
    if isinstance(node, Call):
        inner = node.arguments[:1] if node.function in ("C", "bs", "ns", "poly") else node.arguments
        return set().union(*(names_in(each) for each in inner)) if inner else set()
    return set()


class _Reader:
    """Expands the right side; remembers the intercept and the offsets on the way."""

    def __init__(self, formula: str, others: tuple[str, ...]) -> None:
        self.formula, self.others = formula, others
        self.intercept = True
        self.offsets: list[Node] = []

    def expand(self, node: Node) -> list[Term]:
        """The terms of a part, each once, in the order they are named."""
        if isinstance(node, Number):
            return self._constant(node.value, leaves_out=False)
        if isinstance(node, Name) and node.name == ".":
            return [(Name(name),) for name in self.others]
        if isinstance(node, Call) and node.function == "offset":
            if len(node.arguments) != 1 or node.named:
                raise FormulaError(
                    f"Formula {self.formula!r}: offset takes one expression, as in offset(log(t))."
                )
            self.offsets.append(node.arguments[0])
            return []
        if isinstance(node, Negative):
            return self._without([], node.of)
        if not isinstance(node, Binary) or node.sign in (*COMPARISONS, "%%"):
            return [(node,)]
        return self._combined(node)

    def _combined(self, node: Binary) -> list[Term]:
        if node.sign == "^":
            return self._power(node)
        left = self.expand(node.left)
        if node.sign == "-":
            return self._without(left, node.right)
        right = self.expand(node.right)
        if node.sign == "+":
            return _unique([*left, *right])
        crossed = [_product(a, b) for a in left for b in right]
        if node.sign == "*":
            return _unique([*left, *right, *crossed])
        if node.sign == "/":
            whole = _product(*left) if left else ()
            return _unique([*left, *(_product(whole, b) for b in right)])
        return _unique(crossed)

    def _power(self, node: Binary) -> list[Term]:
        if not isinstance(node.right, Number) or node.right.value not in range(1, 11):
            raise FormulaError(
                f"Formula {self.formula!r}: the power of terms is a whole number from 1 to 10; "
                "for the power of a column write I(x^2)."
            )
        base = self.expand(node.left)
        found = base
        for _ in range(int(node.right.value) - 1):
            found = _unique([*found, *(_product(a, b) for a in found for b in base)])
            if len(found) > _MOST_TERMS:
                raise FormulaError(
                    f"Formula {self.formula!r} has more than {_MOST_TERMS} terms; name fewer."
                )
        return found

    def _without(self, left: list[Term], right: Node) -> list[Term]:
        if isinstance(right, Number):
            self._constant(right.value, leaves_out=True)
            return left
        gone = {frozenset(map(written, term)) for term in self.expand(right)}
        return [term for term in left if frozenset(map(written, term)) not in gone]

    def _constant(self, value: float, *, leaves_out: bool) -> list[Term]:
        if value not in (0.0, 1.0):
            raise FormulaError(
                f"Formula {self.formula!r}: {value:g} is no term; 1 is the intercept, 0 none, and "
                f"arithmetic stands in I(…), as in I({value:g} * x)."
            )
        self.intercept = (value == 1.0) != leaves_out
        return []


def _product(*terms: Term) -> Term:
    seen: dict[str, Node] = {}
    for term in terms:
        for factor in term:
            seen.setdefault(written(factor), factor)
    return tuple(seen.values())


def _unique(terms: Iterable[Term]) -> list[Term]:
    seen: dict[frozenset[str], Term] = {}
    for term in terms:
        seen.setdefault(frozenset(map(written, term)), term)
    return list(seen.values())
