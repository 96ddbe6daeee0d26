"""Tensor sketches of polynomial kernels."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, RandomState, Tags, TransformerMixin
from stylobate.base.batches import FitsFirstBatch
from stylobate.exceptions import InvalidParameterError, ModelFileError, NumericalError
from stylobate.parallel import product_of_rows
from stylobate.splits.splitter import generator


class PolynomialCountSketch(TransformerMixin, FitsFirstBatch):
    r"""Tensor sketch: :math:`z(x)^T z(y) \approx (\gamma\,x^T y + c)^d`.

    Each of d count sketches adds every column, with a random sign, to a random one of m places; the
    sketch of the d-fold products is their circular convolution, which a fast Fourier transform
    multiplies.

    Parameters
    ----------
    gamma : float in [0, inf), default=1.0
        γ.
    degree : int in [1, inf), default=2
        d.
    coef0 : float in [0, inf), default=0.0
        c.
    n_components : int in [1, inf), default=100
        m.
    random_state : int, RandomState or None, default=None
        Seed; the same draws as scikit-learn's.

    Attributes
    ----------
    indexHash_, bitHash_ : arrays of shape (degree, n_features)
        The place and the sign of each column in each sketch.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> sketch = PolynomialCountSketch(degree=2, n_components=50_000, random_state=1)
    >>> z = sketch.fit_transform([[1.0, 2.0], [3.0, 4.0]])
    >>> round(float(z[0] @ z[1]), 6)  # (1·3 + 2·4)²
    121.0

    References
    ----------
    Pham & Pagh (2013), Fast and scalable polynomial kernels via explicit feature maps, KDD.
    """

    def __init__(
        self,
        *,
        gamma: Annotated[float, Interval(0, inf)] = 1.0,
        degree: Annotated[int, Interval(1, inf)] = 2,
        coef0: Annotated[float, Interval(0, inf)] = 0.0,
        n_components: Annotated[int, Interval(1, inf)] = 100,
        random_state: RandomState = None,
    ) -> None:
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_components = n_components
        self.random_state = random_state

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw places and signs; only the number of columns matters.

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
        random = generator(self.random_state)
        size = (self.degree, table.n_features + (self.coef0 != 0))
        self.indexHash_ = random.randint(0, high=self.n_components, size=size)
        self.bitHash_ = random.choice(a=[-1, 1], size=size)
        self._n_features_out = self.n_components
        return self

    def _check_loaded(self) -> None:
        """Refuse hashes of a file outside the sketch: compiled code adds to those places."""
        if "indexHash_" in vars(self) and not self._hashes_fit(self.n_features_in_):
            raise ModelFileError(
                "The PolynomialCountSketch of the file has hashes of another degree or size."
            )

    def _hashes_fit(self, n_features: int) -> bool:
        size = (self.degree, n_features + (self.coef0 != 0))
        arrays = (self.indexHash_, self.bitHash_)
        whole = all(isinstance(each, np.ndarray) and each.dtype.kind == "i" for each in arrays)
        if not whole or any(each.shape != size for each in arrays):
            return False
        places = self.indexHash_
        return not size[1] or bool(places.min() >= 0 and places.max() < self.n_components)

    def transform(self, X: Any) -> Any:
        """The sketch of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        from scipy import sparse
        from scipy.fft import irfft, rfft

        self._check_fitted()
        table = self._read(X, reset=False)
        n, p = table.x.shape
        if not self._hashes_fit(p):
            raise InvalidParameterError(
                "PolynomialCountSketch: degree, coef0 or n_components was changed since the fit; "
                "fit again."
            )
        product: Any = None
        for place, sign in zip(self.indexHash_, self.bitHash_, strict=True):
            # a p × m matrix with one entry a row adds every column to its place
            ones = sign[:p] * self.gamma**0.5
            to_places = sparse.csr_array(
                (ones, place[:p], np.arange(p + 1)), shape=(p, self.n_components)
            )
            sums = product_of_rows(table.x, to_places)
            counts = np.asarray(sums.toarray() if table.is_sparse else sums, dtype=np.float64)
            if self.coef0 != 0:
                counts[:, place[p]] += sign[p] * self.coef0**0.5
            waves = rfft(counts, axis=1)
            product = waves if product is None else product * waves
        out = irfft(product, n=self.n_components, axis=1).reshape(n, -1)
        if not np.isfinite(out).all():
            raise NumericalError(
                f"PolynomialCountSketch: products of {self.degree} entries of X overflow double "
                "precision; scale the columns first."
            )
        return self._wrap(out, table)
