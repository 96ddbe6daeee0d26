"""Logistic regression of rows that two local workers hold."""

from __future__ import annotations

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads import _classes
from race.workloads._classes import Margins
from race.workloads._cluster import dask_rows, plain, spark_rows


def ours(data: Data) -> Margins:
    from stylobate.linear_model import LogisticRegression

    return _classes.margins_of(LogisticRegression().fit(*dask_rows(data)))


def spark(data: Data) -> Margins:
    from pyspark.ml.classification import LogisticRegression

    model = LogisticRegression(
        regParam=1.0 / len(data["X"]), standardization=False, tol=1e-9, maxIter=500
    ).fit(spark_rows(data))
    return Margins(plain(model.coefficients)[np.newaxis], np.array([model.intercept]))


def dask_ml(data: Data) -> Margins:
    from dask_ml.linear_model import LogisticRegression

    model = LogisticRegression(C=1.0, solver="lbfgs", tol=1e-8)
    return _classes.margins_of(model.fit(*dask_rows(data)))


def quality(answer: Margins, data: Data) -> float:
    return _classes.objective(data["X"], data["y"], answer)


WORKLOAD = Workload(
    name="cluster_logistic",
    title="logistic regression on a cluster of two workers",
    sizes={
        "small": {"rows": 2_000, "columns": 20, "classes": 2},
        "standard": {"rows": 500_000, "columns": 50, "classes": 2},
    },
    make=_classes.make_classes,
    contenders=(
        Contender("ours on Dask", "dask", ours, "ours"),
        Contender("Spark MLlib", "pyspark", spark),
        Contender("dask-ml", "dask_ml", dask_ml),
    ),
    quality=quality,
    goals=(Faster("peers", 2.0),),
)
