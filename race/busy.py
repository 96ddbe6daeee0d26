"""A load on one core, to see who degrades gracefully."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

# ends by itself should the race be killed: its parent is then another process
_SPIN = """
import os
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(1_000_000):
        pass
"""


@contextlib.contextmanager
def busy_core(wanted: bool) -> Iterator[int | None]:
    """Keep one core spinning while the block runs; gives the process id, None if not wanted."""
    if not wanted:
        yield None
        return
    process = subprocess.Popen([sys.executable, "-c", _SPIN])
    try:
        if hasattr(os, "sched_setaffinity"):
            # the first core: workers are allowed the first ones too, so they must share it
            os.sched_setaffinity(process.pid, {min(os.sched_getaffinity(0))})
        yield process.pid
    finally:
        process.kill()
        process.wait()
