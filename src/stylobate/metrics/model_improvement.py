"""How much better a new model is than the old one: in numbers, with an interval, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.intervals.analysis import Analysis
from stylobate.metrics.intervals.confidence import check_choices
from stylobate.metrics.intervals.dependence import Dependence, dependence_of
from stylobate.metrics.intervals.interval import Interval
from stylobate.metrics.intervals.metric import Metric, resolve
from stylobate.metrics.intervals.paired import METHODS, Both
from stylobate.metrics.intervals.rows import Rows, read_rows


@dataclass(frozen=True, slots=True, repr=False)
class Improvement:
    """The change of a metric from an old to a new model.

    Parameters
    ----------
    old, new : float
        The values, of a model each.
    metric : str, default="score"
        What they are.
    greater_is_better : bool, default=True
        Whether more is better.
    interval : Interval, optional
        Of the difference new − old.
    relative_interval : Interval, optional
        Of the ratio new/old − 1.

    Examples
    --------
    >>> change = Improvement(0.2, 0.15, "error rate", greater_is_better=False)
    >>> print(change)
    error rate falls from 0.2 to 0.15: 0.05 absolute, 25 % relative. Better, by these numbers alone.
    """

    old: float
    new: float
    metric: str = "score"
    greater_is_better: bool = True
    interval: Interval | None = None
    relative_interval: Interval | None = None

    def __post_init__(self) -> None:
        for name, value in (("old", self.old), ("new", self.new)):
            if not np.isfinite(value):
                raise InvalidDataError(
                    f"Improvement: {name}={value!r} is no value of a metric; pass finite numbers."
                )

    @property
    def absolute(self) -> float:
        """The difference new − old."""
        return self.new - self.old

    @property
    def relative(self) -> float:
        """(new − old) / |old|; infinite from zero, NaN from zero to zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.divide(self.absolute, abs(self.old)))

    @property
    def verdict(self) -> str:
        """The word "better", "worse", or "undecided" if the interval of the difference holds 0."""
        low, high = (self.absolute, self.absolute) if self.interval is None else self.interval
        if low <= 0.0 <= high:
            return "undecided"
        return "better" if (low > 0.0) == self.greater_is_better else "worse"

    def __str__(self) -> str:
        return f"{self._change()}. {self._conclusion()}"

    def __repr__(self) -> str:
        return str(self)

    def _change(self) -> str:
        if self.absolute == 0.0:
            return f"{self.metric} stays at {self.new:.4g}"
        verb = "rises" if self.absolute > 0 else "falls"
        relative = f", {_percent(abs(self.relative))} relative" if self.old else ""
        return (
            f"{self.metric} {verb} from {self.old:.4g} to {self.new:.4g}: "
            f"{abs(self.absolute):.3g} absolute{relative}"
        )

    def _conclusion(self) -> str:
        if self.interval is None:
            words = {"undecided": "No change", "better": "Better", "worse": "Worse"}
            return f"{words[self.verdict]}, by these numbers alone."
        ends = f"{self.interval.low:.3g} to {self.interval.high:.3g}"
        text = f"{100 * self.interval.confidence:g} % interval of the difference: {ends}"
        if self.relative_interval is not None:
            low, high = (_percent(end) for end in self.relative_interval)
            text += f" ({low} to {high} relative)"
        words = {
            "better": "the new model is better",
            "worse": "the new model is worse",
            "undecided": "it holds 0, so these rows do not tell which model is better",
        }
        return f"{text}; {words[self.verdict]} ({self.interval.method}, paired)."


