"""Ridge regression of rows that two local workers hold."""

from __future__ import annotations

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._cluster import dask_rows, plain, spark_rows
from race.workloads._linear import Line, line_of, make_regression, moments_work, objective

ALPHA = 1.0


def ours(data: Data) -> Line:
    from stylobate.linear_model import Ridge

    return line_of(Ridge(alpha=ALPHA).fit(*dask_rows(data)))


def spark(data: Data) -> Line:
    from pyspark.ml.regression import LinearRegression

    model = LinearRegression(
        regParam=ALPHA / len(data["X"]), standardization=False, solver="normal", tol=1e-12
    ).fit(spark_rows(data))
    return Line(plain(model.coefficients), float(model.intercept))


def dask_ml(data: Data) -> Line:
    from dask_ml.linear_model import LinearRegression

    model = LinearRegression(penalty="l2", C=1.0 / ALPHA, solver="lbfgs", tol=1e-10)
    return line_of(model.fit(*dask_rows(data)))


def quality(line: Line, data: Data) -> float:
    return objective(line, data, ALPHA)


WORKLOAD = Workload(
    name="cluster_ridge",
    title="ridge regression on a cluster of two workers",
    sizes={
        "small": {"rows": 2_000, "columns": 20},
        "standard": {"rows": 1_000_000, "columns": 50},
    },
    make=make_regression,
    contenders=(
        Contender("ours on Dask", "dask", ours, "ours"),
        Contender("Spark MLlib", "pyspark", spark),
        Contender("dask-ml", "dask_ml", dask_ml),
    ),
    quality=quality,
    floor=moments_work,
    goals=(Faster("peers", 2.0),),
)
