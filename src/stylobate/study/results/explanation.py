"""The chosen model in words and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of the final model; interval and test where they are valid."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    of_class: str | None = None  # which class it speaks for, of several


@dataclass(frozen=True, slots=True)
class Importance:
    """How much worse the score gets when a column is shuffled, with its interval."""

    name: str
    mean: float
    low: float | None = None
    high: float | None = None


MOST_CATEGORIES = 16  # of a column whose dependence a page shows


@dataclass(frozen=True, slots=True)
class DependencePoints:
    """The mean prediction against one column, the others as they are.

    `grid` holds numbers, or category names as text, many of them the commonest first; `low`
    and `high` bound the middle half of the rows' own curves.
    """

    feature: str
    kind: Literal["numbers", "categories"]
    grid: tuple[Any, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    of_class: str | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A row the model got badly wrong on the hold-out; `row` counts from 0 below the header."""

    row: int
    actual: Any
    predicted: Any
    probability: float | None  # given to what was true
    error: float | None  # predicted − actual
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The chosen model in words and numbers."""

    words: str
    formula: str | None
    coefficients: tuple[Coefficient, ...] = ()
    coefficient_note: str = ""
    importances: tuple[Importance, ...] = ()
    importance_note: str = ""
    dependence: tuple[DependencePoints, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
