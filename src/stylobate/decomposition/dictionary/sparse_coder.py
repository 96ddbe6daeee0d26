"""Codes over a dictionary that is given."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, Numbers, Tags
from stylobate.data import read_table
from stylobate.decomposition.dictionary.sparse_encode import refuse_shapes
from stylobate.decomposition.dictionary.sparse_transform import (
    Algorithm,
    Count,
    Penalty,
    SparseTransform,
)

_INF = float("inf")


class SparseCoder(SparseTransform):
    r"""Write rows as sums of few atoms of a given dictionary, :math:`x \approx cD`.

    Nothing is learnt: `fit` only checks. The codes are those of `sparse_encode`.

    Parameters
    ----------
    dictionary : array-like of shape (n_components, n_features)
        D; atoms best have length 1.
    transform_algorithm : {"lasso_lars", "lasso_cd", "lars", "omp", "threshold"}, default="omp"
        How codes are found; see `sparse_encode`.
    transform_n_nonzero_coefs : int in [1, inf), optional
        Atoms of a code, of "lars" and "omp"; None: a tenth of the features.
    transform_alpha : float in [0, inf), optional
        Penalty of the lasso, or the threshold; None: 1.
    split_sign : bool, default=False
        Whether positive and negative parts become columns of their own.
    n_jobs : int, optional
        Accepted for compatibility; threads are those of the core.
    positive_code : bool, default=False
        Whether codes are kept non-negative.
    transform_max_iter : int in [0, inf), default=1000
        Epochs of the lasso at most.

    Attributes
    ----------
    n_components_ : int
        Atoms.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> coder = SparseCoder(np.eye(3), transform_n_nonzero_coefs=1)
    >>> coder.transform(np.array([[0.1, 2.0, 0.3]]))
    array([[0., 2., 0.]])

    References
    ----------
    Mallat & Zhang (1993), Matching pursuits with time-frequency dictionaries, IEEE Transactions
    on Signal Processing 41.
    """

    def __init__(
        self,
        dictionary: Annotated[Any, Numbers(ndim=2)],
        *,
        transform_algorithm: Algorithm = "omp",
        transform_n_nonzero_coefs: Count | None = None,
        transform_alpha: Penalty | None = None,
        split_sign: bool = False,
        n_jobs: int | None = None,
        positive_code: bool = False,
        transform_max_iter: Annotated[int, Interval(0, _INF)] = 1000,
    ) -> None:
        self.dictionary = dictionary
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.split_sign = split_sign
        self.n_jobs = n_jobs
        self.positive_code = positive_code
        self.transform_max_iter = transform_max_iter

    _for_given_columns = True  # no dictionary fits the tables of all checks

    def _tags(self) -> Tags:
        return super()._tags().but(requires_fit=False)

    def _atoms(self) -> Any:
        return np.asarray(self.dictionary)

    def _check_fitted(self) -> None:
        """There is nothing to fit; what is used is checked instead."""
        self._check_parameters()

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns `transform` returns: ``sparsecoder0``, ``sparsecoder1``, …

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; compared with those seen at `fit`.

        Returns
        -------
        ndarray of str objects
            One name per column.
        """
        if hasattr(self, "n_features_in_"):
            return super().get_feature_names_out(input_features)
        names = [f"sparsecoder{j}" for j in range(self._n_features_out)]
        return np.array(names, dtype=object)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters and the columns.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        refuse_shapes(table.x, self._atoms(), "SparseCoder")
        self.n_components_ = len(self._atoms())
        return self

    def transform(self, X: Any) -> Any:
        """The codes of rows, by ``transform_algorithm``.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_components), or twice as wide with ``split_sign``
        """
        self._check_fitted()
        fitted = hasattr(self, "n_features_in_")
        table = (
            self._read(X, reset=False)
            if fitted
            else read_table(X, owner="SparseCoder", accept_sparse=False)
        )
        refuse_shapes(table.x, self._atoms(), "SparseCoder")
        return self._wrap(self._codes(table.x), table)
