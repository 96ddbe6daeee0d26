"""Restricted Boltzmann machines."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.base import BaseEstimator, Interval, RandomState, Tags, TransformerMixin
from stylobate.base.randomness import stream_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError

MOST_ENUMERATED = 20  # units whose states are all visited for the partition function


class BernoulliRBM(TransformerMixin, BaseEstimator):
    r"""A restricted Boltzmann machine: binary visible units, binary hidden ones, no others.

    .. math:: P(v, h) = \frac{1}{Z} e^{b^\top v + c^\top h + h^\top W v}, \qquad
              P(h_j = 1 \mid v) = \frac{1}{1 + e^{-(c_j + W_j v)}}

    It is trained by stochastic maximum likelihood (persistent contrastive divergence). The same
    `random_state` draws the same numbers as scikit-learn's; products run in the compiled core, so
    the same bits come out with any number of threads.

    Parameters
    ----------
    n_components : int in [1, inf), default=256
        Hidden units.
    learning_rate : float in (0, inf), default=0.1
        Length of the steps; try powers of ten from 1 to 0.001.
    batch_size : int in [1, inf), default=10
        Rows per step, and states of the model that are carried along.
    n_iter : int in [0, inf), default=10
        Passes over the rows.
    verbose : int in [0, inf) or bool, default=0
        Whether to print the pseudo-likelihood of every pass.
    random_state : int, RandomState or None, default=None
        Seed of first weights, of sampled states and of the entries `score_samples` flips.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        W.
    intercept_hidden_ : array of shape (n_components,)
        c.
    intercept_visible_ : array of shape (n_features,)
        b.
    h_samples_ : array of shape (batch_size, n_components)
        Hidden states of the model that the next step goes on from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    Hinton, Osindero & Teh (2006), A fast learning algorithm for deep belief nets. Tieleman (2008),
    Training restricted Boltzmann machines using approximations to the likelihood gradient.

    Examples
    --------
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> model = BernoulliRBM(2, random_state=0).fit(X)
    >>> model.transform(X).shape
    (4, 2)
    >>> bool(np.isclose(np.exp(model.log_likelihood(model.states(3))).sum(), 1.0))
    True
    """

    components_: NDArray[Any]
    intercept_hidden_: NDArray[Any]
    intercept_visible_: NDArray[Any]
    h_samples_: NDArray[Any]

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 256,
        *,
        learning_rate: Annotated[float, Interval(0, inf, "neither")] = 0.1,
        batch_size: Annotated[int, Interval(1, inf)] = 10,
        n_iter: Annotated[int, Interval(0, inf)] = 10,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.verbose = verbose
        self.random_state = random_state

    def _tags(self) -> Tags:
        # which entry score_samples flips depends on the place of a row among the others
        random = {"non_deterministic": True}
        return super()._tags().but(sparse=True, preserves_dtype=("float64", "float32"), **random)

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    # --- fitting ----------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Train.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of zeros and ones, or of probabilities in between.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        x = _rows(self._read(X, reset=True).x)
        draw = stream_of(self.random_state)
        self._start(x.shape[1], x.dtype, draw)
        begin = monotonic()
        for iteration in range(1, self.n_iter + 1):
            for first in range(0, x.shape[0], self.batch_size):
                self._step(x[first : first + self.batch_size], draw)
            self._refuse_explosion()
            if self.verbose:
                now = monotonic()
                print(
                    f"[{type(self).__name__}] Iteration {iteration}, pseudo-likelihood = "
                    f"{self._pseudo_likelihood(x).mean():.2f}, time = {now - begin:.2f}s"
                )
                begin = now
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Make one step along the rows given, from where training stands.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        self
        """
        self._check_parameters()
        first = not hasattr(self, "components_")
        x = _rows(self._read(X, reset=first).x).astype(np.float64)
        draw = self._stream()
        if first:
            self._start(x.shape[1], x.dtype, draw)
        self._step(x, draw)
        self._refuse_explosion()
        return self

    def _stream(self) -> np.random.RandomState:
        """What `partial_fit` and `gibbs` draw from, each going on where the last one ended."""
        if not hasattr(self, "random_state_"):
            self.random_state_ = stream_of(self.random_state)
        return self.random_state_

    def _start(self, n_features: int, dtype: Any, draw: np.random.RandomState) -> None:
        drawn = draw.normal(0, 0.01, (self.n_components, n_features))
        self.components_ = drawn.astype(dtype)
        self.intercept_hidden_ = np.zeros(self.n_components, dtype=dtype)
        self.intercept_visible_ = np.zeros(n_features, dtype=dtype)
        self.h_samples_ = np.zeros((self.batch_size, self.n_components), dtype=dtype)

    def _step(self, rows: Any, draw: np.random.RandomState) -> None:
        """Up the likelihood of rows: their statistics less those of the model's own states."""
        with np.errstate(over="ignore", invalid="ignore"):  # refused at the end of the pass
            self._climb(rows, draw)

    def _climb(self, rows: Any, draw: np.random.RandomState) -> None:
        h_rows = self._mean_hiddens(rows)
        lit = self._sample_visibles(self.h_samples_, draw)
        v_model = lit.astype(h_rows.dtype)
        h_model = self._mean_hiddens(v_model)
        rate = float(self.learning_rate) / rows.shape[0]
        self.components_ += rate * (_product(rows.T, h_rows).T - _product(h_model.T, v_model))
        self.intercept_hidden_ += rate * (h_rows.sum(axis=0) - h_model.sum(axis=0))
        sums = np.asarray(rows.sum(axis=0)).reshape(-1)
        self.intercept_visible_ += rate * (sums - lit.sum(axis=0))  # counts: no digits are lost
        self.h_samples_ = (draw.uniform(size=h_model.shape) < h_model).astype(h_model.dtype)

    def _refuse_explosion(self) -> None:
        if not np.isfinite(self.components_).all():
            raise InvalidDataError(
                "BernoulliRBM: the weights left the range of numbers; X should lie in [0, 1], and "
                f"learning_rate={self.learning_rate!r} may be too large."
            )

    # --- answering --------------------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        r"""Probabilities of the hidden units, :math:`P(h = 1 \mid v)`.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Visible units.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(self._mean_hiddens(_rows(table.x)), table)

    def gibbs(self, v: Any) -> Any:
        """One step of Gibbs sampling: hidden units given visible ones, and those given the hidden.

        Parameters
        ----------
        v : array-like or sparse of shape (n, n_features)
            Visible units to start from.

        Returns
        -------
        array of bool of shape (n, n_features)
        """
        self._check_fitted()
        rows, draw = _rows(self._read(v, reset=False).x), self._stream()
        return self._sample_visibles(self._sample_hiddens(rows, draw), draw)

    def score_samples(self, X: Any) -> Any:
        r"""The pseudo-likelihood of rows, from one entry of each flipped at random.

        .. math:: p \log \sigma(F(\tilde v) - F(v))

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of zeros and ones.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        return self._pseudo_likelihood(_rows(self._read(X, reset=False).x))

    def _pseudo_likelihood(self, x: Any) -> NDArray[Any]:
        n, p = x.shape
        flipped = stream_of(self.random_state).randint(0, p, n)
        places = (np.arange(n), flipped)
        if hasattr(x, "tocsr"):
            from scipy import sparse

            changes = 1.0 - 2.0 * np.asarray(x[places]).reshape(-1)
            other = x + sparse.csr_array((changes, places), shape=x.shape)
        else:
            other = x.copy()
            other[places] = 1 - other[places]
        with np.errstate(over="ignore", invalid="ignore"):
            found = -p * np.logaddexp(0, self._free_energy(x) - self._free_energy(other))
        if not np.isfinite(found).all():
            raise InvalidDataError(
                "BernoulliRBM: the energies of some rows leave the range of numbers; X should hold "
                "zeros and ones."
            )
        return np.asarray(found)

    def log_partition(self) -> float:
        """Log Z, by a sum over all states of the smaller layer, of at most 20 units.

        Returns
        -------
        float
        """
        self._check_fitted()
        hidden, visible = self.components_.shape
        weights, near, far = self.components_, self.intercept_hidden_, self.intercept_visible_
        if hidden > visible:
            weights, near, far = weights.T, far, near
        from scipy.special import logsumexp

        states = self.states(len(near))
        others = np.logaddexp(0, states @ weights.astype(np.float64) + far).sum(axis=1)
        return float(logsumexp(states @ near.astype(np.float64) + others))

    def log_likelihood(self, X: Any) -> Any:
        r"""Exact :math:`\log P(v)` of rows, :math:`-F(v) - \log Z`, for small machines.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of zeros and ones.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        rows = _rows(self._read(X, reset=False).x)
        return -self._free_energy(rows) - self.log_partition()

    @staticmethod
    def states(n_units: int) -> NDArray[np.float64]:
        """All states of binary units, a row each.

        Parameters
        ----------
        n_units : int in [1, 20]

        Returns
        -------
        array of shape (2**n_units, n_units)
        """
        if not 1 <= n_units <= MOST_ENUMERATED:
            raise InvalidParameterError(
                "BernoulliRBM: exact likelihoods visit all states of the smaller layer, which may "
                f"have up to {MOST_ENUMERATED} units and has {n_units}; use score_samples instead."
            )
        numbers = np.arange(2**n_units)[:, np.newaxis]
        return ((numbers >> np.arange(n_units)) & 1).astype(np.float64)

    def _onnx_graph(self, before: Any = None) -> Any:
        from stylobate.neural_network.exchange.onnx_export import rbm_graph

        return rbm_graph(self, before)

    # --- the two layers ---------------------------------------------------------------------------

    def _mean_hiddens(self, v: Any) -> NDArray[Any]:
        return _sigmoid(_product(v, self.components_.T) + self.intercept_hidden_)

    def _sample_hiddens(self, v: Any, rng: np.random.RandomState) -> NDArray[Any]:
        p = self._mean_hiddens(v)
        return rng.uniform(size=p.shape) < p

    def _sample_visibles(self, h: Any, rng: np.random.RandomState) -> NDArray[Any]:
        p = _sigmoid(_product(h, self.components_) + self.intercept_visible_)
        return rng.uniform(size=p.shape) < p

    def _free_energy(self, v: Any) -> NDArray[Any]:
        """−log Σ_h exp(−E(v, h))."""
        hidden = np.logaddexp(0, _product(v, self.components_.T) + self.intercept_hidden_)
        return np.asarray(-(v @ self.intercept_visible_) - hidden.sum(axis=1))


def _rows(x: Any) -> Any:
    """Rows that can be cut: dense, or compressed by rows."""
    return x.tocsr() if hasattr(x, "tocsr") else np.ascontiguousarray(x)


def _product(a: Any, b: Any) -> NDArray[Any]:
    """A product whose bits do not depend on threads."""
    if hasattr(a, "tocsr"):
        return np.asarray(a @ b)
    kind = np.result_type(b.dtype, a.dtype if a.dtype.kind == "f" else b.dtype)
    multiply: Any = _core.matrix_multiply
    both = (np.atleast_2d(a).astype(kind, copy=False), b.astype(kind, copy=False))
    found = np.asarray(multiply(*both, None))
    return found if np.ndim(a) == 2 else found[0]


def _sigmoid(x: NDArray[Any]) -> NDArray[Any]:
    from scipy.special import expit

    return np.asarray(expit(x, out=x))
