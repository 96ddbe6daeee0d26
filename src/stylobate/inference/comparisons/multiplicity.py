"""p-values of several tests, raised for their number; and tables of contrasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.inference.comparisons.paired import holm
from stylobate.inference.distributions import check_level, two_sided_p, two_sided_quantile
from stylobate.inference.estimates import Estimates, WaldTest, wald_test

ADJUSTMENTS = ("none", "bonferroni", "sidak", "holm", "hochberg", "fdr", "tukey")


def adjusted_p(
    p: ArrayLike, method: str = "holm", *, t: ArrayLike = (), k: int = 0, df: float = np.inf
) -> Array:
    """p-values raised for the number of tests; NaN (no test) does not count.

    Parameters
    ----------
    p : (m,) array_like
    method : {"none", "bonferroni", "sidak", "holm", "hochberg", "fdr", "tukey"}
        "fdr" (Benjamini and Hochberg) bounds the expected share of false findings, the others the
        chance of any. "tukey" is for all pairs of k means.
    t : (m,) array_like
        Statistics, for "tukey".
    k : int
        Means, for "tukey".
    df : float
        Residual degrees of freedom, for "tukey".

    Examples
    --------
    >>> adjusted_p([0.01, 0.04, 0.03], "fdr").round(6)
    array([0.03, 0.04, 0.04])
    """
    if method not in ADJUSTMENTS:
        raise InvalidParameterError(
            f"adjust must be one of {', '.join(map(repr, ADJUSTMENTS))}, got {method!r}."
        )
    values = np.asarray(p, dtype=np.float64)
    if method == "tukey":
        return _tukey(np.asarray(t, dtype=np.float64), k, df)
    if method == "holm":
        return holm(values)
    known = ~np.isnan(values)
    m = int(known.sum())
    if method == "none" or not m:
        return values.copy()
    found = values.copy()
    if method == "bonferroni":
        found[known] = np.minimum(values[known] * m, 1.0)
    elif method == "sidak":
        found[known] = -np.expm1(m * np.log1p(-values[known]))
    else:
        order = np.argsort(-values[known], kind="stable")
        steps = np.arange(1, m + 1) if method == "hochberg" else m / np.arange(m, 0, -1)
        raised = np.minimum.accumulate(values[known][order] * steps)
        back = np.empty(m)
        back[order] = np.minimum(raised, 1.0)
        found[known] = back
    return found


def _tukey(t: Array, k: int, df: float) -> Array:
    from scipy.stats import studentized_range

    if k < 2:
        raise InvalidParameterError("adjust='tukey' compares at least two means.")
    size = np.abs(t) * np.sqrt(2.0)
    return np.asarray(studentized_range.sf(size, k, min(df, 1e5)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class ContrastTable:
    """Linear combinations of coefficients, one a row: estimate, error, test, interval.

    `p_adjusted` is raised for the number of rows by `adjust`; so are the intervals for
    "bonferroni", "sidak" and "tukey" (others have no intervals of their own and keep single ones).
    """

    names: tuple[str, ...]
    estimate: Array
    std_error: Array
    statistic: Array
    df: float
    p: Array
    p_adjusted: Array
    ci_low: Array
    ci_high: Array
    adjust: str
    level: float
    joint: WaldTest | None = None
    title: str = "Linear contrasts"

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> dict[str, float]:
        """One row."""
        if name not in self.names:
            raise InvalidParameterError(
                f"There is no row {name!r}; there are {', '.join(self.names[:8])}."
            )
        row = self.names.index(name)
        fields = ("estimate", "std_error", "statistic", "p", "p_adjusted", "ci_low", "ci_high")
        return {field: float(getattr(self, field)[row]) for field in fields}

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        plain: dict[str, Any] = {"name": list(self.names)}
        fields = ("estimate", "std_error", "statistic", "p", "p_adjusted", "ci_low", "ci_high")
        plain |= {field: getattr(self, field).tolist() for field in fields}
        plain |= {"df": self.df, "adjust": self.adjust, "level": self.level}
        plain["joint"] = None if self.joint is None else self.joint.to_dict()
        return plain

    def __str__(self) -> str:
        from stylobate.inference.summary.text import aligned, interval_label, number, p_value, table

        low, high = (aligned([number(v) for v in side]) for side in (self.ci_low, self.ci_high))
        columns = [
            ("estimate", [number(v) for v in self.estimate]),
            ("std error", [number(v, 3) for v in self.std_error]),
            ("z" if np.isinf(self.df) else "t", [number(v, 3) for v in self.statistic]),
            ("p" if self.adjust == "none" else f"p ({self.adjust})",
             [p_value(v) for v in self.p_adjusted]),
            (interval_label(self.level), [f"{a}  {b}" for a, b in zip(low, high, strict=True)]),
        ]  # fmt: skip
        joint = "" if self.joint is None or len(self) < 2 else f"\njoint test: {_short(self.joint)}"
        return f"{self.title}\n{table(self.names, columns, '')}{joint}"

    __repr__ = __str__


def _short(test: WaldTest) -> str:
    return str(test).rpartition(": ")[2]


def contrasts(
    estimates: Estimates,
    matrix: Array,
    names: tuple[str, ...],
    *,
    values: Array | None = None,
    adjust: str = "none",
    level: float = 0.95,
    means: int = 0,
    joint: bool = True,
    title: str = "Linear contrasts",
) -> ContrastTable:
    """Test each row of a matrix of hypotheses, and all of them jointly.

    Parameters
    ----------
    estimates : Estimates
    matrix : (q, k) array
    names : tuple of q str
    values : (q,) array, optional
        What the combinations are compared with; 0.
    adjust : str
        See `adjusted_p`.
    level : float in (0, 1)
    means : int
        How many means were compared, for "tukey".
    joint : bool
    title : str

    Examples
    --------
    >>> found = Estimates(("a", "b"), np.array([3.0, 1.0]), np.eye(2))
    >>> print(contrasts(found, np.array([[1.0, -1.0]]), ("a - b",)))
    Linear contrasts
           estimate  std error     z      p    95% interval
    -------------------------------------------------------
    a - b     2.000       1.41  1.41  0.157  -0.7718  4.772
    """
    check_level(level)
    used = (matrix != 0).any(axis=0)
    covariance = np.where(np.outer(used, used), estimates.covariance, 0.0)
    value = matrix @ np.where(used, estimates.coef, 0.0)
    value = value if values is None else value - values
    spread = np.einsum("ij,jk,ik->i", matrix, covariance, matrix)
    error = np.sqrt(np.maximum(spread, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, value / error, np.nan)
    df = estimates.df
    p = two_sided_p(t, df)
    adjusted = adjusted_p(p, adjust, t=t, k=means, df=df)
    half = _critical(adjust, level, len(p), means, df) * error
    test = wald_test(estimates, matrix, 0.0 if values is None else values) if joint else None
    return ContrastTable(
        names, value, error, t, df, p, adjusted, value - half, value + half, adjust, level, test,
        title,
    )  # fmt: skip


def _critical(adjust: str, level: float, m: int, k: int, df: float) -> float:
    """How many standard errors an interval reaches."""
    if adjust == "tukey":
        from scipy.stats import studentized_range

        return float(studentized_range.ppf(level, k, min(df, 1e5)) / np.sqrt(2.0))
    if adjust == "bonferroni":
        return two_sided_quantile(1.0 - (1.0 - level) / m, df)
    if adjust == "sidak":
        return two_sided_quantile(level ** (1.0 / m), df)
    return two_sided_quantile(level, df)
