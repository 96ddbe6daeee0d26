"""Residuals of any family: response, Pearson, deviance, working, quantile.

References
----------
McCullagh & Nelder (1989), section 2.4; Dunn & Smyth (1996), Randomized quantile residuals, J.
Computational and Graphical Statistics 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.parameters import brief
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.regression.likelihood_fit import RowsOfFit, deviances, means_and_variances

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel

KINDS = ("deviance", "pearson", "response", "working", "quantile")


def residuals(model: FormulaModel, kind: str, rows: RowsOfFit, random_state: Any) -> Array:
    """Of the rows of the fit (see `FormulaModel.residuals`)."""
    if not isinstance(kind, str):
        raise InvalidParameterError(
            f"residuals are those of the rows of the fit, and its first argument is their kind; "
            f"the table of the fit goes to data=, got {brief(kind)}."
        )
    if kind not in KINDS:
        raise InvalidParameterError(
            f"kind must be one of {', '.join(map(repr, KINDS))}, got {kind!r}."
        )
    if model.family_[0].name == "ordinal" and kind != "quantile":
        raise InvalidDataError("model: classes in order have residuals of kind 'quantile' only.")
    if kind == "quantile":
        return _quantile(model, rows, random_state)
    w = np.ones(len(rows.y)) if rows.weights is None else rows.weights
    if model.is_least_squares:
        e = rows.y - rows.x @ model.coef_
        e = e if rows.offset is None else e - rows.offset
        return e if kind in ("response", "working") else e * np.sqrt(w)
    likelihood = model.likelihood_model
    z = likelihood.predictors(rows).at(model.coef_)
    mu, variance = means_and_variances(likelihood, z[:, 0], z[:, 1:])
    e = rows.y - mu
    if kind == "response":
        return e
    if kind == "pearson":
        return np.asarray(np.sqrt(w) * e / np.sqrt(variance))
    if model.family_[0].several:
        raise InvalidDataError(
            f"model: family {model.family_[0].name!r} has residuals of kind 'response', 'pearson' "
            "and 'quantile'."
        )
    if kind == "working":
        from stylobate.regression.response import mean_and_slope

        return np.asarray(e / mean_and_slope(model, z[:, 0])[1])
    if model.family_[0].name == "negative_binomial":
        unit = _negative_binomial_deviances(rows.y, mu, np.exp(-z[:, 1]))
    else:
        unit = deviances(likelihood, rows.y, z[:, 0])
    return np.asarray(np.sign(e) * np.sqrt(w * unit))


def _negative_binomial_deviances(y: Array, mu: Array, r: Array) -> Array:
    """`2 [y log(y/μ) − (y + r) log((y + r)/(μ + r))]`, α = 1/r as fitted."""
    from scipy.special import xlogy

    return np.asarray(
        np.maximum(2.0 * (xlogy(y, y / mu) - (y + r) * np.log((y + r) / (mu + r))), 0)
    )


def distribution_function(
    model: FormulaModel, y: Array, z: Array, weights: Array | None
) -> tuple[Array, Array]:
    """P(Y < y) and P(Y ≤ y) at the predictors, (n, m)."""
    from scipy import stats

    family = model.family_[0]
    likelihood = model.likelihood_model
    mu, _ = means_and_variances(likelihood, z[:, 0], z[:, 1:])
    w = np.ones(len(y)) if weights is None else weights
    if family.name == "gaussian":
        phi = _dispersion(model)
        found = stats.norm.cdf(y, mu, np.sqrt(phi / w))
        return _twice(found)
    if family.name == "gamma":
        shape = w / _dispersion(model)
        found = stats.gamma.cdf(y, shape, scale=mu / shape)
        return _twice(found)
    if family.name == "inverse_gaussian":
        shape = w / _dispersion(model)
        found = stats.invgauss.cdf(y, mu / shape, scale=shape)
        return _twice(found)
    if family.target == "binary":
        won = np.round(y * w)
        below, up_to = stats.binom.cdf(won - 1, w, mu), stats.binom.cdf(won, w, mu)
        return np.asarray(below), np.asarray(up_to)
    return _count_function(family.name, y, z)


def _twice(found: Any) -> tuple[Array, Array]:
    """Of a continuous distribution: no jumps."""
    values = np.asarray(found, dtype=np.float64)
    return values, values


def _count_function(name: str, y: Array, z: Array) -> tuple[Array, Array]:
    from scipy import stats

    mu = np.exp(z[:, 0])
    if name.endswith("negative_binomial"):
        r = np.exp(-z[:, 1])
        below, up_to = (stats.nbinom.cdf(each, r, r / (r + mu)) for each in (y - 1, y))
    else:
        below, up_to = (stats.poisson.cdf(each, mu) for each in (y - 1, y))
    if name.startswith("zero_inflated"):
        share = 1.0 / (1.0 + np.exp(-z[:, -1]))
        below = np.where(y > 0, share + (1.0 - share) * below, 0.0)
        up_to = share + (1.0 - share) * up_to
    return np.asarray(below), np.asarray(up_to)


def _dispersion(model: FormulaModel) -> float:
    if model.is_least_squares:
        return float(model.linear_fit().sigma2)
    return float(model.likelihood_fit_.dispersion)


def _quantile(model: FormulaModel, rows: RowsOfFit, random_state: Any) -> Array:
    from scipy.special import ndtri

    from stylobate.splits.splitter import generator

    family = model.family_[0]
    if family.quasi:
        raise InvalidDataError(
            f"model: family {family.name!r} has no distribution, and so no quantile residuals; "
            "look at 'pearson' or 'deviance'."
        )
    if family.name == "ordinal":
        below, up_to = _ordinal_function(model, rows)
    else:
        if model.is_least_squares:
            offset = 0.0 if rows.offset is None else rows.offset
            z = (rows.x @ model.coef_ + offset)[:, None]
        else:
            z = model.likelihood_model.predictors(rows).at(model.coef_)
        below, up_to = distribution_function(model, rows.y, z, rows.weights)
    u = generator(random_state).random_sample(len(rows.y))
    drawn = np.where(up_to > below, below + u * (up_to - below), up_to)
    tiny = np.finfo(np.float64).tiny
    return np.asarray(ndtri(np.clip(drawn, tiny, 1.0 - 1.2e-16)))


def _ordinal_function(model: FormulaModel, rows: RowsOfFit) -> tuple[Array, Array]:
    classes = len(model.target_.classes)
    eta = rows.x @ model.coef_[: rows.x.shape[1]]
    eta = eta if rows.offset is None else eta + rows.offset
    chances = model.likelihood_model.likelihood().probabilities(model.coef_[-(classes - 1) :], eta)
    codes = rows.y.astype(np.intp)
    total = np.cumsum(chances, axis=1)
    up_to = total[np.arange(len(codes)), codes]
    return up_to - chances[np.arange(len(codes)), codes], np.minimum(up_to, 1.0)
