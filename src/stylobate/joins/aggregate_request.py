"""Which aggregates of a table are asked for: columns, windows and categories, leaks refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stylobate.data.words import short
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.joins.aggregate_features import STATISTICS, AggregateFeature, generated
from stylobate.joins.aggregated_table import AggregatedTable, Aggregation, length_of
from stylobate.joins.base_table import BaseTable
from stylobate.joins.times import holds_dates


def aggregated(
    table: BaseTable,
    facts: BaseTable,
    pairs: Sequence[tuple[str, str]],
    before: Any,
    options: Mapping[str, Any],
) -> AggregatedTable:
    """A table of aggregates for the facts.

    Parameters
    ----------
    table, facts : BaseTable
    pairs : sequence of (column of the facts, column of the table)
        The key.
    before : None, False, str, or mapping of a column of the facts to one of the table
    options : mapping
        ``columns``, ``within``, ``statistics``, ``categories``, ``most`` and ``fill``, as
        `Join.aggregate` takes them.
    """
    cutoff = _cutoff(table, facts, before)
    if before is None:
        _refuse_leak(table, facts)
    apart = {*(right for _, right in pairs), *(() if cutoff is None else (cutoff[1],))}
    names = options["columns"]
    chosen = [each for each in table.columns if each not in apart] if names is None else list(names)
    for name in [*chosen, *apart]:
        _require(table, name)
    features = _features(table, chosen, cutoff is not None, options)
    left, right = (tuple(each) for each in zip(*pairs, strict=True))
    made = Aggregation(left, right, cutoff, tuple(features), options["fill"])
    return AggregatedTable(table, facts, made)


def _cutoff(table: BaseTable, facts: BaseTable, before: Any) -> tuple[str, str] | None:
    if before is None or before is False:
        return None
    if isinstance(before, str):
        pair = (before, before)
    elif isinstance(before, Mapping) and len(before) == 1:
        ((left, right),) = before.items()
        pair = (str(left).removeprefix(f"{facts.name}."), str(right))
    else:
        raise InvalidParameterError(
            'aggregate: before must be a column of times of both tables, or {"column of the '
            f'facts": "column of {table.name}"}}, got {short(before)}.'
        )
    _require(facts, pair[0])
    _require(table, pair[1])
    sides = zip((facts, table), pair, strict=True)
    kinds = [kinds_of(each, [name]).get(name, "O") for each, name in sides]
    if "M" in kinds and any(kind in "biuf" for kind in kinds):
        words = ["dates" if kind == "M" else "numbers" for kind in kinds]
        raise InvalidDataError(
            f"aggregate: {facts.name}.{pair[0]} holds {words[0]} and {table.name}.{pair[1]} "
            f"{words[1]}, so that what came before cannot be told; bring both into one form."
        )
    return pair


def _require(table: BaseTable, name: str) -> None:
    if name not in table.columns:
        raise InvalidDataError(
            f"aggregate: {table.name} has no column {name!r}; it has "
            f"{', '.join(table.columns[:20])}."
        )


def _refuse_leak(table: BaseTable, facts: BaseTable) -> None:
    """Refuse aggregates that may tell what comes after the moment of a fact."""
    if table.origin is facts.origin:
        raise InvalidDataError(
            f"aggregate: {table.name} are the facts themselves, so that each row, and its target, "
            "would be part of its own features; name the column of times by before=."
        )
    ours, theirs = _dates(facts, facts.columns), _dates(table, table.columns)
    if ours and theirs:
        raise InvalidDataError(
            f"aggregate: rows of {table.name} have the time {theirs[0]!r} and rows of {facts.name} "
            f"{ours[0]!r}: what comes later would tell the future. Pass before={{{ours[0]!r}: "
            f"{theirs[0]!r}}}, or before=False if all rows of {table.name} are known beforehand."
        )


def _dates(table: BaseTable, names: Sequence[str]) -> list[str]:
    """The columns among some that hold dates."""
    kinds = kinds_of(table, names)
    return [name for name, kind in kinds.items() if kind == "M"]


def kinds_of(table: BaseTable, names: Sequence[str]) -> dict[str, str]:
    """NumPy's kind of each column, by the first batch; "M" for dates written as text as well."""
    first = next(iter(table.batches(names)), None) if names else None
    if first is None:
        return {}
    return {name: "M" if holds_dates(first[name]) else first[name].dtype.kind for name in names}


def _features(
    table: BaseTable, chosen: Sequence[str], timed: bool, options: Mapping[str, Any]
) -> list[AggregateFeature]:
    statistics = STATISTICS if options["statistics"] is None else tuple(options["statistics"])
    for each in statistics:
        if each not in STATISTICS:
            raise InvalidParameterError(
                f"aggregate: there is no statistic {each!r}; there are {', '.join(STATISTICS)}."
            )
    within = options["within"]
    within = (within,) if isinstance(within, str) else tuple(map(str, within))
    for each in within:
        length_of(each, table.name)
    if within and not timed:
        raise InvalidParameterError(
            "aggregate: within= looks back from a moment; name the column of times by before=."
        )
    kinds = kinds_of(table, chosen)
    numbers = [name for name in chosen if kinds.get(name, "O") in "biuf"]
    texts = [name for name in chosen if kinds.get(name) == "O"] if "share" in statistics else []
    categories = [(name, _commonest(table, name, options["categories"])) for name in texts]
    found = generated(numbers, categories, within, statistics, timed=timed)
    if not found:
        raise InvalidParameterError(
            f"aggregate: the statistics {', '.join(statistics)} give no feature of {table.name}; "
            "name others, or before= where they need times."
        )
    return found[: options["most"]]


def _commonest(table: BaseTable, name: str, most: int) -> list[str]:
    values = [each for each in table.whole([name])[name].tolist() if isinstance(each, str)]
    texts, counts = np.unique(np.array(values, dtype=object), return_counts=True)
    return [str(text) for text in texts[np.argsort(-counts, kind="stable")[:most]]]
