"""Documents to tf-idf weights of their terms."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval
from stylobate.data.streams import Stream
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    NotFittedError,
    StylobateWarning,
    joined,
)
from stylobate.feature_extraction.text.count_vectorizer import CountVectorizer
from stylobate.feature_extraction.text.frequencies import DocumentFrequencies
from stylobate.feature_extraction.text.parameters import (
    TOKEN_PATTERN,
    Accents,
    Analyzer,
    DecodeError,
    Dtype,
    Input,
    NgramRange,
    Norm,
    Share,
    StopWords,
    Vocabulary,
)
from stylobate.feature_extraction.text.tfidf_transformer import TfidfTransformer


class TfidfVectorizer(CountVectorizer):
    r"""How much each term says about each document.

    `CountVectorizer`, then `TfidfTransformer`:
    :math:`\mathrm{tf}_{d,t}\,(1 + \log\frac{n + s}{\mathrm{df}_t + s})`, each row then divided by
    its norm.

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
    analyzer : {"word", "char", "char_wb"} or callable, default="word"
        Whether terms are made of words, of characters, or of characters inside of words (with a
        space on either side); or document → terms, in place of all steps.
    stop_words : {"english"}, list of str or None, default=None
        Words to leave out, before n-grams are formed.
    token_pattern : str or None, default=r"(?u)\\b\\w\\w+\\b"
        Regular expression of a word; with one group, what the group matches.
    ngram_range : tuple (least, most) of integers in [1, inf), default=(1, 1)
        How many words, or characters, a term has.
    max_df : float in [0, 1] or int in [1, inf), default=1.0
        Terms in more documents (a share of them, or a number) are left out.
    min_df : float in [0, 1] or int in [1, inf), default=1
        Terms in fewer documents are left out.
    max_features : int in [1, inf) or None, default=None
        How many terms to keep: those that occur most.
    vocabulary : mapping, iterable or None, default=None
        The terms, if they are known: term → column, or in the order of the columns.
    binary : bool, default=False
        Whether to put 1 in place of each count, before terms are weighted.
    dtype : dtype, default=numpy.float64
        Of the weights: float64 or float32.
    norm : {"l1", "l2"} or None, default="l2"
        The norm that each row has.
    use_idf : bool, default=True
        Whether rare terms weigh more.
    smooth_idf : bool, default=True
        Whether to count one more document, which has every term.
    sublinear_tf : bool, default=False
        Whether to put 1 + log tf in place of tf.
    strip_html : bool, default=False
        Whether to take the text out of HTML first (see `strip_html`).

    Attributes
    ----------
    vocabulary_ : dict
        Term → column.
    fixed_vocabulary_ : bool
        Whether the vocabulary was given.
    idf_ : array of shape (n_terms,)
        Weight of each term, if `use_idf`.

    Examples
    --------
    >>> documents = ["The cat sat.", "The cat saw the dog!"]
    >>> vectorizer = TfidfVectorizer(norm=None)
    >>> vectorizer.fit_transform(documents).toarray().round(2)
    array([[1.  , 0.  , 1.41, 0.  , 1.  ],
           [1.  , 1.41, 0.  , 1.41, 2.  ]])
    >>> dict(zip(vectorizer.get_feature_names_out(), vectorizer.idf_.round(2).tolist()))
    {'cat': 1.0, 'dog': 1.41, 'sat': 1.41, 'saw': 1.41, 'the': 1.0}

    References
    ----------
    Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, Cambridge, ch. 6.
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
        analyzer: Analyzer = "word",
        stop_words: StopWords = None,
        token_pattern: str | None = TOKEN_PATTERN,
        ngram_range: NgramRange = (1, 1),
        max_df: Share = 1.0,
        min_df: Share = 1,
        max_features: Annotated[int, Interval(1, inf)] | None = None,
        vocabulary: Vocabulary = None,
        binary: bool = False,
        dtype: Dtype = np.float64,
        norm: Norm = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        strip_html: bool = False,
    ) -> None:
        super().__init__(
            input=input,
            encoding=encoding,
            decode_error=decode_error,
            strip_accents=strip_accents,
            lowercase=lowercase,
            preprocessor=preprocessor,
            tokenizer=tokenizer,
            analyzer=analyzer,
            stop_words=stop_words,
            token_pattern=token_pattern,
            ngram_range=ngram_range,
            max_df=max_df,
            min_df=min_df,
            max_features=max_features,
            vocabulary=vocabulary,
            binary=binary,
            dtype=dtype,
            strip_html=strip_html,
        )
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    @property
    def idf_(self) -> NDArray[Any]:
        """Weight of each term."""
        if not hasattr(self, "_tfidf"):
            raise joined(NotFittedError)(
                f"{type(self).__name__} is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this attribute."
            )
        return self._tfidf.idf_

    @idf_.setter
    def idf_(self, value: Any) -> None:
        self._need_vocabulary()
        if not self.use_idf:
            raise InvalidParameterError(
                f"{type(self).__name__}: `idf_` cannot be set when `use_idf=False`: these weights "
                "would not be used; set use_idf=True first."
            )
        weights = np.asarray(value, dtype=np.float64)
        if weights.shape != (len(self.vocabulary_),):
            raise InvalidDataError(
                f"idf length = {weights.size} must be equal to vocabulary size = "
                f"{len(self.vocabulary_)}"
            )
        self._tfidf = self._weighting()
        self._tfidf.idf_ = weights

    def _weighting(self) -> TfidfTransformer:
        return TfidfTransformer(
            norm=self.norm,
            use_idf=self.use_idf,
            smooth_idf=self.smooth_idf,
            sublinear_tf=self.sublinear_tf,
        )

    def _learn(self, frequencies: DocumentFrequencies) -> None:
        self._tfidf = self._weighting()
        self._tfidf._store(frequencies, np.dtype(self.dtype))

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learn the terms and their weights.

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
        self._warn_of_dtype()
        self._learn(self._fit_counts(raw_documents)[1])
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        self._warn_of_dtype()
        self._learn(self._stream_frequencies(stream))
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn the terms and their weights, and weigh the documents, in one reading.

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
        self._warn_of_dtype()
        matrix, frequencies = self._fit_counts(raw_documents)
        self._learn(frequencies)
        return self._weighed(matrix)

    def transform(self, raw_documents: Any) -> Any:
        """Weigh the terms of documents.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, files or file names
            Documents.

        Returns
        -------
        csr_matrix of shape (n, n_terms)
        """
        if not hasattr(self, "_tfidf"):
            raise joined(NotFittedError)("The TF-IDF vectorizer is not fitted; call fit first.")
        return self._weighed(super().transform(raw_documents))

    def _weighed(self, matrix: Any) -> Any:
        if matrix.dtype not in (np.float64, np.float32):
            matrix = matrix.astype(np.float64)
        # the switches may have been set since fit
        self._tfidf.set_params(**self._weighting().get_params())
        self._tfidf._weigh(matrix)
        return matrix

    def _warn_of_dtype(self) -> None:
        self._check_parameters()
        if np.dtype(self.dtype) not in (np.float64, np.float32):
            warnings.warn(
                f"Only float64 and float32 'dtype' should be used. {self.dtype} 'dtype' will be "
                "converted to np.float64.",
                StylobateWarning,
                stacklevel=3,
            )
