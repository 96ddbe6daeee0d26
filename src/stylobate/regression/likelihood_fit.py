"""A maximum-likelihood fit to a design, as a value that needs the rows no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.exceptions import InvalidDataError
from stylobate.losses.response_curves import ResponseCurve
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.vector_glm import (
    BinaryResponse,
    ExponentialFamily,
    NegativeBinomial,
    OrderedResponse,
    Predictors,
    VectorSolution,
    ZeroInflated,
    maximise,
)
from stylobate.optimize.vector_glm.negative_binomial import PoissonCounts
from stylobate.optimize.vector_glm.newton import invert
from stylobate.regression.families import ModelFamily

_NAN = float("nan")
LOG_ALPHA = "log(alpha)"


@dataclass(frozen=True, eq=False)
class RowsOfFit:
    """The rows of a fit: design, target, weights and offset; `zeros` is the design of a ZI part."""

    x: Array
    y: Array
    weights: Array | None = None
    offset: Array | None = None
    zeros: Array | None = None

    @property
    def n_used(self) -> int:
        """Rows of positive weight."""
        return len(self.y) if self.weights is None else int(np.count_nonzero(self.weights))


@dataclass(frozen=True, eq=False)
class LikelihoodModel:
    """A family, a link and the number of classes: everything but the columns.

    Examples
    --------
    >>> from stylobate.regression.families import FAMILIES
    >>> LikelihoodModel(FAMILIES["poisson"], "log").likelihood()
    ExponentialFamily(power=1, link='log', extra=0.0)
    """

    family: ModelFamily
    link: str
    n_classes: int = 2

    def likelihood(self) -> Any:
        """The rows' log-likelihood in their predictors."""
        name: Any = self.link
        kind = self.family.name
        if kind == "ordinal":
            return OrderedResponse(name, self.n_classes)
        if kind == "negative_binomial":
            return NegativeBinomial()
        if kind == "zero_inflated_poisson":
            return ZeroInflated(PoissonCounts())
        if kind == "zero_inflated_negative_binomial":
            return ZeroInflated(NegativeBinomial())
        if self.family.power is None:
            return BinaryResponse(name)
        return ExponentialFamily(self.family.power, name)

    def predictors(self, rows: RowsOfFit) -> Predictors:
        """How the parameters make the rows' predictors."""
        kind, ones = self.family.name, np.ones((len(rows.y), 1))
        if kind == "ordinal":
            ordered: OrderedResponse = self.likelihood()
            return ordered.predictors(rows.y, rows.x, rows.offset)
        blocks = [rows.x]
        if kind.endswith("negative_binomial"):
            blocks.append(ones)
        if kind.startswith("zero_inflated"):
            blocks.append(ones if rows.zeros is None else rows.zeros)
        return Predictors.of(*blocks, offset=rows.offset)

    def start(self, rows: RowsOfFit) -> Array:
        """Coefficients of a first least-squares look at transformed targets."""
        kind, y = self.family.name, rows.y
        w = np.ones(len(y)) if rows.weights is None else rows.weights
        if kind == "ordinal":
            below = np.cumsum(np.bincount(y.astype(int), weights=w, minlength=self.n_classes))
            name: Any = self.link
            cuts = ResponseCurve(name).predictor(below[:-1] / below[-1])
            return np.concatenate([np.zeros(rows.x.shape[1]), cuts])
        mean = float(w @ y / w.sum())
        likelihood = self.likelihood()
        if isinstance(likelihood, BinaryResponse):
            z = ResponseCurve(likelihood.link).predictor((y + 0.5) / 2.0)
        elif isinstance(likelihood, ExponentialFamily):
            near = y if self.family.power == 0 else (y + mean) / 2.0
            z = likelihood.predictor(near)
            if self.family.power == 0 and not np.isfinite(z).all():
                z = likelihood.predictor(np.full(len(y), mean))
        else:
            z = np.log((y + mean) / 2.0)
        z = z if rows.offset is None else z - rows.offset
        root = np.sqrt(w)
        beta = np.linalg.lstsq(root[:, None] * rows.x, root * z, rcond=None)[0]
        if kind.endswith("negative_binomial"):
            beta = np.append(beta, 0.0)
        if kind.startswith("zero_inflated"):
            beta = np.append(beta, self._zero_start(rows, w))
        return np.asarray(beta, dtype=np.float64)

    def _zero_start(self, rows: RowsOfFit, w: Array) -> Array:
        share = min(max(0.5 * float(w @ (rows.y == 0) / w.sum()), 1e-3), 1 - 1e-3)
        design = np.ones((len(rows.y), 1)) if rows.zeros is None else rows.zeros
        level = np.full(len(rows.y), np.log(share / (1.0 - share)))
        return np.asarray(np.linalg.lstsq(design, level, rcond=None)[0])

    def solve(self, rows: RowsOfFit, max_iter: int, start: Array | None = None) -> VectorSolution:
        """The maximum."""
        from stylobate.optimize.vector_glm.newton import log_likelihood

        likelihood, predictors = self.likelihood(), self.predictors(rows)
        first = self.start(rows) if start is None else start
        value = log_likelihood(likelihood, predictors, rows.y, rows.weights, first)
        if not np.isfinite(value):
            first = self._level_start(rows, first)
            value = log_likelihood(likelihood, predictors, rows.y, rows.weights, first)
        if not np.isfinite(value):
            raise InvalidDataError(
                f"model: the {self.family.name} likelihood with the {self.link} link is not finite "
                "where the fit would start; fit an intercept, choose link='log', or scale the "
                "columns."
            )
        return maximise(likelihood, predictors, rows.y, rows.weights, first, max_iter=max_iter)

    def _level_start(self, rows: RowsOfFit, first: Array) -> Array:
        """The mean alone, if a combination of the columns is constant."""
        k = rows.x.shape[1]
        level = np.zeros_like(first)
        level[k:] = first[k:]
        likelihood = self.likelihood()
        if isinstance(likelihood, ExponentialFamily):
            goal = likelihood.predictor(np.full(len(rows.y), float(rows.y.mean())))
            level[:k] = np.linalg.lstsq(rows.x, goal, rcond=None)[0]
        return level


