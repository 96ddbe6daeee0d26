"""Non-negative matrix factorization."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.base import Options, RandomState, Tags
from stylobate.base.batches import refuse_read_once
from stylobate.data import Table
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
    custom_factor,
)
from stylobate.decomposition.nonnegative.problem import FactorizationProblem
from stylobate.decomposition.nonnegative.solvers import (
    Alternation,
    coordinate_descent,
    multiplicative_updates,
)
from stylobate.decomposition.nonnegative.streamed_table import StreamedNonnegativeTable
from stylobate.exceptions import InvalidParameterError
from stylobate.splits.splitter import generator

if TYPE_CHECKING:
    from stylobate.data.streams import Stream


class NMF(NonnegativeFactors):
    r"""A non-negative table as a sum of few non-negative parts, :math:`X \approx WH`.

    Minimises over W, H ≥ 0

    .. math::
        D_\beta(X | WH) + p\,\alpha_W\big(\rho\|W\|_1 + \tfrac{1-\rho}{2}\|W\|_F^2\big)
        + n\,\alpha_H\big(\rho\|H\|_1 + \tfrac{1-\rho}{2}\|H\|_F^2\big)

    with the β-divergence D: half the squared error (β = 2), Kullback–Leibler (1), Itakura–Saito
    (0). Sparse rows are never made dense; Kullback–Leibler looks at their entries alone. The answer
    is a stationary point, which `certificate_` measures; other starts may end lower.

    Parameters
    ----------
    n_components : int in [1, inf), "auto" or None, default="auto"
        Parts; "auto": as many as a given W or H has, else one for each column; None: that.
    init : {"random", "nndsvd", "nndsvda", "nndsvdar", "custom"} or None, default=None
        Where to start: random numbers; non-negative parts of singular vectors, with their zeros
        kept, filled with the mean of X or with small random numbers; or `W` and `H` given to `fit`.
        None: "nndsvda" where X has at least `n_components` rows and columns, else "random".
    solver : {"cd", "mu"}, default="cd"
        Coordinate descent (squared error only), or multiplicative updates.
    beta_loss : {"frobenius", "kullback-leibler", "itakura-saito"} or float, default="frobenius"
        β. X must hold no zeros if β ≤ 0.
    tol : float in [0, inf), default=1e-4
        "cd" ends when the sum of projected gradients has shrunk to this share of the first; "mu"
        when ten iterations lowered the error by less than this share of the first.
    max_iter : int in [1, inf), default=200
        Most iterations.
    random_state : int, RandomState or None, default=None
        Seed of the start and of `shuffle`.
    alpha_W : float in [0, inf), default=0.0
        Penalty of W, times the columns of X.
    alpha_H : float in [0, inf) or "same", default="same"
        Penalty of H, times the rows of X.
    l1_ratio : float in [0, 1], default=0.0
        ρ.
    verbose : int in [0, inf), default=0
        Whether to print what happens.
    shuffle : bool, default=False
        Whether "cd" takes the components in random order.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        H.
    n_components_ : int
    reconstruction_err_ : float
        :math:`\sqrt{2D_\beta}`; for the squared error :math:`\|X - WH\|_F`.
    n_iter_ : int
        Iterations made.
    certificate_ : FactorizationCertificate
        How near the factors are to a stationary point, and how well they fit.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    Rows that are read on request (files, batches) are never in memory together: an iteration of
    "cd" is one pass over them, one of "mu" two. Their weights W are, n × `n_components` numbers.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.2], [4.0, 1.0], [5.0, 0.8], [6.0, 1.0]])
    >>> model = NMF(n_components=2, init="random", random_state=0)
    >>> w = model.fit_transform(x)
    >>> bool(np.abs(x - w @ model.components_).max() < 0.05)
    True

    References
    ----------
    Lee & Seung (1999), Learning the parts of objects by non-negative matrix factorization, Nature
    401. Cichocki & Phan (2009), Fast local algorithms for large scale nonnegative matrix and tensor
    factorizations, IEICE Transactions E92-A.
    """

    def __init__(
        self,
        n_components: Components = "auto",
        *,
        init: Init = None,
        solver: Annotated[str, Options("cd", "mu")] = "cd",
        beta_loss: Loss = "frobenius",
        tol: Strength = 1e-4,
        max_iter: Positive = 200,
        random_state: RandomState = None,
        alpha_W: Strength = 0.0,
        alpha_H: SharedStrength = "same",
        l1_ratio: Share = 0.0,
        verbose: Verbosity = 0,
        shuffle: bool = False,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.verbose = verbose
        self.shuffle = shuffle

    def transform(self, X: Any) -> Any:
        """The weights of the components in rows: W for which W H is nearest.

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
        kind = table.x.dtype
        w, _ = self._weights(table, np.asarray(self.components_, dtype=np.float64))
        return self._wrap(w.astype(kind, copy=False), table)

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass per iteration")

    def _fit_stream(self, stream: Stream) -> Self:
        """Passes in place of rows: of rows there are their weights W alone."""
        self._check_parameters()
        refuse_read_once(stream.repeatable, type(self).__name__)
        rows = StreamedNonnegativeTable(self._source(stream), "NMF initialization")
        self._learn(self._problem_of(rows), None, None)
        return self

    def _factorize(self, table: Table, W: Any, H: Any) -> Any:
        return self._learn(self._problem(table, "NMF initialization"), W, H)

    def _learn(self, problem: FactorizationProblem, W: Any, H: Any) -> Any:
        self._refuse_combination()
        w, f = self._start(problem.table, W, H)
        self.n_iter_ = self._solve(problem, w, f, update_f=True)
        return self._store(problem, w, f)

    def _weights(self, table: Table, h: Any) -> tuple[Any, int]:
        """W for given components, and the iterations it took."""
        problem = self._problem(table, f"X in {type(self).__name__}")
        n, k = table.n_rows, len(h)
        begin = np.sqrt(problem.table.mean / k) if self.solver == "mu" else 0.0
        w = np.full((n, k), begin)
        return w, self._solve(problem, w, np.ascontiguousarray(h.T), update_f=False)

    def _solve(self, problem: FactorizationProblem, w: Any, f: Any, *, update_f: bool) -> int:
        how = Alternation(float(self.tol), int(self.max_iter), update_f, int(self.verbose))
        if self.solver == "cd":
            draws = generator(self.random_state) if self.shuffle else None
            n_iter = coordinate_descent(problem, w, f, how, draws)
        else:
            n_iter = multiplicative_updates(problem, w, f, how)
        self._warn_unless_converged(n_iter)
        return n_iter

    def _refuse_combination(self) -> None:
        if self.solver != "mu" and self.beta_loss not in (2, "frobenius"):
            raise InvalidParameterError(
                f"Invalid beta_loss parameter: solver {self.solver!r} does not handle beta_loss = "
                f"{self.beta_loss!r}; use solver='mu'."
            )
        if self.solver == "mu" and self.init == "nndsvd":
            warnings.warn(
                "The multiplicative update ('mu') solver cannot update zeros present in the "
                "initialization, and so leads to poorer results when used jointly with "
                "init='nndsvd'. You may try init='nndsvda' or init='nndsvdar' instead.",
                UserWarning,
                stacklevel=4,
            )


