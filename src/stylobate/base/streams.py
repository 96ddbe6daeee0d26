"""Fits and predictions on rows that are not in memory, for every estimator at once.

`fit`, `predict`, `transform` … are written by estimators for arrays and frames. The root of all
estimators has them take streams, files and relations as well: `fit(rows, target="y")` goes to the
estimator's `_fit_stream`, which learns from statistics of the stream where the tier says so, and
predictions are made batch by batch. One wrapper in place of a hundred methods that each know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import isfunction, signature
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream

Method = Callable[..., Any]

_PREDICTIONS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "score_samples",
    "predict_interval",
    "apply",
)


def wrap_methods(kind: type) -> None:
    """Have the methods a class defines take streams."""
    for name in ("fit", "transform", "score", *_PREDICTIONS):
        method = vars(kind).get(name)
        if isfunction(method) and not hasattr(method, "_for_arrays"):
            setattr(kind, name, _wrapped(name, method))
            continue
        inner = getattr(method, "method", None)  # of one that is there with some parameters only
        if isfunction(inner) and not hasattr(inner, "_for_arrays"):
            method.method = _wrapped(name, inner)  # type: ignore[union-attr]


def _wrapped(name: str, method: Method) -> Method:
    make = {"fit": _fit, "transform": _transform, "score": _score}.get(name, _predict)
    wrapped = wraps(method)(make(method))
    wrapped._for_arrays = method  # type: ignore[attr-defined]
    return wrapped


def _is_rows_to_read(X: Any) -> bool:
    if type(X) is np.ndarray or X is None:
        return False
    from stylobate.data.streams import is_stream

    return is_stream(X)


def _gives_batches(X: Any, model: Any) -> bool:
    """Whether X is an iterator of batches, or a function that returns one; of texts it is not."""
    if not isinstance(X, Iterator) and not isfunction(X):
        return False
    tags = model._tags()
    composed = hasattr(model, "steps") or hasattr(model, "transformer_list")  # may begin with texts
    return bool(tags.two_d and not tags.text and not composed)


def _fit(method: Method) -> Method:
    def fit(
        self: Any,
        *args: Any,
        target: Any = None,
        features: Any = None,
        weight: Any = None,
        **options: Any,
    ) -> Any:
        named = target is not None or features is not None or weight is not None
        if not args or not (named or _is_rows_to_read(args[0]) or _gives_batches(args[0], self)):
            return method(self, *args, **options)
        return _fit_rows(self, method, args, options, (target, features, weight))

    return fit


def _fit_rows(
    model: Any, method: Method, args: tuple[Any, ...], options: dict[str, Any], named: Any
) -> Any:
    """Fit on whatever holds rows: in memory as ever, a stream through `_fit_stream`."""
    from stylobate.data.streams import open_rows

    owner = type(model).__name__
    target, features, weight = named
    if target is not None and len(args) > 1 and args[1] is not None:
        raise InvalidParameterError(
            f"{owner}.fit: y and target={target!r} both say what to predict; give one of them."
        )
    rows = open_rows(
        args[0],
        owner,
        target=target,
        features=features,
        weight=weight,
        y_required=model._tags().requires_y,
    )
    if rows.memory is None:
        if any(each is not None for each in (*args[1:], *options.values())):
            raise InvalidParameterError(
                f"{owner}.fit: rows that are read on request bring target and weights along: name "
                "their columns by target= and weight=."
            )
        return model._fit_stream(rows.stream)
    batch = rows.memory
    y = args[1] if len(args) > 1 else batch.y
    return method(model, batch.x, y, *args[2:], **options, **weights_for(model, method, batch))


def weights_for(model: Any, method: Method, batch: Batch) -> dict[str, Any]:
    """The weights of a batch as an argument of `fit`, if there are any and it takes them."""
    if batch.weights is None:
        return {}
    if "sample_weight" not in signature(method).parameters:
        raise InvalidParameterError(
            f"{type(model).__name__}.fit takes no weights; leave weight out."
        )
    return {"sample_weight": batch.weights}


def _features(model: Any, X: Any) -> Stream:
    """The stream of the columns a model was fitted on, whatever else there is."""
    from stylobate.data.streams import open_rows

    names = getattr(model, "feature_names_in_", None)
    chosen = None if names is None else list(names)
    stream: Stream = open_rows(X, type(model).__name__, features=chosen).stream
    return stream


def _predict(method: Method) -> Method:
    def predict(self: Any, *args: Any, **options: Any) -> Any:
        if not args or not _is_rows_to_read(args[0]):
            return method(self, *args, **options)
        stream = _features(self, args[0])
        parts = [method(self, batch.x, *args[1:], **options) for batch in stream]
        if not parts:
            raise InvalidDataError(f"{type(self).__name__}: {stream.name} has no rows.")
        return np.concatenate(parts)

    return predict


def _transform(method: Method) -> Method:
    def transform(self: Any, *args: Any, **options: Any) -> Any:
        if not args or not _is_rows_to_read(args[0]):
            return method(self, *args, **options)
        return _features(self, args[0]).map(lambda x: method(self, x, *args[1:], **options))

    return transform


def _score(method: Method) -> Method:
    def score(
        self: Any,
        *args: Any,
        target: Any = None,
        features: Any = None,
        weight: Any = None,
        **options: Any,
    ) -> Any:
        named = target is not None or features is not None or weight is not None
        if not args or not (named or _is_rows_to_read(args[0])):
            return method(self, *args, **options)
        from stylobate.data.streams import open_rows

        owner = type(self).__name__
        if features is None:
            features = getattr(self, "feature_names_in_", None)
        rows = open_rows(args[0], owner, target=target, features=features, weight=weight)
        if rows.memory is not None:
            weights = weights_for(self, method, rows.memory)
            return method(self, rows.memory.x, rows.memory.y, **options, **weights)
        return _score_stream(self, method, rows.stream, options)

    return score


def _score_stream(model: Any, method: Method, stream: Stream, options: dict[str, Any]) -> Any:
    """The score from targets and weights, which one pass keeps, and from predictions by batches."""
    targets, weights = [], []
    for batch in stream:
        targets.append(batch.y)
        weights.append(batch.weights)
    if not targets or targets[0] is None:
        raise InvalidDataError(f"{type(model).__name__}.score: name the target= to compare with.")
    if weights[0] is not None:
        options = options | {"sample_weight": np.concatenate(weights)}
    return method(model, stream, np.concatenate(targets), **options)
