"""The variables of a design: numbers, factors, curves; each remembers what it saw at the fit."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.design.arithmetic import expression_of, value_of
from stylobate.design.contrasts import CONTRASTS, contrast_matrix
from stylobate.design.frame import Frame
from stylobate.design.syntax import Call, Items, Name, Negative, Node, Number, Text, written
from stylobate.exceptions import FormulaError, InvalidDataError
from stylobate.formula.expressions import Expression, lookup

MOST_LEVELS = 10_000  # columns of a design; factors of more levels are absorbed


@dataclass(frozen=True, eq=False)
class NumberVariable:
    """A number computed from the columns of its row."""

    node: Node

    def columns(self, frame: Frame) -> Array:
        """One column."""
        return value_of(self.node, frame)[:, None]

    def labels(self) -> tuple[str, ...]:
        """What the columns are called."""
        return (written(self.node),)

    def expressions(self, columns: dict[str, Expression]) -> list[Expression]:
        """The same as formulas."""
        return [expression_of(self.node, columns)]


@dataclass(frozen=True, eq=False)
class ScaledVariable:
    """A number less its mean at the fit, over its standard deviation there (`scale`) or not."""

    node: Call
    mean: float
    spread: float

    @classmethod
    def fit(cls, node: Call, frame: Frame, kept: Indices) -> ScaledVariable:
        """Remember the mean and the spread."""
        return cls.of(node, value_of(_only(node), frame)[kept])

    @classmethod
    def of(cls, node: Call, x: Array) -> ScaledVariable:
        """From the values of all rows."""
        spread = float(x.std(ddof=1)) if node.function == "scale" and len(x) > 1 else 1.0
        if not spread > 0.0:
            raise InvalidDataError(f"{written(node)}: the column is constant and has no scale.")
        return cls(node, float(x.mean()), spread)

    def columns(self, frame: Frame) -> Array:
        """One column."""
        return ((value_of(_only(self.node), frame) - self.mean) / self.spread)[:, None]

    def labels(self) -> tuple[str, ...]:
        """What the columns are called."""
        return (written(self.node),)

    def expressions(self, columns: dict[str, Expression]) -> list[Expression]:
        """The same as formulas."""
        from stylobate.formula.pieces import shifted

        return [shifted(expression_of(_only(self.node), columns), self.mean, self.spread)]


@dataclass(frozen=True)
class LevelNumber:
    """A reference level by its place, as R's `contr.treatment(base = 2)` counts it; −1 the last."""

    place: int

    def of(self, levels: list[Any], said: str) -> Any:
        """The level there."""
        if not (self.place == -1 or 1 <= self.place <= len(levels)):
            raise FormulaError(
                f"{said}: base counts the {len(levels)} levels from 1, got {self.place}."
            )
        return levels[self.place - 1 if self.place > 0 else -1]


@dataclass(frozen=True, eq=False)
class FactorVariable:
    """A factor: its column, its levels in order, and its contrast."""

    node: Node
    column: str
    levels: tuple[Any, ...]
    contrast: str = "Treatment"
    reference: Any = None

    @classmethod
    def fit(cls, node: Node, frame: Frame, kept: Indices, contrast: str) -> FactorVariable:
        """Remember the levels of the rows that are kept."""
        column = factor_column(node)
        seen = set(frame.labels(column)[kept].tolist())
        return cls.of(node, contrast, seen, frame.categories(column), frame.owner)

    @classmethod
    def of(
        cls, node: Node, contrast: str, seen: set[Any], categories: list[Any] | None, owner: str
    ) -> FactorVariable:
        """From the labels that were seen, and the order a categorical column gives them."""
        column, kind, reference, order = _factor_request(node, contrast)
        known = order if order is not None else categories
        levels = [each for each in known if each in seen] if known else _in_order(seen)
        foreign = seen.difference(levels)
        if foreign:
            raise FormulaError(
                f"{written(node)}: the data hold {min(foreign, key=str)!r}, which is none of the "
                f"levels given."
            )
        if len(levels) < 2:
            shown = f"one level, {levels[0]!r}" if levels else "no level"
            raise InvalidDataError(
                f"{owner}: factor {column!r} has {shown}, and nothing to compare it with; "
                "leave it out of the formula."
            )
        if len(levels) > MOST_LEVELS:
            raise InvalidDataError(
                f"{owner}: factor {column!r} has {len(levels)} levels, more columns than a "
                f"design should have ({MOST_LEVELS}); absorb it with absorb={column!r}, or group "
                "its levels."
            )
        if isinstance(reference, LevelNumber):
            reference = reference.of(levels, written(node))
        contrast_matrix(kind, levels, reference)  # refuses an unknown reference
        return cls(node, column, tuple(levels), kind, reference)

    def codes(self, frame: Frame) -> Indices:
        """Number of the level of each row, −1 for a missing one; an unseen level is refused."""
        labels = frame.labels(self.column)
        number = {level: i for i, level in enumerate(self.levels)} | {None: -1}
        try:
            return np.array([number[each] for each in labels.tolist()], dtype=np.intp)
        except (KeyError, TypeError):
            pass
        row = next(i for i, each in enumerate(labels) if each not in number)
        strange = labels[row]
        close = get_close_matches(str(strange), [str(each) for each in self.levels], 1)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        shown = ", ".join(repr(each) for each in self.levels[:6])
        more = " …" if len(self.levels) > 6 else ""
        raise InvalidDataError(
            f"{frame.owner}: row {row} of factor {self.column!r} is {strange!r}, a level the fit "
            f"did not see{meant or '.'} Known are {shown}{more}."
        )

    def coding(self, full: bool) -> tuple[Array, tuple[str, ...]]:
        """One row per level: by all levels, or by the contrast."""
        name = self.column
        if full:
            return np.eye(len(self.levels)), tuple(f"{name}[{each}]" for each in self.levels)
        matrix, labels = contrast_matrix(self.contrast, self.levels, self.reference)
        return matrix, tuple(f"{name}[{each}]" for each in labels)

    def expressions(self, columns: dict[str, Expression], full: bool) -> list[Expression]:
        """The coded columns as formulas; an unseen level is missing."""
        matrix, _ = self.coding(full)
        return [
            lookup(columns[self.column], list(zip(self.levels, each.tolist(), strict=True)))
            for each in matrix.T
        ]


