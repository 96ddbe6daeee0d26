"""What a search takes over from the estimator it is built around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.base import Tags
from stylobate.base.delegation import tags_of


def inner_tags(estimator: Any) -> Tags:
    """The tags that a search shares with its estimator, ours or scikit-learn's.

    >>> from stylobate.linear_model import Ridge
    >>> inner_tags(Ridge()).estimator_type
    'regressor'
    """
    inner = tags_of(estimator)
    return Tags().but(
        estimator_type=inner.estimator_type,
        sparse=inner.sparse,
        allow_nan=inner.allow_nan,
        multi_output=inner.multi_output,
        single_output=inner.single_output,
        pairwise=inner.pairwise,
        poor_score=inner.poor_score,
        multi_class=inner.multi_class,
        multi_label=inner.multi_label,
        tier=inner.tier,
    )


def refitted_has(method: str) -> Callable[[Any], bool]:
    """Whether the best estimator (or the one to be) has a method, and there is one at all."""
    return lambda self: (
        bool(self.refit) and hasattr(vars(self).get("best_estimator_", self.estimator), method)
    )
