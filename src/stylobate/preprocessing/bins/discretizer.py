"""Numbers as bins."""

from __future__ import annotations

import warnings
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base import (
    BaseEstimator,
    Interval,
    Numbers,
    Options,
    RandomState,
    Tags,
    TransformerMixin,
)
from stylobate.base.batches import batch_door, first_batch, refuse_weighted
from stylobate.base.constraints import Constraint
from stylobate.base.tags import Tier
from stylobate.base.validation import input_names
from stylobate.data import read_table
from stylobate.data.streams import Stream
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    StylobateWarning,
)
from stylobate.preprocessing.bins.edges import best_line_partition, weighted_quantiles
from stylobate.preprocessing.scaling.subsample import sampled_rows
from stylobate.statistics import ColumnRange, Source
from stylobate.statistics.columns.order_statistics import (
    averaged_places,
    linear_places,
    quantiles_of,
)

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


_METHODS = (
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
)
_BY_COUNTS = {"averaged_inverted_cdf": averaged_places, "linear": linear_places}
_NARROW = 1e-8  # bins no wider than this, or than this part of the column's range, are no bins


class Edges(Constraint):
    """Increasing numbers, or a list of such lists."""

    words = "increasing numbers (inf allowed), or one list of them per column"

    def accepts(self, value: Any) -> bool:
        if isinstance(value, str) or not hasattr(value, "__len__") or len(value) < 1:
            return False
        if all(hasattr(each, "__len__") and not isinstance(each, str) for each in value):
            return all(_increasing(each) for each in value)
        return _increasing(value)


