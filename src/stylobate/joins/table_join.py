"""`stylobate.join`: several tables as the rows of one, which are never written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, get_args

from stylobate.data.column_table import ColumnTable
from stylobate.data.streams.columns import ColumnRoles
from stylobate.data.words import short
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.joins.aggregate_request import aggregated
from stylobate.joins.aggregated_table import AggregatedTable
from stylobate.joins.base_table import BaseTable
from stylobate.joins.edge import Edge, How
from stylobate.joins.layout import Layout, Place
from stylobate.joins.moments_cache import MomentsCache
from stylobate.joins.prepared import MATCHED, EdgeCount, Prepared
from stylobate.joins.schema import Schema
from stylobate.joins.stream import JoinStream
from stylobate.joins.table_name import table_name


def join(table: Any, *, name: str | None = None) -> Join:
    """Begin a join with the table whose rows are to be learnt from.

    Parameters
    ----------
    table : path, Relation, data frame, dict of arrays, lazy frame, DuckDB relation
        The facts: a row for each order, flight, visit … Whatever `stylobate.read` takes or gives.
    name : str, optional
        What the table is called in names of columns; by default its file's name, or that of the
        variable that holds it.

    Returns
    -------
    Join

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import LinearRegression
    >>> orders = {"customer": [1, 2, 1, 3], "price": [5.0, 3.0, 4.0, 8.0], "days": [2, 3, 2, 6]}
    >>> customers = {"customer": [1, 2, 3], "age": [30.0, 50.0, 70.0]}
    >>> joined = join(orders).with_(customers, on="customer")
    >>> joined.columns
    ('orders.price', 'orders.days', 'customers.age')
    >>> model = LinearRegression().fit(joined, target="days", features=["age"])
    >>> model.coef_.round(3)
    array([0.095])
    """
    base = BaseTable(table, table_name(table, name, "facts"))
    return Join([base], ())


class Join:
    """Tables and the keys that join them; made by `join`, and passed to any estimator's `fit`.

    A join is read when something is asked of it and remembers what it has read: keys, joined
    tables, moments. After a change of the tables, join them again.

    Attributes
    ----------
    columns : tuple of str
        The features, with their tables: all columns but keys, or those of `select`.
    counts : tuple of EdgeCount
        How many rows find a match along each edge.
    n_rows : int
        Rows of the join.
    """

    def __init__(
        self,
        tables: Sequence[BaseTable],
        edges: Sequence[Edge],
        selected: tuple[str, ...] | None = None,
        *,
        strict: bool = True,
    ) -> None:
        """Keep tables and edges; `strict` refuses edges along which no row finds a match."""
        self._tables, self._edges, self._selected = tuple(tables), tuple(edges), selected
        self._strict = strict
        shown = tuple((table.name, table.columns) for table in tables)
        self.schema = Schema(shown, self._edges)

    def with_(
        self,
        table: Any,
        *,
        on: str | Sequence[str] | Mapping[str, str],
        how: How = "left",
        many: bool = False,
        fill: float | None = None,
        name: str | None = None,
    ) -> Join:
        """Join one more table.

        Parameters
        ----------
        table : path, Relation, data frame, dict of arrays, lazy frame, DuckDB relation
        on : str, list of str, or mapping of str to str
            The key: a column of both sides, several, or ``{"column seen so far": "column of
            table"}``. A name that several tables have is written with its table, as in
            ``{"customers.region": "id"}``.
        how : {"left", "inner"}, default="left"
            Rows that find no match are kept, with missing values and 0 in the column ``matched``;
            or left out.
        many : bool, default=False
            Whether several rows of `table` may have one key, so that rows are multiplied.
        fill : float, optional
            What numbers are where there is no match, instead of missing. With ``matched`` among
            the features a linear model's predictions are the same for any number here.
        name : str, optional
            As for `join`.

        Returns
        -------
        Join
            A new one; this one stays as it is.
        """
        if how not in get_args(How):
            raise InvalidParameterError(f'join: how must be "left" or "inner", got {how!r}.')
        if fill is not None and (isinstance(fill, bool) or not isinstance(fill, int | float)):
            raise InvalidParameterError(f"join: fill must be a number or None, got {fill!r}.")
        base = BaseTable(table, table_name(table, name, f"table{len(self._tables) + 1}"))
        if base.name in self.schema.names:
            raise InvalidParameterError(
                f"join: there is a table {base.name!r} already; give this one another name=."
            )
        pairs = self._pairs(on, base)
        parents = tuple(self.schema.find(left) for left, _ in pairs)
        for (_, right), (home, column) in zip(pairs, parents, strict=True):
            if right not in base.columns:
                raise InvalidDataError(
                    f"join: {base.name} has no column {right!r}; it has "
                    f"{', '.join(base.columns[:20])}. Name the key of each side by "
                    f'on={{"{column}": …}}.'
                )
            if column == MATCHED and column not in self.schema.columns_of(home):
                raise InvalidParameterError(f"join: {home}.{MATCHED} is no key.")
        columns = tuple(right for _, right in pairs)
        edge = Edge(base.name, parents, columns, how, bool(many), fill)
        return Join((*self._tables, base), (*self._edges, edge), self._selected)

    def aggregate(
        self,
        table: Any,
        *,
        by: str | Sequence[str] | Mapping[str, str],
        before: str | Mapping[str, str] | Literal[False] | None = None,
        within: str | Sequence[str] = (),
        columns: Sequence[str] | None = None,
        statistics: Sequence[str] | None = None,
        categories: int = 3,
        most: int = 50,
        fill: float | None = None,
        name: str | None = None,
    ) -> Join:
        """Add features of a table that has many rows for each row of the facts.

        Counts, sums, means, least and largest values, last values, trends and shares of categories,
        named in words ("mean of price"), computed when they are first asked for.

        Parameters
        ----------
        table : path, Relation, data frame, dict of arrays, lazy frame, DuckDB relation
        by : str, list of str, or mapping of str to str
            The key, as ``on`` of `with_`; columns of the facts.
        before : str, or mapping of str to str, or False, optional
            The times of both tables: only rows *before* the moment of a fact count, never one at
            the moment itself. Must be given, or False, where both tables have dates.
        within : str or list of str, default=()
            Further windows that look back so far: "30d", "12h" (s, m, h, d, w).
        columns : list of str, optional
            What is aggregated; all columns but keys and times by default.
        statistics : list of str, optional
            Some of "count", "time since last" (in seconds), "sum", "mean", "min", "max", "last",
            "trend" (the slope over time) and "share"; all of them by default.
        categories : int, default=3
            Of how many values of a text column, the commonest ones, shares are told.
        most : int, default=50
            How many features there may be; the plainest come first.
        fill : float, optional
            What is missing where there are no rows (counts and sums never are).
        name : str, optional
            As for `join`.

        Returns
        -------
        Join

        Examples
        --------
        >>> orders = {"customer": [1, 1, 2], "day": [3, 9, 5], "late": [0.0, 1.0, 1.0]}
        >>> visits = {"customer": [1, 1, 2, 1], "day": [1, 3, 5, 8], "pages": [4.0, 2.0, 7.0, 6.0]}
        >>> joined = join(orders, name="orders").aggregate(
        ...     visits, by="customer", before="day", statistics=["count", "mean"], name="visits"
        ... )
        >>> joined.columns[-2:]
        ('visits.count', 'visits.mean of pages')
        >>> joined.head()["visits.count"].tolist()
        [1.0, 3.0, 0.0]
        """
        for label, number in (("categories", categories), ("most", most)):
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise InvalidParameterError(
                    f"aggregate: {label} must be a whole number of at least 1, got {number!r}."
                )
        base = BaseTable(table, table_name(table, name, f"table{len(self._tables) + 1}"))
        if base.name in self.schema.names:
            raise InvalidParameterError(
                f"join: there is a table {base.name!r} already; give this one another name=."
            )
        facts = self._tables[0]
        pairs = [(self.schema.find(left), right) for left, right in self._pairs(by, base)]
        elsewhere = [f"{home}.{column}" for (home, column), _ in pairs if home != facts.name]
        if elsewhere:
            raise InvalidParameterError(
                f"aggregate: {elsewhere[0]} is no column of {facts.name}, for which aggregates are "
                "made; take its key into the facts first, or aggregate the joined table itself."
            )
        options: dict[str, Any] = {"columns": columns, "within": within, "statistics": statistics}
        options |= {"categories": categories, "most": most, "fill": fill}
        keys = [(column, right) for (_, column), right in pairs]
        made = aggregated(base, facts, keys, before, options)
        parents = tuple((facts.name, column) for column in made.aggregation.fact_columns)
        edge = Edge(base.name, parents, made.aggregation.key, "left", False, fill)
        return Join((*self._tables, made), (*self._edges, edge), self._selected)

    def head(self, rows: int = 5) -> ColumnTable:
        """The first joined rows, as a table of columns."""
        batch = JoinStream(self.prepared, self._layout(ColumnRoles("join")), self.moments).head()
        assert batch is not None  # a join without rows is refused
        found: ColumnTable = batch.x[: max(int(rows), 0)]
        return found

    def _pairs(self, on: Any, base: BaseTable) -> list[tuple[str, str]]:
        if isinstance(on, str):
            return [(self._nearest(on), on)]
        if isinstance(on, Mapping):
            pairs = [(self._nearest(left), right) for left, right in on.items()]
        elif isinstance(on, Sequence):
            pairs = [(self._nearest(each), each) for each in on]
        else:
            pairs = []
        if not pairs or not all(isinstance(each, str) for pair in pairs for each in pair):
            raise InvalidParameterError(
                f"join: on must be a column, a list of columns, or a mapping from columns seen so "
                f"far to columns of {base.name}, got {short(on)}."
            )
        return pairs

    def _nearest(self, name: Any) -> Any:
        """A column of the facts where they have it, for they are what keys usually start from."""
        has = isinstance(name, str) and name in self.schema.columns_of(self.schema.facts)
        return f"{self.schema.facts}.{name}" if has else name

    def select(self, columns: Sequence[str]) -> Join:
        """The join with some columns as features: names, or ``"table.*"`` for all of a table."""
        if isinstance(columns, str):
            raise InvalidParameterError(f"join: select takes a list of names, got {columns!r}.")
        return Join(self._tables, self._edges, self.schema.chosen(columns))

    # --- what is counted --------------------------------------------------------------------------

    @cached_property
    def prepared(self) -> Prepared:
        """Keys, numbered; computed once."""
        return Prepared(self._tables, self._edges, strict=self._strict)

    @cached_property
    def moments(self) -> MomentsCache:
        """The moments of columns that fits have asked for."""
        return MomentsCache()

    @property
    def counts(self) -> tuple[EdgeCount, ...]:
        """How many rows find a match along each edge."""
        return tuple(self.prepared.counts)

    @property
    def n_rows(self) -> int:
        """Rows of the join."""
        return self.prepared.n_joined

    def __len__(self) -> int:
        """Count the rows of the join."""
        return self.n_rows

    def __bool__(self) -> bool:
        """Be true, without counting rows."""
        return True

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The features, with their tables."""
        if self._selected is not None:
            return self._selected
        marks = [
            f"{edge.table}.{MATCHED}"
            for k, edge in enumerate(self._edges)
            if edge.how == "left"
            and self.prepared.may_miss(k + 1)
            and MATCHED not in self.schema.columns_of(edge.table)
        ]
        return (*self.schema.features(), *marks)

    def describe(self) -> str:
        """The tables, how many rows find a match along each edge, and how many rows there are."""
        lines = [f"{self.prepared.n_facts:,} rows of {self.schema.facts}"]
        lines += [str(count) for count in self.counts]
        return "\n".join([*lines, f"{self.n_rows:,} joined rows"])

    def __repr__(self) -> str:
        shown = "; ".join(f"{edge} ({edge.how})" for edge in self._edges)
        return f"Join of {', '.join(self.schema.names)}" + (f": {shown}" if shown else "")

    # --- what estimators ask ----------------------------------------------------------------------

    def __stylobate_stream__(self, roles: ColumnRoles) -> JoinStream:
        """The joined rows as a stream of some columns: what estimators learn from."""
        return JoinStream(self.prepared, self._layout(roles), self.moments)

    def _layout(self, roles: ColumnRoles) -> Layout:
        def place(name: str) -> Place:
            table, column = self.schema.find(name)
            return self.prepared.position[table], column

        target = tuple(".".join(self.schema.find(name)) for name in roles.target)
        weight = None if roles.weight is None else ".".join(self.schema.find(roles.weight))
        if roles.features is None:
            names = tuple(each for each in self.columns if each not in (*target, weight))
        else:
            names = self.schema.chosen(roles.features)
        twice = [each for each in names if each in (*target, weight)]
        if twice:
            raise InvalidParameterError(
                f"{roles.owner}: the column {twice[0]!r} has two roles; a column is one of "
                "features, target and weight."
            )
        self._refuse_own_target(roles.owner, names, target)
        return Layout(
            names,
            tuple(map(place, names)),
            tuple(map(place, target)),
            None if weight is None else place(weight),
            roles.one_target,
            target,
            weight,
        )

    def _refuse_own_target(self, owner: str, names: Sequence[str], target: Sequence[str]) -> None:
        """Refuse aggregates of the facts themselves that the target of a row is part of."""
        own = [each.partition(".") for each in target]
        columns = [column for home, _, column in own if home == self.schema.facts]
        aggregates = [each for each in self._tables if isinstance(each, AggregatedTable)]
        told = {name for table in aggregates for each in columns for name in table.telling(each)}
        for name in names:
            if name in told:
                raise InvalidDataError(
                    f"{owner}: {name} is made of all rows of {self.schema.facts}, so that it gives "
                    "away the target of each; name the column of times by before= in aggregate, or "
                    "leave this feature out."
                )
