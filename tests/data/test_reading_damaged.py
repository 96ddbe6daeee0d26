"""Damaged files are refused in one sentence, whatever the engine says; so are unwritten pipes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import stylobate
from stylobate import explore
from stylobate.data.reading import source
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model import Ridge


def test_lines_that_are_alike_only_with_missing_words(tmp_path):
    path = tmp_path / "q.csv"
    path.write_bytes(b"k,v\n1,x\n-,'B\n-,'C,NA\n-,'D\n")
    frame = stylobate.read(path).to_frame("pandas")
    assert frame.columns[0] == "k"
    assert len(frame) >= 3


USES = {
    "frame": lambda path: stylobate.read(path).to_frame("pandas"),
    "explore": stylobate.explore,
    "fit": lambda path: Ridge().fit(stylobate.read(path), target="b"),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_json_with_a_key_twice(use, tmp_path):
    path = tmp_path / "q.json"
    path.write_text('[{"a": 1, "b": 2}, {"a": 1, "a": 2, "b": 3}]')
    with pytest.raises(InvalidDataError) as caught:
        use(str(path))
    said = f'read: {path}: record 2 holds the key "a" twice; rename or drop one of them.'
    assert str(caught.value) == said


def test_damaged_parquet(tmp_path):
    """Whatever bytes are changed: the table, or one sentence that names the file."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"a": np.arange(300), "b": ["x", "yy", "z"] * 100}), path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    refused = []
    for _ in range(60):
        damaged = bytearray(whole)
        for place in rng.integers(0, len(whole), 3):
            damaged[place] = rng.integers(0, 256)
        path.write_bytes(damaged)
        for use in (lambda r: r.to_frame("pyarrow"), lambda r: list(r.batches(50)), len, explore):
            try:
                use(stylobate.read(path))
            except InvalidDataError as error:
                refused.append(str(error))
    assert len(refused) > 20
    assert all(each.startswith(f"read: {path}: ") and "\n" not in each for each in refused)
    assert not any("Error: " in each or "cannot be read" in each for each in refused)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_pipe_without_a_writer_is_refused_and_a_slow_writer_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "_PATIENCE", 0.3)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidDataError, match="pipe, and nobody wrote to it for"):
        stylobate.read(pipe).to_frame("pandas")

    def write() -> None:
        with pipe.open("w") as out:
            time.sleep(1.0)
            out.write("a,b\n1,x\n2,y\n")

    writer = threading.Thread(target=write)
    writer.start()
    time.sleep(0.1)
    assert stylobate.read(pipe).to_frame("pandas").shape == (2, 2)
    writer.join()


def test_the_command_says_one_sentence(tmp_path):
    path = tmp_path / "q.json"
    path.write_text('{"a":1,"a":2}')
    done = subprocess.run(
        [sys.executable, "-m", "stylobate", "explore", str(path)],
        env={**os.environ, "PYTHONPATH": str(Path(stylobate.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
