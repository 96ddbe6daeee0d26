"""A statistic computed elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stylobate.exceptions import InvalidDataError


@dataclass(frozen=True, slots=True)
class KnownStatistic:
    """Rows of which only a statistic is left: merged batches, a fold, another machine."""

    statistic: Any
    y_is_vector: bool = True
    table = None
    repeatable = False

    def compute(self, recipe: Any) -> Any:
        """The statistic, if it is the kind asked for."""
        if isinstance(recipe, type) and isinstance(self.statistic, recipe):
            return self.statistic
        raise InvalidDataError(
            f"Only {type(self.statistic).__name__} of these rows are known, and "
            f"{getattr(recipe, '__name__', recipe)!r} was asked for; fit on the rows instead."
        )

    def compute_parts(self, recipe: Any, parts: Any) -> Any:
        """Refused: the rows are gone."""
        raise InvalidDataError(
            f"Only {type(self.statistic).__name__} of these rows are known, so they cannot be "
            "divided into folds; fit on the rows instead."
        )
