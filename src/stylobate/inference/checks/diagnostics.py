"""Tests of what a linear model assumes of its residuals and columns, with results in words.

Residuals are taken as they are: for a weighted fit pass `√w·e`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.inference.distributions import chi2_p
from stylobate.inference.fit import LinearFit, fit_from_factor
from stylobate.inference.rows import as_rows, design_chunks, merged_factor
from stylobate.inference.summary.regression import summarize

_WHITE_COLUMNS = 6000  # the auxiliary factor is this wide and square: 288 MB


@dataclass(frozen=True)
class TestResult:
    """Outcome of a test: statistic, p-value, and a sentence.

    `p` is NaN for a statistic that is read by itself (Durbin–Watson).
    """

    __test__ = False  # not for pytest to collect

    name: str
    statistic: float
    p: float
    df: float
    sentence: str
    details: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}: {self.sentence}"


def jarque_bera(residuals: ArrayLike) -> TestResult:
    """Jarque–Bera test of normality, `JB = n/6 (S² + (K−3)²/4) ~ χ²(2)`.

    Parameters
    ----------
    residuals : (n,) array_like, not all equal

    Returns
    -------
    TestResult
        `details` holds `skewness` S and `kurtosis` K (3 for the normal law).

    Examples
    --------
    >>> jarque_bera([-2.0, -1.0, 0.0, 1.0, 2.0]).sentence
    'no sign of non-normal residuals (skewness 0, kurtosis 1.7; JB = 0.352, p = 0.839).'
    """
    e = _residuals(residuals)
    e = e - e.mean()
    variance = float(np.mean(e**2))
    if variance == 0:
        raise InvalidDataError("residuals are all equal: their normality cannot be tested.")
    skewness = float(np.mean(e**3)) / variance**1.5
    kurtosis = float(np.mean(e**4)) / variance**2
    jb = len(e) / 6 * (skewness**2 + (kurtosis - 3) ** 2 / 4)
    p = chi2_p(jb, 2)
    shape = f"skewness {skewness:.3g}, kurtosis {kurtosis:.3g}; JB = {jb:.3g}, {_p(p)}"
    sentence = f"{_finding(p, 'the residuals are not normal', 'non-normal residuals')} ({shape})."
    details = {"skewness": skewness, "kurtosis": kurtosis}
    return TestResult("Jarque-Bera", jb, p, 2, sentence, details)


def durbin_watson(residuals: ArrayLike) -> TestResult:
    """Durbin–Watson statistic `Σ(e_i − e_{i−1})² / Σe_i²` of residuals in time order, in [0, 4].

    About `2(1 − ρ)` for an autocorrelation ρ of neighbours: 2 means none.

    Parameters
    ----------
    residuals : (n,) array_like, not all zero

    Examples
    --------
    >>> durbin_watson([1.0, -1.0, 1.0, -1.0]).sentence
    'neighbouring residuals tend to have opposite signs (DW = 3, about 2 means independent).'
    """
    e = _residuals(residuals)
    total = float(e @ e)
    if total == 0:
        raise InvalidDataError("residuals are all zero: their autocorrelation does not exist.")
    change = np.diff(e)
    dw = float(change @ change) / total
    if dw < 1.5:
        finding = "neighbouring residuals resemble each other"
    elif dw > 2.5:
        finding = "neighbouring residuals tend to have opposite signs"
    else:
        finding = "no strong correlation between neighbouring residuals"
    sentence = f"{finding} (DW = {dw:.3g}, about 2 means independent)."
    return TestResult("Durbin-Watson", dw, float("nan"), float("nan"), sentence)


def breusch_pagan(residuals: ArrayLike, X: Any, *, robust: bool = True) -> TestResult:
    """Breusch–Pagan test of constant variance: do the columns of X explain `e²`?

    Koenker's form `LM = n R²` of `e² ~ 1 + X` when `robust`, else Breusch and Pagan's own, half
    the explained sum of squares of `e²/mean(e²)`; both `~ χ²(rank − 1)`.

    Parameters
    ----------
    residuals : (n,) array_like, not all of equal size
    X : (n, p) array or sparse array, without a column of ones
    robust : bool
        Whether to do without normality.

    Returns
    -------
    TestResult
        `details` holds `f` and `f_p`, the F form of the auxiliary regression.

    Examples
    --------
    >>> x = np.arange(1.0, 9.0)[:, None]
    >>> breusch_pagan(np.array([1, -1, 1, -1, 4, -4, 4, -4.0]), x).sentence
    'the residual variance changes with the columns of X (LM = 6.1, p = 0.014).'
    """
    squares, X = _squares_and_rows(residuals, X)
    if not robust:
        squares = squares / squares.mean()
    fit = _auxiliary(squares, (design for _, design in design_chunks(X, True)))
    lm = _n_r2(fit) if robust else (fit.tss - fit.rss) / 2
    return _variance_test("Breusch-Pagan", lm, fit, "the columns of X")


def white(residuals: ArrayLike, X: Any) -> TestResult:
    """White's test of constant variance: `n R²` of `e²` on columns, squares and products.

    Parameters
    ----------
    residuals : (n,) array_like, not all of equal size
    X : (n, p) array or sparse array, without a column of ones; p at most about 100

    Returns
    -------
    TestResult
        `details` holds `f` and `f_p`, the F form of the auxiliary regression.

    Examples
    --------
    >>> x = np.arange(1.0, 9.0)[:, None]
    >>> white(np.array([1, -1, 1, -1, 4, -4, 4, -4.0]), x).df
    2.0
    """
    squares, X = _squares_and_rows(residuals, X)
    columns = (X.shape[1] + 1) * (X.shape[1] + 2) // 2
    if columns > _WHITE_COLUMNS:
        raise InvalidDataError(
            f"White's test of {X.shape[1]} columns needs {columns} squares and products, more than "
            f"{_WHITE_COLUMNS}: use breusch_pagan, or fewer columns."
        )
    left, right = np.triu_indices(X.shape[1] + 1)
    blocks = (d[:, left] * d[:, right] for _, d in design_chunks(X, True))
    fit = _auxiliary(squares, blocks)
    return _variance_test("White", _n_r2(fit), fit, "columns, squares and products of X")


def _auxiliary(target: Array, blocks: Iterator[Array]) -> LinearFit:
    """Least squares of `target` on the blocks' columns, the first of which is one."""

    def with_target() -> Iterator[Array]:
        start = 0
        for block in blocks:
            stop = start + len(block)
            yield np.column_stack([block, target[start:stop]])
            start = stop

    return fit_from_factor(merged_factor(with_target()), n_rows=len(target))


