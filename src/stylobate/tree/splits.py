"""How good a given split of rows is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.strata import class_numbers
from stylobate.tree.impurities import impurity

_OF_NUMBERS = ("squared_error", "absolute_error")


@dataclass(frozen=True, slots=True)
class SplitImpurity:
    """A node and its two parts.

    Parameters
    ----------
    parent, left, right : float
        Impurities of all rows and of the parts.
    n_left, n_right : int
        Rows of the parts.
    """

    parent: float
    left: float
    right: float
    n_left: int
    n_right: int

    @property
    def after(self) -> float:
        """The impurity that is left: the mean of the parts, weighted by their rows."""
        n = self.n_left + self.n_right
        return (self.n_left * self.left + self.n_right * self.right) / n

    @property
    def gain(self) -> float:
        """What the split takes away; with the entropy, the information gain."""
        return self.parent - self.after


def split_impurity(y: Any, goes_left: Any, criterion: str = "gini") -> SplitImpurity:
    r"""The impurity of a given split, and what it gains.

    .. math:: \text{gain} = H(S) - \frac{|L|}{|S|} H(L) - \frac{|R|}{|S|} H(R)

    Parameters
    ----------
    y : array-like of shape (n,)
        Classes, or numbers for the last two criteria.
    goes_left : array-like of bool of shape (n,)
        Which rows go to the left part, such as ``x <= 12``; neither part may be empty.
    criterion : {"gini", "entropy", "log_loss", "misclassification", "squared_error", \
"absolute_error"}, default="gini"
        The entropy is in bits; "squared_error" is the variance, "absolute_error" the mean
        distance from the median.

    Returns
    -------
    SplitImpurity
        With `parent`, `left`, `right`, `after` and `gain`.

    Examples
    --------
    Twenty balls, 9 blue and 11 yellow, split after the twelfth:

    >>> blue = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    >>> found = split_impurity(blue, [place <= 12 for place in range(20)], "entropy")
    >>> round(found.parent, 4), round(found.left, 4), round(found.right, 4), round(found.gain, 4)
    (0.9928, 0.9612, 0.5917, 0.1609)

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees.
    """
    sides: Mask = np.asarray(goes_left)
    if sides.dtype != np.bool_ or sides.ndim != 1 or sides.all() or not sides.any():
        raise InvalidDataError(
            "split_impurity: goes_left must be True or False for each row, with some of both, got "
            f"{goes_left!r}."
        )
    if criterion in _OF_NUMBERS:
        numbers = np.asarray(y, dtype=np.float64)
        if numbers.shape != sides.shape:
            raise InvalidDataError(
                f"split_impurity: y has shape {numbers.shape}, and goes_left {len(sides)} rows."
            )
        values = [_spread(part, criterion) for part in (numbers, numbers[sides], numbers[~sides])]
    else:
        labels, codes = class_numbers(y, len(sides), "split_impurity")
        parts = (codes, codes[sides], codes[~sides])
        values = [_mixture(np.bincount(each, minlength=len(labels)), criterion) for each in parts]
    parent, left, right = values
    return SplitImpurity(parent, left, right, int(sides.sum()), int((~sides).sum()))


def _mixture(counts: NDArray[np.intp], criterion: str) -> float:
    known = ("gini", "entropy", "log_loss", "misclassification")
    if criterion not in known:
        raise InvalidParameterError(
            f"split_impurity: criterion must be one of {', '.join((*known, *_OF_NUMBERS))}, got "
            f"{criterion!r}."
        )
    return impurity(counts, criterion)


def _spread(values: Array, criterion: str) -> float:
    if criterion == "squared_error":
        return float(values.var())
    return float(np.abs(values - np.median(values)).mean())
