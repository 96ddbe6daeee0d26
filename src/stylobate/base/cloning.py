"""`clone`: a new estimator with the same parameters and nothing learnt."""

from __future__ import annotations

import copy
from typing import Any

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
    parameters = {
        name: clone(value, safe=False) for name, value in estimator.get_params(deep=False).items()
    }
    twin = type(estimator)(**parameters)
    stored = twin.get_params(deep=False)
    for name, value in parameters.items():
        if stored[name] is not value:
            raise RuntimeError(
                f"Cannot clone {type(estimator).__name__}: its constructor must store the "
                f"parameter {name} exactly as given, and it either changes it or does not store it."
            )
    return twin
