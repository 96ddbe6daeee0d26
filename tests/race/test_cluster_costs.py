"""The simulation of passes over clusters: its laws, its formula, and how costs are found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from race.cluster_costs import Spent, of_engine
from race.cluster_simulation import Cluster, Costs, formula, scales, simulated, tasks_of

COSTS = Costs(4e6, 1e-4, 2e4, 1e-3, 5e-4, 0.1)
clusters = st.builds(
    Cluster, st.floats(1e3, 1e9), st.integers(1, 3_000), st.sampled_from([1, 2, 5, 16, 64, 500])
)


def test_one_slot_without_overhead_takes_as_long_as_the_rows() -> None:
    free = Costs(1e6, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert simulated(free, Cluster(1e6, 10, 1)).seconds == pytest.approx(1.0)
    assert simulated(free, Cluster(1e6, 10, 2)).seconds == pytest.approx(0.5)
    assert simulated(free, Cluster(1e6, 10, 4)).seconds == pytest.approx(0.3)  # three turns


@given(clusters)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_no_pass_is_shorter_than_its_work_or_its_tasks(cluster: Cluster) -> None:
    course = simulated(COSTS, cluster)
    tasks = tasks_of(cluster.partitions)
    assert course.seconds >= COSTS.a_pass + course.work / cluster.slots - 1e-9
    assert course.seconds >= COSTS.a_pass + len(tasks) * COSTS.scheduling - 1e-9
    leaf = COSTS.task + cluster.rows / cluster.partitions / COSTS.rows_per_second
    assert course.seconds <= COSTS.a_pass + course.work + len(tasks) * COSTS.scheduling + leaf


@given(clusters)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_formula_is_the_simulation_to_a_quarter(cluster: Cluster) -> None:
    assert formula(COSTS, cluster) == pytest.approx(simulated(COSTS, cluster).seconds, rel=0.25)


def test_more_slots_are_not_slower_and_messages_of_a_slot_stay_few() -> None:
    by_slots = [simulated(COSTS, Cluster(1e8, 4_000, slots)).seconds for slots in (1, 4, 16, 64)]
    assert by_slots == sorted(by_slots, reverse=True)
    held = [simulated(COSTS, Cluster(1e9, 64 * k, 64)).held for k in (1, 16, 256)]
    assert max(held) <= 12 * COSTS.message


def test_costs_are_found_from_passes_over_nearly_nothing() -> None:
    """Processor times that the model itself gives are taken apart again."""
    core = replace(COSTS, task=0.0, scheduling=0.0, a_pass=0.0)
    passes = []
    for partitions in (32, 256):
        tasks = len(tasks_of(partitions))
        slots = 0.02 + COSTS.task * tasks + (partitions - 1) * COSTS.merging
        spent = Spent(1.0, 0.01 + tasks * COSTS.scheduling, slots)
        passes.append((Cluster(10.0 * partitions, partitions, 2), spent))
    found = of_engine(core, *passes, COSTS.a_pass)
    for name in ("task", "scheduling", "a_pass"):
        assert getattr(found, name) == pytest.approx(getattr(COSTS, name), rel=1e-6)


def test_the_table_reaches_a_million_million_rows() -> None:
    assert max(rows for rows, *_ in scales()) == 1e12
