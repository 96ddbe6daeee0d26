"""How many rows a study needs: power of the common tests, solved for any of its parts; simulation.

References
----------
Cohen (1988), Statistical Power Analysis for the Behavioral Sciences.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.inference.distributions import check_level, two_sided_quantile

_LARGEST = 1e9


@dataclass(frozen=True)
class Power:
    """A design and its power; n are the rows of each group, where there are two."""

    test: str
    n: float
    effect: float
    alpha: float
    power: float

    @property
    def rows(self) -> int:
        """N as whole rows that reach the power."""
        return math.ceil(self.n - 1e-9)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "test": self.test, "n": self.n, "rows": self.rows, "effect": self.effect,
            "alpha": self.alpha, "power": self.power,
        }  # fmt: skip

    def __str__(self) -> str:
        return (
            f"{self.test}: {self.rows} rows find an effect of {self.effect:.4g} with probability "
            f"{self.power:.3f} at the {self.alpha:g} level"
        )


def power_t_test(
    *,
    effect: float | None = None,
    n: float | None = None,
    power: float | None = None,
    alpha: float = 0.05,
    kind: str = "two-sample",
) -> Power:
    """Power of a two-sided t test; the one of `effect`, `n`, `power` left out is found.

    Parameters
    ----------
    effect : float > 0
        Difference over the standard deviation (Cohen's d).
    n : float
        Rows of each group.
    power : float in (0, 1)
    alpha : float in (0, 1), default=0.05
    kind : {"two-sample", "one-sample"}, default="two-sample"

    Examples
    --------
    >>> power_t_test(effect=0.5, power=0.8).rows
    64
    """
    if kind not in ("two-sample", "one-sample"):
        raise InvalidParameterError(f"kind must be 'two-sample' or 'one-sample', got {kind!r}.")
    groups = 2 if kind == "two-sample" else 1

    def at(n: float, effect: float) -> float:
        from scipy import stats

        df = groups * (n - 1.0)
        shift = effect * math.sqrt(n / groups)
        critical = two_sided_quantile(1.0 - alpha, df)
        upper = stats.nct.sf(critical, df, shift)
        lower = stats.nct.cdf(-critical, df, shift)
        return float(np.nan_to_num(upper) + np.nan_to_num(lower))

    return _solve(f"{kind} t test", at, n, effect, power, alpha, 2.0 if groups == 1 else 1.5)


def power_proportions(
    *,
    p1: float,
    p2: float,
    n: float | None = None,
    power: float | None = None,
    alpha: float = 0.05,
) -> Power:
    """Power of the two-sided test of two proportions (normal, arcsine effect size).

    Parameters
    ----------
    p1, p2 : float in (0, 1)
    n : float
        Rows of each group.
    power : float in (0, 1)
    alpha : float in (0, 1), default=0.05

    Examples
    --------
    >>> power_proportions(p1=0.5, p2=0.4, power=0.9).rows
    519
    """
    for name, p in (("p1", p1), ("p2", p2)):
        if not 0.0 < p < 1.0:
            raise InvalidParameterError(f"{name} must be in (0, 1), got {p!r}.")
    effect = abs(2.0 * math.asin(math.sqrt(p1)) - 2.0 * math.asin(math.sqrt(p2)))

    def at(n: float, effect: float) -> float:
        from scipy.special import ndtr

        shift, z = effect * math.sqrt(n / 2.0), two_sided_quantile(1.0 - alpha, math.inf)
        return float(ndtr(shift - z) + ndtr(-shift - z))

    return _solve("test of two proportions", at, n, effect, power, alpha, 1.0)


def power_f_test(
    *,
    df: int,
    others: int = 1,
    effect: float | None = None,
    n: float | None = None,
    power: float | None = None,
    alpha: float = 0.05,
) -> Power:
    """Power of the F test of `df` coefficients beside `others` (the intercept among them).

    Parameters
    ----------
    df : int >= 1
        Coefficients tested; groups less one for an analysis of variance.
    others : int >= 0, default=1
        Coefficients not tested.
    effect : float > 0
        Cohen's f² = ΔR² / (1 − R²).
    n : float
        Rows in all.
    power : float in (0, 1)
    alpha : float in (0, 1), default=0.05

    Examples
    --------
    >>> power_f_test(df=3, effect=0.0625, power=0.8).rows
    179
    """
    if not isinstance(df, int | np.integer) or df < 1 or others < 0:
        raise InvalidParameterError(f"df must be >= 1 and others >= 0, got {df!r}, {others!r}.")

    def at(n: float, effect: float) -> float:
        from scipy import stats

        rest = n - df - others
        critical = stats.f.isf(alpha, df, rest)
        return float(stats.ncf.sf(critical, df, rest, effect * n))

    return _solve("F test", at, n, effect, power, alpha, df + others + 1.0)


def _solve(
    test: str,
    at: Callable[[float, float], float],
    n: float | None,
    effect: float | None,
    power: float | None,
    alpha: float,
    least: float,
) -> Power:
    from scipy.optimize import brentq

    check_level(1.0 - alpha)
    if sum(each is None for each in (n, effect, power)) != 1:
        raise InvalidParameterError(f"{test}: give two of n, effect and power; the third is found.")
    if effect is not None and not effect > 0.0:
        raise InvalidParameterError(f"{test}: the effect must be positive, got {effect!r}.")
    if n is not None and not n >= least:
        raise InvalidParameterError(f"{test}: n must be at least {least:g}, got {n!r}.")
    if power is None:
        assert n is not None
        assert effect is not None
        return Power(test, n, effect, alpha, at(n, effect))
    if not alpha < power < 1.0:
        raise InvalidParameterError(f"{test}: power must be in ({alpha:g}, 1), got {power!r}.")
    if n is None:
        assert effect is not None
        high = _bracket(lambda x: at(x, effect), power, least, test)
        known = at(least, effect) >= power
        found = least if known else brentq(lambda x: at(x, effect) - power, least, high, xtol=1e-9)
        return Power(test, float(found), effect, alpha, power)
    high = _bracket(lambda x: at(n, x), power, 1e-6, test)
    found = brentq(lambda x: at(n, x) - power, 1e-9, high, xtol=1e-13)
    return Power(test, n, float(found), alpha, power)


def _bracket(at: Callable[[float], float], power: float, least: float, test: str) -> float:
    high = least
    while at(high) < power:
        high = 2.0 * high + 1e-6
        if high > _LARGEST:
            raise InvalidParameterError(f"{test}: no design of a billion rows has that power.")
    return high


@dataclass(frozen=True)
class SimulatedPower:
    """The share of simulated studies that found the effect, with Wilson's interval."""

    power: float
    ci_low: float
    ci_high: float
    n_simulations: int
    n_found: int
    level: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def simulated_power(
    simulate: Callable[[Any], float],
    *,
    n_simulations: int = 1000,
    alpha: float = 0.05,
    level: float = 0.95,
    random_state: int | None = None,
) -> SimulatedPower:
    """Power of any study that can be simulated.

    Parameters
    ----------
    simulate : callable
        ``simulate(rng)``: draws a data set with the NumPy generator, tests, returns the p-value.
    n_simulations : int >= 1, default=1000
    alpha : float in (0, 1), default=0.05
        Of the test.
    level : float in (0, 1), default=0.95
        Of the interval.
    random_state : int or None, default=None
        Seed; each study has a generator of its own.

    Returns
    -------
    SimulatedPower

    Examples
    --------
    >>> found = simulated_power(lambda rng: rng.uniform(), n_simulations=400, random_state=0)
    >>> found.ci_low < 0.05 < found.ci_high
    True
    """
    check_level(level)
    check_level(1.0 - alpha)
    if not isinstance(n_simulations, int | np.integer) or n_simulations < 1:
        raise InvalidParameterError(
            f"n_simulations must be a whole number >= 1, got {n_simulations!r}."
        )
    seeds = np.random.SeedSequence(random_state).spawn(int(n_simulations))
    found = 0
    for seed in seeds:
        p = float(simulate(np.random.default_rng(seed)))
        if not 0.0 <= p <= 1.0:
            raise InvalidParameterError(f"simulate must return a p-value in [0, 1], got {p!r}.")
        found += p < alpha
    n, share = n_simulations, found / n_simulations
    z = two_sided_quantile(level, math.inf)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return SimulatedPower(share, middle - half, middle + half, int(n), int(found), level)
