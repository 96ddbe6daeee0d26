"""Tails and quantiles of the t, F, χ² and normal laws, accurate far out in the tail.

Every p-value is computed as an upper tail, never as one minus a distribution function, so that
1e-40 comes out as 1e-40 and not as zero. Infinite degrees of freedom mean the normal law.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError


def two_sided_p(t: ArrayLike, df: float) -> Array:
    """Two-sided p-value `2·P(T ≤ −|t|)` of Student's t with `df` degrees of freedom.

    Parameters
    ----------
    t : array_like
        Observed statistics; ±inf gives 0, NaN gives NaN.
    df : float in (0, inf]
        Degrees of freedom; inf is the normal law.

    Examples
    --------
    >>> float(two_sided_p(2.0, 2)).__round__(6)
    0.183503
    """
    from scipy.special import ndtr, stdtr

    lower = -np.abs(np.asarray(t, dtype=np.float64))
    tail: Any = ndtr(lower) if np.isinf(df) else stdtr(df, lower)
    return np.asarray(2.0 * tail, dtype=np.float64)


def two_sided_quantile(level: float, df: float) -> float:
    """The q with `P(|T| ≤ q) = level`; inf as `df` is the normal law.

    >>> round(two_sided_quantile(0.95, float("inf")), 6)
    1.959964
    """
    from scipy.special import ndtri, stdtrit

    check_level(level)
    tail = (1.0 - level) / 2.0
    return float(-ndtri(tail) if np.isinf(df) else -stdtrit(df, tail))


def f_p(f: float, df_numerator: float, df_denominator: float) -> float:
    """Upper tail `P(F ≥ f)` of Fisher's F.

    >>> round(f_p(3.0, 2, 10), 6)
    0.095367
    """
    from scipy.special import fdtrc

    return 0.0 if f == np.inf else float(fdtrc(df_numerator, df_denominator, f))


def chi2_p(statistic: float, df: float) -> float:
    """Upper tail `P(χ² ≥ statistic)`.

    >>> round(chi2_p(2.0, 2), 6)
    0.367879
    """
    from scipy.special import chdtrc

    return float(chdtrc(df, statistic))


def check_level(level: float) -> None:
    """Refuse a confidence level outside (0, 1)."""
    if not 0.0 < level < 1.0:
        raise InvalidParameterError(
            f"level must be a number strictly between 0 and 1 (0.95 for 95%), got {level!r}."
        )
