"""Maps of the χ² kernels for histograms."""

from __future__ import annotations

from math import cosh, inf, pi
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, RandomState, Tags, TransformerMixin
from stylobate.base.batches import FitsFirstBatch
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernel_approximation.waves import RandomWaves
from stylobate.splits.splitter import generator

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

_INTERVALS = {1: 0.8, 2: 0.5, 3: 0.4}  # the best steps, Vedaldi & Zisserman (2012)


class SkewedChi2Sampler(RandomWaves):
    r"""Random features of the skewed χ² kernel.

    .. math:: \kappa(x, y) = \prod_j \frac{2\sqrt{x_j + c}\sqrt{y_j + c}}{x_j + y_j + 2c}

    Parameters
    ----------
    skewedness : float in [0, inf), default=1.0
        c; every entry must be above -c.
    n_components : int in [1, inf), default=100
        Columns made.
    random_state : int, RandomState or None, default=None
        Seed; the same draws as scikit-learn's.

    Attributes
    ----------
    random_weights_ : array of shape (n_features, n_components)
        Draws from the density sech(πw).
    random_offset_ : array of shape (n_components,)
        Phases.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> sampler = SkewedChi2Sampler(skewedness=0.5, n_components=20_000, random_state=0)
    >>> z = sampler.fit_transform([[0.5, 2.0], [1.0, 1.0]])
    >>> round(float(z[0] @ z[1]), 1)  # 2·√1·√1.5/2.5 · 2·√2.5·√1.5/4 = 0.949
    0.9

    References
    ----------
    Li, Ionescu & Sminchisescu (2010), Random Fourier approximations for skewed multiplicative
    histogram kernels, DAGM.
    """

    def __init__(
        self,
        *,
        skewedness: Annotated[float, Interval(0, inf)] = 1.0,
        n_components: Annotated[int, Interval(1, inf)] = 100,
        random_state: RandomState = None,
    ) -> None:
        self.skewedness = skewedness
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the waves; only the number of columns matters.

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
        self._check_parameters()
        table = self._read(X, reset=True)
        random = generator(self.random_state)
        uniform = random.uniform(size=(table.n_features, self.n_components))
        self._keep_waves(np.log(np.tan(pi / 2.0 * uniform)) / pi, random, table)
        return self

    def transform(self, X: Any) -> Any:
        """The waves at log(x + c).

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Entries above -skewedness.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        if (table.x <= -self.skewedness).any():
            raise InvalidDataError(
                "X may not contain entries smaller than -skewedness: its smallest entry is "
                f"{np.min(table.x):g}, and skewedness is {self.skewedness:g}."
            )
        return self._wrap(self._waves(np.log(table.x + self.skewedness)), table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.elementwise import logarithm

        return super()._formula([logarithm(x, float(self.skewedness)) for x in columns])


class AdditiveChi2Sampler(TransformerMixin, FitsFirstBatch):
    r"""A fixed map of the additive χ² kernel, a few columns for each column.

    .. math:: \kappa(x, y) = \sum_j \frac{2 x_j y_j}{x_j + y_j}

    The kernel's Fourier transform, sech(πw), is sampled at regular steps.

    Parameters
    ----------
    sample_steps : int in [1, inf), default=2
        Samples; 2·steps − 1 columns are made of each.
    sample_interval : float in (0, inf) or None, default=None
        The step; None for the best one known for 1, 2 or 3 samples.

    Attributes
    ----------
    sample_interval_ : float
        The step taken.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> sampler = AdditiveChi2Sampler(sample_steps=3)
    >>> z = sampler.fit_transform([[1.0, 3.0], [2.0, 1.0]])
    >>> round(float(z[0] @ z[1]), 2)  # near 4/3 + 6/4 = 2.83
    2.79

    References
    ----------
    Vedaldi & Zisserman (2012), Efficient additive kernels via explicit feature maps, IEEE PAMI 34.
    """

    def __init__(
        self,
        *,
        sample_steps: Annotated[int, Interval(1, inf)] = 2,
        sample_interval: Annotated[float, Interval(0, inf, closed="neither")] | None = None,
    ) -> None:
        self.sample_steps = sample_steps
        self.sample_interval = sample_interval

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(sparse=True, positive_only=True, preserves_dtype=("float64", "float32"))
        )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters and the sign of the entries.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Entries of at least 0.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        _refuse_negative(table.x)
        self.sample_interval_ = self._step()
        return self

    def _step(self) -> float:
        if self.sample_interval is not None:
            return float(self.sample_interval)
        if self.sample_steps not in _INTERVALS:
            raise InvalidParameterError(
                "If sample_steps is not in [1, 2, 3], you need to provide sample_interval"
            )
        return _INTERVALS[self.sample_steps]

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names such as additivechi2sampler_x0_sqrt, …_x0_cos1, …_x0_sin1."""
        from stylobate.base.validation import input_names

        names = input_names(self, input_features)
        pieces = ["sqrt"]
        for k in range(1, self.sample_steps):
            pieces += [f"cos{k}", f"sin{k}"]
        return np.array(
            [f"additivechi2sampler_{name}_{piece}" for piece in pieces for name in names],
            dtype=object,
        )

    def transform(self, X: Any) -> Any:
        """The samples of every entry, block by block.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Entries of at least 0.

        Returns
        -------
        array, sparse matrix or frame of shape (n, n_features · (2 · sample_steps − 1))
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        _refuse_negative(table.x)
        if not table.is_sparse:
            return self._wrap(np.hstack(self._blocks(np.asarray(table.x))), table)
        from scipy import sparse

        rows = table.x.tocsr()
        parts = []
        for block in self._blocks(rows.data):
            parts.append(sparse.csr_array((block, rows.indices, rows.indptr), shape=rows.shape))
        return self._wrap(sparse.hstack(parts, format="csr"), table)

    def _blocks(self, x: Any) -> list[Any]:
        step = self.sample_interval_
        root = np.sqrt(x)
        blocks = [root * step**0.5]
        with np.errstate(divide="ignore"):
            logarithm = np.where(x > 0.0, np.log(np.where(x > 0.0, x, 1.0)), 0.0).astype(x.dtype)
        for k in range(1, self.sample_steps):
            size = root * (2.0 * step / cosh(pi * k * step)) ** 0.5
            blocks += [size * np.cos(k * step * logarithm), size * np.sin(k * step * logarithm)]
        return [block.astype(x.dtype, copy=False) for block in blocks]


def _refuse_negative(x: Any) -> None:
    values = x if isinstance(x, np.ndarray) else x.data
    if (values < 0.0).any():
        raise InvalidDataError(
            "Negative values in data passed to X in AdditiveChi2Sampler: the smallest is "
            f"{values.min():g}; the χ² kernel compares histograms, whose entries are not negative."
        )
