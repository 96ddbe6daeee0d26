"""Temperature scaling: one number by which all scores are divided."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.tags import Tags, to_scikit_learn
from stylobate.optimize.certificate import Certificate

_LEAST, _MOST = exp(-10.0), exp(10.0)  # of the inverse temperature, as in scikit-learn
_TOLERANCE, _STEPS = 1e-14, 200
_SHIFT = 1e-12  # added to probabilities before their logarithm


@dataclass(frozen=True, slots=True, eq=False)
class TemperatureScaling:
    r"""Probabilities :math:`softmax(\beta z)` of scores z of classes, with one β for all.

    β, the inverse temperature, minimises the log loss within [e⁻¹⁰, e¹⁰]; the loss is convex in it.
    The largest score stays the largest, so that the class predicted never changes. Newton's method
    within a bracket; the certificate follows from the slopes at its ends.

    Parameters
    ----------
    beta_ : float
        The inverse temperature: below 1 where the scores were too sure.
    certificate_ : Certificate
        How far it is from the best.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[4.0, 0.0], [4.0, 0.0], [0.0, 4.0], [4.0, 0.0]])
    >>> scaling = TemperatureScaling.fit(scores, np.array([0, 0, 1, 1]))
    >>> scaling.predict(scores[:1]).round(6)  # three of four are right
    array([[0.75, 0.25]])

    References
    ----------
    Guo, Pleiss, Sun & Weinberger (2017), On calibration of modern neural networks, ICML.
    """

    beta_: float
    certificate_: Certificate

    @classmethod
    def fit(cls, scores: Any, codes: Any, sample_weight: Any = None) -> Self:
        """The temperature of scores and classes.

        Parameters
        ----------
        scores : array of shape (n,), (n, 1) or (n, n_classes)
            Margins, or probabilities.
        codes : array of int, shape (n,)
            The column of the true class.
        sample_weight : array of shape (n,), optional
            Non-negative weights.
        """
        z = logits_of(scores).astype(np.float64)
        places = np.asarray(codes, dtype=np.intp)
        w = np.ones(len(z)) if sample_weight is None else np.asarray(sample_weight, np.float64)
        above = z - np.take_along_axis(z, places[:, np.newaxis], axis=1)
        return cls(*_minimum(above, w))

    def predict(self, scores: Any) -> NDArray[Any]:
        """The probability of each class.

        Parameters
        ----------
        scores : array of shape (n,), (n, 1) or (n, n_classes)

        Returns
        -------
        array of shape (n, n_classes)
        """
        from scipy.special import softmax

        logits = logits_of(scores)
        return np.asarray(softmax(logits.dtype.type(self.beta_) * logits, axis=1))

    # scikit-learn's `check_is_fitted` asks for both

    def __sklearn_tags__(self) -> Any:
        return to_scikit_learn(Tags())

    def __sklearn_is_fitted__(self) -> bool:
        return True


def logits_of(scores: Any) -> NDArray[Any]:
    """Scores of all classes on the scale of logarithms.

    Rows of several columns that are probabilities become their logarithms; one column of margins s
    becomes (−s, s).

    >>> logits_of([1.5])
    array([[-1.5,  1.5]])
    """
    values = np.asarray(scores)
    values = values if values.dtype.kind == "f" else values.astype(np.float64)
    if values.ndim == 1 or values.shape[1] == 1:
        column = values.reshape(-1, 1)
        return np.hstack([-column, column])
    within = bool(((values >= 0) & (values <= 1)).all())
    if within and np.allclose(values.sum(axis=1), 1.0):
        return np.asarray(np.log(values + values.dtype.type(_SHIFT)))
    return values


def _loss(above: Array, w: Array, beta: float) -> tuple[float, float, float]:
    """Σ w log Σₖ exp(β·aboveₖ), its slope and its curvature."""
    shares = beta * above
    top = shares.max(axis=1)
    shares -= top[:, np.newaxis]
    np.exp(shares, out=shares)
    total = shares.sum(axis=1)
    mean = np.einsum("ij,ij->i", shares, above) / total
    shares *= above
    spread = np.einsum("ij,ij->i", shares, above) / total - mean**2
    value = w @ (top + np.log(total))
    return float(value), float(w @ mean), float(w @ np.maximum(spread, 0.0))


def _minimum(above: Array, w: Array) -> tuple[float, Certificate]:
    """The best β by Newton's steps, halving the bracket (in ratio) where they leave it."""
    low, high, beta = _LEAST, _MOST, 1.0
    at_zero = float(w.sum()) * float(np.log(above.shape[1]))
    for _ in range(_STEPS):
        value, slope, curvature = _loss(above, w, beta)
        # of a convex function the slope bounds what can be gained towards either end
        gap = slope * (beta - low) if slope > 0 else -slope * (high - beta)
        if gap <= _TOLERANCE * max(value, 2.0**-52 * at_zero):
            break
        low, high = (low, beta) if slope > 0 else (beta, high)
        stepped = beta - slope / curvature if curvature > 0 else low
        beta = stepped if low < stepped < high else sqrt(low * high)
        if not low < beta < high:  # neighbours among the numbers
            break
    proof = Certificate.from_gap(
        "log loss of the scaled scores",
        primal=value,
        gap=gap,
        at_zero=at_zero,
        kkt=abs(slope) / max(float(w.sum()), 1e-300),
        condition=1.0,
    )
    return beta, proof
