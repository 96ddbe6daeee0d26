"""The index of terms, and the public names beside it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the field, and where it is here.

    Attributes
    ----------
    term : str
        The word.
    synonyms : tuple of str
        What else it is called.
    name : str
        Our name for it, with its module.
    page : str
        The lesson or page of the guide, as a path in ``docs``; empty for names not in the index.

    Examples
    --------
    >>> from stylobate.terms import terms
    >>> huber = next(each for each in terms() if each.term == "Huber loss")
    >>> huber.name, huber.load().__name__
    ('stylobate.linear_model.HuberRegressor', 'HuberRegressor')
    """

    term: str
    synonyms: tuple[str, ...]
    name: str
    page: str

    def load(self) -> Any:
        """The object of this name."""
        module, _, name = self.name.rpartition(".")
        return getattr(import_module(module), name)


@cache
def terms() -> tuple[Term, ...]:
    """All terms of the index, in the order of the alphabet.

    Examples
    --------
    >>> len(terms()) > 200
    True
    """
    text = files("stylobate.terms").joinpath("index.csv").read_text(encoding="utf-8")
    return tuple(
        Term(row["term"], tuple(row["synonyms"].split("; ")), row["name"], row["page"])
        for row in csv.DictReader(text.splitlines())
    )


@cache
def public_names() -> tuple[Term, ...]:
    """Every public name of the package's modules, as a term without synonyms."""
    return tuple(Term(name, (), f"{module}.{name}", "") for module, name in _names())


def _names() -> Iterator[tuple[str, str]]:
    package = import_module("stylobate")
    for module in package.__all__:
        home = getattr(package, module)
        for name in getattr(home, "__all__", ()):
            yield f"stylobate.{module}", name
