"""Estimators that `fit` leaves as they are."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.frozen.frozen_estimator import FrozenEstimator

__all__ = ["FrozenEstimator"]

__getattr__, __dir__ = lazy_names(__name__, {"FrozenEstimator": "frozen_estimator"})
