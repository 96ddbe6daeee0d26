"""What a search takes over from the estimator it is built around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.base import Tags
from stylobate.base.tags import Tagged


def inner_tags(estimator: Any) -> Tags:
    """The tags that a search shares with its estimator, ours or scikit-learn's.

    >>> from stylobate.linear_model import Ridge
    >>> inner_tags(Ridge()).estimator_type
    'regressor'
    """
    if isinstance(estimator, Tagged):
        ours = estimator._tags()
        return Tags().but(
            estimator_type=ours.estimator_type,
            sparse=ours.sparse,
            allow_nan=ours.allow_nan,
            multi_output=ours.multi_output,
            single_output=ours.single_output,
            pairwise=ours.pairwise,
            poor_score=ours.poor_score,
            multi_class=ours.multi_class,
            multi_label=ours.multi_label,
            tier=ours.tier,
        )
    if not hasattr(estimator, "__sklearn_tags__") or isinstance(estimator, type):
        return Tags()
    theirs = estimator.__sklearn_tags__()
    classes, numbers = theirs.classifier_tags, theirs.regressor_tags
    return Tags(
        estimator_type=theirs.estimator_type,
        sparse=theirs.input_tags.sparse,
        allow_nan=theirs.input_tags.allow_nan,
        multi_output=theirs.target_tags.multi_output,
        single_output=theirs.target_tags.single_output,
        pairwise=theirs.input_tags.pairwise,
        poor_score=any(each is not None and each.poor_score for each in (classes, numbers)),
        multi_class=classes is None or classes.multi_class,
        multi_label=classes is not None and classes.multi_label,
    )


def refitted_has(method: str) -> Callable[[Any], bool]:
    """Whether the best estimator (or the one to be) has a method, and there is one at all."""
    return lambda self: (
        bool(self.refit) and hasattr(vars(self).get("best_estimator_", self.estimator), method)
    )
