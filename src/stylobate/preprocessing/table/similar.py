"""Categories written in many ways as their likeness to the commonest ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.coding import code_column
from stylobate.data.kinds import Column
from stylobate.exceptions import InvalidDataError
from stylobate.feature_extraction.text import TfidfVectorizer
from stylobate.preprocessing.table.parts import Part, Tally
from stylobate.preprocessing.table.text import texts_of

_MOST_TRIED = 200  # different values that tell whether names resemble each other
_LETTERS = 0.7  # of the characters of names; codes have fewer
_LENGTH = 6  # characters of names, on average
_ALIKE = 0.4  # similarity to the nearest other name, for half of the names


class SimilarPart(Part):
    r"""How much a text resembles each of the commonest values of its column.

    .. math:: s(a, b) = \frac{\langle t(a), t(b) \rangle}{\|t(a)\|\,\|t(b)\|}

    with t the tf-idf weights of runs of two to four letters, of the different values.

    References
    ----------
    Cerda, Varoquaux & Kégl (2018), Similarity encoding for learning with dirty categorical
    variables, Machine Learning 107.
    """

    def __init__(self, column: Column, n_prototypes: int) -> None:
        super().__init__(column)
        self.n_prototypes = n_prototypes

    def fit(self, values: Any, y: Any) -> None:
        tally = Tally.of(values, self.column)
        self.typical = tally.commonest()
        names, counts = _named(tally)
        self.vectorizer = letters_of(names)
        order = np.argsort(-counts, kind="stable")[: self.n_prototypes]
        self.prototypes = [names[k] for k in order]
        self.names = [f"{self.column.name}_like_{name}" for name in self.prototypes]

    def transform(self, values: Any) -> Array:
        coded = code_column(values)
        texts = texts_of(coded.values, self.column)
        own = self.vectorizer.transform(texts)
        likeness = own @ self.vectorizer.transform(self.prototypes).T
        return np.asarray(likeness.toarray())[coded.codes]


def letters_of(names: list[str]) -> Any:
    """The vectorizer of runs of letters of some names."""
    return TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit(names)


def resemble(values: Any, column: Column) -> bool:
    """Whether many values are others written differently, so that likeness says something.

    >>> from stylobate.data.kinds import Column
    >>> titles = [f"{what} officer {grade}" for what in ("police", "fire") for grade in "12345678"]
    >>> resemble(np.array(titles, dtype=object), Column("title", "nominal", ""))
    True
    >>> towns = ["Paris", "Oslo", "Rome", "Kyiv", "Lima", "Cairo", "Quito", "Dhaka"]
    >>> resemble(np.array(towns, dtype=object), Column("town", "nominal", ""))
    False
    """
    names, _ = _named(Tally.of(values, column))
    letters = sum(c.isalpha() or c.isspace() for name in names for c in name)
    size = sum(map(len, names))
    if len(names) < 3 or letters < _LETTERS * size or size < _LENGTH * len(names):
        return False  # codes
    step = -(-len(names) // _MOST_TRIED)
    names = names[::step]
    try:
        weights = letters_of(names).transform(names)
    except InvalidDataError:  # no name has two letters
        return False
    likeness = (weights @ weights.T).toarray()
    np.fill_diagonal(likeness, 0.0)
    return bool(np.median(likeness.max(axis=1)) >= _ALIKE)


def _named(tally: Tally) -> tuple[list[str], Any]:
    """The values that are there, as texts, and how often each occurs."""
    here = [k for k, value in enumerate(tally.values.tolist()) if value == value]
    return [str(tally.values[k]) for k in here], tally.counts[here]
