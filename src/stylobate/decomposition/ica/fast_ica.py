"""Independent component analysis by FastICA."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import (
    BaseEstimator,
    Interval,
    Numbers,
    Options,
    RandomState,
    Tags,
    TransformerMixin,
)
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.decomposition.ica import fixed_point
from stylobate.decomposition.ica.whitening import Whitening, whitened
from stylobate.decomposition.projection import centred_map, projected, read_scores, wrap_rows
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidParameterError,
    StylobateWarning,
    joined,
)
from stylobate.parallel import blas_for
from stylobate.splits.splitter import generator

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class FastICA(TransformerMixin, BaseEstimator):
    r"""Separate mixed signals: the directions whose scores are least like Gaussian noise.

    Rows are mixtures :math:`x = As + m` of independent sources s, at most one of them Gaussian.
    White rows :math:`z = K(x - m)` leave a rotation open; each direction of it is a fixed point of

    .. math:: w \leftarrow \overline{z\,g(w^\top z)} - \overline{g'(w^\top z)}\,w

    followed by orthogonalisation. Sources come back up to order, sign and size.

    Parameters
    ----------
    n_components : int in [1, inf), optional
        How many; None: as many as there are rows or columns.
    algorithm : {"parallel", "deflation"}, default="parallel"
        All directions at once, or one after the other.
    whiten : {"unit-variance", "arbitrary-variance"} or False, default="unit-variance"
        Whether rows are made white first, and how sources are scaled; False: they are white.
    fun : {"logcosh", "exp", "cube"} or callable, default="logcosh"
        The contrast; a callable returns g and the means of g′ over the last axis.
    fun_args : dict, optional
        Arguments of `fun`; of "logcosh" alpha in [1, 2].
    max_iter : int in [1, inf), default=200
        Steps at most.
    tol : float in [0, inf), default=1e-4
        Change :math:`\max_j |1 - |w_j^\top w_j'||` at which the steps end.
    w_init : array-like of shape (n_components, n_components), optional
        Where the rotation starts; None: drawn at random.
    whiten_solver : {"eigh", "svd"}, default="svd"
        From the covariance, or from the singular values of the rows. Tall, well-conditioned rows
        are whitened from the covariance either way, to the same digits.
    random_state : int, RandomState or None, default=None
        Seed of the start.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        From centred rows to sources.
    mixing_ : array of shape (n_features, n_components)
        From sources to rows: the pseudo-inverse of components_.
    mean_ : array of shape (n_features,)
        Where rows were whitened.
    whitening_ : array of shape (n_components, n_features)
        K, where rows were whitened.
    n_iter_ : int
        Steps; of "deflation" the most of a direction.
    change_ : float
        Change of the last step: how far the directions are from a fixed point.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> sources = rng.uniform(-1.0, 1.0, size=(500, 2))
    >>> x = sources @ np.array([[1.0, 0.5], [0.3, 1.0]])
    >>> found = FastICA(random_state=0).fit_transform(x)
    >>> np.abs(np.corrcoef(found.T, sources.T)[:2, 2:]).max(axis=1).round(2)
    array([1., 1.])

    References
    ----------
    Hyvärinen & Oja (2000), Independent component analysis: algorithms and applications, Neural
    Networks 13.
    """

    _unmixing: Array

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] | None = None,
        *,
        algorithm: Annotated[str, Options("parallel", "deflation")] = "parallel",
        whiten: Annotated[str | bool, Options("unit-variance", "arbitrary-variance", False)] = (
            "unit-variance"
        ),
        fun: Annotated[str, Options("logcosh", "exp", "cube")] | Callable[..., Any] = "logcosh",
        fun_args: dict[str, Any] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 200,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        w_init: Annotated[Any, Numbers(ndim=2)] | None = None,
        whiten_solver: Annotated[str, Options("eigh", "svd")] = "svd",
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.whiten = whiten
        self.fun = fun
        self.fun_args = fun_args
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.whiten_solver = whiten_solver
        self.random_state = random_state

    def _tags(self) -> Tags:
        return super()._tags().but(preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the independent components.

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
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the independent components and return the sources.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        table = self._learn(X)
        return self._wrap(self._sources(table.x), table)

    def transform(self, X: Any, copy: bool = True) -> Any:
        """The sources of rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        copy : bool, default=True
            Accepted for compatibility; X is never written to.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(self._sources(table.x), table)

    def inverse_transform(self, X: Any, copy: bool = True) -> Any:
        """The rows that sources mix to.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_components)
            Sources.
        copy : bool, default=True
            Accepted for compatibility; X is never written to.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        table = read_scores(self, X)
        rows = table.x @ self.mixing_.T
        if self.whiten:
            rows = rows + self.mean_
        return wrap_rows(self, rows, table)

    def _sources(self, x: Any) -> Any:
        return projected(x, self.components_, self.mean_ if self.whiten else None)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        mean = self.mean_ if self.whiten else np.zeros(len(columns))
        return centred_map(columns, self.components_, mean)

    # --- learning -------------------------------------------------------------------------------

    def _learn(self, X: Any) -> Table:
        self._check_parameters()
        table = self._read(X, reset=True, min_rows=2)
        arguments = self._arguments()
        k = self._count(table)
        whitening = whitened(table, k, self.whiten_solver) if self.whiten else None
        z = table.x.T if whitening is None else whitening.white
        start = self._start(len(z))
        step = fixed_point.contrast_step(fixed_point.WhiteRows.of(z), self.fun, arguments)
        method = fixed_point.parallel if self.algorithm == "parallel" else fixed_point.deflation
        found = method(step, start, self.tol, self.max_iter)
        if not found.converged and self.algorithm == "parallel":
            warnings.warn(
                f"FastICA: FastICA did not converge. Consider increasing tolerance or the maximum "
                f"number of iterations. (After {found.n_iter} steps the directions still change "
                f"by {found.change:.2g}; tol is {self.tol:g}.)",
                joined(ConvergenceWarning),
                stacklevel=user_stacklevel(),
            )
        self._store(found, whitening, table)
        return table

    def _store(
        self, found: fixed_point.FixedPoint, whitening: Whitening | None, table: Table
    ) -> None:
        kind = table.x.dtype
        w = found.directions
        if whitening is None:
            components = w
        else:
            if self.whiten == "unit-variance":
                # of white rows every direction has variance 1, before the map is scaled by √n
                with blas_for(len(w), of_numpy=True):
                    sizes = np.std(w @ whitening.white, axis=1) / np.sqrt(table.n_rows)
                w = w / np.where(sizes > 0.0, sizes, 1.0)[:, np.newaxis]
            components = w @ whitening.matrix
            self.mean_ = whitening.mean.astype(kind)
            self.whitening_ = whitening.matrix.astype(kind)
        self.components_ = components.astype(kind)
        rounding = max(components.shape) * float(np.finfo(np.float64).eps)
        self.mixing_ = np.linalg.pinv(components, rcond=rounding).astype(kind)
        self._unmixing = w.astype(kind)
        self.n_iter_ = found.n_iter
        self.change_ = found.change

    def _arguments(self) -> dict[str, Any]:
        arguments = {} if self.fun_args is None else self.fun_args
        if not 1 <= arguments.get("alpha", 1.0) <= 2:
            raise InvalidParameterError(
                f"FastICA: alpha must be in [1,2], got {arguments['alpha']!r}."
            )
        return arguments

    def _count(self, table: Table) -> int:
        most = int(min(table.x.shape))
        wanted = self.n_components
        if wanted is not None and not self.whiten:
            _warn("Ignoring n_components with whiten=False.")
            wanted = None
        if wanted is not None and wanted > most:
            _warn(f"n_components is too large: it will be set to {most}")
        return most if wanted is None else min(int(wanted), most)

    def _start(self, k: int) -> Array:
        if self.w_init is None:
            return np.asarray(generator(self.random_state).normal(size=(k, k)))
        start = np.asarray(self.w_init, dtype=np.float64)
        if start.shape != (k, k):
            raise InvalidParameterError(
                f"FastICA: w_init has invalid shape -- should be {(k, k)}, got {start.shape}."
            )
        return start


def _warn(what: str) -> None:
    warnings.warn(f"FastICA: {what}", StylobateWarning, stacklevel=user_stacklevel())
