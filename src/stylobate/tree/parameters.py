"""Constraints of the parameters trees and forests have in common."""

from __future__ import annotations

import warnings
from math import inf
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any

from stylobate.base import Interval, Numbers, Options
from stylobate.base.constraints import Constraint, Instance
from stylobate.base.study_role import StudyRole
from stylobate.data.words import user_stacklevel

CLASS_CRITERIA = ("gini", "entropy", "log_loss", "misclassification")
NUMBER_CRITERIA = ("squared_error", "friedman_mse", "absolute_error", "poisson")
CORE_NAMES = {"log_loss": "entropy", "friedman_mse": "squared_error"}
TREE_ROLE = StudyRole(
    "tree",
    "Decision tree",
    50,
    space={"max_leaf_nodes": (16, 4, 8, 32, 64)},
    fixed={"min_samples_leaf": 5, "random_state": 0},
    encoding="codes",
)


class Share(Interval):
    """A share of the rows or columns: a float, so that 1 is one and 1.0 is all."""

    def accepts(self, value: Any) -> bool:
        return not isinstance(value, Integral) and super().accepts(value)


class ColumnChoice(Constraint):
    """Which columns hold categories: "from_dtype", or an array-like of bool, int or str."""

    words = "'from_dtype' or an array-like of bool, int or str"

    def accepts(self, value: Any) -> bool:
        if isinstance(value, str):
            return value == "from_dtype"
        return hasattr(value, "__len__") and hasattr(value, "__iter__")

    def suspects(self) -> tuple[Any, ...]:
        return "dtype", 3


if TYPE_CHECKING:
    Categorical = Any
    ClassCriterion = str
    ClassWeight = Any
    Depth = int | None
    LeafCount = int | None
    Monotone = Any
    MaxFeatures = int | float | str | None
    MinLeaf = int | float
    MinSplit = int | float
    MinWeight = float
    NotNegative = float
    NumberCriterion = str
    Splitter = str
else:
    Categorical = Annotated[Any, ColumnChoice()] | None
    ClassCriterion = Annotated[str, Options(*CLASS_CRITERIA)]
    ClassWeight = (
        dict[Any, float]
        | Annotated[Any, Instance(list)]
        | Annotated[str, Options("balanced")]
        | None
    )
    Depth = Annotated[int, Interval(1, inf)] | None
    LeafCount = Annotated[int, Interval(2, inf)] | None
    Monotone = Annotated[Any, Numbers(-1, 1, closed="both")] | None
    MaxFeatures = (
        Annotated[int, Interval(1, inf)]
        | Annotated[float, Share(0, 1, closed="right")]
        | Annotated[str, Options("sqrt", "log2")]
        | None
    )
    MinLeaf = Annotated[int, Interval(1, inf)] | Annotated[float, Share(0, 1, closed="neither")]
    MinSplit = Annotated[int, Interval(2, inf)] | Annotated[float, Share(0, 1, closed="right")]
    MinWeight = Annotated[float, Interval(0, 0.5, closed="both")]
    NotNegative = Annotated[float, Interval(0, inf)]
    NumberCriterion = Annotated[str, Options(*NUMBER_CRITERIA)]
    Splitter = Annotated[str, Options("best", "random")]


def warn_of_friedman_mse(criterion: str) -> None:
    """Friedman's criterion orders splits as the squared error does."""
    if criterion == "friedman_mse":
        warnings.warn(
            "criterion='friedman_mse' finds the same splits as 'squared_error' and is "
            "deprecated; use 'squared_error'.",
            FutureWarning,
            stacklevel=user_stacklevel(),
        )
