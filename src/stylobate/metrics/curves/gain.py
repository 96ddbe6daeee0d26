"""The cumulative gain curve, and the lift."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.curves.curve import ThresholdCurve, trapezoids
from stylobate.metrics.curves.thresholds import count_thresholds


class GainCurve(ThresholdCurve):
    """Share of positives found against share of rows contacted; unpacks as (contacted, found,
    thresholds).

    See `gain_curve`, which makes it.
    """

    fields = ("contacted", "found", "thresholds")
    contacted: Array
    found: Array

    @property
    def auc(self) -> float:
        """The area under the curve: 0.5 for guessing."""
        return trapezoids(self.contacted, self.found)

    @property
    def lift(self) -> Array:
        """How many times more positives are found than by guessing; NaN before the first row."""
        with np.errstate(invalid="ignore"):
            return self.found / self.contacted

    @property
    def prevalence(self) -> float:
        """The share of positive rows: perfection finds all of them among as many rows."""
        return self.counts.positive / (self.counts.positive + self.counts.negative)

    def found_at(self, share: float) -> float:
        """The share of positives among the best so-and-so many rows; ties are split evenly.

        Parameters
        ----------
        share : float in [0, 1]
            The share of rows contacted, best first.

        Returns
        -------
        float
        """
        if not 0.0 <= share <= 1.0:
            raise InvalidParameterError(f"found_at: share must be in [0, 1], got {share!r}.")
        return float(np.interp(share, self.contacted, self.found))

    def plot(
        self, ax: Any = None, *, label: str | None = None, kind: str = "gain", **options: Any
    ) -> Any:
        """Draw the gain or the lift; see `stylobate.plot.plot_gain_curve`."""
        from stylobate.plot import plot_gain_curve

        curves = self if label is None else {label: self}
        return plot_gain_curve(curves, ax=ax, kind=kind, **options)

    def _words(self) -> str:
        best = f"the best 10 % of the rows hold {100 * self.found_at(0.1):.3g} % of the positives"
        return f"{best}, area {self.auc:.4g}, {self._rows()}"


def gain_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> GainCurve:
    """Share of the positive rows found when the rows with the best scores are contacted.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As of `roc_curve`; there must be a positive row.

    Returns
    -------
    GainCurve
        Unpacks as ``contacted, found, thresholds``, from (0, 0) to (1, 1); has `lift`,
        `found_at`, `auc`, `at` and `plot`.

    Examples
    --------
    >>> curve = gain_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.found_at(0.25), curve.lift[1]
    (0.5, np.float64(2.0))
    """
    counts = count_thresholds(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, owner="gain_curve"
    )
    if counts.positive == 0:
        raise InvalidDataError("gain_curve: y_true has no positive row, so that none can be found.")
    drawn = counts.from_nothing()
    every = drawn.true + drawn.false
    return GainCurve(  # type: ignore[no-any-return]
        every / every[-1], drawn.true / counts.positive, drawn.thresholds, counts=counts
    )
