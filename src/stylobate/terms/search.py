"""Finding a thing by what others call it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from stylobate.exceptions import InvalidParameterError
from stylobate.terms.index import Term, public_names, terms

_FILLERS = frozenset(
    ("a", "algorithm", "an", "and", "by", "for", "in", "method", "of", "on", "s", "the")
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# British and American spellings meet; the last letter of a plural goes
_SPELLINGS = ((r"isation\b", "ization"), (r"ise(d?)\b", r"ize\1"), (r"our\b|ours\b", "or"),
              (r"centre", "center"), (r"(?<=[a-rt-z]{2})s\b", ""))  # fmt: skip
_LEAST = 30.0  # points below which a phrase is another one
_SURE = 60.0  # points above which nothing was misspelt; one word of two may be all that was not

Likeness = Callable[[tuple[str, ...], tuple[str, ...]], float]


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found, best first; iterates over terms, prints as a table.

    Attributes
    ----------
    words : str
        What was looked for.
    found : tuple of Term
    """

    words: str
    found: tuple[Term, ...]

    def __iter__(self) -> Iterator[Term]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, place: int) -> Term:
        return self.found[place]

    def __repr__(self) -> str:
        if not self.found:
            return f"Nothing is called {self.words!r} here, nor nearly so."
        rows = [(each.term, each.name, each.page) for each in self.found]
        widths = [max(len(row[k]) for row in rows) for k in (0, 1)]
        lines = (f"{a:{widths[0]}}  {b:{widths[1]}}  {c}".rstrip() for a, b, c in rows)
        return "\n".join(lines)


def find(words: str, *, n: int = 8) -> Hits:
    """Find functions and classes by the words of textbooks, papers and lecture notes.

    The index knows terms and their synonyms; public names are found too. Spelling may be British
    or American, plural or singular, and a letter or two may be wrong.

    Parameters
    ----------
    words : str
        What to look for.
    n : int in [1, inf), default=8
        The largest number of hits.

    Returns
    -------
    Hits

    Examples
    --------
    >>> find("Parzen window", n=1)
    density estimation  stylobate.neighbors.KernelDensity  course/outliers-and-bins.md
    >>> [hit.name for hit in find("K-fold cross validation")][0]
    'stylobate.model_selection.cross_validate'
    >>> find("ridge regresion")[0].load().__name__  # a slip of the pen
    'Ridge'
    """
    sought = _words_of(str(words))
    if not sought:
        raise InvalidParameterError(f"find: {words!r} holds no word to look for.")
    if n < 1:
        raise InvalidParameterError(f"find: n must be at least 1, got {n!r}.")
    everything = (*terms(), *public_names())
    scored = [(_points(sought, each, _likeness), each) for each in everything]
    if max(points for points, _ in scored) <= _SURE:  # perhaps a slip of the pen: by letters
        scored += [(_points(sought, each, _alike), each) for each in everything]
    least = max(_LEAST, max(points for points, _ in scored) - 40.0)
    near = sorted((pair for pair in scored if pair[0] >= least), key=lambda pair: -pair[0])
    return Hits(str(words), tuple(_once([each for _, each in near]))[:n])


def _once(near: list[Term]) -> Iterator[Term]:
    """Each object in the place of its best term; the index, which knows a page, speaks for it."""
    seen: list[Term] = []
    for each in near:
        _, _, name = each.name.rpartition(".")
        if any(other.name.endswith(f".{name}") and other.load() is each.load() for other in seen):
            continue
        same = (other for other in near if other.page and other.name.endswith(f".{name}"))
        seen.append(next((other for other in same if other.load() is each.load()), each))
        yield seen[-1]


def _points(sought: tuple[str, ...], term: Term, likeness: Likeness) -> float:
    """How well a term answers: by what is most like what is sought."""
    return max(share * likeness(sought, phrase) for share, phrase in _phrases(term))


@cache
def _phrases(term: Term) -> tuple[tuple[float, tuple[str, ...]], ...]:
    """What a term is called; its own words count a little more than its synonyms and our name."""
    name = term.name.rpartition(".")[2]
    shares = {name: 0.95} | dict.fromkeys(term.synonyms, 0.97) | {term.term: 1.0}
    return tuple((share, _words_of(text)) for text, share in shares.items())


def _likeness(sought: tuple[str, ...], phrase: tuple[str, ...]) -> float:
    """From 0 to 100: the same words, all of them among others, their beginnings, some of them."""
    asked, there = frozenset(sought), frozenset(phrase)
    if asked == there or "".join(sought) == "".join(phrase):
        return 100.0
    shared = len(asked & there)
    if shared == len(asked):
        return 85.0 - 5.0 * (len(there) - shared)
    if shared == len(there):
        return 70.0 - 10.0 * (len(asked) - shared)
    if all(any(word.startswith(each) for word in phrase) for each in sought):
        return 60.0 - 5.0 * (len(there) - len(asked))
    return 55.0 * shared / (len(asked) + len(there) - shared)


def _alike(sought: tuple[str, ...], phrase: tuple[str, ...]) -> float:
    """From 0 to 75: how many letters agree, where that is most of them."""
    one, other = "".join(sought), "".join(phrase)
    if 2 * min(len(one), len(other)) < 0.8 * (len(one) + len(other)):
        return 0.0
    alike = SequenceMatcher(None, one, other).ratio()
    return 75.0 * alike if alike >= 0.8 else 0.0


@cache
def _words_of(text: str) -> tuple[str, ...]:
    """Plain words: no accents, case, hyphens, plural, or difference between dialects."""
    plain = unicodedata.normalize("NFKD", _CAMEL.sub(" ", text))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    for spelling, ours in _SPELLINGS:
        plain = re.sub(spelling, ours, plain)
    words = tuple(re.findall(r"[^\W_]+", plain))
    return tuple(word for word in words if word not in _FILLERS) or words
