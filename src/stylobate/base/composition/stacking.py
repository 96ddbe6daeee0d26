"""What several transformers made, side by side: sparse or dense, arrays or frames, with names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base.composition.column_names import NameStyle, joint_names
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
    from stylobate.data import Origin

Part = tuple[str, Any, Any]  # a transformer's name, itself, and the names of the columns it got


def check_tables(made: Sequence[tuple[str, Any]]) -> None:
    """Refuse what a transformer gave if it is no table."""
    from stylobate.data.stacking import width_of

    for name, table in made:
        if width_of(table) < 0:
            raise InvalidDataError(
                f"The output of the {name!r} transformer should be 2D (numpy array, scipy sparse "
                f"array, dataframe), got {type(table).__name__} of shape "
                f"{getattr(table, 'shape', 'unknown')}."
            )


def stacked(
    parts: Sequence[Part],
    made: Sequence[Any],
    *,
    origin: Origin,
    n_rows: int,
    style: str | None,
    naming: NameStyle,
    sparse: bool | None,
) -> Any:
    """One table of what the transformers made.

    Parameters
    ----------
    parts : sequence of (name, transformer, names of its input columns or None)
    made : sequence of tables
        What each of them made.
    origin : Origin
        The container X came in.
    n_rows : int
        For a table without columns.
    style : str or None
        The container asked for; None is that of X.
    naming : bool, str or callable
        See `joint_names`.
    sparse : bool or None
        Whether the result is sparse; None if any part is.

    Returns
    -------
    array, sparse array or data frame
    """
    from stylobate.data import wrap_output
    from stylobate.data.sparse import is_sparse
    from stylobate.data.stacking import goes_out_as, side_by_side, sparse_side_by_side

    if not made:
        return wrap_output(np.zeros((n_rows, 0)), origin=origin, columns=[], style=style)
    holds_sparse = any(is_sparse(table) for table in made)
    if holds_sparse and sparse is not False:
        return wrap_output(sparse_side_by_side(made), origin=origin, style=style)
    tables = [table.toarray() if is_sparse(table) else table for table in made]
    kind = goes_out_as(origin, style)
    names = None
    if kind != "numpy":
        own = [_names(part, table) for part, table in zip(parts, tables, strict=True)]
        if style is not None:
            own = [
                [str(i) for i in range(table.shape[1])] if each is None else each
                for each, table in zip(own, tables, strict=True)
            ]
        if all(each is not None for each in own):
            named = [(part[0], each or []) for part, each in zip(parts, own, strict=True)]
            names = [list(each) for each in joint_names(named, naming)]
    return side_by_side(tables, names, kind=kind, origin=origin)


def _names(part: Part, table: Any) -> list[str] | None:
    """The names of the columns a transformer made; None if nobody knows them."""
    from stylobate.data.stacking import frame_names

    found = frame_names(table)
    if found is not None:
        return found
    _, transformer, inputs = part
    if not hasattr(transformer, "get_feature_names_out"):
        return None
    names = [str(name) for name in transformer.get_feature_names_out(inputs)]
    return names if len(names) == table.shape[1] else None
