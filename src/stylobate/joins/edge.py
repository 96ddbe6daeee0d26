"""An edge of a join: which columns of tables seen so far point at which key of another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

How = Literal["left", "inner"]


@dataclass(frozen=True, slots=True)
class Edge:
    """One table joined to others.

    Parameters
    ----------
    table : str
        The table that is joined.
    parents : tuple of (table, column)
        The columns that point at it, of one table or, where the join is cyclic, of several.
    columns : tuple of str
        The key of `table`, as many columns.
    how : {"left", "inner"}
        Whether rows that find no match are kept.
    many : bool
        Whether several rows of `table` may have one key.
    fill : float or None
        What numbers of `table` are where there is no match; None for missing.

    Examples
    --------
    >>> print(Edge("customers", (("orders", "customer_id"),), ("id",)))
    orders.customer_id = customers.id
    """

    table: str
    parents: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    how: How = "left"
    many: bool = False
    fill: float | None = None

    @property
    def parent_tables(self) -> tuple[str, ...]:
        """The tables that point, each once."""
        return tuple(dict.fromkeys(table for table, _ in self.parents))

    @property
    def pointing(self) -> tuple[str, ...]:
        """The columns that point, with their tables."""
        return tuple(f"{table}.{column}" for table, column in self.parents)

    @property
    def key(self) -> tuple[str, ...]:
        """The columns pointed at, with their table."""
        return tuple(f"{self.table}.{column}" for column in self.columns)

    def __str__(self) -> str:
        return " and ".join(
            f"{left} = {right}" for left, right in zip(self.pointing, self.key, strict=True)
        )
