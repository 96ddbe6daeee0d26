"""Which way moments of a join are computed: row by row, or key by key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from stylobate.joins.tree import JoinTree

if TYPE_CHECKING:
    from stylobate.joins.stream import JoinStream

_LEAST_GAIN = 1.5  # times fewer operations before keys are taken: each costs more than a row
_PER_CELL = 8  # operations that gathering a cell is worth


@dataclass(frozen=True, slots=True)
class JoinPlan:
    """How a join was passed over.

    Parameters
    ----------
    kind : {"lookup", "factorised"}
        Row by row, cells of joined tables looked up; or key by key, up the tree of tables.
    reason : str
        Why.
    joined_rows : int
        Rows of the join.
    base_rows : int
        Rows of all its tables together.
    """

    kind: Literal["lookup", "factorised"]
    reason: str
    joined_rows: int
    base_rows: int

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


def choose_plan(stream: JoinStream, *, plain: bool = True, classes: int = 1) -> JoinPlan:
    """The plan for moments, from counts of rows, keys and columns.

    Parameters
    ----------
    stream : JoinStream
    plain : bool, default=True
        Whether the estimator learns from the columns as they are.
    classes : int, default=1
        Of how many classes of rows moments are wanted: keys are passed over once for each.
    """
    prepared, layout = stream.prepared, stream.layout
    rows = prepared.n_joined
    base = prepared.n_facts + sum(link.n_rows for link in prepared.links)

    def plan(kind: Literal["lookup", "factorised"], reason: str) -> JoinPlan:
        return JoinPlan(kind, reason, rows, base)

    if all(link.most <= 1 for link in prepared.links):
        return plan("lookup", "every key has one row, so that the join has no more rows than facts")
    if not plain:
        return plan("lookup", "the estimator changes rows before it learns from them")
    if layout.weight is not None and layout.weight[0] != 0:
        return plan("lookup", f"the weights are a column of a joined table ({layout.weight_name})")
    tree = JoinTree(prepared)
    q = len(layout.features) + (len(layout.target) if classes == 1 else 0)
    by_rows = rows * q * (q + _PER_CELL)
    by_keys = classes * sum(n * p * (p + _PER_CELL) for n, p in tree.sizes(layout))
    if by_keys * _LEAST_GAIN > by_rows:
        return plan(
            "lookup", f"{rows:,} joined rows cost no more than the keys of {base:,} rows of tables"
        )
    bag = ""
    if tree.bag:
        tables = ", ".join(prepared.tables[k + 1].name for k in sorted(tree.bag))
        bag = f"; the cycle is broken by joining {tables} first ({tree.n_root:,} rows)"
    reason = f"{rows:,} joined rows come from {base:,} rows of the tables{bag}"
    return plan("factorised", reason)


def rows_plan(stream: JoinStream) -> JoinPlan:
    """The plan of fits that are no matter of moments."""
    prepared = stream.prepared
    base = prepared.n_facts + sum(link.n_rows for link in prepared.links)
    reason = "the estimator learns from rows or from steps over them"
    return JoinPlan("lookup", reason, prepared.n_joined, base)
