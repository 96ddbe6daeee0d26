"""Columns without a value, and columns whose values come late, cost no more than others."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import stylobate


def _seconds(path: Path, k: int, last: str) -> float:
    names = ",".join(f"c{i}" for i in range(k))
    rows = ("," * (k - 1) + "\n") * 1500
    path.write_text(f"{names}\n{rows}{','.join([last] * k)}\n")
    start = time.perf_counter()
    frame = stylobate.read(path).to_frame("polars")
    taken = time.perf_counter() - start
    assert frame.shape == (1501, k)
    if last:
        assert frame.tail(1).row(0) == (1.5,) * k
    return taken


@pytest.mark.parametrize("last", ["", "1.5"])
def test_time_grows_with_the_columns_and_not_with_their_square(tmp_path, last):
    _seconds(tmp_path / "warm.csv", 3, last)
    few = _seconds(tmp_path / "few.csv", 8, last)
    many = _seconds(tmp_path / "many.csv", 64, last)
    assert many < 3 * 8 * few + 1.0


def test_memory_of_many_empty_columns(tmp_path):
    """It was 2.5 GB for 40 columns of three rows."""
    path = tmp_path / "empty.csv"
    path.write_text(",".join(f"c{i}" for i in range(80)) + "\n" + ("," * 79 + "\n") * 3)
    program = f"""
    import stylobate
    stylobate.read({str(path)!r}).to_frame("polars")
    # the peak of this program: `ru_maxrss` begins with that of the process it was started by
    print([each.split()[1] for each in open("/proc/self/status") if each.startswith("VmHWM")][0])
    """
    source = str(Path(stylobate.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={"PYTHONPATH": source},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert int(done.stdout) < 600 * 1024  # kilobytes
