"""Intervals of predictions: of means on the predictor's scale, of new observations by quantiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.design.frame import Frame
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.distributions import check_level, two_sided_quantile
from stylobate.inference.intervals import PredictionInterval
from stylobate.regression.response import (
    bounded_interval,
    mean_and_slope,
    predictor_columns,
    response,
)

if TYPE_CHECKING:
    from stylobate.inference.estimates import Estimates
    from stylobate.regression.formula_model import FormulaModel

_NODES = 21  # of Gauss and Hermite's rule for the predictor's uncertainty
_HALVINGS = 80


def predict_interval(
    model: FormulaModel, data: Any, level: float, kind: str, exposure: Any
) -> PredictionInterval:
    """See `FormulaModel.predict_interval`."""
    check_level(level)
    if kind not in ("confidence", "prediction"):
        raise InvalidParameterError(f"kind must be 'confidence' or 'prediction', got {kind!r}.")
    frame = Frame.of(data, "model")
    if model.is_least_squares:
        return _least_squares(model, frame, level, kind, exposure)
    family = model.family_[0]
    _refuse_kind(model, kind)
    z = model.predictor(frame, exposure=exposure)
    found = model.estimates()
    if family.several and kind == "confidence":
        return _of_several(model, frame, z, found, level)
    x = model.design_.matrix(frame)
    k = x.shape[1]
    error = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", x, found.covariance[:k, :k], x), 0.0))
    everywhere = np.ones(len(z), dtype=bool)
    if kind == "prediction":
        low, high = _quantiles(model, z, error, model._other_predictors(frame), level)
        mean = model.mean(frame, exposure=exposure)
        spread = response(model, frame, z - x @ model.coef_[:k]).std_error(found.covariance)[:, 0]
        return PredictionInterval(mean, low, high, spread, everywhere, kind, level)
    mu, slope = mean_and_slope(model, z)
    half = two_sided_quantile(level, found.df) * error
    ends = np.array([mean_and_slope(model, each)[0] for each in (z - half, z + half)])
    low, high = ends.min(axis=0), ends.max(axis=0)
    return PredictionInterval(mu, low, high, error * np.abs(slope), everywhere, kind, level)


def _refuse_kind(model: FormulaModel, kind: str) -> None:
    """Targets of which no interval holds a new observation."""
    family = model.family_[0]
    if kind == "confidence" or not (family.quasi or family.target in ("binary", "ordered")):
        return
    if family.target == "binary":
        why = "it is 0 or 1; kind='confidence' is the interval of its probability."
    elif family.target == "ordered":
        why = "it is a class; kind='confidence' are intervals of the classes' probabilities."
    else:
        why = "it has no distribution; kind='confidence' is the interval of the mean."
    raise InvalidDataError(
        f"model: family {family.name!r} has no interval of a new observation: {why}"
    )


def _of_several(
    model: FormulaModel, frame: Frame, z: Array, found: Estimates, level: float
) -> PredictionInterval:
    """Of means that follow from several predictors, or of the chances of classes in order."""
    x = predictor_columns(model, frame)
    of = response(model, frame, z - x @ model.coef_[: x.shape[1]])
    error = of.std_error(found.covariance)
    quantile = two_sided_quantile(level, found.df)
    low, high = bounded_interval(of.value, error, quantile, of.is_chance)
    every = (of.value, low, high, error)
    mean, low, high, error = every if of.is_chance else tuple(each[:, 0] for each in every)
    everywhere = np.ones(len(z), dtype=bool)
    return PredictionInterval(mean, low, high, error, everywhere, "confidence", level)


def _least_squares(
    model: FormulaModel, frame: Frame, level: float, kind: Any, exposure: Any
) -> PredictionInterval:
    from dataclasses import replace

    from stylobate.inference import prediction

    x = model.design_.matrix(frame)[:, int(model.design_.has_intercept) :]
    found = prediction(model.linear_fit(), x, level=level, kind=kind)
    moved = model.predictor(frame, exposure=exposure) - found.mean
    return replace(
        found, mean=found.mean + moved, lower=found.lower + moved, upper=found.upper + moved
    )


def _quantiles(
    model: FormulaModel, z: Array, error: Array, extra: Array | None, level: float
) -> tuple[Array, Array]:
    """Both tails' quantiles of the distribution, mixed over a normal predictor."""
    from stylobate.regression.residuals import distribution_function

    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    weights = weights / weights.sum()
    whole = model.family_[0].target == "count"

    def below(y: Array) -> Array:
        total = np.zeros(len(y))
        for node, weight in zip(nodes, weights, strict=True):
            at = (z + node * error)[:, None]
            at = at if extra is None else np.column_stack([at, extra])
            total += weight * distribution_function(model, y, at, None)[1]
        return total

    ends = []
    for share in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        mu = mean_and_slope(model, z)[0]
        low, high = np.full(len(z), -1.0 if whole else 0.0), np.maximum(mu, 1.0)
        if model.family_[0].target == "number":
            low = mu - 1.0
            while (wrong := below(low) >= share).any():
                low = np.where(wrong, mu - 2.0 * (mu - low), low)
        while (wrong := below(high) < share).any():
            high = np.where(wrong, mu + 2.0 * (high - mu) + 1.0, high)
        if whole:
            low, high = np.floor(low), np.ceil(high)
        for _ in range(_HALVINGS):
            middle = np.floor((low + high) / 2.0) if whole else (low + high) / 2.0
            reached = below(middle) >= share
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
            if (high - low <= (1.0 if whole else 1e-12 * np.abs(high))).all():
                break
        ends.append(high)
    return ends[0], ends[1]
