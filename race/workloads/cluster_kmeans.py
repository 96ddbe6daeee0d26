"""k-means of rows that two local workers hold, from one start."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads import _kmeans
from race.workloads._cluster import dask_rows, plain, spark_rows


def ours(data: Data) -> Any:
    from stylobate.cluster import KMeans

    model = KMeans(len(data["start"]), init=data["start"], max_iter=_kmeans.ITERATIONS, tol=0.0)
    return model.fit(dask_rows(data)[0]).cluster_centers_


def dask_ml(data: Data) -> Any:
    from dask_ml.cluster import KMeans

    model = KMeans(len(data["start"]), init=data["start"], max_iter=_kmeans.ITERATIONS, tol=0.0)
    return model.fit(dask_rows(data)[0]).cluster_centers_


def spark(data: Data) -> Any:
    """Spark's own start (it takes none): another run of as many iterations."""
    from pyspark.ml.clustering import KMeans

    model = KMeans(k=len(data["start"]), maxIter=_kmeans.ITERATIONS, tol=0.0, seed=0)
    return np.array([plain(each) for each in _centers(model.fit(spark_rows(data)))])


def _centers(model: Any) -> Any:
    from pyspark.ml.linalg import Vectors

    return [Vectors.dense(each) for each in model.clusterCenters()]


WORKLOAD = Workload(
    name="cluster_kmeans",
    title=f"k-means on a cluster of two workers, {_kmeans.ITERATIONS} iterations",
    sizes={
        "small": {"rows": 2_000, "columns": 10, "clusters": 10},
        "standard": {"rows": 1_000_000, "columns": 20, "clusters": 10},
    },
    make=_kmeans.make,
    contenders=(
        Contender("ours on Dask", "dask", ours, "ours"),
        Contender("dask-ml", "dask_ml", dask_ml),
        Contender("Spark MLlib", "pyspark", spark, "reference"),
    ),
    quality=_kmeans.quality,
    tolerance=1e-4,
    floor=_kmeans.floor,
    goals=(Faster("peers", 2.0),),
)