def _in_order(seen: set[Any]) -> list[Any]:
    present = [each for each in seen if each is not None]
    try:
        return sorted(present)
    except TypeError:
        return sorted(present, key=str)


def _only(node: Call) -> Node:
    if len(node.arguments) != 1 or node.named:
        raise FormulaError(f"{node.function} takes one expression, got {written(node)}.")
    return node.arguments[0]


def literal(node: Node) -> Any:
    """A number, text or list of them that stands in a formula."""
    if isinstance(node, Number):
        return int(node.value) if node.value == int(node.value) else node.value
    if isinstance(node, Negative):
        return -literal(node.of)
    if isinstance(node, Text):
        return node.value
    if isinstance(node, Items):
        return [literal(each) for each in node.values]
    if isinstance(node, Name) and node.name in ("True", "False", "TRUE", "FALSE"):
        return node.name.casefold() == "true"
    raise FormulaError(f"{written(node)}: a number, a text or a list is expected here.")


def factor_column(node: Node) -> str:
    """The column of a factor."""
    return _factor_request(node, "Treatment")[0]


def _factor_request(node: Node, contrast: str) -> tuple[str, str, Any, list[Any] | None]:
    """Column, contrast, reference and levels that `C(…)` asks for."""
    if isinstance(node, Name):
        return node.name, contrast, None, None
    assert isinstance(node, Call)
    if not node.arguments or not isinstance(node.arguments[0], Name):
        raise FormulaError(f"{written(node)}: C takes the name of a column first.")
    named = dict(node.named)
    order = named.pop("levels", None)
    asked = node.arguments[1] if len(node.arguments) > 1 else named.pop("contrast", None)
    if named or len(node.arguments) > 2:
        raise FormulaError(
            f"{written(node)}: C takes a column, a contrast and levels=[…], as in "
            "C(city, Treatment('Oslo'))."
        )
    kind, reference = _contrast_request(asked, contrast)
    return node.arguments[0].name, kind, reference, None if order is None else literal(order)


def _level_number(asked: Call) -> LevelNumber | None:
    """The base of `contr.treatment(n, base = 2)`; the number of levels before it says nothing."""
    named = dict(asked.named)
    base = named.get("base", asked.arguments[1] if len(asked.arguments) > 1 else None)
    return None if base is None else LevelNumber(int(literal(base)))


def _contrast_request(asked: Node | None, contrast: str) -> tuple[str, Any]:
    if asked is None:
        return contrast, None
    reference: Any = None
    if isinstance(asked, Call) and asked.function.startswith("contr."):
        reference, name = _level_number(asked), asked.function
    elif isinstance(asked, Call):
        values = [*asked.arguments, *(value for _, value in asked.named)]
        reference = literal(values[0]) if values else None
        name = asked.function
    elif isinstance(asked, Name | Text):
        name = asked.name if isinstance(asked, Name) else asked.value
    else:
        raise FormulaError(f"{written(asked)} is no contrast; there are {', '.join(CONTRASTS)}.")
    plain = name.removeprefix("contr.").casefold()
    if plain == "sas":  # R's name for treatment contrasts against the last level
        return "Treatment", LevelNumber(-1)
    found = next((each for each in CONTRASTS if each.casefold() == plain), None)
    if found is None:
        raise FormulaError(
            f"There is no contrast named {name!r}; there are {', '.join(CONTRASTS)}."
        )
    return found, reference
