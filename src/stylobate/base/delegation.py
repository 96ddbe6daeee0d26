"""What a meta-estimator takes over from the estimator it is built around."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from stylobate.base.cloning import clone
from stylobate.base.tags import Tagged, Tags
from stylobate.exceptions import InvalidParameterError


def tags_of(estimator: Any) -> Tags:
    """The tags of an estimator, ours or one that follows scikit-learn's protocol.

    >>> from stylobate.linear_model import Ridge
    >>> tags_of(Ridge()).estimator_type
    'regressor'
    """
    if isinstance(estimator, Tagged):
        return estimator._tags()
    if not hasattr(estimator, "__sklearn_tags__") or isinstance(estimator, type):
        return Tags()
    theirs = estimator.__sklearn_tags__()
    inputs, targets = theirs.input_tags, theirs.target_tags
    classes, numbers = theirs.classifier_tags, theirs.regressor_tags
    return Tags(
        estimator_type=theirs.estimator_type,
        transforms=theirs.transformer_tags is not None,
        sparse=inputs.sparse,
        allow_nan=inputs.allow_nan,
        positive_only=inputs.positive_only,
        pairwise=inputs.pairwise,
        categorical=inputs.categorical,
        requires_y=targets.required,
        multi_output=targets.multi_output,
        single_output=targets.single_output,
        positive_y=targets.positive_only,
        multi_class=classes is None or classes.multi_class,
        multi_label=classes is not None and classes.multi_label,
        poor_score=any(each is not None and each.poor_score for each in (classes, numbers)),
        non_deterministic=theirs.non_deterministic,
        requires_fit=theirs.requires_fit,
    )


def is_fitted(estimator: Any) -> bool:
    """Whether an estimator, ours or another's, has learnt something.

    >>> from stylobate.linear_model import Ridge
    >>> is_fitted(Ridge()), is_fitted(Ridge().fit([[1.0], [2.0]], [1.0, 2.0]))
    (False, True)
    """
    tell = getattr(estimator, "__sklearn_is_fitted__", None)
    if callable(tell):
        return bool(tell())
    return any(name.endswith("_") and not name.startswith("__") for name in vars(estimator))


def inner_has(method: str) -> Callable[[Any], bool]:
    """Whether the estimator inside (fitted, or the one to be) has a method."""
    return lambda self: hasattr(vars(self).get("estimator_", self.estimator), method)


def fitted_clone(estimator: Any, X: Any, y: Any, fit_params: dict[str, Any]) -> Any:
    """A clone fitted to the rows, whatever its `fit` returns.

    >>> from stylobate.linear_model import Ridge
    >>> fitted_clone(Ridge(0.0), [[1.0], [2.0]], [1.0, 2.0], {}).predict([[3.0]]).round(6)
    array([3.])
    """
    twin = clone(estimator)
    twin.fit(X, y, **fit_params)
    return twin


def remember_inner(estimator: Any, inner: Any) -> None:
    """Number and names of the columns, from the fitted estimator that read them."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(inner, name):
            setattr(estimator, name, getattr(inner, name))
        else:
            vars(estimator).pop(name, None)


def takes_weights(estimator: Any) -> bool:
    """Whether `fit` of an estimator has an argument ``sample_weight``.

    >>> from stylobate.linear_model import Ridge
    >>> takes_weights(Ridge())
    True
    """
    return "sample_weight" in inspect.signature(estimator.fit).parameters


def refuse_unknown_arguments(
    owner: str, estimator: Any, method: str, given: dict[str, Any]
) -> None:
    """Refuse arguments for an estimator's method that it does not have.

    >>> from stylobate.linear_model import Ridge
    >>> refuse_unknown_arguments("example", Ridge(), "fit", {"sample_weight": None})
    """
    known = inspect.signature(getattr(estimator, method)).parameters
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in known.values()):
        return
    unknown = [name for name in given if name not in known]
    if unknown:
        inside = type(estimator).__name__
        raise InvalidParameterError(
            f"{owner}.{method}: the argument {unknown[0]!r} is only supported if {method} of "
            f"{inside} has it; that takes {', '.join(known)}."
        )
