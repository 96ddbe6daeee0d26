"""The calibration curve: whether events of a predicted chance happen that often."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.classification.probabilities import positives
from stylobate.metrics.curves.curve import Curve
from stylobate.metrics.curves.thresholds import read_scores
from stylobate.metrics.intervals.proportions import proportion_interval
from stylobate.metrics.regression.outputs import require_same_length
from stylobate.splits.strata import as_array

_STRATEGIES = ("uniform", "quantile")


class CalibrationCurve(Curve):
    """Observed against predicted shares in bins; unpacks as (prob_true, prob_pred).

    See `calibration_curve`, which makes it. `weight` is the weight of the rows in each bin, and
    `effective_rows` the number of equally weighted rows that would be as uncertain (Kish).
    """

    fields = ("prob_true", "prob_pred")
    prob_true: Array
    prob_pred: Array
    weight: Array
    effective_rows: Array

    def intervals(self, confidence: float = 0.95, *, method: str = "wilson") -> tuple[Array, Array]:
        """Lower and upper ends of a confidence interval of each bin's share of positive rows.

        Where the interval holds the predicted probability, the bin gives no reason to doubt it.

        Parameters
        ----------
        confidence : float in (0, 1), default=0.95
            How often such intervals hold the true share, each bin by itself.
        method : {"wilson", "clopper-pearson"}, default="wilson"
            See `stylobate.metrics.proportion_interval`.

        Returns
        -------
        low, high : arrays of shape (n_bins,)

        Examples
        --------
        >>> curve = calibration_curve([0, 0, 0, 1], [0.2, 0.2, 0.2, 0.2], n_bins=1)
        >>> [end.round(3).tolist() for end in curve.intervals()]
        [[0.046], [0.699]]
        """
        rows = self.effective_rows
        pairs = zip(self.prob_true * rows, rows, strict=True)
        found = [
            proportion_interval(hits, n, confidence=confidence, method=method) for hits, n in pairs
        ]
        return np.array([each.low for each in found]), np.array([each.high for each in found])

    @property
    def expected_calibration_error(self) -> float:
        """Mean over the rows of |observed − predicted| of their bins."""
        return float(np.average(np.abs(self.prob_true - self.prob_pred), weights=self.weight))

    @property
    def max_calibration_error(self) -> float:
        """The largest |observed − predicted| of a bin."""
        return float(np.abs(self.prob_true - self.prob_pred).max())

    def plot(self, ax: Any = None, *, label: str | None = None, **options: Any) -> Any:
        """Draw the curve; see `stylobate.plot.plot_calibration_curve`."""
        from stylobate.plot import plot_calibration_curve

        return plot_calibration_curve(self if label is None else {label: self}, ax=ax, **options)

    def _words(self) -> str:
        errors = f"expected calibration error {self.expected_calibration_error:.4g}"
        return f"{errors}, largest {self.max_calibration_error:.4g}, {len(self.prob_true)} bins"


def calibration_curve(
    y_true: Any,
    y_prob: Any,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: str = "uniform",
    sample_weight: Any = None,
) -> CalibrationCurve:
    """Share of positive rows against the mean predicted probability, in bins of the latter.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class, in [0, 1].
    pos_label : label, optional
        The positive one; default 1 where the labels are 0 and 1 or -1 and 1.
    n_bins : int in [1, inf), default=5
        Bins; those without rows are left out.
    strategy : {"uniform", "quantile"}, default="uniform"
        Bins of the same width, or with the same number of rows.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    CalibrationCurve
        Unpacks as ``prob_true, prob_pred``; has `weight`, `intervals`,
        `expected_calibration_error`, `max_calibration_error` and `plot`.

    Examples
    --------
    >>> curve = calibration_curve([0, 0, 1, 1, 1], [0.1, 0.3, 0.35, 0.8, 0.9], n_bins=2)
    >>> curve.prob_true, curve.prob_pred
    (array([0.33333333, 1.        ]), array([0.25, 0.85]))
    >>> round(curve.expected_calibration_error, 6)
    0.11
    """
    owner = "calibration_curve"
    p = read_scores(y_prob, owner, "y_prob")
    truth = as_array(y_true)
    require_same_length(owner, len(truth), len(p))
    if p.min() < 0 or p.max() > 1:
        raise InvalidDataError(
            f"{owner}: y_prob has values outside [0, 1]: from {p.min():g} to {p.max():g}; pass "
            "probabilities."
        )
    weights = read_weights(sample_weight, len(p), owner=owner)
    happened = _happened(truth, pos_label, owner)
    bins = np.searchsorted(_edges(p, n_bins, strategy, owner), p)
    weight = np.bincount(bins, weights=weights, minlength=n_bins).astype(np.float64)
    w = np.ones(len(p)) if weights is None else weights
    there = weight > 0
    observed, predicted = (
        np.bincount(bins, weights=w * each, minlength=n_bins)[there] / weight[there]
        for each in (happened, p)
    )
    squares = np.bincount(bins, weights=w * w, minlength=n_bins)[there]
    return CalibrationCurve(  # type: ignore[no-any-return]
        observed, predicted, weight=weight[there], effective_rows=weight[there] ** 2 / squares
    )


def _happened(truth: NDArray[Any], pos_label: Any, owner: str) -> NDArray[np.bool_]:
    happened = positives(truth, pos_label, owner)
    if len(np.unique(np.array(truth.reshape(-1).tolist()))) > 2:
        raise InvalidDataError(
            f"{owner}: Only binary classification is supported. Provided labels "
            f"{np.unique(truth).tolist()}."
        )
    return happened


def _edges(p: Array, n_bins: int, strategy: str, owner: str) -> Array:
    """The ends of the bins between 0 and 1."""
    if strategy not in _STRATEGIES:
        raise InvalidParameterError(
            f"{owner}: strategy must be one of {', '.join(_STRATEGIES)}, got {strategy!r}."
        )
    if not n_bins >= 1:
        raise InvalidParameterError(f"{owner}: n_bins must be at least 1, got {n_bins!r}.")
    shares = np.linspace(0.0, 1.0, n_bins + 1)[1:-1]
    return shares if strategy == "uniform" else np.percentile(p, 100.0 * shares)