def _n_r2(fit: LinearFit) -> float:
    return fit.n_rows * (1 - fit.rss / fit.tss) if fit.tss else 0.0


def _variance_test(name: str, lm: float, fit: LinearFit, what: str) -> TestResult:
    if not fit.df_model or not fit.df_residual:
        raise InvalidDataError(
            f"The {name} test regresses squared residuals on {what}: {fit.n_rows} row(s) and rank "
            f"{fit.rank} leave nothing to test; it needs a varying column and more rows than that."
        )
    p = chi2_p(lm, fit.df_model)
    found = f"the residual variance changes with {what}"
    sentence = f"{_finding(p, found, 'changing residual variance')} (LM = {lm:.3g}, {_p(p)})."
    auxiliary = summarize(fit)
    details = {"f": auxiliary.f, "f_p": auxiliary.f_p}
    return TestResult(name, lm, p, float(fit.df_model), sentence, details)


def _residuals(residuals: ArrayLike) -> Array:
    e = np.asarray(residuals, dtype=np.float64)
    if e.ndim != 1 or len(e) < 2 or not np.isfinite(e).all():
        raise InvalidDataError(
            f"residuals must be a vector of at least two finite numbers, got shape {e.shape}"
            f"{'' if np.isfinite(e).all() else ' with missing or infinite values'}."
        )
    return e


def _squares_and_rows(residuals: ArrayLike, X: Any) -> tuple[Array, Any]:
    e, X = _residuals(residuals), as_rows(X)
    if X.shape[0] != len(e):
        raise InvalidDataError(f"X has {X.shape[0]} rows but there are {len(e)} residuals.")
    if not e.any():
        raise InvalidDataError("residuals are all zero: there is no variance to test.")
    return e**2, X


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _finding(p: float, found: str, absent: str) -> str:
    return found if p < 0.05 else f"no sign of {absent}"
