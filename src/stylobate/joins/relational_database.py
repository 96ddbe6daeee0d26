"""`stylobate.database`: the tables of a database, and the keys that join them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stylobate.data.streams.columns import ColumnRoles
from stylobate.exceptions import InvalidDataError
from stylobate.joins.base_table import BaseTable, column_names
from stylobate.joins.composite_keys import composite_keys
from stylobate.joins.declared_keys import parts_of
from stylobate.joins.foreign_key import ForeignKey
from stylobate.joins.proposed_keys import proposed_keys
from stylobate.joins.schema import meant
from stylobate.joins.table_join import Join, join


def database(source: Any, *, propose: bool | None = None) -> Database:
    """The tables of a database with their keys: as declared, or else as the data suggest.

    Parameters
    ----------
    source : path, str, or connection
        A DuckDB or SQLite file or connection, ``postgresql://user@host/name``, or a folder of CSV
        or Parquet files, of which each is a table. Nothing is written.
    propose : bool, optional
        Whether to look for keys in the data: by default where none are declared.

    Returns
    -------
    Database

    Examples
    --------
    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> _ = connection.execute("CREATE TABLE customers (id INT PRIMARY KEY, age DOUBLE)")
    >>> _ = connection.execute("INSERT INTO customers VALUES (1, 30), (2, 50)")
    >>> _ = connection.execute(
    ...     "CREATE TABLE orders (customer INT REFERENCES customers (id), days DOUBLE)"
    ... )
    >>> _ = connection.execute("INSERT INTO orders VALUES (1, 2), (2, 4), (1, 3)")
    >>> shop = database(connection)
    >>> print(shop)
    2 tables of the DuckDB connection: customers, orders
      orders.customer → customers.id (declared in the database)
    >>> shop.join("orders").columns
    ('orders.days', 'customers.age')
    """
    parts = parts_of(source)
    if not parts.tables:
        raise InvalidDataError(f"database: there is no table in {parts.name}.")
    keys = parts.keys
    if propose or (propose is None and not keys):
        tables = {name: BaseTable(table, name) for name, table in parts.tables.items()}
        declared = {(key.table, key.columns) for key in keys}
        found = proposed_keys(tables)
        keys += tuple(each for each in found if (each.table, each.columns) not in declared)
        keys += composite_keys(tables, keys)
    return Database(parts.name, parts.tables, keys)


class Database:
    """Tables by name, and the foreign keys among them.

    Parameters
    ----------
    name : str
    tables : dict of str to Relation or DuckDB relation
        Read on request.
    keys : sequence of ForeignKey
    """

    def __init__(self, name: str, tables: dict[str, Any], keys: Sequence[ForeignKey]) -> None:
        self.name, self.tables, self.keys = name, tables, tuple(keys)

    def join(self, facts: str, *, without: Sequence[str] = ()) -> Join:
        """The join of a table with all that it points at, directly or through others.

        Rows without a match are kept. A table that is pointed at by several columns is joined once
        for each, under the name ``table_by_column``.

        Parameters
        ----------
        facts : str
            The table whose rows are to be learnt from.
        without : sequence of str, default=()
            Tables to leave out.
        """
        for name in (facts, *without):
            self._require(name)
        joined = join(self.tables[facts], name=facts)
        waiting, on_the_way = [(facts, facts)], {facts: {facts}}
        same: dict[tuple[str, str], tuple[str, str]] = {}  # keys, and what they are equal to
        seen: set[tuple[Any, ...]] = set()
        while waiting:
            table, called = waiting.pop(0)
            for key in self.keys:
                if key.table != table or key.other in on_the_way[called] or key.other in without:
                    continue
                left = tuple(same.get((called, c), (called, c)) for c in key.columns)
                if (left, key.other, key.key) in seen:  # it is there, by the columns it came by
                    continue
                seen.add((left, key.other, key.key))
                name = self._name(key, joined, called)
                same |= {(name, c): a for c, a in zip(key.key, left, strict=True)}
                on = {f"{called}.{a}": b for a, b in zip(key.columns, key.key, strict=True)}
                joined = joined.with_(self.tables[key.other], on=on, name=name)
                on_the_way[name] = on_the_way[called] | {key.other}
                waiting.append((key.other, name))
        return joined

    def _name(self, key: ForeignKey, joined: Join, called: str) -> str:
        twins = [each for each in self.keys if (each.table, each.other) == (key.table, key.other)]
        if len(twins) == 1 and key.other not in joined.schema.names:
            return key.other
        name = f"{key.other}_by_{'_'.join(key.columns)}"
        return name if name not in joined.schema.names else f"{name}_of_{called}"

    def many(self, table: str) -> tuple[ForeignKey, ...]:
        """The keys that point at a table: of each of its rows there may be many there."""
        self._require(table)
        return tuple(key for key in self.keys if key.other == table)

    def find(self, name: str) -> tuple[str, str]:
        """The table and the column that a name means, written as ``table.column`` or alone.

        Parameters
        ----------
        name : str
            A name that several tables have is refused without its table.
        """
        for table in sorted(self.tables, key=len, reverse=True):
            column = name.removeprefix(f"{table}.")
            if column != name:
                self._require_column(table, column)
                return table, column
        homes = [table for table in self.tables if name in self.columns_of(table)]
        if len(homes) == 1:
            return homes[0], name
        if homes:
            told = ", ".join(repr(f"{table}.{name}") for table in homes)
            raise InvalidDataError(
                f"database: {len(homes)} tables of {self.name} have a column {name!r}; say which "
                f"one is meant: {told}."
            )
        known = [f"{table}.{each}" for table in self.tables for each in self.columns_of(table)]
        raise InvalidDataError(
            f"database: no table of {self.name} has a column {name!r}; write table.column, the "
            f"tables are {', '.join(self.tables)}.{meant(name, known)}"
        )

    def columns_of(self, table: str) -> tuple[str, ...]:
        """The columns of a table."""
        self._require(table)
        return column_names(self.tables[table], table)

    def __getitem__(self, table: str) -> Any:
        """A table, to be read on request."""
        self._require(table)
        return self.tables[table]

    def __stylobate_stream__(self, roles: ColumnRoles) -> Any:
        """The rows of the target's table with all that it points at: what estimators learn from."""
        if not roles.target:
            raise InvalidDataError(
                f"{roles.owner}: of which table are the rows? Pass {self.name} joined, as "
                f"database.join({next(iter(self.tables))!r}) gives it, or target='table.column'."
            )
        table, _ = self.find(roles.target[0])
        return self.join(table).__stylobate_stream__(roles)

    def _require_column(self, table: str, column: str) -> None:
        known = self.columns_of(table)
        if column not in known:
            hint = meant(f"{table}.{column}", [f"{table}.{each}" for each in known])
            raise InvalidDataError(
                f"database: {table} has no column {column!r}; it has {', '.join(known[:20])}.{hint}"
            )

    def _require(self, name: str) -> None:
        if name not in self.tables:
            raise InvalidDataError(
                f"database: there is no table {name!r} in {self.name}; there are "
                f"{', '.join(self.tables)}.{meant(name, self.tables)}"
            )

    def __repr__(self) -> str:
        count = len(self.tables)
        lines = [f"{count} table{'s' * (count != 1)} of {self.name}: {', '.join(self.tables)}"]
        return "\n  ".join([*lines, *map(str, self.keys)])
