"""What the columns of a table are, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from stylobate.exceptions import InvalidParameterError, ModelFileError

Kind = Literal[
    "binary",
    "numeric",
    "ordinal",
    "nominal",
    "datetime",
    "geospatial",
    "text",
    "identifier",
    "constant",
]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: what it is, why, and how to read it.

    Parameters
    ----------
    name : str
        Its name.
    kind : Kind
        What it is.
    reason : str
        Why, in words.
    n_rows, n_missing, n_distinct : int
        Rows, rows without a value (in any spelling), different values.
    notation : str or None
        How numbers or dates are written, if they are text: "decimal point", "decimal comma", or a
        date format.
    order : tuple of str or None
        The values of an ordinal column of text, from low to high.
    partner : str or None
        The other coordinate of a geospatial pair.
    mixed : str or None
        What does not fit the kind, if anything.
    missing : {"words", "marks", "always"}
        Which texts stand for no value: words such as "unknown" and marks such as "-" beside
        numbers and dates, marks beside words, or only "NA" and its like.
    """

    name: str
    kind: Kind
    reason: str
    n_rows: int = 0
    n_missing: int = 0
    n_distinct: int = 0
    notation: str | None = None
    order: tuple[str, ...] | None = None
    partner: str | None = None
    mixed: str | None = None
    missing: str = "words"

    def _check_loaded(self) -> None:
        """Refuse a rule of a file that is none."""
        if self.missing not in ("words", "marks", "always"):
            raise ModelFileError("A column of the file does not say which texts are missing.")


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a table in order; prints as a table.

    Examples
    --------
    >>> schema = Schema((Column("age", "ordinal", "five whole numbers"),))
    >>> schema.with_kinds({"age": "numeric"})["age"].reason
    'as given'
    """

    columns: tuple[Column, ...]

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Names of the columns of some kinds."""
        return tuple(column.name for column in self.columns if column.kind in kinds)

    def with_kinds(self, kinds: Mapping[str, Kind]) -> Schema:
        """A copy in which some columns are what you say.

        Parameters
        ----------
        kinds : mapping from name to kind
            Other columns stay as they are.
        """
        known = set(self.names)
        for name, kind in kinds.items():
            if name not in known:
                raise InvalidParameterError(
                    f"kinds names the column {name!r}, but there are only "
                    f"{', '.join(map(repr, self.names))}."
                )
            if kind not in KINDS:
                raise InvalidParameterError(
                    f"The kind of column {name!r} must be one of {', '.join(map(repr, KINDS))}, "
                    f"got {kind!r}."
                )
        return Schema(
            tuple(
                replace(column, kind=kinds[column.name], reason="as given")
                if column.name in kinds
                else column
                for column in self.columns
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"columns": [asdict(column) for column in self.columns]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Schema:
        """The schema `to_dict` wrote."""
        columns = []
        for each in values["columns"]:
            order = each.get("order")
            columns.append(Column(**{**each, "order": None if order is None else tuple(order)}))
        return cls(tuple(columns))

    def __str__(self) -> str:
        rows = [("column", "kind", "missing", "distinct", "why")]
        for column in self.columns:
            why = column.reason + (f"; mixed: {column.mixed}" if column.mixed else "")
            counts = (str(column.n_missing), str(column.n_distinct))
            rows.append((shortened(column.name), column.kind, *counts, why))
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        lines = [
            f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  "
            f"{row[3]:>{widths[3]}}  {row[4]}"
            for row in rows
        ]
        return "\n".join(lines)


def shortened(name: str, most: int = 40) -> str:
    """A name that fits a line, cut in the middle.

    >>> shortened("Please rank the films in order of preference", 20)
    'Please ran…reference'
    """
    half = most // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-(most - half - 1) :]}"
