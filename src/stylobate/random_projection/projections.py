"""Random projections: fewer columns that keep distances, without a look at the data."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from math import inf, sqrt
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.base import BaseEstimator, Interval, Options, RandomState, Tags, TransformerMixin
from stylobate.data import read_table, wrap_output
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    DataDimensionalityWarning,
    InvalidDataError,
    InvalidParameterError,
    joined,
)
from stylobate.interrupts import interruptible
from stylobate.random_projection.bound import johnson_lindenstrauss_min_dim
from stylobate.splits.splitter import generator

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class RandomProjection(TransformerMixin, BaseEstimator, ABC):
    """What random projections share: the number of directions, the map and its way back."""

    n_components: Any
    eps: Any
    compute_inverse_components: bool
    random_state: Any
    components_: Any

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    @abstractmethod
    def _draw(self, k: int, p: int) -> Any:
        """The directions, k × p."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the directions; of X only its shape and type count.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        self.n_components_ = self._count(*table.x.shape)
        drawn = self._draw(self.n_components_, table.n_features)
        self.components_ = drawn.astype(table.x.dtype, copy=False)
        if self.compute_inverse_components:
            self.inverse_components_ = self._inverse()
        return self

    def _count(self, n: int, p: int) -> int:
        if self.n_components != "auto":
            if self.n_components > p:
                warnings.warn(
                    "The number of components is higher than the number of features: n_features < "
                    f"n_components ({p} < {self.n_components}). The dimensionality of the problem "
                    "will not be reduced.",
                    joined(DataDimensionalityWarning),
                    stacklevel=user_stacklevel(),
                )
            return int(self.n_components)
        k = int(johnson_lindenstrauss_min_dim(n, eps=self.eps))
        told = f"eps={self.eps:f} and n_samples={n} lead to a target dimension of {k} which is"
        if k <= 0:
            raise InvalidParameterError(f"{type(self).__name__}: {told} invalid")
        if k > p:
            raise InvalidParameterError(
                f"{type(self).__name__}: {told} larger than the original space with n_features={p}"
            )
        return k

    def _inverse(self) -> Any:
        from scipy import linalg

        return interruptible(linalg.pinv, _dense(self.components_), check_finite=False)

    def transform(self, X: Any) -> Any:
        """The projections of rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array, sparse matrix or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(self._projected(table.x), table)

    def _projected(self, x: Any) -> Any:
        return x @ self.components_.T

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import weighted

        return [weighted(columns, row) for row in _dense(self.components_)]

    def inverse_transform(self, X: Any) -> Any:
        """The shortest rows whose projections are X.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_components)
            Projections.

        Returns
        -------
        array or frame of shape (n, n_features)
            Dense, also for sparse X.
        """
        self._check_fitted()
        table = read_table(X, owner=type(self).__name__, accept_sparse=True)
        if table.n_features != self.n_components_:
            raise InvalidDataError(
                f"{type(self).__name__}.inverse_transform: X has {table.n_features} columns; there "
                f"are {self.n_components_} components."
            )
        inverse = self.inverse_components_ if self.compute_inverse_components else self._inverse()
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{j}" for j in range(self.n_features_in_)]
        return wrap_output(table.x @ inverse.T, origin=table.origin, columns=list(names))


class GaussianRandomProjection(RandomProjection):
    r"""Projection onto directions of independent normal numbers, :math:`N(0, 1/k)`.

    Parameters
    ----------
    n_components : int in [1, inf) or "auto", default="auto"
        k; "auto": what Johnson and Lindenstrauss's bound asks for.
    eps : float in (0, inf), default=0.1
        Largest relative error of squared distances, for "auto".
    compute_inverse_components : bool, default=False
        Whether `fit` keeps the pseudo-inverse for `inverse_transform`.
    random_state : int, RandomState or None, default=None
        Seed; the same directions as scikit-learn's.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
    inverse_components_ : array of shape (n_features, n_components)
    n_components_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.RandomState(0).normal(size=(20, 3000))
    >>> z = GaussianRandomProjection(eps=0.3, random_state=1).fit_transform(x)
    >>> z.shape
    (20, 332)
    >>> bool(abs(np.sum((z[0] - z[1]) ** 2) / np.sum((x[0] - x[1]) ** 2) - 1) < 0.3)
    True

    References
    ----------
    Dasgupta & Gupta (2003), An elementary proof of a theorem of Johnson and Lindenstrauss, Random
    Structures & Algorithms 22.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] | Annotated[str, Options("auto")] = "auto",
        *,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 0.1,
        compute_inverse_components: bool = False,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.eps = eps
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state

    def _draw(self, k: int, p: int) -> Any:
        return generator(self.random_state).normal(0.0, 1.0 / sqrt(k), size=(k, p))


