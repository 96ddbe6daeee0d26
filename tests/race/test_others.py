"""Load of other processes: told apart from our own."""

from __future__ import annotations

import subprocess
import sys
import time

from race.busy import busy_core
from race.others import OtherLoad

SECONDS = 1.0
# a shell between us and the spinner that ends at once: the spinner is then nobody's child of ours
ORPHAN = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]])"
SPIN = f"import time; end = time.time() + {3 * SECONDS}\nwhile time.time() < end: pass"


def cores_used_by_others() -> float:
    load = OtherLoad()
    assert load.cores is None
    load.begin()
    time.sleep(SECONDS)
    load.end()
    assert load.cores is not None
    return load.cores


def test_a_foreign_process_is_seen_and_our_own_load_is_not() -> None:
    """Differences, so that whatever else runs on the machine cancels roughly."""
    with busy_core(True):
        time.sleep(0.2)
        own = cores_used_by_others()
    before = cores_used_by_others()
    subprocess.run([sys.executable, "-c", ORPHAN, SPIN], check=True)
    time.sleep(0.3)
    foreign = cores_used_by_others()
    assert foreign - before > 0.2 or foreign > 1.2  # a full machine cannot show one more
    assert own - before < 0.6
