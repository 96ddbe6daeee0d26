"""The target by each feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stylobate.arrays import Integers
from stylobate.exploration.association.columns import (
    AMOUNTS,
    AnyColumn,
    CategoryColumn,
    NumberColumn,
)
from stylobate.exploration.association.counted import cramers, informations
from stylobate.exploration.association.directions import noted
from stylobate.exploration.association.numeric import correlations
from stylobate.exploration.association.ranks import rank_column
from stylobate.exploration.association.ratio import (
    GroupSums,
    analysis_of_variance,
    correlation_ratios,
    group_sums,
)
from stylobate.exploration.association.tables import (
    TableStatistics,
    cross_counts,
    table_statistics,
)
from stylobate.exploration.association.value import Association
from stylobate.exploration.target.area import single_feature_area
from stylobate.exploration.target.cells import GroupMean, GroupShares, group_means, group_shares
from stylobate.exploration.target.distributions import class_distributions
from stylobate.exploration.target.effects import FeatureEffect
from stylobate.exploration.target.explained import (
    binned,
    explained_classes,
    explained_variance,
)
from stylobate.exploration.target.groups import MISSING, Grouping, grouped
from stylobate.exploration.target.verdict import Verdict, verdict_of


def numeric_target_effect(
    feature: AnyColumn, target: NumberColumn, *, level: float, most: int = 10
) -> FeatureEffect:
    """A numeric target by one feature: means by group with intervals, and the tests."""
    groups = grouped(feature, most)
    sums = group_sums(target.values, *_with_missing(groups))
    table = group_means([*groups.labels, MISSING], sums, level)
    whole = GroupSums(sums.n[:-1], sums.mean[:-1], sums.scatter[:-1])
    variance = analysis_of_variance(whole)
    r = None
    if isinstance(feature, NumberColumn):
        pair = [_renamed(feature), _renamed(target, "target")]
        ranked = [rank_column(column.values) for column in pair]
        found = correlations(pair, ranked, level=level, exact=True)
        r = next((a.value for a in found if a.measure == "pearson"), None)
    else:
        every = feature.repeated()
        found = correlation_ratios([every], [target], level=level, exact=True)
        found = noted(found, {feature.name: feature}, [every])
    explains = explained_variance(feature, groups, target, r)
    best = max(found, key=lambda a: -1.0 if a.strength is None else a.strength)
    found = [_named(each, feature.name, target.name) for each in found]
    return _effect(feature, verdict_of(best), explains, variance.n, table, found)


def class_target_effect(
    feature: AnyColumn, target: CategoryColumn, *, level: float, most: int = 10
) -> FeatureEffect:
    """A target of classes by one feature: shares by group, distributions by class, the tests."""
    groups = grouped(feature, most)
    counts = cross_counts(*_with_missing(groups), target.codes, len(target.labels))
    table = group_shares([*groups.labels, MISSING], counts, target.labels, level)
    statistics = fine_table(feature, target)
    explains = explained_classes(feature, target)
    pair = [(feature.name, target.name)]
    found = informations(pair, [statistics], level=level, exact=True)
    if isinstance(feature, CategoryColumn):
        found = cramers(pair, [statistics], level=level, exact=True) + found
        found = noted(found, {feature.name: feature}, [feature.comparable()])
        return _effect(feature, verdict_of(found[0]), explains, statistics.n, table, found)
    ratio = correlation_ratios([target], [feature], level=level, exact=True)
    verdict = verdict_of(ratio[0])
    if len(target.labels) == 2:
        verdict = single_feature_area(feature, target, level) or verdict
    classes, edges = class_distributions(feature, target)
    effect = _effect(feature, verdict, explains, statistics.n, table, [*ratio, *found])
    return replace(effect, classes=classes, edges=edges)


def fine_table(feature: AnyColumn, target: CategoryColumn) -> TableStatistics:
    """What the counts of a feature (numbers in bins, rare labels together) and classes say."""
    if isinstance(feature, CategoryColumn):
        few = feature.comparable()
        codes, levels = few.codes, len(few.labels)
    else:
        codes, levels = binned(feature)
    return table_statistics(cross_counts(codes, levels, target.codes, len(target.labels)))


def _with_missing(groups: Grouping) -> tuple[Integers, int]:
    """Rows without a value as a last group of their own."""
    return np.where(groups.codes < 0, groups.levels, groups.codes), groups.levels + 1


def _renamed(column: NumberColumn, name: str = "feature") -> NumberColumn:
    """Amounts under names of their own: a column may be compared with itself."""
    kind = column.kind if column.kind in AMOUNTS else "ordinal"
    return NumberColumn(name, column.values, kind)


def _named(of: Association, feature: str, target: str) -> Association:
    return replace(of, a=feature, b=target)


def _effect(
    feature: AnyColumn,
    verdict: Verdict,
    explains: float,
    n: int,
    table: tuple[GroupMean, ...] | tuple[GroupShares, ...],
    found: Sequence[Association],
) -> FeatureEffect:
    return FeatureEffect(
        feature.name,
        feature.kind,
        verdict.measure,
        verdict.value,
        verdict.low,
        verdict.high,
        verdict.p_value,
        explains,
        n,
        table,
        associations=tuple(found),
        reason=verdict.reason,
    )
