"""What is asked of which data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Task = Literal["binary", "multiclass", "regression"]


@dataclass(frozen=True, slots=True)
class Metric:
    """What models are judged by.

    Attributes
    ----------
    name : str
        The scorer's name, such as "accuracy" or "neg_root_mean_squared_error".
    label : str
        For people: "accuracy", "root mean squared error".
    greater_is_better : bool
        Whether more is better, of the numbers as they are shown.
    reason : str
        Why this one.
    """

    name: str
    label: str
    greater_is_better: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Costs:
    """What mistakes cost: a false alarm, a miss; and the probability from which to act."""

    false_positive: float
    false_negative: float
    threshold: float


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of which data.

    Attributes
    ----------
    source, target : str
    task : {"binary", "multiclass", "regression"}
    reason : str
        Why it is that task, in words.
    classes : tuple of str
        The labels as text, in order; empty for numbers.
    positive : str or None
        Of two classes, the one that is looked for.
    metric : Metric
    costs : Costs or None
    group, time_column : str or None
        The columns that rows are split by.
    """

    source: str
    target: str
    task: Task
    reason: str
    classes: tuple[str, ...]
    positive: str | None
    metric: Metric
    costs: Costs | None = None
    group: str | None = None
    time_column: str | None = None
