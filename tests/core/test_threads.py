"""How many threads, and that it does not matter to the answer."""

from __future__ import annotations

import asyncio
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import stylobate
from stylobate import _core
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import LinearRegression

COUNT = "import stylobate; print(stylobate.get_threads())"


def _data(n, p, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) + np.arange(p), rng.normal(size=(n, 2)), rng.uniform(0, 2, n)


def _moments():
    x, y, w = _data(50_000, 7)
    return _core.moments(x, y, w)[2:]


def _wide_moments():
    x, y, w = _data(500, 700)
    return _core.moments(x, y, w)[2:]


def _sparse_moments():
    from scipy.sparse import random_array

    x = random_array((30_000, 9), density=0.2, format="csr", rng=np.random.default_rng(1))
    return _core.moments_csr(x.data, x.indices, x.indptr, 9, None, None)[2:]


def _triangular():
    x, y, w = _data(30_000, 6)
    return _core.triangular(x, y, w, False)


def _extended_triangular():
    x, y, w = _data(9_000, 4)
    return _core.triangular(x, y, w, True)


def _solution():
    x, y, w = _data(2_000, 150)
    return _core.solve_triangular(*_core.triangular(x, y, w, True), 151)


def _row_quadratics():
    from scipy.linalg import cython_blas

    _core.install_blas(cython_blas.__pyx_capi__)
    answers = []
    for n, p in ((5_000, 40), (300, 600)):
        x, _, _ = _data(n, p)
        r = np.asfortranarray(np.triu(_data(p, p)[0]) + 50 * np.eye(p))
        answers.append(_core.row_quadratics(x, x.mean(axis=0), r))
    return answers


def _uniform():
    return (_core.uniform(1, 2, 3, 100_001),)


def _fit():
    x, y, w = _data(30_000, 5)
    model = LinearRegression().fit(x, y, sample_weight=w)
    return model.coef_, model.intercept_


COMPUTATIONS = [
    _moments,
    _wide_moments,
    _sparse_moments,
    _triangular,
    _extended_triangular,
    _solution,
    _row_quadratics,
    _uniform,
    _fit,
]


def _bits(arrays):
    return [np.asarray(array).tobytes() for array in arrays]


@pytest.mark.parametrize("compute", COMPUTATIONS, ids=lambda f: f.__name__.strip("_"))
def test_same_bits_with_any_number_of_threads(compute):
    with stylobate.threads(1):
        alone = _bits(compute())
    for count in (2, 7):
        with stylobate.threads(count):
            assert _bits(compute()) == alone


@pytest.mark.parametrize("compute", [_moments, _triangular, _row_quadratics, _fit])
def test_same_bits_from_several_python_threads_at_once(compute):
    stylobate.set_threads(3)
    alone = _bits(compute())
    together = Barrier(4)

    def one(_):
        together.wait(timeout=20)
        return [_bits(compute()) for _ in range(3)]

    with ThreadPoolExecutor(4) as executor:
        for results in executor.map(one, range(4)):
            assert results == [alone] * 3


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"STYLOBATE_THREADS": "3"}, 3),
        ({"OMP_NUM_THREADS": "5"}, 5),
        ({"OMP_NUM_THREADS": "5,2"}, 5),
        ({"STYLOBATE_THREADS": "3", "OMP_NUM_THREADS": "5"}, 3),
        ({"STYLOBATE_THREADS": "none", "OMP_NUM_THREADS": "5"}, 5),
        ({"STYLOBATE_THREADS": "-1"}, len(os.sched_getaffinity(0))),
        ({}, len(os.sched_getaffinity(0))),
    ],
)
def test_environment(settings, expected, run_program):
    assert run_program(COUNT, settings=settings) == str(expected)


def test_default_is_the_cores_we_may_run_on(run_program):
    program = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n" + COUNT
    assert run_program(program) == "1"


def test_asking_beats_the_environment(run_program):
    program = """
    import stylobate
    with stylobate.threads(2):
        print(stylobate.get_threads())
        with stylobate.threads(None):
            print(stylobate.get_threads())
        print(stylobate.get_threads())
    print(stylobate.get_threads())
    """
    settings = {"STYLOBATE_THREADS": "3"}
    assert run_program(program, settings=settings).split() == ["2", "3", "2", "3"]


def test_set_threads_and_back():
    default = stylobate.get_threads()
    stylobate.set_threads(np.int64(5))
    assert stylobate.get_threads() == 5
    stylobate.set_threads(None)
    assert stylobate.get_threads() == default


def test_context_puts_back_what_was_asked_for_and_not_the_number():
    with stylobate.threads(3):
        pass
    assert _core.set_threads(0) == 0  # nothing is asked for: the default is in force again
    stylobate.set_threads(2)
    with pytest.raises(ZeroDivisionError), stylobate.threads(4):
        _ = 1 // (stylobate.get_threads() - 4)
    assert stylobate.get_threads() == 2


