"""Scorers by name."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from stylobate.base.parameters import brief
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.scoring.scorers import Scorer, make_scorer

_MARGINS = ("decision_function", "predict_proba")
_PREDICTED = {
    "accuracy": "accuracy_score",
    "adjusted_mutual_info_score": "adjusted_mutual_info_score",
    "adjusted_rand_score": "adjusted_rand_score",
    "balanced_accuracy": "balanced_accuracy_score",
    "completeness_score": "completeness_score",
    "d2_absolute_error_score": "d2_absolute_error_score",
    "explained_variance": "explained_variance_score",
    "fowlkes_mallows_score": "fowlkes_mallows_score",
    "homogeneity_score": "homogeneity_score",
    "matthews_corrcoef": "matthews_corrcoef",
    "mutual_info_score": "mutual_info_score",
    "neg_max_error": "max_error",
    "neg_mean_absolute_error": "mean_absolute_error",
    "neg_mean_absolute_percentage_error": "mean_absolute_percentage_error",
    "neg_mean_gamma_deviance": "mean_gamma_deviance",
    "neg_mean_poisson_deviance": "mean_poisson_deviance",
    "neg_mean_squared_error": "mean_squared_error",
    "neg_mean_squared_log_error": "mean_squared_log_error",
    "neg_median_absolute_error": "median_absolute_error",
    "neg_negative_likelihood_ratio": "negative_likelihood_ratio",
    "neg_root_mean_squared_error": "root_mean_squared_error",
    "neg_root_mean_squared_log_error": "root_mean_squared_log_error",
    "normalized_mutual_info_score": "normalized_mutual_info_score",
    "positive_likelihood_ratio": "positive_likelihood_ratio",
    "r2": "r2_score",
    "rand_score": "rand_score",
    "v_measure_score": "v_measure_score",
}  # name of the scorer: of the metric
_RANKED: dict[str, tuple[str, str | tuple[str, ...], dict[str, Any]]] = {
    "average_precision": ("average_precision_score", _MARGINS, {}),
    "d2_brier_score": ("d2_brier_score", "predict_proba", {}),
    "d2_log_loss_score": ("d2_log_loss_score", "predict_proba", {}),
    "neg_brier_score": ("brier_score_loss", "predict_proba", {}),
    "neg_log_loss": ("log_loss", "predict_proba", {}),
    "roc_auc": ("roc_auc_score", _MARGINS, {}),
    "roc_auc_ovo": ("roc_auc_score", "predict_proba", {"multi_class": "ovo"}),
    "roc_auc_ovo_weighted": (
        "roc_auc_score",
        "predict_proba",
        {"multi_class": "ovo", "average": "weighted"},
    ),
    "roc_auc_ovr": ("roc_auc_score", "predict_proba", {"multi_class": "ovr"}),
    "roc_auc_ovr_weighted": (
        "roc_auc_score",
        "predict_proba",
        {"multi_class": "ovr", "average": "weighted"},
    ),
    "top_k_accuracy": ("top_k_accuracy_score", _MARGINS, {}),
}
_AVERAGED = ("f1", "jaccard", "precision", "recall")
_AVERAGES = ("macro", "micro", "samples", "weighted")
SCORER_NAMES = tuple(
    sorted(
        [
            *_PREDICTED,
            *_RANKED,
            *_AVERAGED,
            *(f"{name}_{average}" for name in _AVERAGED for average in _AVERAGES),
        ]
    )
)


OF_LABELS = (
    "accuracy_score",
    "balanced_accuracy_score",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "false_positive_rate",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "negative_likelihood_ratio",
    "negative_predictive_value",
    "positive_likelihood_ratio",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "specificity_score",
    "zero_one_loss",
)  # metrics that need no more than the counts of pairs of classes


def get_scorer_names() -> list[str]:
    """The names `get_scorer` knows, sorted.

    Examples
    --------
    >>> "neg_mean_squared_error" in get_scorer_names()
    True
    """
    return list(SCORER_NAMES)


def get_scorer(scoring: str | Callable[..., Any]) -> Any:
    """The scorer of that name; a callable is itself.

    Parameters
    ----------
    scoring : str or callable
        A name among `get_scorer_names`, or ``scorer(estimator, X, y)``.

    Returns
    -------
    callable
        ``scorer(estimator, X, y, sample_weight=None)``; more is better.

    Examples
    --------
    >>> get_scorer("neg_mean_squared_error")
    make_scorer(mean_squared_error, greater_is_better=False, response_method='predict')
    """
    if callable(scoring):
        return scoring
    if not isinstance(scoring, str) or scoring not in SCORER_NAMES:
        raise InvalidParameterError(
            f"{brief(scoring)} is not a valid scoring value. Use "
            f"stylobate.metrics.get_scorer_names() to get valid options{_meant(str(scoring))}."
        )
    return copy.copy(_scorer(scoring))


@cache
def _scorer(name: str) -> Scorer:
    metric, methods, options = _recipe(name)
    return make_scorer(
        _function(metric),
        response_method=methods,
        greater_is_better=not name.startswith("neg_"),
        **options,
    )


def _recipe(name: str) -> tuple[str, str | tuple[str, ...], dict[str, Any]]:
    """The metric of a scorer, the responses it takes, and its options."""
    if name in _PREDICTED:
        return _PREDICTED[name], "predict", {}
    if name in _RANKED:
        return _RANKED[name]
    stem, _, average = name.partition("_")
    options = {"pos_label": None, "average": average} if average else {"average": "binary"}
    return f"{stem}_score", "predict", options


def _function(metric: str) -> Callable[..., Any]:
    package = import_module("stylobate.metrics")
    if metric in package.__all__:
        found: Callable[..., Any] = getattr(package, metric)
        return found
    found = getattr(import_module("stylobate.metrics.classification.rates"), metric)
    return found


def metric_of_labels(name: str) -> tuple[Callable[..., Any], dict[str, Any]]:
    """The metric of that name, or of the scorer of that name, and the options it stands for.

    >>> metric_of_labels("f1_macro")[1]
    {'pos_label': None, 'average': 'macro'}
    """
    if name in OF_LABELS:
        return _function(name), {}
    if name in SCORER_NAMES:
        metric, methods, options = _recipe(name)
        if methods == "predict" and metric in OF_LABELS:
            return _function(metric), options
    raise InvalidParameterError(
        f"{name!r} does not follow from counts of classes; what does: {', '.join(OF_LABELS)}, and "
        "the names of scorers made of them."
    )


def _close(name: str) -> list[str]:
    from difflib import get_close_matches

    plain = name.lower().removesuffix("_score")
    short = [each for each in SCORER_NAMES if plain in (each, _initials(each))]
    return short or get_close_matches(name, SCORER_NAMES, 3)


def _initials(name: str) -> str:
    """As people shorten it: "mse" of "neg_mean_squared_error"."""
    return "".join(word[0] for word in name.removeprefix("neg_").split("_"))


def _meant(name: str) -> str:
    close = _close(name)
    return f"; close: {', '.join(close)}" if close else ""
