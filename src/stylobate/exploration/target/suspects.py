"""Columns that know the target too well, or are no features at all."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.data.kinds import Schema
from stylobate.exploration.association.columns import AnyColumn, CategoryColumn, NumberColumn
from stylobate.exploration.association.counted import cramers
from stylobate.exploration.association.grams import pairwise_correlations
from stylobate.exploration.association.ranks import rank_column
from stylobate.exploration.association.ratio import analysis_of_variance, group_sums
from stylobate.exploration.association.tables import cross_counts, table_statistics
from stylobate.exploration.association.value import WORDS
from stylobate.exploration.target.effects import FeatureEffect
from stylobate.exploration.target.explained import explained_entropy
from stylobate.exploration.target.sums import exact_sums

NEARLY_ALL = 0.98  # of the target explained, or AUC, or correlation
_COPY = 0.9999  # correlation of a column that is another one in other units
_NEAR_COPY = 0.95  # V of a column that is the target with a few rows changed
_TWIN = 0.95  # correlation with a column that gives the target away
_ABSENCE = 0.5  # V or η of being missing and the target
_FEWEST = 20  # rows that a verdict needs
_NAMED = re.compile(
    r"(target|label|outcome)[\W_]*(enc|encoded|mean|mapped)|y[\W_](pred|true|hat)$|predict(ed|ion)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, repr=False)
class Suspect:
    """A column to think about before it is used: "leakage" or "identifier", and why."""

    column: str
    topic: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return f"{self.column} ({self.topic}): {self.reason}"


def leaks(
    effects: Sequence[FeatureEffect],
    columns: Mapping[str, AnyColumn],
    target: AnyColumn,
) -> list[Suspect]:
    """Features that alone give the target away, and those nearly equal to one of them."""
    found: dict[str, str] = {}
    certain = []
    for effect in effects:
        reason = _gives_away(effect, columns[effect.name], target)
        absence = _absence(columns[effect.name], target)
        if reason is not None and absence is None:
            certain.append(effect.name)
        elif absence is not None:
            reason = absence if reason is None else f"{reason}, and {absence}"
        if reason is None:
            reason = _name(effect.name, target.name)
        if reason is not None:
            found[effect.name] = reason
    if isinstance(target, NumberColumn):
        for name, sentence in exact_sums(columns, target).items():
            found[name] = f"{found[name]}; {sentence}" if name in found else sentence
    found.update(_twins(certain, columns, found))
    return [Suspect(name, "leakage", reason) for name, reason in found.items()]


def telling_gaps(columns: Sequence[AnyColumn], target: AnyColumn) -> list[Suspect]:
    """Columns whose being missing goes with the target."""
    reasons = [(column.name, _absence(column, target)) for column in columns]
    return [Suspect(name, "leakage", reason) for name, reason in reasons if reason is not None]


def identifiers(schema: Schema, columns: Mapping[str, AnyColumn], target: str) -> list[Suspect]:
    """Columns that name rows: they can only be learned by heart."""
    found = []
    for column in schema:
        if column.name == target:
            continue
        if column.kind == "identifier":
            why = f"{column.reason}; it names the rows and cannot help with new ones"
            found.append(Suspect(column.name, "identifier", why))
            continue
        read = columns.get(column.name)
        if isinstance(read, NumberColumn) and _counts_rows(read):
            why = "it counts the rows; a model would learn the order of the file"
            found.append(Suspect(column.name, "identifier", why))
    return found


def _gives_away(effect: FeatureEffect, column: AnyColumn, target: AnyColumn) -> str | None:
    if effect.value is None or effect.n < _FEWEST:
        return None
    if isinstance(target, NumberColumn):
        return _gives_number(effect, target)
    if effect.measure == "auc" and not _enough(target, column):
        return None
    if effect.explains >= NEARLY_ALL:
        if isinstance(column, CategoryColumn) and len(column.labels) == len(target_labels(target)):
            return "it is the target under other names: each of its values means one class"
        return f"it alone gives {100 * effect.explains:.3g} % of what there is to know"
    if effect.measure == "auc" and max(effect.value, 1.0 - effect.value) >= NEARLY_ALL:
        area = max(effect.value, 1.0 - effect.value)
        return f"it alone tells the classes apart almost perfectly (AUC {area:.4g})"
    return _nearly_a_copy(effect, column, target)


def _nearly_a_copy(effect: FeatureEffect, column: AnyColumn, target: AnyColumn) -> str | None:
    """A category for each class, right but for a few rows."""
    classes = len(target_labels(target))
    if not isinstance(column, CategoryColumn) or len(column.labels) > classes + 1:
        return None
    for each in effect.associations:
        if each.measure == "cramers_v" and each.value is not None and each.value >= _NEAR_COPY:
            return f"it is the target but for a few rows (Cramér's V {each.value:.3g})"
    return None


def _gives_number(effect: FeatureEffect, target: NumberColumn) -> str | None:
    measured = [
        (each.measure, each.value)
        for each in effect.associations
        if each.value is not None and each.measure in ("pearson", "spearman")
    ]
    for measure, value in measured:
        if abs(value) >= _COPY:
            how = "in other units" if measure == "pearson" else "on another scale"
            return f"it is {target.name} {how} ({measure} correlation {value:.6g})"
    if effect.explains >= NEARLY_ALL:
        return f"it alone explains {100 * effect.explains:.3g} % of the variance of {target.name}"
    for measure, value in measured:
        if abs(value) >= NEARLY_ALL:
            return f"it is nearly {target.name} ({WORDS[measure]} {value:.3f})"
    return None


def target_labels(target: AnyColumn) -> tuple[Any, ...]:
    """The classes of a target; none if it is a number."""
    return target.labels if isinstance(target, CategoryColumn) else ()


def _enough(target: AnyColumn, column: AnyColumn) -> bool:
    """Whether the smaller class has enough rows with a value."""
    if not isinstance(target, CategoryColumn):
        return True
    counts = np.bincount(target.codes[column.present & target.present], minlength=2)
    return int(counts.min()) >= _FEWEST


def _absence(column: AnyColumn, target: AnyColumn) -> str | None:
    """Whether a value being there or not tells the target."""
    here = column.present
    count = int((~here).sum())
    if min(count, len(here) - count) < _FEWEST:
        return None
    codes = here.astype(np.int64)
    if isinstance(target, CategoryColumn):
        table = table_statistics(cross_counts(codes, 2, target.codes, len(target.labels)))
        measured = cramers([("a", "b")], [table], level=0.95, exact=True)[0]
        strength, p = measured.value, measured.p_value
        if explained_entropy(table) >= NEARLY_ALL:
            return "whether it is missing gives the target away"
    else:
        variance = analysis_of_variance(group_sums(target.values, codes, 2))
        strength, p = variance.corrected**0.5, variance.p_value
    if strength is None or p is None or strength < _ABSENCE or not p < 1e-6:
        return None
    return (
        f"whether it is missing goes with the target (strength {strength:.2f}): was it recorded "
        "after the outcome was known?"
    )


def _name(name: str, target: str) -> str | None:
    if _NAMED.search(name):
        return "its name says it was made from the target or a prediction"
    mine, theirs = (re.sub(r"[\W_]+", "", text).lower() for text in (name, target))
    if len(theirs) >= 4 and theirs in mine and mine != theirs:
        return f"its name holds that of the target, {target!r}: was it made from it?"
    return None


def _twins(
    certain: Sequence[str], columns: Mapping[str, AnyColumn], found: Mapping[str, str]
) -> dict[str, str]:
    """Numeric columns that nearly equal one that gives the target away."""
    twins: dict[str, str] = {}
    for leak in certain:
        source = columns[leak]
        if not isinstance(source, NumberColumn):
            continue
        for name, column in columns.items():
            if name in found or name in twins or not isinstance(column, NumberColumn):
                continue
            pair = pairwise_correlations(np.array([source.values, column.values]))
            r, n = float(pair.r[0, 1]), int(pair.n[0, 1])
            if n >= _FEWEST and abs(r) >= _TWIN:
                twins[name] = f"it is nearly {leak} (r = {r:.3f}), which gives the target away"
    return twins


def _counts_rows(column: NumberColumn) -> bool:
    """All different, whole, and rising (or falling) by the same step from row to row."""
    values = column.values
    if len(values) < _FEWEST or not column.present.all() or column.kind != "numeric":
        return False
    steps = np.diff(values)
    one = float(np.median(steps))
    return one != 0.0 and float(np.mean(steps == one)) > 0.95 and bool((steps * one > 0).all())


def row_order(target: AnyColumn) -> float:
    """How strongly the target follows the order of the rows, in [0, 1].

    |ρ| of numbers; of classes, how much rarer they change from row to row than shuffled ones do.
    """
    known = target.present
    n = int(known.sum())
    if n < 2 * _FEWEST:
        return 0.0
    if isinstance(target, CategoryColumn):
        codes = target.codes[known]
        shares = np.bincount(codes) / n
        expected = (n - 1) * (1.0 - float(shares @ shares))
        changes = int(np.count_nonzero(np.diff(codes)))
        return max(1.0 - changes / expected, 0.0) if expected > 1 else 0.0
    place = np.arange(len(target))
    ranks = rank_column(target.values).ranks()[known]
    pair = pairwise_correlations(np.array([place[known].astype(float), ranks]))
    return abs(float(np.nan_to_num(pair.r[0, 1])))
