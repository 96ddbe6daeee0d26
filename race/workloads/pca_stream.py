"""Principal components of a Parquet file, never in memory as a whole."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster, TimesOf
from race.workload import Contender, Data, Workload
from race.workloads._components import gram_work
from race.workloads._streams import arrow_batches, make, path_of, polars_batches, read_alone

K = 10


def features(data: Data) -> list[str]:
    return [f"x{j}" for j in range(data["X"].shape[1])]


def ours(data: Data) -> Any:
    from stylobate import read
    from stylobate.decomposition import PCA

    model: Any = PCA(K)
    return model.fit(read(path_of(data)), features=features(data)).components_


def sklearn(data: Data) -> Any:
    from sklearn.decomposition import IncrementalPCA

    model = IncrementalPCA(K)
    for x, _ in polars_batches(data):
        model.partial_fit(x)
    return model.components_


def by_hand(data: Data, batches: Any) -> Any:
    """Raw sums of products, centred at the end."""
    gram: Any = 0.0
    total: Any = 0.0
    count = 0
    for x, _ in batches(data):
        gram, total, count = gram + x.T @ x, total + x.sum(axis=0), count + len(x)
    covariance = gram - np.outer(total, total) / count
    return np.linalg.eigh(covariance)[1].T[::-1][:K]


def reading(data: Data) -> Any:
    read_alone(data)
    return np.zeros((0, 0))


def quality(components: Any, data: Data) -> float:
    """Variance of rows like those of the file that the components leave."""
    if not components.size:
        return np.inf
    centred = data["X"] - data["X"].mean(axis=0)
    basis = np.linalg.qr(components.T)[0]
    return float((centred**2).sum() - ((centred @ basis) ** 2).sum())


WORKLOAD = Workload(
    name="pca_stream",
    title=f"{K} principal components of a Parquet file",
    sizes={
        "small": {"rows": 10_000, "columns": 20},
        "standard": {"rows": 2_000_000, "columns": 50},
        "large": {"rows": 20_000_000, "columns": 60},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn IncrementalPCA", "sklearn", sklearn),
        Contender("polars + numpy", "polars", partial(by_hand, batches=polars_batches)),
        Contender("pyarrow + numpy", "pyarrow", partial(by_hand, batches=arrow_batches)),
        Contender("reading alone", "duckdb", reading, "reference"),
    ),
    quality=quality,
    tolerance=1e-2,
    floor=gram_work,
    goals=(Faster("peers", 1.0), TimesOf("reading alone", 1.3)),
)
