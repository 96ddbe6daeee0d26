"""Kernel matrices about the mean of the feature space."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.exceptions import InvalidDataError


class KernelCenterer(TransformerMixin, BaseEstimator):
    r"""Centre a kernel matrix without knowing the features it is of.

    .. math:: \tilde K = K - 1 K / n - K 1 / n + 1 K 1 / n^2

    Attributes
    ----------
    K_fit_rows_ : array of shape (n,)
        Means of the columns of the kernel matrix.
    K_fit_all_ : float
        Its mean.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> KernelCenterer().fit_transform([[2.0, 0.0], [0.0, 2.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    def _tags(self) -> Tags:
        return super()._tags().but(pairwise=True, preserves_dtype=("float64", "float32"))

    def fit(self, K: Any, y: Any = None) -> Self:
        """Learn the means.

        Parameters
        ----------
        K : array-like of shape (n, n)
            Kernel of the rows with each other.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        table = self._read(K, reset=True)
        if table.n_rows != table.n_features:
            raise InvalidDataError(
                "KernelCenterer: Kernel matrix must be a square matrix. Input is a "
                f"{table.n_rows}x{table.n_features} matrix."
            )
        self.K_fit_rows_ = table.x.mean(axis=0, dtype=np.float64)
        self.K_fit_all_ = float(self.K_fit_rows_.mean())
        self._n_features_out = table.n_features
        return self

    def transform(self, K: Any, copy: bool = True) -> Any:
        """Centre a kernel matrix of other rows with those of `fit`.

        Parameters
        ----------
        K : array-like of shape (m, n)
            Kernel of the rows with those of `fit`.
        copy : bool, default=True
            Whether to leave K alone.

        Returns
        -------
        array or frame of shape (m, n)
        """
        self._check_fitted()
        table = self._read(K, reset=False)
        own = table.x.mean(axis=1, dtype=np.float64)[:, None]
        out = table.x.copy() if copy or not table.x.flags.writeable else table.x
        np.subtract(out, self.K_fit_rows_, out=out, casting="same_kind")
        np.subtract(out, own - self.K_fit_all_, out=out, casting="same_kind")
        return self._wrap(out, table)
