"""Which factors of a term are coded by contrasts, and which by one column per level.

A term spans what its margins do not span yet: a factor needs a column per level only where the term
without it is not in the model. Where R's rule gives dependent columns (an interaction of factors
whose margins are left out) fewer columns span the same space.

References
----------
Chambers & Hastie (1992), Statistical Models in S, section 2.4.1. Smith, N. J. (2011–2018), the
manual of patsy, "Coding categorical data".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Coded = tuple[tuple[str, bool], ...]  # factors by name, and whether each has all its levels


def codings(terms: Sequence[tuple[str, ...]], intercept: bool) -> list[list[Coded]]:
    """For each term its parts: which factors by all levels (True) or by contrasts (False).

    Parameters
    ----------
    terms : sequence of tuples of str
        The categorical factors of each term. All have the same numerical factors.
    intercept : bool
        Whether the term without any factor is in the model before them.

    Examples
    --------
    >>> codings([("a",), ("b",), ("a", "b")], intercept=True)
    [[(('a', False),)], [(('b', False),)], [(('a', False), ('b', False))]]
    >>> codings([("a",), ("b",)], intercept=False)
    [[(('a', True),)], [(('b', False),)]]
    >>> codings([("a", "b")], intercept=True)
    [[(('b', False),), (('a', False), ('b', True))]]
    """
    used: set[frozenset[str]] = {frozenset()} if intercept else set()
    return [_parts(term, used) for term in terms]


def _parts(term: tuple[str, ...], used: set[frozenset[str]]) -> list[Coded]:
    subsets = [each for size in range(len(term) + 1) for each in combinations(term, size)]
    fresh = [each for each in subsets if frozenset(each) not in used]
    used.update(frozenset(each) for each in subsets)
    parts: list[dict[str, bool]] = [dict.fromkeys(each, False) for each in fresh]
    while _absorb(parts):
        pass
    return [tuple(part.items()) for part in parts]


def _absorb(parts: list[dict[str, bool]]) -> bool:
    """Put a part into a larger one whose only other factor then gets all its levels."""
    for i, small in enumerate(parts):
        for large in parts[i + 1 :]:
            extra = [name for name in large if name not in small]
            same = all(name in large and large[name] == full for name, full in small.items())
            if len(extra) == 1 and same and not large[extra[0]]:
                large[extra[0]] = True
                del parts[i]
                return True
    return False
