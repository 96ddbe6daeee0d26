"""Gram matrices of centred features, as a step of a pipeline."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.exceptions import InvalidDataError


class KernelCenterer(TransformerMixin, BaseEstimator):
    r"""Centre the features behind a Gram matrix: :math:`HKH` with :math:`H = I - \frac1n 11^T`.

    Attributes
    ----------
    K_fit_rows_ : array of shape (n,)
        Mean of each column of the Gram matrix of the fit.
    K_fit_all_ : float
        Its mean.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0], [2.0], [6.0]])
    >>> np.allclose(KernelCenterer().fit_transform(x @ x.T), (x - 3.0) @ (x - 3.0).T)
    True

    References
    ----------
    Schölkopf, Smola & Müller (1998), Nonlinear component analysis as a kernel eigenvalue problem,
    Neural Computation 10.
    """

    K_fit_rows_: Array
    K_fit_all_: float

    def __init__(self) -> None:
        pass

    def _tags(self) -> Tags:
        return super()._tags().but(pairwise=True, preserves_dtype=("float64", "float32"))

    def fit(self, K: Any, y: Any = None) -> Self:
        """Learn the means of the Gram matrix.

        Parameters
        ----------
        K : array-like or data frame of shape (n, n)
            κ among the points.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        table = self._read(K, reset=True)
        n, columns = table.x.shape
        if n != columns:
            raise InvalidDataError(
                "Kernel matrix must be a square matrix. Input is a "
                f"{n}x{columns} matrix; pass the kernel of the points with themselves."
            )
        self.K_fit_rows_ = np.asarray(table.x).mean(axis=0)
        self.K_fit_all_ = float(self.K_fit_rows_.mean())
        self._n_features_out = columns
        return self

    def transform(self, K: Any, copy: bool = True) -> Any:
        """Centre the Gram matrix of points with those of the fit.

        Parameters
        ----------
        K : array-like or data frame of shape (m, n)
            κ between m points and the n of the fit.
        copy : bool, default=True
            Whether to leave the caller's array alone.

        Returns
        -------
        array or frame of shape (m, n)
        """
        self._check_fitted()
        table = self._read(K, reset=False)
        out = table.x.copy() if copy or not table.x.flags.writeable else table.x
        rows = out.mean(axis=1, keepdims=True)
        out -= self.K_fit_rows_.astype(out.dtype, copy=False)
        out -= rows
        out += out.dtype.type(self.K_fit_all_)
        return self._wrap(out, table)
