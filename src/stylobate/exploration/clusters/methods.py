"""Ways to cluster a table: which suits it, its encoding, its model, its number of clusters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster import NClustersEvidence, select_n_clusters
from stylobate.cluster.n_clusters.progress import Listener
from stylobate.data.kinds.schema import Schema
from stylobate.exceptions import InvalidParameterError
from stylobate.exploration.chosen_columns import ChosenColumns
from stylobate.preprocessing import TableEncoder

MethodName = Literal["kmeans", "kmedoids", "gmm", "hdbscan", "ward"]
METHODS: tuple[MethodName, ...] = ("kmeans", "kmedoids", "gmm", "hdbscan", "ward")
TITLES = {
    "kmeans": "k-means",
    "kmedoids": "k-medoids with Gower's dissimilarity",
    "gmm": "a mixture of Gaussians",
    "hdbscan": "HDBSCAN",
    "ward": "Ward's hierarchy",
}
FIT_ROWS = {"kmeans": 200_000, "kmedoids": 10_000, "gmm": 50_000, "hdbscan": 20_000, "ward": 10_000}
_EVIDENCE_ROWS = {"kmeans": 3_000, "kmedoids": 1_500, "gmm": 3_000, "ward": 1_500}
_MOST = 10  # clusters that are tried
_POSITIVE, _STRONG = 2.0, 6.0  # differences of BIC that count (Kass & Raftery)
_NOISE_SIZE = 50  # of HDBSCAN: a cluster has at least one row in so many


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """A way to cluster rows that are encoded for it.

    Attributes
    ----------
    name : MethodName
    reason : str
        Why this one.
    encoder : TableEncoder
        Not fitted yet.
    continuous : bool
        Whether all columns are amounts: rows in a box, then, are rows without clusters. Of codes
        the boxes would be full of values that none can have, and any cluster better.
    """

    name: MethodName
    reason: str
    encoder: TableEncoder
    continuous: bool

    def estimator(self, k: int | None, seed: int) -> Any:
        """The estimator with so many clusters."""
        return _MAKERS[self.name](self, k, seed)

    @property
    def metric_params(self) -> dict[str, Any]:
        """Kinds and weights of the encoded columns, for Gower's dissimilarity.

        A column that is encoded by several, such as a date, counts as one.
        """
        parts = [len(part.names) for part, _ in self.encoder._parts]
        weights = [1.0 / size for size in parts for _ in range(size)]
        kinds = ["nominal" if each else "numeric" for each in self.encoder.categorical_.tolist()]
        return {"kinds": kinds, "weights": weights}

    @property
    def metric(self) -> tuple[str, dict[str, Any]]:
        """The name of the dissimilarity, and its parameters."""
        return ("gower", self.metric_params) if self.name == "kmedoids" else ("euclidean", {})

    def count(self, x: Array, seed: int, progress: Listener | None) -> ClusterCount:
        """The number of clusters, by a sample of the encoded rows."""
        numbers = range(1, min(_MOST, len(x) - 1) + 1)
        if self.name == "hdbscan":
            return ClusterCount(None, "", None)
        if self.name == "gmm":
            return _count_components(x, numbers, self.estimator(1, seed))
        found = select_n_clusters(
            x,
            numbers,
            self.estimator(2, seed),
            reference="pca" if self.continuous else "permutation",
            max_rows=_EVIDENCE_ROWS[self.name],
            random_state=seed,
            progress=False if progress is None else progress,
        )
        sentence = " ".join([found.sentence, *found.notes])
        return ClusterCount(found.best, sentence, found.confidence, found)


@dataclass(frozen=True, slots=True, eq=False)
class ClusterCount:
    """How many clusters (None: the method finds out), in words, how sure, and by what."""

    k: int | None
    sentence: str
    confidence: str | None
    evidence: NClustersEvidence | None = None


def _count_components(x: Array, numbers: range, estimator: Any) -> ClusterCount:
    """By the Bayesian information criterion."""
    from stylobate.mixture import choose_mixture

    some = x
    if len(x) > _EVIDENCE_ROWS["gmm"]:
        draw = np.random.default_rng(estimator.random_state)
        some = x[np.sort(draw.permutation(len(x))[: _EVIDENCE_ROWS["gmm"]])]
    found = choose_mixture(some, numbers, covariance_types=("full",), estimator=estimator)
    best, *others = found.ranking
    lead = others[0].bic - best.bic if others else np.inf
    confidence = "high" if lead > _STRONG else "moderate" if lead > _POSITIVE else "low"
    k = found.n_components
    count = "One cluster is enough" if k == 1 else f"{k} clusters"
    return ClusterCount(k, f"{count}: {found.sentence}", confidence)


def choose_method(asked: str, columns: ChosenColumns) -> Method:
    """The method asked for, or the one that suits the kinds of columns."""
    if asked not in ("auto", *METHODS):
        raise InvalidParameterError(
            f"describe_clusters: method must be one of auto, {', '.join(METHODS)}, got {asked!r}."
        )
    name: MethodName
    if asked != "auto":
        name, reason = asked, "as asked for"  # type: ignore[assignment]
    elif columns.has_categories:
        name = "kmedoids"
        reason = "there are categories besides numbers, and Gower's dissimilarity respects both"
    else:
        name = "kmeans"
        reason = "all columns are numbers, dates or of two values"
    return Method(name, reason, encoder_for(name, columns.schema), columns.is_continuous)


def encoder_for(name: str, schema: Schema) -> TableEncoder:
    """How a method wants its columns: codes and ranges of their own, or one scale for all."""
    if name == "kmedoids":
        made = TableEncoder(kinds=schema, categories="codes")
    else:
        made = TableEncoder(kinds=schema, scale=True, missing="fill")
    return made.set_output(transform="default")  # models are fitted to arrays without names


def _kmeans(method: Method, k: int | None, seed: int) -> Any:
    from stylobate.cluster import KMeans

    return KMeans(k or 1, n_init=4, random_state=seed)


def _kmedoids(method: Method, k: int | None, seed: int) -> Any:
    from stylobate.cluster import KMedoids

    return KMedoids(
        k or 1, metric="gower", metric_params=method.metric_params, certificate_steps=0,
        random_state=seed,
    )  # fmt: skip


def _mixture(method: Method, k: int | None, seed: int) -> Any:
    from stylobate.mixture import GaussianMixture

    return GaussianMixture(k or 1, covariance_type="full", reg_covar=1e-4, random_state=seed)


def _hdbscan(method: Method, k: int | None, seed: int) -> Any:
    from stylobate.cluster import HDBSCAN

    return HDBSCAN(min_cluster_size=5)


def _ward(method: Method, k: int | None, seed: int) -> Any:
    from stylobate.cluster import AgglomerativeClustering

    return AgglomerativeClustering(k or 1, linkage="ward")


_MAKERS: dict[str, Callable[[Method, int | None, int], Any]] = {
    "kmeans": _kmeans,
    "kmedoids": _kmedoids,
    "gmm": _mixture,
    "hdbscan": _hdbscan,
    "ward": _ward,
}


def fit(method: Method, x: Array, k: int | None, seed: int) -> tuple[Any, Indices]:
    """A fitted model that can predict, and the labels of the rows."""
    model = method.estimator(k, seed)
    if method.name == "hdbscan":
        size = max(5, -(-len(x) // _NOISE_SIZE))
        model.set_params(min_cluster_size=min(size, max(len(x) // 2, 2)))
    model.fit(x)
    if method.name != "ward":
        found = model.labels_ if hasattr(model, "labels_") else model.predict(x)
        return model, np.asarray(found, dtype=np.intp)
    if k == 1:  # one class is none to a classifier
        return fit(replace(method, name="kmeans"), x, 1, seed)
    from stylobate.neighbors import NearestCentroid

    nearest = NearestCentroid().fit(x, model.labels_)
    return nearest, np.asarray(nearest.predict(x), dtype=np.intp)
