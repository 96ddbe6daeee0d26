"""Counting with a vocabulary: what it is, how it is kept, and the matrix that comes of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate import _core
from stylobate.exceptions import (
    InvalidDataError,
    ModelFileError,
    NotFittedError,
    StylobateWarning,
    joined,
)
from stylobate.feature_extraction.text.counters import (
    Csr,
    PlainCounter,
    compiled_analysis,
    joined_csr,
    plain_counts,
    terms_in,
)
from stylobate.feature_extraction.text.documents import ReadsText
from stylobate.feature_extraction.text.vocabulary import given_vocabulary


class CountsTerms(ReadsText):
    """A vectoriser whose columns are the terms of a vocabulary."""

    if TYPE_CHECKING:
        vocabulary: Any
        binary: bool
        dtype: Any
        vocabulary_: dict[Any, int]

    fixed_vocabulary_ = False  # until a vocabulary that was given is taken

    # --- the vocabulary -------------------------------------------------------------------------

    def _columns(self) -> list[Any]:
        """The terms in the order of their columns."""
        return sorted(self.vocabulary_, key=self.vocabulary_.__getitem__)

    def _check_loaded(self) -> None:
        """Refuse a vocabulary of a file whose columns are not 0, 1, …: matrices have no others."""
        terms = vars(self).get("vocabulary_", {})
        columns: list[Any] = list(terms.values()) if isinstance(terms, dict) else [None]
        whole = all(isinstance(column, int | np.integer) for column in columns)
        if not whole or sorted(columns) != list(range(len(columns))):
            raise ModelFileError(
                f"The {type(self).__name__} of the file has a vocabulary without its columns."
            )

    def _set_vocabulary(self, vocabulary: dict[Any, int]) -> None:
        self.vocabulary_ = vocabulary
        self.__dict__.pop("_compiled", None)

    def _take_vocabulary(self) -> None:
        """Check the vocabulary that was given and make it ours."""
        self._set_vocabulary(given_vocabulary(self.vocabulary))
        self.fixed_vocabulary_ = True

    def _need_vocabulary(self) -> None:
        if not hasattr(self, "vocabulary_"):
            if self.vocabulary is None:
                raise joined(NotFittedError)(
                    "Vocabulary not fitted or provided: call fit first, or give a vocabulary."
                )
            self._check_analysis()
            self._take_vocabulary()
        if len(self.vocabulary_) == 0:
            raise InvalidDataError("Vocabulary is empty; fit again.")

    def _warn_of_capitals(self) -> None:
        if self.lowercase and any(
            character.isupper()
            for term in self.vocabulary_
            if isinstance(term, str) and not term.islower()
            for character in term
        ):
            warnings.warn(
                "Upper case characters found in vocabulary while 'lowercase' is True. These entries"
                " will not be matched with any documents",
                StylobateWarning,
                stacklevel=3,
            )

    # --- counting -------------------------------------------------------------------------------

    @property
    def _floating(self) -> bool:
        return bool(np.dtype(self.dtype).kind == "f")

    def _counted(self, documents: Iterable[Any]) -> tuple[Any, int]:
        """The terms of documents counted, and how many documents there are."""
        compiled = compiled_analysis(self)
        if compiled is not None:
            counter = _core.TermCounter()
            n_documents = 0
            for block in compiled.blocks(documents):
                counter.add(compiled.analysis, block)
                n_documents += len(block)
            return counter, n_documents
        plain = PlainCounter()
        plain.add(terms_in(self, documents))
        return plain, plain.n_documents

    def _known_counts(self, documents: Iterable[Any]) -> Csr:
        """Values, columns, offsets of the terms of the vocabulary."""
        compiled = compiled_analysis(self)
        vocabulary = None if compiled is None else self._compiled_vocabulary()
        binary, floating = bool(self.binary), self._floating
        if compiled is None or vocabulary is None:
            return plain_counts(terms_in(self, documents), self.vocabulary_, binary, floating)
        parts = [
            vocabulary.count(compiled.analysis, block, binary, floating)
            for block in compiled.blocks(documents)
        ]
        return joined_csr(parts)

    def _compiled_vocabulary(self) -> Any:
        """The vocabulary as the core knows it; None if its terms are no strings.

        Kept as long as `vocabulary_` is the same mapping.
        """
        known = self.__dict__.get("_compiled")
        if known is None or known[0] is not self.vocabulary_ or known[1] != len(self.vocabulary_):
            terms = self._columns()
            texts = all(isinstance(term, str) for term in terms)
            compiled = _core.TermVocabulary(terms) if texts else None
            known = self._compiled = (self.vocabulary_, len(terms), compiled)
        return known[2]

    def _matrix(self, csr: Csr) -> Any:
        values, columns, offsets = csr
        from scipy import sparse

        shape = (len(offsets) - 1, len(self.vocabulary_))
        dtype = np.dtype(self.dtype)
        # a view: NumPy has two names for 64-bit integers and prints one of them
        values = values.view(dtype) if values.dtype == dtype else values.astype(dtype)
        matrix = sparse.csr_matrix((values, columns, offsets), shape=shape, copy=False)
        matrix.has_canonical_format = True
        return matrix

    def __getstate__(self) -> dict[str, Any]:
        # the compiled vocabulary is made again when it is needed
        return {name: each for name, each in super().__getstate__().items() if name != "_compiled"}
