"""A statistic computed elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.source import Capabilities


@dataclass(frozen=True, slots=True)
class KnownStatistic:
    """Rows of which only a statistic is left: merged batches, a fold, another machine."""

    statistic: Any
    y_is_vector: bool = True
    is_sparse: bool = False

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(rows_in_memory=False, repeatable=False, row_numbers=False, growing=True)

    @property
    def n_features(self) -> int:
        return int(self.statistic.n_features)

    @property
    def is_weighted(self) -> bool:
        return bool(self.statistic.weight != self.statistic.n_rows)

    def count_rows(self) -> int:
        """How many rows of positive weight there were."""
        return int(self.statistic.n_rows)

    def compute(self, recipe: Any) -> Any:
        """The statistic, if it is the kind asked for."""
        if isinstance(recipe, type) and isinstance(self.statistic, recipe):
            return self.statistic
        raise InvalidDataError(
            f"Only {type(self.statistic).__name__} of these rows are known, and "
            f"{getattr(recipe, '__name__', recipe)!r} was asked for; fit on the rows instead."
        )

    def rows(self, why: str = "") -> NoReturn:
        """Refused: the rows are gone."""
        self._refuse(f"{why or 'this way of fitting'} needs the rows")

    def windows(self) -> Iterator[Table]:
        """Refused: the rows are gone."""
        self._refuse("they cannot be passed over")

    def compute_parts(self, recipe: Any, parts: Any) -> Any:
        """Refused: the rows are gone."""
        self._refuse("they cannot be divided into folds")

    def _refuse(self, what: str) -> NoReturn:
        raise InvalidDataError(
            f"Only {type(self.statistic).__name__} of these rows are known, so {what}; fit on the "
            "rows instead."
        )
