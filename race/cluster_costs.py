"""What passes over a cluster cost: measured on this machine, and foretold for larger ones.

``python -m race.cluster_costs``                   Dask, one and two local workers
``python -m race.cluster_costs --engine ray``      or spark
``python -m race.cluster_costs --columns 10,200``  other widths (default 50)

The core's speed, a merge and a message are measured in this process; what a task and a pass cost
by themselves is fitted to passes over partitions of ten rows. Then passes over more rows are
foretold by `race.cluster_simulation` and measured, which is the check, and the table up to 1e12
rows is printed.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from race.cluster_simulation import Cluster, Costs, formula, scales, simulated
from stylobate.data import Table, read_table
from stylobate.data.streams import Batch, open_rows
from stylobate.sources import source_of
from stylobate.sources.clusters.work import (
    StatisticSummary,
    Work,
    merged_message,
    partition_message,
    work_in_bytes,
)
from stylobate.statistics import Moments

TINY = 10  # rows of a partition that costs nothing but its task
REPEATS = 3
SLOTS = (1, 2)


def read(batch: Batch) -> Table:
    """The door of the passes."""
    return read_table(batch.x, owner="race")


def least(call: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The least seconds of a call."""
    found = []
    for _ in range(repeats):
        begun = time.perf_counter()
        call()
        found.append(time.perf_counter() - begun)
    return min(found)


# --- the engines ----------------------------------------------------------------------------------


