"""t-distributed stochastic neighbour embedding."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval, Options, RandomState, Tags, TransformerMixin
from stylobate.base.constraints import CallableObject, Numbers
from stylobate.base.randomness import stream_of
from stylobate.data import Table
from stylobate.distances import Precomputed
from stylobate.exceptions import InvalidDataError, ModelFileError
from stylobate.manifold.tsne.affinities import (
    AFFINITIES,
    EdgeLists,
    conditional_affinities,
    joint_affinities,
    neighbour_count,
)
from stylobate.manifold.tsne.descent import Descent, DescentResult, Repulsion, Watch
from stylobate.manifold.tsne.placement import place
from stylobate.manifold.tsne.settings import (
    MOST_DIMENSIONS,
    chosen_method,
    learning_rates,
    perplexities_of,
    refuse_rows,
    stages_of,
)
from stylobate.manifold.tsne.start import component_start, given_start, random_start
from stylobate.neighbors.base import Metric, MetricParams, NeighborsBase

if TYPE_CHECKING:
    from stylobate.manifold.quality.embedding_quality import EmbeddingQuality
    from stylobate.manifold.quality.stability import EmbeddingStability

Positive = Annotated[float, Interval(0, inf, closed="neither")]


class TSNE(TransformerMixin, NeighborsBase):
    r"""A map on which near rows stay near: t-distributed stochastic neighbour embedding.

    Rows i and j have the affinity :math:`p_{ij} = (p_{j|i} + p_{i|j}) / 2n`, where
    :math:`p_{j|i} \propto \exp(-\beta_i d_{ij}^2)` over the nearest rows of i and
    :math:`\beta_i` gives the row its perplexity (its effective number of neighbours). Points of
    the map have :math:`q_{ij} \propto (1 + \|y_i - y_j\|^2 / \nu)^{-(\nu + 1)/2}`. The map
    minimises

    .. math:: \mathrm{KL}(P \,\|\, Q) = \sum_{i \ne j} p_{ij} \log \frac{p_{ij}}{q_{ij}}

    by gradient descent. Neighbourhoods are what it keeps: sizes of groups, and distances between
    them, mean nothing on such a map.

    Parameters
    ----------
    n_components : int in [1, 32], default=2
        Dimensions of the map.
    perplexity : float in (0, n), or list of them, default=30.0
        Effective number of neighbours; affinities of several are averaged.
    early_exaggeration : float in [1, inf), default=12.0
        Factor of the attraction in the first 250 iterations.
    learning_rate : "auto" or float in (0, inf), default="auto"
        Length of steps; "auto" takes max(n / early_exaggeration / 4, 50), and in the late stage
        max(n / 4, 50), which ends at a lower divergence.
    max_iter : int in [250, inf), default=1000
        Iterations in all.
    n_iter_without_progress : int in [-1, inf), default=300
        The late stage ends after so many iterations without a lower divergence (looked at every
        50).
    min_grad_norm : float in [0, inf), default=1e-7
        The descent ends when the gradient is shorter.
    metric : str or callable, default="euclidean"
        Distance of rows: any of `stylobate.distances`, "precomputed", or a function of two rows.
    metric_params : dict, default=None
        Further arguments of the metric.
    init : {"pca", "random"} or array of shape (n, n_components), default="pca"
        Where the map starts.
    verbose : int in [0, inf), default=0
        1: tell the end; 2: tell every 50 iterations.
    random_state : int, RandomState, Generator or None, default=None
        Of "random" starts.
    method : {"auto", "barnes_hut", "exact", "fft"}, default="auto"
        Repulsion between points: all pairs; far cells of a tree as one ("barnes_hut", at most 3
        dimensions); a convolution on a grid ("fft", at most 2). "exact" also computes affinities
        of all pairs of rows. "auto" compares neighbours alone, and takes all pairs of points up to
        1000, the grid beyond (the tree in 3 dimensions). scikit-learn's default is "barnes_hut".
    angle : float in [0, 1], default=0.5
        Of "barnes_hut": cells that look smaller act as one point.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    affinities : {"perplexity", "uniform"}, default="perplexity"
        Gaussian affinities, or the same for all 3 · perplexity + 1 neighbours.
    dof : float in (0, inf), default=None
        ν; below 1, groups fall into finer ones; None for max(n_components - 1, 1).
    warm_start : bool, default=False
        Whether a further fit to as many rows starts from the last map, without exaggeration.
    callback : callable, default=None
        Called with iteration, map and divergence; returning True ends the descent.
    callback_every : int in [1, inf), default=50
        Iterations between calls.

    Attributes
    ----------
    embedding_ : array of float32, shape (n, n_components)
        The map.
    kl_divergence_ : float
        Of the map.
    n_iter_ : int
        Number of the last iteration, counted from 0.
    learning_rate_, late_learning_rate_ : float
        With exaggeration and after it.
    method_ : str
        How repulsion was computed: "exact", "barnes_hut" or "fft".
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.repeat(rng.normal(size=(3, 5)), 20, axis=0) * 9 + rng.normal(size=(60, 5))
    >>> model = TSNE(perplexity=8, max_iter=300, random_state=0).fit(X)
    >>> model.embedding_.shape, model.method_
    ((60, 2), 'exact')

    References
    ----------
    van der Maaten & Hinton (2008), Visualizing data using t-SNE. van der Maaten (2014),
    Accelerating t-SNE using tree-based algorithms. Linderman et al. (2019), Fast
    interpolation-based t-SNE. Kobak & Berens (2019), The art of using t-SNE.
    """

    p = 2
    algorithm = "auto"
    leaf_size = 30

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        perplexity: Positive | Annotated[Any, Numbers(0, inf, closed="neither")] = 30.0,
        early_exaggeration: Annotated[float, Interval(1, inf)] = 12.0,
        learning_rate: Annotated[str, Options("auto")] | Positive = "auto",
        max_iter: Annotated[int, Interval(250, inf)] = 1000,
        n_iter_without_progress: Annotated[int, Interval(-1, inf)] = 300,
        min_grad_norm: Annotated[float, Interval(0, inf)] = 1e-7,
        metric: Metric = "euclidean",
        metric_params: MetricParams = None,
        init: Annotated[str, Options("pca", "random")] | Annotated[Any, Numbers(ndim=2)] = "pca",
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        random_state: RandomState = None,
        method: Annotated[str, Options("auto", "barnes_hut", "exact", "fft")] = "auto",
        angle: Annotated[float, Interval(0, 1, closed="both")] = 0.5,
        n_jobs: int | None = None,
        affinities: Annotated[str, Options(*AFFINITIES)] = "perplexity",
        dof: Positive | None = None,
        warm_start: bool = False,
        callback: Annotated[Any, CallableObject()] | None = None,
        callback_every: Annotated[int, Interval(1, inf)] = 50,
    ) -> None:
        self.n_components = n_components
        self.perplexity = perplexity
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_iter_without_progress = n_iter_without_progress
        self.min_grad_norm = min_grad_norm
        self.metric = metric
        self.metric_params = metric_params
        self.init = init
        self.verbose = verbose
        self.random_state = random_state
        self.method = method
        self.angle = angle
        self.n_jobs = n_jobs
        self.affinities = affinities
        self.dof = dof
        self.warm_start = warm_start
        self.callback = callback
        self.callback_every = callback_every

    def _tags(self) -> Tags:
        return super()._tags().but(preserves_dtype=(), multi_output=False)

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the map.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, at least 2; with metric="precomputed", distances among them.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the map and return it.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        table = self._fit(X)
        return self._wrap(self.embedding_, table)

    def transform(self, X: Any) -> Any:
        """Places of rows in the map, which stays as it is.

        Each row is placed by itself, where the divergence would be least if it joined the map; a
        row of the fit takes its own place.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (m, n_features)
            Rows; with metric="precomputed", distances to the rows of the fit.

        Returns
        -------
        array or frame of shape (m, n_components)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        rows = self._checked_queries(table)
        perplexities = perplexities_of(self.perplexity)
        near = self._nearest(rows, neighbour_count(perplexities, self.n_samples_fit_))
        places = place(self.embedding_, near, perplexities, self.affinities, self._repulsion())
        return self._wrap(places, table)

    def quality(self, X: Any = None, **options: Any) -> EmbeddingQuality:
        """How far to trust the map, see `stylobate.manifold.embedding_quality`.

        Parameters
        ----------
        X : array-like of shape (n, n_features), default=None
            The rows of the fit; None for those remembered.
        **options : object
            Of `embedding_quality`: ``n_neighbors``, ``sample``, ``random_state``.

        Returns
        -------
        EmbeddingQuality
        """
        from stylobate.manifold.quality.embedding_quality import embedding_quality

        self._check_fitted()
        rows = self._fit_X if X is None else X
        return embedding_quality(rows, self.embedding_, **{"metric": self._metric} | options)

    def stability(self, n_starts: int = 5, *, n_neighbors: int = 15) -> EmbeddingStability:
        """How far maps from random starts agree with each other on who is near whom.

        Parameters
        ----------
        n_starts : int in [2, inf), default=5
            Maps to compare; each costs a fit.
        n_neighbors : int in [1, n / 2), default=15
            Neighbours of each row that are compared.

        Returns
        -------
        EmbeddingStability
        """
        from stylobate.manifold.quality.stability import embedding_stability

        self._check_fitted()
        draws = stream_of(self.random_state)
        n, d = self.embedding_.shape
        edges = self._edges()
        maps = [
            self._descend(edges, random_start(n, d, draws), warm=False).embedding
            for _ in range(n_starts)
        ]
        return embedding_stability(maps, n_neighbors=n_neighbors)

    def _fit(self, X: Any) -> Table:
        self._check_parameters()
        table = self._read(X, reset=True)
        refuse_rows(self, table.x, given=isinstance(self._metric, Precomputed))
        earlier = vars(self).get("embedding_")
        self._remember(table.x)
        n = table.n_rows
        self.method_ = chosen_method(self.method, n, self.n_components)
        rates = learning_rates(self.learning_rate, n, self.early_exaggeration)
        self.learning_rate_, self.late_learning_rate_ = rates
        warm = self.warm_start and earlier is not None and earlier.shape == (n, self.n_components)
        start = given_start(earlier, n, self.n_components, "TSNE") if warm else self._start(table.x)
        found = self._descend(self._edges(), start, warm=warm)
        self.embedding_ = found.embedding
        self.kl_divergence_ = found.divergence
        self.n_iter_ = found.last_iteration
        return table

    def _checked_queries(self, table: Table) -> Any:
        """Rows as the index takes them; given distances must not be negative."""
        from stylobate.neighbors.indexes.rows import refuse_negative

        if isinstance(self._metric, Precomputed):
            refuse_negative(table.x, "TSNE")
        return table.x.tocsr() if table.is_sparse else table.x

    def _start(self, rows: Any) -> NDArray[np.float32]:
        n, d = rows.shape[0], self.n_components
        if not isinstance(self.init, str):
            return given_start(self.init, n, d, "TSNE")
        draws = stream_of(self.random_state)
        if self.init == "pca":
            return component_start(rows, d, draws)
        return random_start(n, d, draws)

    def _edges(self) -> EdgeLists:
        """Joint affinities of the rows of the fit."""
        n, perplexities = self.n_samples_fit_, perplexities_of(self.perplexity)
        k = n - 1 if self.method == "exact" else neighbour_count(perplexities, n)
        if self.verbose:
            print(f"[t-SNE] Computing {k} nearest neighbors...")
        distances, rows = self._nearest(None, k)
        if not distances.min() >= 0.0:
            raise InvalidDataError(
                "TSNE: All distances should be positive, the metric given is not correct."
            )
        return joint_affinities(
            rows, conditional_affinities(distances, perplexities, self.affinities)
        )

    def _repulsion(self) -> Repulsion:
        dof = float(max(self.n_components - 1, 1) if self.dof is None else self.dof)
        return Repulsion(self.method_, float(self.angle), dof)

    def _descend(
        self, edges: EdgeLists, start: NDArray[np.float32], *, warm: bool
    ) -> DescentResult:
        watch = Watch(self.callback, self.callback_every, int(self.verbose))
        descent = Descent(edges, start, self._repulsion(), self.min_grad_norm, watch)
        return descent.run(stages_of(self, warm=warm))

    def _check_loaded(self) -> None:
        """Refuse a map of a file that is not one of the rows with it."""
        super()._check_loaded()
        found, n = vars(self).get("embedding_"), vars(self).get("n_samples_fit_")
        if found is None and n is None:
            return
        dimensions = range(1, MOST_DIMENSIONS + 1)
        if (
            not isinstance(found, np.ndarray)
            or found.ndim != 2
            or found.dtype != np.float32
            or found.shape[0] != n
            or found.shape[1] not in dimensions
            or self.method_ not in ("exact", "barnes_hut", "fft")
        ):
            raise ModelFileError(
                f"TSNE: the model file holds a map of shape {getattr(found, 'shape', ())} for {n} "
                "rows."
            )
