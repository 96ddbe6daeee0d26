"""What maps of rows show at first: the column that colours them, and the names of points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.arrays import Indices
from stylobate.exploration.cells import Cells
from stylobate.exploration.clusters.traits import is_amount
from stylobate.exploration.maps.neighborhoods import separation_of
from stylobate.exploration.summaries.values import value_text

_MOST_GROUPS = 10  # of a column that colours the maps: as many as there are hues
_MOST_LOOKED = 30  # columns
_LEAST = 0.25  # agreement of neighbours beyond chance, from which on colours show groups
MOST_NAMED = 60  # points that there is room to name
_LONGEST_NAME = 30


def telling_column(cells: Sequence[Cells], by_map: dict[str, Indices]) -> str | None:
    r"""The column of few categories in which neighbours on the maps agree most, or an amount.

    Agreement is :math:`(a - c)/(1 - c)`, a the share of neighbours in a row's own category and c
    what chance gives; of an amount the share of its variance that neighbours explain. The mean
    over the maps counts. None where no column shows on them.

    Parameters
    ----------
    cells : sequence of Cells
        The columns rows are compared by.
    by_map : dict from str to array of int of shape (n, k)
        The nearest rows of each on each map.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological
    Measurement 20.
    """
    groups = [each for each in cells if not is_amount(each) and _is_group(each)]
    amounts = [each for each in cells if is_amount(each) and 2 * each.missing < len(each.codes)]
    for some in (groups, amounts):
        found = [(_agreement(each, by_map), each.column.name) for each in some[:_MOST_LOOKED]]
        best = max(found, key=lambda pair: pair[0], default=(0.0, ""))
        if best[0] >= _LEAST:
            return best[1]
    return None


def _is_group(cells: Cells) -> bool:
    return 1 < len(cells.values) <= _MOST_GROUPS and 2 * cells.missing < len(cells.codes)


def _agreement(cells: Cells, by_map: dict[str, Indices]) -> float:
    found = separation_of(cells, next(iter(by_map.values())), by_map)
    if found is None or found.chance >= 1.0:
        return 0.0
    mean = float(np.mean(list(found.by_map.values())))
    return (mean - found.chance) / (1.0 - found.chance)


def naming_column(cells: Sequence[Cells]) -> str | None:
    """The first column of short texts that are all different, where there is room for them."""
    for each in cells:
        if each.is_numeric or each.is_temporal or each.missing or is_amount(each):
            continue
        n = len(each.codes)
        if not 1 < n <= MOST_NAMED or len(each.values) < n:
            continue
        if max(len(value_text(value)) for value in each.values) <= _LONGEST_NAME:
            return each.column.name
    return None
