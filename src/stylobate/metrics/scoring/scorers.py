"""Scorers: ``scorer(estimator, X, y)`` is a number of which more is better."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from stylobate.base.routing import request_of, routing_enabled
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.metrics.scoring.responses import METHODS, response

_OF_PROBABILITIES = ("brier_score_loss", "d2_brier_score", "d2_log_loss_score", "log_loss")


class Scorer:
    """A metric made into a scorer; see `make_scorer`.

    Parameters
    ----------
    score_func : callable
        ``score_func(y_true, y_pred, **kwargs)``.
    sign : {1, -1}
        -1 for losses, of which less is better.
    kwargs : dict
        More arguments for the metric.
    response_method : str or tuple of str
        The estimator's method that gives `y_pred`; of several the first it has.
    """

    _requests: Mapping[str, bool | str | None] = MappingProxyType({})

    def __init__(
        self,
        score_func: Callable[..., Any],
        sign: int,
        kwargs: dict[str, Any],
        response_method: str | tuple[str, ...],
    ) -> None:
        self._score_func = score_func
        self._sign = sign
        self._kwargs = kwargs
        self._response_method = response_method

    def __call__(
        self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None, **kwargs: Any
    ) -> Any:
        """The score of the estimator's answers for X.

        Parameters
        ----------
        estimator : object
            A fitted estimator, ours or one that follows scikit-learn's protocol.
        X : array-like of shape (n, n_features)
            Rows.
        y_true : array-like of shape (n,) or (n, n_outputs)
            What they really are.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows.
        **kwargs : object
            More arguments for the metric.

        Returns
        -------
        float
        """
        answers = self.answers(estimator, X)
        classes = getattr(estimator, "classes_", None)
        return self.compared(y_true, answers, classes, sample_weight=sample_weight, **kwargs)

    def answers(self, estimator: Any, X: Any) -> Any:
        """What the metric compares with the truth: labels, numbers, margins or probabilities."""
        return response(estimator, X, self._response_method, self._positive)

    def compared(
        self,
        y_true: Any,
        answers: Any,
        classes: Any = None,
        sample_weight: Any = None,
        **kwargs: Any,
    ) -> Any:
        """The score of answers that are known already; `classes` are those of their model."""
        options = self._kwargs | kwargs | self.labels_option(classes, kwargs)
        if sample_weight is not None:
            options["sample_weight"] = sample_weight
        return self._sign * self._score_func(y_true, answers, **options)

    def labels_option(self, classes: Any, given: Any = ()) -> dict[str, Any]:
        """All classes, for metrics of probabilities: a part of the rows may lack some of them."""
        if not self._takes_labels or "labels" in self._kwargs or "labels" in given:
            return {}
        return {} if classes is None or isinstance(classes, list) else {"labels": classes}

    @cached_property
    def _parameters(self) -> dict[str, Any]:
        try:
            known = inspect.signature(self._score_func).parameters.values()
        except (TypeError, ValueError):  # some compiled functions do not tell
            return {}
        return {p.name: p.default for p in known}

    @cached_property
    def _positive(self) -> Any:
        """The label that probabilities and margins of two classes are of; None: the second."""
        default = self._parameters.get("pos_label", None)
        chosen = self._kwargs.get("pos_label", default)
        return None if chosen is inspect.Parameter.empty else chosen

    @cached_property
    def _takes_labels(self) -> bool:
        """Whether the metric goes by probabilities and wants to know all classes."""
        named = self._score_func.__name__ if hasattr(self._score_func, "__name__") else ""
        return named in _OF_PROBABILITIES and "labels" in self._parameters

    def set_score_request(self, **requests: bool | str | None) -> Self:
        """Say which metadata scikit-learn's meta-estimators pass to this scorer.

        Parameters
        ----------
        **requests : bool, str or None
            For each argument of the metric True, False, None (refuse) or another name for it.

        Returns
        -------
        self
        """
        if not routing_enabled():
            raise RuntimeError(
                "This method is only available when metadata routing is enabled. You can enable "
                "it using sklearn.set_config(enable_metadata_routing=True)."
            )
        both = sorted(set(requests) & set(self._kwargs))
        if both:
            warnings.warn(
                f"{self!r}: {', '.join(both)} already set as kwargs for this metric; what is "
                "passed as metadata takes their place. Give them in one way only.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        self._requests = requests
        return self

    def get_metadata_routing(self) -> Any:
        """scikit-learn's request object of this scorer; called by its routers."""
        weighed = {"sample_weight": None} if "sample_weight" in self._parameters else {}
        return request_of(self, "score", weighed | dict(self._requests))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scorer) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self._score_func, self._sign, str(self._response_method)))

    def _identity(self) -> tuple[Any, ...]:
        return self._score_func, self._sign, self._kwargs, self._response_method

    def __repr__(self) -> str:
        name = getattr(self._score_func, "__name__", repr(self._score_func))
        better = "" if self._sign > 0 else ", greater_is_better=False"
        options = "".join(f", {key}={value!r}" for key, value in self._kwargs.items())
        return f"make_scorer({name}{better}, response_method={self._response_method!r}{options})"


