"""How texts of a table become numbers: weighted words and letters, or their main directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.coding import code_column
from stylobate.data.kinds import Column
from stylobate.data.kinds.spellings import is_missing
from stylobate.exceptions import FormulaError, InvalidDataError, ModelFileError
from stylobate.feature_extraction.text import TfidfVectorizer
from stylobate.optimize.eigenpairs import leading_eigenpairs
from stylobate.parallel import one_blas_thread
from stylobate.preprocessing.table.parts import Part

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

_MOST_LETTERS = 2_000_000  # of all texts, above which words alone are told apart
_PRODUCTS = 4  # with a block of directions: enough to hold nearly all that the best ones hold
_SPARE = 10  # further directions in a block
_WORDS: dict[str, Any] = {"ngram_range": (1, 2), "sublinear_tf": True}
_LETTERS: dict[str, Any] = {"analyzer": "char_wb", "ngram_range": (3, 5), "sublinear_tf": True}


class TextMemory:
    """What was learnt from the texts of some rows, for other encoders of the same rows."""

    def __init__(self) -> None:
        self.words: dict[str, tuple[list[Any], list[Any]]] = {}  # vectorizers and weights
        self.directions: dict[str, Array] = {}


class WordsPart(Part):
    """The tf-idf weights of words, pairs of words, and of three to five letters within words."""

    def __init__(self, column: Column, max_terms: int) -> None:
        super().__init__(column)
        self.max_terms = max_terms
        self.memory: TextMemory | None = None  # for the time of the fit

    def _check_loaded(self) -> None:
        for each in vars(self).get("vectorizers", ()):
            if not isinstance(each, TfidfVectorizer):
                raise ModelFileError("The TableEncoder of the file reads texts by no vectorizer.")

    def fit(self, values: Any, y: Any) -> None:
        self._weighed(values)

    def fit_transform(self, values: Any, y: Any) -> Any:
        return _beside(self._weighed(values), len(values))

    def _weighed(self, values: Any) -> list[Any]:
        """Learn the terms; returns the weights in each vectorizer's terms."""
        memory, self.memory = self.memory or TextMemory(), None
        name = self.column.name
        if name not in memory.words:
            memory.words[name] = self._read(texts_of(values, self.column))
        self.vectorizers, weights = memory.words[name]
        # a word has letters only, so that "~" tells the two apart
        self.names = [
            f"{name}_{'' if each.analyzer == 'word' else '~'}{term}"
            for each in self.vectorizers
            for term in each.get_feature_names_out()
        ]
        return weights

    def _read(self, texts: list[str]) -> tuple[list[Any], list[Any]]:
        kinds = [_WORDS]
        if sum(map(len, texts)) <= _MOST_LETTERS:
            kinds.append(_LETTERS)
        found = [_learnt(texts, self.max_terms, options) for options in kinds]
        kept = [each for each in found if each is not None]
        return [each[0] for each in kept], [each[1] for each in kept]

    def transform(self, values: Any) -> Any:
        texts = texts_of(values, self.column)
        return _beside([each.transform(texts) for each in self.vectorizers], len(texts))

    def formula(self, columns: list[Expression]) -> list[Expression]:
        raise FormulaError(
            f"TableEncoder: the words of {self.column.name!r} are weighted by tf-idf, which "
            "neither databases nor ONNX compute; leave the column out (text='drop') to have a "
            "formula."
        )


class DirectionsPart(Part):
    """The leading singular directions of the weights of words and letters."""

    def __init__(self, column: Column, max_terms: int, n_directions: int, *, scale: bool) -> None:
        super().__init__(column)
        self.words = WordsPart(column, max_terms)
        self.n_directions, self.scale = n_directions, scale
        self.memory: TextMemory | None = None  # for the time of the fit

    def fit(self, values: Any, y: Any) -> None:
        self.fit_transform(values, y)

    def fit_transform(self, values: Any, y: Any) -> Array:
        memory, self.memory = self.memory or TextMemory(), None
        self.words.memory = memory
        weights = self.words.fit_transform(values, y)
        name = self.column.name
        if name not in memory.directions:
            memory.directions[name] = singular_directions(weights, self.n_directions)
        self.directions = memory.directions[name]
        made = np.asarray(weights @ self.directions)
        spread = made.std(axis=0)
        self.center, self.spread = np.zeros(made.shape[1]), np.ones(made.shape[1])
        if self.scale:
            self.center, self.spread = made.mean(axis=0), np.where(spread > 0, spread, 1.0)
        self.names = [f"{self.column.name}_svd{k}" for k in range(made.shape[1])]
        return (made - self.center) / self.spread

    def transform(self, values: Any) -> Array:
        made = np.asarray(self.words.transform(values) @ self.directions)
        return (made - self.center) / self.spread

    def units(self) -> list[tuple[float, float]]:
        return [*zip(self.center.tolist(), self.spread.tolist(), strict=True)]

    def formula(self, columns: list[Expression]) -> list[Expression]:
        return self.words.formula(columns)


def texts_of(values: Any, column: Column) -> list[str]:
    """A column as texts; "" for what is missing."""
    coded = code_column(values)
    plain = np.empty(len(coded.values), dtype=object)
    plain[:] = ["" if is_missing(v, column.missing) else str(v) for v in coded.values.tolist()]
    found: list[str] = plain[coded.codes].tolist()
    return found


def _learnt(texts: list[str], most: int, options: dict[str, Any]) -> tuple[Any, Any] | None:
    """A vectorizer and the weights; terms of one text alone only where there are no others."""
    for fewest in (2, 1):
        vectorizer = TfidfVectorizer(min_df=fewest, max_features=most, **options)
        try:
            return vectorizer, vectorizer.fit_transform(texts)
        except InvalidDataError:  # no term is left
            continue
    return None


def _beside(blocks: list[Any], n_rows: int) -> Any:
    from scipy.sparse import csr_array, hstack

    if not blocks:
        return csr_array((n_rows, 0), dtype=np.float64)
    return hstack(blocks, format="csr") if len(blocks) > 1 else blocks[0]


def singular_directions(x: Any, k: int) -> Array:
    """The k leading right singular vectors of a sparse matrix, as columns.

    >>> from scipy.sparse import csr_array
    >>> x = csr_array(np.diag([3.0, 2.0, 1.0]))
    >>> np.abs(singular_directions(x, 1)).ravel().round(9)
    array([1., 0., 0.])
    """
    n, p = x.shape
    k = min(k, n, p)
    if k == 0:
        return np.zeros((p, 0))
    tall = n >= p
    a = x if tall else x.T
    side = min(n, p)
    start = np.random.RandomState(0).normal(size=(side, min(k + _SPARE, side)))
    with one_blas_thread():
        found = leading_eigenpairs(
            lambda q: np.asarray(a.T @ (a @ q)), start, k, tol=1e-6, most_products=_PRODUCTS
        )
        vectors = found.vectors
        if not tall:  # from the left ones
            kept = found.values > 1e-12 * found.values[0]
            vectors = np.asarray(x.T @ vectors[:, kept]) / np.sqrt(found.values[kept])
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return np.asarray(vectors * np.where(signs == 0, 1.0, signs))
