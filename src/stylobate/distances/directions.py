"""Metrics of the directions of rows: their angle, cosine and correlation; the inner product."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.distances.maps import Map
from stylobate.distances.metric import Form, Metric, keep_weights, scaling, weights_of
from stylobate.distances.tiles import Measured


def row_norms(x: Any) -> Array:
    """Euclidean norms of the rows, in double precision, without overflow."""
    if isinstance(x, np.ndarray):
        size = np.abs(x).max(axis=1, initial=0.0).astype(np.float64)
        safe = np.where((size > 0) & np.isfinite(size), size, 1.0)
        scaled = x / safe[:, None]
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", scaled, scaled)) * safe)
    squares: Array = np.asarray(x.astype(np.float64).multiply(x).sum(axis=1))
    return np.sqrt(squares).ravel()


def unit_rows(x: Any) -> tuple[Any, NDArray[np.bool_]]:
    """Rows of length 1 in double precision, and which rows are zero (and stay so)."""
    norms = row_norms(x)
    zero = norms == 0
    factors = 1.0 / np.where(zero, 1.0, norms)
    if isinstance(x, np.ndarray):
        return np.ascontiguousarray(x * factors[:, None]), zero
    from scipy.sparse import csr_array, diags_array

    return csr_array(diags_array(factors) @ x.astype(np.float64)), zero


class Direction(Metric):
    """What cosine and angle share: squared distances of unit rows, zero ones at right angles."""

    keeps_single = sparse = graph = True

    def measured(self, x: Any, y: Any) -> Measured:
        """A row of zeros is at a right angle to all of the other table, and at 0 to itself."""
        a, zero_a = unit_rows(x)
        b, zero_b = (a, zero_a) if y is x else unit_rows(y)
        zeros = bool(zero_a.any() or zero_b.any())
        if zeros:
            a, b = _apart(a, zero_a, 0), _apart(b, zero_b, 1)
        form = self.form(x.shape[1])
        points = form.points(a)
        made = self._pairs(form, (points, points if b is a else form.points(b)), x, y)
        return replace(made, clear_diagonal=zeros and y is x)

    def graph_rows(self, x: Any) -> NDArray[Any]:
        """One more column keeps rows of zeros, which have no direction, at a right angle to all."""
        unit, zero = unit_rows(x)
        return np.hstack([unit, zero[:, None].astype(np.float64)])

    def graph_queries(self, x: Any) -> NDArray[Any]:
        """Without a word in the additional column."""
        return np.hstack([unit_rows(x)[0], np.zeros((len(x), 1))])

    def graph_distances(self, values: Array, x: Any) -> Array:
        """Squared distances of unit rows as the metric; queries of zeros are at right angles."""
        values[row_norms(x) == 0] = 2.0
        return self._of_squares(values)

    def _of_squares(self, values: Array) -> Array:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Cosine(Direction):
    r""":math:`1 - x \cdot y / (\|x\| \|y\|)`; 1 for a row of zeros.

    Computed as half the squared distance of the directions, so that rows of nearly one direction
    keep their digits.

    Examples
    --------
    >>> Cosine()([1.0, 0.0], [0.0, 2.0])
    1.0
    """

    names: ClassVar[tuple[str, ...]] = ("cosine",)

    def form(self, columns: int) -> Form:
        """½ ‖x̂ − ŷ‖² of unit rows."""
        return Form("squared", Map("scale", a=0.5))

    def _of_squares(self, values: Array) -> Array:
        return 0.5 * values


@dataclass(frozen=True, eq=False)
class Angular(Direction):
    r"""The angle between two rows in radians, :math:`\pi/2` to a row of zeros.

    Examples
    --------
    >>> round(Angular()([1.0, 0.0], [0.0, 2.0]) / np.pi, 12)
    0.5
    """

    names: ClassVar[tuple[str, ...]] = ("angular",)
    triangle = True

    def form(self, columns: int) -> Form:
        """sin²(θ/2) = ¼ ‖x̂ − ŷ‖²; the arc cosine would lose small angles."""
        return Form("squared", Map("arc"), change=scaling(np.float64(0.5)))  # type: ignore[arg-type]

    def _of_squares(self, values: Array) -> Array:
        return Map("arc")(0.25 * values)


@dataclass(frozen=True, eq=False)
class Correlation(Metric):
    r"""One minus the correlation of two rows: the cosine distance of the centred rows.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.

    Examples
    --------
    >>> round(Correlation()([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]), 12)
    2.0
    """

    w: Any = None
    names: ClassVar[tuple[str, ...]] = ("correlation",)
    zero_to_itself = True

    def __post_init__(self) -> None:
        keep_weights(self)

    def form(self, columns: int) -> Form:
        """½ ‖x̂ − ŷ‖² of centred unit rows; NaN for constant rows."""
        weights = weights_of(self, columns)
        shares = np.full(columns, 1.0 / columns) if weights is None else weights / weights.sum()

        def direction(z: NDArray[Any]) -> Array:
            z = z.astype(np.float64)
            centred = (z - (z @ shares)[:, None]) * np.sqrt(shares)
            norms = row_norms(centred)
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(centred / np.where(norms > 0, norms, np.nan)[:, None])

        return Form("squared", Map("scale", a=0.5), change=direction)


@dataclass(frozen=True, eq=False)
class Inner(Metric):
    r"""The inner product :math:`x \cdot y`, a similarity: the nearest has the largest.

    Parameters
    ----------
    reach : float, default=0.0
        The largest norm of a row of a graph.

    Examples
    --------
    >>> Inner()([1.0, 2.0], [3.0, 4.0])
    11.0
    """

    reach: float = 0.0
    names: ClassVar[tuple[str, ...]] = ("inner",)
    similarity = keeps_single = sparse = graph = True

    def graph_metric(self, x: Any) -> Inner:
        """With the largest norm of the rows."""
        return replace(self, reach=float(row_norms(x).max()))

    def form(self, columns: int) -> Form:
        """The products themselves."""
        return Form("inner")

    def graph_rows(self, x: Any) -> NDArray[Any]:
        """‖(q, 0) − (x, √(r² − ‖x‖²))‖² = ‖q‖² + r² − 2 q·x: the nearest has the largest."""
        rest = np.sqrt(np.maximum(self.reach**2 - row_norms(x) ** 2, 0.0))
        return np.hstack([np.asarray(x, dtype=np.float64), rest[:, None]])

    def graph_queries(self, x: Any) -> NDArray[Any]:
        """As long as the longest row."""
        return np.hstack([x * self._stretch(x)[:, None], np.zeros((len(x), 1))])

    def graph_distances(self, values: Array, x: Any) -> Array:
        """The inner products."""
        stretch = self._stretch(x)
        square = (stretch * row_norms(x)) ** 2
        return np.asarray((square[:, None] + self.reach**2 - values) / (2 * stretch[:, None]))

    def _stretch(self, x: Any) -> Array:
        """Factors that make queries as long as the longest row: the order stays."""
        norms = row_norms(x)
        usable = (norms > 0) & (self.reach > 0)
        return np.divide(self.reach, norms, out=np.ones(len(norms)), where=usable)


def _apart(x: Any, zero: NDArray[np.bool_], which: int) -> Any:
    """Two more columns in which zero rows are at distance 1 from every row of the other table."""
    extra = np.zeros((x.shape[0], 2))
    extra[zero, which] = 1.0
    if isinstance(x, np.ndarray):
        return np.hstack([x, extra])
    from scipy.sparse import csr_array, hstack

    return csr_array(hstack([x, csr_array(extra)]))
