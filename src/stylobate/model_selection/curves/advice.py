"""What curves say about a model, as sentences with the numbers behind them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import SupportsIndex, overload

from stylobate.inference.summary.text import WIDTH


@dataclass(frozen=True)
class Statement:
    """One statement: its kind in a word or two, a sentence, and the numbers it rests on.

    Examples
    --------
    >>> print(Statement("overfits", "The gap is 0.3.", {"gap": 0.3}))
    overfits: The gap is 0.3.
    """

    kind: str
    sentence: str
    numbers: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.kind}: {self.sentence}"


class Advice(tuple[Statement, ...]):
    """Statements about a model, printed one to a line.

    Examples
    --------
    >>> advice = Advice([Statement("overfits", "The gap is 0.3."), Statement("simpler", "Try it.")])
    >>> advice.kinds, "overfits" in advice, advice["simpler"].sentence
    (('overfits', 'simpler'), True, 'Try it.')
    """

    def __new__(cls, statements: Iterable[Statement] = ()) -> Advice:
        """Keep the statements in order."""
        return super().__new__(cls, tuple(statements))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of all statements, in order."""
        return tuple(each.kind for each in self)

    def __contains__(self, kind: object) -> bool:
        """Whether there is a statement of a kind (or that statement)."""
        return any(kind in (each, each.kind) for each in self)

    @overload
    def __getitem__(self, at: SupportsIndex | str) -> Statement: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Statement, ...]: ...

    def __getitem__(self, at: SupportsIndex | str | slice) -> Statement | tuple[Statement, ...]:
        """By number, or by kind."""
        if not isinstance(at, str):
            return super().__getitem__(at)
        for each in self:
            if each.kind == at:
                return each
        raise KeyError(f"there is no statement of the kind {at!r}; there are {self.kinds}")

    def __str__(self) -> str:
        return "\n".join(textwrap.fill(str(each), WIDTH, subsequent_indent="  ") for each in self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        items = "".join(
            f"<li><strong>{escape(each.kind)}</strong>: {escape(each.sentence)}</li>"
            for each in self
        )
        return f"<ul>{items}</ul>"
