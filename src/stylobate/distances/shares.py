"""Differences relative to sizes: Canberra of every column, Bray and Curtis of the whole row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.distances.metric import Form, Metric, keep_weights, scaling, weights_of


@dataclass(frozen=True, eq=False)
class Canberra(Metric):
    r""":math:`\sum_l w_l |x_l - y_l| / (|x_l| + |y_l|)`, 0 where both are 0.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.

    Examples
    --------
    >>> Canberra()([1.0, 0.0], [3.0, 0.0])
    0.5
    """

    w: Any = None
    names: ClassVar[tuple[str, ...]] = ("canberra",)
    triangle = balls = True

    def __post_init__(self) -> None:
        keep_weights(self)

    def form(self, columns: int) -> Form:
        """The sum itself."""
        return Form("canberra", weights=weights_of(self, columns))


@dataclass(frozen=True, eq=False)
class BrayCurtis(Metric):
    r""":math:`\sum_l w_l |x_l - y_l| / \sum_l w_l |x_l + y_l|`.

    Parameters
    ----------
    w : array of shape (columns,), default=None
        Weights of the columns, none negative; None means ones.

    Examples
    --------
    >>> BrayCurtis()([1.0, 0.0], [3.0, 0.0])
    0.5
    """

    w: Any = None
    names: ClassVar[tuple[str, ...]] = ("braycurtis",)
    balls = zero_to_itself = True

    def __post_init__(self) -> None:
        keep_weights(self)

    def form(self, columns: int) -> Form:
        """The share itself, of weighted columns."""
        weights = weights_of(self, columns)
        return Form("braycurtis", change=None if weights is None else scaling(weights))

    def ball_form(self, columns: int) -> Form:
        """Of rows without negative numbers, by bounds on the two sums."""
        return Form("ruzicka", p=1.0, weights=weights_of(self, columns))

    def without_balls(self, x: Any) -> str:
        """Balls are sure for rows and queries without negative numbers."""
        return "of negative numbers" if bool((np.asarray(x) < 0).any()) else ""
