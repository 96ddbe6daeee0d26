"""From rows and coefficients to a `GLMFit`: one pass in chunks, dense or sparse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.inference.glm.fit import GLMFit, fit_from_information
from stylobate.inference.rows import Index, as_rows, design_chunks
from stylobate.optimize.glm import Family, Saturated

if TYPE_CHECKING:
    from stylobate.optimize.certificate import Certificate


@dataclass(frozen=True, eq=False)
class RowScores:
    """A chunk of rows: `index`, design [1, x], per-equation derivatives and weights.

    `slope[:, e]` is the derivative of −log-likelihood (at dispersion 1) in the predictor of
    equation e, `curvature[:, e, f]` the second one, `expected` its expectation.
    """

    index: Index
    design: Array
    slope: Array
    curvature: Any
    expected: Any
    weights: Array


def check_rows(X: Any, y: ArrayLike, weights: ArrayLike | None) -> tuple[Any, Array, Array]:
    """X as sliceable rows; y and weights as vectors of its length."""
    rows = as_rows(X)
    n = rows.shape[0]
    target = np.asarray(y, dtype=np.float64)
    target = target[:, 0] if target.ndim == 2 and target.shape[1] == 1 else target
    w = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
    for name, vector in (("y", target), ("weights", w)):
        if vector.shape != (n,):
            raise InvalidDataError(
                f"{name} must have shape ({n},), one value per row of X, got {vector.shape}."
            )
    return rows, target, w


def score_chunks(
    family: Family | None, coef: Array, has_intercept: bool, X: Any, y: Array, w: Array
) -> Iterator[tuple[RowScores, Array]]:
    """Derivatives and means of the rows, chunk by chunk; rows of zero weight count nothing."""
    for index, design in design_chunks(X, has_intercept):
        z = design @ coef.T
        if not np.isfinite(z).all():
            raise InvalidDataError(
                "X holds a missing or infinite value; inference needs the finite rows the model "
                "was fitted on."
            )
        if family is None:
            mu = softmax(z)
            others = mu[:, 1:]
            slope = others - (y[index, None] == np.arange(1, len(coef) + 1))
            curve = others[:, :, None] * (np.eye(len(coef)) - others[:, None, :])
            yield RowScores(index, design, slope, curve, curve, w[index]), mu
            continue
        mu = family.mean(z[:, 0])
        slope = family.gradient(y[index], mu)[:, None]
        curve = family.observed_curvature(y[index], mu)[:, None, None]
        expected = family.expected_curvature(mu)[:, None, None]
        yield RowScores(index, design, slope, curve, expected, w[index]), mu


def softmax(z: Array) -> Array:
    """Probabilities of the reference class, whose predictor is 0, and of the others."""
    z = np.column_stack([np.zeros(len(z)), z])
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def block_gram(design: Array, curvature: Any, weights: Array) -> Array:
    """`Σ w · curvature ⊗ a aᵀ`, equation by equation."""
    c, k = curvature.shape[1], design.shape[1]
    blocks = np.empty((c, k, c, k))
    for e in range(c):
        for f in range(e + 1):
            part = (design.T * (weights * curvature[:, e, f])) @ design
            blocks[e, :, f, :], blocks[f, :, e, :] = part, part
    return blocks.reshape(c * k, c * k)


def glm_fit_from_rows(
    family: Family | None,
    X: Any,
    y: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    coef: ArrayLike,
    intercept: ArrayLike = 0.0,
    has_intercept: bool = True,
    names: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
    target: str = "y",
    penalised: bool = False,
    separation: str | None = None,
    certificate: Certificate | None = None,
) -> GLMFit:
    """What inference needs of a fit, computed from its rows.

    Parameters
    ----------
    family : Family, or None for the multinomial model
        `stylobate.optimize.glm` has `BINOMIAL`, `POISSON`, `GAMMA`, `GAUSSIAN`.
    X : (n, p) array or sparse array, without a column of ones
    y : (n,) array_like
        Targets; 0 and 1 for the binomial family, 0 … K−1 for the multinomial model.
    weights : (n,) array_like >= 0, optional
    coef : (p,), (1, p) or, for the multinomial model, (K, p) array_like
        One row per class (any common shift is taken out by comparing with the first class).
    intercept : float or (K,) array_like
    has_intercept : bool
    names : sequence of p str, optional
    classes : sequence of K labels, optional
        For the multinomial model and, of two, for the name of the binomial one's target.
    target, penalised, separation, certificate
        As of `GLMFit`.

    Returns
    -------
    GLMFit

    Examples
    --------
    >>> from stylobate.optimize.glm import POISSON
    >>> X, y = np.zeros((4, 0)), [1.0, 2.0, 2.0, 3.0]
    >>> fit = glm_fit_from_rows(POISSON, X, y, coef=np.zeros(0), intercept=np.log(2.0))
    >>> round(float(fit.unscaled_covariance[0, 0]), 6)  # the information about log μ is nμ
    0.125
    """
    rows, t, w = check_rows(X, y, weights)
    slopes, constants = _equations(family, coef, intercept)
    c = len(slopes)
    stacked = np.hstack([constants[:, None], slopes]) if has_intercept else slopes
    center = _means(rows, w) if has_intercept else None
    k = stacked.shape[1]
    information, deviance, pearson = np.zeros((c * k, c * k)), 0.0, 0.0
    for chunk, mu in score_chunks(family, stacked, has_intercept, rows, t, w):
        moved = chunk.design[:, int(has_intercept) :] - (0.0 if center is None else center)
        design = np.hstack([moved, np.ones((len(moved), int(has_intercept)))])
        information += block_gram(design, chunk.expected, chunk.weights)
        d, chi2 = misfit(family, t[chunk.index], mu, chunk.weights)
        deviance, pearson = deviance + d, pearson + chi2
    labels = None if classes is None else [str(label) for label in classes]
    return fit_from_information(
        family,
        coef=slopes,
        intercept=constants,
        information=information,
        center=center,
        n_rows=int(np.count_nonzero(w)),
        weight_sum=float(w.sum()),
        deviance=deviance,
        null_deviance=null_deviance(family, t, w, has_intercept, c),
        has_intercept=has_intercept,
        pearson=pearson,
        saturated=None if family is None else Saturated.of(family, t, w),
        names=names,
        equations=_equation_names(family, labels, c),
        reference=None if family is not None else (labels or ["class 0"])[0],
        target=target,
        penalised=penalised,
        separation=separation,
        certificate=certificate,
    )


def _equations(family: Family | None, coef: ArrayLike, intercept: ArrayLike) -> tuple[Array, Array]:
    slopes = np.atleast_2d(np.asarray(coef, dtype=np.float64))
    constants = np.broadcast_to(np.asarray(intercept, dtype=np.float64).ravel(), (len(slopes),))
    if family is None:
        return slopes[1:] - slopes[0], constants[1:] - constants[0]
    return slopes, constants


def _equation_names(family: Family | None, labels: list[str] | None, c: int) -> list[str] | None:
    if family is not None:
        return None
    return labels[1:] if labels is not None else [f"class {e + 1}" for e in range(c)]


def _means(X: Any, w: Array) -> Array:
    return np.asarray(X.T @ (w / w.sum()), dtype=np.float64)


def misfit(family: Family | None, y: Array, mu: Array, w: Array) -> tuple[float, float]:
    """Deviance and Pearson's χ² of a chunk."""
    counted = w > 0
    y, mu, w = y[counted], mu[counted], w[counted]
    if family is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (y - mu) ** 2 / family.variance(mu)
        return float(w @ family.deviance(y, mu)), float(w @ np.where(y == mu, 0.0, ratio))
    hit = y[:, None] == np.arange(mu.shape[1])
    chosen = np.maximum(mu[hit], np.finfo(float).tiny)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (hit - mu) ** 2 / mu
    chi2 = np.where(mu == hit, 0.0, ratio).sum(axis=1)
    return float(-2.0 * w @ np.log(chosen)), float(w @ chi2)


def null_deviance(family: Family | None, y: Array, w: Array, has_intercept: bool, c: int) -> float:
    """Deviance of the model with the intercept alone; without intercept that of z = 0."""
    counted = w > 0
    y, w = y[counted], w[counted]
    if family is not None:
        mu = float(w @ y / w.sum()) if has_intercept else float(family.mean(np.zeros(1))[0])
        return float(w @ family.deviance(y, np.full(len(y), mu)))
    totals = np.bincount(y.astype(np.intp), weights=w, minlength=c + 1)
    shares = totals / totals.sum() if has_intercept else np.full(c + 1, 1.0 / (c + 1))
    seen = totals > 0
    return float(-2.0 * totals[seen] @ np.log(shares[seen]))
