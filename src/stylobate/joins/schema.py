"""Names of columns in a join: with their table, or alone where only one table has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from stylobate.exceptions import InvalidDataError
from stylobate.joins.edge import Edge


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of a join, their columns, and how they are joined.

    Parameters
    ----------
    tables : tuple of (name, columns)
        The facts first.
    edges : tuple of Edge
        One for each further table, in order.

    Examples
    --------
    >>> edge = Edge("customers", (("orders", "customer"),), ("id",))
    >>> schema = Schema((("orders", ("customer", "price")), ("customers", ("id", "age"))), (edge,))
    >>> schema.find("age"), schema.features()
    (('customers', 'age'), ('orders.price', 'customers.age'))
    """

    tables: tuple[tuple[str, tuple[str, ...]], ...]
    edges: tuple[Edge, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Of the tables."""
        return tuple(name for name, _ in self.tables)

    @property
    def facts(self) -> str:
        """The table whose rows are the rows of the join."""
        return self.tables[0][0]

    def columns_of(self, table: str) -> tuple[str, ...]:
        """The columns of a table, without the one that tells of matches."""
        return dict(self.tables)[table]

    def find(self, name: str) -> tuple[str, str]:
        """The table and column that a name means; refuses what is not there, or there twice."""
        for table, columns in self.tables:
            rest = name.removeprefix(f"{table}.")
            if rest != name and (rest in columns or (rest == "matched" and table != self.facts)):
                return table, rest
        homes = [table for table, columns in self.tables if name in columns]
        if len(homes) > 1 and self._is_one_key(name, homes):
            homes = homes[:1]
        if len(homes) == 1:
            return homes[0], name
        if homes:
            told = ", ".join(f"'{table}.{name}'" for table in homes)
            raise InvalidDataError(
                f"join: {len(homes)} tables have a column {name!r}; say which one is meant: {told}."
            )
        known = [f"{table}.{each}" for table, columns in self.tables for each in columns]
        known += [each for _, columns in self.tables for each in columns]
        raise InvalidDataError(
            f"join: there is no column {name!r}; {self._told()}.{meant(name, known)}"
        )

    def _is_one_key(self, name: str, homes: list[str]) -> bool:
        """Whether tables have a column in common because they are joined by it."""
        equal = {homes[0]}
        for edge in self.edges:
            for (table, left), right in zip(edge.parents, edge.columns, strict=True):
                if left == right == name and table in equal:
                    equal.add(edge.table)
        return set(homes) <= equal

    def _told(self) -> str:
        shown = [f"{name} has {', '.join(columns[:12])}" for name, columns in self.tables]
        return "; ".join(each + (" …" if each.count(",") == 11 else "") for each in shown)

    def keys(self) -> set[tuple[str, str]]:
        """All columns that tables are joined by."""
        found: set[tuple[str, str]] = set()
        for edge in self.edges:
            found.update(edge.parents)
            found.update((edge.table, column) for column in edge.columns)
        return found

    def features(self) -> tuple[str, ...]:
        """All columns but keys, with their tables."""
        keys = self.keys()
        return tuple(
            f"{table}.{column}"
            for table, columns in self.tables
            for column in columns
            if (table, column) not in keys
        )

    def chosen(self, names: Sequence[str]) -> tuple[str, ...]:
        """Columns by name, or by ``table.*``, with their tables; each once."""
        found: list[str] = []
        for name in names:
            table = name.removesuffix(".*")
            if table != name:
                if table not in self.names:
                    raise InvalidDataError(
                        f"join: there is no table {table!r}; there are {', '.join(self.names)}."
                    )
                found += [each for each in self.features() if each.startswith(f"{table}.")]
            else:
                found.append(".".join(self.find(name)))
        return tuple(dict.fromkeys(found))


def meant(name: str, known: Iterable[str]) -> str:
    """A sentence with the nearest known name, whatever its capitals, or nothing.

    >>> meant("invoice", ["Invoice", "Track"]), meant("x", ["Invoice"])
    (" Did you mean 'Invoice'?", '')
    """
    lower = {each.casefold(): each for each in known}
    close = get_close_matches(name.casefold(), lower, n=1)
    return f" Did you mean {lower[close[0]]!r}?" if close else ""
