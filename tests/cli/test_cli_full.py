"""Disks that are full or cannot be written to, and output that goes nowhere: the real things."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

COMMAND = [sys.executable, "-m", "stylobate"]


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """A table and a model of it."""
    import stylobate
    from stylobate.linear_model import LinearRegression

    folder = tmp_path_factory.mktemp("given")
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(200, 2))
    lines = [f"{a},{b},{a - b}" for a, b in rows.round(3)]
    (folder / "t.csv").write_text("a,b,y\n" + "\n".join(lines) + "\n")
    frame = stylobate.read(folder / "t.csv").to_frame("pandas")
    LinearRegression().fit(frame[["a", "b"]], frame["y"]).save(folder / "m.stylobate")
    return folder


def run(*command, **more):
    return subprocess.run(command, text=True, timeout=180, check=False, **more)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(
    "words",
    [
        ("predict", "m.stylobate", "t.csv"),
        ("explain", "m.stylobate", "t.csv"),
        ("study", "t.csv", "--target", "y", "--models", "linear", "--time", "2", "--json"),
        ("datasets",),
    ],
    ids=lambda words: words[0],
)
def test_output_to_a_full_device_is_one_sentence(words, given, tmp_path):
    shutil.copytree(given, tmp_path, dirs_exist_ok=True)
    with open("/dev/full", "w") as full:
        done = run(*COMMAND, *words, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "Error: standard output cannot be written to: No space left on device."
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_reader_that_has_enough_is_no_error(given):
    line = f"{' '.join(COMMAND)} predict m.stylobate t.csv | head -1"
    done = run("sh", "-c", line, cwd=given, capture_output=True)
    assert done.stdout.strip() == "row,prediction"
    assert done.stderr == ""


def private(script, given, tmp_path):
    """Run a script that may mount what no other process sees."""
    mine = tmp_path / "disk"
    mine.mkdir()
    line = f"set -e; {script}"
    places = {"DISK": str(mine), "GIVEN": str(given), "STYLOBATE": " ".join(COMMAND)}
    tried = run("unshare", "--mount", "true", capture_output=True)
    if os.geteuid() or tried.returncode:
        pytest.skip("mounting needs root and a kernel that allows it")
    return run("unshare", "--mount", "sh", "-c", line, capture_output=True, env=os.environ | places)


def said(done, tmp_path):
    assert "Traceback" not in done.stderr, done.stderr
    return " ".join(done.stderr.split()).replace(str(tmp_path), "")


_STUDY = (
    '$STYLOBATE study "$GIVEN/t.csv" --target y --models linear --time 2 --quiet --out "$DISK/out"'
)


@pytest.mark.skipif(shutil.which("unshare") is None, reason="of Linux")
@pytest.mark.parametrize("command", ["study", "predict"])
def test_a_full_file_system(command, given, tmp_path):
    """Not one byte is left: nothing is left behind. With a little, what was learnt stays."""
    what = _STUDY if command == "study" else (
        '$STYLOBATE predict "$GIVEN/m.stylobate" "$GIVEN/t.csv" --out "$DISK/p.csv"'
    )  # fmt: skip
    script = (
        'mount -t tmpfs -o size=64k tmpfs "$DISK"; dd if=/dev/zero of="$DISK/fill" bs=1k '
        f'count=100 2>/dev/null || true; {what} || code=$?; echo "code $code"; ls -A "$DISK"'
    )
    done = private(script, given, tmp_path)
    words = said(done, tmp_path)
    assert "no space left" in words.lower(), words
    assert done.stdout.split("\n")[:2] == ["code 2", "fill"]
    assert done.stdout.strip().endswith("fill"), done.stdout


@pytest.mark.skipif(shutil.which("unshare") is None, reason="of Linux")
def test_a_file_system_that_is_read_only(given, tmp_path):
    script = (
        f'mount -t tmpfs -o ro tmpfs "$DISK"; {_STUDY} || code=$?; echo "code $code"; '
        '$STYLOBATE predict "$GIVEN/m.stylobate" "$GIVEN/t.csv" --out "$DISK/p.csv" || '
        'code=$?; echo "code $code"'
    )
    done = private(script, given, tmp_path)
    words = said(done, tmp_path)
    assert words.lower().count("read-only file system") == 2, words
    assert done.stdout.split() == ["code", "2", "code", "2"]


@pytest.mark.skipif(shutil.which("unshare") is None, reason="of Linux")
def test_a_disk_that_fills_up_while_the_study_is_written_goes_on_when_there_is_room(
    given, tmp_path
):
    script = (
        f'mount -t tmpfs -o size=48k tmpfs "$DISK"; {_STUDY} || code=$?; echo "code $code"; '
        'find "$DISK" -type f ! -path "*/progress/*"; mount -o remount,size=20m "$DISK"; '
        f'{_STUDY}; echo "then $?"; ls "$DISK/out"'
    )
    done = private(script, given, tmp_path)
    assert "no space left" in said(done, tmp_path)
    assert done.stdout.split()[:4] == ["code", "2", "then", "0"]
    assert "report.html" in done.stdout
