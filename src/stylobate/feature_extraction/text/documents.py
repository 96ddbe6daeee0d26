"""What the vectorisers share: from what the caller passes to texts, and from texts to terms."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base import BaseEstimator
from stylobate.base.tags import Tags
from stylobate.data.column_table import ColumnTable
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    StylobateWarning,
    UndecodableTextError,
    UnsupportedDataError,
)
from stylobate.feature_extraction.text.analysis import (
    Analyzer,
    CharacterTerms,
    InnerCharacterTerms,
    Preprocessor,
    WordTerms,
)
from stylobate.feature_extraction.text.parameters import TOKEN_PATTERN
from stylobate.feature_extraction.text.stop_words import ENGLISH_STOP_WORDS


class ReadsText(BaseEstimator):
    """A vectoriser's way from a document to its terms."""

    if TYPE_CHECKING:
        input: str
        encoding: str
        decode_error: str
        strip_accents: Any
        strip_html: bool
        lowercase: bool
        preprocessor: Callable[[Any], Any] | None
        tokenizer: Callable[[Any], Any] | None
        analyzer: Any
        stop_words: Any
        token_pattern: str | None
        ngram_range: tuple[int, int]

    def _tags(self) -> Tags:
        return super()._tags().but(text=True)

    def decode(self, doc: Any) -> Any:
        """The text of a document: its file read, its bytes decoded.

        Parameters
        ----------
        doc : str, bytes, file or file name
            As `input` says.

        Returns
        -------
        str
        """
        if self.input == "filename":
            with open(doc, "rb") as file:
                doc = file.read()
        elif self.input == "file":
            doc = doc.read()
        if isinstance(doc, bytes):
            try:
                return doc.decode(self.encoding, self.decode_error)
            except UnicodeDecodeError as error:
                raise UndecodableTextError(type(self).__name__, error) from None
            except LookupError as error:
                raise InvalidParameterError(
                    f"{type(self).__name__}: encoding={self.encoding!r} is none that Python knows; "
                    "try 'utf-8' or 'latin-1'."
                ) from error
        if doc is np.nan:
            raise InvalidDataError(
                "np.nan is an invalid document, expected byte or unicode string; replace missing "
                'texts, say by "".'
            )
        return doc

    def build_preprocessor(self) -> Callable[[Any], Any]:
        """The function that is applied to a text before it is cut into words.

        Returns
        -------
        callable
            str → str.
        """
        self._check_parameters()
        if self.preprocessor is not None and not self.strip_html:
            return self.preprocessor
        return Preprocessor(self.strip_html, self.lowercase, self.strip_accents, self.preprocessor)

    def build_tokenizer(self) -> Callable[[Any], Any]:
        """The function that cuts a text into words.

        Returns
        -------
        callable
            str → list of str.
        """
        if self.tokenizer is not None:
            return self.tokenizer
        if self.token_pattern is None:
            raise InvalidParameterError(
                f"{type(self).__name__}: token_pattern is None and there is no tokenizer; give one "
                "of them."
            )
        try:
            pattern = re.compile(self.token_pattern)
        except re.error as error:
            raise InvalidParameterError(
                f"{type(self).__name__}: token_pattern={self.token_pattern!r} is no regular "
                f"expression: {error}."
            ) from error
        if pattern.groups > 1:
            raise InvalidParameterError(
                "More than 1 capturing group in token pattern. Only a single group should be "
                f"captured; got token_pattern={self.token_pattern!r}."
            )
        return pattern.findall

    def build_analyzer(self) -> Callable[[Any], Any]:
        """The whole way from a document to its terms.

        Returns
        -------
        callable
            Document → list of terms.
        """
        if callable(self.analyzer):
            return Analyzer((self.decode, self.analyzer))
        prepare = self.build_preprocessor()
        lengths = self.ngram_range
        terms: Callable[[Any], Any]
        if self.analyzer == "char":
            terms = CharacterTerms(lengths)
        elif self.analyzer == "char_wb":
            terms = InnerCharacterTerms(lengths)
        else:
            tokenize = self.build_tokenizer()
            stop_words = self.get_stop_words()
            self._compare_stop_words(stop_words, prepare, tokenize)
            terms = WordTerms(tokenize, lengths, stop_words)
        return Analyzer((self.decode, prepare, terms))

    def get_stop_words(self) -> Collection[str] | None:
        """The words left out.

        Returns
        -------
        frozenset of str, or None
        """
        if self.stop_words == "english":
            return ENGLISH_STOP_WORDS
        return None if self.stop_words is None else frozenset(self.stop_words)

    def _compare_stop_words(
        self,
        stop_words: Collection[str] | None,
        prepare: Callable[[Any], Any],
        tokenize: Callable[[Any], Any],
    ) -> None:
        """Warn once if stop words are not what texts are cut into."""
        seen = getattr(self, "_stop_words_seen", None)
        if not stop_words or (seen is not None and seen == id(self.stop_words)):
            return
        self._stop_words_seen = id(self.stop_words)
        try:
            found = {token for word in stop_words for token in tokenize(prepare(word))}
        except Exception:  # a tokenizer of the caller's need not like single words
            return
        strange = sorted(found - set(stop_words))
        if strange:
            warnings.warn(
                "Your stop_words may be inconsistent with your preprocessing. Tokenizing the stop "
                f"words generated tokens {strange} not in stop_words.",
                StylobateWarning,
                stacklevel=2,
            )

    def _check_analysis(self) -> None:
        """Refuse parameters that contradict each other; warn of those without effect."""
        self._check_parameters()
        least, most = self.ngram_range
        if least > most:
            raise InvalidParameterError(
                f"Invalid value for ngram_range={self.ngram_range} lower boundary larger than the "
                "upper boundary."
            )
        for name, reason in self._unused():
            warnings.warn(
                f"The parameter '{name}' will not be used since {reason}",
                StylobateWarning,
                stacklevel=3,
            )

    def _unused(self) -> Iterable[tuple[str, str]]:
        if self.tokenizer is not None and self.token_pattern is not None:
            yield "token_pattern", "'tokenizer' is not None'"
        if callable(self.analyzer):
            if self.preprocessor is not None:
                yield "preprocessor", "'analyzer' is callable'"
            if self.ngram_range != (1, 1):
                yield "ngram_range", "'analyzer' is callable'"
        if self.analyzer != "word":
            if self.stop_words is not None:
                yield "stop_words", "'analyzer' != 'word'"
            if self.token_pattern not in (None, TOKEN_PATTERN):
                yield "token_pattern", "'analyzer' != 'word'"
            if self.tokenizer is not None:
                yield "tokenizer", "'analyzer' != 'word'"


