"""The detection error tradeoff curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.curves.curve import ThresholdCurve
from stylobate.metrics.curves.pr_curve import recall_changes
from stylobate.metrics.curves.thresholds import count_thresholds


class DetCurve(ThresholdCurve):
    """False negative against false positive rate; unpacks as (fpr, fnr, thresholds).

    See `det_curve`, which makes it.
    """

    fields = ("fpr", "fnr", "thresholds")
    fpr: Array
    fnr: Array

    @property
    def equal_error_rate(self) -> float:
        """Where both rates are the same, between the thresholds on either side."""
        true = np.concatenate([[0.0], self.counts.true]) / self.counts.positive
        false = np.concatenate([[0.0], self.counts.false]) / self.counts.negative
        gap = false - (1.0 - true)  # grows from -1 to 1
        after = int(np.argmax(gap >= 0))
        share = -gap[after - 1] / (gap[after] - gap[after - 1])
        return float(false[after - 1] + share * (false[after] - false[after - 1]))

    def plot(self, ax: Any = None, *, label: str | None = None, **options: Any) -> Any:
        """Draw the curve; see `stylobate.plot.plot_det_curve`."""
        from stylobate.plot import plot_det_curve

        return plot_det_curve(self if label is None else {label: self}, ax=ax, **options)

    def _words(self) -> str:
        rate = f"equal error rate {self.equal_error_rate:.4g}"
        return f"{rate}, {len(self.fpr)} points, {self._rows()}"


def det_curve(
    y_true: Any,
    y_score: Any,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> DetCurve:
    """False negative rate against false positive rate, for every threshold that trades them.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As of `roc_curve`; both classes must be there.
    drop_intermediate : bool, default=False
        Whether to leave out thresholds where the false negative rate is that of both neighbours.

    Returns
    -------
    DetCurve
        Unpacks as ``fpr, fnr, thresholds``, from the lowest threshold that misses no positive row
        to the first without a false positive (an infinite one if need be); has
        `equal_error_rate`, `at` and `plot`.

    Examples
    --------
    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr, fnr, thresholds
    (array([0.5, 0.5, 0. ]), array([0. , 0.5, 0.5]), array([0.35, 0.4 , 0.8 ]))
    """
    counts = count_thresholds(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, owner="det_curve"
    )
    if counts.positive == 0 or counts.negative == 0:
        raise InvalidDataError(
            "det_curve: Only one class is present in y_true. Detection error tradeoff curve is not "
            "defined in that case."
        )
    shown = counts.from_nothing()
    if drop_intermediate:
        shown = shown.kept(recall_changes(shown))
    first = int(np.searchsorted(shown.false, shown.false[0], side="right")) - 1
    last = int(np.searchsorted(shown.true, shown.true[-1]))
    part = shown.kept(np.arange(first, last + 1)[::-1])
    return DetCurve(  # type: ignore[no-any-return]
        part.false / counts.negative,
        (counts.positive - part.true) / counts.positive,
        part.thresholds,
        counts=counts,
    )
