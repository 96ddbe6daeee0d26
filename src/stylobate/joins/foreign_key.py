"""A foreign key: columns of one table that name a row of another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns that point at another table, and how that is known.

    Parameters
    ----------
    table : str
    columns : tuple of str
    other : str
        The table pointed at.
    key : tuple of str
        Its key, as many columns.
    declared : bool
        Whether the database says so; else it was found in the data.
    evidence : str
        What speaks for it.

    Examples
    --------
    >>> print(ForeignKey("orders", ("customer_id",), "customers", ("id",), True, "declared"))
    orders.customer_id → customers.id (declared)
    """

    table: str
    columns: tuple[str, ...]
    other: str
    key: tuple[str, ...]
    declared: bool
    evidence: str

    def __str__(self) -> str:
        left = ", ".join(f"{self.table}.{each}" for each in self.columns)
        right = ", ".join(f"{self.other}.{each}" for each in self.key)
        return f"{left} → {right} ({self.evidence})"