@dataclass(frozen=True, eq=False)
class LikelihoodFit:
    """What is known after the fit.

    Parameters
    ----------
    names : tuple of str
        Of all parameters: the design's columns first, then log(alpha), thresholds "a|b", or those
        of the zero part ("zero: …").
    coef : (k,) array
    inverse : (k, k) array
        Inverse information at dispersion 1: the expected one for exponential families, else the
        observed one.
    bread : (k, k) array
        Inverse observed information, for sandwiches.
    determined : (k,) bool array
    rank, n_rows : int
    weight_sum : float
    log_likelihood, null_log_likelihood : float
        NaN where there is no likelihood (quasi).
    deviance, null_deviance, pearson : float
        NaN where the family is not exponential.
    dispersion : float
    iterations : int
    converged : bool
    certificate : Certificate
    notes : tuple of str
    """

    names: tuple[str, ...]
    coef: Array
    inverse: Array
    bread: Array
    determined: Mask
    rank: int
    n_rows: int
    weight_sum: float
    log_likelihood: float
    null_log_likelihood: float
    deviance: float
    null_deviance: float
    pearson: float
    dispersion: float
    iterations: int
    converged: bool
    certificate: Certificate
    notes: tuple[str, ...] = ()

    @property
    def df_residual(self) -> int:
        """Rows of positive weight less the parameters that are determined."""
        return max(self.n_rows - self.rank, 0)


def fit_likelihood(
    model: LikelihoodModel,
    rows: RowsOfFit,
    names: tuple[str, ...],
    *,
    max_iter: int = 100,
) -> LikelihoodFit:
    """Fit, and look at the rows a last time for what inference asks."""
    solution = model.solve(rows, max_iter)
    exponential = model.family.exponential
    inverse = invert(solution.expected, len(rows.y))[0] if exponential else solution.inverse
    deviance, pearson = _misfit(model, rows, solution.theta)
    null = _null(model, rows, max_iter)
    df = max(rows.n_used - solution.rank, 0)
    phi = 1.0
    if model.family.scale == "estimated":
        phi = pearson / df if df else _NAN
    ll, null_ll = (_log_likelihood(model, rows, each, phi) for each in (solution, null))
    null_deviance = _misfit(model, _null_rows(model, rows), null.theta)[0]
    return LikelihoodFit(
        names=names,
        coef=solution.theta,
        inverse=inverse,
        bread=solution.inverse,
        determined=solution.determined,
        rank=solution.rank,
        n_rows=rows.n_used,
        weight_sum=float(rows.n_used if rows.weights is None else rows.weights.sum()),
        log_likelihood=ll,
        null_log_likelihood=null_ll,
        deviance=deviance,
        null_deviance=null_deviance,
        pearson=pearson,
        dispersion=phi,
        iterations=max(solution.iterations, 1),
        converged=solution.converged,
        certificate=_certificate(model, solution, null.log_likelihood),
    )


def _null_rows(model: LikelihoodModel, rows: RowsOfFit) -> RowsOfFit:
    ones = np.ones((len(rows.y), 0 if model.family.name == "ordinal" else 1))
    return RowsOfFit(ones, rows.y, rows.weights, rows.offset, None)


def _null(model: LikelihoodModel, rows: RowsOfFit, max_iter: int) -> VectorSolution:
    """The model of the intercept alone (thresholds alone; an intercept in each part)."""
    return model.solve(_null_rows(model, rows), max_iter)


