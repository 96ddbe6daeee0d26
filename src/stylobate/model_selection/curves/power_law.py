"""The power law of learning curves: error = a + b·n^−c, fitted robustly, with fold bootstrap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.distributions import check_level, two_sided_quantile

SLOWEST, FASTEST = 0.05, 2.0  # exponents; below, the law cannot be told from a logarithm
_COARSE, _FINE = 27, 13  # exponents tried at first, and in each of the refinements
_REFINEMENTS = 4
_TUKEY = 4.685  # residuals beyond, in standard errors, do not count: 95% efficient
_REWEIGHTINGS = 8
_FEWEST_SIZES = 4


@dataclass(frozen=True, eq=False)
class PowerLaw:
    r"""A fitted learning curve, :math:`\text{error}(n) = a + b\,n^{-c}` with b ≥ 0, 0 < c ≤ 2.

    Attributes
    ----------
    a, b, c : float
        Of the error, that is the score with its sign changed: a is what no number of rows removes.
    samples : array of shape (n_bootstrap, 3)
        a, b and c of the fits to resampled folds; empty for one fold.
    spread : float
        Factor from the bootstrap's deviations to those of an interval: few folds, and folds whose
        training rows overlap, vary less than independent ones would.
    largest : float
        The most rows a score is known for.
    misfit : float
        Mean error there minus the law's.
    misfit_ratio : float
        The same in standard errors.

    Examples
    --------
    >>> n = np.array([50.0, 100.0, 200.0, 400.0, 800.0])
    >>> law = fit_power_law(n, (0.2 + 3.0 * n**-0.7)[:, None])
    >>> round(law.a, 4), round(law.b, 3), round(law.c, 4)
    (0.2, 3.0, 0.7)
    """

    a: float
    b: float
    c: float
    samples: Array
    spread: float
    largest: float
    misfit: float = 0.0
    misfit_ratio: float = 0.0

    def error(self, n: Any) -> Any:
        """The error at n rows."""
        return self.a + self.b * np.asarray(n, dtype=np.float64) ** -self.c

    def gain(self, n: float, start: float | None = None) -> float:
        """How much the error falls from `start` (the most rows known) to n rows."""
        return float(self.error(self.largest if start is None else start) - self.error(n))

    def error_interval(self, n: Any, level: float = 0.95) -> tuple[Array, Array]:
        """Ends of the interval for the error at n rows; NaN for one fold."""
        at = np.append(np.asarray(n, dtype=np.float64), self.largest)
        a, b, c = self.samples.T[:, :, None]
        low, high = self._interval(self.error(at), a + b * at**-c, level)
        # More rows are not worse: what bounds the error at the most rows known bounds it too.
        high = np.where(at >= self.largest, np.minimum(high, high[-1]), high)
        return low[:-1], high[:-1]

    def gain_interval(
        self, n: float, start: float | None = None, level: float = 0.95
    ) -> tuple[float, float]:
        """Ends of the interval for `gain`, none of the wrong sign; NaN for one fold."""
        b, c = self.samples.T[1:, :, None]
        start = self.largest if start is None else start
        gains = b * (start**-c - float(n) ** -c)
        low, high = self._interval(np.array([self.gain(n, start)]), gains, level)
        bounds = (0.0, np.inf) if n >= start else (-np.inf, 0.0)
        return float(np.clip(low[0], *bounds)), float(np.clip(high[0], *bounds))

    def _interval(self, value: Array, drawn: Array, level: float) -> tuple[Array, Array]:
        check_level(level)
        if not len(drawn):
            return np.full_like(value, np.nan), np.full_like(value, np.nan)
        tails = np.quantile(drawn, [0.5 - 0.5 * level, 0.5 + 0.5 * level], axis=0)
        away = tails - value
        return value + self.spread * np.minimum(away[0], 0), value + self.spread * np.maximum(
            away[1], 0
        )


def fit_power_law(
    sizes: Any,
    errors: Any,
    *,
    lowest: float | None = None,
    test_to_train: float = 0.0,
    level: float = 0.95,
    n_bootstrap: int = 400,
    random_state: int = 0,
) -> PowerLaw:
    """Fit a + b·n^−c to errors of several folds at growing numbers of training rows.

    For a given c the law is linear, so c is searched for in one dimension. Sizes are weighted by
    the variance of their folds (smoothed over the sizes), and sizes that do not follow the law,
    such as fewer rows than columns, by Tukey's weights. Folds are resampled for the intervals.

    Parameters
    ----------
    sizes : array-like of shape (n_sizes,)
        Numbers of training rows, at least four different ones.
    errors : array-like of shape (n_sizes, n_folds)
        Errors, of which less is better; of several folds for intervals.
    lowest : float, optional
        The least error possible: a is not below.
    test_to_train : float in [0, inf)
        Test rows for each training row, for the intervals.
    level : float in (0, 1)
        Of the intervals that `spread` is for.
    n_bootstrap : int, default=400
        Resamples of the folds.
    random_state : int, default=0
        Seed of the resamples.

    Returns
    -------
    PowerLaw

    References
    ----------
    Cortes et al. (1994), Learning curves: asymptotic values and rate of convergence, *NIPS* 6;
    Viering & Loog (2023), The shape of learning curves: a review, *IEEE TPAMI* 45.
    """
    n, y = np.asarray(sizes, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    _check(n, y, n_bootstrap)
    folds = y.shape[1]
    weights = _size_weights(n, y)
    means = [y.mean(axis=1)]
    if folds > 1:
        draw = np.random.default_rng(random_state)
        chosen = draw.integers(folds, size=(n_bootstrap, folds))
        means.extend(y[:, chosen].mean(axis=2).T)
    found = _fit_all(n, np.array(means), weights, lowest)
    a, b, c = (float(v) for v in found[0])
    spread = 1.0
    if folds > 1:
        small = two_sided_quantile(level, folds - 1) / two_sided_quantile(level, np.inf)
        spread = small * np.sqrt(folds / (folds - 1) * (1.0 + folds * test_to_train))
    last = int(n.argmax())
    misfit = float(means[0][last] - (a + b * n[last] ** -c))
    ratio = misfit * float(np.sqrt(weights[last]))
    return PowerLaw(a, b, c, found[1:], float(spread), float(n.max()), misfit, ratio)


def _check(n: Array, y: Array, n_bootstrap: int) -> None:
    if y.ndim != 2 or n.shape != (len(y),) or not y.size:
        raise InvalidDataError(
            f"fit_power_law: errors must have a row for each size and a column for each fold, got "
            f"shape {y.shape} for {n.shape} sizes."
        )
    if len(np.unique(n)) < _FEWEST_SIZES:
        raise InvalidDataError(
            f"A learning curve a + b·n^−c has three unknowns; it needs scores at four or more "
            f"different sizes, got {len(np.unique(n))}."
        )
    if not np.isfinite(y).all() or not (n > 0).all():
        raise InvalidDataError(
            "The learning curve holds missing or infinite scores, or sizes that are not positive; "
            "a fit may have failed there: leave out those sizes."
        )
    if n_bootstrap < 1:
        raise InvalidParameterError(f"n_bootstrap must be at least 1, got {n_bootstrap!r}.")


def _size_weights(n: Array, y: Array) -> Array:
    """1 / variance of the mean at each size, the variances smoothed as a power of n.

    What is common to a fold at all sizes (its test rows are easy or hard) is taken out: it moves
    the whole curve and says nothing about which sizes to trust.
    """
    folds = y.shape[1]
    scale = np.ptp(y.mean(axis=1)) or np.abs(y).max() or 1.0
    if folds == 1:
        return np.asarray(n / n.mean() / (1e-3 * scale) ** 2)
    away = y - y.mean(axis=1, keepdims=True)
    away -= away[n >= np.median(n)].mean(axis=0)  # of the larger sizes: the small ones are wild
    variance = away.var(axis=1, ddof=1) + (1e-6 * scale) ** 2
    x, logs = np.log(n / n.max()), np.log(variance)
    slope = np.clip(np.polyfit(x, logs, 1)[0], -3.0, 0.0)
    smoothed = np.exp(np.median(logs - slope * x) + slope * x)
    return np.asarray(folds / np.maximum(smoothed, 0.25 * variance), dtype=np.float64)


def _fit_all(n: Array, y: Array, weights: Array, lowest: float | None) -> Array:
    """a, b and c of each row of y, by a grid of exponents that is refined about the best."""
    unit = np.exp(np.log(n).mean())  # so that b has the size of the errors
    step = (FASTEST - SLOWEST) / (_COARSE - 1)
    c = np.tile(np.linspace(SLOWEST, FASTEST, _COARSE), (len(y), 1))
    scale: Array | None = None
    for round_ in range(_REFINEMENTS + 1):
        a, b, cost, scale = _for_exponents(n / unit, y, weights, c, lowest, scale)
        best = cost.argmin(axis=1)
        rows = np.arange(len(y))
        found = np.stack([a[rows, best], b[rows, best], c[rows, best]], axis=1)
        if round_ < _REFINEMENTS:
            around = np.linspace(-step, step, _FINE)
            c = np.clip(found[:, 2:] + around, SLOWEST, FASTEST)
            step *= 2.0 / (_FINE - 1)
    found[:, 1] *= unit ** found[:, 2]
    return found


def _for_exponents(
    n: Array, y: Array, weights: Array, c: Array, lowest: float | None, scale: Array | None
) -> tuple[Array, Array, Array, Array]:
    """The linear fits for given exponents (samples × exponents), their costs, and their scale.

    The law is one of many rows, and the smallest sizes pull the most: it starts from the larger
    sizes, and sizes far from it are left out (Tukey's weights). Far is in standard errors, or in
    the residuals of the best exponent where these are larger.
    """
    x = n ** -c[:, :, None]
    y = y[:, None, :]
    root = np.sqrt(weights)
    w = np.broadcast_to(weights * (n >= np.median(n)), x.shape)
    a, b = _linear(x, y, w, lowest)
    if scale is None:
        start = np.abs(y - a[:, :, None] - b[:, :, None] * x) * root
        scale = np.maximum(1.4826 * np.median(start, axis=2).min(axis=1), 1.0)
    for _ in range(_REWEIGHTINGS):
        size = np.abs(y - a[:, :, None] - b[:, :, None] * x) * root
        closeness = np.maximum(1.0 - (size / (_TUKEY * scale[:, None, None])) ** 2, 0.0)
        a, b = _linear(x, y, weights * np.maximum(closeness**2, 1e-9), lowest)
    cost: Array = (1.0 - closeness**3).sum(axis=2)
    return a, b, cost, scale


def _linear(x: Array, y: Array, w: Array, lowest: float | None) -> tuple[Array, Array]:
    """Weighted least squares of y on a + b·x with b ≥ 0 and a ≥ lowest."""
    total = w.sum(axis=2)
    mean_x, mean_y = (w * x).sum(axis=2) / total, (w * y).sum(axis=2) / total
    dx = x - mean_x[:, :, None]
    b = np.maximum((w * dx * y).sum(axis=2) / (w * dx**2).sum(axis=2), 0.0)
    a = mean_y - b * mean_x
    if lowest is not None:
        below = a < lowest
        steeper = np.maximum((w * x * (y - lowest)).sum(axis=2) / (w * x**2).sum(axis=2), 0.0)
        a, b = np.where(below, lowest, a), np.where(below, steeper, b)
    return a, b