class ImprovementTable(Sequence[Improvement]):
    """Several improvements, side by side.

    Examples
    --------
    >>> print(improvement_table([0.8, 0.5, 0.001], [0.9, 0.75, 0.01]))
    old          0.8     0.5   0.001
    new          0.9    0.75    0.01
    absolute     0.1    0.25   0.009
    relative  12.5 %    50 %   900 %
    """

    def __init__(self, improvements: Sequence[Improvement]) -> None:
        self._all = tuple(improvements)

    def __getitem__(self, place: Any) -> Any:
        return self._all[place]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Improvement]:
        return iter(self._all)

    def __str__(self) -> str:
        rows = [
            ["old", *(f"{each.old:.4g}" for each in self)],
            ["new", *(f"{each.new:.4g}" for each in self)],
            ["absolute", *(f"{each.absolute:.4g}" for each in self)],
            ["relative", *(_percent(each.relative) for each in self)],
        ]
        if any(each.metric != "score" for each in self):
            rows.insert(0, ["", *(each.metric for each in self)])
        if all(each.interval is not None for each in self):
            rows += [
                ["low", *(f"{each.interval.low:.3g}" for each in self if each.interval)],
                ["high", *(f"{each.interval.high:.3g}" for each in self if each.interval)],
                ["verdict", *(each.verdict for each in self)],
            ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(_line(row, widths) for row in rows)

    def __repr__(self) -> str:
        return str(self)


def improvement_table(old: Any, new: Any, names: Sequence[str] | None = None) -> ImprovementTable:
    """Absolute and relative improvements from values that are given.

    Parameters
    ----------
    old, new : array-like of shape (k,)
        Values before and after.
    names : sequence of str of length k, optional
        What they are.

    Returns
    -------
    ImprovementTable
        Prints as a table; its entries are `Improvement`.

    Examples
    --------
    >>> improvement_table([0.5], [0.75])[0].relative
    0.5
    """
    before, after = (np.atleast_1d(np.asarray(v, dtype=np.float64)) for v in (old, new))
    labels = ["score"] * before.size if names is None else list(names)
    if before.ndim != 1 or before.shape != after.shape or len(labels) != len(before):
        raise InvalidDataError(
            f"improvement_table: old has shape {before.shape}, new {after.shape} and there are "
            f"{len(labels)} names; they must be as many."
        )
    trios = zip(before.tolist(), after.tolist(), labels, strict=True)
    return ImprovementTable([Improvement(a, b, name) for a, b, name in trios])


def improvement(
    y_true: Any,
    old: Any,
    new: Any,
    metric: Any = "accuracy",
    *,
    confidence: float = 0.95,
    method: str = "auto",
    n_resamples: int = 2000,
    stratify: bool = False,
    random_state: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    block_length: int | None = None,
    greater_is_better: bool | None = None,
    **options: Any,
) -> Any:
    """How much better the new predictions are than the old ones, with a paired interval.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, n_outputs)
        What is true.
    old, new : array-like
        What the two models predicted for the same rows, as the metric takes it.
    metric : str, scorer, callable, or list of them, default="accuracy"
        As of `confidence_interval`; losses are reported as such, without scorers' minus signs.
    confidence, method, n_resamples, stratify, random_state, sample_weight, groups, block_length
        As of `difference_interval`.
    greater_is_better : bool, optional
        Whether more is better; by default known from the scorer or the metric's name (losses,
        errors and deviances: no).
    **options : object
        More arguments for the metric.

    Returns
    -------
    Improvement, or ImprovementTable for several metrics
        Prints as a sentence (a table); `absolute`, `relative`, `interval`, `relative_interval`,
        `verdict`.

    Examples
    --------
    >>> y = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> old, new = [1.5, 1.0, 4.0, 3.0, 6.5, 5.0], [1.2, 1.5, 3.5, 3.6, 5.9, 5.5]
    >>> change = improvement(y, old, new, "neg_mean_absolute_error")
    >>> change.metric, round(change.absolute, 6), change.verdict
    ('mean absolute error', -0.5, 'better')
    """
    check_choices(confidence, method, n_resamples, METHODS)
    rows = read_rows(y_true, {"old": old, "new": new}, sample_weight, "improvement")
    together = dependence_of(groups, block_length, len(rows), "improvement")
    draw = (confidence, method, n_resamples, stratify, random_state)
    if isinstance(metric, list | tuple):
        if not metric:
            raise InvalidParameterError("improvement: metric is an empty list; name one at least.")
        asked = [resolve(each, options) for each in metric]
        return ImprovementTable(
            [_improvement(m, rows, greater_is_better, together, draw) for m in asked]
        )
    return _improvement(resolve(metric, options), rows, greater_is_better, together, draw)


def _improvement(
    metric: Metric,
    rows: Rows,
    greater_is_better: bool | None,
    together: Dependence | None,
    draw: tuple[Any, ...],
) -> Improvement:
    both = Both(Analysis(replace(metric, sign=1), rows, together), *draw)
    better = metric.greater_is_better if greater_is_better is None else greater_is_better
    words = metric.label.removeprefix("neg_").replace("_", " ").removesuffix(" score")
    return Improvement(both.old, both.new, words, better, both.difference(), both.relative())


def _percent(share: float) -> str:
    return f"{100.0 * share:.3g} %" if np.isfinite(share) else "-"


def _line(row: list[str], widths: list[int]) -> str:
    cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return "   ".join([row[0].ljust(widths[0]), *cells])
