"""Fits and predictions on rows that are not in memory, for every estimator at once.

`fit`, `predict`, `transform` … are written by estimators for arrays and frames. The root of all
estimators has them take streams, files and relations as well: `fit(rows, target="y")` goes to the
estimator's `_fit_stream`, which learns from statistics of the stream where the tier says so, and
predictions are made batch by batch. One wrapper in place of a hundred methods that each know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import Parameter, isfunction, signature
from textwrap import indent
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base.finite_answers import GUARDED, finite_answer, refuse_extremes
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
    "kneighbors",
    "kneighbors_graph",
    "radius_neighbors",
    "radius_neighbors_graph",
)


def wrap_methods(kind: type) -> None:
    """Have the methods a class defines take streams, and those that its mixins bring along."""
    for name in ("fit", "transform", "score", *_PREDICTIONS):
        method = _method_of(kind, name)
        if isfunction(method) and not hasattr(method, "_for_arrays"):
            wrapped = _wrapped(name, method)
            wrapped._of_mixin = name not in vars(kind)
            setattr(kind, name, wrapped)
            continue
        inner = getattr(method, "method", None)  # of one that is there with some parameters only
        if name in vars(kind) and isfunction(inner) and not hasattr(inner, "_for_arrays"):
            method.method = _wrapped(name, inner)


def _method_of(kind: type, name: str) -> Any:
    """What a class or the first of its parents defines; methods taken over from mixins aside."""
    for each in kind.__mro__:
        method = vars(each).get(name)
        if method is not None and not getattr(method, "_of_mixin", False):
            return method
    return None


def _wrapped(name: str, method: Method) -> Any:
    make = {"fit": _fit, "transform": _transform, "score": _score}.get(name, _predict)
    wrapped: Any = wraps(method)(make(_guarded(name, method) if name in GUARDED else method))
    wrapped._for_arrays = method
    if make in (_fit, _score):
        _tell_of_names(wrapped, method)
    return wrapped


def _guarded(name: str, method: Method) -> Method:
    """The method, with an answer that overflows refused."""

    def guarded(self: Any, *args: Any, **options: Any) -> Any:
        if self._answers_may_be_missing:
            return method(self, *args, **options)
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused below
            answer = method(self, *args, **options)
        return finite_answer(self, name, answer, args[0] if args else options.get("X"))

    return wraps(method)(guarded)


_NAMES = ("target", "features", "weight")
_ABOUT_NAMES = """target : str or list of str, optional
    Where X is rows with named columns (a frame, file, relation or stream) that hold the
    target too: the column to predict, or columns.
features : list of str, optional
    The columns to use; all but target and weight by default.
weight : str, optional
    The column of weights."""


def _tell_of_names(wrapped: Any, method: Method) -> None:
    """Show the names of columns among the parameters, in the signature and in the docstring."""
    told = signature(method)
    parameters = list(told.parameters.values())
    last = len(parameters)
    if parameters and parameters[-1].kind is Parameter.VAR_KEYWORD:
        last -= 1
    extra = [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in _NAMES]
    wrapped.__signature__ = told.replace(parameters=parameters[:last] + extra + parameters[last:])
    text = method.__doc__ or ""
    place = text.find("\n\n        Returns\n")
    if "Parameters\n" in text and place > 0:
        wrapped.__doc__ = text[:place] + "\n" + indent(_ABOUT_NAMES, " " * 8) + text[place:]


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
        for learnt in ("join_", "join_plan_"):  # of an earlier fit
            vars(self).pop(learnt, None)
        if not args or not (named or _is_rows_to_read(args[0]) or _gives_batches(args[0], self)):
            try:
                return method(self, *args, **options)
            except (ArithmeticError, ValueError) as error:  # NumPy's LinAlgError is a ValueError
                refuse_extremes(self, error, args, options)
                raise
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
        if _is_cluster(rows.stream) and target is None:
            rows = rows._replace(stream=_beside(rows.stream, method, args, options))
        elif any(each is not None for each in (*args[1:], *options.values())):
            raise InvalidParameterError(
                f"{owner}.fit: rows that are read on request bring target and weights along: name "
                "their columns by target= and weight=."
            )
        if target is None and model._tags().requires_y and hasattr(args[0], "columns"):
            raise InvalidDataError(
                f"{owner} requires y: name the column to predict by target=, one of "
                f"{', '.join(map(repr, list(args[0].columns)[:20]))}."
            )
        fitted = model._fit_stream(rows.stream)
        leave = getattr(rows.stream, "leave_in", None)
        if leave is not None:
            leave(fitted)
        return fitted
    batch = rows.memory
    y = args[1] if len(args) > 1 else batch.y
    return method(model, batch.x, y, *args[2:], **options, **weights_for(model, method, batch))


def _is_cluster(stream: Any) -> bool:
    """Whether rows are on a cluster, whose own types hold targets and answers as well."""
    return hasattr(stream, "partitions")


def _beside(stream: Any, method: Method, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Rows of a cluster together with the target and the weights that are given beside them."""
    given = signature(method).bind_partial(None, *args, **options).arguments
    y, weights = given.pop("y", None), given.pop("sample_weight", None)
    return stream.beside(y, weights)


