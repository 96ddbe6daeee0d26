"""Which rows and columns each member of a bagged ensemble sees."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.constraints import is_number
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning

if TYPE_CHECKING:
    Stream = np.random.RandomState
    Numbers = NDArray[np.intp]

_MOST = 2**32 - 1  # draws: rows are counted in 32 bits
_FEW = 10  # draws, below which a fraction of the weights was hardly meant


@dataclass(frozen=True, eq=False)
class Draw:
    """`count` of `n` things, with or without putting back, likely in proportion to weights.

    Parameters
    ----------
    n, count : int
        How many there are and how many to draw.
    replace : bool
        Whether one may be drawn again.
    weights : array of shape (n,) or None
        At least 0; None: all equally likely.

    Examples
    --------
    >>> Draw(5, 5, replace=True).numbers(np.random.RandomState(0))
    array([4, 0, 3, 3, 3])
    """

    n: int
    count: int
    replace: bool
    weights: NDArray[np.float64] | None = None

    def numbers(self, stream: Stream) -> Numbers:
        """The numbers drawn; without putting back and weights, all of them come in order."""
        if self.weights is not None:
            share = self.weights / self.weights.sum()
            found = stream.choice(self.n, self.count, replace=self.replace, p=share)
        elif self.replace:
            found = stream.randint(0, self.n, self.count)
        elif self.count == self.n:
            found = np.arange(self.n)
        else:
            found = stream.permutation(self.n)[: self.count]
        return np.asarray(found, dtype=np.intp)


def rows_to_draw(
    n_rows: int, max_samples: Any, weights: NDArray[np.float64] | None, owner: str
) -> int:
    """How many rows ``max_samples`` stands for: all, a number, or a share of the (weight of) rows.

    >>> rows_to_draw(1000, 0.5, None, "BaggingRegressor")
    500
    """
    if max_samples is None:
        return n_rows
    share = isinstance(max_samples, float | np.floating)
    total = float(n_rows) if weights is None else float(weights.sum())
    wanted = max_samples * total if share else max_samples
    if not wanted <= _MOST:
        raise InvalidParameterError(
            f"{owner}: max_samples={max_samples} stands for {wanted:.3g} rows to draw for each "
            f"member, and at most {_MOST} are counted; choose fewer."
        )
    if not share:
        return int(max_samples)
    count = max(int(wanted), 1)
    if count < max(_FEW, n_rows ** (1 / 3)):
        what = "the number of samples" if weights is None else "the total sum of sample weights"
        warnings.warn(
            f"{owner}: Using the fractional value max_samples={max_samples} when {what} is "
            f"{total:g} results in a low number ({count}) of bootstrap samples. We recommend "
            "passing `max_samples` as an integer instead.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return count


def columns_to_draw(n_columns: int, max_features: Any) -> int:
    """How many columns ``max_features`` stands for, at least one.

    >>> columns_to_draw(10, 0.25), columns_to_draw(10, 3)
    (2, 3)
    """
    if is_number(max_features) and isinstance(max_features, float | np.floating):
        return max(1, int(max_features * n_columns))
    return int(max_features)


def left_out(rows: Numbers, n_rows: int) -> Numbers:
    """The rows that were not drawn.

    >>> left_out(np.array([0, 0, 3]), 4)
    array([1, 2])
    """
    seen = np.zeros(n_rows, dtype=bool)
    seen[rows] = True
    return np.flatnonzero(~seen)
