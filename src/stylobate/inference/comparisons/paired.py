"""Tests of two models on the same rows or splits, and p-values of several tests at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.checks.diagnostics import TestResult
from stylobate.inference.distributions import chi2_p, two_sided_p, two_sided_quantile
from stylobate.inference.summary.text import number, p_value

_FEW = 25  # discordant pairs up to which the χ² law is not trusted
_ROUNDING = 1e-13  # relative differences up to this are none: the same fit in another order


def corrected_resampled_t_test(
    first: ArrayLike, second: ArrayLike, *, test_to_train: float, level: float = 0.95
) -> TestResult:
    r"""The t test for scores of two models on the same splits, whose training parts overlap.

    With differences :math:`d_1, \dots, d_J` of mean :math:`\bar d` and variance :math:`s^2`,

    .. math:: t = \bar d \Big/ \sqrt{\left(\tfrac1J + \tfrac{n_2}{n_1}\right) s^2}

    has about Student's law with J − 1 degrees of freedom. The usual t test takes the splits for
    independent (variance s²/J) and finds differences where there are none, the more often the more
    splits there are.

    Parameters
    ----------
    first, second : array_like of shape (n_splits,)
        Scores of the two models, split by split; at least two splits.
    test_to_train : float in [0, inf)
        Test rows for each training row, :math:`n_2 / n_1`: 1/4 for five folds.
    level : float in (0, 1), default=0.95
        Of the interval for the difference in `details`.

    Returns
    -------
    TestResult
        `details` holds `difference` (first − second), `std_error`, `low` and `high`.

    Examples
    --------
    >>> test = corrected_resampled_t_test(
    ...     [0.81, 0.79, 0.84, 0.80, 0.83], [0.78, 0.77, 0.80, 0.79, 0.80], test_to_train=1 / 4
    ... )
    >>> print(test)
    corrected resampled t: difference 0.026 (95% interval 0.0048 to 0.047), t = 3.40, p = 0.027
    over 5 splits.

    References
    ----------
    Nadeau & Bengio (2003), Inference for the generalization error, *Machine Learning* 52.
    """
    differences = _differences(first, second, "corrected_resampled_t_test")
    mean, error = corrected_mean(differences, test_to_train)
    count, df = len(differences), len(differences) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        t = float(np.divide(mean, error)) if mean else 0.0
    half = two_sided_quantile(level, df) * error
    p = float(two_sided_p(t, df))
    low, high = mean - half, mean + half
    sentence = (
        f"difference {number(mean, 2)} ({100 * level:.4g}% interval {number(low, 2)} to "
        f"{number(high, 2)}), t = {t:.2f}, p {_is(p)} over {count} splits."
    )
    details = {"difference": mean, "std_error": error, "low": low, "high": high}
    return TestResult("corrected resampled t", t, p, df, sentence, details)


def corrected_mean(values: ArrayLike, test_to_train: float) -> tuple[float, float]:
    """Mean over splits and its standard error, corrected for training parts that overlap.

    >>> corrected_mean([1.0, 2.0, 3.0], 0.5)[1] == (1 / 3 + 0.5) ** 0.5
    True
    """
    x = np.asarray(values, dtype=np.float64)
    if len(x) < 2:
        raise InvalidDataError(
            f"A standard error over splits needs at least two of them, got {len(x)}."
        )
    if not 0.0 <= test_to_train < np.inf:
        raise InvalidParameterError(
            f"test_to_train must be a number of at least 0, test rows over training rows (1/4 for "
            f"five folds), got {test_to_train!r}."
        )
    return float(x.mean()), float(np.sqrt((1.0 / len(x) + test_to_train) * x.var(ddof=1)))


def corrected_interval(
    values: ArrayLike, test_to_train: float, level: float
) -> tuple[float, float, float]:
    """Mean over splits with the ends of its corrected t interval.

    >>> [round(v, 2) for v in corrected_interval([1.0, 2.0, 3.0], 0.5, 0.95)]
    [2.0, -1.93, 5.93]
    """
    mean, error = corrected_mean(values, test_to_train)
    half = two_sided_quantile(level, np.size(values) - 1) * error
    return mean, mean - half, mean + half


def sign_test(first: ArrayLike, second: ArrayLike) -> TestResult:
    """Sign test of paired values: how often is the first above the second? Ties do not count.

    Under no difference each of the n pairs that differ is a fair coin, so that with w wins of the
    first `p = min(1, 2·P(Binomial(n, 1/2) ≤ min(w, n − w)))`, exactly.

    Parameters
    ----------
    first, second : array_like of shape (n,)
        Pairs of values, independent of each other.

    Returns
    -------
    TestResult
        `details` holds `wins`, `losses` and `ties` of the first.

    Examples
    --------
    >>> print(sign_test([3, 4, 5, 6, 7, 8], [1, 2, 4, 5, 9, 8]))
    sign: the first is above in 4 of 5 pairs (1 tie), p = 0.375.
    """
    differences = _differences(first, second, "sign_test")
    wins, losses = int((differences > 0.0).sum()), int((differences < 0.0).sum())
    ties = len(differences) - wins - losses
    p = _binomial_p(wins, losses)
    also = f" ({ties} tie{'' if ties == 1 else 's'})" if ties else ""
    sentence = f"the first is above in {wins} of {wins + losses} pairs{also}, p {_is(p)}."
    details = {"wins": wins, "losses": losses, "ties": ties}
    return TestResult("sign", float(wins), p, float("nan"), sentence, details)


def mcnemar_test(
    y_true: ArrayLike, first: ArrayLike, second: ArrayLike, *, exact: bool | None = None
) -> TestResult:
    r"""McNemar's test: do two classifiers err equally often on the same rows?

    Only rows that one classifies rightly and the other wrongly tell them apart: n₁₀ for the first
    and n₀₁ for the second. Exactly, n₁₀ is Binomial(n₁₀ + n₀₁, 1/2); for many such rows
    :math:`(|n_{10} - n_{01}| - 1)^2 / (n_{10} + n_{01})` has about the χ² law of one degree.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        The labels.
    first, second : array_like of shape (n,)
        Predicted labels of the two classifiers, for rows neither has seen.
    exact : bool or None, default=None
        Whether to use the binomial law; None does below 25 rows that differ.

    Returns
    -------
    TestResult
        `details` holds `first_only` (n₁₀), `second_only` (n₀₁), `both` right and `neither`.

    Examples
    --------
    >>> y = [0, 0, 0, 1, 1, 1, 1, 1]
    >>> print(mcnemar_test(y, y, [0, 0, 1, 0, 0, 0, 0, 1]))
    McNemar: 5 rows only the first gets right, 0 only the second, p = 0.062 (exact).

    References
    ----------
    McNemar (1947), *Psychometrika* 12; Dietterich (1998), *Neural Computation* 10.
    """
    y, a, b = (np.asarray(each) for each in (y_true, first, second))
    if y.ndim != 1 or not y.shape == a.shape == b.shape or not len(y):
        raise InvalidDataError(
            f"mcnemar_test: y_true, first and second must be one label for each row, got shapes "
            f"{y.shape}, {a.shape} and {b.shape}."
        )
    return mcnemar_of_rights(a == y, b == y, exact=exact)


def mcnemar_of_rights(
    first: NDArray[np.bool_], second: NDArray[np.bool_], *, exact: bool | None = None
) -> TestResult:
    """`mcnemar_test` of what each got right, row by row.

    >>> mcnemar_of_rights(np.array([True, True]), np.array([False, True])).p
    1.0
    """
    n10, n01 = int((first & ~second).sum()), int((second & ~first).sum())
    exactly = n10 + n01 < _FEW if exact is None else exact
    if exactly:
        statistic, p = float(min(n10, n01)), _binomial_p(n10, n01)
    else:
        statistic = max(abs(n10 - n01) - 1, 0) ** 2 / max(n10 + n01, 1)
        p = chi2_p(statistic, 1)
    sentence = (
        f"{n10} row{'' if n10 == 1 else 's'} only the first gets right, {n01} only the second, "
        f"p {_is(p)} ({'exact' if exactly else 'χ² law'})."
    )
    both, neither = int((first & second).sum()), int((~first & ~second).sum())
    details = {"first_only": n10, "second_only": n01, "both": both, "neither": neither}
    return TestResult("McNemar", statistic, p, float("nan") if exactly else 1.0, sentence, details)


def holm(p_values: ArrayLike) -> Array:
    """p-values of several tests, raised so that *any* false alarm is as rare as each one says.

    The smallest of m is multiplied by m, the next by m − 1 …, none below the one before it (Holm
    1979). NaN (no test was made) stays NaN and does not count.

    Parameters
    ----------
    p_values : array_like of shape (m,)

    Returns
    -------
    array of shape (m,)

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def _binomial_p(one: int, other: int) -> float:
    """Two-sided p-value of so many heads and tails of a fair coin."""
    from scipy.special import bdtr

    return 1.0 if one == other else min(1.0, 2.0 * float(bdtr(min(one, other), one + other, 0.5)))


def _is(p: float) -> str:
    shown = p_value(p)
    return shown if shown.startswith("<") else f"= {shown}"


def _differences(first: ArrayLike, second: ArrayLike, owner: str) -> Array:
    """First minus second; 0 where rounding could have made the difference."""
    a, b = (np.asarray(each, dtype=np.float64) for each in (first, second))
    if a.ndim != 1 or a.shape != b.shape or not len(a):
        raise InvalidDataError(
            f"{owner}: first and second must be one-dimensional and of equal length, got shapes "
            f"{a.shape} and {b.shape}."
        )
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InvalidDataError(
            f"{owner}: there are missing or infinite values (of fits that failed?); leave out "
            "those pairs."
        )
    differences: Array = a - b
    differences[np.abs(differences) <= _ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return differences
