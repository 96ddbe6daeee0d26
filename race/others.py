"""How much of the machine other processes took: a disturbed run must be seen to be one."""

from __future__ import annotations

import time


class OtherLoad:
    """Cores used on average by processes that are not ours, over several stretches.

    Ours are this process and its descendants: the workers, and the load of ``--busy``, which is
    wanted. The machine's clock of CPU time ticks in 10 ms, so only sums over a bout mean something.
    """

    def __init__(self) -> None:
        self._cpu = 0.0
        self._wall = 0.0

    def begin(self) -> None:
        """Start a stretch."""
        self._at = (time.perf_counter(), _foreign_seconds())

    def end(self) -> None:
        """End the stretch and add it."""
        wall, foreign = self._at
        self._cpu += _foreign_seconds() - foreign
        self._wall += time.perf_counter() - wall

    @property
    def cores(self) -> float | None:
        """Average over all stretches; None before the first."""
        return max(0.0, self._cpu / self._wall) if self._wall else None


def _foreign_seconds() -> float:
    """CPU seconds the machine spent so far, less those of our living processes."""
    import psutil

    machine = psutil.cpu_times()
    total = machine.user + machine.system
    us = psutil.Process()
    for process in [us, *us.children(recursive=True)]:
        try:
            spent = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total -= spent.user + spent.system
        if process.pid != us.pid:
            # what a worker's own children used before they ended; ours are counted one by one
            total -= spent.children_user + spent.children_system
    return float(total)
