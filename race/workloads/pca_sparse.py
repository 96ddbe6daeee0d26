"""Fifty principal components of a sparse table of word counts, never dense."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._components import lost_variance

K = 50
TOPICS = 60


def make(size: Size, seed: int) -> Data:
    """Texts of a few topics; words of falling frequency."""
    from scipy import sparse

    rng = np.random.default_rng(seed)
    n, p, words = size["rows"], size["columns"], size["words"]
    common = 1.0 / np.arange(1, p + 1)
    topics = [np.cumsum(common * rng.gamma(0.3, size=p)) for _ in range(TOPICS)]
    columns = np.empty((n, words), dtype=np.int64)
    topic = rng.integers(TOPICS, size=n)
    for t, weights in enumerate(topics):
        member = topic == t
        drawn = rng.random((int(member.sum()), words)) * weights[-1]
        columns[member] = np.minimum(np.searchsorted(weights, drawn), p - 1)
    offsets = np.arange(n + 1) * words
    counts = sparse.csr_matrix((np.ones(n * words), columns.ravel(), offsets), shape=(n, p))
    counts.sum_duplicates()
    counts.data = 1.0 + np.log(counts.data)
    made: Any = {"values": counts.data, "indices": counts.indices, "offsets": counts.indptr}
    return {**made, "columns": np.array([float(p)])}


def table_of(data: Data) -> Any:
    from scipy import sparse

    shape = (len(data["offsets"]) - 1, int(data["columns"][0]))
    return sparse.csr_matrix((data["values"], data["indices"], data["offsets"]), shape=shape)


def ours(data: Data) -> Any:
    from stylobate.decomposition import PCA

    return PCA(K, random_state=0, tol=1e-4).fit(table_of(data)).components_


def sklearn(data: Data) -> Any:
    from sklearn.decomposition import PCA

    return PCA(K, svd_solver="arpack", random_state=0, tol=1e-4).fit(table_of(data)).components_


def sklearn_exact(data: Data) -> Any:
    from sklearn.decomposition import PCA

    return PCA(K, svd_solver="arpack", random_state=0).fit(table_of(data)).components_


def quality(components: Any, data: Data) -> float:
    """Variance that the components leave."""
    return lost_variance(components, table_of(data))


def floor(size: Size) -> tuple[float, float]:
    """Two products with fifty columns, four times."""
    entries = float(size["rows"]) * size["words"]
    return 4.0 * 4.0 * K * entries, 4.0 * 12.0 * entries


WORKLOAD = Workload(
    name="pca_sparse",
    title=f"{K} principal components of sparse word counts",
    sizes={
        "small": {"rows": 2000, "columns": 1500, "words": 40},
        "standard": {"rows": 50_000, "columns": 20_000, "words": 80},
        "large": {"rows": 200_000, "columns": 50_000, "words": 100},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn arpack, tol", "sklearn", sklearn),
        Contender("sklearn arpack", "sklearn", sklearn_exact),
    ),
    quality=quality,
    tolerance=1e-5,
    floor=floor,
    goals=(Faster("peers", 1.0),),
)