def documents_in(raw: Any, owner: str) -> Iterable[Any]:
    """What the caller passed as documents, one after the other."""
    if isinstance(raw, str | bytes):
        raise InvalidDataError("Iterable over raw text documents expected, string object received.")
    if getattr(raw, "ndim", 2) == 2 and getattr(raw, "shape", (0, 0))[-1] == 1:  # a stream's batch
        column = _only_column(raw)
        if column is not None:
            return column
    if getattr(raw, "ndim", 1) != 1 or hasattr(raw, "columns") or isinstance(raw, dict):
        raise UnsupportedDataError(
            f"{owner}: the documents must be one column of texts, got a {type(raw).__name__} of "
            "several columns; pass one column, such as X['text']."
        )
    if hasattr(raw, "to_pylist"):  # pyarrow's items are no strings
        return list(raw.to_pylist())
    if not isinstance(raw, Iterable):
        raise UnsupportedDataError(
            f"{owner}: the documents must be an iterable of texts, got {type(raw).__name__}."
        )
    return raw


def _only_column(frame: Any) -> list[Any] | None:
    """The documents of a frame of one column; None for what is no frame."""
    if isinstance(frame, ColumnTable):
        return list(frame.values()[0])
    if hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return list(frame.iloc[:, 0])
    if hasattr(frame, "column_names"):  # pyarrow's
        return list(frame.column(0).to_pylist())
    return list(frame.to_series(0)) if hasattr(frame, "to_series") else None


def refuse_non_text(text: Any, position: int, owner: str) -> None:
    """Refuse a document that is no string after decoding and preprocessing."""
    if not isinstance(text, str):
        raise UnsupportedDataError(
            f"{owner}: document {position} is {text!r:.60} ({type(text).__name__}); documents must "
            'be strings or bytes, and missing ones replaced, say by "".'
        )
