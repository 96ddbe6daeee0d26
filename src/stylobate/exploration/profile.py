"""The profile of a table: everything `explore` found, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from stylobate.exploration.advice import Advice
from stylobate.exploration.association.collection import Associations
from stylobate.exploration.duplicates import Duplicates
from stylobate.exploration.missingness import Missingness
from stylobate.exploration.outliers import OutlyingRows
from stylobate.exploration.trends import Trend
from stylobate.exploration.variables import Variable
from stylobate.report.plain_values import plain


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """What a table is like; prints as text, `profile["age"]` tells of one column.

    Made by `stylobate.explore`.

    Attributes
    ----------
    source : str
        What was explored.
    rows, columns : int
        Its shape.
    sampled_rows : int or None
        Rows of the sample that ranks and associations come from; None if it is the whole table.
    seconds : float
        What it took.
    notes : tuple of str
        What the reader found and did.
    warnings : tuple of Advice
        Sentences to act on, the weightiest first.
    variables : tuple of Variable
        One per column.
    duplicates, missingness, associations, target, trends
        Findings about rows and several columns.
    outliers : OutlyingRows
        Values that lie far out, with the rule that found them, the furthest first, up to ten of a
        column (of the sample, if there is one); see `stylobate.exploration.find_outliers`.
    """

    source: str
    rows: int
    columns: int
    sampled_rows: int | None
    seconds: float
    notes: tuple[str, ...]
    warnings: tuple[Advice, ...]
    variables: tuple[Variable, ...]
    duplicates: Duplicates
    missingness: Missingness
    associations: Associations
    target: Any = None
    trends: tuple[Trend, ...] = ()
    outliers: OutlyingRows = field(default_factory=lambda: OutlyingRows((), 0, 0))

    def __len__(self) -> int:
        """Count the columns."""
        return len(self.variables)

    def __iter__(self) -> Iterator[Variable]:
        """Go through the columns."""
        return iter(self.variables)

    def __contains__(self, name: object) -> bool:
        """Whether there is a column of this name."""
        return any(variable.name == name for variable in self.variables)

    def __getitem__(self, name: str | int) -> Variable:
        """One column, by its name or position."""
        if isinstance(name, int):
            return self.variables[name]
        for variable in self.variables:
            if variable.name == name:
                return variable
        names = [variable.name for variable in self.variables]
        close = get_close_matches(str(name), names, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise KeyError(f"There is no column {name!r}.{hint}")

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; what does not exist is None.

        Skewness and kurtosis are the uncorrected moments' g₁ and g₂ (see `NumericSummary`).
        """
        from stylobate import __version__

        told = {name: plain(getattr(self, name)) for name in self.__slots__}
        return {"stylobate": __version__} | told

    def to_json(self, path: str | Path | None = None, *, indent: int | None = None) -> str:
        """`to_dict` as JSON text, also written to a file if one is named."""
        from json import dumps

        text = dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def to_html(self, path: str | Path | None = None) -> str:
        """A self-contained page, also written to a file if one is named."""
        from stylobate.exploration.page import page

        text = page(self.to_dict())
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def _repr_html_(self) -> str:
        from stylobate.report import framed

        return framed(self.to_html(), f"Profile of {self.source}")

    def __str__(self) -> str:
        from stylobate.exploration.text.profile import profile_text

        return profile_text(self)

    __repr__ = __str__
