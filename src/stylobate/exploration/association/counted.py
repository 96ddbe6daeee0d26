"""Measures that follow from a table of counts: Cramér's V and mutual information."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.exploration.association.laws import noncentral_chi2_interval
from stylobate.exploration.association.tables import TableStatistics
from stylobate.exploration.association.value import Association, finite
from stylobate.inference.distributions import two_sided_quantile

Pair = tuple[str, str]


def cramers(
    pairs: Sequence[Pair], tables: Sequence[TableStatistics], *, level: float, exact: bool
) -> list[Association]:
    r"""Cramér's V with Bergsma's correction, its χ² test, and an interval.

    .. math:: \tilde\varphi^2 = \left(\frac{\chi^2}{n} - \frac{(r-1)(c-1)}{n-1}\right)_+, \quad
              \tilde V = \sqrt{\tilde\varphi^2 / (\min(\tilde r, \tilde c) - 1)}, \quad
              \tilde k = k - \frac{(k-1)^2}{n-1}

    The interval holds the V whose noncentral χ² does not reject the table.

    References
    ----------
    Bergsma (2013), A bias-correction for Cramér's V and Tschuprow's T; Smithson (2003), Confidence
    Intervals.
    """
    chi2 = np.array([table.chi2 for table in tables])
    df = np.array([max(table.df, 1) for table in tables], dtype=float)
    low, high = noncentral_chi2_interval(chi2, df, level)
    found = []
    for (a, b), table, lower, upper in zip(pairs, tables, low, high, strict=True):
        why = _why(a, b, table)
        if why:
            found.append(Association(a, b, "cramers_v", None, n=table.n, exact=exact, reason=why))
            continue
        value, raw = _bergsma(table)
        steps = table.n * (min(table.rows, table.columns) - 1)
        ends = (min(value, (lower / steps) ** 0.5), max(value, min((upper / steps) ** 0.5, 1.0)))
        p = _upper_tail(table.chi2, table.df)
        found.append(
            Association(a, b, "cramers_v", value, *ends, p, table.n, exact, None, raw, value)
        )
    return found


def informations(
    pairs: Sequence[Pair], tables: Sequence[TableStatistics], *, level: float, exact: bool
) -> list[Association]:
    r"""Mutual information of counts or bins, in nats, its G test, and an interval.

    .. math:: I = \sum p_{ab} \log\frac{p_{ab}}{p_a p_b} - \frac{K_{ab} - K_a - K_b + 1}{2n}

    The correction (Miller & Madow) counts the cells that occur. The p-value is that of G = 2nI
    divided by Williams' factor. The interval is the wider of two: where a noncentral χ² does not
    reject G (right for weak association), and the normal one with the variance of the
    log-likelihood ratios (right for strong).

    References
    ----------
    Miller (1955), Note on the bias of information estimates; Williams (1976), Improved likelihood
    ratio tests for complete contingency tables.
    """
    g = np.array([table.g / table.williams for table in tables])
    df = np.array([max(table.df, 1) for table in tables], dtype=float)
    low, high = noncentral_chi2_interval(g, df, level)
    q = two_sided_quantile(level, float("inf"))
    found = []
    for k, ((a, b), table) in enumerate(zip(pairs, tables, strict=True)):
        why = _why(a, b, table)
        if why:
            none = Association(a, b, "mutual_information", None, n=table.n, reason=why, exact=exact)
            found.append(none)
            continue
        most = min(table.entropy_a, table.entropy_b)
        value, raw = min(corrected_information(table), most), table.g / (2 * table.n)
        half = q * (table.spread / table.n) ** 0.5
        ends = (
            max(min(low[k] / (2 * table.n), value - half), 0.0),
            min(max(high[k] / (2 * table.n), value + half), most),
        )
        p = _upper_tail(table.g / table.williams, table.df)
        found.append(
            Association(
                a,
                b,
                "mutual_information",
                value,
                min(ends[0], value),
                max(ends[1], value),
                p,
                table.n,
                exact,
                None,
                raw,
                information_strength(value, most),
            )
        )
    return found


def corrected_information(table: TableStatistics) -> float:
    """Information less Miller and Madow's bias, not below 0."""
    bias = (table.cells - table.rows - table.columns + 1) / (2 * table.n)
    return max(table.g / (2 * table.n) - bias, 0.0)


def information_strength(information: float, most: float) -> float:
    """√(1 − exp(−2I)) as a share of what it can be: |ρ| of a normal pair, 1 for a known value.

    >>> round(information_strength(0.2231435, float("inf")), 3), information_strength(0.5, 0.5)
    (0.6, 1.0)
    """
    if most <= 0:
        return 0.0
    return float(min(np.sqrt(np.expm1(-2.0 * information) / np.expm1(-2.0 * most)), 1.0))


def _bergsma(table: TableStatistics) -> tuple[float, float]:
    n, r, c = table.n, table.rows, table.columns
    phi2 = table.chi2 / n
    raw = min((phi2 / (min(r, c) - 1)) ** 0.5, 1.0)
    if n < 2:
        return 0.0, raw
    left = max(phi2 - (r - 1) * (c - 1) / (n - 1), 0.0)
    smallest = min(k - (k - 1) ** 2 / (n - 1) for k in (r, c))
    return (min((left / (smallest - 1)) ** 0.5, 1.0) if smallest > 1 else 0.0), raw


def _upper_tail(statistic: float, df: int) -> float | None:
    from stylobate.inference.distributions import chi2_p

    return finite(chi2_p(statistic, df))


def _why(a: str, b: str, table: TableStatistics) -> str | None:
    if table.n < 3:
        return f"only {table.n} rows have both values; at least 3 are needed"
    if min(table.rows, table.columns) > 1:
        return None
    column = a if table.rows < 2 else b
    return f"{column} has a single value in the {table.n} rows that have both values"
