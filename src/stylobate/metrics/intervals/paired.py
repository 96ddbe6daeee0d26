"""Intervals of the difference between two models, measured on the same rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.base.randomness import seed_of
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.intervals import bootstrap
from stylobate.metrics.intervals.analysis import Analysis
from stylobate.metrics.intervals.confidence import check_choices
from stylobate.metrics.intervals.dependence import dependence_of
from stylobate.metrics.intervals.interval import Interval
from stylobate.metrics.intervals.linear import Linear
from stylobate.metrics.intervals.metric import resolve
from stylobate.metrics.intervals.proportions import proportion_interval
from stylobate.metrics.intervals.rows import read_rows
from stylobate.metrics.intervals.shares import Share

METHODS = ("auto", "newcombe", "delong", "t", "normal", "delta", *bootstrap.METHODS)


def difference_interval(
    metric: Any,
    y_true: Any,
    old: Any,
    new: Any,
    *,
    confidence: float = 0.95,
    method: str = "auto",
    n_resamples: int = 2000,
    stratify: bool = False,
    random_state: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    block_length: int | None = None,
    **options: Any,
) -> Interval:
    """The confidence interval of new − old, two models measured on the same rows.

    Rows that are hard for both cancel, so that this interval is much narrower than the two
    intervals apart suggest.

    Parameters
    ----------
    metric, y_true, confidence, n_resamples, stratify, random_state, sample_weight
        As of `confidence_interval`.
    groups, block_length
        As of `confidence_interval`.
    old, new : array-like of shape (n,) or (n, n_classes)
        What each model predicted.
    method : str, default="auto"
        "newcombe" (shares of the same rows: accuracy, recall), "delong", "t", "normal", "delta",
        or the bootstrap's "bca", "percentile", "basic"; "auto" takes the first that applies.
    **options : object
        More arguments for the metric.

    Returns
    -------
    Interval
        Of the metric of `new` minus that of `old`.

    References
    ----------
    Newcombe (1998), Improved confidence intervals for the difference between binomial proportions
    based on paired data.

    Examples
    --------
    >>> y, old, new = [0, 0, 1, 1, 1, 1], [1, 0, 1, 0, 0, 1], [0, 0, 1, 1, 0, 1]
    >>> print(difference_interval("accuracy", y, old, new))
    0.3333 (95 % interval -0.1717 to 0.6743, newcombe)
    """
    check_choices(confidence, method, n_resamples, METHODS)
    asked = resolve(metric, options)
    predictions = {"old": old, "new": new}
    rows = read_rows(y_true, predictions, sample_weight, "difference_interval")
    dependence = dependence_of(groups, block_length, len(rows), "difference_interval")
    analysis = Analysis(replace(asked, sign=1), rows, dependence)
    both = Both(analysis, confidence, method, n_resamples, stratify, random_state)
    found = both.difference()
    return found if asked.sign > 0 else found.negated()


class Both:
    """Two models on the same rows: their difference and their ratio, each with an interval."""

    def __init__(
        self,
        analysis: Analysis,
        confidence: float,
        method: str,
        n_resamples: int,
        stratify: bool,
        random_state: Any,
    ) -> None:
        self.analysis, self.confidence, self.method = analysis, confidence, method
        self.old, self.new = analysis.estimates
        self._draw = n_resamples, stratify, random_state
        self._values: Any = None
        analysis.require_two_rows()

    def difference(self) -> Interval:
        """The difference new − old."""
        shares = self._same_rows() if self.method in ("auto", "newcombe") else None
        if shares is not None:
            return newcombe(*shares, self.confidence)
        if self.method == "newcombe":
            self._refuse("is for shares of the same rows: accuracy, error, recall, specificity")
        linear = self._linear()
        if linear is not None:
            return linear[1].minus(linear[0]).interval(self.confidence)
        return self._bootstrapped(lambda old, new: new - old)

    def relative(self) -> Interval | None:
        """The ratio new/old − 1; None where old is not positive, for then it has no meaning."""
        if not self.old > 0:
            return None
        linear = self._linear()
        if linear is None:
            return self._bootstrapped(lambda old, new: new / old - 1.0)
        old, new = linear
        if not self.new > 0:
            return new.relative_to(old).interval(self.confidence)
        # symmetric on the log scale: an interval of a ratio never goes below 0
        log = new.combined(
            old, math.log(self.new / self.old), 1.0 / self.new, -1.0 / self.old
        ).interval(self.confidence)
        ends = math.expm1(log.low), math.expm1(log.high)
        return Interval(self.new / self.old - 1.0, *ends, log.method, self.confidence)

    def _same_rows(self) -> tuple[Share, Share] | None:
        """Shares whose rows depend on what is true alone, unweighted."""
        shares = self.analysis.shares
        if shares is None or self.analysis.rows.weights is not None:
            return None
        return (shares[0], shares[1]) if all(each.by_truth for each in shares) else None

    def _linear(self) -> tuple[Linear, Linear] | None:
        """What each row adds to either, under the method asked for."""
        if self.method in bootstrap.METHODS:
            return None
        linear = self.analysis.linear
        if linear is None:
            if self.method not in ("auto", "newcombe"):
                self._refuse("needs to know what each row adds to the metric")
            return None
        if self.method == "delong" and linear[0].method != "delong":
            self._refuse("is for the area under the ROC curve of two classes")
        dependence = self.analysis.dependence
        if dependence is not None and self.method in ("t", "normal", "delta"):
            df = float("inf") if self.method == "normal" else linear[0].df
            how = f"{self.method}, {dependence.words}"
            linear = [replace(each, method=how, df=df) for each in linear]
        elif self.method in ("t", "normal", "delta"):
            df = float(len(self.analysis.rows) - 1) if self.method == "t" else float("inf")
            linear = [replace(each, method=self.method, df=df) for each in linear]
        return linear[0], linear[1]

    def _bootstrapped(self, function: Any) -> Interval:
        """An interval of a function of both, from the same resamples for all functions."""
        count, stratify, seed = self._draw
        if self._values is None:
            resampling = self.analysis.resampling(stratify)
            drawn = resampling.resampled(count, np.random.default_rng(seed_of(seed)))
            drawn = bootstrap.defined(drawn, self.analysis.metric.label)
            self._values = drawn, *resampling.left_out()
        drawn, left_out, counts = self._values
        kind = self.method if self.method in bootstrap.METHODS else "bca"
        with np.errstate(divide="ignore", invalid="ignore"):
            values, left = function(*drawn.T), function(*left_out.T)
        values = bootstrap.defined(values, self.analysis.metric.label)
        estimate = float(function(self.old, self.new))
        found = bootstrap.ends(values, estimate, self.confidence, kind, left, counts)
        how = bootstrap.name_of(kind, self.analysis.dependence)
        return Interval(estimate, *found, how, self.confidence)

    def _refuse(self, why: str) -> None:
        raise InvalidParameterError(
            f"difference_interval: method={self.method!r} {why}; for "
            f"{self.analysis.metric.label} use 'auto' or one of the bootstrap's "
            f"({', '.join(bootstrap.METHODS)})."
        )


def newcombe(old: Share, new: Share, confidence: float) -> Interval:
    """The difference of two shares of the same rows, from Wilson's intervals and their correlation.

    >>> hits = np.array([True] * 6 + [False] * 4)
    >>> print(newcombe(Share(hits, None), Share(~hits, None), 0.95))
    -0.2 (95 % interval -0.6636 to 0.3747, newcombe)
    """
    n = len(old.hits)
    a, b = (proportion_interval(int(s.hits.sum()), n, confidence=confidence) for s in (new, old))
    link = _correlation(new, old)
    below = _across(a.estimate - a.low, b.high - b.estimate, link)
    above = _across(a.high - a.estimate, b.estimate - b.low, link)
    gap = a.estimate - b.estimate
    return Interval(gap, max(gap - below, -1.0), min(gap + above, 1.0), "newcombe", confidence)


def _across(one: float, other: float, link: float) -> float:
    return math.sqrt(max(one * one - 2.0 * link * one * other + other * other, 0.0))


def _correlation(one: Share, other: Share) -> float:
    """Of the hits, pulled towards zero by a continuity correction if positive."""
    both = float(np.count_nonzero(one.hits & other.hits))
    neither = float(np.count_nonzero(~one.hits & ~other.hits))
    n, first = float(len(one.hits)), float(np.count_nonzero(one.hits))
    second = float(np.count_nonzero(other.hits))
    spread = first * (n - first) * second * (n - second)
    if spread == 0:
        return 0.0
    product = both * neither - (first - both) * (second - both)
    if product > 0:
        product = max(product - 0.5 * n, 0.0)
    return product / math.sqrt(spread)
