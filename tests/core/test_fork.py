"""A forked child has none of its parent's threads; it must not notice."""

from __future__ import annotations

from textwrap import dedent

import pytest

SETUP = """
import multiprocessing, os, threading, time, warnings
import numpy as np
import stylobate
from stylobate import _core
from stylobate.linear_model import LinearRegression

warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
stylobate.set_threads(4)
x = np.random.default_rng(0).normal(size=(40000, 6))

def scan(_=0):
    return _core.moments(x, None, None)[3].tobytes()

def fit(seed):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(20000, 5))
    return LinearRegression().fit(z, z.sum(axis=1)).coef_.tobytes()

def child_agrees(expected):
    pid = os.fork()
    if pid == 0:
        os._exit(0 if scan() == expected and stylobate.get_threads() == 4 else 1)
    return os.waitpid(pid, 0)[1] == 0
"""

PROGRAMS = {
    "os.fork after use": """
        expected = scan()
        assert all(child_agrees(expected) for _ in range(5))
        assert scan() == expected
    """,
    "os.fork before use": """
        assert child_agrees(scan())
    """,
    "grandchildren": """
        expected = scan()
        pid = os.fork()
        if pid == 0:
            os._exit(0 if scan() == expected and child_agrees(expected) else 1)
        assert os.waitpid(pid, 0)[1] == 0
    """,
    "multiprocessing": """
        expected = [fit(seed) for seed in range(4)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(fit, range(4)) == expected
    """,
    "fork while another thread is in a loop": """
        expected, stop = scan(), threading.Event()

        def keep_busy():
            while not stop.is_set():
                scan()

        busy = [threading.Thread(target=keep_busy) for _ in range(2)]
        for thread in busy:
            thread.start()
        try:
            assert all(child_agrees(expected) for _ in range(10))
        finally:
            stop.set()
            for thread in busy:
                thread.join()
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_fork(name, run_program):
    run_program(SETUP + dedent(PROGRAMS[name]), timeout=30)  # a deadlock ends here
