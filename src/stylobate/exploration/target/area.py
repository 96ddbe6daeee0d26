"""How well one numeric feature alone tells two classes apart."""

from __future__ import annotations

import numpy as np

from stylobate.exploration.association.columns import CategoryColumn, NumberColumn
from stylobate.exploration.target.verdict import Verdict


def single_feature_area(
    feature: NumberColumn, target: CategoryColumn, level: float
) -> Verdict | None:
    """The area under the ROC curve of the feature as a score, with DeLong's interval.

    The test is that of Mann, Whitney and Wilcoxon, corrected for ties. None if a class has fewer
    than two rows with a value.
    """
    from scipy.special import ndtr

    from stylobate.metrics.intervals.delong import delong, separated

    known = feature.present & target.present
    scores, positive = feature.values[known], target.codes[known] == 1
    ups, n = int(positive.sum()), len(scores)
    downs = n - ups
    if min(ups, downs) < 2:
        return None
    found = delong(positive, scores)
    perfect = found.estimate in (0.0, 1.0)
    ends = separated(found, level) if perfect else found.interval(level)
    _, ties = np.unique(scores, return_counts=True)
    tied = float((ties.astype(float) ** 3 - ties).sum()) / (n * (n - 1.0))
    variance = (n + 1.0 - tied) / (12.0 * ups * downs)
    if variance <= 0:
        return None
    z = abs(found.estimate - 0.5) / variance**0.5
    return Verdict("auc", found.estimate, ends.low, ends.high, float(2.0 * ndtr(-z)))
