"""The left side of a formula: numbers, counts, two classes, or classes in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.design.arithmetic import value_of
from stylobate.design.frame import Frame
from stylobate.design.syntax import Call, Name, Node, written
from stylobate.design.variables import FactorVariable, literal
from stylobate.exceptions import FormulaError, InvalidDataError
from stylobate.regression.families import ModelFamily

_ALLOWED = {
    "count": "counts or amounts, 0 or more",
    "positive": "positive",
    "binary": "0 and 1, shares in [0, 1], or two labels",
}


@dataclass(frozen=True, eq=False)
class TargetVariable:
    """What a model explains, and how it is read from a table.

    Parameters
    ----------
    node : Node
    classes : tuple
        The labels of a categorical target, in order; empty for numbers.
    trials : bool
        Whether it is `cbind(successes, failures)`.
    """

    node: Node
    classes: tuple[Any, ...] = ()
    trials: bool = False

    @property
    def name(self) -> str:
        """The left side as text."""
        return written(self.node)

    @classmethod
    def fit(
        cls, node: Node | None, frame: Frame, kept: Indices, family: ModelFamily
    ) -> TargetVariable:
        """Remember the classes."""
        if node is None:
            raise FormulaError("A model needs a target: write 'y ~ …'.")
        if isinstance(node, Call) and node.function == "cbind":
            if len(node.arguments) != 2 or family.target != "binary":
                raise FormulaError(
                    "cbind(successes, failures) is a target of the binomial families only."
                )
            return cls(node, (), True)
        is_factor = isinstance(node, Call) and node.function == "C"
        is_factor |= isinstance(node, Name) and frame.is_factor(node.name)
        if family.target == "ordered":
            return cls(node, _classes(node, frame, kept))
        if not is_factor:
            return cls(node)
        if family.target != "binary":
            raise FormulaError(
                f"{frame.owner}: the target {written(node)} holds labels, and family "
                f"{family.name!r} explains numbers; use family='binomial' for two labels, "
                "'ordinal' for labels in order."
            )
        classes = FactorVariable.fit(node, frame, kept, "Treatment").levels
        if len(classes) != 2:
            raise InvalidDataError(
                f"{frame.owner}: the target {written(node)} has {len(classes)} levels, "
                f"family {family.name!r} explains two; 'ordinal' explains several in order."
            )
        return cls(node, classes)

    def read(self, frame: Frame, family: ModelFamily) -> tuple[Array, Array | None]:
        """The target as numbers, and the trials of each row where there are some."""
        if self.trials:
            assert isinstance(self.node, Call)
            won, lost = (value_of(each, frame) for each in self.node.arguments)
            trials = won + lost
            bad = ~((won >= 0) & (lost >= 0) & (trials > 0))
            self._refuse(bad, won, frame, "counts of which one is positive")
            return won / trials, trials
        if self.classes:
            return self._codes(frame), None
        y = value_of(self.node, frame)
        self._refuse(~np.isfinite(y), y, frame, "a number in every row")
        if family.target == "count":
            self._refuse(y < 0, y, frame, _ALLOWED["count"])
        if family.target == "positive":
            self._refuse(y <= 0, y, frame, _ALLOWED["positive"])
        if family.target == "binary":
            self._refuse((y < 0) | (y > 1), y, frame, _ALLOWED["binary"])
        whole = family.name in ("negative_binomial",) or family.name.startswith("zero_inflated")
        if whole:
            self._refuse(y != np.floor(y), y, frame, "whole counts")
        return y, None

    def _codes(self, frame: Frame) -> Array:
        column = self.node
        if isinstance(column, Call):
            column = column.arguments[0]
        assert isinstance(column, Name)
        factor = FactorVariable(self.node, column.name, self.classes)
        return factor.codes(frame).astype(np.float64)

    def _refuse(self, bad: Any, y: Array, frame: Frame, allowed: str) -> None:
        if bad.any():
            row = int(np.argmax(bad))
            raise InvalidDataError(
                f"{frame.owner}: the target {self.name} must be {allowed}, got {y[row]:g} in row "
                f"{row}."
            )


def _classes(node: Node, frame: Frame, kept: Indices) -> tuple[Any, ...]:
    """Labels in order: as C(y, levels=[…]) says, as a categorical column has them, or sorted."""
    call = node if isinstance(node, Call) and node.function == "C" else None
    column = call.arguments[0] if call is not None and call.arguments else node
    if not isinstance(column, Name):
        raise FormulaError(f"An ordinal target is a column, not {written(node)}.")
    seen = set(frame.labels(column.name)[kept].tolist())
    named = dict(call.named) if call is not None else {}
    order = literal(named["levels"]) if "levels" in named else frame.categories(column.name)
    if order is None and any(isinstance(each, str) for each in seen):
        shown = ", ".join(repr(each) for each in sorted(map(str, seen))[:6])
        raise InvalidDataError(
            f"{frame.owner}: the order of the texts in {column.name!r} ({shown}) is not known; "
            f"write C({column.name}, levels=[…]), or pass an ordered categorical column."
        )
    levels = [each for each in order if each in seen] if order else sorted(seen)
    if len(levels) < 2 or seen.difference(levels):
        raise InvalidDataError(
            f"{frame.owner}: the ordinal target {column.name!r} needs at least two levels, all of "
            f"them named; got {sorted(map(str, seen))[:8]}."
        )
    return tuple(levels)
