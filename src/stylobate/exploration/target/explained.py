"""The share of the target that one feature explains, fair to features of few and many groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers
from stylobate.exploration.association.columns import AnyColumn, CategoryColumn, NumberColumn
from stylobate.exploration.association.counted import corrected_information
from stylobate.exploration.association.ranks import rank_column
from stylobate.exploration.association.ratio import (
    Variance,
    analysis_of_variance,
    group_sums,
    scaled,
)
from stylobate.exploration.association.tables import (
    TableStatistics,
    bin_count,
    cross_counts,
    equal_count_codes,
    table_statistics,
)
from stylobate.exploration.target.groups import Grouping, gaps_as_group

_SHUFFLES = 4
_MOST_CELLS = 4_000_000


def explained_variance(
    feature: AnyColumn, groups: Grouping, target: NumberColumn, r: float | None = None
) -> float:
    r"""The share of a numeric target's variance that a feature explains, less what chance adds.

    .. math:: \varepsilon^2 = 1 - (1 - \eta^2)\frac{n-1}{n-K}

    over all K categories (not only the common ones), or over bins of numbers or the line through
    them, whichever explains more; missing values are a group of their own if they are 1 % of the
    rows or more, else their rows take no part.

    Parameters
    ----------
    feature : NumberColumn or CategoryColumn
        What explains.
    groups : Grouping
        Its bins, used for numbers.
    target : NumberColumn
        What is explained.
    r : float, optional
        Pearson's correlation of both, if there is one.
    """
    codes, levels = groups.codes, groups.levels
    if isinstance(feature, CategoryColumn):
        every = feature.repeated()
        codes, levels = every.codes, len(every.labels)
    values = scaled(target)
    share = analysis_of_variance(group_sums(values, *gaps_as_group(codes, levels))).corrected
    return share if r is None else max(share, _line(feature, values, r))


def _line(feature: AnyColumn, values: NDArray[np.float64], r: float) -> float:
    """What a line explains, and a mean of its own for the rows without the feature."""
    present = feature.present.astype(np.int64)
    codes, _ = gaps_as_group(present - 1, 1)
    apart = group_sums(values, codes, 2)
    variance = analysis_of_variance(apart)
    gained = r * r * float(apart.scatter[0])
    line = Variance(
        variance.n,
        variance.groups + 1,  # a slope costs as much as a group
        variance.between + gained,
        max(variance.within - gained, 0.0),
        np.nan,
        np.nan,
    )
    return line.corrected


def explained_classes(feature: AnyColumn, target: CategoryColumn) -> float:
    r"""The share of the entropy of classes that a feature explains, less what chance adds.

    .. math:: \frac{I - I_0}{H - I_0}

    where :math:`I_0` is the mutual information of the feature with shuffled classes, over all
    categories; without rare ones Miller and Madow's correction says the same without shuffling.
    Missing values are a group of their own if they are 1 % of the rows or more.
    """
    classes = len(target.labels)
    if isinstance(feature, CategoryColumn):
        every, few = feature.repeated(), feature.comparable()
        if len(few.labels) < len(every.labels) and len(every.labels) * classes <= _MOST_CELLS:
            return _beyond_shuffled(*gaps_as_group(every.codes, len(every.labels)), target)
        codes, levels = few.codes, len(few.labels)
    else:
        codes, levels = binned(feature)
    codes, levels = gaps_as_group(codes, levels)
    return explained_entropy(table_statistics(cross_counts(codes, levels, target.codes, classes)))


def binned(feature: NumberColumn) -> tuple[Integers, int]:
    """Bins of about equally many rows, and how many there are."""
    ranked = rank_column(feature.values)
    codes, ends = equal_count_codes(ranked, bin_count(int(ranked.present.sum())))
    return codes, len(ends)


def explained_entropy(table: TableStatistics) -> float:
    """The share of the entropy of the table's columns that its rows explain, less chance's."""
    if not table.n or table.entropy_b <= 0:
        return 0.0
    return min(corrected_information(table) / table.entropy_b, 1.0)


def _beyond_shuffled(codes: Integers, levels: int, target: CategoryColumn) -> float:
    known = (codes >= 0) & target.present
    codes, classes, kinds = codes[known], target.codes[known], len(target.labels)
    rng = np.random.default_rng(0)
    found = table_statistics(cross_counts(codes, levels, classes, kinds))
    if not found.n or found.entropy_b <= 0:
        return 0.0
    chance = 0.0
    for _ in range(_SHUFFLES):
        mixed = cross_counts(codes, levels, rng.permutation(classes), kinds)
        chance += table_statistics(mixed).g / (2 * found.n * _SHUFFLES)
    room = found.entropy_b - chance
    share = (found.g / (2 * found.n) - chance) / room if room > 1e-12 else 0.0
    return float(np.clip(share, 0.0, 1.0))
