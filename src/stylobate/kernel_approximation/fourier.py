"""Random Fourier features of the RBF kernel."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, Options, RandomState, Tags
from stylobate.base.batches import first_batch
from stylobate.data import Table
from stylobate.data.streams import Stream
from stylobate.kernel_approximation.waves import RandomWaves
from stylobate.splits.splitter import generator
from stylobate.statistics import ColumnMoments


class RBFSampler(RandomWaves):
    r"""Random Fourier features: :math:`z(x)^T z(y) \approx e^{-\gamma\|x - y\|^2}`.

    .. math:: z_k(x) = \sqrt{2/m}\,\cos(w_k^T x + b_k), \quad
        w_k \sim N(0, 2\gamma I),\; b_k \sim U(0, 2\pi)

    The error of each inner product has standard deviation below :math:`\sqrt{1/m}`.

    Parameters
    ----------
    gamma : float in (0, inf) or "scale", default=1.0
        γ; "scale" for 1 / (number of columns · variance of X).
    n_components : int in [1, inf), default=100
        m, the number of columns made.
    random_state : int, RandomState or None, default=None
        Seed; the same draws as scikit-learn's.

    Attributes
    ----------
    random_weights_ : array of shape (n_features, n_components)
        w.
    random_offset_ : array of shape (n_components,)
        b.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0.0, 0.0], [1.0, 0.0]])
    >>> z = RBFSampler(gamma=0.5, n_components=20_000, random_state=0).fit_transform(x)
    >>> (z @ z.T).round(1)  # e^(-1/2) = 0.6065
    array([[1. , 0.6],
           [0.6, 1. ]])

    References
    ----------
    Rahimi & Recht (2007), Random features for large-scale kernel machines, NeurIPS 20.
    """

    def __init__(
        self,
        *,
        gamma: Annotated[float, Interval(0, inf, closed="neither")]
        | Annotated[str, Options("scale")] = 1.0,
        n_components: Annotated[int, Interval(1, inf)] = 100,
        random_state: RandomState = None,
    ) -> None:
        self.gamma = gamma
        self.n_components = n_components
        self.random_state = random_state

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True)

    @property
    def _first_batch_is_enough(self) -> bool:  # type: ignore[override]
        return not isinstance(self.gamma, str)

    def _fit_stream(self, stream: Stream) -> Self:
        """With a given width the first batch is enough; the variance takes one pass."""
        if self._first_batch_is_enough:
            return super()._fit_stream(stream)
        self._check_parameters()
        owner = type(self).__name__
        table = self._read(first_batch(stream, owner).x, reset=True)
        moments = self._source(stream).compute(ColumnMoments)
        between = np.sum((moments.mean - moments.mean.mean()) ** 2) * moments.n_rows
        squares = float(np.sum(moments.length**2) + between)
        self._draw(table, self._scaled(squares / (moments.n_rows * table.n_features)))
        return self

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the waves; only the number of columns (and, with "scale", the variance) matters.

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
        self._draw(table, self._width(table))
        return self

    def _draw(self, table: Table, gamma: float) -> None:
        random = generator(self.random_state)
        size = (table.n_features, self.n_components)
        width = (2.0 * gamma) ** 0.5
        self._keep_waves(width * random.normal(size=size), random, table)

    def _scaled(self, variance: float) -> float:
        return 1.0 / (self.n_features_in_ * variance) if variance != 0.0 else 1.0

    def _width(self, table: Table) -> float:
        if not isinstance(self.gamma, str):
            return float(self.gamma)
        x = table.x
        if table.is_sparse:
            variance = float(x.multiply(x).mean() - x.mean() ** 2)
        else:
            variance = float(np.var(x))
        return self._scaled(variance)

    def transform(self, X: Any) -> Any:
        """The waves at each row.

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
        return self._wrap(self._waves(table.x), table)