def means_and_variances(
    model: LikelihoodModel, z: Array, extra: Array | None = None
) -> tuple[Array, Array]:
    """μ and V(μ) of the rows' first predictor; `extra` are the other parameters' predictors."""
    name: Any = model.link
    if model.family.power is None and model.family.exponential:
        mu = ResponseCurve(name).mean(z)
        return mu, mu * (1.0 - mu)
    if model.family.power is not None:
        family = ExponentialFamily(model.family.power, name)
        mu = family.mean(z)
        return mu, family.variance(mu)
    assert extra is not None
    mu = np.exp(z)
    variance = mu
    if model.family.name.endswith("negative_binomial"):
        variance = mu + np.exp(extra[:, 0]) * mu**2
    if model.family.name.startswith("zero_inflated"):
        share = 1.0 / (1.0 + np.exp(extra[:, -1]))  # of rows that count
        second = variance + mu**2
        mu = share * mu
        variance = share * second - mu**2
    return mu, variance


def _misfit(model: LikelihoodModel, rows: RowsOfFit, theta: Array) -> tuple[float, float]:
    """Deviance and Pearson's χ²."""
    if model.family.name == "ordinal":
        return _NAN, _NAN
    w = np.ones(len(rows.y)) if rows.weights is None else rows.weights
    z = model.predictors(rows).at(theta)
    mu, variance = means_and_variances(model, z[:, 0], z[:, 1:])
    with np.errstate(divide="ignore", invalid="ignore"):
        pearson = (rows.y - mu) ** 2 / variance
    pearson = np.where(rows.y == mu, 0.0, pearson)
    return float(w @ deviances(model, rows.y, z[:, 0])), float(w @ pearson)


def deviances(model: LikelihoodModel, y: Array, z: Array) -> Array:
    """Unit deviances; NaN where the family is not exponential."""
    if not model.family.exponential:
        return np.full(len(y), _NAN)
    if model.family.power is None:
        from scipy.special import xlogy

        found = model.likelihood().at(y, z[:, None]).value
        saturated = xlogy(y, y) + xlogy(1.0 - y, 1.0 - y)
        return np.asarray(np.maximum(2.0 * (saturated - found), 0.0))
    family = model.likelihood()
    return np.asarray(family.deviance(y, family.mean(z)))


def _log_likelihood(
    model: LikelihoodModel, rows: RowsOfFit, solution: VectorSolution, phi: float
) -> float:
    if model.family.quasi:
        return _NAN
    if model.family.power is None:
        return solution.log_likelihood + _trial_constants(model, rows)
    from stylobate.optimize.glm import Family, Saturated

    saturated = Saturated.of(Family(float(model.family.power), "log"), rows.y, rows.weights)
    half = -solution.log_likelihood
    if model.family.power == 0:
        phi = 2.0 * half / rows.n_used
    return saturated.at(phi) - half / phi if phi > 0 else _NAN


def _trial_constants(model: LikelihoodModel, rows: RowsOfFit) -> float:
    """Logarithms of binomial coefficients, where weights are whole trials of shares."""
    if model.family.target != "binary" or rows.weights is None:
        return 0.0
    from scipy.special import gammaln

    n, won = rows.weights, rows.weights * rows.y
    if (n != np.round(n)).any() or (np.abs(won - np.round(won)) > 1e-9 * np.maximum(n, 1)).any():
        return 0.0
    if ((rows.y == 0) | (rows.y == 1)).all():
        return 0.0
    return float((gammaln(n + 1) - gammaln(won + 1) - gammaln(n - won + 1)).sum())


def _certificate(model: LikelihoodModel, solution: VectorSolution, null: float) -> Certificate:
    """How far the fit is from the maximum: proved for the logit and the log link's families."""
    h, d = solution.observed, solution.direction
    curved = max(float(d @ h @ d), 0.0)
    kind = (model.family.power, model.link, model.family.exponential)
    proved = kind in ((None, "logit", True), (0, "identity", True)) or (
        model.link == "log" and model.family.power in (1, 2)
    )
    shift = 0.0 if model.family.power == 0 else solution.largest_shift
    gap = curved / (2.0 * (1.0 - shift)) if shift < 1.0 else float("inf")
    if not proved or not np.isfinite(gap):
        proved, gap = False, max(solution.decrement, 0.0)
    diagonal = np.maximum(np.diag(h), 1e-300)
    scale = 1.0 / np.sqrt(diagonal)
    values = np.linalg.eigvalsh(scale[:, None] * h * scale) if len(h) else np.ones(1)
    condition = float(values[-1] / values[0]) if values[0] > 0 else float("inf")
    primal = -solution.log_likelihood
    return Certificate.from_gap(
        "½·deviance" if model.family.power is not None else "−log-likelihood",
        primal=primal,
        gap=gap,
        at_zero=-null,
        kkt=0.0
        if not len(d)
        else float(np.abs(h @ d * scale).max() / np.sqrt(max(primal, 1e-300))),
        condition=float(np.sqrt(condition)),
        lost=condition,
        proved=proved,
    )