def non_negative_factorization(
    X: Any,
    W: Any = None,
    H: Any = None,
    n_components: Any = "auto",
    *,
    init: Any = None,
    update_H: bool = True,
    solver: str = "cd",
    beta_loss: Any = "frobenius",
    tol: float = 1e-4,
    max_iter: int = 200,
    alpha_W: float = 0.0,
    alpha_H: Any = "same",
    l1_ratio: float = 0.0,
    random_state: Any = None,
    verbose: Any = 0,
    shuffle: bool = False,
) -> tuple[Any, Any, int]:
    """W, H and the number of iterations of a non-negative factorization of X.

    Parameters
    ----------
    X : array-like or sparse of shape (n, p)
        Rows, not negative.
    W, H : array-likes of shapes (n, k) and (k, p), optional
        Where to start, with ``init="custom"``; H alone, with ``update_H=False``.
    update_H : bool, default=True
        Whether H is found too, or W alone for the H given.
    n_components, init, solver, beta_loss, tol, max_iter, alpha_W, alpha_H, l1_ratio, \
random_state, verbose, shuffle
        As for `NMF`.

    Returns
    -------
    W : array of shape (n, k)
    H : array of shape (k, p)
    n_iter : int

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    >>> w, h, _ = non_negative_factorization(x, n_components=1)
    >>> (w @ h).round(6)
    array([[1., 2.],
           [2., 4.],
           [3., 6.]])

    References
    ----------
    Lee & Seung (1999), Learning the parts of objects by non-negative matrix factorization, Nature
    401.
    """
    model = NMF(
        n_components,
        init=init,
        solver=solver,
        beta_loss=beta_loss,
        tol=tol,
        max_iter=max_iter,
        random_state=random_state,
        alpha_W=alpha_W,
        alpha_H=alpha_H,
        l1_ratio=l1_ratio,
        verbose=verbose,
        shuffle=shuffle,
    )
    if update_H:
        w = model.fit_transform(X, W=W, H=H)
        return np.asarray(w), model.components_, model.n_iter_
    return _weights_alone(model, X, W, H)


def _weights_alone(model: NMF, X: Any, W: Any, H: Any) -> tuple[Any, Any, int]:
    if W is not None:
        warnings.warn(
            "When update_H=False, the provided initial W is not used.", RuntimeWarning, stacklevel=3
        )
    model._check_parameters()
    table = model._read(X, reset=True)
    wanted = table.n_features if model.n_components is None else model.n_components
    h = custom_factor(H, (wanted, table.n_features), "NMF (input H)")
    if h.dtype != table.x.dtype:
        raise TypeError(f"H should have the same dtype as X. Got H.dtype = {h.dtype}.")
    model._refuse_combination()
    w, n_iter = model._weights(table, np.asarray(h, dtype=np.float64))
    return w.astype(table.x.dtype, copy=False), h, n_iter