@contextmanager
def dask_rows(slots: int) -> Iterator[Callable[[int, int, int], Any]]:
    """Rows that local workers made and hold."""
    import dask.array as da
    from distributed import Client, LocalCluster, wait

    with (
        LocalCluster(
            n_workers=slots,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):

        def made(rows: int, columns: int, partitions: int) -> Any:
            rng = da.random.default_rng(0)
            chunks = (rows // partitions, columns)
            found = client.persist(rng.standard_normal((rows, columns), chunks=chunks))
            wait(found)
            return found

        yield made


@contextmanager
def ray_rows(slots: int) -> Iterator[Callable[[int, int, int], Any]]:
    """Rows as blocks of Ray's."""
    import pandas as pd
    import ray

    ray.init(
        num_cpus=slots,
        object_store_memory=800_000_000,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    for name in ("ray", "ray.data"):
        logging.getLogger(name).setLevel(logging.ERROR)

    def made(rows: int, columns: int, partitions: int) -> Any:
        names = [f"x{j}" for j in range(columns)]
        size, rng = rows // partitions, np.random.default_rng(0)
        parts = [pd.DataFrame(rng.standard_normal((size, columns)), columns=names)]
        return ray.data.from_pandas(parts * partitions).materialize()

    try:
        yield made
    finally:
        ray.shutdown()


@contextmanager
def spark_rows(slots: int) -> Iterator[Callable[[int, int, int], Any]]:
    """Rows that Spark holds."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    build = SparkSession.builder.master(f"local[{slots}]").config("spark.driver.memory", "3g")
    build = build.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    session = build.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")

    def made(rows: int, columns: int, partitions: int) -> Any:
        numbers = session.range(0, rows, 1, partitions)
        cells = [f.randn(j).alias(f"x{j}") for j in range(columns)]
        found = numbers.select(*cells).persist()
        found.count()
        return found

    try:
        yield made
    finally:
        session.stop()


ENGINES = {"dask": dask_rows, "ray": ray_rows, "spark": spark_rows}


def pass_over(rows: Any) -> None:
    """One pass: the moments of all columns."""
    source_of(open_rows(rows, "race").stream, read, "race").compute(Moments)


# --- what is measured -----------------------------------------------------------------------------


def of_core(columns: int, rows: int) -> Costs:
    """Rows a second, a merge and the bytes of a message, in this process on one thread."""
    import cloudpickle

    from stylobate.config import get_config

    work = Work(_as_batch, (), StatisticSummary(Moments, read), None, get_config())
    task = work_in_bytes(work, cloudpickle)
    x = np.random.default_rng(0).standard_normal((rows, columns))
    message = partition_message(task, 0, [x])
    eight = [message] * 8
    seconds = least(lambda: partition_message(task, 0, [x]))
    merging = (
        least(lambda: merged_message(task, eight)) - least(lambda: merged_message(task, eight[:1]))
    ) / 7
    return Costs(rows / seconds, max(merging, 0.0), float(len(message)), 0.0, 0.0, 0.0)


def _as_batch(x: Any) -> Batch:
    return Batch(x)


def of_engine(core: Costs, passes: dict[tuple[int, int], float]) -> Costs:
    """What a task and a pass cost by themselves, from seconds by (partitions, slots).

    Of a task the slots' share is divided by their number, the scheduler's is not.
    """
    rows, seconds = [], []
    for (partitions, slots), measured in passes.items():
        merges = (partitions - 1) / 7
        tasks = partitions + merges
        known = merges * 7 * core.merging / slots
        rows.append([1.0, tasks / slots, tasks])
        seconds.append(measured - known)
    from scipy.optimize import nnls

    # small passes count as much as large ones
    weight = 1.0 / np.array(seconds)
    a_pass, task, scheduling = nnls(np.array(rows) * weight[:, None], np.ones(len(seconds)))[0]
    return replace(core, task=task, scheduling=scheduling, a_pass=a_pass)


def measure(engine: str, columns: int) -> tuple[Costs, list[tuple[Cluster, float]]]:
    """The costs, and the seconds of passes that were not used for them."""
    core = of_core(columns, 50_000)
    tiny: dict[tuple[int, int], float] = {}
    checked: list[tuple[Cluster, float]] = []
    for slots in SLOTS:
        with ENGINES[engine](slots) as made:
            pass_over(made(2 * TINY, columns, 2))  # workers import the library
            for partitions in (2, 64, 512):
                rows = made(TINY * partitions, columns, partitions)
                tiny[partitions, slots] = least(lambda rows=rows: pass_over(rows))  # type: ignore[misc]
            for size, partitions in ((800_000, 4), (800_000, 32), (400_000, 200), (20_000, 1_000)):
                rows = made(size * 50 // columns // partitions * partitions, columns, partitions)
                count = size * 50 // columns // partitions * partitions
                seconds = least(lambda rows=rows: pass_over(rows))  # type: ignore[misc]
                checked.append((Cluster(count, partitions, slots), seconds))
                del rows
    return of_engine(core, tiny), checked


# --- what is told ---------------------------------------------------------------------------------


def show(engine: str, columns: int, costs: Costs, checked: list[tuple[Cluster, float]]) -> None:
    """Costs, the check, and the table of larger clusters."""
    print(
        f"\n{engine}, {columns} columns: {costs.rows_per_second:.3g} rows/s of a slot, a merge "
        f"{1e3 * costs.merging:.2f} ms, a message {costs.message / 1e3:.0f} kB, a task "
        f"{1e3 * costs.task:.2f} ms of its slot and {1e3 * costs.scheduling:.2f} ms of the "
        f"scheduler, a pass {costs.a_pass:.2f} s\n"
    )
    print("| rows | partitions | slots | simulated | formula | measured |")
    print("|---:|---:|---:|---:|---:|---:|")
    for cluster, seconds in checked:
        print(
            f"| {cluster.rows:,.0f} | {cluster.partitions:,} | {cluster.slots} | "
            f"{simulated(costs, cluster).seconds:.2f} s | {formula(costs, cluster):.2f} s | "
            f"{seconds:.2f} s |"
        )


def show_scales(engine: str, costs: Costs, columns: int) -> None:
    """A pass on larger clusters."""
    print("\n| rows | columns | slots | partitions | a pass | messages of a slot |")
    print("|---:|---:|---:|---:|---:|---:|")
    for rows, wide, slots, partitions in scales():
        there = scaled(costs, columns, wide)
        cluster = Cluster(rows, partitions, slots)
        course = simulated(there, cluster)
        print(
            f"| {rows:.0e} | {wide:,} | {slots:,} | {partitions:,} | {course.seconds:,.0f} s | "
            f"{course.held / 1e6:,.1f} MB |"
        )


def scaled(costs: Costs, columns: int, wide: int) -> Costs:
    """The costs with other columns: a row and a message grow with their pairs."""
    times = (wide / columns) ** 2
    return replace(
        costs,
        rows_per_second=costs.rows_per_second / times,
        merging=costs.merging * times,
        message=costs.message * times,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=sorted(ENGINES), default="dask")
    parser.add_argument("--columns", default="50")
    options = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for columns in map(int, options.columns.split(",")):
            costs, checked = measure(options.engine, columns)
            show(options.engine, columns, costs, checked)
            if columns == 50:
                show_scales(options.engine, costs, columns)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
