"""The threshold of a score: every one of them weighed, by one sort."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_labels, read_weights
from stylobate.decision.costs import as_cost_matrix
from stylobate.decision.criteria import criterion_of
from stylobate.decision.reading import as_floats
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.curves.ranked_counts import ranked_counts

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdCurve:
    """A criterion at every threshold; rows are called positive if their score is at least it.

    Attributes
    ----------
    thresholds : array of shape (k + 1,)
        inf (nobody is positive) and the k distinct scores, highest first.
    values : array of shape (k + 1,)
        The cost per row, or the metric.
    true_positives, false_positives : arrays of shape (k + 1,)
        Weight of the rows called positive, rightly and wrongly.
    positives, negatives : float
        Weight of the rows of either class.
    criterion : str
        "cost", or the name of the metric.
    best : int
        The place of the best threshold: of equal ones the highest.
    """

    thresholds: Array
    values: Array
    true_positives: Array
    false_positives: Array
    positives: float
    negatives: float
    criterion: str
    best: int

    @property
    def threshold(self) -> float:
        """The best threshold."""
        return float(self.thresholds[self.best])

    @property
    def value(self) -> float:
        """The criterion there."""
        return float(self.values[self.best])

    def at(self, threshold: Any) -> Any:
        """The criterion at any threshold."""
        # the last place whose threshold is not below: highest first, so search the negatives
        places = np.searchsorted(-self.thresholds, -np.asarray(threshold), side="right") - 1
        return self.values[np.maximum(places, 0)]

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """The curve as a picture; see `stylobate.plot.plot_threshold_curve`."""
        from stylobate.plot import plot_threshold_curve

        return plot_threshold_curve(self, ax=ax, **options)

    def __repr__(self) -> str:
        tp, fp = self.true_positives[self.best], self.false_positives[self.best]
        what = "cost per row" if self.criterion == "cost" else self.criterion
        return (
            f"ThresholdCurve: best {what} {self.value:.6g} from score {self.threshold:.6g} on, "
            f"where {tp:g} of {self.positives:g} positives and {fp:g} of {self.negatives:g} "
            f"negatives are called positive; {len(self.thresholds)} thresholds"
        )


def choose_threshold(
    y_true: Any,
    score: Any,
    cost: Any = None,
    *,
    metric: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> ThresholdCurve:
    """The threshold of least cost, or best metric, among all there are.

    One sort, then sums: O(n log n) for all n + 1 thresholds together.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes, both of which occur.
    score : array-like of shape (n,)
        Grows with the chance of being positive: a probability, a margin.
    cost : CostMatrix or array-like of shape (2, 2), optional
        Costs with the classes in sorted order, or under their labels.
    metric : str or callable, optional
        Instead of a cost: "accuracy", "balanced_accuracy", "f1", "jaccard", "matthews_corrcoef",
        "precision", "recall", "youden", or a function of the arrays (tp, fp, fn, tn) that gives an
        array of which more is better.
    pos_label : label, optional
        The positive class; the greater one by default.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    ThresholdCurve
        With `threshold`, `value`, the whole curve and `plot`.

    Examples
    --------
    >>> choose_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [[0, 1], [5, 0]])
    ThresholdCurve: best cost per row 0.25 from score 0.35 on, where 2 of 2 positives and 1 of 2
    negatives are called positive; 5 thresholds
    """
    owner = "choose_threshold"
    if (cost is None) == (metric is None):
        raise InvalidParameterError(f"{owner}: give either cost or metric, and not both.")
    classes, codes = read_labels(y_true, owner=owner)
    if len(classes) != 2:
        raise InvalidDataError(
            f"{owner}: y_true must hold two classes, and holds {len(classes)}: "
            f"{classes.tolist()[:5]!r}."
        )
    place = _positive(classes, pos_label, owner)
    positive = codes == place
    scores = _read_scores(score, len(codes), owner)
    weights = read_weights(sample_weight, len(codes), owner=owner)
    thresholds, true, false = ranked_counts(positive, scores, weights)
    tp, fp = (np.concatenate([[0.0], counts]) for counts in (true, false))
    fn, tn = tp[-1] - tp, fp[-1] - fp
    if cost is not None:
        matrix = as_cost_matrix(cost, classes, owner)
        costs = matrix.costs
        if matrix.decisions.tolist() != classes.tolist():
            raise InvalidDataError(
                f"{owner}: a threshold decides between the two classes {classes.tolist()!r}, and "
                f"cost has the decisions {matrix.decisions.tolist()!r}."
            )
        kept, alarm = costs[1 - place, 1 - place], costs[1 - place, place]
        missed, hit = costs[place, 1 - place], costs[place, place]
        values = (hit * tp + alarm * fp + missed * fn + kept * tn) / (tp[-1] + fp[-1])
        name, best = "cost", int(values.argmin())
    else:
        name, function = criterion_of(metric, owner)
        values = np.asarray(function(tp, fp, fn, tn), dtype=np.float64)
        if values.shape != tp.shape or np.isnan(values).all():
            raise InvalidDataError(
                f"{owner}: the metric must give a number for each of the {len(tp)} thresholds."
            )
        best = int(np.nanargmax(values))
    return ThresholdCurve(
        np.concatenate([[np.inf], thresholds]),
        values, tp, fp, float(tp[-1]), float(fp[-1]), name, best,
    )  # fmt: skip


def _positive(classes: NDArray[Any], pos_label: Any, owner: str) -> int:
    if pos_label is None:
        return 1
    if pos_label not in classes.tolist():
        raise InvalidDataError(
            f"{owner}: pos_label={pos_label!r} is not among the classes {classes.tolist()!r}."
        )
    return int(classes.tolist().index(pos_label))


def _read_scores(score: Any, n: int, owner: str) -> Array:
    scores = as_floats(score, owner, "score")
    if scores.shape != (n,):
        raise InvalidDataError(
            f"{owner}: score has shape {scores.shape}, expected ({n},): one number for each row, "
            "such as predict_proba(X)[:, 1]."
        )
    if not np.isfinite(scores).all():
        row = int((~np.isfinite(scores)).argmax())
        raise InvalidDataError(
            f"{owner}: score[{row}] is {scores[row]}; every score must be a finite number (NaN and "
            "infinity have no place in an order)."
        )
    return scores
