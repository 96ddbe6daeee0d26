"""Documents to counts of hashed terms: no vocabulary to learn or to keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Self

import numpy as np

from stylobate import _core
from stylobate.base import Interval, Tags
from stylobate.base.batches import FitsFirstBatch
from stylobate.feature_extraction.text.counters import (
    Csr,
    compiled_analysis,
    joined_csr,
    plain_hashes,
    terms_in,
)
from stylobate.feature_extraction.text.documents import ReadsText, documents_in
from stylobate.feature_extraction.text.parameters import (
    TOKEN_PATTERN,
    Accents,
    Analyzer,
    DecodeError,
    Dtype,
    Input,
    NgramRange,
    Norm,
    StopWords,
)


class HashingVectorizer(FitsFirstBatch, ReadsText):
    r"""How often each hashed term occurs in each document.

    The column of a term is :math:`|h| \bmod n`, h its signed 32-bit MurmurHash3. Nothing is learnt:
    documents may come in any number of batches, on any number of machines. Different terms may
    share a column, and a column does not tell its terms.

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
    n_features : int in [1, 2147483648), default=1048576
        Number of columns.
    binary : bool, default=False
        Whether to put 1 in place of each count.
    norm : {"l1", "l2"} or None, default="l2"
        The norm that each row has.
    alternate_sign : bool, default=True
        Whether terms of a negative hash count negatively, so that terms that share a column cancel
        on average.
    dtype : dtype, default=numpy.float64
        Of the result.
    strip_html : bool, default=False
        Whether to take the text out of HTML first (see `strip_html`).

    Examples
    --------
    >>> documents = ["The cat sat.", "The cat saw the dog!"]
    >>> hashed = HashingVectorizer(n_features=16, norm=None).transform(documents)
    >>> hashed.shape, abs(hashed).sum(axis=1).ravel().tolist()
    ((2, 16), [[3.0, 5.0]])

    References
    ----------
    Weinberger et al. (2009), Feature hashing for large scale multitask learning, ICML.
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
        n_features: Annotated[int, Interval(1, 2**31)] = 2**20,
        binary: bool = False,
        norm: Norm = "l2",
        alternate_sign: bool = True,
        dtype: Dtype = np.float64,
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
        self.n_features = n_features
        self.binary = binary
        self.norm = norm
        self.alternate_sign = alternate_sign
        self.dtype = dtype
        self.strip_html = strip_html

    def _tags(self) -> Tags:
        return super()._tags().but(transforms=True, requires_fit=False)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters; there is nothing to learn.

        Parameters
        ----------
        X : iterable of documents
            Not read.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        documents_in(X, type(self).__name__)
        self._check_analysis()
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """The same as `fit`: there is nothing to learn.

        Parameters
        ----------
        X : iterable of documents
            Not read.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        return self.fit(X, y)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The same as `transform`.

        Parameters
        ----------
        X : iterable of str, bytes, files or file names
            Documents.
        y : ignored
            For compatibility.

        Returns
        -------
        csr_matrix of shape (n, n_features)
        """
        return self.fit(X, y).transform(X)

    def transform(self, X: Any) -> Any:
        """Count the hashed terms of documents.

        Parameters
        ----------
        X : iterable of str, bytes, files or file names
            Documents.

        Returns
        -------
        csr_matrix of shape (n, n_features)
        """
        from scipy import sparse

        self._check_analysis()
        values, columns, offsets = self._counts(documents_in(X, type(self).__name__))
        if self.norm is not None:
            _core.weigh_rows(offsets, columns, values, None, False, self.norm)
        shape = (len(offsets) - 1, int(self.n_features))
        matrix = sparse.csr_matrix((values, columns, offsets), shape=shape, copy=False)
        matrix.has_canonical_format = True
        return matrix if values.dtype == self.dtype else matrix.astype(self.dtype)

    def _counts(self, documents: Any) -> Csr:
        columns, alternate = int(self.n_features), bool(self.alternate_sign)
        binary = bool(self.binary)
        compiled = compiled_analysis(self)
        if compiled is None:
            return plain_hashes(terms_in(self, documents), columns, alternate, binary)
        parts = [
            _core.count_hashed(compiled.analysis, block, columns, alternate, binary)
            for block in compiled.blocks(documents)
        ]
        return joined_csr(parts)
