"""Ctrl-C: batches keep what was learnt, L-BFGS and predictions stop."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

SCRIPT = """
    import os, signal, sys, threading, time, warnings
    import numpy as np
    from stylobate.neural_network import MLPClassifier

    x = np.random.default_rng(0).normal(size=(20_000, 100))
    model = MLPClassifier((300, 300), solver=sys.argv[1], batch_size=5000, tol=0.0, random_state=0)
    sent = []
    def interrupt():
        time.sleep(0.3)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt).start()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            model.fit(x, x[:, 0] > 0)
            end = str(said[-1].message)
            assert np.isfinite(model.predict_proba(x[:9])).all()
        except KeyboardInterrupt:
            end = "KeyboardInterrupt"
    print(time.perf_counter() - sent[0], end)
"""


@pytest.mark.parametrize(
    ("solver", "end"), [("adam", "Training interrupted by user."), ("lbfgs", "KeyboardInterrupt")]
)
def test_training_stops_at_once(solver, end, slowness):
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), solver],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert ran.stdout, ran.stderr
    seconds, said = ran.stdout.split(maxsplit=1)
    assert said.strip() == end
    assert float(seconds) < 2.0 * slowness()
