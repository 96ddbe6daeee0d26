"""Nyström's map: a kernel as seen from some of the points."""

from __future__ import annotations

import warnings
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.base import BaseEstimator, Interval, RandomState, Tags, TransformerMixin
from stylobate.base.constraints import CallableObject, Instance, Options
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    FormulaError,
    InvalidParameterError,
    NumericalError,
    StylobateWarning,
)
from stylobate.interrupts import interruptible
from stylobate.kernels import Kernel
from stylobate.parallel import blas_for, product_of_rows
from stylobate.splits.splitter import generator

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

_NAMES = (
    "additive_chi2", "chi2", "cosine", "laplacian", "linear", "poly", "polynomial",
    "precomputed", "rbf", "sigmoid",
)  # fmt: skip


class Nystroem(TransformerMixin, BaseEstimator):
    r"""Coordinates of a kernel's features in the span of m of the points.

    .. math:: z(x) = K_{mm}^{-1/2}\,\big(\kappa(x, x_1), \ldots, \kappa(x, x_m)\big)^T

    On the m points, drawn at random, the inner products are exact.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        A name that `pairwise_kernels` knows, a value of `stylobate.kernels`, or a function of two
        rows.
    gamma : float in [0, inf) or None, default=None
        Parameter of the named kernel.
    coef0 : float or None, default=None
        Parameter of the named kernel.
    degree : float in [1, inf) or None, default=None
        Parameter of the named kernel.
    kernel_params : dict or None, default=None
        Further arguments of a callable.
    n_components : int in [1, inf), default=100
        m.
    random_state : int, RandomState or None, default=None
        Seed; the same points as scikit-learn's.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        The points drawn.
    component_indices_ : array of shape (n_components,)
        Their places among the rows of the fit.
    normalization_ : array of shape (n_components, n_components)
        :math:`K_{mm}^{-1/2}`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.kernels import RBF, Linear
    >>> x = np.random.default_rng(0).normal(size=(60, 3))
    >>> kernel = RBF(gamma=0.1) + Linear()
    >>> z = Nystroem(kernel, n_components=60, random_state=0).fit_transform(x)
    >>> np.allclose(z @ z.T, kernel(x), atol=1e-6)
    True

    References
    ----------
    Williams & Seeger (2001), Using the Nyström method to speed up kernel machines, NeurIPS 13.
    """

    def __init__(
        self,
        kernel: Annotated[str, Options(*_NAMES)]
        | Annotated[Any, Instance(Kernel)]
        | Annotated[Any, CallableObject()] = "rbf",
        *,
        gamma: Annotated[float, Interval(0, inf)] | None = None,
        coef0: Annotated[float, Interval(-inf, inf)] | None = None,
        degree: Annotated[float, Interval(1, inf)] | None = None,
        kernel_params: Annotated[Any, Instance(dict)] | None = None,
        n_components: Annotated[int, Interval(1, inf)] = 100,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.kernel_params = kernel_params
        self.n_components = n_components
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, preserves_dtype=("float64", "float32"))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the points and take the root of their Gram matrix.

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
        n = table.x.shape[0]
        if self.n_components > n:
            warnings.warn(
                f"n_components > n_samples. This is not possible.\nn_components was set to "
                f"n_samples, {n}: the whole kernel is computed.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        count = min(self.n_components, n)
        self.component_indices_ = generator(self.random_state).permutation(n)[:count]
        rows = table.x.tocsr() if table.is_sparse else table.x
        self.components_ = rows[self.component_indices_]
        gram = self._kernel(self.components_, None)
        if not np.isfinite(gram).all():
            raise NumericalError(
                "Nystroem: the kernel of these rows is not finite; scale the columns first."
            )
        with blas_for(count):
            left, sizes, right = interruptible(np.linalg.svd, gram)
            sizes = np.maximum(sizes, 1e-12)
            root = left / np.sqrt(sizes) @ right
        self.normalization_ = root.astype(table.x.dtype, copy=False)
        self._n_features_out = count
        return self

    def _kernel(self, X: Any, Y: Any | None) -> Any:
        if isinstance(self.kernel, Kernel):
            self._refuse_parameters(self.kernel_params)
            return self.kernel(X, Y)
        from stylobate.metrics.pairwise import pairwise_kernels

        if callable(self.kernel):
            self._refuse_parameters(None)
            parameters = self.kernel_params or {}
        else:
            named = {"gamma": self.gamma, "coef0": self.coef0, "degree": self.degree}
            parameters = {name: value for name, value in named.items() if value is not None}
        return pairwise_kernels(X, Y, metric=self.kernel, filter_params=True, **parameters)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.maps import gaussian_functions
        from stylobate.formula.pieces import weighted

        if not isinstance(self.kernel, str) or self.kernel != "rbf":
            raise FormulaError(
                f"Nystroem: the kernel {self.kernel!r} has no formula in SQL or ONNX; kernel='rbf' "
                "has, and so has RBFSampler."
            )
        points = self.components_
        points = points.toarray() if hasattr(points, "toarray") else points
        rate = 1.0 / self.n_features_in_ if self.gamma is None else float(self.gamma)
        gaussians = gaussian_functions(columns, points, rate)
        return [weighted(gaussians, row) for row in self.normalization_]

    def _refuse_parameters(self, further: Any) -> None:
        given = [name for name in ("gamma", "coef0", "degree") if getattr(self, name) is not None]
        if given or further:
            raise InvalidParameterError(
                "Don't pass gamma, coef0 or degree to Nystroem if using a callable or precomputed "
                "kernel: it has its parameters already."
            )

    def transform(self, X: Any) -> Any:
        """The coordinates of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        embedded = self._kernel(table.x, self.components_)
        return self._wrap(product_of_rows(embedded, self.normalization_.T), table)
