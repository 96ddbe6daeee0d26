"""Categories that a model has not seen: how many rows hold them, and what it takes them for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.kinds.spellings import WORDS, is_missing
from stylobate.inspection.unseen import taken_for

Taken = Callable[[Any], str | None]  # what a value is taken for; None if it is known or missing
_SHOWN = 3


@dataclass(slots=True)
class Unseen:
    """One column: rows with categories that are new to the model, and the first of these."""

    column: str
    taken: Taken
    rows: int = 0
    treated_as: str = ""
    values: list[Any] = field(default_factory=list)

    def look(self, values: NDArray[Any]) -> None:
        """Count the rows of a batch."""
        cells = values.tolist()  # distinct ones are looked at, all only where some are new
        new = {value for value in dict.fromkeys(cells) if value == value and not self._knows(value)}
        if new:
            self.rows += sum(value in new for value in cells)

    def _knows(self, value: Any) -> bool:
        taken = self.taken(value)
        if taken is None:
            return True
        self.treated_as = taken
        if value not in self.values and len(self.values) <= _SHOWN:
            self.values.append(value)
        return False

    @property
    def words(self) -> str:
        """A sentence."""
        held = "1 row held a category" if self.rows == 1 else f"{self.rows} rows held categories"
        shown = [repr(value)[:60] for value in self.values[:_SHOWN]]
        shown += ["…"] if len(self.values) > _SHOWN else []
        return (
            f"{held} of {self.column!r} that the model has not seen ({', '.join(shown)}); "
            f"treated as {self.treated_as}."
        )


def unseen_of(model: Any, names: list[str]) -> list[Unseen]:
    """A count for each column of categories, of the columns of a model in its order."""
    return [Unseen(names[j], taken) for j, taken in sorted(_takers(model, len(names)).items())]


def _takers(model: Any, count: int) -> dict[int, Taken]:
    """What each column's values are taken for by the first estimator that sees it."""
    for inner in ("best_estimator_", "estimator_"):
        if inner in vars(model):
            return _takers(vars(model)[inner], count)
    steps = getattr(model, "steps", None)
    if steps:
        first = next((step for _, step in steps if hasattr(step, "get_params")), None)
        return {} if first is None else _takers(first, count)
    plan = getattr(model, "_plan", None)
    if isinstance(plan, list):
        return _takers_of_plan(plan)
    if hasattr(model, "schema_"):
        parts = getattr(model, "_parts", ())
        return {j: _by_part(part) for part, (j, *_) in parts if _has_categories(part)}
    known = getattr(model, "categories_", None)
    if isinstance(known, list) and len(known) == count:
        return {j: _by_encoder(model, j, each) for j, each in enumerate(known)}
    coded = getattr(
        getattr(model, "column_categories_", getattr(model, "_columns", None)), "of", ()
    )
    if isinstance(coded, tuple) and len(coded) == count:  # trees
        return {j: _listed(each, "missing") for j, each in enumerate(coded) if each is not None}
    return {}


def _takers_of_plan(plan: list[Any]) -> dict[int, Taken]:
    found: dict[int, Taken] = {}
    for each in plan:
        if each.works and hasattr(each.transformer, "fit"):
            inner = _takers(each.transformer, len(each.positions))
            found |= {each.positions[j]: taken for j, taken in inner.items()}
    return found


def _has_categories(part: Any) -> bool:
    return any(getattr(part, name, None) is not None for name in ("steps", "known", "encoder"))


def _by_part(part: Any) -> Taken:
    """As a part of a table encoder takes values."""
    means = getattr(part, "encoder", None)
    missing = part.column.missing
    if means is not None:
        return _listed(means.categories_[0], "an average one", missing)

    def taken(value: Any) -> str | None:
        return None if is_missing(value, missing) else taken_for(part, value)

    return taken


def _by_encoder(model: Any, j: int, known: Any) -> Taken:
    """As an encoder of categories takes values."""
    kind = type(model).__name__
    if kind == "TargetEncoder":
        return _listed(known, "an average one")
    if kind == "OrdinalEncoder":
        return _listed(known, f"the code {model.unknown_value}")
    rare = getattr(model, "_unknown", None)
    merged = rare is not None and rare[j] >= 0
    return _listed(known, "one of the rare ones" if merged else "none of those known")


def _listed(known: Any, treated_as: str, missing: str = WORDS) -> Taken:
    there = set(np.asarray(known).tolist())

    def taken(value: Any) -> str | None:
        plain = value.strip() if isinstance(value, str) else value
        seen = value in there or plain in there or is_missing(value, missing)
        return None if seen else treated_as

    return taken
