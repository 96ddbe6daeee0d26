"""A join written as nested loops over rows: what all plans are held against."""

from __future__ import annotations

import math

import numpy as np


def rows_of(table):
    names = list(table)
    return [dict(zip(names, cells, strict=True)) for cells in zip(*table.values(), strict=True)]


def missing(key):
    return key is None or (isinstance(key, float) and math.isnan(key))


def nested_loops(tables, edges):
    """Joined rows as dictionaries of "table.column", in the order of the facts.

    Parameters
    ----------
    tables : list of (name, dict of lists)
    edges : list of dict(table, on=[("parent.column", "column")], how, fill)
    """
    joined = [
        {f"{tables[0][0]}.{name}": cell for name, cell in row.items()}
        for row in rows_of(tables[0][1])
    ]
    for (name, table), edge in zip(tables[1:], edges, strict=True):
        further = []
        for row in joined:
            found = [
                other
                for other in rows_of(table)
                if all(
                    not missing(row[left])
                    and not missing(other[right])
                    and row[left] == other[right]
                    for left, right in edge["on"]
                )
            ]
            for other in found:
                cells = {f"{name}.{column}": cell for column, cell in other.items()}
                further.append({**row, **cells, f"{name}.matched": 1.0})
            if not found and edge["how"] == "left":
                cells = {
                    f"{name}.{column}": edge["fill"] if isinstance(cell, np.ndarray) else None
                    for column, cell in table.items()
                }
                further.append({**row, **cells, f"{name}.matched": 0.0})
        joined = further
    return joined
