"""Sentences to act on, drawn from a profile's findings, the weightiest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from stylobate.data.kinds.schema import shortened
from stylobate.exploration.association.collection import Associations
from stylobate.exploration.duplicates import Duplicates
from stylobate.exploration.missingness import Missingness
from stylobate.exploration.variables import Variable

Level = Literal["high", "medium", "info"]
LEVELS: tuple[Level, ...] = ("high", "medium", "info")
_SEVERAL = 3  # columns with the same finding from which on one sentence tells of all
_LISTED = 6  # names in a sentence


@dataclass(frozen=True, slots=True)
class Advice:
    """A sentence to act on, the columns it is about, and how much it weighs."""

    level: Level
    topic: str
    columns: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Findings:
    """What advice is drawn from."""

    rows: int
    variables: tuple[Variable, ...]
    duplicates: Duplicates
    missingness: Missingness
    associations: Associations
    target: Any
    sentinels: dict[str, tuple[str, int]]


def advise(findings: Findings) -> tuple[Advice, ...]:
    """All there is to say, by weight."""
    said = [advice for rule in _rules() for advice in rule(findings)]
    return tuple(sorted(said, key=lambda advice: LEVELS.index(advice.level)))


def _rules() -> tuple[Callable[[Findings], Iterator[Advice]], ...]:
    from stylobate.exploration import advice_columns, advice_table

    return (*advice_table.RULES, *advice_columns.RULES)


def share_text(share: float) -> str:
    """A share in percent with the digits it deserves; small ones are not rounded to none.

    >>> [share_text(s) for s in (0.771, 0.0312, 0.00004, 0.9999, 1.0, 0.0)]
    ['77 %', '3.1 %', '<0.1 %', '>99.9 %', '100 %', '0 %']
    """
    percent = 100 * share
    if 0 < percent < 0.1:
        return "<0.1 %"
    if 99.9 < percent < 100:
        return ">99.9 %"
    if percent in (0, 100) or 10 <= percent <= 99:
        return f"{percent:.0f} %"
    return f"{percent:.1f} %"


def listed(words: Sequence[str], most: int = _LISTED) -> str:
    """Words with commas and a final "and"; the last ones are only counted.

    >>> listed(["a", "b", "c"]), listed(list("abcd"), most=2)
    ('a, b and c', 'a, b and 2 more')
    """
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def gathered(
    level: Level,
    topic: str,
    found: Sequence[tuple[str, str]],
    one: str,
    many: str,
) -> Iterator[Advice]:
    """One sentence per column, or one for all if there are many.

    `found` holds names and details; `one` is a sentence with ``{name}`` and ``{detail}``, `many`
    one with ``{names}`` and ``{count}``.
    """
    if len(found) < _SEVERAL:
        for name, detail in found:
            yield Advice(level, topic, (name,), one.format(name=repr(name), detail=detail))
        return
    short = [(repr(shortened(name)), detail) for name, detail in found]
    names = listed([f"{name} ({detail})" if detail else name for name, detail in short])
    text = many.format(names=names, count=len(found))
    yield Advice(level, topic, tuple(name for name, _ in found), text)
