"""Everything about one target: balance, features, pairs, suspects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stylobate.data.kinds import Schema
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.association.columns import (
    AnyColumn,
    CategoryColumn,
    NumberColumn,
    check_columns,
    sample_rows,
)
from stylobate.exploration.association.frames import SKIPPED, columns_of
from stylobate.exploration.association.laws import benjamini_hochberg
from stylobate.exploration.association.value import finite
from stylobate.exploration.target.balance import ClassBalance, class_balance
from stylobate.exploration.target.effects import FeatureEffect
from stylobate.exploration.target.groups import as_categories
from stylobate.exploration.target.one_factor import class_target_effect, numeric_target_effect
from stylobate.exploration.target.pairs import PairEffect
from stylobate.exploration.target.suspects import (
    Suspect,
    identifiers,
    leaks,
    row_order,
    telling_gaps,
)
from stylobate.exploration.target.target_name import check_target_name
from stylobate.exploration.target.two_factor import pair_effects
from stylobate.exploration.target.words import TellingWord, telling_words
from stylobate.inference.distributions import check_level

_TOP = 8  # features whose pairs are looked at
_SORTED = 0.9


@dataclass(frozen=True, slots=True, repr=False)
class TargetAnalysis:
    """What the columns of a table say about one of them; prints as a page of text.

    Parameters
    ----------
    name, kind : str
        The target: "numeric" or "classes".
    rows, missing : int
        Rows with and without it.
    balance : ClassBalance or None
        Of classes.
    features : tuple of FeatureEffect
        The one that explains most first.
    pairs : tuple of PairEffect
        Two features at once, the greatest interaction first; of the best features only.
    suspects : tuple of Suspect
        Leakage and identifiers.
    notes : tuple of str
        What else to know.
    words : tuple of TellingWord
        Words of texts that go with the target, the clearest first.
    """

    name: str
    kind: str
    rows: int
    missing: int
    balance: ClassBalance | None
    features: tuple[FeatureEffect, ...]
    pairs: tuple[PairEffect, ...]
    suspects: tuple[Suspect, ...]
    notes: tuple[str, ...] = ()
    words: tuple[TellingWord, ...] = ()

    def of(self, feature: str) -> FeatureEffect:
        """What one feature says."""
        for effect in self.features:
            if effect.name == feature:
                return effect
        names = ", ".join(repr(effect.name) for effect in self.features[:12])
        raise InvalidParameterError(f"There is no feature {feature!r} here, only {names}.")

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "name": self.name,
            "kind": self.kind,
            "rows": self.rows,
            "missing": self.missing,
            "balance": None if self.balance is None else self.balance.to_dict(),
            "features": [each.to_dict() for each in self.features],
            "pairs": [each.to_dict() for each in self.pairs],
            "suspects": [each.to_dict() for each in self.suspects],
            "notes": [*self.notes],
            "words": [each.to_dict() for each in self.words],
        }

    def __repr__(self) -> str:
        from stylobate.exploration.target.text import target_text

        return target_text(self)


def target_analysis(
    frame: Any,
    target: str,
    schema: Schema | None = None,
    *,
    level: float = 0.95,
    top: int = _TOP,
    max_rows: int | None = 100_000,
) -> TargetAnalysis:
    """How one column of a table depends on the others, one by one and in pairs.

    Parameters
    ----------
    frame : data frame or array-like of shape (n, p)
        Any table.
    target : str
        The column to be explained: numbers, or classes.
    schema : Schema, optional
        What the columns are; found from the values by default.
    level : float in (0, 1), default=0.95
        Of the intervals.
    top : int in [0, inf), default=8
        Of how many of the best features the pairs are looked at.
    max_rows : int or None, default=100_000
        A longer table is represented by so many rows drawn at random; None for all rows.

    Returns
    -------
    TargetAnalysis

    Examples
    --------
    >>> rows = [[i, i % 3, "yes" if i % 2 else "no"] for i in range(60)]
    >>> target_analysis(rows, "x2").balance.baseline
    0.5
    """
    columns, schema = columns_of(frame, schema, owner="target_analysis", gaps=True)
    check_target_name(target, schema.names, "target_analysis")
    if schema[target].kind in SKIPPED:
        raise InvalidDataError(
            f"target_analysis: the column {target!r} is {schema[target].kind} "
            f"({schema[target].reason}) and cannot be a target. If it is one, say so by "
            f"schema=infer_schema(frame).with_kinds({{{target!r}: 'numeric'}})."
        )
    sampled = sample_rows(columns, max_rows)
    read = [column for column in sampled if schema[column.name].kind not in SKIPPED]
    others = [column for column in sampled if schema[column.name].kind in SKIPPED]
    found = analyse_target(read, target, level=level, top=top, others=others)
    if len(sampled[0]) < len(columns[0]):
        drawn = f"Of {len(columns[0])} rows, {len(sampled[0])} drawn at random were looked at."
        found = replace(found, notes=(drawn, *found.notes))
    return with_identifiers(found, schema, columns)


def analyse_target(
    columns: Sequence[AnyColumn],
    target: str,
    *,
    level: float = 0.95,
    top: int = _TOP,
    others: Sequence[AnyColumn] = (),
) -> TargetAnalysis:
    """The same from columns in memory; identifiers are looked for by `with_identifiers`.

    Of the others (texts, constants) only where they are missing is looked at.
    """
    check_level(level)
    check_columns(columns, "target_analysis")
    known = {column.name: column for column in columns}
    check_target_name(target, tuple(known), "target_analysis")
    answer = known.pop(target)
    if isinstance(answer, CategoryColumn) or answer.kind == "ordinal":
        answer = as_categories(answer)
    effects = _effects(list(known.values()), answer, level)
    suspects = [*leaks(effects, known, answer), *telling_gaps(others, answer)]
    leaking = {suspect.column for suspect in suspects}
    chosen = [e.name for e in effects if e.explains > 0 and e.name not in leaking][:top]
    pairs = pair_effects([known[name] for name in chosen], answer, level=level)
    present = int(answer.present.sum())
    classes = isinstance(answer, CategoryColumn)
    return TargetAnalysis(
        target,
        "classes" if classes else "numeric",
        present,
        len(answer) - present,
        class_balance(answer, level=level) if isinstance(answer, CategoryColumn) else None,
        effects,
        pairs,
        tuple(suspects),
        _notes(answer, present),
    )


def with_words(
    found: TargetAnalysis, texts: Mapping[str, Sequence[str | None]], target: AnyColumn
) -> TargetAnalysis:
    """The same analysis with the words of texts (by column, a text for each row)."""
    if isinstance(target, CategoryColumn) or target.kind == "ordinal":
        target = as_categories(target)
    told = [word for name, rows in texts.items() for word in telling_words(name, rows, target)]
    return replace(found, words=tuple(sorted(told, key=lambda each: -abs(each.z))))


def with_identifiers(
    found: TargetAnalysis, schema: Schema, columns: Sequence[AnyColumn]
) -> TargetAnalysis:
    """The same analysis with the columns that name rows among the suspects."""
    known = {column.name: column for column in columns}
    named = identifiers(schema, known, found.name)
    taken = {suspect.column for suspect in found.suspects}
    more = [suspect for suspect in named if suspect.column not in taken]
    return replace(found, suspects=(*found.suspects, *more))


def _effects(
    features: Sequence[AnyColumn], target: AnyColumn, level: float
) -> tuple[FeatureEffect, ...]:
    if isinstance(target, NumberColumn):
        found = [numeric_target_effect(each, target, level=level) for each in features]
    else:
        found = [class_target_effect(each, target, level=level) for each in features]
    q = benjamini_hochberg([np.nan if e.p_value is None else e.p_value for e in found])
    adjusted = [replace(e, q_value=finite(v)) for e, v in zip(found, q, strict=True)]
    adjusted.sort(key=lambda e: (-e.explains, 1.0 if e.p_value is None else e.p_value, e.name))
    return tuple(adjusted)


def _notes(target: AnyColumn, present: int) -> tuple[str, ...]:
    notes = []
    if present < len(target):
        notes.append(f"{len(target) - present} rows without {target.name} take no part.")
    if row_order(target) >= _SORTED:
        notes.append(
            f"The rows are sorted by {target.name}: shuffle them before splitting, and suspect any "
            "column that follows the order of the file."
        )
    return tuple(notes)
