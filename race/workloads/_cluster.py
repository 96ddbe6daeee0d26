"""What the workloads on clusters share: two local workers of a core each, and rows held by them.

Starting a cluster and bringing the rows to it are no part of a fit: both are done once, by the
warm-up and by the first fit of a size (the best of several counts).
"""

from __future__ import annotations

import atexit
import logging
import warnings
from typing import Any

import numpy as np

from race.workload import Data

WORKERS = 2
PARTITIONS = 8
_held: dict[str, Any] = {}


def _once(name: str, make: Any) -> Any:
    if name not in _held:
        _held[name] = make()
    return _held[name]


def dask_client() -> Any:
    """A local cluster of processes."""
    from distributed import Client, LocalCluster

    def start() -> Any:
        cluster = LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
        client = Client(cluster)
        atexit.register(cluster.close)
        atexit.register(client.close)
        return client

    return _once("dask", start)


def dask_rows(data: Data) -> tuple[Any, Any]:
    """X and y as arrays that the workers hold; y is None where there is none."""
    import dask.array as da
    from distributed import wait

    client = dask_client()

    def bring() -> Any:
        rows = -(-len(data["X"]) // PARTITIONS)
        x = da.from_array(data["X"], chunks=(rows, data["X"].shape[1]))
        y = da.from_array(data["y"], chunks=rows) if "y" in data else None
        held = client.persist([each for each in (x, y) if each is not None])
        wait(held)
        return held[0], held[1] if y is not None else None, data

    found = _once(f"dask {id(data['X'])}", bring)
    return found[0], found[1]


def spark_rows(data: Data) -> Any:
    """A data frame of vectors `features` (and `label`) that the workers hold."""
    import pyarrow as pa
    from pyspark.ml.functions import array_to_vector
    from pyspark.sql import SparkSession

    def start() -> Any:
        build = SparkSession.builder.master(f"local[{WORKERS}]").config("spark.driver.memory", "2g")
        build = build.config("spark.ui.enabled", "false")
        build = build.config("spark.default.parallelism", str(PARTITIONS))
        session = build.config("spark.ui.showConsoleProgress", "false").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        atexit.register(session.stop)
        return session

    session = _once("spark", start)  # functions of columns need one

    def bring() -> Any:
        columns = {"x": pa.array(list(data["X"]))}
        if "y" in data:
            columns["label"] = pa.array(data["y"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = session.createDataFrame(pa.table(columns))
        kept = ["label"] if "y" in data else []
        frame = frame.select(array_to_vector("x").alias("features"), *kept).persist()
        frame.count()
        return frame, data

    return _once(f"spark {id(data['X'])}", bring)[0]


def plain(vector: Any) -> Any:
    """A vector of Spark's as an array."""
    return np.asarray(vector.toArray())
