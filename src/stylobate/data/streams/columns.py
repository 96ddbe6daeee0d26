"""Which columns are features, targets and weights, and how a frame is taken apart by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.data.columns import read_columns
from stylobate.data.streams.stream import Batch
from stylobate.data.words import kind_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.value_numbers import numpy_of


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Names of columns by what they are for.

    Parameters
    ----------
    owner : str
        Who asks, named in refusals.
    target : tuple of str
        Columns to predict.
    features : tuple of str or None
        Columns to learn from; None for all others.
    weight : str or None
        The column of weights.
    one_target : bool
        Whether the target was given as one name, so that y is a vector.

    Examples
    --------
    >>> ColumnRoles.of("Ridge", "y", None, None).columns(("a", "b", "y"))
    ('a', 'b', 'y')
    """

    owner: str
    target: tuple[str, ...] = ()
    features: tuple[str, ...] | None = None
    weight: str | None = None
    one_target: bool = True

    @classmethod
    def of(cls, owner: str, target: Any, features: Any, weight: Any) -> ColumnRoles:
        """Roles as a caller names them; refuses a column with two roles."""
        one = target is None or isinstance(target, str)
        targets = () if target is None else (target,) if isinstance(target, str) else tuple(target)
        chosen = None if features is None else _names(owner, "features", features)
        if chosen == ():
            raise InvalidParameterError(
                f"{owner}: features is empty; name at least one column, or leave features out to "
                "learn from all columns but the target."
            )
        _names(owner, "target", targets)
        if weight is not None and not isinstance(weight, str):
            raise InvalidParameterError(
                f"{owner}: weight must be the name of a column, got {weight!r}."
            )
        apart = [*targets, *([] if weight is None else [weight])]
        twice = [name for name in apart if apart.count(name) > 1 or name in (chosen or ())]
        if twice:
            raise InvalidParameterError(
                f"{owner}: the column {twice[0]!r} has two roles; a column is one of features, "
                "target and weight."
            )
        return cls(owner, targets, chosen, weight, one)

    @property
    def none(self) -> bool:
        """Whether no column was named."""
        return not self.target and self.features is None and self.weight is None

    def columns(self, known: Sequence[str]) -> tuple[str, ...]:
        """The columns to be read, features first; refuses names that are not there."""
        apart = (*self.target, *(() if self.weight is None else (self.weight,)))
        for name in (*apart, *(self.features or ())):
            if name not in known:
                shown = ", ".join(repr(each) for each in known[:20])
                raise InvalidDataError(
                    f"{self.owner}: there is no column {name!r}; there are {shown}"
                    f"{' …' if len(known) > 20 else ''}."
                )
        return (*self.feature_names(known), *apart)

    def feature_names(self, known: Sequence[str]) -> tuple[str, ...]:
        """The features among the columns there are."""
        if self.features is not None:
            return self.features
        apart = (*self.target, self.weight)
        return tuple(name for name in known if name not in apart)


def split_frame(frame: Any, roles: ColumnRoles) -> Batch:
    """A frame taken apart: features in its own container, target and weights as arrays.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"a": [1.0, 2.0], "y": [3, 4]})
    >>> batch = split_frame(frame, ColumnRoles.of("Ridge", "y", None, None))
    >>> batch.x.columns, batch.y.tolist()
    (['a'], [3, 4])
    """
    columns = read_columns(frame, owner=roles.owner, min_rows=0)
    if columns.names is None:
        raise InvalidDataError(
            f"{roles.owner}: target, features and weight name columns, but the rows have no column "
            "names; pass a data frame, a file, or X and y."
        )
    roles.columns(columns.names)
    where = {name: k for k, name in enumerate(columns.names)}

    def some(names: Sequence[str]) -> Any:
        return columns.take(np.array([where[name] for name in names], dtype=np.intp))

    def one(name: str) -> Any:
        column = columns.take(np.array([where[name]], dtype=np.intp), vector=True)
        return column if isinstance(column, np.ndarray) else _array(column)

    y: Any = None
    if roles.target:
        y = one(roles.target[0])
        if not roles.one_target:
            y = np.column_stack([one(name) for name in roles.target])
    weights = None if roles.weight is None else one(roles.weight)
    return Batch(some(roles.feature_names(columns.names)), y, weights)


def _array(column: Any) -> Any:
    """A series of any library as an array."""
    if kind_of(column).startswith("pyarrow"):
        return column.to_numpy(zero_copy_only=False)
    return numpy_of(column)


def _names(owner: str, role: str, names: Any) -> tuple[str, ...]:
    if isinstance(names, str):
        raise InvalidParameterError(f"{owner}: {role} must be a list of names, got {names!r}.")
    found = tuple(names)
    if not all(isinstance(name, str) for name in found):
        raise InvalidParameterError(f"{owner}: {role} must be names of columns, got {names!r}.")
    return found
