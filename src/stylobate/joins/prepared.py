"""A join made ready: keys numbered once, matches counted, joined tables in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.config import get_config
from stylobate.data.column_table import ColumnTable
from stylobate.exceptions import InvalidDataError
from stylobate.joins.assembly import Assembly, FactCodes
from stylobate.joins.base_table import BaseTable
from stylobate.joins.edge import Edge
from stylobate.joins.keys import Codes, key_text
from stylobate.joins.link import Link

MATCHED = "matched"  # the column that tells whether a row of the facts found a row of the table
_KEPT_SHARE = 4  # codes of facts are kept up to one part in so many of what may be collected


@dataclass(frozen=True, slots=True)
class EdgeCount:
    """What was counted along an edge.

    Parameters
    ----------
    edge : Edge
    rows : int
        Rows that point: of the facts, or of the joined table that does.
    matched : int
        Those that find a match.
    most : int
        The most rows of the table with one key.
    unmatched_example : str
        A key that finds none.
    """

    edge: Edge
    rows: int
    matched: int
    most: int
    unmatched_example: str = ""

    def __str__(self) -> str:
        kind = "many to one" if self.most <= 1 else f"many to many (up to {self.most:,} of a key)"
        share = f"{self.matched:,} of {self.rows:,} rows find a match"
        return f"{self.edge}: {kind}, {self.edge.how}; {share}"


class FactBatch(NamedTuple):
    """Some rows of the facts: the number of the first, their columns, the codes of their keys."""

    first: int
    n_rows: int
    columns: ColumnTable
    codes: FactCodes


class Prepared:
    """The tables of a join, ready to be passed over.

    Parameters
    ----------
    tables : sequence of BaseTable
        The facts first, then one for each edge.
    edges : sequence of Edge
    strict : bool, default=True
        Whether an edge along which no row finds a match is refused.
    """

    def __init__(
        self, tables: Sequence[BaseTable], edges: Sequence[Edge], *, strict: bool = True
    ) -> None:
        self.tables, self.edges = tables, edges
        self.position = {table.name: k for k, table in enumerate(tables)}
        self._columns: dict[tuple[int, str], NDArray[Any]] = {}
        self._dtypes: dict[tuple[int, str], np.dtype[Any]] = {}
        self._rows: dict[tuple[int, tuple[str, ...]], Array] = {}
        for table in tables[1:]:
            table.hold()
        self.links = [self._link(k, edge) for k, edge in enumerate(edges)]
        self.dimension_codes = [self._codes_of_dimensions(link) for link in self.links]
        self.assembly = Assembly(self.links, self.dimension_codes)
        self._count_facts()
        for count in self.counts if strict else ():
            self._refuse_without_match(count)

    def _link(self, k: int, edge: Edge) -> Link:
        whole = self.tables[k + 1].whole(edge.columns)
        parents = tuple(self.position[table] for table, _ in edge.parents)
        return Link(edge, [whole[name] for name in edge.columns], parents)

    def _parts(self, link: Link) -> list[tuple[int, tuple[str, ...], tuple[str, ...]]]:
        """Of each part of a key: the table that points, its columns, and their full names."""
        edge = link.edge
        if len(set(link.parents)) == 1:
            return [(link.parents[0], tuple(c for _, c in edge.parents), edge.pointing)]
        return [
            (place, (column,), (name,))
            for place, (_, column), name in zip(
                link.parents, edge.parents, edge.pointing, strict=True
            )
        ]

    def _codes(self, link: Link, part: int, columns: ColumnTable) -> Codes:
        _, names, shown = self._parts(link)[part]
        found = [columns[name] for name in names]
        if len(self._parts(link)) == 1:
            return link.index.find(found, shown)
        return link.index.parts[part].find(found[0], shown[0])

    def _codes_of_dimensions(self, link: Link) -> list[Codes | None]:
        found: list[Codes | None] = []
        for part, (place, names, _) in enumerate(self._parts(link)):
            if place == 0:
                found.append(None)
                continue
            codes = self._codes(link, part, self.tables[place].whole(names))
            found.append(np.append(codes, np.int32(-1)))
        return found

    # --- the facts -------------------------------------------------------------------------------

    @property
    def _fact_parts(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """The parts of keys for which the facts point: (link, part, columns)."""
        return [
            (k, part, names)
            for k, link in enumerate(self.links)
            for part, (place, names, _) in enumerate(self._parts(link))
            if place == 0
        ]

    def _read_codes(self, columns: ColumnTable) -> FactCodes:
        codes: list[list[Codes | None]] = [[None] * len(self._parts(link)) for link in self.links]
        for k, part, _ in self._fact_parts:
            codes[k][part] = self._codes(self.links[k], part, columns)
        return codes

    def _count_facts(self) -> None:
        """One pass over the keys of the facts: codes, how many rows there are, how many match."""
        parts = self._fact_parts
        wanted = self._wanted([name for *_, names in parts for name in names])
        room = int(get_config()["collect_limit"]) // _KEPT_SHARE
        kept: list[list[NDArray[Any]]] | None = [[] for _ in parts]
        self.n_facts, self._codes_kept = 0, None
        tally = _Tally(self)
        kinds = [_code_type(link) for link in self.links]
        for columns in self.tables[0].batches(wanted):
            codes = self._read_codes(columns)
            tally.add(codes, columns)
            self.n_facts += len(columns)
            if kept is not None and self.n_facts * 4 * len(parts) > room:
                kept = None
            if kept is not None:
                for each, (k, part, _) in zip(kept, parts, strict=True):
                    each.append(codes[k][part].astype(kinds[k]))  # type: ignore[union-attr]
        if not self.n_facts:
            raise InvalidDataError(f"join: {self.tables[0].name} has no rows.")
        if kept is not None:
            self._codes_kept = []
            while kept:  # one after the other, so that few are there twice
                self._codes_kept.append(np.concatenate(kept.pop(0)))
        self.counts, self.joined_per_fact = tally.counts(), tally.per_fact()
        self.n_joined = self.n_facts
        if self.joined_per_fact is not None:
            self.n_joined = int(self.joined_per_fact.sum())
        if not self.n_joined:
            raise InvalidDataError(
                "join: no row is left, for no row of the facts finds a match in every table that "
                'is joined with how="inner". Use how="left", or bring the keys into one spelling.'
            )

    def _refuse_without_match(self, count: EdgeCount) -> None:
        if count.matched or not count.rows:
            return
        raise InvalidDataError(
            f"join: no row of {' and '.join(count.edge.parent_tables)} finds a match in "
            f"{count.edge.table} by {count.edge}"
            + (f" ({count.unmatched_example})" if count.unmatched_example else "")
            + ". Name other columns by on=, or bring the keys into one spelling first."
        )

    def fact_batches(self, names: Sequence[str]) -> Iterator[FactBatch]:
        """A pass over some columns of the facts, with the codes of their keys."""
        parts = self._fact_parts
        held = self._codes_kept is not None
        keys: list[str] = [] if held else [n for *_, each in parts for n in each]
        first = 0
        for columns in self.tables[0].batches(self._wanted([*names, *keys])):
            count = len(columns)
            if self._codes_kept is None:
                codes = self._read_codes(columns)
            else:
                codes = self._kept(first, count)
            yield FactBatch(first, count, columns, codes)
            first += count
        if first != self.n_facts:
            raise InvalidDataError(
                f"join: {self.tables[0].name} changed while it was being read: {first:,} rows "
                f"where there were {self.n_facts:,}. Join the tables again when it is complete."
            )

    def _wanted(self, names: Sequence[str]) -> list[str]:
        """Each name once; where there is none, a column that tells how many rows a batch has."""
        return list(dict.fromkeys(names)) or list(self.tables[0].columns[:1])

    def _kept(self, first: int, count: int) -> FactCodes:
        codes: list[list[Codes | None]] = [[None] * len(self._parts(link)) for link in self.links]
        assert self._codes_kept is not None
        for (k, part, _), known in zip(self._fact_parts, self._codes_kept, strict=True):
            codes[k][part] = known[first : first + count].astype(np.int32, copy=False)
        return codes

    # --- columns of joined tables -----------------------------------------------------------------

    def load(self, places: Iterable[tuple[int, str]]) -> None:
        """Read columns of joined tables that are not in memory yet, those of a table together."""
        wanted: dict[int, list[str]] = {}
        for place, name in places:
            if place and (place, name) not in self._columns:
                wanted.setdefault(place, []).append(name)
        for place, names in wanted.items():
            known = self.tables[place].columns
            asked = [name for name in names if name in known]
            whole = self.tables[place].whole(asked) if asked else ColumnTable({})
            for name in names:
                values = self._extended(place, whole[name] if name in asked else None)
                self._columns[place, name] = values
                self._dtypes[place, name] = values.dtype

    @property
    def held(self) -> set[tuple[int, str]]:
        """Columns that are in memory side by side with others of their table."""
        return {(place, name) for place, names in self._rows for name in names}

    def column(self, place: int, name: str) -> NDArray[Any]:
        """A column of a joined table, with one more element: what rows without a match have."""
        self.load([(place, name)])
        return self._columns[place, name]

    def dtype(self, place: int, name: str) -> np.dtype[Any]:
        """The type of the cells of a column of a joined table."""
        if (place, name) not in self._dtypes:
            self.load([(place, name)])
        return self._dtypes[place, name]

    def number_rows(self, place: int, names: tuple[str, ...]) -> Array:
        """Columns of a joined table side by side, with a row for facts without a match."""
        known = self._rows.get((place, names))
        if known is None:
            self.load((place, name) for name in names)
            known = np.empty((self.links[place - 1].n_rows + 1, len(names)))
            for j, name in enumerate(names):
                known[:, j] = self.column(place, name)
            for name in names:
                self._columns.pop((place, name), None)  # so that the table is in memory once
            self._rows[place, names] = known
        return known

    def _extended(self, place: int, values: NDArray[Any] | None) -> NDArray[Any]:
        """A column and its cell of no match; without values the column that tells of matches."""
        link = self.links[place - 1]
        if values is None:
            return np.append(np.ones(link.n_rows), 0.0)
        kind, fill = values.dtype.kind, link.edge.fill
        if kind in "iub" and not self.may_miss(place):
            return np.append(values, values[-1:])  # whole numbers stay so; nobody asks for the last
        if kind in "fiub":
            dtype = np.float32 if values.dtype == np.float32 else np.float64
            return np.append(values.astype(dtype), dtype(np.nan if fill is None else fill))
        if kind in "mM":
            return np.append(values, np.array(["NaT"], values.dtype))
        return np.append(values.astype(object), np.array([None], dtype=object))

    def may_miss(self, place: int) -> bool:
        """Whether some rows of the facts find no row of a joined table."""
        count = self.counts[place - 1]
        above = [p for p in self.links[place - 1].parents if p]
        return count.matched < count.rows or any(self.may_miss(p) for p in above)


def _code_type(link: Link) -> type[np.signedinteger[Any]]:
    """The smallest type for the codes of a link's keys, and -1."""
    most = max(link.index.size, *(part.size for part in link.index.parts))
    kinds = (kind for kind in (np.int8, np.int16) if most <= np.iinfo(kind).max)
    return next(kinds, np.int32)


