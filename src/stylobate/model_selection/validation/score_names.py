"""What a score is called in words and pictures, and which value of it is perfect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stylobate.base import is_classifier, is_regressor

_LABELS = {
    "r2": "R²",
    "d2": "D²",
    "roc_auc": "ROC AUC",
    "f1": "F1",
    "average_precision": "average precision",
    "brier_score": "Brier score",
}
_AT_MOST_ONE = (
    "accuracy", "average_precision", "balanced_accuracy", "d2", "explained_variance", "f1", "fbeta",
    "jaccard", "matthews_corrcoef", "precision", "r2", "recall", "roc_auc", "top_k_accuracy",
)  # fmt: skip
_LOSSES = ("error", "loss", "deviance", "brier_score")


@dataclass(frozen=True)
class ScoreName:
    """The name of a score.

    Parameters
    ----------
    label : str
        In words: "R²", "mean squared error".
    sign : {1, -1}
        -1 for a loss whose scorer changes its sign; shown as the loss itself.
    perfect : float or None
        The best value the scorer can give, if there is one.

    Examples
    --------
    >>> name = score_name("neg_mean_squared_error")
    >>> name, name.shown(-4.0)
    (ScoreName(label='mean squared error', sign=-1, perfect=0.0), 4.0)
    """

    label: str
    sign: int = 1
    perfect: float | None = None

    def shown(self, scores: Any) -> Any:
        """Scores as they are shown: losses with their own sign."""
        return scores if self.sign > 0 else -scores

    @property
    def better(self) -> str:
        """Which direction is good."""
        return "more is better" if self.sign > 0 else "less is better"


def score_name(scoring: Any, estimator: Any = None) -> ScoreName:
    """The name of what `scoring` computes for an estimator.

    Parameters
    ----------
    scoring : str, callable or None
        As of `cross_validate`.
    estimator : object, optional
        Whose own `score` is meant by None.

    Examples
    --------
    >>> from stylobate.linear_model import LinearRegression
    >>> score_name(None, LinearRegression()).label, score_name("f1_macro").label
    ('R²', 'F1 macro')
    """
    if scoring is None:
        return _own_score(estimator)
    if isinstance(scoring, str):
        return _named(scoring.removeprefix("neg_"), -1 if scoring.startswith("neg_") else 1)
    metric = getattr(scoring, "_score_func", None)
    if metric is not None:
        return _named(getattr(metric, "__name__", "score"), int(getattr(scoring, "_sign", 1)))
    return ScoreName(str(getattr(scoring, "__name__", "score")).replace("_", " "))


def _own_score(estimator: Any) -> ScoreName:
    """Accuracy of classifiers; R² of those regressors that have not a `score` of their own."""
    while getattr(estimator, "steps", None):  # a pipeline scores as its last step
        estimator = estimator.steps[-1][1]
    if is_classifier(estimator):
        return ScoreName("accuracy", 1, 1.0)
    method = getattr(getattr(type(estimator), "score", None), "__qualname__", "")
    if is_regressor(estimator) and method == "RegressorMixin.score":
        return ScoreName("R²", 1, 1.0)
    return ScoreName("score")


def _named(name: str, sign: int) -> ScoreName:
    """By the name of a metric, with or without the ending of its function."""
    plain = name.removesuffix("_score") if name != "brier_score" else name
    label = plain.replace("_", " ")
    for known, words in _LABELS.items():
        if plain == known or plain.startswith(f"{known}_"):
            label = words + plain[len(known) :].replace("_", " ")
    perfect = None
    if sign < 0 and plain.endswith(_LOSSES):
        perfect = 0.0
    elif sign > 0 and plain.startswith(_AT_MOST_ONE):
        perfect = 1.0
    return ScoreName(label, sign, perfect)
