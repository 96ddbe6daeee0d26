"""What a model predicts, with its derivatives in all parameters: means, or chances of classes.

The mean of a row is a function of a few predictors (one for most families, two where zeros have a
part of their own, two thresholds for classes in order), and each predictor is linear in some of the
parameters. That is all the delta method asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.design.frame import Frame
from stylobate.losses.response_curves import ResponseCurve
from stylobate.optimize.vector_glm import ExponentialFamily

if TYPE_CHECKING:
    from typing import Any

    from stylobate.regression.formula_model import FormulaModel


@dataclass(frozen=True, eq=False)
class Part:
    """A predictor's share of the derivatives.

    Parameters
    ----------
    slope : (n, c) array
        Of the c responses in the predictor.
    design : (n, q) array
    places : (q,) array
        Which parameters the columns multiply.
    """

    slope: Array
    design: Array
    places: Indices


@dataclass(frozen=True, eq=False)
class Response:
    """Predicted means (c = 1) or chances of c classes, with derivatives.

    Parameters
    ----------
    names : tuple of c str
        "" for a mean, "P(class)" for chances.
    value : (n, c) array
    parts : tuple of Part
    n_params : int
    """

    names: tuple[str, ...]
    value: Array
    parts: tuple[Part, ...]
    n_params: int

    @property
    def is_chance(self) -> bool:
        """Whether the values are chances of classes."""
        return self.names != ("",)

    def averaged(self, n_groups: int = 1) -> tuple[Array, Array]:
        """Means over equally many rows in turn, (n_groups, c), and their derivatives in all
        parameters, (n_groups, c, k).
        """
        size, c = len(self.value) // n_groups, len(self.names)
        slopes = np.zeros((n_groups, c, self.n_params))
        for part in self.parts:
            steep = part.slope.reshape(n_groups, size, c)
            design = part.design.reshape(n_groups, size, -1)
            slopes[:, :, part.places] += np.einsum("gsc,gsq->gcq", steep, design) / size
        return self.value.reshape(n_groups, size, c).mean(axis=1), slopes

    def std_error(self, covariance: Array) -> Array:
        """Standard errors of the values by the delta method, (n, c)."""
        error = np.empty_like(self.value)
        for j in range(len(self.names)):
            slopes = np.zeros((len(self.value), self.n_params))
            for part in self.parts:
                slopes[:, part.places] += part.slope[:, j, None] * part.design
            used = (slopes != 0).any(axis=0)
            matrix = np.where(np.outer(used, used), covariance, 0.0)
            error[:, j] = np.einsum("ij,jk,ik->i", slopes, matrix, slopes)
        return np.sqrt(np.maximum(error, 0.0))


def response(
    model: FormulaModel, frame: Frame, offset: Array | None, *, at_mean: bool = False
) -> Response:
    """Of the rows of a table, or of the row whose columns of the design are the table's means.

    Parameters
    ----------
    model : FormulaModel
    frame : Frame
    offset : (n,) array or None
        Added to the predictor.
    at_mean : bool, default=False
    """
    x = predictor_columns(model, frame)
    zero = _zero_columns(model, frame)
    if at_mean:
        x = x.mean(axis=0, keepdims=True)
        offset = None if offset is None else np.array([offset.mean()])
        zero = None if zero is None else zero.mean(axis=0, keepdims=True)
    z = x @ model.coef_[: x.shape[1]]
    z = z if offset is None else z + offset
    if model.family_[0].name == "ordinal":
        return _chances(model, x, z)
    if zero is not None:
        return _inflated(model, x, z, zero)
    mu, slope = mean_and_slope(model, z)
    part = Part(slope[:, None], x, np.arange(x.shape[1]))
    return Response(("",), mu[:, None], (part,), len(model.coef_))


def predictor_columns(model: FormulaModel, frame: Frame) -> Array:
    """The columns that the first coefficients multiply; thresholds and levels that are swept out
    take the intercept's place.
    """
    x = model.design_.matrix(frame)
    inside = model.family_[0].name == "ordinal" or model.absorbs
    return np.asarray(x[:, int(model.design_.has_intercept) :] if inside else x)


def _zero_columns(model: FormulaModel, frame: Frame) -> Array | None:
    """The columns of the zero part; None for families without one."""
    if not model.family_[0].name.startswith("zero_inflated"):
        return None
    design = model.zero_design_
    return np.ones((frame.n_rows, 1)) if design is None else design.matrix(frame)


def _inflated(model: FormulaModel, x: Array, z: Array, zero: Array) -> Response:
    """(1 − π) μ, with the logit of π linear in the last parameters."""
    k = len(model.coef_)
    places = np.arange(k - zero.shape[1], k)
    t = zero @ model.coef_[places]
    count = 1.0 / (1.0 + np.exp(t))
    mean = count * np.exp(z)
    counts = Part(mean[:, None], x, np.arange(x.shape[1]))
    zeros = Part((-(1.0 - count) * mean)[:, None], zero, places)
    return Response(("",), mean[:, None], (counts, zeros), k)


def _chances(model: FormulaModel, x: Array, z: Array) -> Response:
    """P(y = j) = F(θ_j − η) − F(θ_{j−1} − η)."""
    classes, k = model.target_.classes, len(model.coef_)
    cuts, (n, q) = len(classes) - 1, x.shape
    name: Any = model.family_[1]
    steep = np.exp(ResponseCurve(name).log_slope(model.coef_[q:] - z[:, None]))
    value = model.likelihood_model.likelihood().probabilities(model.coef_[q:], z)
    blank = np.zeros((n, 1))
    upper, lower = np.hstack([steep, blank]), np.hstack([blank, steep])
    parts = [Part(lower - upper, x, np.arange(q))]
    for j in range(cuts):
        slope = np.zeros((n, cuts + 1))
        slope[:, j], slope[:, j + 1] = steep[:, j], -steep[:, j]
        parts.append(Part(slope, np.ones((n, 1)), np.array([q + j])))
    return Response(tuple(f"P({each})" for each in classes), value, tuple(parts), k)


def mean_and_slope(model: FormulaModel, z: Array) -> tuple[Array, Array]:
    """μ and dμ/dz of families whose mean is a function of one predictor."""
    if model.is_least_squares:
        return z, np.ones_like(z)
    family, link = model.family_
    name: Any = link
    if family.power is None and family.exponential:
        curve = ResponseCurve(name)
        return curve.mean(z), np.exp(curve.log_slope(z))
    if family.power is None:  # counts
        return np.exp(z), np.exp(z)
    exponential = ExponentialFamily(family.power, name)
    return exponential.mean(z), exponential.mean_slopes(z)[0]


def bounded_interval(
    value: Array, error: Array, quantile: float, is_chance: bool
) -> tuple[Array, Array]:
    """Intervals of positive means on the logarithm's scale, of chances on the logit's: so they keep
    within bounds.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        if not is_chance:
            factor = np.exp(quantile * error / value)
            return value / factor, value * factor
        odds, spread = value / (1.0 - value), np.exp(quantile * error / (value * (1.0 - value)))
        return odds / spread / (1.0 + odds / spread), odds * spread / (1.0 + odds * spread)
