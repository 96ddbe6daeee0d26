"""What a pass over a cluster takes, task by task: the library's tree of merges without a cluster.

A pass is a task for each partition and one for each eight messages that meet. The scheduler sends
one task after the other, merges first, and one ahead to each slot, which does one at a time.
`simulated` follows every task, `formula` says the same in a line, for clusters of any size;
`race.cluster_costs` measures what goes in and compares both with passes on this machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil, log

from stylobate.sources.clusters.tree import WIDTH, levels


@dataclass(frozen=True, slots=True)
class Costs:
    """What the parts of a pass cost, in seconds and bytes.

    Parameters
    ----------
    rows_per_second : float
        Of a slot.
    merging : float
        For two messages to become one.
    message : float
        Bytes of a statistic.
    task : float
        Of a slot for each task, beside its rows.
    scheduling : float
        Of the scheduler for each task; it does one at a time.
    a_pass : float
        Of a pass, whatever its rows.
    bandwidth : float
        Bytes a second into a slot.
    """

    rows_per_second: float
    merging: float
    message: float
    task: float
    scheduling: float
    a_pass: float
    bandwidth: float = 1e9


@dataclass(frozen=True, slots=True)
class Cluster:
    """Rows, the partitions they are in, and how many tasks are done at a time."""

    rows: float
    partitions: int
    slots: int


@dataclass(frozen=True, slots=True)
class Course:
    """A pass: its seconds, those of all slots together, and the most bytes that a slot holds."""

    seconds: float
    work: float
    held: float


@dataclass(slots=True)
class _Task:
    """A task of the tree: a leaf, or a merge of so many; who waits for it."""

    parts: int
    waiting: int
    parent: int = -1


def tasks_of(partitions: int) -> list[_Task]:
    """The tree over the partitions, leaves first, as the engines build it."""
    tasks = [_Task(0, 0) for _ in range(partitions)]

    def merge(parts: list[int]) -> int:
        tasks.append(_Task(len(parts), len(parts)))
        for each in parts:
            tasks[each].parent = len(tasks) - 1
        return len(tasks) - 1

    levels(range(partitions), merge)
    return tasks


def simulated(costs: Costs, cluster: Cluster) -> Course:
    """A pass, task by task.

    Examples
    --------
    >>> free = Costs(1e6, 0.0, 0.0, 0.0, 0.0, 0.0)
    >>> simulated(free, Cluster(4e6, 8, 2)).seconds
    2.0
    """
    tasks = tasks_of(cluster.partitions)
    ready = [(0, k) for k in range(cluster.partitions)]  # merges (-1) come first
    running: list[tuple[float, int]] = []
    slots = [0.0] * cluster.slots  # when each is free
    now = scheduler = work = 0.0
    room, messages, most = 2 * cluster.slots, 0, 0
    while ready or running:
        if ready and room:
            _, k = heappop(ready)
            scheduler = max(now, scheduler) + costs.scheduling
            taken = _seconds_of(tasks[k], costs, cluster)
            end = max(scheduler, heappop(slots)) + taken
            heappush(slots, end)
            heappush(running, (end, k))
            work, room = work + taken, room - 1
            continue
        now, k = heappop(running)
        room += 1
        messages += 1 - tasks[k].parts
        most = max(most, messages + tasks[k].parts)
        parent = tasks[k].parent
        if parent >= 0:
            tasks[parent].waiting -= 1
            if not tasks[parent].waiting:
                heappush(ready, (-1, parent))
    held = max(ceil(most / cluster.slots), WIDTH + 1 if cluster.partitions > 1 else 1)
    return Course(costs.a_pass + now, work, held * costs.message)


def _seconds_of(task: _Task, costs: Costs, cluster: Cluster) -> float:
    if not task.parts:
        return costs.task + cluster.rows / cluster.partitions / costs.rows_per_second
    carried = task.parts * costs.message / costs.bandwidth
    return costs.task + (task.parts - 1) * costs.merging + carried


def formula(costs: Costs, cluster: Cluster) -> float:
    """Seconds of a pass: the slots' work or the scheduler's, whichever is more, and last merges.

    Examples
    --------
    >>> free = Costs(1e6, 0.0, 0.0, 0.0, 0.0, 0.0)
    >>> formula(free, Cluster(4e6, 8, 2))
    2.0
    """
    partitions, slots = cluster.partitions, cluster.slots
    merges = (partitions - 1) / (WIDTH - 1)
    turns = ceil(partitions / slots) / partitions  # the last turn may leave slots without work
    leaf = costs.task + cluster.rows / partitions / costs.rows_per_second
    carried = costs.message / costs.bandwidth
    merge = costs.task + (WIDTH - 1) * costs.merging + WIDTH * carried
    by_slots = partitions * turns * leaf + merges * merge / slots
    by_scheduler = (partitions + merges) * costs.scheduling
    depth = ceil(log(partitions, WIDTH) - 1e-9) if partitions > 1 else 0
    alone = min(merge, costs.task + (partitions - 1) * (costs.merging + carried))
    last = 0.0 if slots == 1 else depth * (alone + costs.scheduling)
    started = min(partitions, slots) * costs.scheduling  # until every slot has something to do
    return costs.a_pass + max(by_slots + started, by_scheduler + leaf) + last


def scales() -> Iterator[tuple[float, int, int, int]]:
    """Rows, columns, slots and partitions of the table up to 1e12 rows."""
    yield from (
        (1e7, 50, 2, 20),
        (1e9, 50, 64, 2_000),
        (1e10, 50, 512, 20_000),
        (1e12, 50, 4_096, 40_000),
        (1e12, 50, 4_096, 400_000),
        (1e12, 2_000, 65_536, 400_000),
    )