class SparseRandomProjection(RandomProjection):
    r"""Projection onto directions whose entries are mostly 0.

    With :math:`s = 1/\text{density}`, entries are :math:`\pm\sqrt{s/k}` with probability
    :math:`1/2s` each, else 0.

    Parameters
    ----------
    n_components : int in [1, inf) or "auto", default="auto"
        k; "auto": what Johnson and Lindenstrauss's bound asks for.
    density : float in (0, 1] or "auto", default="auto"
        Share of entries that are not 0; "auto": :math:`1/\sqrt{p}`; 1/3 is Achlioptas's choice.
    eps : float in (0, inf), default=0.1
        Largest relative error of squared distances, for "auto".
    dense_output : bool, default=False
        Whether projections of sparse rows are dense.
    compute_inverse_components : bool, default=False
        Whether `fit` keeps the pseudo-inverse for `inverse_transform`.
    random_state : int, RandomState or None, default=None
        Seed.

    Attributes
    ----------
    components_ : CSR matrix of shape (n_components, n_features)
        An array if the density is 1.
    inverse_components_ : array of shape (n_features, n_components)
    density_ : float
    n_components_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.RandomState(0).normal(size=(20, 2500))
    >>> model = SparseRandomProjection(eps=0.3, random_state=0).fit(x)
    >>> model.transform(x).shape, model.density_
    ((20, 332), 0.02)

    References
    ----------
    Li, Hastie & Church (2006), Very sparse random projections, KDD.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] | Annotated[str, Options("auto")] = "auto",
        *,
        density: Annotated[float, Interval(0, 1, closed="right")]
        | Annotated[str, Options("auto")] = "auto",
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 0.1,
        dense_output: bool = False,
        compute_inverse_components: bool = False,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.density = density
        self.eps = eps
        self.dense_output = dense_output
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state

    def _draw(self, k: int, p: int) -> Any:
        self.density_ = float(1.0 / np.sqrt(p) if self.density == "auto" else self.density)
        draws = generator(self.random_state)
        if self.density_ == 1.0:
            return (draws.binomial(1, 0.5, (k, p)) * 2 - 1) / sqrt(k)
        from scipy.sparse import csr_array

        at = _chosen_cells(draws, k * p, self.density_)
        signs = draws.binomial(1, 0.5, size=len(at)) * 2 - 1
        offsets = np.searchsorted(at, np.arange(k + 1) * p)
        values = signs * (sqrt(1.0 / self.density_) / sqrt(k))
        return csr_array((values, at % p, offsets), shape=(k, p))

    def _projected(self, x: Any) -> Any:
        found = super()._projected(x)
        return _dense(found) if self.dense_output else found


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


def _chosen_cells(draws: Any, count: int, density: float) -> Any:
    """Cells that are each chosen with the same probability: the gaps between them are geometric."""
    found = [np.empty(0, dtype=np.int64)]
    last = -1
    while last < count - 1:
        expected = (count - last) * density
        size = int(expected + 4.0 * sqrt(expected) + 16.0)
        steps = last + np.cumsum(draws.geometric(density, size=size))
        found.append(steps[steps < count])
        last = int(steps[-1])
    return np.concatenate(found)
