"""`clone`: a new estimator with the same parameters and nothing learnt."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from stylobate.exceptions import InvalidParameterError


def clone(estimator: Any, *, safe: bool = True) -> Any:
    """A new, unfitted estimator with copies of the parameters; scikit-learn's `clone`, ours.

    Containers of estimators (list, tuple, set, dict) are cloned element by element. An estimator
    that defines ``__sklearn_clone__`` decides for itself. What `set_output` and
    `set_fit_request` chose goes along.

    Parameters
    ----------
    estimator : estimator, or list, tuple, set, frozenset or dict of estimators
        What to copy.
    safe : bool, default=True
        Whether to refuse objects that are not estimators; otherwise they are deep-copied.

    Returns
    -------
    same type as `estimator`
        The clone.

    Raises
    ------
    InvalidParameterError
        If `estimator` is not an estimator (also a TypeError).
    RuntimeError
        If the constructor does not store a parameter exactly as it is given.

    Examples
    --------
    >>> from stylobate.base import BaseEstimator, clone
    >>> class Shrunk(BaseEstimator):
    ...     def __init__(self, alpha: float = 1.0):
    ...         self.alpha = alpha
    >>> clone(Shrunk(alpha=2.0))
    Shrunk(alpha=2.0)
    """
    if hasattr(estimator, "__sklearn_clone__") and not isinstance(estimator, type):
        names = _plain_parameters(type(estimator))
        if names is not None and vars(estimator).keys() == set(names):
            return _rebuilt(estimator, lambda one: {name: getattr(one, name) for name in names})
        return estimator.__sklearn_clone__()
    kind = type(estimator)
    if kind is dict:
        return {key: clone(value, safe=safe) for key, value in estimator.items()}
    if kind in (list, tuple, set, frozenset):
        return kind([clone(each, safe=safe) for each in estimator])
    if isinstance(estimator, type) or not hasattr(estimator, "get_params"):
        if not safe:
            return copy.deepcopy(estimator)
        what = f"the class {estimator.__name__}" if isinstance(estimator, type) else repr(estimator)
        raise InvalidParameterError(
            f"Cannot clone {what}: clone takes an estimator instance, something with get_params."
        )
    return clone_by_parameters(estimator)


def clone_by_parameters(estimator: Any) -> Any:
    """Build a new instance of the same class from clones of the parameters."""
    return _rebuilt(estimator, lambda one: one.get_params(deep=False))


def _rebuilt(estimator: Any, parameters_of: Callable[[Any], dict[str, Any]]) -> Any:
    parameters = {
        name: clone(value, safe=False) for name, value in parameters_of(estimator).items()
    }
    twin = type(estimator)(**parameters)
    stored = parameters_of(twin)
    for name, value in parameters.items():
        if stored[name] is not value:
            raise RuntimeError(
                f"Cannot clone {type(estimator).__name__}: its constructor must store the "
                f"parameter {name} exactly as given, and it either changes it or does not store it."
            )
    return twin


def _plain_parameters(kind: type) -> tuple[str, ...] | None:
    """The parameters of one of scikit-learn's estimators that clones as all of them do.

    scikit-learn reads the constructor's signature twice for each clone, which takes longer than
    some fits; that of a class is read once here. An instance that holds nothing but its parameters
    is known by them. None for classes with a way of their own.
    """
    if kind not in _known:
        ways = ("__sklearn_clone__", "get_params", "_get_param_names")
        inherited = all(
            getattr(getattr(kind, way, None), "__module__", "") == _THEIRS for way in ways
        )
        _known[kind] = tuple(getattr(kind, ways[-1])()) if inherited else None
    return _known[kind]


_THEIRS = "sklearn.base"
_known: WeakKeyDictionary[type, tuple[str, ...] | None] = WeakKeyDictionary()
