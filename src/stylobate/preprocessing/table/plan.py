"""Which parts a table encoder makes of a column, by its kind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from stylobate.data.kinds import Column
from stylobate.exceptions import InvalidDataError
from stylobate.preprocessing.table.parts import (
    CategoryPart,
    CodePart,
    DatePart,
    HashPart,
    NumberPart,
    Part,
    TargetPart,
)

if TYPE_CHECKING:
    from stylobate.preprocessing.table.encoder import TableEncoder


def parts_of(encoder: TableEncoder, column: Column, values: Any, y: Any) -> list[Part]:
    """How one column is encoded; no part if it is left out.

    Parameters
    ----------
    encoder : TableEncoder
        Whose parameters count.
    column : Column
        What it is.
    values : array or None
        Its values, where they are in memory.
    y : array-like or None
        The target.
    """
    kind = column.kind
    if kind in ("constant", "identifier") or (kind == "text" and encoder.text == "drop"):
        return []
    if kind == "text":
        return [_of_text(encoder, column)]
    if kind == "datetime":
        return [DatePart(column, scale=encoder.scale)]
    if kind == "nominal":
        return _of_categories(encoder, column, values, y)
    if kind == "geospatial":  # a coordinate without the other one is a number like others
        column = replace(column, kind="numeric")
    return [NumberPart(column, **number_options(encoder))]


def number_options(encoder: TableEncoder) -> dict[str, bool]:
    """How parts of numbers treat their units and what is missing."""
    codes = encoder.categories == "codes"
    mark = encoder.missing == "mark" and not codes
    return {"scale": bool(encoder.scale), "mark": mark, "keep": codes}


def _of_text(encoder: TableEncoder, column: Column) -> Part:
    if encoder.text == "hash":
        return HashPart(column, int(encoder.n_hashed))
    from stylobate.preprocessing.table.text import DirectionsPart, WordsPart

    terms = int(encoder.max_terms)
    made: WordsPart | DirectionsPart = WordsPart(column, terms)
    if encoder.text == "svd":
        made = DirectionsPart(column, terms, int(encoder.n_directions), scale=encoder.scale)
    made.memory = getattr(encoder, "_texts", None)  # what others have learnt from the same rows
    return made


def _of_categories(encoder: TableEncoder, column: Column, values: Any, y: Any) -> list[Part]:
    if column.n_distinct > encoder.max_categories and encoder.many != "merge":
        return _of_many(encoder, column, values, y)
    if encoder.categories == "codes":
        return [CodePart(column)]
    return [CategoryPart(column, max_categories=int(encoder.max_categories))]


def _of_many(encoder: TableEncoder, column: Column, values: Any, y: Any) -> list[Part]:
    """Means of the target, likeness to the commonest names, or both."""
    from stylobate.preprocessing.table.similar import SimilarPart, resemble

    found: list[Part] = []
    if encoder.many in ("target", "both"):
        if y is None:
            raise InvalidDataError(
                f"TableEncoder: many={encoder.many!r} needs y for the {column.n_distinct} "
                f"categories of {column.name!r}; pass y to fit, or choose many='merge'."
            )
        found.append(TargetPart(column, str(encoder.target_type), scale=encoder.scale))
    if encoder.many == "similar" or (encoder.many == "both" and resemble(values, column)):
        found.append(SimilarPart(column, int(encoder.max_categories)))
    return found