class BuiltInScore:
    """The scorer of ``scoring=None``: the estimator's own `score`."""

    def __call__(
        self, estimator: Any, X: Any, y: Any = None, sample_weight: Any = None, **kwargs: Any
    ) -> Any:
        """``estimator.score(X, y)``."""
        if sample_weight is not None:
            kwargs["sample_weight"] = sample_weight
        return estimator.score(X, y, **kwargs)

    def __repr__(self) -> str:
        return "the estimator's own score"


class ManyScorers:
    """Several scorers as one that returns a dictionary of scores."""

    def __init__(self, scorers: dict[str, Callable[..., Any]]) -> None:
        self.scorers = scorers

    def __call__(self, estimator: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The scores by name."""
        return {name: each(estimator, *args, **kwargs) for name, each in self.scorers.items()}

    def __repr__(self) -> str:
        return f"scorers {', '.join(map(repr, self.scorers))}"


def make_scorer(
    score_func: Callable[..., Any],
    *,
    response_method: str | list[str] | tuple[str, ...] | None = "predict",
    greater_is_better: bool = True,
    **kwargs: Any,
) -> Scorer:
    """Make a scorer of a metric.

    Parameters
    ----------
    score_func : callable
        ``score_func(y_true, y_pred, **kwargs)``.
    response_method : str, or sequence of str, default="predict"
        "predict", "predict_proba", "decision_function" … or several, of which the first the
        estimator has is used. For two classes the values are of ``pos_label``.
    greater_is_better : bool, default=True
        Whether the metric is a score; a loss changes its sign.
    **kwargs : object
        More arguments for the metric.

    Returns
    -------
    Scorer
        Callable as ``scorer(estimator, X, y, sample_weight=None)``.

    Examples
    --------
    >>> from stylobate.metrics import fbeta_score, make_scorer
    >>> make_scorer(fbeta_score, beta=2)
    make_scorer(fbeta_score, response_method='predict', beta=2)
    """
    if not callable(score_func):
        raise InvalidParameterError(
            f"make_scorer: score_func must be callable, got {score_func!r}; for a scorer by name "
            "use get_scorer."
        )
    given = response_method if response_method is not None else "predict"
    methods = given if isinstance(given, str) else tuple(given)
    for name in (methods,) if isinstance(methods, str) else methods:
        if name not in METHODS:
            raise InvalidParameterError(
                f"make_scorer: response_method must be among {', '.join(METHODS)}, got {name!r}."
            )
    return Scorer(score_func, 1 if greater_is_better else -1, kwargs, methods)


def takes_weights(scorer: Callable[..., Any]) -> bool:
    """Whether a scorer, or the metric it is made of, has an argument ``sample_weight``.

    >>> from stylobate.metrics import get_scorer
    >>> takes_weights(get_scorer("r2")), takes_weights(get_scorer("neg_max_error"))
    (True, False)
    """
    if isinstance(scorer, Scorer):
        return takes_weights(scorer._score_func)
    try:
        parameters = inspect.signature(scorer).parameters
    except (TypeError, ValueError):  # some compiled functions do not tell
        return False
    anything = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    return anything or "sample_weight" in parameters
