"""Long factorisations run beside the main thread, and nobody notices but Ctrl-C."""

from __future__ import annotations

import threading
import warnings

import numpy as np
import pytest

import stylobate
from stylobate.interrupts import interruptible

LONG = np.eye(1000)


def thread_of(matrix):
    return threading.current_thread(), stylobate.get_threads(), np.geterr()["over"]


def test_long_work_is_done_beside_the_main_thread_with_its_settings():
    with stylobate.threads(3), np.errstate(over="raise"):
        beside, threads, overflow = interruptible(thread_of, LONG)
    assert beside is not threading.main_thread()
    assert (threads, overflow) == (3, "raise")


def test_short_work_and_that_of_other_threads_stays_where_it_is():
    assert interruptible(thread_of, LONG[:50])[0] is threading.main_thread()
    found = []
    other = threading.Thread(target=lambda: found.append(interruptible(thread_of, LONG)[0]))
    other.start()
    other.join()
    assert found == [other]


def test_results_have_the_bits_of_a_plain_call():
    matrix = np.random.default_rng(0).normal(size=(700, 700))
    there, here = interruptible(np.linalg.qr, matrix, mode="r"), np.linalg.qr(matrix, mode="r")
    assert np.array_equal(there, here)


def test_errors_and_warnings_arrive():
    def complaining(matrix):
        warnings.warn("mind this", UserWarning, stacklevel=1)
        return len(matrix)

    with pytest.raises(np.linalg.LinAlgError, match=r"[Ss]ingular"):
        interruptible(np.linalg.inv, 0.0 * LONG)
    with pytest.warns(UserWarning, match="mind this"):
        assert interruptible(complaining, LONG) == 1000