class KBinsDiscretizer(TransformerMixin, BaseEstimator):
    """Cut each column into bins.

    Parameters
    ----------
    n_bins : int in [2, inf) or array-like of shape (n_features,), default=5
        Bins of each column.
    encode : {"onehot", "onehot-dense", "ordinal"}, default="onehot"
        One column per bin, sparse or dense, or the number of the bin.
    strategy : {"uniform", "quantile", "kmeans", "edges"}, default="quantile"
        Equal widths, equal counts, the partition of least squared distance to the bins' centres,
        or as given in `edges`. scikit-learn runs Lloyd's iterations for "kmeans"; here the best
        partition is found exactly.
    quantile_method : str, default="averaged_inverted_cdf"
        As `method` of `numpy.percentile`; with weights "inverted_cdf" or "averaged_inverted_cdf".
    dtype : {numpy.float64, numpy.float32}, default=None
        Of the result; None: as X.
    subsample : int in [1, inf), default=200_000
        Rows drawn (with replacement, by weight) if there are more; None: all. Of a stream the same
        rows are drawn as in memory; without weights if there are more.
    random_state : int, RandomState or None, default=None
        Draws the subsample.
    edges : increasing numbers, or one such list per column, default=None
        For ``strategy="edges"``: bins [e₀, e₁), [e₁, e₂), …, named after their intervals. Values
        beyond the outer edges belong to the outer bins; ``inf`` says so in the name.

    Attributes
    ----------
    bin_edges_ : array of shape (n_features,) of arrays
        Edges of each column.
    n_bins_ : array of shape (n_features,)
        Bins of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> ages = np.array([[3.0], [17.0], [62.0]])
    >>> bins = KBinsDiscretizer(strategy="edges", edges=[0, 5, 50, np.inf], encode="onehot-dense")
    >>> bins.fit_transform(ages)
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    >>> list(bins.get_feature_names_out(["age"]))
    ['age_[0, 5)', 'age_[5, 50)', 'age_[50, inf)']
    """

    def __init__(
        self,
        n_bins: Annotated[int, Interval(2, inf)] | Annotated[Any, Numbers(2, inf)] = 5,
        *,
        encode: Annotated[str, Options("onehot", "onehot-dense", "ordinal")] = "onehot",
        strategy: Annotated[str, Options("uniform", "quantile", "kmeans", "edges")] = "quantile",
        quantile_method: Annotated[str, Options(*_METHODS)] = "averaged_inverted_cdf",
        dtype: Annotated[Any, Options(np.float64, np.float32)] | None = None,
        subsample: Annotated[int, Interval(1, inf)] | None = 200_000,
        random_state: RandomState = None,
        edges: Annotated[Any, Edges()] | None = None,
    ) -> None:
        self.n_bins = n_bins
        self.encode = encode
        self.strategy = strategy
        self.quantile_method = quantile_method
        self.dtype = dtype
        self.subsample = subsample
        self.random_state = random_state
        self.edges = edges

    def _tags(self) -> Tags:
        tags = super()._tags().but(preserves_dtype=("float64", "float32"))
        return tags.but(tier="one pass" if self.strategy == "edges" else self._tier())

    @property
    def _first_batch_is_enough(self) -> bool:
        return self.strategy == "edges"

    def _tier(self) -> Tier:
        """Of strategies that look at values: a bounded sample of the rows, or all of them."""
        if self.subsample is not None:
            return "several passes"
        if self.strategy == "uniform":
            return "one pass"
        counted = self.strategy == "quantile" and self.quantile_method in _BY_COUNTS
        return "several passes" if counted else "all rows"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the edges.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, None, sample_weight, reset=True)
        self._refuse_method(table.weights)
        self._fit_rows(*self._sampled(np.asarray(table.x, dtype=np.float64), table.weights))
        return self

    def _fit_rows(self, x: Array, weights: Array | None) -> None:
        """Find the edges from the rows that count."""
        counts = self._counts(x.shape[1])
        self._constants: dict[int, float] = {}
        edges = []
        for j in range(x.shape[1]):
            given = self._given_edges(j) if self.strategy == "edges" else None
            edges.append(
                self._column(x[:, j], weights, int(counts[j]), j) if given is None else given
            )
        self._store(edges)

    def _store(self, edges: list[Array]) -> None:
        self.bin_edges_ = np.empty(len(edges), dtype=object)
        for j, each in enumerate(edges):
            self.bin_edges_[j] = each
        self.n_bins_ = np.array([len(each) - 1 for each in edges], dtype=np.int64)

    def _fit_stream(self, stream: Stream) -> Self:
        """From the rows that memory would draw; without a subsample by ranges or exact counts."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        owner = type(self).__name__
        head = first_batch(stream, owner)
        self._refuse_method(head.weights)
        if self.strategy == "edges":
            table = self._read(head.x, None, head.weights, reset=True)
            self._fit_rows(np.asarray(table.x, dtype=np.float64), None)
            return self
        door = batch_door(
            lambda batch, reset: self._read(batch.x, None, batch.weights, reset=reset)
        )
        if self.subsample is not None:
            limit = int(self.subsample)
            table, count = sampled_rows(stream, door, limit, self._drawn, owner)
            if count > limit and head.weights is not None:
                refuse_weighted(owner, stream, "drawing rows by their weights")
            self._fit_rows(np.asarray(table.x, dtype=np.float64), table.weights)
            return self
        if head.weights is not None and self.strategy == "quantile":
            refuse_weighted(owner, stream, "quantiles of weighted rows")
        source = self._source(stream, door)
        found = source.compute(ColumnRange)
        counts = self._counts(source.n_features)
        self._constants = {}
        quantiles = self._counted_quantiles(source, counts)
        self._store(
            [
                self._edges(float(found.low[j]), float(found.high[j]), int(k), j, quantiles.get(j))
                for j, k in enumerate(counts)
            ]
        )
        return self

    def _counted_quantiles(self, source: Source, counts: NDArray[np.int64]) -> dict[int, Array]:
        """Quantiles by passes that count, exactly; of all columns with as many bins together."""
        found: dict[int, Array] = {}
        if self.strategy == "quantile":
            for k in np.unique(counts):
                places = _BY_COUNTS[self.quantile_method](np.linspace(0.0, 100.0, k + 1) / 100.0)
                edges = quantiles_of(source, places)
                found |= {int(j): edges[:, j] for j in np.flatnonzero(counts == k)}
        return found

    def _refuse_method(self, weights: Array | None) -> None:
        if (self.strategy == "edges") != (self.edges is not None):
            raise InvalidParameterError(
                "KBinsDiscretizer: strategy='edges' and edges=[…] need each other, got strategy="
                f"{self.strategy!r}, edges={self.edges!r}."
            )
        allowed = ("inverted_cdf", "averaged_inverted_cdf")
        if (
            weights is not None
            and self.strategy == "quantile"
            and self.quantile_method not in allowed
        ):
            raise InvalidParameterError(
                "KBinsDiscretizer: When fitting with strategy='quantile' and sample weights, "
                "quantile_method should either be set to 'averaged_inverted_cdf' or "
                f"'inverted_cdf', got quantile_method='{self.quantile_method}' instead."
            )

    def _sampled(self, x: Array, weights: Array | None) -> tuple[Array, Array | None]:
        if weights is not None and not weights.all():
            x, weights = x[weights > 0], weights[weights > 0]
        if self.subsample is None or len(x) <= self.subsample or self.strategy == "edges":
            return x, weights
        return x[self._drawn(len(x), weights)], None

    def _drawn(self, n_rows: int, weights: Array | None = None) -> Indices:
        """The numbers of the rows drawn."""
        seed = self.random_state
        if isinstance(seed, np.random.RandomState):
            seed = int(seed.randint(np.iinfo(np.int32).max))
        chance = None if weights is None else weights / weights.sum()
        assert self.subsample is not None
        return np.random.default_rng(seed).choice(n_rows, int(self.subsample), p=chance)

    def _counts(self, p: int) -> NDArray[np.int64]:
        if np.ndim(self.n_bins) == 0:
            return np.full(p, self.n_bins, dtype=np.int64)
        given = np.asarray(self.n_bins)
        if len(given) != p:
            raise InvalidParameterError(
                "KBinsDiscretizer: n_bins must be a scalar or array of shape (n_features,), got "
                f"{len(given)} numbers for {p} features."
            )
        if (given != given.astype(np.int64)).any():
            wrong = ", ".join(map(str, np.flatnonzero(given != given.astype(np.int64))))
            raise InvalidParameterError(
                f"KBinsDiscretizer received an invalid number of bins at indices {wrong}. Number "
                "of bins must be at least 2, and must be an int."
            )
        return given.astype(np.int64)

    def _given_edges(self, j: int) -> Array:
        given: Any = self.edges
        if not hasattr(given[0], "__len__"):
            return np.asarray(given, dtype=np.float64)
        if len(given) != self.n_features_in_:
            raise InvalidParameterError(
                f"KBinsDiscretizer: edges has {len(given)} lists for {self.n_features_in_} "
                "features; pass one for each, or one for all."
            )
        return np.asarray(given[j], dtype=np.float64)

    def _column(self, x: Array, weights: Array | None, k: int, j: int) -> Array:
        low, high = float(x.min()), float(x.max())
        edges = None
        if low < high and self.strategy == "quantile":
            edges = self._quantiles(x, weights, np.linspace(0.0, 100.0, k + 1))
        elif low < high and self.strategy == "kmeans":
            own = np.ones(len(x)) if weights is None else weights
            centres = best_line_partition(x, own, k)
            edges = np.concatenate([[low], (centres[1:] + centres[:-1]) / 2, [high]])
        return self._edges(low, high, k, j, edges)

    def _edges(self, low: float, high: float, k: int, j: int, edges: Array | None) -> Array:
        """The edges of a column of known range; of equal widths where none are given."""
        if low == high:
            self._warn(f"Feature {j} is constant and will be replaced with 0.")
            self._constants[j] = low
            return np.array([-inf, inf])
        if edges is None:
            shares = np.linspace(0.0, 1.0, k + 1)
            return np.asarray(
                low * (1 - shares) + high * shares
                if high - low == inf
                else np.linspace(low, high, k + 1)
            )
        narrow = _NARROW * min(1.0, high - low)
        kept = edges[np.ediff1d(edges, to_begin=inf) > narrow]
        if len(kept) != k + 1:
            self._warn(
                "Bins whose width are too small (i.e., <= 1e-8) in feature "
                f"{j} are removed. Consider decreasing the number of bins."
            )
        return np.asarray(kept)

    def _quantiles(self, x: Array, weights: Array | None, percents: Array) -> Array:
        if weights is None:
            method: Any = self.quantile_method
            return np.asarray(np.percentile(x, percents, method=method), dtype=np.float64)
        average = self.quantile_method == "averaged_inverted_cdf"
        return weighted_quantiles(x, weights, percents / 100.0, average=average)

    def _warn(self, message: str) -> None:
        warnings.warn(message, StylobateWarning, stacklevel=user_stacklevel())

    def _check_loaded(self) -> None:
        """Refuse edges of a file that are not those of its bins."""
        if "bin_edges_" in vars(self) and not all(
            isinstance(edges, np.ndarray)
            and edges.dtype.kind in "iuf"
            and edges.shape == (bins + 1,)
            and bins >= 1
            and bool((edges[1:] > edges[:-1]).all())
            for edges, bins in zip(self.bin_edges_, self.n_bins_, strict=True)
        ):
            raise ModelFileError("The KBinsDiscretizer of the file has edges of other bins.")

    def transform(self, X: Any) -> Any:
        """The bins of the values of X.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array, sparse array or frame
            Numbers of bins, or a column of zeros and ones for each bin.
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        kind = table.x.dtype if self.dtype is None else np.dtype(self.dtype)
        codes = np.empty(table.x.shape, dtype=np.int64)
        for j, edges in enumerate(self.bin_edges_):
            codes[:, j] = np.searchsorted(edges[1:-1], table.x[:, j], side="right")
        if self.encode == "ordinal":
            return self._wrap(codes.astype(kind), table)
        columns = codes + self._offsets[:-1]
        width = int(self._offsets[-1])
        if self.encode == "onehot":
            from scipy import sparse

            n, p = codes.shape
            starts = np.arange(0, n * p + 1, p)
            parts = (np.ones(n * p, dtype=kind), columns.ravel(), starts)
            return self._wrap(sparse.csr_array(parts, shape=(n, width)), table)
        out = np.zeros((len(codes), width), dtype=kind)
        np.put_along_axis(out, columns, 1, axis=1)
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import bin_number, indicators

        numbers = [
            bin_number(column, edges[1:-1])
            for column, edges in zip(columns, self.bin_edges_, strict=True)
        ]
        if self.encode == "ordinal":
            return numbers
        made: list[Expression] = []
        for column, count in zip(numbers, map(int, self.n_bins_), strict=True):
            made += indicators(column, np.arange(float(count)), np.arange(count), count)
        return made

    @property
    def _offsets(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.n_bins_)])

    def inverse_transform(self, X: Any) -> Any:
        """The centres of bins; of a bin that has no end, its other end.

        Parameters
        ----------
        X : array-like or sparse
            What `transform` gave.

        Returns
        -------
        array of shape (n, n_features)
        """
        self._check_fitted()
        table = read_table(X, owner="KBinsDiscretizer")
        x = table.x.toarray() if table.is_sparse else table.x
        expected = len(self.n_bins_) if self.encode == "ordinal" else int(self._offsets[-1])
        if x.shape[1] != expected:
            raise InvalidDataError(
                f"KBinsDiscretizer: Incorrect number of features. Expecting {expected}, received "
                f"{x.shape[1]}."
            )
        out = np.empty((len(x), len(self.n_bins_)), dtype=x.dtype)
        for j, (start, edges) in enumerate(zip(self._offsets[:-1], self.bin_edges_, strict=True)):
            own = slice(start, start + self.n_bins_[j])
            codes = (
                x[:, j].astype(np.int64) if self.encode == "ordinal" else x[:, own].argmax(axis=1)
            )
            out[:, j] = self._centres(edges, j)[codes]
        return out

    def _centres(self, edges: Array, j: int) -> Array:
        if j in self._constants:
            return np.array([self._constants[j]])
        low, high = edges[:-1], edges[1:]
        with np.errstate(invalid="ignore"):
            middle = low / 2 + high / 2
        middle = np.where(np.isinf(high), low, middle)
        return np.asarray(np.where(np.isinf(low), high, middle))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names such as ``"age_2.0"``, or ``"age_[5, 10)"`` where the edges were given.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        names = input_names(self, input_features)
        if self.encode == "ordinal":
            return names
        found = []
        for name, edges in zip(names, self.bin_edges_, strict=True):
            for k in range(len(edges) - 1):
                low, high = edges[k], edges[k + 1]
                bin_ = f"[{low:g}, {high:g})" if self.strategy == "edges" else f"{float(k)}"
                found.append(f"{name}_{bin_}")
        return np.array(found, dtype=object)


def _increasing(values: Any) -> bool:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return array.ndim == 1 and len(array) > 1 and bool((array[1:] > array[:-1]).all())
