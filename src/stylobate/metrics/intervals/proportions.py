"""Intervals of a share of rows."""

from __future__ import annotations

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.distributions import two_sided_quantile
from stylobate.metrics.intervals.interval import Interval

METHODS = ("wilson", "clopper-pearson")


def proportion_interval(
    hits: float, count: float, *, confidence: float = 0.95, method: str = "wilson"
) -> Interval:
    r"""Interval of a share, from the number of hits among a number of rows.

    Wilson's score interval holds the shares p that :math:`|\hat p - p| \le z \sqrt{p(1-p)/n}`
    does not reject; its coverage is close to nominal on average. Clopper and Pearson's is exact: it
    covers at least as often as asked, for every p, and is wider for that.

    Parameters
    ----------
    hits : float in [0, count]
        Rows that count (or their weight).
    count : float in (0, inf)
        All rows.
    confidence : float in (0, 1), default=0.95
        The share of samples whose interval holds the true share.
    method : {"wilson", "clopper-pearson"}, default="wilson"
        See above.

    Returns
    -------
    Interval

    References
    ----------
    Brown, Cai & DasGupta (2001), Interval estimation for a binomial proportion.

    Examples
    --------
    >>> print(proportion_interval(80, 100))
    0.8 (95 % interval 0.7112 to 0.8666, wilson)
    >>> print(proportion_interval(0, 30, method="clopper-pearson"))
    0 (95 % interval 0 to 0.1157, clopper-pearson)
    """
    if not (count > 0 and 0 <= hits <= count):
        raise InvalidDataError(
            f"proportion_interval: {hits!r} hits among {count!r} rows are no share; count must be "
            "positive and hits between 0 and count."
        )
    if method == "wilson":
        ends = _wilson(hits, count, two_sided_quantile(confidence, float("inf")))
    elif method == "clopper-pearson":
        two_sided_quantile(confidence, float("inf"))  # refuses a wrong confidence
        ends = _clopper_pearson(hits, count, 0.5 * (1.0 - confidence))
    else:
        raise InvalidParameterError(
            f"proportion_interval: method must be one of {', '.join(METHODS)}, got {method!r}."
        )
    return Interval(hits / count, *ends, method, confidence)


def _wilson(hits: float, count: float, z: float) -> tuple[float, float]:
    share, extra = hits / count, z * z / count
    centre = share + 0.5 * extra
    half = z * (share * (1.0 - share) / count + 0.25 * extra / count) ** 0.5
    low = 0.0 if hits == 0 else (centre - half) / (1.0 + extra)
    high = 1.0 if hits == count else (centre + half) / (1.0 + extra)
    return max(low, 0.0), min(high, 1.0)


def _clopper_pearson(hits: float, count: float, tail: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    low = 0.0 if hits == 0 else float(betaincinv(hits, count - hits + 1.0, tail))
    high = 1.0 if hits == count else float(betaincinv(hits + 1.0, count - hits, 1.0 - tail))
    return low, high
