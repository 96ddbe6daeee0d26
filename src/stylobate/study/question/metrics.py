"""What models are judged by: chosen by the target, or by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.study.results import Costs, Metric, Task

SHORT = {
    "auc": "roc_auc",
    "rmse": "neg_root_mean_squared_error",
    "mse": "neg_mean_squared_error",
    "mae": "neg_mean_absolute_error",
    "mape": "neg_mean_absolute_percentage_error",
    "log_loss": "neg_log_loss",
    "brier": "neg_brier_score",
}
_AVERAGES = ("macro", "weighted", "micro")
BY_TASK: dict[Task, tuple[str, ...]] = {
    "binary": (
        "accuracy",
        "balanced_accuracy",
        "roc_auc",
        "average_precision",
        "neg_log_loss",
        "neg_brier_score",
        "f1",
        "precision",
        "recall",
        "jaccard",
        "matthews_corrcoef",
        "d2_log_loss_score",
        "d2_brier_score",
    ),
    "multiclass": (
        "accuracy",
        "balanced_accuracy",
        "neg_log_loss",
        *(f"{name}_{how}" for name in ("f1", "precision", "recall") for how in _AVERAGES),
        "top_k_accuracy",
        "d2_log_loss_score",
        "matthews_corrcoef",
        "roc_auc_ovr",
        "roc_auc_ovo",
        "roc_auc_ovr_weighted",
        "roc_auc_ovo_weighted",
    ),
    "regression": (
        "neg_root_mean_squared_error",
        "neg_mean_squared_error",
        "neg_mean_absolute_error",
        "neg_median_absolute_error",
        "neg_mean_absolute_percentage_error",
        "neg_max_error",
        "neg_mean_squared_log_error",
        "neg_root_mean_squared_log_error",
        "neg_mean_poisson_deviance",
        "neg_mean_gamma_deviance",
        "r2",
        "d2_absolute_error_score",
        "explained_variance",
    ),
}
STEPS = "neg_mean_absolute_error"  # of classes in order: how many steps off, on average
_LEAST = {  # what numbers must be above for a metric to make sense
    "neg_mean_squared_log_error": (-1.0, "all above -1"),
    "neg_root_mean_squared_log_error": (-1.0, "all above -1"),
    "neg_mean_gamma_deviance": (0.0, "all above 0"),
}
COST = "neg_expected_cost"
OF_PROBABILITIES = (
    *("neg_log_loss", "neg_brier_score", "d2_log_loss_score", "d2_brier_score"),
    *("roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted"),
    "top_k_accuracy",
)
UNEVEN = 0.2  # share of the rarest class against an even split, below which accuracy says little


@dataclass(frozen=True)
class ExpectedCost:
    """Minus the mean cost of the decisions, as a scorer: ``cost(estimator, X, y)``."""

    costs: Costs

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Of codes 0 (negative) and 1 (positive)."""
        return -mean_cost(np.asarray(y), np.asarray(estimator.predict(X)), self.costs)


def mean_cost(actual: Any, decided: Any, costs: Costs) -> float:
    """The mean cost of decisions about two classes, 0 and 1.

    >>> mean_cost(np.array([0, 1]), np.array([1, 1]), Costs(2.0, 5.0, 2 / 7))
    1.0
    """
    false_alarms = np.mean((decided == 1) & (actual == 0))
    misses = np.mean((decided == 0) & (actual == 1))
    return float(costs.false_positive * false_alarms + costs.false_negative * misses)


