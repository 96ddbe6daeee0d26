"""Load of other processes: told apart from our own."""

from __future__ import annotations

import subprocess
import sys
import time

import psutil

from race.busy import busy_core
from race.others import OtherLoad

SECONDS = 1.0
# a shell between us and the spinner that ends at once: the spinner is then nobody's child of ours
ORPHAN = """
import subprocess, sys
quiet = subprocess.DEVNULL
print(subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=quiet, stderr=quiet).pid)
"""
SPIN = f"import time; end = time.time() + {3 * SECONDS}\nwhile time.time() < end: pass"


def cores_used_by_others() -> float:
    load = OtherLoad()
    assert load.cores is None
    load.begin()
    time.sleep(SECONDS)
    load.end()
    assert load.cores is not None
    return load.cores


def test_a_foreign_process_is_seen() -> None:
    """However little of a busy machine it gets: what it used is the least that is told."""
    told = subprocess.run(
        [sys.executable, "-c", ORPHAN, SPIN], check=True, capture_output=True, text=True
    )
    spinner = psutil.Process(int(told.stdout))
    before = spinner.cpu_times().user
    cores = cores_used_by_others()
    used = (spinner.cpu_times().user - before) / SECONDS
    assert used > 0.02
    assert cores > 0.8 * used - 0.05  # the clock ticks in hundredths of a second


def test_our_own_load_is_not_that_of_others() -> None:
    """A difference, so that whatever else runs cancels; tried again, for it comes and goes."""
    for _ in range(4):
        with busy_core(True):
            time.sleep(0.2)
            own = cores_used_by_others()
        if own - cores_used_by_others() < 0.4:
            return
    raise AssertionError("the load of our own children is counted as that of others")
