"""What passes over a cluster cost: measured on this machine, and foretold for larger ones.

``python -m race.cluster_costs``                   Dask, two local workers
``python -m race.cluster_costs --engine ray``      or spark
``python -m race.cluster_costs --columns 10,200``  other widths (default 50)

The core's speed, a merge and a message are measured in this process; what a task costs its slot and
the scheduler is the processor time that their processes take for passes over partitions of ten
rows, which other load of the machine does not change much. Then passes over more rows are foretold
by `race.cluster_simulation` and measured, which is the check, and the table up to 1e12 rows is
printed.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from race.cluster_simulation import Cluster, Costs, scales, simulated, tasks_of
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
SLOTS = 2
FEW, MANY = 32, 256  # partitions of passes over nearly nothing
CHECKED = ((40_000_000, 4), (40_000_000, 32), (20_000_000, 128), (1_000_000, 512))  # cells


def read(batch: Batch) -> Table:
    """The door of the passes."""
    return read_table(batch.x, owner="race")


def least(call: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The least processor seconds of a call in this process."""
    found = []
    for _ in range(repeats):
        begun = time.process_time()
        call()
        found.append(time.process_time() - begun)
    return min(found)


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of a pass: by the clock, and of the processor for the scheduler and for the slots."""

    wall: float
    scheduler: float
    slots: float


def spent(call: Callable[[], Any], is_slot: Callable[[Any], bool]) -> Spent:
    """Of several calls the one that took the least processor time."""
    found = []
    for _ in range(REPEATS):
        before, begun = _processor(is_slot), time.perf_counter()
        call()
        wall = time.perf_counter() - begun
        after = _processor(is_slot)
        found.append(Spent(wall, after[0] - before[0], after[1] - before[1]))
    return min(found, key=lambda each: each.scheduler + each.slots)


def _processor(is_slot: Callable[[Any], bool]) -> tuple[float, float]:
    """Processor seconds so far: of this process and its children, and of those that are slots."""
    import psutil

    scheduler, slots = time.process_time(), 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            seconds = sum(process.cpu_times()[:2])
            mine = is_slot(process)
        except psutil.Error:
            continue
        scheduler, slots = scheduler + seconds * (not mine), slots + seconds * mine
    return scheduler, slots


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
IS_SLOT: dict[str, Callable[[Any], bool]] = {
    "dask": lambda process: True,  # the scheduler is a thread of this process
    "ray": lambda process: process.name().startswith("ray::"),
    "spark": lambda process: "python" in process.name(),
}


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


def of_engine(
    core: Costs, few: tuple[Cluster, Spent], many: tuple[Cluster, Spent], a_pass: float
) -> Costs:
    """What a task costs, from two passes over nearly nothing of other numbers of partitions.

    Parameters
    ----------
    core : Costs
    few, many : (Cluster, Spent)
    a_pass : float
        Seconds by the clock of a pass over two partitions.
    """
    tasks = [len(tasks_of(cluster.partitions)) for cluster, _ in (few, many)]
    merging = (many[0].partitions - few[0].partitions) * core.merging
    more = tasks[1] - tasks[0]
    scheduling = (many[1].scheduler - few[1].scheduler) / more
    task = (many[1].slots - few[1].slots - merging) / more
    return replace(
        core, task=max(task, 0.0), scheduling=max(scheduling, 0.0), a_pass=max(a_pass, 0.0)
    )


def measure(engine: str, columns: int) -> tuple[Costs, list[tuple[Cluster, Spent]]]:
    """The costs, and passes that were not used for them."""
    core = of_core(columns, 50_000)
    with ENGINES[engine](SLOTS) as made:

        def passed(rows: int, partitions: int) -> tuple[Cluster, Spent]:
            held = made(rows, columns, partitions)
            found = spent(lambda: pass_over(held), IS_SLOT[engine])
            shown = f"{rows:,} rows, {partitions:,} partitions: {found}"
            print(shown, file=sys.stderr, flush=True)
            return Cluster(rows, partitions, SLOTS), found

        least_of_all = passed(2 * TINY, 2)[1].wall
        tiny = [passed(TINY * partitions, partitions) for partitions in (FEW, MANY)]
        sizes = [
            (cells // columns // partitions * partitions, partitions)
            for cells, partitions in CHECKED
        ]
        checked = [passed(*each) for each in sizes]
    return of_engine(core, tiny[0], tiny[1], least_of_all), checked


# --- what is told ---------------------------------------------------------------------------------


def show(engine: str, columns: int, costs: Costs, checked: list[tuple[Cluster, Spent]]) -> None:
    """Costs, the check, and the table of larger clusters."""
    print(
        f"\n{engine}, {columns} columns: {costs.rows_per_second:.3g} rows/s of a slot, a merge "
        f"{1e3 * costs.merging:.2f} ms, a message {costs.message / 1e3:.0f} kB, a task "
        f"{1e3 * costs.task:.2f} ms of its slot and {1e3 * costs.scheduling:.2f} ms of the "
        f"scheduler, a pass {costs.a_pass:.2f} s\n"
    )
    print(
        "| rows | partitions | slots' work, foretold | measured | scheduler's, foretold | measured "
        "| the pass, foretold | measured |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for cluster, found in checked:
        course = simulated(costs, cluster)
        scheduler = len(tasks_of(cluster.partitions)) * costs.scheduling
        cells = [course.work, found.slots, scheduler, found.scheduler, course.seconds, found.wall]
        shown = " | ".join(f"{each:.2f} s" for each in cells)
        print(f"| {cluster.rows:,.0f} | {cluster.partitions:,} | {shown} |")


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
