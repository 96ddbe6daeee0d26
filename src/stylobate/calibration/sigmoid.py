"""Platt's sigmoid: a logistic regression of the event on the score."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import log
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.newton import NewtonSolution, gap_bound, newton

_TOLERANCE, _STEPS = 1e-14, 100


@dataclass(frozen=True, slots=True, eq=False)
class _LogisticSums:
    """Loss, gradient and Hessian of a logistic regression on one column, the intercept last."""

    n_rows: int
    value: float
    gradient: Array
    hessian: Array


@dataclass(frozen=True, slots=True, eq=False)
class SigmoidCalibration:
    r"""The probability :math:`1 / (1 + e^{a s + b})` of an event, given a score s.

    a and b minimise the log loss against targets slightly inside (0, 1), as Platt set them from the
    counts of the classes, so that a perfect separation does not give certainty. Newton's method;
    the certificate bounds what is left to gain.

    Parameters
    ----------
    a_, b_ : float
        Slope and offset; a is negative where high scores speak for the event.
    certificate_ : Certificate
        How far they are from the best.

    Examples
    --------
    >>> import numpy as np
    >>> scores, events = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([0, 0, 1, 1])
    >>> calibration = SigmoidCalibration.fit(scores, events)
    >>> calibration.predict(np.array([0.0])).round(6), calibration.certificate_.optimal
    (array([0.5]), True)

    References
    ----------
    Platt (1999), Probabilistic outputs for support vector machines; Lin, Lin & Weng (2007), A note
    on Platt's probabilistic outputs, Machine Learning 68.
    """

    a_: float
    b_: float
    certificate_: Certificate

    @classmethod
    def fit(cls, scores: Any, happened: Any, sample_weight: Any = None) -> Self:
        """The sigmoid of scores and events.

        Parameters
        ----------
        scores : array of shape (n,)
            Finite numbers.
        happened : array of shape (n,)
            Positive where the event happened.
        sample_weight : array of shape (n,), optional
            Non-negative weights.
        """
        s = np.asarray(scores, dtype=np.float64).reshape(-1)
        yes = np.asarray(happened).reshape(-1) > 0
        w = np.ones(len(s)) if sample_weight is None else np.asarray(sample_weight, np.float64)
        with_event, without = float(w[yes].sum()), float(w[~yes].sum())
        target = np.where(yes, (with_event + 1.0) / (with_event + 2.0), 1.0 / (without + 2.0))
        # in units of their own spread, so that neither large nor shifted scores cost digits
        centre = float(np.average(s, weights=w))
        unit = float(np.sqrt(np.average((s - centre) ** 2, weights=w))) or 1.0
        column = (s - centre) / unit

        def sums(coef: Array, intercept: float) -> _LogisticSums:
            return _logistic_sums(column, target, w, float(coef[0]), intercept)

        start = log((with_event + 1.0) / (without + 1.0))
        solution = newton(
            sums, start=(np.zeros(1), start), l2=0.0, fit_intercept=True, tol=_TOLERANCE,
            max_iter=_STEPS,
        )  # fmt: skip
        _warn_unless_converged(solution)
        slope = float(solution.coef[0]) / unit
        proof = _certificate(solution, column, float(w.sum()))
        return cls(-slope, -(solution.intercept - slope * centre), proof)

    def predict(self, scores: Any) -> NDArray[Any]:
        """The probability at each score.

        Parameters
        ----------
        scores : array of shape (n,)

        Returns
        -------
        array of shape (n,)
        """
        from scipy.special import expit

        return np.asarray(expit(-(self.a_ * np.asarray(scores).reshape(-1) + self.b_)))


def _logistic_sums(x: Array, target: Array, w: Array, slope: float, offset: float) -> _LogisticSums:
    from scipy.special import expit

    z = slope * x + offset
    p = expit(z)
    residual, curvature = w * (p - target), w * p * (1.0 - p)
    gradient = np.array([residual @ x, residual.sum()])
    mixed = float(curvature @ x)
    hessian = np.array([[curvature @ x**2, mixed], [mixed, curvature.sum()]])
    return _LogisticSums(len(x), float(w @ (np.logaddexp(0.0, z) - target * z)), gradient, hessian)


def _certificate(solution: NewtonSolution, x: Array, total: float) -> Certificate:
    d = solution.direction
    largest = float(np.abs(d[0] * x + d[1]).max())
    return Certificate.from_gap(
        "log loss of Platt's targets",
        primal=solution.objective,
        gap=gap_bound(solution, 0.0, largest),
        at_zero=total * log(2.0),
        kkt=float(np.abs(solution.step.gradient).max()) / max(total, 1e-300),
        condition=solution.condition,
    )


def _warn_unless_converged(solution: NewtonSolution) -> None:
    if not solution.converged and solution.decrement > 1e-9 * solution.objective:
        warnings.warn(
            f"Platt's sigmoid did not converge in {_STEPS} Newton steps; are the scores finite and "
            "of one scale?",
            ConvergenceWarning,
            stacklevel=user_stacklevel(),
        )
