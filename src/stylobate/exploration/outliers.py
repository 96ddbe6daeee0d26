"""Rows that lie far out, with the rule that found them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.data.kinds.schema import Kind, Schema
from stylobate.exceptions import InvalidParameterError
from stylobate.exploration.cells import Cells
from stylobate.exploration.outlier_rules import RULES, Found, together
from stylobate.exploration.summaries.values import value_text
from stylobate.report.plain_values import plain

ALL_RULES = (*RULES, "together")
PROFILE_RULES = ("box", "rare", "together")
_LONGEST = 60  # characters of a value


@dataclass(frozen=True, slots=True)
class OutlyingValue:
    """A value that lies far out, and why it is said to.

    Parameters
    ----------
    row : int
        Of the table, the first being 0.
    column : str
        Where; several names, with commas, for a row that is unusual as a whole.
    value : str
        What stands there.
    rules : tuple of str
        Which rules found it: "box", "spread", "rare", "together".
    words : str
        The rules with their numbers, as a sentence.
    distance : float
        How far out, in units of the first rule's bound: 1 is the bound itself.
    """

    row: int
    column: str
    value: str
    rules: tuple[str, ...]
    words: str
    distance: float

    def __str__(self) -> str:
        return f"row {self.row}, {self.column} = {self.value}: {self.words}"


@dataclass(frozen=True, slots=True, repr=False)
class OutlyingRows:
    """Values that lie far out, the furthest first; prints as a list.

    Parameters
    ----------
    values : tuple of OutlyingValue
        Those that are listed.
    n_found : int
        How many there are, listed or not.
    n_rows : int
        Rows that were looked at.
    """

    values: tuple[OutlyingValue, ...]
    n_found: int
    n_rows: int

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[OutlyingValue]:
        return iter(self.values)

    @property
    def rows(self) -> Indices:
        """The numbers of the rows listed, in order."""
        return np.unique([each.row for each in self.values]).astype(np.intp)

    def of(self, column: str) -> tuple[OutlyingValue, ...]:
        """Those of one column."""
        return tuple(each for each in self.values if each.column == column)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def to_frame(self, library: str = "pandas") -> Any:
        """A data frame of pandas, polars or pyarrow with a row for each value."""
        from stylobate.data.words import library as imported

        nw: Any = imported("narwhals", "OutlyingRows.to_frame")
        columns = {
            "row": [each.row for each in self.values],
            "column": [each.column for each in self.values],
            "value": [each.value for each in self.values],
            "rules": [", ".join(each.rules) for each in self.values],
            "words": [each.words for each in self.values],
            "distance": [each.distance for each in self.values],
        }
        return nw.from_dict(columns, backend=library).to_native()

    def __repr__(self) -> str:
        from stylobate.exploration.text.words import paragraph

        several = "" if self.n_found == 1 else "s"
        head = f"{self.n_found:,} outlying value{several} in {self.n_rows:,} rows"
        shown = "" if self.n_found == len(self) else f", the {len(self):,} furthest out"
        lines = [paragraph(str(each)) for each in self.values]
        return "\n".join([head + shown, *lines])


def find_outliers(
    table: Any,
    *,
    rules: Sequence[str] = ALL_RULES,
    columns: Sequence[str] | None = None,
    schema: Schema | Mapping[str, Kind] | None = None,
    most: int | None = 20,
    sample: int = 100_000,
    seed: int = 0,
) -> OutlyingRows:
    r"""List the values of a table that lie far out, with the rules that found them.

    An outlier is no error: it is a value to look at.

    Parameters
    ----------
    table : path, str, Relation, data frame, dictionary of columns or array
        As of `explore`.
    rules : sequence of str, default=("box", "spread", "rare", "together")
        - "box": beyond the quartiles by more than 1.5 times their distance (Tukey);
        - "spread": further from the median than 3.5 times the median absolute deviation, which is
          made to equal the standard deviation of normal values;
        - "rare": a category of at most one row in a thousand (or a single row), where nearly all
          rows have categories that occur at least five times;
        - "together": a row whose numbers are ordinary one by one, but not together: their squared
          Mahalanobis distance :math:`z^\top R^{-1} z`, of columns scaled by median and spread and
          their correlations after far values were pulled in, is beyond what one row in 10,000 has
          under the normal law.
    columns : sequence of str, optional
        Look at these only.
    schema : Schema or mapping from name to kind, optional
        What columns are, where that is not what their values look like.
    most : int or None, default=20
        Values listed for each column, and rows by the rule "together"; None lists all.
    sample : int, default=100000
        Rows looked at, drawn at random, of tables with more.
    seed : int, default=0
        Of the sample.

    Returns
    -------
    OutlyingRows

    References
    ----------
    Tukey (1977), *Exploratory data analysis*; Iglewicz & Hoaglin (1993), *How to detect and handle
    outliers*; Rousseeuw & van Zomeren (1990), Unmasking multivariate outliers and leverage points.

    Examples
    --------
    >>> found = find_outliers({"age": [31, 35, 28, 33, 30, 36, 340], "city": list("aababab")})
    >>> print(found)
    1 outlying value in 7 rows
      row 6, age = 340: above 43, the upper quartile and 1.5 times the distance of the quartiles; 69
      times the usual distance from the median 33, more than 3.5
    """
    from stylobate.exploration.columns import columns_of
    from stylobate.exploration.rows import scan

    unknown = [rule for rule in rules if rule not in ALL_RULES]
    if isinstance(rules, str) or unknown:
        raise InvalidParameterError(
            f"find_outliers: rules={rules!r} must be a list of some of "
            f"{', '.join(map(repr, ALL_RULES))}."
        )
    scanned = scan(table, sample, seed, None)
    cells = columns_of(scanned, schema)
    if columns is not None:
        known = {each.column.name: each for each in cells}
        wrong = [name for name in columns if name not in known]
        if wrong:
            raise InvalidParameterError(
                f"find_outliers: there is no column {wrong[0]!r}; there are "
                f"{', '.join(map(repr, list(known)[:12]))}."
            )
        cells = [known[name] for name in columns]
    return outlying_of(cells, scanned.row_numbers, tuple(rules), most)


def outlying_of(
    cells: Sequence[Cells], row_numbers: Indices, rules: Sequence[str], most: int | None
) -> OutlyingRows:
    """The outlying values of columns in memory, whose rows have these numbers in the table."""
    listed: list[OutlyingValue] = []
    n_found = 0
    alone = np.zeros(len(row_numbers), dtype=bool)
    for each in cells:
        made = [RULES[rule](each) for rule in rules if rule in RULES]
        found = [one for one in made if one is not None and len(one.places)]
        if found:
            furthest = _furthest(found, len(row_numbers))
            alone[furthest] = True
            n_found += len(furthest)
            listed += [_of_place(each, int(k), found, row_numbers) for k in furthest[:most]]
    if "together" in rules:
        whole = [
            _whole_row(cells, place, found, row_numbers) for place, found in together(cells, alone)
        ]
        n_found += len(whole)
        listed += sorted(whole, key=lambda value: -value.distance)[:most]
    listed.sort(key=lambda value: -value.distance)
    return OutlyingRows(tuple(listed), n_found, len(row_numbers))


def _furthest(found: Sequence[Found], n: int) -> Indices:
    """The places that some rule found, the furthest out by the first of these rules first."""
    distance = np.full(n, -np.inf)
    for one in reversed(found):
        distance[one.places] = one.distances
    places = np.flatnonzero(distance > -np.inf)
    return np.asarray(places[np.argsort(-distance[places], kind="stable")])


def _of_place(
    cells: Cells, place: int, found: Sequence[Found], row_numbers: Indices
) -> OutlyingValue:
    """The value of a row, with all rules that found it."""
    rules, words, distances = [], [], []
    for one in found:
        k = int(np.searchsorted(one.places, place))
        if k < len(one.places) and one.places[k] == place:
            rules.append(one.rule)
            words.append(one.words(k))
            distances.append(float(one.distances[k]))
    return OutlyingValue(
        int(row_numbers[place]),
        cells.column.name,
        _shown(cells, place),
        tuple(rules),
        "; ".join(words),
        distances[0],
    )


def _whole_row(
    cells: Sequence[Cells], place: int, found: tuple[Indices, float, str], row_numbers: Indices
) -> OutlyingValue:
    owners, distance, words = found
    chosen = [cells[k] for k in owners]
    names = ", ".join(each.column.name for each in chosen)
    values = ", ".join(_shown(each, place) for each in chosen)
    return OutlyingValue(int(row_numbers[place]), names, values, ("together",), words, distance)


def _shown(cells: Cells, place: int) -> str:
    text = value_text(cells.values[cells.codes[place]])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
