"""UMAP, a map of rows that keeps neighbours together."""

from __future__ import annotations

import warnings
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, Numbers, Options, RandomState, Tags, TransformerMixin
from stylobate.base.randomness import seed_of
from stylobate.data.words import user_stacklevel
from stylobate.distances import Precomputed, measured
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.manifold.umap.fuzzy_graph import fuzzy_graph, neighbourhoods
from stylobate.manifold.umap.layout import LayoutRequest
from stylobate.manifold.umap.loaded import check_map
from stylobate.manifold.umap.membership_curve import membership_curve
from stylobate.manifold.umap.start import given_start, pca_start, random_start, spectral_start
from stylobate.manifold.umap.target_graph import (
    class_codes,
    target_numbers,
    with_classes,
    with_numbers,
)
from stylobate.neighbors.base import Algorithm, Metric, MetricEstimator, MetricParams
from stylobate.neighbors.unsupervised import NearestNeighbors

if TYPE_CHECKING:
    from stylobate.manifold.quality.embedding_quality import EmbeddingQuality

Share = Annotated[float, Interval(0, 1, closed="both")]
Positive = Annotated[float, Interval(0, inf, closed="neither")]
NonNegative = Annotated[float, Interval(0, inf)]

_FEW_ROWS = 10_000  # up to which a layout has more epochs
_MANY_ROWS = 200_000  # from which on neighbours are found by a graph, of tables too wide for trees
_TREE_COLUMNS = 8
_NUMERIC = ("euclidean", "l2", "manhattan", "l1")  # the same for one target


