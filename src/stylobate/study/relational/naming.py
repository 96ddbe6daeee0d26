"""A study of several tables in the names of the one table it is made of."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING

from stylobate.exceptions import InvalidParameterError
from stylobate.joins import Database, Join
from stylobate.study.relational.related import Related, relate
from stylobate.study.relational.source_tables import open_tables
from stylobate.study.table.table import StudyTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stylobate.study.study import Study

KEY_REASON = "key: it says which row of another table belongs to the row, not what it is like"


def related_tables(study: Study) -> Related | None:
    """The tables of a study's source; None where it is one table."""
    source = study.source
    if isinstance(source, str | PathLike):
        source = open_tables(fspath(source), study.target)
    if not isinstance(source, Database | Join):
        return None
    if study.horizon is not None:
        raise InvalidParameterError(
            f"horizon={study.horizon} is for a series in one table; study that table by itself, or "
            "leave horizon out: what was before each row is aggregated here anyway."
        )
    return relate(source, study.target, study.drop, study.time_column)


def named_fully(study: Study, related: Related) -> Study:
    """The same study, all columns written with their tables."""
    found = copy(study)
    full = related.full
    found.target = related.target
    found.group = None if study.group is None else full(study.group)
    found.time_column = None if study.time_column is None else full(study.time_column)
    found.drop = tuple(full(name) for name in study.drop if not name.endswith(".*"))
    found.keep = tuple(full(name) for name in study.keep)
    found.kinds = {full(name): kind for name, kind in study.kinds.items()}
    return found


def of_facts(table: StudyTable, related: Related | None) -> StudyTable:
    """The columns of the facts alone: what ties rows together is seen there.

    Rows that share a row of another table agree in all its columns, which says nothing more than
    their key does.
    """
    if related is None:
        return table
    own = [name for name in table.columns.columns if name in related.own]
    kept = tuple(each for each in table.schema.columns if each.name in related.own)
    schema = replace(table.schema, columns=kept)
    return replace(table, columns=table.columns.select(own), schema=schema)


def many_keys(table: StudyTable, related: Related | None, keep: Sequence[str]) -> tuple[str, ...]:
    """Keys of the facts with many values, which are no features unless they are kept."""
    if related is None:
        return ()
    return tuple(name for name in related.key_kinds(table.columns)[1] if name not in keep)
