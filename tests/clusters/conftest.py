"""Real local clusters of processes, one of each engine for all tests; absent engines are skipped.

They are small: two workers of a core each, 200 MB of Ray's object store, 1 GB for Spark.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from itertools import pairwise

import numpy as np
import pytest

ENGINES = ("dask", "ray", "spark")
PARTITIONS = 5


class DaskEngine:
    name, frame, lost = "dask", "the Dask data frame", "Dask"

    def __init__(self):
        from distributed import Client, LocalCluster

        self.cluster = LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        )
        self.client = Client(self.cluster)

    def rows(self, frames):
        """Frames of pandas as the partitions of one data frame."""
        import dask
        import dask.dataframe as dd

        return dd.from_delayed([dask.delayed(each) for each in frames], meta=frames[0][:0])

    def close(self):
        self.client.close()
        self.cluster.close()


class RayEngine:
    name, frame, lost = "ray", "the Ray dataset", "Ray"

    def __init__(self):
        import ray

        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        ray.init(
            num_cpus=2,
            object_store_memory=200_000_000,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="error",
        )
        ray.data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        logging.getLogger("ray").setLevel(logging.ERROR)

    def rows(self, frames):
        import ray

        return ray.data.from_pandas(frames)

    def close(self):
        import ray

        ray.shutdown()


class SparkEngine:
    name, frame, lost = "spark", "the Spark data frame", "Spark"

    def __init__(self):
        from pyspark.sql import SparkSession

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # python3 may be another one

        build = SparkSession.builder.master("local[2]").appName("tests of clusters")
        settings = {
            "spark.driver.memory": "1g",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.adaptive.enabled": "false",
            "spark.default.parallelism": str(PARTITIONS),
            "spark.driver.host": "127.0.0.1",
            "spark.sql.execution.arrow.pyspark.enabled": "true",
        }
        for key, value in settings.items():
            build = build.config(key, value)
        self.session = build.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")

    def rows(self, frames):
        import pandas as pd
        import pyarrow as pa

        whole = pa.Table.from_pandas(pd.concat(frames), preserve_index=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.session.createDataFrame(whole)

    def close(self):
        self.session.stop()


def started(name):
    pytest.importorskip({"dask": "distributed", "spark": "pyspark"}.get(name, name))
    if name == "spark" and not any(
        os.access(os.path.join(each, "java"), os.X_OK)
        for each in [*os.environ["PATH"].split(":"), os.environ.get("JAVA_HOME", "") + "/bin"]
    ):
        pytest.skip("Spark needs Java")
    kind = {"dask": DaskEngine, "ray": RayEngine, "spark": SparkEngine}[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind()


_running = {}


@pytest.fixture(scope="session")
def engines():
    """Engines by name, started when a test first asks for one."""

    def engine(name):
        if name not in _running:
            _running[name] = started(name)
        return _running[name]

    yield engine
    while _running:
        _running.popitem()[1].close()


@pytest.fixture(params=ENGINES)
def engine(request, engines):
    return engines(request.param)


@pytest.fixture
def dask_engine(engines):
    return engines("dask")


def cut(frame, parts=PARTITIONS):
    """A frame in pieces of different sizes."""
    ends = [0, *np.unique((len(frame) * np.linspace(0, 1, parts + 1)[1:] ** 1.3).astype(int))]
    return [frame.iloc[a:b] for a, b in pairwise(ends)]


@pytest.fixture(scope="session")
def pieces():
    return cut
