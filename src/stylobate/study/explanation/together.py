"""Columns that say nearly the same: shuffled one by one, each hides behind the others."""

from __future__ import annotations

import numpy as np

from stylobate.data.column_table import ColumnTable
from stylobate.exploration.association.grams import pairwise_correlations

_ALIKE = 0.9  # |correlation| of any two columns of a group
_MOST_COLUMNS = 300
_SHOWN = 3  # names of a group


def collinear_groups(table: ColumnTable) -> dict[str, list[str]]:
    """Groups of numeric columns of which any two correlate, by a name for each; at least two each.

    >>> x = np.arange(20.0)
    >>> table = ColumnTable({"a": x, "b": 2 * x + 1, "c": (x - 9.5) ** 2})
    >>> collinear_groups(table)
    {'a + b': ['a', 'b']}
    """
    names = [
        name
        for name in table.columns
        if table[name].dtype.kind in "iuf" and len(np.unique(table[name][:200])) > 2
    ]
    if not 2 <= len(names) <= _MOST_COLUMNS:
        return {}
    values = np.array([table[name].astype(np.float64) for name in names])
    alike = np.abs(np.nan_to_num(pairwise_correlations(values).r)) >= _ALIKE
    groups: list[list[int]] = []
    for k in range(len(names)):
        home = next((group for group in groups if alike[k, group].all()), None)
        if home is None:
            groups.append([k])
        else:
            home.append(k)
    members = [[names[k] for k in group] for group in groups if len(group) > 1]
    return {_name(each): each for each in members}


def _name(members: list[str]) -> str:
    more = len(members) - _SHOWN
    listed = " + ".join(members[:_SHOWN])
    return listed if more <= 0 else f"{listed} + {more} more"
