"""Minkowski's family: sums of powers of differences of columns, weighted or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.distances.maps import IDENTITY, ROOT, Map
from stylobate.distances.metric import Form, Metric, keep_weights, scaling, weights_of
from stylobate.exceptions import InvalidParameterError


class PowerMetric(Metric):
    """What the family shares: a box bounds each of them, whatever the power."""

    w: Any
    boxes = True
    exponent: float

    def __post_init__(self) -> None:
        keep_weights(self)

    def form(self, columns: int) -> Form:
        """As a sum of powers; of the weights, what each column is multiplied by."""
        p, w = float(self.exponent), weights_of(self, columns)
        change = None
        if w is not None:  # at p = ∞ a weight only says whether its column counts, as in SciPy
            change = scaling(np.asarray(w > 0 if p == np.inf else w ** (1.0 / p)))
        if p == 2:
            return Form("squared", ROOT, change=change)
        if p == 1:
            return Form("manhattan", change=change)
        if p == np.inf:
            return Form("chebyshev", change=change)
        return Form("power", Map("power_root", p=p), p, change=change)


@dataclass(frozen=True, eq=False)
class Euclidean(PowerMetric):
    r""":math:`\sqrt{\sum_l w_l (x_l - y_l)^2}`.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.
    squared : bool, default=False
        Give the squares, in the precision of the rows.

    Examples
    --------
    >>> Euclidean()([0.0, 0.0], [3.0, 4.0])
    5.0
    """

    w: Any = None
    squared: bool = False
    names: ClassVar[tuple[str, ...]] = ("euclidean", "l2")
    exponent = 2.0
    keeps_single = balls = graph = sparse = True

    @property
    def triangle(self) -> bool:  # type: ignore[override]
        """Squares have detours that are shorter."""
        return not self.squared

    def form(self, columns: int) -> Form:
        """The squares, and their roots."""
        form = super().form(columns)
        return form._replace(finish=IDENTITY) if self.squared else form


@dataclass(frozen=True, eq=False)
class Minkowski(PowerMetric):
    r""":math:`\left(\sum_l w_l |x_l - y_l|^p\right)^{1/p}`.

    Parameters
    ----------
    p : float in (0, inf], default=2.0
        The power; below 1 the triangle inequality does not hold.
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.

    Examples
    --------
    >>> Minkowski(p=1)([0.0, 0.0], [3.0, 4.0]), Minkowski(p=0.5).triangle
    (7.0, False)
    """

    p: float = 2.0
    w: Any = None
    names: ClassVar[tuple[str, ...]] = ("minkowski", "p")

    def __post_init__(self) -> None:
        if not self.p > 0:
            raise InvalidParameterError(f"minkowski: p must be above 0, got {self.p!r}.")
        super().__post_init__()

    @property
    def exponent(self) -> float:  # type: ignore[override]
        """The power."""
        return self.p

    @property
    def triangle(self) -> bool:  # type: ignore[override]
        """From p = 1 on."""
        return self.p >= 1

    balls = triangle

    @property
    def graph(self) -> bool:  # type: ignore[override]
        """Graphs have absolute and squared distances only."""
        return self.p in (1, 2)


@dataclass(frozen=True, eq=False)
class Manhattan(PowerMetric):
    r""":math:`\sum_l w_l |x_l - y_l|`.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.

    Examples
    --------
    >>> Manhattan(w=[1.0, 2.0])([0.0, 0.0], [3.0, 4.0])
    11.0
    """

    w: Any = None
    names: ClassVar[tuple[str, ...]] = ("manhattan", "cityblock", "l1")
    exponent = 1.0
    triangle = balls = graph = sparse = True


@dataclass(frozen=True, eq=False)
class Chebyshev(PowerMetric):
    r""":math:`\max_l |x_l - y_l|` over the columns whose weight is not 0.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.

    Examples
    --------
    >>> Chebyshev()([0.0, 0.0], [3.0, 4.0])
    4.0
    """

    w: Any = None
    names: ClassVar[tuple[str, ...]] = ("chebyshev", "infinity")
    exponent = np.inf
    triangle = balls = True


@dataclass(frozen=True, eq=False)
class SquaredEuclidean(Metric):
    r""":math:`\sum_l w_l (x_l - y_l)^2`.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.

    Examples
    --------
    >>> SquaredEuclidean()([0.0, 0.0], [3.0, 4.0])
    25.0
    """

    w: Any = None
    names: ClassVar[tuple[str, ...]] = ("sqeuclidean",)
    graph = sparse = True

    def __post_init__(self) -> None:
        keep_weights(self)

    def form(self, columns: int) -> Form:
        """The squares themselves."""
        return Euclidean(self.w, squared=True).form(columns)


@dataclass(frozen=True, eq=False)
class NanEuclidean(Metric):
    r"""Euclidean over the columns S both rows have, scaled up to all p of them.

    .. math:: \sqrt{\frac{p}{|S|} \sum_{l \in S} (x_l - y_l)^2}

    Parameters
    ----------
    squared : bool, default=False
        Give the squares.

    Examples
    --------
    >>> NanEuclidean()([3.0, np.nan], [1.0, 5.0]) ** 2
    8.000000000000002

    References
    ----------
    Dixon (1979), Pattern recognition with partly missing data.
    """

    squared: bool = False
    names: ClassVar[tuple[str, ...]] = ("nan_euclidean",)
    allow_nan = keeps_single = True

    def form(self, columns: int) -> Form:
        """NaN where two rows have no column in common."""
        return Form("nan_squared", IDENTITY if self.squared else ROOT)
