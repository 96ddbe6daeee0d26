"""Metadata routing: which methods ask a scikit-learn meta-estimator to pass them extra arguments.

The choices are plain data kept on the estimator. scikit-learn's request object is built from them
only in `get_metadata_routing`, which only scikit-learn's routers call.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from typing import Any

from stylobate.exceptions import InvalidParameterError

METHODS = (
    "fit",
    "partial_fit",
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "score",
    "transform",
    "inverse_transform",
)
_DATA = {"self", "X", "y", "Y", "target", "features", "weight"}  # columns are named, not passed


def metadata_of(owner: type, method: str) -> tuple[str, ...]:
    """Names of the arguments of a method that are neither data nor the estimator itself.

    >>> class Weighted:
    ...     def fit(self, X, y, sample_weight=None): ...
    >>> metadata_of(Weighted, "fit")
    ('sample_weight',)
    """
    function = getattr(owner, method, None)
    if not inspect.isfunction(function):
        return ()
    parameters = inspect.signature(function).parameters.values()
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return tuple(p.name for p in parameters if p.name not in _DATA and p.kind not in variable)


def routing_enabled() -> bool:
    """Whether scikit-learn, if it is loaded, routes metadata by request."""
    theirs = sys.modules.get("sklearn")
    known = theirs.get_config() if theirs is not None and hasattr(theirs, "get_config") else {}
    return bool(known.get("enable_metadata_routing", False))


def request_of(owner: Any, method: str, asked: Mapping[str, bool | str | None]) -> Any:
    """scikit-learn's request object of something with one method that takes metadata."""
    from sklearn.utils.metadata_routing import MetadataRequest

    request = MetadataRequest(owner=owner)
    for name, alias in asked.items():
        getattr(request, method).add_request(param=name, alias=alias)
    return request


class RequestSetter:
    """The method ``set_<method>_request``, there only if the method takes metadata."""

    def __init__(self, method: str) -> None:
        self.method = method

    def __get__(self, instance: Any, owner: type) -> Callable[..., Any]:
        known = metadata_of(owner, self.method)
        if not known:
            raise AttributeError(
                f"{owner.__name__} has no set_{self.method}_request: its {self.method} takes no "
                "metadata such as sample_weight."
            )

        def set_request(*args: Any, **requests: bool | str | None) -> Any:
            target = args[0] if instance is None else instance
            for name, request in requests.items():
                _check_request(owner.__name__, self.method, known, name, request)
            chosen = dict(getattr(target, "_requested_metadata", {}))
            chosen[self.method] = chosen.get(self.method, {}) | requests
            target._requested_metadata = chosen
            return target

        set_request.__name__ = f"set_{self.method}_request"
        set_request.__doc__ = (
            f"Say which metadata scikit-learn's meta-estimators pass to `{self.method}`: "
            f"{', '.join(known)}; each True, False, None (refuse) or another name for it."
        )
        return set_request


def _check_request(
    owner: str, method: str, known: tuple[str, ...], name: str, request: object
) -> None:
    if name not in known:
        raise InvalidParameterError(
            f"{owner}.{method} takes no metadata {name!r}; it takes {', '.join(known)}."
        )
    named = isinstance(request, str) and request.isidentifier()
    if not (request is None or isinstance(request, bool) or named):
        raise InvalidParameterError(
            f"{owner}.set_{method}_request: {name} must be True, False, None or another name for "
            f"it, got {request!r}."
        )


class RoutesMetadata:
    """Lets scikit-learn's meta-estimators ask which metadata each method wants."""

    set_fit_request = RequestSetter("fit")
    set_partial_fit_request = RequestSetter("partial_fit")
    set_predict_request = RequestSetter("predict")
    set_predict_proba_request = RequestSetter("predict_proba")
    set_predict_log_proba_request = RequestSetter("predict_log_proba")
    set_decision_function_request = RequestSetter("decision_function")
    set_score_request = RequestSetter("score")
    set_transform_request = RequestSetter("transform")
    set_inverse_transform_request = RequestSetter("inverse_transform")

    def get_metadata_routing(self) -> Any:
        """scikit-learn's request object for this estimator; called by its routers."""
        from sklearn.utils.metadata_routing import MetadataRequest

        chosen = getattr(self, "_requested_metadata", {})
        request = MetadataRequest(owner=self)
        for method in METHODS:
            wanted = chosen.get(method, {})
            for name in metadata_of(type(self), method):
                getattr(request, method).add_request(param=name, alias=wanted.get(name))
        return request