class _Tally:
    """What the pass over the keys counts."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.links = prepared.links
        self.rows = [0] * len(self.links)
        self.matched = [0] * len(self.links)
        self.examples = [""] * len(self.links)
        self.cyclic = any(len(set(link.parents)) > 1 for link in self.links)
        single = all(link.most <= 1 and link.edge.how == "left" for link in self.links)
        plain = single and not self.cyclic
        self._per_fact: list[Integers] | None = None if plain else []
        self._multiples = None if plain or self.cyclic else self._multiples_by_key()
        for k, link in enumerate(self.links):
            if link.parents[0] and len(set(link.parents)) == 1:
                known = prepared.dimension_codes[k][0]
                assert known is not None
                self._count(k, known[:-1])

    def _multiples_by_key(self) -> list[Array]:
        """Of each link how many joined rows a row that points has, by the code of its key."""
        own = [np.ones(link.n_rows + 1) for link in self.links]
        by_key: list[Any] = [None] * len(self.links)
        for k in reversed(range(len(self.links))):
            link = self.links[k]
            by_key[k] = link.sum_by_key(own[k])
            if link.parents[0]:
                codes = self.prepared.dimension_codes[k][0]
                own[link.parents[0] - 1] *= by_key[k][codes]
        return by_key

    def _count(self, k: int, codes: Codes) -> None:
        there = codes >= 0
        self.rows[k] += len(codes)
        self.matched[k] += int(np.count_nonzero(there))

    def add(self, codes: FactCodes, columns: ColumnTable) -> None:
        """Count a batch of facts."""
        for k, link in enumerate(self.links):
            if set(link.parents) != {0}:
                continue
            found = codes[k][0]
            assert found is not None
            self._count(k, found)
            if not self.matched[k] and not self.examples[k] and len(found):
                names = [column for _, column in link.edge.parents]
                shown = (f"{n}={key_text(columns[n], 0)}" for n in names)
                self.examples[k] = f"for example {', '.join(shown)}"
        if self._per_fact is not None:
            self._per_fact.append(self._joined(codes, len(columns)))

    def _joined(self, codes: FactCodes, count: int) -> Integers:
        if self._multiples is None:
            found = np.zeros(count, np.int64)
            for rows in self.prepared.assembly.assemble(codes, count, 1 << 20):
                facts = np.arange(count) if rows.facts is None else rows.facts
                found += np.bincount(facts, minlength=count)
                self._count_cyclic(rows, codes)
            return found
        total = np.ones(count)
        for k, link in enumerate(self.links):
            if link.parents[0] == 0:
                total *= self._multiples[k][codes[k][0]]
        return np.rint(total).astype(np.int64)

    def _count_cyclic(self, rows: Any, codes: FactCodes) -> None:
        """Joined rows that find a match along edges that start at several tables."""
        for k, link in enumerate(self.links):
            if len(set(link.parents)) > 1:
                self.rows[k] += rows.count
                self.matched[k] += int(np.count_nonzero(rows.others[k] < link.n_rows))

    def counts(self) -> list[EdgeCount]:
        """Of every edge."""
        return [
            EdgeCount(link.edge, rows, matched, link.most, example)
            for link, rows, matched, example in zip(
                self.links, self.rows, self.matched, self.examples, strict=True
            )
        ]

    def per_fact(self) -> Integers | None:
        """Joined rows of each fact; None where every fact is one row."""
        return None if self._per_fact is None else np.concatenate(self._per_fact)
