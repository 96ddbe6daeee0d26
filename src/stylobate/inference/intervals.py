"""Confidence intervals of coefficients; confidence and prediction intervals of new rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.distributions import check_level, two_sided_quantile
from stylobate.inference.fit import LinearFit
from stylobate.inference.rows import as_rows, check_features, design_chunks, squared_lengths
from stylobate.inference.summary.regression import summarize

_OUTSIDE = 1e-7  # share of a row lying along directions the data say nothing about


@dataclass(frozen=True, eq=False)
class PredictionInterval:
    """Predicted means with interval and standard error, one value per row (of chances of classes
    one for each row and class).

    `lower`, `upper` and `std_error` are NaN for rows the training data do not determine (see
    `determined`); `notes` says how many.
    """

    mean: Array
    lower: Array
    upper: Array
    std_error: Array
    determined: np.ndarray[Any, np.dtype[np.bool_]]
    kind: str
    level: float
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.mean)

    def joined(self, others: Sequence[PredictionInterval]) -> PredictionInterval:
        """These rows and those of others below them."""
        every = [self, *others]
        determined = np.concatenate([one.determined for one in every])
        return replace(
            self,
            mean=np.concatenate([one.mean for one in every]),
            lower=np.concatenate([one.lower for one in every]),
            upper=np.concatenate([one.upper for one in every]),
            std_error=np.concatenate([one.std_error for one in every]),
            determined=determined,
            notes=_notes(determined) or self.notes,
        )

    def __repr__(self) -> str:
        shown = min(len(self), 10)
        lines = [f"{len(self)} {self.kind} intervals, level {self.level:.6g}"]
        lines.append("      mean      lower      upper")
        for row in range(shown):
            every = (np.atleast_1d(each[row]) for each in (self.mean, self.lower, self.upper))
            for values in zip(*every, strict=True):
                lines.append(" ".join(f"{value:10.4g}" for value in values))
        if shown < len(self):
            lines.append(f"… {len(self) - shown} more in .mean, .lower, .upper")
        return "\n".join([*lines, *self.notes])


def confidence_interval(fit: LinearFit, level: float = 0.95) -> Array:
    """Classical confidence intervals `b ± t·s·√C_jj` of the coefficients.

    Parameters
    ----------
    fit : LinearFit
    level : float in (0, 1)

    Returns
    -------
    (k, 2) array
        Lower and upper ends; NaN where a coefficient is not estimable or no residual degrees of
        freedom are left (`summarize(fit).notes` says which).

    Examples
    --------
    >>> from stylobate.inference import fit_from_factor
    >>> x, y = np.arange(4.0), np.array([1.0, 2.0, 2.0, 4.0])
    >>> r = np.linalg.qr(np.column_stack([np.ones(4), x, y]), mode="r")
    >>> confidence_interval(fit_from_factor(r, n_rows=4)).round(3)
    array([[-1.23 ,  3.03 ],
           [-0.238,  2.038]])
    """
    table = summarize(fit, level=level).coefficients
    return np.column_stack([table.ci_low, table.ci_high])


def prediction(
    fit: LinearFit,
    X: Any,
    level: float = 0.95,
    kind: Literal["confidence", "prediction", "plug-in"] = "confidence",
    *,
    weights: ArrayLike | None = None,
) -> PredictionInterval:
    """Predicted means of the rows of X with intervals.

    The standard error is `s·√(xᵀCx)` for the mean ("confidence") and `s·√(xᵀCx + 1/w)` for a new
    observation ("prediction"). "plug-in" takes the maximum likelihood estimates for the truth: it
    is `σ_ML/√w` with `σ_ML² = RSS/n` and the normal quantile, which covers too little where rows
    are few.

    Parameters
    ----------
    fit : LinearFit
        Unpenalised, with at least one residual degree of freedom.
    X : (m, p) array or sparse array
        New rows, without a column for the intercept. Read in chunks.
    level : float in (0, 1)
    kind : {"confidence", "prediction", "plug-in"}
    weights : (m,) array_like > 0, optional
        Weights of the new observations, not for "confidence"; 1 when not given.

    Returns
    -------
    PredictionInterval

    Examples
    --------
    >>> from stylobate.inference import fit_from_factor
    >>> x, y = np.arange(4.0), np.array([1.0, 2.0, 2.0, 4.0])
    >>> r = np.linalg.qr(np.column_stack([np.ones(4), x, y]), mode="r")
    >>> new = prediction(fit_from_factor(r, n_rows=4), [[4.0]], kind="prediction")
    >>> float(new.mean[0].round(3)), float(new.upper[0].round(3))
    (4.5, 8.525)
    >>> plain = prediction(fit_from_factor(r, n_rows=4), [[4.0]], kind="plug-in")
    >>> float(plain.upper[0].round(3))  # too narrow: 4 rows, 2 coefficients
    5.32
    """
    check_level(level)
    _check_request(fit, kind, weights)
    X = as_rows(X)
    check_features(fit, X)
    m = X.shape[0]
    mean, spread, determined = np.empty(m), np.empty(m), np.ones(m, dtype=bool)
    null = fit.undetermined_directions()
    length = np.linalg.norm(null, axis=0)
    for index, design in design_chunks(X, fit.has_intercept):
        mean[index] = design @ fit.coef
        spread[index] = squared_lengths(design @ fit.root)
        if null.size:
            along = np.abs(design @ null)
            size = np.abs(design) @ np.abs(null)  # no cancellation: what rounding is relative to
            determined[index] = (along <= _OUTSIDE * np.maximum(size, 1e-300 * length)).all(axis=1)
    if not np.isfinite(mean).all():
        row = int(np.argmin(np.isfinite(mean)))
        raise InvalidDataError(f"X: row {row} holds a missing or infinite value.")
    variance, freedom = fit.sigma2, float(fit.df_residual)
    if kind == "prediction":
        spread += 1.0 / _new_weights(weights, m)
    elif kind == "plug-in":
        spread = 1.0 / _new_weights(weights, m)
        variance, freedom = fit.rss / fit.n_rows, np.inf
    error = np.where(determined, np.sqrt(spread * variance), np.nan)
    half = two_sided_quantile(level, freedom) * error
    return PredictionInterval(
        mean, mean - half, mean + half, error, determined, kind, level, _notes(determined)
    )


def _notes(determined: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[str, ...]:
    outside = int(np.count_nonzero(~determined))
    if not outside:
        return ()
    return (
        f"{outside} row(s), the first being row {int(np.argmin(determined))}, lie outside the "
        f"space spanned by the training rows of a rank-deficient design: their mean is one choice "
        f"among many and has no interval.",
    )


def _check_request(fit: LinearFit, kind: str, weights: ArrayLike | None) -> None:
    if kind not in ("confidence", "prediction", "plug-in"):
        raise InvalidParameterError(
            f"kind must be 'confidence' or 'prediction' (or 'plug-in'), got {kind!r}."
        )
    if weights is not None and kind == "confidence":
        raise InvalidParameterError(
            "weights describe new observations and are used by kind='prediction' only (and by "
            "'plug-in')."
        )
    if fit.penalised:
        raise InvalidDataError(
            "Intervals of a penalised fit are not valid, its estimates are biased on purpose: "
            "refit without a penalty or use a bootstrap."
        )
    if not fit.df_residual:
        raise InvalidDataError(
            f"Intervals need a residual variance, but {fit.n_rows} row(s) for a model of rank "
            f"{fit.rank} leave no residual degrees of freedom."
        )


def _new_weights(weights: ArrayLike | None, m: int) -> Array:
    if weights is None:
        return np.ones(m)
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (m,) or not (w > 0).all():
        raise InvalidDataError(
            f"weights of new observations must be {m} positive numbers, one per row of X, got "
            f"shape {w.shape}{'' if w.shape != (m,) else f' with minimum {w.min()!r}'}."
        )
    return w
