"""What is computed once, and in which order."""

from __future__ import annotations

from collections.abc import Iterable

from stylobate.formula.expressions import Column, Expression, Named


def ordered(roots: Iterable[Expression]) -> list[Expression]:
    """Every expression the roots are made of, each once, parts before what is made of them."""
    done: dict[int, Expression] = {}
    waiting: list[tuple[Expression, bool]] = [(root, False) for root in reversed(list(roots))]
    while waiting:
        expression, ready = waiting.pop()
        if id(expression) in done:
            continue
        if ready:
            done[id(expression)] = expression
            continue
        waiting.append((expression, True))
        waiting.extend((part, False) for part in reversed(list(expression.parts())))
    return list(done.values())


def levels(roots: Iterable[Expression]) -> list[list[Named]]:
    """The named values in stages: each is computed from those of earlier stages and columns."""
    level: dict[int, int] = {}
    stages: list[list[Named]] = []
    for expression in ordered(roots):
        inside = max((level[id(part)] for part in expression.parts()), default=0)
        if isinstance(expression, Named):
            if inside == len(stages):
                stages.append([])
            stages[inside].append(expression)
            inside += 1
        level[id(expression)] = inside
    return stages


def columns_of(roots: Iterable[Expression]) -> list[Column]:
    """The columns that are read, each way of each once, in the order of the table."""
    found: dict[tuple[object, ...], Column] = {}
    for expression in ordered(roots):
        if isinstance(expression, Column):
            found.setdefault(expression.reading, expression)
    return sorted(found.values(), key=lambda column: column.place)


class Names:
    """Names that differ from each other and from those that are taken, whatever their case.

    Parameters
    ----------
    taken : iterable of str
        Names not to give.
    longest : int, default=0
        Bytes of a name; 0 for any number.
    """

    def __init__(self, taken: Iterable[str], longest: int = 0) -> None:
        self._taken = {name.casefold() for name in taken}
        self._longest = longest

    def new(self, hint: str) -> str:
        """The hint itself, or with the first free number.

        >>> names = Names(["Score"])
        >>> names.new("score"), names.new("score"), names.new("age")
        ('score_1', 'score_2', 'age')
        """
        if self._longest:  # with room for a number
            hint = hint.encode()[: self._longest - 9].decode(errors="ignore")
        name, count = hint, 0
        while name.casefold() in self._taken:
            count += 1
            name = f"{hint}_{count}"
        self._taken.add(name.casefold())
        return name
