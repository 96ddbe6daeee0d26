"""Sample weights: None, one number or one number per row → finite, non-negative float64."""

from __future__ import annotations

from numbers import Real
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate.data.containers import unpack
from stylobate.data.sparse import is_sparse, refuse_sparse
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError, NumericalError

_LARGEST_SUM = 1e300  # of weights; sums of weighted numbers near 1 stay finite


def read_weights(
    sample_weight: Any, n_rows: int, *, owner: str, negative: bool = False
) -> NDArray[np.float64] | None:
    """One weight per row, or None for all ones.

    Parameters
    ----------
    sample_weight : None, float or array-like of shape (n,)
        Finite and at least 0, not all 0.
    n_rows : int
        The rows of X.
    owner : str
        Who is asking.
    negative : bool, default=False
        Whether any finite number is a weight.

    Returns
    -------
    ndarray of shape (n,) or None
        None if nothing, or the number 1, was given.

    Examples
    --------
    >>> read_weights([1, 0, 2], 3, owner="Ridge")
    array([1., 0., 2.])
    >>> read_weights(None, 3, owner="Ridge") is None
    True
    """
    if sample_weight is None:
        return None
    source = Input(owner, "sample_weight")
    if isinstance(sample_weight, Real | np.bool_):
        number = float(sample_weight)
        if number == 1.0:
            return None
        weights = np.full(max(n_rows, 1), number)
    else:
        if is_sparse(sample_weight):
            refuse_sparse(source)
        weights = unpack(sample_weight, source).values
        _check_shape(weights, n_rows, source)
        weights = np.ascontiguousarray(weights, dtype=np.float64)
    smallest, largest = weights.min(), weights.max()
    if _LARGEST_SUM / len(weights) < largest < np.inf:
        raise NumericalError(
            f"{source} holds values up to {largest:.3g}, too large to be added in double "
            "precision; multiply all weights by a constant that brings them near 1."
        )
    if negative and -np.inf < smallest and largest < np.inf and weights.any():
        return weights[:n_rows]
    if not (smallest >= 0.0 and 0.0 < largest < np.inf):  # NaN makes every comparison false
        _refuse(weights, source)
    return weights[:n_rows]


def _check_shape(weights: NDArray[Any], n_rows: int, source: Input) -> None:
    if weights.ndim != 1:
        raise InvalidDataError(
            f"Sample weights must be 1D array or scalar, got {weights.ndim}D array of shape "
            f"{weights.shape}. Expected either a scalar value or a 1D array of length {n_rows}."
        )
    if len(weights) != n_rows or n_rows == 0:
        raise InvalidDataError(
            f"{source.owner}: sample_weight.shape == {weights.shape}, expected {(n_rows,)}: one "
            f"weight for each row of X."
        )


def _refuse(weights: NDArray[np.float64], source: Input) -> NoReturn:
    if not weights.any():
        raise InvalidDataError(
            f"{source} is zero everywhere. Sample weights must contain at least one non-zero "
            f"number."
        )
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    row = int(np.argmax(wrong))
    value = weights[row]
    what = "NaN" if np.isnan(value) else "infinity" if value == np.inf else f"{float(value)!r}"
    raise InvalidDataError(
        f"{source} contains {what} at row {row} ({int(wrong.sum())} of {len(weights)} weights "
        f"are negative, missing or infinite). Negative values in data are not weights: pass "
        f"finite numbers of at least 0."
    )
