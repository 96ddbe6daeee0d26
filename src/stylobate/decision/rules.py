"""Decision rules in any form, applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError


def apply_rule(rule: Any, points: NDArray[Any], owner: str) -> NDArray[Any]:
    """The decisions of a rule.

    Parameters
    ----------
    rule : callable, mapping, sequence, or object with `predict`
        A function of one point or of an array of them; a decision for each point by name or in
        order; or a fitted estimator or its method.
    points : array of shape (n,) or (n, d)
        Where.
    owner : str
        Who is asking.

    Examples
    --------
    >>> apply_rule(lambda x: "hi" if x > 1 else "lo", np.array([0.5, 2.0]), "example").tolist()
    ['lo', 'hi']
    """
    count = len(points)
    if hasattr(rule, "decide"):  # one of ours: takes points as they are
        return np.asarray(rule.decide(points))
    rows = points.reshape(count, -1)
    if hasattr(rule, "predict"):
        return np.asarray(rule.predict(rows))
    holder = getattr(rule, "__self__", None)
    if hasattr(holder, "predict") and not hasattr(holder, "decide"):  # a method of an estimator
        return np.asarray(rule(rows))
    if isinstance(rule, Mapping):
        missing = [point for point in points.tolist() if point not in rule]
        if missing:
            raise InvalidDataError(f"{owner}: the rule says nothing for x = {missing[0]!r}.")
        return _labels([rule[point] for point in points.tolist()])
    if callable(rule):
        return _called(rule, points)
    decided = np.asarray(rule)
    if decided.shape != (count,):
        raise InvalidParameterError(
            f"{owner}: the rule must be a function, a mapping, an estimator, or one decision for "
            f"each of the {count} points; got {type(rule).__name__} of shape {decided.shape}."
        )
    return decided


def _called(rule: Any, points: NDArray[Any]) -> NDArray[Any]:
    """Of all points at once if the function can, else one by one."""
    try:
        found = np.asarray(rule(points))
        if found.shape == (len(points),):
            return found
    except (TypeError, ValueError, KeyError):  # "truth value of an array" and the like
        pass
    return _labels([rule(point) for point in points])


def _labels(values: list[Any]) -> NDArray[Any]:
    found = np.asarray(values)
    mixed = found.dtype.kind in "US" and not all(isinstance(v, str) for v in values)
    return np.array(values, dtype=object) if mixed else found