def test_overlapping_contexts_of_two_python_threads_do_not_disturb_each_other():
    """Entered 5 then 7, left 5 then 7: neither sees the other, and nothing is left behind."""
    stylobate.set_threads(2)
    steps = [Barrier(2) for _ in range(4)]

    def first():
        with stylobate.threads(5):
            steps[0].wait(timeout=20)
            steps[1].wait(timeout=20)
            inside = stylobate.get_threads()
        steps[2].wait(timeout=20)
        return inside, stylobate.get_threads()

    def second():
        steps[0].wait(timeout=20)
        with stylobate.threads(7):
            steps[1].wait(timeout=20)
            steps[2].wait(timeout=20)
            inside = stylobate.get_threads()
        return inside, stylobate.get_threads()

    with ThreadPoolExecutor(2) as executor:
        found = [executor.submit(each) for each in (first, second)]
        assert [each.result() for each in found] == [(5, 2), (7, 2)]
    assert stylobate.get_threads() == 2


def test_contexts_of_asynchronous_tasks_are_their_own():
    async def task(count):
        with stylobate.threads(count):
            await asyncio.sleep(0.01 * count)
            return stylobate.get_threads()

    async def both():
        return await asyncio.gather(task(5), task(3))

    before = stylobate.get_threads()
    assert asyncio.run(both()) == [5, 3]
    assert stylobate.get_threads() == before


def test_native_loops_use_the_threads_of_their_context(run_program):
    """The pool has grown by as many workers as were asked for besides the caller."""
    program = """
    import os
    import stylobate
    from stylobate import _core
    stylobate.set_threads(1)
    def tasks():
        return len(os.listdir("/proc/self/task"))
    _core.uniform(0, 0, 0, 10**6)
    before = tasks()
    with stylobate.threads(4):
        _core.uniform(0, 0, 0, 10**6)
    print(tasks() - before)
    """
    assert run_program(program) == "3"


def test_threads_that_the_library_starts_use_those_of_the_context():
    from stylobate.base.jobs import run_jobs

    with stylobate.threads(3):
        counts = run_jobs([stylobate.get_threads] * 4, 2, LinearRegression(), "2*n_jobs")
    assert counts == [3, 3, 3, 3]


@pytest.mark.parametrize("bad", [0, -1, 4097, 2**70, True, 1.0, 2.5, "2", [2]])
def test_bad_counts_are_refused_in_a_sentence(bad):
    expected = re.escape(f"count must be an integer in [1, 4096] or None, got {bad!r}.")
    with pytest.raises(InvalidParameterError, match="^set_threads: " + expected):
        stylobate.set_threads(bad)
    before = stylobate.get_threads()
    with (
        pytest.raises(InvalidParameterError, match="^threads: " + expected),
        stylobate.threads(bad),
    ):
        pass
    assert stylobate.get_threads() == before


def test_threadpoolctl_sees_and_limits_us():
    from threadpoolctl import threadpool_info, threadpool_limits

    LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0])  # joins
    stylobate.set_threads(6)
    (ours,) = [info for info in threadpool_info() if info["user_api"] == "stylobate"]
    assert ours["num_threads"] == 6
    for api in ("stylobate", None):
        with threadpool_limits(limits=1, user_api=api):
            assert stylobate.get_threads() == 1
        assert stylobate.get_threads() == 6
        with stylobate.threads(5):
            with threadpool_limits(limits=1, user_api=api):
                assert stylobate.get_threads() == 1
            assert stylobate.get_threads() == 5
    with threadpool_limits(limits=1, user_api="blas"):
        assert stylobate.get_threads() == 6


def test_workers_of_joblib_share_the_cores(run_program):
    program = """
    from joblib import Parallel, delayed

    def count():
        from stylobate import get_threads
        from stylobate.linear_model import LinearRegression
        LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0])
        return get_threads()

    print(Parallel(n_jobs=2)(delayed(count)() for _ in range(2)))
    """
    share = max(1, len(os.sched_getaffinity(0)) // 2)
    assert run_program(program) == str([share, share])


def test_idle_threads_cost_nothing():
    stylobate.set_threads(4)
    _moments()
    time.sleep(0.05)  # the last worker falls asleep
    before = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - before < 0.02


def test_native_work_leaves_the_interpreter_free():
    """While one thread computes, another one runs Python."""
    ticks = []
    with ThreadPoolExecutor(1) as executor:
        x = np.broadcast_to(np.arange(6.0), (30_000_000, 6))
        future = executor.submit(_core.moments, x, None, None)
        while not future.done():
            ticks.append(time.monotonic())
            time.sleep(0.005)
    assert len(ticks) > 5  # one, if the interpreter had to wait


def test_fits_from_several_threads_leave_blas_its_threads(run_program):
    program = """
    from concurrent.futures import ThreadPoolExecutor
    import numpy as np, scipy.linalg, threadpoolctl
    from stylobate.linear_model import RidgeCV

    def counts():
        info = threadpoolctl.threadpool_info()
        return [each["num_threads"] for each in info if each["user_api"] == "blas"]

    threadpoolctl.threadpool_limits(2, user_api="blas")
    before = counts()
    X = np.random.default_rng(0).normal(size=(2000, 30))
    fit = lambda _: RidgeCV(np.logspace(-2, 2, 20), cv=5).fit(X, X[:, 0] + X[:, 1] ** 2)
    with ThreadPoolExecutor(8) as pool:
        bits = {model.coef_.tobytes() for model in pool.map(fit, range(40))}
    print(float(before == counts() and len(bits) == 1))
    """
    assert float(run_program(program)) == 1.0