def choose_metric(
    name: str | None,
    task: Task,
    costs: Costs | None,
    counts: Sequence[int] = (),
    *,
    ordered: bool = False,
    y: Any = None,
    target: str = "the target",
) -> Metric:
    """The metric asked for, or the one that suits the target.

    Parameters
    ----------
    name : str or None
        A scorer's name, or a short one such as "auc", "rmse", "mae".
    task : {"binary", "multiclass", "regression"}
    costs : Costs or None
        With costs, decisions are judged by what they cost.
    counts : sequence of int
        Rows of each class.
    ordered : bool, default=False
        Whether classes have an order, in which steps can be counted.
    y : array, optional
        Numbers to be estimated.
    target : str
        Their name.

    Examples
    --------
    >>> choose_metric(None, "regression", None).label
    'root mean squared error'
    """
    if name is not None:
        full = _full(name, task, ordered, target)
        if task == "regression":
            _check_range(name, full, y, target)
        elif full == STEPS:
            return Metric(full, "mean number of steps off", False, "as asked for")
        return _named(full, "as asked for")
    if costs is not None:
        return Metric(COST, "expected cost per row", False, "because mistakes have costs")
    if task == "regression":
        reason = "the usual size of an error, in the units of the target"
        return _named("neg_root_mean_squared_error", reason)
    uneven = min(counts) * len(counts) / sum(counts) < UNEVEN
    if not uneven:
        return _named("accuracy", "the share of rows that are right; the classes are even enough")
    words = "because one class is rare, and accuracy would praise a model that never names it"
    return _named("roc_auc" if task == "binary" else "balanced_accuracy", words)


def scorer_of(metric: Metric, costs: Costs | None) -> Callable[..., Any]:
    """``scorer(estimator, X, y)``, of which more is better."""
    from stylobate.metrics import get_scorer

    if metric.name == COST:
        assert costs is not None
        return ExpectedCost(costs)
    found: Callable[..., Any] = get_scorer(metric.name)
    return found


def _named(name: str, reason: str) -> Metric:
    from stylobate.model_selection.validation.score_names import score_name

    said = score_name(name)
    return Metric(name, said.label, said.sign > 0, reason)


def _check_range(name: str, full: str, y: Any, target: str) -> None:
    """Refuse a metric of positive numbers for others."""
    if y is None:
        return
    least, words = _LEAST.get(full, (-np.inf, ""))
    bad = y.min() <= least
    if full == "neg_mean_poisson_deviance":
        bad, words = y.min() < 0, "none below 0"
    if bad:
        raise InvalidParameterError(
            f"metric={name!r} is for numbers that are {words}, and the smallest {target!r} is "
            f"{y.min():g}; rmse and mae suit all numbers."
        )


def _full(name: str, task: Task, ordered: bool = False, target: str = "the target") -> str:
    """The scorer's name; refuses what does not suit the target."""
    from stylobate.metrics import get_scorer_names

    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    known = get_scorer_names()
    full = SHORT.get(plain, plain)
    if full not in known and f"neg_{full}" in known:
        full = f"neg_{full}"
    suited = BY_TASK[task]
    if full == "roc_auc" and task == "multiclass":
        full = "roc_auc_ovr"
    if full in ("f1", "precision", "recall") and task == "multiclass":
        full = f"{full}_macro"
    if full in suited or (full == STEPS and ordered):
        return full
    if task == "regression" and full in {*BY_TASK["binary"], *BY_TASK["multiclass"]}:
        raise InvalidParameterError(
            f"metric={name!r} judges classes, and {target!r} holds numbers, which are estimated; "
            "take them for classes (task='classification', --task classification), or judge by "
            "rmse, mae or r2."
        )
    if task != "regression" and full in BY_TASK["regression"]:
        raise InvalidParameterError(
            f"metric={name!r} judges numbers, and {target!r} is taken for classes; estimate "
            "numbers (task='regression', --task regression) where it holds any, or judge by "
            "accuracy, log_loss or auc."
        )
    words = [*suited, *(short for short, long in SHORT.items() if long in suited)]
    close = get_close_matches(plain, words, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    what = "numbers" if task == "regression" else "classes"
    raise InvalidParameterError(
        f"metric={name!r} is no metric for a target of {what}; there are {', '.join(suited)}.{hint}"
    )
