"""A process may end while its threads are inside native loops."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

LOOPS = {
    "forest": "RandomForestClassifier(n_estimators=2000).fit(X, y)",
    "many short loops": "[_core.uniform(0, 0, 0, 50_000) for _ in range(10**6)]",
    "without workers": "[set_one() and _core.uniform(0, 0, 0, 10**8) for _ in range(100)]",
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("workers", [1, 2])
def test_daemon_threads_in_native_loops_do_not_abort_the_process(loop, workers, environment):
    program = f"""
    import threading, time
    import numpy as np
    import stylobate
    from stylobate import _core
    from stylobate.ensemble import RandomForestClassifier

    def set_one():
        stylobate.set_threads(1)
        return True

    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((5_000, 10)), rng.integers(0, 2, 5_000)
    begun = threading.Event()

    def work():
        begun.set()
        {LOOPS[loop]}

    for _ in range({workers}):
        threading.Thread(target=work, daemon=True).start()
    begun.wait()
    time.sleep(0.3)
    print("end")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
