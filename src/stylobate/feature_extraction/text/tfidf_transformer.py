"""Counts to tf-idf weights."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.data.streams import Stream
from stylobate.exceptions import ModelFileError
from stylobate.feature_extraction.text.frequencies import DocumentFrequencies
from stylobate.feature_extraction.text.parameters import Norm


class TfidfTransformer(TransformerMixin, BaseEstimator):
    r"""Counts of terms, weighted by how rare each term is.

    :math:`\mathrm{tf}_{d,t}\,(1 + \log\frac{n + s}{\mathrm{df}_t + s})`, each row then divided by
    its norm; df is the number of documents with the term, s = 1 if `smooth_idf`, else 0.

    Parameters
    ----------
    norm : {"l1", "l2"} or None, default="l2"
        The norm that each row has afterwards.
    use_idf : bool, default=True
        Whether rare terms weigh more.
    smooth_idf : bool, default=True
        Whether to count one more document, which has every term.
    sublinear_tf : bool, default=False
        Whether to put 1 + log tf in place of tf.

    Attributes
    ----------
    idf_ : array of shape (n_features,)
        Weight of each term, if `use_idf`.
    statistic_ : DocumentFrequencies
        What the weights were computed from; mergeable.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[3, 0], [2, 0], [3, 1]])
    >>> TfidfTransformer(norm=None).fit_transform(counts).toarray().round(2)
    array([[3.  , 0.  ],
           [2.  , 0.  ],
           [3.  , 1.69]])

    References
    ----------
    Spärck Jones (1972), A statistical interpretation of term specificity and its application in
    retrieval, Journal of Documentation 28.
    """

    def __init__(
        self,
        *,
        norm: Norm = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
    ) -> None:
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(sparse=True, tier="one pass", preserves_dtype=("float64", "float32"))
        )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the weights of the terms.

        Parameters
        ----------
        X : array-like or sparse of shape (n, n_features)
            Counts.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        self._store(DocumentFrequencies.of(table), table.x.dtype)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        self._check_parameters()
        self._store(self._source(stream).compute(DocumentFrequencies), np.dtype(np.float64))
        return self

    def _store(self, frequencies: DocumentFrequencies, dtype: np.dtype[Any]) -> None:
        """Keep the statistic and the weights that follow from it."""
        self.statistic_ = frequencies
        if self.use_idf:
            kind = dtype if dtype == np.float32 else np.dtype(np.float64)
            self.idf_ = frequencies.idf(smooth=self.smooth_idf).astype(kind)
        elif hasattr(self, "idf_"):
            del self.idf_

    def transform(self, X: Any, copy: bool = True) -> Any:
        """The weights of the terms in each document.

        Parameters
        ----------
        X : array-like or sparse of shape (n, n_features)
            Counts.
        copy : bool, default=True
            False allows to write into X where it is a CSR matrix of floats.

        Returns
        -------
        csr_matrix of shape (n, n_features)
        """
        from scipy import sparse

        self._check_fitted()
        table = self._read(X, reset=False)
        matrix = sparse.csr_matrix(table.x, copy=copy)
        if not copy and not matrix.data.flags.writeable:
            matrix = matrix.copy()
        self._weigh(matrix)
        return self._wrap(matrix, table)

    def _check_loaded(self) -> None:
        """Refuse a file without a weight for each term."""
        if self.use_idf and "statistic_" in vars(self):
            idf: Any = vars(self).get("idf_")
            count = vars(self).get("n_features_in_", np.size(idf))
            if not isinstance(idf, np.ndarray) or idf.shape != (count,):
                raise ModelFileError("The TfidfTransformer of the file lacks weights of its terms.")

    def _weigh(self, matrix: Any) -> None:
        """Write the weights into a CSR matrix of floats."""
        idf: NDArray[Any] | None = self.idf_ if self.use_idf else None
        if idf is not None:
            idf = np.ascontiguousarray(idf, dtype=matrix.data.dtype)
        _core.weigh_rows(
            matrix.indptr, matrix.indices, matrix.data, idf, self.sublinear_tf, self.norm or "none"
        )
