"""Metrics of columns that agree or not: Hamming, and those of two sets with their formulas.

Of two rows of booleans, a columns are true in both, b and c in one of them only, n in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.distances.maps import Map
from stylobate.distances.metric import Form, Metric, keep_weights, weights_of
from stylobate.distances.tiles import Measured, pairs_of


@dataclass(frozen=True, eq=False)
class Hamming(Metric):
    r"""The share of columns that differ, :math:`\sum_l w_l [x_l \ne y_l] / \sum_l w_l`.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.

    Examples
    --------
    >>> Hamming()([1.0, 0.0, 2.0, 2.0], [1.0, 5.0, 2.0, 0.0])
    0.5
    """

    w: Any = None
    names: ClassVar[tuple[str, ...]] = ("hamming", "matching")
    triangle = balls = True

    def __post_init__(self) -> None:
        keep_weights(self)

    def form(self, columns: int) -> Form:
        """The weight of the columns that differ, divided by that of all."""
        weights = _ones(self, columns)
        return Form("hamming", Map("scale", a=1.0 / weights.sum()), weights=weights)


@dataclass(frozen=True, eq=False)
class SetMetric(Metric):
    """What metrics of rows of booleans share: counts of the columns true in both and in each.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.
    """

    w: Any = None
    counts: ClassVar[str]  # the core's formula
    ratio: ClassVar[float | None] = None  # p of the core's measure "ruzicka", where it is one
    domain = "booleans"
    balls = zero_to_itself = True

    def __post_init__(self) -> None:
        keep_weights(self)

    def form(self, columns: int) -> Form:
        """Inner products of rows of 0 and 1, from which the counts follow."""
        return Form("inner", change=_as_sets)

    def ball_form(self, columns: int) -> Form:
        """By bounds on the sizes of differences and unions, or as a function of Hamming's."""
        if self.ratio is not None:
            weights = weights_of(self, columns)
            return Form("ruzicka", p=self.ratio, weights=weights, change=_as_sets)
        weights = _ones(self, columns)  # 2 h / (1 + h) of hamming's h
        share = Map("share", a=2.0, b=float(weights.sum()))
        return Form("hamming", share, weights=weights, change=_as_sets)

    def measured(self, x: Any, y: Any) -> Measured:
        """From one product of the two tables."""
        a = _as_sets(x)
        b = a if y is x else _as_sets(y)
        weights = _ones(self, x.shape[1])
        made = pairs_of(a, b if self.w is None else b * weights, "inner")
        counted = made.counted(self.counts, a @ weights, b @ weights, float(weights.sum()))
        shape = (x.shape[0], y.shape[0])
        return Measured(counted, shape, same=y is x, clear_diagonal=y is x)


class Jaccard(SetMetric):
    r""":math:`(b + c) / (a + b + c)`.

    Examples
    --------
    >>> Jaccard()([1, 1, 0], [1, 0, 0])
    0.5
    """

    names = ("jaccard",)
    counts = "jaccard"
    ratio = 2.0
    triangle = True


class Dice(SetMetric):
    r""":math:`(b + c) / (2 a + b + c)`.

    Examples
    --------
    >>> Dice()([1, 1, 1, 0], [1, 0, 0, 0])
    0.5
    """

    names = ("dice",)
    counts = "dice"
    ratio = 1.0


class SokalSneath(SetMetric):
    r""":math:`2 (b + c) / (a + 2 (b + c))`.

    Examples
    --------
    >>> SokalSneath()([1, 1, 1], [1, 1, 0])
    0.5
    """

    names = ("sokalsneath",)
    counts = "sokalsneath"
    ratio = 4.0
    triangle = True


class RogersTanimoto(SetMetric):
    r""":math:`2 (b + c) / (n + b + c)`; SciPy's sokalmichener is the same formula.

    Examples
    --------
    >>> RogersTanimoto()([1, 1, 0], [1, 0, 0])
    0.5
    """

    names = ("rogerstanimoto", "sokalmichener")
    counts = "rogerstanimoto"
    triangle = True


class RussellRao(SetMetric):
    r""":math:`(n - a) / n`: a row has a distance to itself.

    Examples
    --------
    >>> RussellRao()([1, 1, 0, 0], [1, 1, 1, 0])
    0.5
    """

    names = ("russellrao",)
    counts = "russellrao"

    def without_balls(self, x: Any) -> str:
        """Every ball would be as wide as the distances between balls."""
        return "of any rows"


class Yule(SetMetric):
    r""":math:`2 b c / (a d + b c)`, where d columns are false in both.

    Examples
    --------
    >>> Yule()([1, 1, 0, 0], [1, 0, 1, 0])
    1.0
    """

    names = ("yule",)
    counts = "yule"
    balls = False


def _ones(metric: Any, columns: int) -> Array:
    weights = weights_of(metric, columns)
    return np.ones(columns) if weights is None else weights


def _as_sets(x: Any) -> Array:
    return np.asarray(x != 0, dtype=np.float64)
