"""What a search takes over from the estimator it is built around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.base import BaseEstimator, Tags
from stylobate.base.delegation import tags_of
from stylobate.base.tags import Tier

# What is asked of the data is the estimator's own; what is asked of y is settled in its `fit`.
_SHARED = (
    "estimator_type", "sparse", "allow_nan", "multi_output", "single_output", "pairwise",
    "poor_score", "multi_class", "multi_label",
)  # fmt: skip


def inner_tags(estimator: Any) -> Tags:
    """The tags that a search shares with its estimator, ours or scikit-learn's.

    >>> from stylobate.linear_model import Ridge
    >>> inner_tags(Ridge()).estimator_type
    'regressor'
    """
    ours = tags_of(estimator)
    passes = isinstance(estimator, BaseEstimator) and not estimator._needs_rows
    tier: Tier = "several passes" if passes else "all rows"
    return Tags().but(tier=tier, **{name: getattr(ours, name) for name in _SHARED})


def refitted_has(method: str) -> Callable[[Any], bool]:
    """Whether the best estimator (or the one to be) has a method, and there is one at all."""
    return lambda self: (
        bool(self.refit) and hasattr(vars(self).get("best_estimator_", self.estimator), method)
    )
