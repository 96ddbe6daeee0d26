"""Ctrl-C, a full disk, a process that is killed: words where words can be, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import polars
import pytest

from stylobate.data.interrupts import Remembered
from stylobate.data.streams import Batch, Stream

RNG = np.random.default_rng(3)
X = RNG.normal(size=(600, 3))
Y = X @ [1.0, 2.0, 3.0] + RNG.normal(size=600)

# --- Ctrl-C ---------------------------------------------------------------------------------------

INTERRUPTED = """
    import os, signal, sys, threading, time
    import numpy as np
    import numpy.random  # loading it may drop an interrupt
    import stylobate, duckdb
    from stylobate.data.streams.progress import listening
    from stylobate.linear_model import LogisticRegression, Ridge
    from stylobate.ensemble import HistGradientBoostingRegressor

    sent = []
    def interrupt():
        time.sleep(0.15)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    def told(each):
        if not sent and not started:
            started.append(True)
            threading.Thread(target=interrupt).start()

    started = []
    rows = {rows}
    before = threading.active_count()
    try:
        with listening(told):
            while True:
                {model}.fit(rows, target="y")
    except KeyboardInterrupt:
        late = time.perf_counter() - sent[0]
    time.sleep(0.05)
    assert threading.active_count() == before, threading.enumerate()
    found = Ridge().fit(rows, target="y")
    print(late, len(found.coef_))
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    rng = np.random.default_rng(0)
    columns = {f"x{j}": rng.normal(size=400_000) for j in range(8)}
    polars.DataFrame(columns | {"y": rng.integers(0, 2, 400_000)}).write_parquet(
        folder / "rows.parquet", row_group_size=100_000
    )
    return folder / "rows.parquet"


@pytest.mark.parametrize(
    "model", ["Ridge()", "LogisticRegression()", "HistGradientBoostingRegressor(max_iter=20)"]
)
@pytest.mark.parametrize("rows", ["stylobate.read({0!r})", "duckdb.sql(\"SELECT * FROM '{0}'\")"])
def test_ctrl_c(many, model, rows, slowness):
    code = textwrap.dedent(INTERRUPTED).format(rows=rows.format(str(many)), model=model)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    late, columns = done.stdout.split()
    assert int(columns) == 8
    assert float(late) < 0.5 * slowness()


# --- no room for temporary files ------------------------------------------------------------------

SPILLING = """
    import sys
    import numpy as np
    from stylobate.data.streams import Batch, Stream
    from stylobate.ensemble import HistGradientBoostingRegressor
    from stylobate.ensemble.boosting import stream_fit
    {limit}
    stream_fit.KEPT_BYTES = 0
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400_000, 10))
    stream = Stream(lambda: iter([Batch(X, X[:, 0])]), "rows")
    try:
        HistGradientBoostingRegressor(max_iter=2).fit(stream)
    except OSError as error:
        print(error)
    {after}
"""
LIMIT = (  # the signal that comes with it would end the process
    "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))"
)


def spilled(folder, limit="", after=""):
    code = textwrap.dedent(SPILLING).format(limit=limit, after=after)
    environment = os.environ | {"TMPDIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    )


def test_no_room_for_bins(tmp_path):
    process = spilled(tmp_path, LIMIT)
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 0
    assert "cannot hold" in said
    assert "set TMPDIR to one that can" in said
    assert str(tmp_path) in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="no file system in memory")
def test_a_full_disk(tmp_path):
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(tmp_path)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a small file system cannot be mounted here")
    try:
        process = spilled(tmp_path)
        said = process.communicate(timeout=120)[0]
        assert process.returncode == 0
        assert "No space left on device" in said
        assert list(tmp_path.iterdir()) == []
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_nothing_is_left_after_a_kill(tmp_path):
    process = spilled(tmp_path, after='print("spilled", flush=True); import time; time.sleep(60)')
    assert process.stdout.readline() == "spilled\n"
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    process.stdout.close()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_after_a_kill_while_bins_are_in_use(tmp_path):
    process = spilled(
        tmp_path,
        limit=(
            "from stylobate.ensemble.boosting import fitting\n"
            "def held(*args, **options):\n"
            "    print('spilled', flush=True); import time; time.sleep(60)\n"
            "stream_fit.iterate = held"
        ),
    )
    assert process.stdout.readline() == "spilled\n"
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    process.stdout.close()
    assert list(tmp_path.iterdir()) == []


def test_a_copy_that_finds_no_room(tmp_path):
    """Rows of SQLite are copied to a text file first."""
    import sqlite3

    path = tmp_path / "rows.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE rows (a REAL, y REAL)")
        connection.executemany(
            "INSERT INTO rows VALUES (?, ?)", [(k / 7, k / 9) for k in range(99_999)]
        )
    connection.close()
    copies = tmp_path / "copies"
    copies.mkdir()
    code = textwrap.dedent(f"""
        import stylobate
        from stylobate.linear_model import Ridge
        {LIMIT}
        try:
            Ridge().fit(stylobate.read({str(path)!r}), target="y")
        except OSError as error:
            print(type(error).__name__, error)
    """)
    environment = os.environ | {"TMPDIR": str(copies)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "TMPDIR" in done.stdout
    assert list(copies.iterdir()) == []


def test_threads_of_a_pass_that_is_left_are_none():
    before = threading.active_count()
    stream = Stream(lambda: iter([Batch(X, Y), Batch(X, Y)]), "left")
    next(iter(stream))
    assert threading.active_count() == before


def test_copies_of_a_process_that_was_killed_are_swept_away(tmp_path):
    """A folder in use is left alone; the next process removes one that is not."""
    code = """
        import os, sys, time
        from stylobate.data.reading.folder import Folder, sweep
        folder = Folder()
        (folder.path / "rows.csv").write_text("a")
        long_ago = time.time() - 3600
        os.utime(folder.path / ".lock", (long_ago, long_ago))
        print(folder.path, flush=True)
        if sys.argv[1:]:
            time.sleep(60)
    """
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", textwrap.dedent(code)]
    first = subprocess.Popen([*command, "wait"], stdout=subprocess.PIPE, text=True, env=environment)
    left = first.stdout.readline().strip()
    subprocess.run(command, check=True, capture_output=True, env=environment, timeout=60)
    assert [str(each) for each in tmp_path.iterdir()] == [left]  # in use, so still there
    first.send_signal(signal.SIGKILL)
    first.wait(timeout=60)
    first.stdout.close()
    assert os.path.exists(left)
    subprocess.run(command, check=True, capture_output=True, env=environment, timeout=60)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_that_a_library_drops_is_raised_after_its_call():
    before = signal.getsignal(signal.SIGINT)

    def drops():
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1.0)
        except KeyboardInterrupt:
            pass

    def calls():
        with Remembered():
            drops()

    with pytest.raises(KeyboardInterrupt):
        calls()
    with pytest.raises(KeyError), Remembered():  # nothing noticed: errors pass
        raise KeyError("x")
    assert signal.getsignal(signal.SIGINT) is before
