"""The confidence interval of any metric."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.base.randomness import seed_of
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InferenceWarning, InvalidParameterError
from stylobate.metrics.intervals import bootstrap, proportions
from stylobate.metrics.intervals.analysis import Analysis
from stylobate.metrics.intervals.delong import separated
from stylobate.metrics.intervals.dependence import dependence_of
from stylobate.metrics.intervals.interval import Interval
from stylobate.metrics.intervals.metric import resolve
from stylobate.metrics.intervals.rows import read_rows

METHODS = ("auto", *proportions.METHODS, "delong", "t", "normal", "delta", *bootstrap.METHODS)


def confidence_interval(
    metric: Any,
    y_true: Any,
    y_pred: Any,
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
    """The confidence interval of a metric: what other samples of as many rows would give.

    Of rows only, not of training: the model is taken as it is.

    Parameters
    ----------
    metric : str, scorer or callable
        A scorer's name ("f1", "roc_auc", "neg_log_loss"), a metric's ("mean_squared_error"), or a
        function ``metric(y_true, y_pred)``, ours, scikit-learn's or your own.
    y_true : array-like of shape (n,) or (n, n_outputs)
        What is true.
    y_pred : array-like of shape (n,) or (n, n_classes)
        What the metric compares with it: labels, numbers, scores or probabilities.
    confidence : float in (0, 1), default=0.95
        The share of samples whose interval holds the true value.
    method : str, default="auto"
        "auto" takes the first that applies, and the answer says which it was:

        - "wilson" (or the exact, wider "clopper-pearson"): shares of rows (accuracy, error,
          precision, recall, specificity, Jaccard index, and F₁, which follows from it);
        - "delong": the area under the ROC curve of two classes;
        - "t" (or "normal"): means of losses (squared, absolute, pinball, logarithmic, Brier …);
        - "delta": smooth functions of means (RMSE, R², average precision, any metric of labels), on
          a scale where they are nearly normal;
        - "bca" (or "percentile", "basic"): the bootstrap, for everything else.
    n_resamples : int in [1, inf), default=2000
        Resamples of the bootstrap.
    stratify : bool, default=False
        Whether resamples keep the number of rows of each class.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the resamples.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; they are not counts: a row of weight 2 is one observation.
    groups : array-like of shape (n,), optional
        Groups of rows that belong together (of one patient, one site); groups are independent.
        Standard errors are then those of sums over groups, with Student's t of as many degrees of
        freedom as there are groups less one, and the bootstrap draws groups.
    block_length : int in [1, n/2], optional
        For rows in order of time: rows further apart are taken for independent, nearer ones not.
        Standard errors come from sums over blocks of so many consecutive rows, and the bootstrap
        puts such blocks together (the circular block bootstrap).
    **options : object
        More arguments for the metric, such as ``average="macro"``.

    Returns
    -------
    Interval
        With `estimate`, `low`, `high`, `method` and `confidence`.

    References
    ----------
    Wilson (1927); Clopper & Pearson (1934); DeLong et al. (1988); Efron (1987), Better bootstrap
    confidence intervals; Hampel (1974), The influence curve.

    Examples
    --------
    >>> y, p = [0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 0, 1]
    >>> print(confidence_interval("accuracy", y, p))
    0.75 (95 % interval 0.4093 to 0.9285, wilson)
    >>> print(confidence_interval("mean_absolute_error", [1.0, 2.0, 4.0], [1.5, 2.0, 3.0]))
    0.5 (95 % interval 0 to 1.742, t)
    >>> print(confidence_interval("accuracy", y, p, groups=list("aabbccdd")))
    0.75 (95 % interval 0.2057 to 0.972, delta, by groups)
    """
    check_choices(confidence, method, n_resamples, METHODS)
    asked = resolve(metric, options)
    rows = read_rows(y_true, {"y_pred": y_pred}, sample_weight, "confidence_interval")
    owner = "confidence_interval"
    dependence = dependence_of(groups, block_length, len(rows), owner)
    analysis = Analysis(replace(asked, sign=1), rows, dependence)
    way = _interval if dependence is None else _dependent_interval
    found = way(analysis, confidence, method)
    if found is None:
        analysis.require_two_rows()
        kind = "bca" if method == "auto" else method
        found = _bootstrapped(analysis, confidence, kind, n_resamples, stratify, random_state)
    if found.width == 0.0:
        warnings.warn(
            f"The interval of {asked.label} has no width: all rows agree, and the spread of other "
            "samples cannot be seen from them.",
            InferenceWarning,
            stacklevel=user_stacklevel(),
        )
    return found if asked.sign > 0 else found.negated()


def _interval(analysis: Analysis, confidence: float, method: str) -> Interval | None:
    """The analytic interval asked for; None where the bootstrap is to answer."""
    _ = analysis.estimates  # the metric's own refusals come first
    if method in bootstrap.METHODS:
        return None
    if method in ("auto", *proportions.METHODS) and analysis.shares is not None:
        return analysis.shares[0].interval(confidence, "wilson" if method == "auto" else method)
    if method in proportions.METHODS:
        _refuse(analysis, method, "is for shares of rows: accuracy, precision, recall, F1 …")
    linear = None if analysis.linear is None else analysis.linear[0]
    if linear is None:
        if method != "auto":
            _refuse(analysis, method, "needs to know what each row adds to the metric")
        return None
    analysis.require_two_rows()
    if linear.method == "delong" and linear.std_error() == 0.0 and linear.estimate in (0.0, 1.0):
        return separated(linear, confidence)
    if method == "delong" and linear.method != "delong":
        _refuse(analysis, method, "is for the area under the ROC curve of two classes")
    if method in ("t", "normal"):
        df = float(len(analysis.rows) - 1) if method == "t" else float("inf")
        return replace(linear, method=method, df=df).interval(confidence, linear.scale.plain())
    if method == "delta":
        return replace(linear, method="delta").interval(confidence)
    return linear.interval(confidence)


def _dependent_interval(analysis: Analysis, confidence: float, method: str) -> Interval | None:
    """The interval by what groups or blocks add; None where the bootstrap is to answer."""
    _ = analysis.estimates  # the metric's own refusals come first
    if method in bootstrap.METHODS:
        return None
    if method in ("delong", *proportions.METHODS):
        _refuse(analysis, method, "takes rows for independent, not groups or blocks of them")
    analysis.require_two_rows()
    if analysis.linear is None:
        if method != "auto":
            _refuse(analysis, method, "needs to know what each row adds to the metric")
        return None
    linear = analysis.linear[0]
    if method in ("t", "normal"):
        df = linear.df if method == "t" else float("inf")
        how = f"{method}, {analysis.dependence.words}" if analysis.dependence else method
        return replace(linear, method=how, df=df).interval(confidence, linear.scale.plain())
    return linear.interval(confidence)


def _bootstrapped(
    analysis: Analysis, confidence: float, kind: str, count: int, stratify: bool, seed: Any
) -> Interval:
    resampling = analysis.resampling(stratify)
    values = resampling.resampled(count, np.random.default_rng(seed_of(seed)))[:, 0]
    values = bootstrap.defined(values, analysis.metric.label)
    left_out, counts = np.empty(0), np.empty(0)
    if kind == "bca":
        both, counts = resampling.left_out()
        left_out = both[:, 0]
    estimate = analysis.estimates[0]
    found = bootstrap.ends(values, estimate, confidence, kind, left_out, counts)
    return Interval(estimate, *found, bootstrap.name_of(kind, analysis.dependence), confidence)


def check_choices(
    confidence: float, method: str, n_resamples: int, methods: tuple[str, ...]
) -> None:
    """Refuse what is no confidence, no method, or no number of resamples."""
    if not 0.0 < confidence < 1.0:
        raise InvalidParameterError(
            "confidence must be a number strictly between 0 and 1 (0.95 for 95 %), got "
            f"{confidence!r}."
        )
    if method not in methods:
        raise InvalidParameterError(f"method must be one of {', '.join(methods)}, got {method!r}.")
    if not n_resamples >= 1:
        raise InvalidParameterError(f"n_resamples must be at least 1, got {n_resamples!r}.")


def _refuse(analysis: Analysis, method: str, why: str) -> None:
    raise InvalidParameterError(
        f"confidence_interval: method={method!r} {why}; for {analysis.metric.label} use 'auto' or "
        f"one of the bootstrap's ({', '.join(bootstrap.METHODS)})."
    )
