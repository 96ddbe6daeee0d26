"""`stylobate predict` stopped in the middle, as a process: by Ctrl-C, by kill −9."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from stylobate.cli.leftovers import hold
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import LinearRegression

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals and file locks")
ROWS = 1_000_000


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A line y = 1 + 2a − b, and a million rows to predict."""
    folder = tmp_path_factory.mktemp("million")
    X = pd.DataFrame({"a": [0.0, 1.0, 2.0, 5.0], "b": [1.0, 0.0, 3.0, 1.0]})
    LinearRegression().fit(X, 1 + 2 * X["a"] - X["b"]).save(folder / "line.stylobate")
    many = pd.DataFrame(np.random.default_rng(0).normal(size=(ROWS, 2)), columns=["a", "b"])
    many.to_parquet(folder / "many.parquet")
    many[:3].to_parquet(folder / "few.parquet")
    return folder


def command(place, source, *options):
    model, rows = place / "line.stylobate", place / source
    return [sys.executable, "-m", "stylobate", "predict", model, rows, *options]


def parts(folder):
    return sorted(each.name for each in folder.iterdir() if each.name.endswith(".part"))


def wait_for_part(folder, process, known):
    """The name of the part that a process writes, once there is half a megabyte in it."""
    while process.poll() is None:
        for name in set(parts(folder)) - known:
            if (folder / name).stat().st_size > 500_000:
                return name
        time.sleep(0.005)
    raise AssertionError(f"it ended with status {process.returncode}")


def stopped(place, out, sent):
    """The command on a million rows, sent a signal once half a megabyte is written."""
    process = subprocess.Popen(
        command(place, "many.parquet", "--out", out),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for_part(out.parent, process, set())
    process.send_signal(sent)
    said, errors = process.communicate(timeout=60)
    return process.returncode, said, errors


def test_ctrl_c_in_the_middle_is_a_sentence_and_no_file(place, tmp_path):
    out = tmp_path / "o.csv"
    status, said, errors = stopped(place, out, signal.SIGINT)
    assert status == 130
    assert said == ""
    assert errors == f"Stopped by Ctrl-C: nothing was written to {str(out)!r}.\n"
    assert list(tmp_path.iterdir()) == []
    out.write_text("of yesterday")
    assert stopped(place, out, signal.SIGINT)[0] == 130
    assert [each.name for each in tmp_path.iterdir()] == ["o.csv"]
    assert out.read_text() == "of yesterday"


def test_ctrl_c_while_rows_are_printed(place):
    process = subprocess.Popen(
        command(place, "many.parquet"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "row,prediction\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "Stopped by Ctrl-C: the rows above are not all.\n"


def test_what_a_killed_process_left_is_swept_away_by_the_next(place, tmp_path):
    """What belongs to others stays: other outputs, other names, who is writing still."""
    out = tmp_path / "o.csv"
    status, _, _ = stopped(place, out, signal.SIGKILL)
    assert status == -signal.SIGKILL
    (stale,) = parts(tmp_path)
    others = [".p.csv.0123456789ab.part", ".o.csv.mine.part", ".o.csv.0123456789ab.party"]
    for name in others:
        (tmp_path / name).write_text("half")
    (tmp_path / ".o.csv.0123456789ac.part").symlink_to(tmp_path / others[0])
    link = ".o.csv.0123456789ac.part"
    living = subprocess.Popen(
        command(place, "many.parquet", "--out", out), stderr=subprocess.DEVNULL
    )
    held = wait_for_part(tmp_path, living, {stale, link, *others})
    living.send_signal(signal.SIGSTOP)  # alive, and in the middle
    try:
        assert stale not in parts(tmp_path)
        done = subprocess.run(command(place, "few.parquet", "--out", out), check=False)
        assert done.returncode == 0
        assert set(parts(tmp_path)) == {held, link, *others[:2]}
    finally:
        living.send_signal(signal.SIGCONT)
    living.send_signal(signal.SIGINT)
    assert living.wait(timeout=60) == 130
    assert held not in parts(tmp_path)
    assert out.read_text().count("\n") == 4


def test_two_at_once_are_refused_in_words(tmp_path):
    """Whose part was swept before it was locked cannot go on writing."""
    with (tmp_path / "part").open("wb") as stream:
        hold(stream, tmp_path / "o.csv")
        (tmp_path / "part").unlink()
        with pytest.raises(InvalidParameterError, match="at the same moment; run the command"):
            hold(stream, tmp_path / "o.csv")
