"""A numeric feature among the rows of each class."""

from __future__ import annotations

import numpy as np

from stylobate.exploration.association.columns import CategoryColumn, NumberColumn
from stylobate.exploration.target.effects import ClassDistribution

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_BINS, _MOST_CLASSES = 20, 20


def class_distributions(
    feature: NumberColumn, target: CategoryColumn
) -> tuple[tuple[ClassDistribution, ...], tuple[float, ...]]:
    """Quantiles and a histogram over common edges for each class (the 20 commonest), and edges.

    The edges span the middle 99.8 % of the values; what lies outside counts in the end bins.
    """
    known = feature.present & target.present
    values, codes = feature.values[known], target.codes[known]
    if not len(values):
        return (), ()
    low, high = np.quantile(values, [0.001, 0.999]).tolist()
    edges = np.linspace(low, high, _BINS + 1)
    if not edges[0] < edges[-1]:
        edges = np.array([values.min(), max(values.max(), np.nextafter(values.min(), np.inf))])
    counts = np.bincount(codes, minlength=len(target.labels))
    commonest = sorted(np.argsort(-counts, kind="stable")[:_MOST_CLASSES].tolist())
    inside = np.clip(values, edges[0], edges[-1])
    found = []
    for code in commonest:
        rows = codes == code
        mine = values[rows]
        if not len(mine):
            continue
        quantiles = np.quantile(mine, QUANTILES).tolist()
        found.append(
            ClassDistribution(
                target.labels[code],
                len(mine),
                float(mine.mean()),
                {f"{q:g}": v for q, v in zip(QUANTILES, quantiles, strict=True)},
                tuple(np.histogram(inside[rows], edges)[0].tolist()),
            )
        )
    return tuple(found), tuple(edges.tolist())
