"""Documents to counts of their terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers
from stylobate.base import Interval, Tags
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.feature_extraction.text.counters import TermTally
from stylobate.feature_extraction.text.documents import documents_in
from stylobate.feature_extraction.text.frequencies import DocumentFrequencies, stored_per_column
from stylobate.feature_extraction.text.parameters import (
    TOKEN_PATTERN,
    Accents,
    Analyzer,
    DecodeError,
    Dtype,
    Input,
    NgramRange,
    Share,
    StopWords,
    Vocabulary,
)
from stylobate.feature_extraction.text.terms import CountsTerms
from stylobate.feature_extraction.text.vocabulary import kept_terms

_MOST_TERMS = 1 << 22  # that messages between machines hold


class CountVectorizer(CountsTerms):
    r"""How often each term occurs in each document.

    A term is a word, or 2, 3 … words or characters in a row. The columns are the terms in the
    order of their code points. Words as the default `token_pattern` cuts them, and n-grams of
    characters, are counted by compiled code on all threads; other patterns and functions of yours
    by plain Python, with the same result.

    Parameters
    ----------
    input : {"content", "file", "filename"}, default="content"
        Whether documents are texts (or bytes), open files, or names of files.
    encoding : str, default="utf-8"
        Of documents that are bytes.
    decode_error : {"strict", "ignore", "replace"}, default="strict"
        What to do with bytes that are no text in that encoding.
    strip_accents : {"ascii", "unicode"}, callable or None, default=None
        Whether to drop accents, and how (see `strip_accents_ascii`, `strip_accents_unicode`).
    lowercase : bool, default=True
        Whether to lower the case first.
    preprocessor : callable or None, default=None
        str → str, in place of `lowercase` and `strip_accents`.
    tokenizer : callable or None, default=None
        str → list of words, in place of `token_pattern`.
    stop_words : {"english"}, list of str or None, default=None
        Words to leave out, before n-grams are formed.
    token_pattern : str or None, default=r"(?u)\\b\\w\\w+\\b"
        Regular expression of a word; with one group, what the group matches.
    ngram_range : tuple (least, most) of integers in [1, inf), default=(1, 1)
        How many words, or characters, a term has.
    analyzer : {"word", "char", "char_wb"} or callable, default="word"
        Whether terms are made of words, of characters, or of characters inside of words (with a
        space on either side); or document → terms, in place of all steps.
    max_df : float in [0, 1] or int in [1, inf), default=1.0
        Terms in more documents (a share of them, or a number) are left out.
    min_df : float in [0, 1] or int in [1, inf), default=1
        Terms in fewer documents are left out.
    max_features : int in [1, inf) or None, default=None
        How many terms to keep: those that occur most.
    vocabulary : mapping, iterable or None, default=None
        The terms, if they are known: term → column, or in the order of the columns.
    binary : bool, default=False
        Whether to put 1 in place of each count.
    dtype : dtype, default=numpy.int64
        Of the counts.
    strip_html : bool, default=False
        Whether to take the text out of HTML first (see `strip_html`).

    Attributes
    ----------
    vocabulary_ : dict
        Term → column.
    fixed_vocabulary_ : bool
        Whether the vocabulary was given.

    Examples
    --------
    >>> documents = ["The cat sat.", "The cat saw the dog!"]
    >>> vectorizer = CountVectorizer()
    >>> vectorizer.fit_transform(documents).toarray()
    array([[1, 0, 1, 0, 1],
           [1, 1, 0, 1, 2]])
    >>> list(vectorizer.get_feature_names_out())
    ['cat', 'dog', 'sat', 'saw', 'the']

    References
    ----------
    Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, Cambridge, ch. 2, 6.
    """

    def __init__(
        self,
        *,
        input: Input = "content",
        encoding: str = "utf-8",
        decode_error: DecodeError = "strict",
        strip_accents: Accents = None,
        lowercase: bool = True,
        preprocessor: Callable[..., Any] | None = None,
        tokenizer: Callable[..., Any] | None = None,
        stop_words: StopWords = None,
        token_pattern: str | None = TOKEN_PATTERN,
        ngram_range: NgramRange = (1, 1),
        analyzer: Analyzer = "word",
        max_df: Share = 1.0,
        min_df: Share = 1,
        max_features: Annotated[int, Interval(1, inf)] | None = None,
        vocabulary: Vocabulary = None,
        binary: bool = False,
        dtype: Dtype = np.int64,
        strip_html: bool = False,
    ) -> None:
        self.input = input
        self.encoding = encoding
        self.decode_error = decode_error
        self.strip_accents = strip_accents
        self.lowercase = lowercase
        self.preprocessor = preprocessor
        self.tokenizer = tokenizer
        self.stop_words = stop_words
        self.token_pattern = token_pattern
        self.ngram_range = ngram_range
        self.analyzer = analyzer
        self.max_df = max_df
        self.min_df = min_df
        self.max_features = max_features
        self.vocabulary = vocabulary
        self.binary = binary
        self.dtype = dtype
        self.strip_html = strip_html

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass")

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learn the terms.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, files or file names
            Documents; a generator is read once, and its texts are not kept.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self.fit_transform(raw_documents)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn the terms and count them, in one reading.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, files or file names
            Documents.
        y : ignored
            For compatibility.

        Returns
        -------
        csr_matrix of shape (n, n_terms)
        """
        return self._fit_counts(raw_documents)[0]

    def _fit_counts(self, raw_documents: Any) -> tuple[Any, DocumentFrequencies]:
        """Learn the terms: their counts, and the documents that have each."""
        self._check_analysis()
        documents = documents_in(raw_documents, type(self).__name__)
        if self.vocabulary is not None:
            self._take_vocabulary()
            self._warn_of_capitals()
            matrix = self._matrix(self._known_counts(documents))
            return matrix, DocumentFrequencies(float(matrix.shape[0]), stored_per_column(matrix))
        counter, n_documents = self._counted(documents)
        documents_with, occurrences = counter.sorted()
        kept = self._kept(documents_with, occurrences, n_documents)
        self.fixed_vocabulary_ = False
        self._set_vocabulary({term: column for column, term in enumerate(counter.terms(kept))})
        matrix = self._matrix(counter.counts(kept, bool(self.binary), self._floating))
        found = documents_with[kept].astype(np.float64)
        return matrix, DocumentFrequencies(float(n_documents), found)

    def _kept(self, documents_with: Integers, occurrences: Integers, n_documents: int) -> Integers:
        """Positions of the terms that become columns."""
        tally = documents_with if self.binary else occurrences
        return kept_terms(
            documents_with,
            tally.astype(np.zeros(0, dtype=self.dtype).sum().dtype),
            n_documents,
            min_df=self.min_df,
            max_df=self.max_df,
            max_features=self.max_features,
        )

    def _fit_stream(self, stream: Stream) -> Self:
        self._stream_frequencies(stream)
        return self

    def fit_batches(self, batches: Iterable[Any] | Callable[[], Iterable[Any]]) -> Self:
        """Learn from documents that come in batches.

        Parameters
        ----------
        batches : iterable of iterables of documents, or callable that returns one
            One batch is in memory at a time, and the terms with their counts.

        Returns
        -------
        self
        """

        def start() -> Iterator[Batch]:
            for batch in batches() if callable(batches) else batches:
                yield Batch(list(documents_in(batch, type(self).__name__)))

        repeatable = callable(batches) or not isinstance(batches, Iterator)
        return self._fit_stream(Stream(start, f"{type(self).__name__}: the batches", repeatable))

    def _stream_frequencies(self, stream: Stream) -> DocumentFrequencies:
        """Learn the terms by one pass; the documents that have each."""
        self._check_analysis()
        if self.vocabulary is not None:
            return self._known_frequencies(stream)

        def counted(batch: Batch, first: int) -> tuple[TermTally, int]:
            counter, count = self._counted(documents_in(batch.x, type(self).__name__))
            with_term, occurrences = counter.sorted()
            own = TermTally()
            own.add(counter.terms(np.arange(len(with_term))), with_term, occurrences)
            return own, count

        both = _both_tallies if stream.here else _both_capped
        tally, n_documents = stream.reduced(counted, both) or (TermTally(), 0)
        terms, documents_with, occurrences = tally.sorted()
        kept = self._kept(documents_with, occurrences, n_documents)
        self.fixed_vocabulary_ = False
        self._set_vocabulary({terms[place]: column for column, place in enumerate(kept)})
        return DocumentFrequencies(float(n_documents), documents_with[kept].astype(np.float64))

    def _known_frequencies(self, stream: Stream) -> DocumentFrequencies:
        self._take_vocabulary()
        self._warn_of_capitals()

        def frequencies(batch: Batch, first: int) -> DocumentFrequencies:
            documents = documents_in(batch.x, type(self).__name__)
            matrix = self._matrix(self._known_counts(documents))
            return DocumentFrequencies(float(matrix.shape[0]), stored_per_column(matrix))

        total = stream.reduced(frequencies, DocumentFrequencies.merge)
        if total is None or total.documents == 0:
            raise InvalidDataError(
                f"{type(self).__name__}: there is no batch of documents; pass at least one."
            )
        return total

    def transform(self, raw_documents: Any) -> Any:
        """Count the terms of the vocabulary.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, files or file names
            Documents.

        Returns
        -------
        csr_matrix of shape (n, n_terms)
        """
        documents = documents_in(raw_documents, type(self).__name__)
        self._need_vocabulary()
        return self._matrix(self._known_counts(documents))

    def inverse_transform(self, X: Any) -> list[NDArray[Any]]:
        """The terms that each row has.

        Parameters
        ----------
        X : array-like or sparse of shape (n, n_terms)
            Counts or weights.

        Returns
        -------
        list of arrays of str
        """
        from scipy import sparse

        self._need_vocabulary()
        matrix = sparse.csr_array(X)
        if matrix.shape[1] != len(self.vocabulary_):
            raise InvalidDataError(
                f"{type(self).__name__}: X has {matrix.shape[1]} columns, but the vocabulary "
                f"{len(self.vocabulary_)} terms."
            )
        terms = np.array(self._columns())
        rows = (matrix[[i]].nonzero()[1] for i in range(matrix.shape[0]))
        return [terms[columns] for columns in rows]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The term of each column.

        Parameters
        ----------
        input_features : ignored
            For compatibility.

        Returns
        -------
        array of str objects
        """
        self._need_vocabulary()
        return np.array(self._columns(), dtype=object)


def _both_tallies(
    one: tuple[TermTally, int], other: tuple[TermTally, int]
) -> tuple[TermTally, int]:
    return one[0].merge(other[0]), one[1] + other[1]


def _both_capped(one: tuple[TermTally, int], other: tuple[TermTally, int]) -> tuple[TermTally, int]:
    """The same, refused beyond what a message between machines should hold."""
    found = _both_tallies(one, other)
    if len(found[0]) > _MOST_TERMS:
        raise UnsupportedDataError(
            f"The documents have more than {_MOST_TERMS:,} different terms, which would all be "
            "held by one worker; HashingVectorizer keeps none, and stop_words, token_pattern or "
            "vocabulary= make them fewer."
        )
    return found
