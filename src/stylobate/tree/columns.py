"""Columns for trees: numbers stay numbers, text and categories become codes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table, read_table
from stylobate.data.coding import code_column, is_nan
from stylobate.data.columns import read_columns
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns
from stylobate.data.streams.stream import n_rows_of
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    StylobateWarning,
)

FROM_DTYPE = "from_dtype"
_NAMES = 0.9  # share of rows with a value of their own from which on a column names them
_FEWEST_ROWS = 50
_MANY_CATEGORIES = 32  # of a column, above which those of few rows are not told apart
_GROUP_ROWS = 20  # of the rows of a category that is; fewer are learnt by heart
Choice = Any  # None, "from_dtype", or an array-like of bool, int or str


@dataclass(frozen=True, eq=False)
class ColumnCategories:
    """For every column its categories in sorted order, or None where it holds numbers.

    Code c stands for ``of[j][c]``; missing values and categories not listed become NaN.

    Examples
    --------
    >>> import pandas
    >>> frame = pandas.DataFrame({"size": [1.5, 2.0, 2.5], "colour": ["red", "blue", None]})
    >>> table, known = read_features(frame, owner="example")
    >>> table.x
    array([[1.5, 1. ],
           [2. , 0. ],
           [2.5, nan]])
    >>> known.of[1].tolist(), known.counts.tolist()
    (['blue', 'red'], [0, 2])
    >>> read_features(pandas.DataFrame({"size": [1.0], "colour": ["green"]}), owner="example",
    ...               known=known)[0].x
    array([[ 1., nan]])
    """

    of: tuple[NDArray[Any] | None, ...]

    @property
    def counts(self) -> NDArray[np.int32]:
        """Categories of every column; 0 for numbers."""
        return np.array([0 if each is None else len(each) for each in self.of], dtype=np.int32)

    @property
    def any(self) -> bool:
        """Whether some column has categories."""
        return any(each is not None for each in self.of)

    def _check_loaded(self) -> None:
        """Refuse categories out of a file that are none."""
        lists = [each.tolist() for each in self.of if each is not None]
        if any(isinstance(value, list | dict | set) for values in lists for value in values):
            raise ModelFileError("The columns of the file have categories that are lists.")


def read_features(
    X: Any,
    *,
    owner: str,
    known: ColumnCategories | None = None,
    categorical: Choice = FROM_DTYPE,
    accept_sparse: bool = True,
) -> tuple[Table, ColumnCategories]:
    """A table for trees: float64 or float32, NaN where missing, codes where categories.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p)
        Frames may hold text, categories and booleans beside numbers.
    owner : str
        Who is asking; named in every refusal.
    known : ColumnCategories, optional
        What an earlier call learnt; without it the categories are learnt from X.
    categorical : "from_dtype", None or array-like of bool, int or str, default="from_dtype"
        Which columns have categories: those of text and of a categorical type, none, a mask,
        positions, or names.
    accept_sparse : bool, default=True
        Whether sparse X is taken.

    Returns
    -------
    Table, ColumnCategories
        See `ColumnCategories` for an example.
    """
    explicit = not isinstance(categorical, str) and categorical is not None
    if known is not None:
        wanted = [each is not None for each in known.of]
        mixed = read_mixed_columns(X, owner=owner) if any(wanted) or _has_words(X) else None
    else:
        mixed = read_mixed_columns(X, owner=owner) if explicit or _has_words(X) else None
        wanted = [] if mixed is None else chosen_columns(mixed, categorical, owner)
    if mixed is None or not any(wanted) or (known and len(wanted) != mixed.n_features):
        table = read_table(X, owner=owner, check_finite="allow-nan", accept_sparse=accept_sparse)
        return table, known or ColumnCategories((None,) * table.n_features)
    learnt = known or ColumnCategories(
        tuple(
            _categories(column) if chosen else None
            for column, chosen in zip(mixed.values, wanted, strict=True)
        )
    )
    if known is None:
        _warn_of_names(mixed.n_rows, mixed.names, learnt, owner)
    if known is None and not explicit:  # who names columns means all their categories
        counts = [_counted(v) if w else None for v, w in zip(mixed.values, wanted, strict=True)]
        learnt = _told_apart(learnt, counts)
    return _encoded(X, mixed, learnt, owner), learnt


class CategoriesSeen:
    """The categories of columns whose rows come in batches.

    Parameters
    ----------
    owner : str
        Who is asking; named in every refusal.
    categorical : as of `read_features`
        Which columns have categories; by their type in any batch.

    Examples
    --------
    >>> import pandas
    >>> seen = CategoriesSeen("example")
    >>> for colours in (["red"], ["blue", "red"]):
    ...     seen.add(pandas.DataFrame({"colour": colours}))
    >>> seen.known().of[0].tolist()
    ['blue', 'red']
    """

    def __init__(self, owner: str, categorical: Choice = FROM_DTYPE) -> None:
        self.owner, self.categorical = owner, categorical
        self.n_rows = 0
        self._values: list[dict[Any, int] | None] = []  # with their numbers of rows
        self._numbers: set[int] = set()  # columns that held some

    @property
    def any(self) -> bool:
        """Whether a column has categories so far."""
        return any(each is not None for each in self._values)

    def add(self, X: Any) -> None:
        """The categories of more rows."""
        explicit = not isinstance(self.categorical, str) and self.categorical is not None
        mixed = read_mixed_columns(X, owner=self.owner) if explicit or _has_words(X) else None
        if not self.n_rows:
            self.example = self._example(X, mixed)
            self._values = [None] * self.example.n_features
        if mixed is not None:
            refuse_other_width(ColumnCategories((None,) * len(self._values)), _widths(mixed, self))
            self.n_rows += mixed.n_rows
            for j, chosen in enumerate(chosen_columns(mixed, self.categorical, self.owner)):
                if chosen:
                    known = self._values[j] = self._values[j] or {}
                    for value, count in _counted(mixed.values[j]).items():
                        known[value] = known.get(value, 0) + count
                elif j not in self._numbers and _has_values(mixed.values[j]):
                    self._numbers.add(j)
        else:
            self.n_rows += n_rows_of(X)
            if len(self._numbers) < len(self._values):
                x = read_table(X, owner=self.owner, check_finite="deferred").x
                self._numbers.update(np.flatnonzero(~np.isnan(x).all(axis=0)).tolist())
        self._refuse_both()

    def merge(self, other: CategoriesSeen) -> CategoriesSeen:
        """Those of these rows, and of some that follow them."""
        refuse_other_width(ColumnCategories((None,) * len(self._values)), other.example)
        out = CategoriesSeen(self.owner, self.categorical)
        out.example, out.n_rows = self.example, self.n_rows + other.n_rows
        out._numbers = self._numbers | other._numbers
        for mine, theirs in zip(self._values, other._values, strict=True):
            both = None if mine is None and theirs is None else dict(mine or {})
            for value, count in (theirs or {}).items():
                both[value] = both.get(value, 0) + count  # type: ignore[index,union-attr]
            out._values.append(both)
        out._refuse_both()
        return out

    def _refuse_both(self) -> None:
        """Refuse a column that is text here and numbers there: neither reading would be right."""
        names = self.example.names
        for j in self._numbers:
            words = self._values[j]
            if words:
                raise InvalidDataError(
                    f"{self.owner}: column {j if names is None else repr(names[j])} holds numbers "
                    f"in some batches and text in others, such as {next(iter(words))!r}; "
                    "make it one of them in all."
                )

    def _example(self, X: Any, mixed: MixedColumns | None) -> Table:
        """A table with the names and the number of the columns, whatever is in it."""
        if mixed is None:
            return read_table(X, owner=self.owner, check_finite="allow-nan", accept_sparse=False)
        return _widths(mixed, self)

    def known(self) -> ColumnCategories:
        """What was seen, sorted; warns of columns that name their rows."""
        found = ColumnCategories(
            tuple(
                None if each is None else _categories(np.array(list(each), dtype=object))
                for each in self._values
            )
        )
        _warn_of_names(self.n_rows, self.example.names, found, self.owner)
        by_type = isinstance(self.categorical, str)
        return _told_apart(found, self._values) if by_type else found


def _widths(mixed: MixedColumns, seen: CategoriesSeen) -> Table:
    empty = np.empty((0, mixed.n_features))
    return Table(empty, mixed.names, origin=mixed.origin, owner=seen.owner)


def _warn_of_names(
    n_rows: int, names: Sequence[str] | None, known: ColumnCategories, owner: str
) -> None:
    """Say so where a column names its rows: a tree would learn it by heart."""
    for j, categories in enumerate(known.of):
        if categories is None or n_rows < _FEWEST_ROWS:
            continue
        if len(categories) > _NAMES * n_rows:
            name = repr(names[j]) if names is not None else str(j)
            warnings.warn(
                f"{owner}: column {name} has {len(categories)} different values in "
                f"{n_rows} rows; a tree can only learn them by heart. Leave it out, or make "
                "numbers or fewer groups of it.",
                StylobateWarning,
                stacklevel=6,
            )


def _encoded(X: Any, mixed: MixedColumns, known: ColumnCategories, owner: str) -> Table:
    matrix = np.empty((mixed.n_rows, mixed.n_features), order="F")
    numbers = np.array([j for j, each in enumerate(known.of) if each is None], dtype=np.intp)
    if len(numbers):
        plain = read_columns(X, owner=owner).take(numbers)
        matrix[:, numbers] = read_table(plain, owner=owner, check_finite="allow-nan").x
    for j, each in enumerate(known.of):
        if each is not None:
            matrix[:, j] = _codes(mixed.values[j], each)
    return Table(matrix, mixed.names, origin=mixed.origin, owner=owner)


def _categories(column: Any) -> NDArray[Any]:
    values = code_column(column).sorted().values
    present = [i for i, value in enumerate(values.tolist()) if value is not None]
    kept = values[present]
    return kept[[not is_nan(value) for value in kept.tolist()]] if len(kept) else kept


def _counted(column: Any) -> dict[Any, int]:
    """The categories of a column with their numbers of rows."""
    coded = code_column(column)
    pairs = zip(coded.values.tolist(), coded.counts().tolist(), strict=True)
    return {value: n for value, n in pairs if value is not None and not is_nan(value)}


def _told_apart(
    known: ColumnCategories, counts: Sequence[dict[Any, int] | None]
) -> ColumnCategories:
    """The categories that splits tell apart: of many, those with enough rows each.

    The best set out of hundreds of small groups fits any noise: a tree would learn the rows of
    each by heart. Those left out are taken for missing, and share a side.
    """
    kept = []
    for categories, rows in zip(known.of, counts, strict=True):
        if categories is None or rows is None or len(categories) <= _MANY_CATEGORIES:
            kept.append(categories)
            continue
        often = np.array([rows[value] for value in categories.tolist()])
        kept.append(categories[often >= _GROUP_ROWS])
    return ColumnCategories(tuple(kept))


def _codes(column: Any, categories: NDArray[Any]) -> NDArray[np.float64]:
    coded = code_column(column)
    number = {value: float(place) for place, value in enumerate(categories.tolist())}
    codes = [
        np.nan if value is None or is_nan(value) else number.get(value, np.nan)
        for value in coded.values.tolist()
    ]
    return np.array(codes, dtype=np.float64)[coded.codes]


def _has_values(column: Any) -> bool:
    """Whether a cell of a column is there."""
    if isinstance(column, np.ndarray):
        if column.dtype.kind == "O":
            return any(each is not None and not is_nan(each) for each in column.tolist())
        return column.dtype.kind != "f" or not bool(np.isnan(column).all())
    return bool(column.null_count() < len(column))


def _is_words(column: Any) -> bool:
    """Whether a column of a frame is text or of a categorical type."""
    if isinstance(column, np.ndarray):  # of a table of NumPy columns
        return column.dtype.kind == "O" and any(isinstance(each, str) for each in column.tolist())
    import narwhals as nw

    return column.dtype in (nw.String, nw.Categorical, nw.Enum)


def _has_words(X: Any) -> bool:
    """Whether X is a frame with a column of text or categories."""
    if isinstance(X, np.ndarray | list | tuple) or hasattr(X, "nnz"):
        return False
    if not hasattr(X, "columns") and not hasattr(X, "schema"):
        return False  # no frame: a series is refused as such when it is read
    dtypes = getattr(X, "dtypes", None)
    if dtypes is not None and all(getattr(dtype, "kind", "O") in "fiub" for dtype in dtypes):
        return False  # a pandas frame of numbers, without looking any closer
    return any(map(_is_words, read_mixed_columns(X, owner="X", min_rows=0, min_features=0).values))


def chosen_columns(mixed: MixedColumns, categorical: Choice, owner: str) -> list[bool]:
    """Which columns have categories."""
    count = mixed.n_features
    if categorical is None:
        return [False] * count
    if isinstance(categorical, str):
        if categorical != FROM_DTYPE:
            raise InvalidParameterError(
                f"{owner}: categorical_features must be 'from_dtype', None, a mask, positions or "
                f"names of columns, got {categorical!r}."
            )
        return [_is_words(column) for column in mixed.values]
    given = np.asarray(categorical)
    if given.dtype.kind == "b":
        if given.shape != (count,):
            raise InvalidParameterError(
                f"{owner}: categorical_features is a mask of shape {given.shape}, but X has "
                f"{count} columns; give one value for each."
            )
        return [bool(each) for each in given]
    places = {_place(each, mixed, owner) for each in given.tolist()}
    return [j in places for j in range(count)]


def _place(which: Any, mixed: MixedColumns, owner: str) -> int:
    names: Sequence[str] = mixed.names or ()
    if isinstance(which, str):
        if which not in names:
            known = f"the columns are {list(names)[:10]}" if names else "X has no column names"
            raise InvalidParameterError(
                f"{owner}: categorical_features names {which!r}, but {known}."
            )
        return list(names).index(which)
    if not isinstance(which, int) or not 0 <= which < mixed.n_features:
        raise InvalidParameterError(
            f"{owner}: categorical_features holds {which!r}; positions lie in "
            f"[0, {mixed.n_features - 1}]."
        )
    return which


def refuse_other_width(known: ColumnCategories, table: Table) -> None:
    """Refuse a table of another number of columns than was learnt."""
    if len(known.of) != table.n_features:
        raise InvalidDataError(
            f"X has {table.n_features} features, but {table.owner} is expecting {len(known.of)} "
            "features as input."
        )
