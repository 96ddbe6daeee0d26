"""Baselines: what can be said of the target without looking at the features."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.dummy.classifier import DummyClassifier
    from stylobate.dummy.regressor import DummyRegressor

__all__ = ["DummyClassifier", "DummyRegressor"]

__getattr__, __dir__ = lazy_names(
    __name__, {"DummyClassifier": "classifier", "DummyRegressor": "regressor"}
)
