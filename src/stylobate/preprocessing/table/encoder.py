"""Any table as a numeric design."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, Numbers, Options, Tags
from stylobate.data.kinds import Schema
from stylobate.data.kinds.inference import schema_of
from stylobate.data.mixed_columns import MixedColumns
from stylobate.exceptions import InvalidDataError
from stylobate.preprocessing.encoding.allowed import KindsByName
from stylobate.preprocessing.encoding.categories import ColumnEncoder
from stylobate.preprocessing.table.durations import DurationPart, date_pairs
from stylobate.preprocessing.table.loaded_parts import check_table
from stylobate.preprocessing.table.parts import CodePart, Part, PlacePart
from stylobate.preprocessing.table.plan import number_options, parts_of
from stylobate.preprocessing.table.streams import EncodesTableStreams

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class TableEncoder(EncodesTableStreams, ColumnEncoder):
    """Any table as numbers without a gap, each column by its kind.

    Numbers stay (missing ones become the median, and a column marks them), two values become 0 and
    1, steps their rank, categories zeros and ones with rare ones merged, dates calendar and cycles
    (of two to four columns of dates also the days between each two),
    coordinates points on a sphere; constants, identifiers and (unless `text` says otherwise)
    sentences are left out, and `summary` says so. Categories, spellings and gaps never seen before
    are no error afterwards. Of a stream the kinds are told by one pass, from all different values
    of a column while there are no more than 50,000, else from so many and an estimate of their
    number; what the parts learn takes further passes. For means, likeness and tf-idf a stream's
    rows are collected.

    Parameters
    ----------
    kinds : mapping from name to kind, Schema or None, default=None
        Kinds you know better than the values tell; see `stylobate.data.kinds.KINDS`. A schema of
        all columns is taken as it is, and nothing is inferred.
    scale : bool, default=False
        Whether numbers get mean 0 and standard deviation 1.
    missing : {"mark", "fill"}, default="mark"
        Whether gaps seen at `fit` get a column of their own besides being filled.
    categories : {"ones", "codes"}, default="ones"
        How a nominal feature is written: a column of zeros and ones for each category, or one
        column of whole numbers, NaN for what is missing or unseen, for models that split categories
        themselves (trees). With "codes" gaps of numbers stay NaN as well.
    max_categories : int in [2, inf), default=20
        Columns of a nominal feature at most (of codes, 255); the rarest categories share one.
    many : {"merge", "target", "similar", "both"}, default="merge"
        For features with more categories: merge the rare ones; the cross-fitted mean target (see
        `TargetEncoder`); the likeness to each of the `max_categories` commonest ones, by runs of
        letters they share; or means, and likeness where the names resemble each other ("police
        officer II", "police officer III").
    target_type : {"auto", "continuous", "binary", "multiclass"}, default="auto"
        What y is, for means of it; "auto" takes few whole numbers for classes.
    text : {"drop", "hash", "tfidf", "svd"}, default="drop"
        For sentences: leave them out; count words by hash; the tf-idf weights of words, pairs of
        words and (of texts of two million letters in all at most) runs of three to five letters,
        which makes the design a sparse array, for linear models; or the leading singular directions
        of those weights, for others.
    n_hashed : int in [1, inf), default=32
        Columns of each hashed text.
    max_terms : int in [1, inf), default=20000
        Words, and runs of letters, of each text that are weighted: those that occur most.
    n_directions : int in [1, inf), default=30
        Columns of each text with "svd".
    points : array-like of shape (m, 2) or None, default=None
        Latitudes and longitudes to give distances to, in kilometres.

    Attributes
    ----------
    schema_ : Schema
        What each column was found to be, and why.
    dropped_ : dict
        Columns left out, with the reason.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({
    ...     "price": ["$1,200", "$350", "n/a", "$80"],
    ...     "colour": ["red", "blue", "red", "green"],
    ...     "sold": ["yes", "no", "no", "yes"],
    ... })
    >>> TableEncoder().fit_transform(frame).iloc[2].to_dict()
    {'price': 350.0, 'price_missing': 1.0, 'colour_blue': 0.0, 'colour_green': 0.0,
     'colour_red': 1.0, 'sold_yes': 0.0}
    >>> said = pd.DataFrame({"said": ["a good film", "a bad film", "good", "no good", "so bad"]})
    >>> words = TableEncoder(kinds={"said": "text"}, text="tfidf").fit(said)
    >>> [name for name in words.get_feature_names_out() if "~" not in name]
    ['said_bad', 'said_film', 'said_good']
    """

    def __init__(
        self,
        *,
        kinds: Annotated[Any, KindsByName()] | None = None,
        scale: bool = False,
        missing: Annotated[str, Options("mark", "fill")] = "mark",
        categories: Annotated[str, Options("ones", "codes")] = "ones",
        max_categories: Annotated[int, Interval(2, inf)] = 20,
        many: Annotated[str, Options("merge", "target", "similar", "both")] = "merge",
        target_type: Annotated[str, Options("auto", "continuous", "binary", "multiclass")] = "auto",
        text: Annotated[str, Options("drop", "hash", "tfidf", "svd")] = "drop",
        n_hashed: Annotated[int, Interval(1, inf)] = 32,
        max_terms: Annotated[int, Interval(1, inf)] = 20_000,
        n_directions: Annotated[int, Interval(1, inf)] = 30,
        points: Annotated[Any, Numbers(-180, 180, closed="both", ndim=2)] | None = None,
    ) -> None:
        self.kinds = kinds
        self.scale = scale
        self.missing = missing
        self.categories = categories
        self.max_categories = max_categories
        self.many = many
        self.target_type = target_type
        self.text = text
        self.n_hashed = n_hashed
        self.max_terms = max_terms
        self.n_directions = n_directions
        self.points = points

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the kinds and learn how each column becomes numbers.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Columns of any kind.
        y : array-like of shape (n,), optional
            Target, needed for ``many="target"``.

        Returns
        -------
        self
        """
        columns = self._plan(X, y)
        for part, places in self._parts:
            part.fit(_taken(columns, places), y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return the design; means of the target are cross-fitted.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Columns of any kind.
        y : array-like of shape (n,), optional
            Target, needed for ``many="target"``.

        Returns
        -------
        array or frame of shape (n, n_columns)
        """
        columns = self._plan(X, y)
        blocks = [part.fit_transform(_taken(columns, at), y) for part, at in self._parts]
        return self._wrap(_joined(blocks, columns.n_rows), columns)  # type: ignore[arg-type]

    def _plan(self, X: Any, y: Any) -> MixedColumns:
        """Choose a part for each column."""
        self._check_parameters()
        columns: MixedColumns = self._read_columns(X, reset=True)
        if isinstance(self.kinds, Schema):
            self.schema_ = self.kinds
        else:
            schema = schema_of(columns)
            self.schema_ = schema if self.kinds is None else schema.with_kinds(self.kinds)
        self._choose_parts(columns, y)
        return columns

    def _tags(self) -> Tags:
        learnt = self.many != "merge" or self.text in ("tfidf", "svd")
        tier = "all rows" if learnt else "several passes"
        return super()._tags().but(tier=tier)

    def _choose_parts(self, columns: MixedColumns | None, y: Any) -> None:
        self.dropped_: dict[str, str] = {}
        self._parts: list[tuple[Part, tuple[int, ...]]] = []
        place = {name: j for j, name in enumerate(self.schema_.names)}
        paired: set[str] = set()
        for j, column in enumerate(self.schema_):
            if column.name in paired:
                continue
            partner = place.get(column.partner or "")
            if column.kind == "geospatial" and partner is not None:
                paired.add(str(column.partner))
                north, east = sorted((j, partner), key=lambda k: "lat" not in self._name(k).lower())
                pair = PlacePart(self.schema_.columns[north], self.points, scale=self.scale)
                self._parts.append((pair, (north, east)))
                continue
            made = parts_of(self, column, None if columns is None else columns.values[j], y)
            if not made:
                self.dropped_[column.name] = f"{column.kind}: {column.reason}"
            self._parts += [(part, (j,)) for part in made]
        for first, second in date_pairs(self.schema_):
            ends = self.schema_.columns[first], self.schema_.columns[second]
            days = DurationPart(ends[0], ends[1], **number_options(self))
            self._parts.append((days, (first, second)))

    def _name(self, j: int) -> str:
        return self.schema_.columns[j].name

    def transform(self, X: Any) -> Any:
        """The design of new rows, with the same columns whatever they hold.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_columns)
        """
        self._check_fitted()
        columns = self._read_columns(X, reset=False)
        blocks = [part.transform(_taken(columns, at)) for part, at in self._parts]
        return self._wrap(_joined(blocks, columns.n_rows), columns)

    def _check_loaded(self) -> None:
        """Refuse parts of a file that are none, or of other columns."""
        check_table(self, Part)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        return [each for part, at in self._parts for each in part.formula([columns[j] for j in at])]

    def _units(self) -> tuple[Array, Array]:
        """What is subtracted from each output column, and what it is then divided by."""
        pairs = [pair for part, _ in self._parts for pair in part.units()]
        shifts, spreads = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
        return shifts, spreads

    def inverse_transform(self, X: Any) -> NDArray[np.object_]:
        """The table that gives such a design; None where that cannot be known.

        Numbers, two values, steps and categories come back; dates, places, hashed text, means and
        columns left out do not.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            What `transform` returns.

        Returns
        -------
        array of objects of shape (n, n_features)
        """
        from stylobate.data import read_table

        self._check_fitted()
        gaps: Any = "allow-nan" if self.categories == "codes" else "now"
        table = read_table(X, owner=type(self).__name__, accept_sparse=False, check_finite=gaps)
        width = sum(len(part.names) for part, _ in self._parts)
        if table.n_features != width:
            raise InvalidDataError(
                f"Shape of the passed X data is not correct. Expected {width} columns, got "
                f"{table.n_features}."
            )
        out = np.full((table.n_rows, self.n_features_in_), None, dtype=object)
        start = 0
        for part, at in self._parts:
            stop = start + len(part.names)
            found = part.invert(np.asarray(table.x[:, start:stop], dtype=np.float64))
            if found is not None:
                out[:, at[0]] = found
            start = stop
        return out

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns made, such as ``"colour_red"``.

        Parameters
        ----------
        input_features : array-like of str, optional
            For compatibility: the names are those seen at `fit`.

        Returns
        -------
        array of str objects
        """
        from stylobate.base.validation import input_names

        self._check_fitted()
        input_names(self, input_features)
        return np.array([name for part, _ in self._parts for name in part.names], dtype=object)

    @property
    def categorical_(self) -> NDArray[np.bool_]:
        """Which output columns are codes of categories."""
        self._check_fitted()
        return np.array([isinstance(p, CodePart) for p, _ in self._parts for _ in p.names], bool)

    def summary(self) -> str:
        """What became of each column, as a table of at most 100 characters a line."""
        self._check_fitted()
        made: dict[int, list[str]] = {}
        for part, at in self._parts:
            for j in at:
                made[j] = made.get(j, []) + part.names
        lines = []
        for j, column in enumerate(self.schema_):
            names = made.get(j)
            name = _clipped(column.name, 24)
            lines.append((name, column.kind, _shown(names, column.name), column.reason))
        widths = [max((len(line[k]) for line in lines), default=0) for k in range(3)]
        room = max(100 - sum(widths) - 6, 12)
        return "\n".join(
            f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c:<{widths[2]}}  {_clipped(d, room)}"
            for a, b, c, d in lines
        )


def _shown(names: list[str] | None, column: str) -> str:
    """The first output columns in at most 36 characters; how many there are, if more."""
    if names is None:
        return "left out"
    if len(names) <= 3 and len(listed := ", ".join(names)) <= 36:
        return listed
    own = [name.removeprefix(f"{column}_") for name in names[:2]]
    return f"{len(names)} columns: " + _clipped(", ".join(own) + ", …", 24)


def _clipped(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _taken(columns: MixedColumns, places: tuple[int, ...]) -> Any:
    if len(places) == 1:
        return columns.values[places[0]]
    return tuple(columns.values[j] for j in places)


def _joined(blocks: list[Any], n_rows: int) -> Any:
    if not any(hasattr(each, "tocsr") for each in blocks):
        return np.column_stack(blocks) if blocks else np.empty((n_rows, 0))
    from scipy.sparse import csr_array, hstack

    return csr_array(hstack(blocks, format="csr"))
