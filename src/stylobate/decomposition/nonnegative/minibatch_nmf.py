"""Non-negative matrix factorization from small batches of rows."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, RandomState
from stylobate.data import Table
from stylobate.decomposition.incremental_pca import batches
from stylobate.decomposition.nonnegative.base import (
    Components,
    Init,
    Loss,
    NonnegativeFactors,
    Positive,
    Share,
    SharedStrength,
    Strength,
    Verbosity,
)
from stylobate.decomposition.nonnegative.minibatch_steps import BatchMonitor, ComponentSums
from stylobate.decomposition.nonnegative.problem import FactorizationProblem
from stylobate.decomposition.nonnegative.solvers import clear_tiny, multiply
from stylobate.parallel import one_blas_thread


class MiniBatchNMF(NonnegativeFactors):
    r"""`NMF` by multiplicative steps from some rows at a time, for tables that are long.

    A step updates W of its rows, then H from sums that forget older batches:

    .. math:: A \leftarrow ϱA + H \circ \text{up},\quad B \leftarrow ϱB + \text{down},\quad
        H \leftarrow A / B

    with :math:`ϱ = \text{forget\_factor}^{\text{batch}/n}`.

    Parameters
    ----------
    n_components : int in [1, inf), "auto" or None, default="auto"
        Parts, as for `NMF`.
    init : {"random", "nndsvd", "nndsvda", "nndsvdar", "custom"} or None, default=None
        Where to start, as for `NMF`.
    batch_size : int in [1, inf), default=1024
        Rows of a step.
    beta_loss : {"frobenius", "kullback-leibler", "itakura-saito"} or float, default="frobenius"
        β.
    tol : float in [0, inf), default=1e-4
        Steps end when H changes by less than this share; 0: never for that reason.
    max_no_improvement : int in [1, inf) or None, default=10
        Steps end after so many without a new low of the smoothed loss.
    max_iter : int in [1, inf), default=200
        Most passes over the rows.
    alpha_W : float in [0, inf), default=0.0
        Penalty of W, times the columns of X.
    alpha_H : float in [0, inf) or "same", default="same"
        Penalty of H, times the rows of a batch.
    l1_ratio : float in [0, 1], default=0.0
        Share of the penalty that is of absolute values.
    forget_factor : float in [0, 1], default=0.7
        What a pass over all rows leaves of the sums before it.
    fresh_restarts : bool, default=False
        Whether W of a batch is solved anew at every step.
    fresh_restarts_max_iter : int in [1, inf), default=30
        Most iterations of such a solution.
    transform_max_iter : int in [1, inf) or None, default=None
        Most iterations of `transform`; None: `max_iter`.
    random_state : int, RandomState or None, default=None
        Seed of the start.
    verbose : int in [0, inf), default=0
        Whether to print what happens.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        H.
    n_components_ : int
    reconstruction_err_ : float
        :math:`\sqrt{2D_\beta}` of all rows; after `fit`.
    certificate_ : FactorizationCertificate
        How near the factors are to a stationary point; after `fit`.
    n_iter_, n_steps_ : int
        Passes begun, and batches seen.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.outer([1.0, 2.0, 3.0, 4.0], [1.0, 0.5, 2.0])
    >>> model = MiniBatchNMF(1, batch_size=2, random_state=0)
    >>> bool(np.allclose(model.inverse_transform(model.fit_transform(x)), x, rtol=1e-3))
    True

    References
    ----------
    Lefèvre, Bach & Févotte (2011), Online algorithms for nonnegative matrix factorization with the
    Itakura–Saito divergence, WASPAA.
    """

    _numerator: Array
    _denominator: Array
    _forget: float

    def __init__(
        self,
        n_components: Components = "auto",
        *,
        init: Init = None,
        batch_size: Positive = 1024,
        beta_loss: Loss = "frobenius",
        tol: Strength = 1e-4,
        max_no_improvement: Positive | None = 10,
        max_iter: Positive = 200,
        alpha_W: Strength = 0.0,
        alpha_H: SharedStrength = "same",
        l1_ratio: Share = 0.0,
        forget_factor: Annotated[float, Interval(0, 1, "both")] = 0.7,
        fresh_restarts: bool = False,
        fresh_restarts_max_iter: Positive = 30,
        transform_max_iter: Annotated[int, Interval(1, inf)] | None = None,
        random_state: RandomState = None,
        verbose: Verbosity = 0,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.batch_size = batch_size
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.max_iter = max_iter
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.forget_factor = forget_factor
        self.fresh_restarts = fresh_restarts
        self.fresh_restarts_max_iter = fresh_restarts_max_iter
        self.transform_max_iter = transform_max_iter
        self.random_state = random_state
        self.verbose = verbose

    def transform(self, X: Any) -> Any:
        """The weights of the components in rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, not negative.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        problem = self._problem(table, f"X in {type(self).__name__}")
        f = np.ascontiguousarray(np.asarray(self.components_, dtype=np.float64).T)
        w = self._weights(problem, f, self._transform_rounds)
        return self._wrap(w.astype(table.x.dtype, copy=False), table)

    def partial_fit(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Self:
        """One more step, from the rows given.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            The batch.
        y : ignored
            For compatibility.
        W, H : array-likes, optional
            Where the first call starts, with ``init="custom"``.

        Returns
        -------
        self
        """
        self._check_parameters()
        first = not hasattr(self, "components_")
        table = self._read(X, reset=first)
        problem = self._problem(table, f"X in {type(self).__name__}")
        if first:
            f = self._start(problem.table, W, H)[1]
            sums = ComponentSums(f.copy(), np.ones_like(f), self._forget_share(table.n_rows))
            self.n_steps_ = 0
        else:
            f = np.array(np.asarray(self.components_).T, dtype=np.float64, order="C")
            sums = ComponentSums(self._numerator.T, self._denominator.T, self._forget)
        with one_blas_thread():
            w = self._weights(problem, f, self.fresh_restarts_max_iter)
            sums.step(problem, w, f)
        self._keep(sums, f, table.x.dtype)
        self.n_steps_ += 1
        return self

    @property
    def _transform_rounds(self) -> int:
        return int(self.transform_max_iter or self.max_iter)

    def _forget_share(self, n: int) -> float:
        return float(self.forget_factor ** (min(self.batch_size, n) / n))

    def _keep(self, sums: ComponentSums, f: Array, kind: Any) -> None:
        self._numerator = np.ascontiguousarray(sums.numerator.T)
        self._denominator = np.ascontiguousarray(sums.denominator.T)
        self._forget = sums.forget
        self.components_ = np.ascontiguousarray(f.T).astype(kind, copy=False)
        self.n_components_ = len(self.components_)

    def _factorize(self, table: Table, W: Any, H: Any) -> Any:
        problem = self._problem(table, "MiniBatchNMF (input X)")
        w, f = self._start(problem.table, W, H)
        n, size = table.n_rows, min(int(self.batch_size), table.n_rows)
        sums = ComponentSums(f.copy(), np.ones_like(f), self._forget_share(n))
        monitor = BatchMonitor(self, n, -(-n // size))
        with one_blas_thread():
            parts = [(part, self._problem(table.take(part), "X")) for part in batches(n, size, 0)]
            self._run(parts, w, f, sums, monitor)
            if self.fresh_restarts:
                w = self._weights(problem, f, self._transform_rounds)
        self._keep(sums, f, table.x.dtype)
        self.n_steps_, self.n_iter_ = monitor.step, -(-monitor.step // len(parts))
        self._warn_unless_converged(self.n_iter_)
        return self._store(problem, w, f)

    def _run(self, parts: Any, w: Array, f: Array, sums: ComponentSums, monitor: Any) -> None:
        for _ in range(self.max_iter):
            for rows, problem in parts:
                before = f.copy()
                own = w[rows]
                if self.fresh_restarts:
                    own = self._weights(problem, f, self.fresh_restarts_max_iter)
                else:
                    up, down = problem.row_parts(own, f)
                    multiply(own, up, down, problem.gamma)
                clear_tiny(own, problem.beta < 1.0)
                cost = sums.step(problem, own, f)
                if monitor.is_done(cost, before, f, len(own)):
                    return

    def _weights(self, problem: FactorizationProblem, f: Array, rounds: int) -> Array:
        """W for given components by multiplicative steps from a constant."""
        n, k = problem.table.shape[0], f.shape[1]
        w = np.full((n, k), np.sqrt(problem.table.mean / k))
        for _ in range(rounds):
            before = w.copy()
            multiply(w, *problem.row_parts(w, f), problem.gamma)
            size = np.linalg.norm(w)
            if size == 0.0 or 0.0 < self.tol >= np.linalg.norm(w - before) / size:
                break
        clear_tiny(w, problem.beta < 1.0)
        return w