def weights_for(model: Any, method: Method, batch: Batch) -> dict[str, Any]:
    """The weights of a batch as an argument of `fit`, if there are any and it takes them."""
    if batch.weights is None:
        return {}
    if "sample_weight" not in signature(method).parameters:
        raise InvalidParameterError(
            f"{type(model).__name__}.{method.__name__} takes no weights; leave weight out."
        )
    return {"sample_weight": batch.weights}


def _joined(model: Any, X: Any) -> Any:
    """New rows of the facts with the tables that a model was fitted on beside them."""
    stored = vars(model).get("join_")
    return X if stored is None else stored.with_facts(X, type(model).__name__)


def _features(model: Any, X: Any) -> Any:
    """The stream of the columns a model was fitted on, whatever else there is."""
    from stylobate.data.streams import open_rows

    names = getattr(model, "feature_names_in_", None)
    chosen = None if names is None else list(names)
    if chosen is None:
        _refuse_other_columns(model, X)
    return open_rows(X, type(model).__name__, features=chosen).stream


def _refuse_other_columns(model: Any, X: Any) -> None:
    """Refuse named columns that are not as many as a model without names knows."""
    known = getattr(model, "n_features_in_", None)
    given = getattr(X, "columns", None) if hasattr(X, "to_frame") else None
    if known is None or not isinstance(given, tuple | list) or len(given) == known:
        return
    shown = ", ".join(map(repr, given[:20])) + (", …" if len(given) > 20 else "")
    raise InvalidDataError(
        f"{type(model).__name__} was fitted to {known} columns without names, and X holds "
        f"{len(given)}: {shown}. Fit with names (a data frame, or target= and features=), so that "
        "the columns are chosen by them, or give these alone: read(\"SELECT a, b FROM 'file'\")."
    )


def _predict(method: Method) -> Method:
    def predict(self: Any, *args: Any, **options: Any) -> Any:
        X = _joined(self, args[0] if args else options.get("X"))
        if not _is_rows_to_read(X):
            return method(self, *args, **options)
        rest = {name: each for name, each in options.items() if name != "X"}
        stream = _features(self, X)
        if _is_cluster(stream):
            return stream.answered(self, method.__name__, rest)
        parts = [method(self, batch.x, *args[1:], **rest) for batch in stream if batch.n_rows]
        if not parts:
            raise InvalidDataError(f"{type(self).__name__}: {stream.name} has no rows.")
        return _one_below_the_other(parts)

    return predict


def _one_below_the_other(parts: list[Any]) -> Any:
    """Answers of batches as one; where an answer is several arrays, each of them."""
    first = parts[0]
    if isinstance(first, tuple | list):
        made = [_one_below_the_other(list(each)) for each in zip(*parts, strict=True)]
        return type(first)(*made) if hasattr(first, "_fields") else type(first)(made)
    if hasattr(first, "joined"):
        return first.joined(parts[1:])
    if not hasattr(first, "tocsr"):
        return np.concatenate(parts)
    from scipy import sparse

    return sparse.vstack(parts, format=first.format)


def _transform(method: Method) -> Method:
    def transform(self: Any, *args: Any, **options: Any) -> Any:
        X = _joined(self, args[0]) if args else None
        if not _is_rows_to_read(X):
            return method(self, *args, **options)
        stream = _features(self, X)
        if _is_cluster(stream):
            return stream.answered(self, "transform", options)
        return stream.map(lambda x: method(self, x, *args[1:], **options))

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
        args = (_joined(self, args[0]), *args[1:]) if args and named else args
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
        if target is None and not self._tags().requires_y:
            return method(self, rows.stream, **options)  # of densities: there is nothing to compare
        return _score_stream(self, method, rows.stream, options)

    return score


def _score_stream(model: Any, method: Method, stream: Stream, options: dict[str, Any]) -> Any:
    """The score by batches: added up where it merges, else from all targets and predictions."""
    tally = getattr(method, "tally", None)
    if tally is None or options:
        return _score_whole(model, method, stream, options)
    owner = type(model).__name__

    def counted(batch: Batch, first: int) -> Any:
        _refuse_without_target(model, batch.y)
        own = tally(owner)
        own.add(batch.y, model.predict(batch.x), batch.weights)
        return own

    total = stream.reduced(counted, lambda known, new: known.merge(new))
    _refuse_without_target(model, total)
    return total.score()  # type: ignore[union-attr]  # refused above


def _score_whole(model: Any, method: Method, stream: Stream, options: dict[str, Any]) -> Any:
    """The score from targets and weights, which one pass keeps, and from predictions by batches."""
    from stylobate.data.streams import Batch

    targets, weights = [], []
    for batch in stream.without_features():
        targets.append(batch.y)
        weights.append(batch.weights)
    _refuse_without_target(model, targets[0] if targets else None)
    if weights[0] is not None:
        together = Batch(None, None, np.concatenate(weights))
        options = options | weights_for(model, method, together)
    return method(model, stream, np.concatenate(targets), **options)


def _refuse_without_target(model: Any, y: Any) -> None:
    if y is None:
        raise InvalidDataError(f"{type(model).__name__}.score: name the target= to compare with.")