class UMAP(TransformerMixin, MetricEstimator):
    r"""A map of rows in few dimensions: who is near whom, and little else.

    Rows are joined by their memberships in each other's neighbourhoods,
    :math:`v_{j|i} = e^{-\max(0, d_{ij} - \rho_i) / \sigma_i}`, which sum to
    :math:`\log_2` ``n_neighbors`` for each row; the union of both directions,
    :math:`w_{ij} = v_{j|i} + v_{i|j} - v_{j|i} v_{i|j}`, is the graph. Points
    :math:`y_i` are then placed so that :math:`q_{ij} = 1 / (1 + a\|y_i - y_j\|^{2b})` is near to it
    by the fuzzy cross-entropy, with repulsion from rows drawn by chance.

    All rows move at once, each from the positions at the start of an epoch, by random numbers that
    are a function of seed, epoch and row: **the same seed gives the same map, to the last bit, on
    any number of threads**. Attraction is taken implicitly, so that steps cannot overshoot.
    Neighbours are exact unless ``algorithm`` says otherwise.

    Distances between groups in the map, their sizes and densities mean little; `quality` tells how
    far neighbours can be trusted.

    Parameters
    ----------
    n_neighbors : int in [2, inf), default=15
        Rows of a neighbourhood, the row itself counted: small for detail, large for the whole.
        More than there are rows are reduced, with a warning.
    n_components : int in [1, 256], default=2
        Dimensions of the map.
    metric : str or callable, default="euclidean"
        A name `pairwise_distances` knows, "precomputed" (X is then the square matrix of distances,
        dense or sparse), or a function of two rows.
    metric_kwds : dict or None, default=None
        Further arguments of the metric.
    n_epochs : int in [0, inf) or None, default=None
        How often all rows move; None for 500, from 10 000 rows on 200. 0 gives the start.
    learning_rate : float in (0, inf), default=1.0
        Size of the steps, before each is divided by 1 + rate · stiffness of the row's ties: beyond
        1 little changes.
    init : {"spectral", "pca", "random"} or array of shape (n, n_components), default="spectral"
        First positions: eigenvectors of the graph's normalised Laplacian (parts of the graph
        that are not joined lie apart, by the distances of their best-tied rows), principal
        components, chance, or those given.
    min_dist : float in [0, spread], default=0.1
        How near points may come.
    spread : float in (0, inf), default=1.0
        Scale of the map's distances.
    set_op_mix_ratio : float in [0, 1], default=1.0
        1 joins rows if either is the other's neighbour, 0 if both are.
    local_connectivity : float in [0, inf), default=1.0
        How many nearest rows are full members of a neighbourhood.
    repulsion_strength : float in [0, inf), default=1.0
        Weight of repulsion.
    negative_sample_rate : float in [0, inf), default=5
        Rows a row is pushed from for each it is drawn to. 16 are drawn for each row and epoch, and
        weighted to as many.
    a, b : float in (0, inf) or None, default=None
        Of the curve q; None: fitted to ``min_dist`` and ``spread``.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the start's noise and of the strangers. None draws one (``seed_``).
    target_n_neighbors : int in [2, inf) or -1, default=-1
        Rows of a neighbourhood among numeric targets; -1 for ``n_neighbors``.
    target_metric : {"categorical", "euclidean", "l2", "manhattan", "l1"}, default="categorical"
        Whether y are classes or numbers.
    target_weight : float in [0, 1], default=0.5
        How much y counts: 0 not at all, 1 above all.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute", "hnsw"} or HNSW, default="auto"
        Search for neighbours. "auto": exact; approximate ("hnsw") from 200 000 rows of more than 8
        columns on.
    n_jobs : ignored
        For compatibility; the threads are those of `stylobate.set_threads`.
    verbose : bool or int, default=False
        Whether to print progress.

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
        The map.
    graph_ : csr_array of shape (n, n)
        Weights of the graph, symmetric, with the target's part in them.
    a_, b_ : float
        Of the curve.
    seed_ : int
        What ``random_state`` came to.
    n_epochs_ : int
        Epochs of the layout.
    n_neighbors_ : int
        ``n_neighbors``, reduced where there are fewer rows.
    algorithm_, algorithm_reason_ : str
        How neighbours were found, and why so.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.repeat([[0.0] * 5, [9.0] * 5], 20, axis=0) + rng.normal(size=(40, 5))
    >>> model = UMAP(n_neighbors=10, n_epochs=100, random_state=0).fit(X)
    >>> first, second = model.embedding_[:20], model.embedding_[20:]
    >>> gap = np.linalg.norm(first.mean(axis=0) - second.mean(axis=0))
    >>> bool(gap > 2 * max(first.std(), second.std()))
    True

    References
    ----------
    McInnes, Healy & Melville (2018), UMAP: Uniform manifold approximation and projection for
    dimension reduction, arXiv:1802.03426.
    """

    p = 2  # of a Minkowski metric without one in metric_kwds

    def __init__(
        self,
        n_neighbors: Annotated[int, Interval(2, inf)] = 15,
        n_components: Annotated[int, Interval(1, 256, closed="both")] = 2,
        *,
        metric: Metric = "euclidean",
        metric_kwds: MetricParams = None,
        n_epochs: Annotated[int, Interval(0, inf)] | None = None,
        learning_rate: Positive = 1.0,
        init: Annotated[str, Options("spectral", "pca", "random")]
        | Annotated[Any, Numbers(ndim=2)] = "spectral",
        min_dist: NonNegative = 0.1,
        spread: Positive = 1.0,
        set_op_mix_ratio: Share = 1.0,
        local_connectivity: NonNegative = 1.0,
        repulsion_strength: NonNegative = 1.0,
        negative_sample_rate: NonNegative = 5,
        a: Positive | None = None,
        b: Positive | None = None,
        random_state: RandomState = None,
        target_n_neighbors: Annotated[int, Interval(-1, inf)] = -1,
        target_metric: Annotated[str, Options("categorical", *_NUMERIC)] = "categorical",
        target_weight: Share = 0.5,
        algorithm: Algorithm = "auto",
        n_jobs: int | None = None,
        verbose: bool | int = False,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.metric = metric
        self.metric_kwds = metric_kwds
        self.n_epochs = n_epochs
        self.learning_rate = learning_rate
        self.init = init
        self.min_dist = min_dist
        self.spread = spread
        self.set_op_mix_ratio = set_op_mix_ratio
        self.local_connectivity = local_connectivity
        self.repulsion_strength = repulsion_strength
        self.negative_sample_rate = negative_sample_rate
        self.a = a
        self.b = b
        self.random_state = random_state
        self.target_n_neighbors = target_n_neighbors
        self.target_metric = target_metric
        self.target_weight = target_weight
        self.algorithm = algorithm
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags(self) -> Tags:
        return super()._tags().but(multi_output=False, preserves_dtype=("float64", "float32"))

    def _metric_parameters(self) -> dict[str, Any] | None:
        parameters: dict[str, Any] | None = self.metric_kwds
        return parameters

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def fit(self, X: Any, y: Any = None) -> Self:
        """Place the rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, or their distances with ``metric="precomputed"``.
        y : array-like of shape (n,), default=None
            Classes of any kind (-1, NaN and None for those not known) or, with another
            ``target_metric``, numbers (NaN for those not known): rows of unlike y are drawn apart.

        Returns
        -------
        self
        """
        self._fitted(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Place the rows, and return where they are.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        table = self._fitted(X, y)
        return self._wrap(self.embedding_, table)

    def _fitted(self, X: Any, y: Any) -> Any:
        self._check_parameters()
        self.a_, self.b_ = self._curve()
        table = self._read(X, reset=True)
        rows = self._checked_rows(table.x)
        n = rows.shape[0]
        self.seed_ = seed_of(self.random_state)
        self.n_neighbors_ = self._count(n)
        self.n_epochs_ = self._epochs(n)
        self._index = self._remembered(X, rows)
        self.algorithm_ = self._index.algorithm_
        self.algorithm_reason_ = self._index.algorithm_reason_
        self.graph_ = self._graph(n, y)
        positions = self._layout(self.n_epochs_).of_graph(self.graph_, self._start(rows))
        self.embedding_ = positions.astype(table.x.dtype, copy=False)
        return table

    def _curve(self) -> tuple[float, float]:
        if self.a is not None and self.b is not None:
            return float(self.a), float(self.b)
        if self.a is not None or self.b is not None:
            raise InvalidParameterError(
                "UMAP: a and b go together; give both, or none to have them follow from min_dist "
                "and spread."
            )
        return membership_curve(self.min_dist, self.spread)

    def _count(self, n: int) -> int:
        """Rows of a neighbourhood."""
        if self.n_neighbors <= n:
            return int(self.n_neighbors)
        if n > 1:
            warnings.warn(
                f"UMAP: n_neighbors={self.n_neighbors} is larger than the {n} rows of X; "
                f"n_neighbors={n} is used.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        return n

    def _epochs(self, n: int) -> int:
        if self.n_epochs is not None:
            return int(self.n_epochs)
        return 500 if n <= _FEW_ROWS else 200

    def _remembered(self, X: Any, rows: Any) -> NearestNeighbors:
        algorithm = self.algorithm
        n, columns = rows.shape
        wide = n >= _MANY_ROWS and columns > _TREE_COLUMNS and isinstance(rows, np.ndarray)
        if algorithm == "auto" and wide and self._metric.graph:
            algorithm = "hnsw"
        model = NearestNeighbors(
            algorithm=algorithm, metric=self.metric, p=self.p, metric_params=self.metric_kwds
        )
        model._metric = self._metric
        model.n_features_in_ = self.n_features_in_
        model._remember(rows)
        return model

    def _graph(self, n: int, y: Any) -> Any:
        from scipy.sparse import csr_array

        others = self.n_neighbors_ - 1
        if others == 0:
            self._mean_distance = 0.0
            return csr_array((n, n), dtype=np.float64)
        distances, rows = self._index._nearest(None, others)
        self._mean_distance = float(distances.mean())
        found = neighbourhoods(distances, rows, self.local_connectivity, self._mean_distance)
        graph = fuzzy_graph(found, self.set_op_mix_ratio)
        if y is None:
            return graph
        if self.target_metric == "categorical":
            return with_classes(graph, class_codes(y, n), self.target_weight)
        count = self.target_n_neighbors if self.target_n_neighbors > 1 else self.n_neighbors_
        return with_numbers(graph, target_numbers(y, n), count, self.target_weight)

    def _start(self, rows: Any) -> NDArray[Any]:
        n, d = rows.shape[0], self.n_components
        if not isinstance(self.init, str):
            return given_start(self.init, n, d)
        if n == 1:
            return np.zeros((1, d))
        if self.init == "random":
            return random_start(n, d, self.seed_)
        if self.init == "spectral":
            return spectral_start(self.graph_, d, self.seed_, self._distances_among)
        if isinstance(self._metric, Precomputed):
            raise InvalidParameterError(
                "UMAP: init='pca' needs rows, and metric='precomputed' gives distances; use "
                "init='spectral' or 'random'."
            )
        return pca_start(rows, d, self.seed_)

    def _distances_among(self, which: Any) -> Array:
        rows = self._index._fit_X[which]
        if isinstance(self._metric, Precomputed):
            given = rows[:, which]
            return np.asarray(given.toarray() if hasattr(given, "toarray") else given)
        return np.asarray(measured(rows, rows, self._index._metric).write())

    def _layout(self, epochs: int) -> LayoutRequest:
        return LayoutRequest(
            self.a_,
            self.b_,
            float(self.learning_rate),
            float(self.repulsion_strength) * float(self.negative_sample_rate),
            epochs,
            self.seed_,
            bool(self.verbose),
        )

    def transform(self, X: Any) -> Any:
        """Place new rows among those of the fit, which stay where they are.

        A row begins at the mean of its nearest rows' places, weighted by memberships, and moves by
        the same forces. One that equals a row of the fit takes its place. Where a row comes to lie
        does not depend on the rows that come with it.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with ``metric="precomputed"`` distances to the rows of the fit.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        queries = table.x.tocsr() if table.is_sparse else table.x
        others = max(self.n_neighbors_ - 1, 1)
        distances, rows = self._index._nearest(queries, others)
        found = neighbourhoods(distances, rows, self.local_connectivity, self._mean_distance)
        members = found.memberships()
        known = self.embedding_
        shares = members / members.sum(axis=1, keepdims=True)
        start = np.einsum("ij,ijk->ik", shares, known[rows])
        epochs = self.n_epochs_ // 3
        placed = self._layout(epochs).of_new_rows(rows, members, known, start)
        same = distances[:, 0] == 0.0
        placed = placed.astype(known.dtype)
        placed[same] = known[rows[same, 0]]
        return self._wrap(placed.astype(table.x.dtype, copy=False), table)

    def quality(self, n_neighbors: int | None = None, **options: Any) -> EmbeddingQuality:
        """How far the map can be trusted: neighbours kept, trustworthiness, continuity.

        Parameters
        ----------
        n_neighbors : int in [1, inf), default=None
            Of the measures; None for that of the fit.
        **options
            Of `stylobate.manifold.embedding_quality`, such as ``sample``.

        Returns
        -------
        EmbeddingQuality
        """
        from stylobate.manifold.quality.embedding_quality import embedding_quality

        self._check_fitted()
        k = self.n_neighbors_ - 1 if n_neighbors is None else n_neighbors
        given = isinstance(self._metric, Precomputed)
        metric = "precomputed" if given else self._index._metric
        return embedding_quality(
            self._index._fit_X, self.embedding_, n_neighbors=k, metric=metric, **options
        )

    def _check_loaded(self) -> None:
        """Refuse a file whose map and rows do not belong together."""
        if "embedding_" in vars(self):
            check_map(self)
