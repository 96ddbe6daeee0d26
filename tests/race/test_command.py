"""The command line, from outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from race.__main__ import main
from race.busy import busy_core
from race.results import SCHEMA
from race.workload import discover, load

ENTRY_KEYS = {
    "name", "package", "kind", "status", "message", "times", "best", "median", "ratio", "limit",
    "peak_extra_bytes", "quality", "excess", "counts", "note", "evidence",
}  # fmt: skip
BOUT_KEYS = {
    "workload", "title", "size_name", "size", "tolerance", "entries", "order", "floor",
    "floor_text", "other_cores", "verdicts",
}  # fmt: skip
REPORT_KEYS = {
    "schema", "machine", "threads", "busy", "repeats", "flops_per_second", "bytes_per_second",
    "interrupted", "bouts",
}  # fmt: skip


def test_json_and_picture(
    tiny_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results, picture = tmp_path / "race.json", tmp_path / "race.png"
    code = main(
        ["tiny", "--folder", str(tiny_file.parent), "--sizes", "small,standard", "--repeats", "1",
         "--contenders", "ours,mean,nan,absent", "--threads", "1", "--budget", "1",
         "--json", str(results), "--picture", str(picture)]
    )  # fmt: skip
    assert code == 0
    printed = capsys.readouterr().out
    assert "tiny · small (10 rows)" in printed
    assert "goal" in printed
    content = json.loads(results.read_text("utf-8"))
    assert set(content) == REPORT_KEYS
    assert content["schema"] == SCHEMA
    assert content["flops_per_second"] > 1e6
    assert [b["size_name"] for b in content["bouts"]] == ["small", "standard"]
    for bout in content["bouts"]:
        assert set(bout) == BOUT_KEYS
        assert all(set(e) == ENTRY_KEYS for e in bout["entries"])
        rows = {e["name"]: e for e in bout["entries"]}
        assert rows["ours"]["ratio"] == 1.0
        assert rows["mean"]["best"] == min(rows["mean"]["times"])
        assert rows["nan"]["quality"] is None
        assert rows["absent"]["status"] == "missing"
    _check_picture(picture)


def _check_picture(path: Path) -> None:
    from matplotlib.image import imread

    pixels = imread(path)
    assert pixels.shape[0] > 200
    assert pixels[..., :3].std() > 0.01  # something is drawn


def test_list_names_what_is_not_installed(
    tiny_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tiny", "--list", "--folder", str(tiny_file.parent)]) == 0
    printed = capsys.readouterr().out
    assert "- absent (not installed: pip install '.[race]')" in printed
    assert "- mean\n" in printed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["olz"], "no workload 'olz'; there are: accelerate, aggregate, anova"),
        (["ols", "--sizes", "huge"], "no size 'huge'; there are: small, standard, large"),
        (["ols", "--contenders", "nobody"], "no contender called nobody"),
        (["ols", "--repeats", "0"], "must be at least 1, got 0"),
    ],
)
def test_obvious_mistakes_get_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert sentence in capsys.readouterr().err


def test_every_workload_states_what_the_rules_ask() -> None:
    found = discover()
    assert set(found) >= {"import", "ols", "ridge", "ridge_cv_grid"}
    for name, path in found.items():
        workload = load(path)
        assert workload.name == name
        assert "standard" in workload.sizes
        assert workload.goals


def test_busy_load_lives_as_long_as_the_block() -> None:
    with busy_core(True) as pid:
        assert pid is not None
        os.kill(pid, 0)
        if hasattr(os, "sched_getaffinity"):
            assert len(os.sched_getaffinity(pid)) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with busy_core(False) as nobody:
        assert nobody is None


def test_ctrl_c_prints_what_is_known(tiny_file: Path, tmp_path: Path) -> None:
    results = tmp_path / "race.json"
    command = [
        sys.executable, "-m", "race", "tiny", "--folder", str(tiny_file.parent), "--busy",
        "--sizes", "small", "--contenders", "ours,mean,endless", "--json", str(results),
    ]  # fmt: skip
    root = Path(__file__).parents[2]
    running = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
    # by then it waits for the endless contender, whose limit is minutes away
    children = _wait_for_worker(running.pid, "endless")
    assert len(children) == 4  # three workers and the load
    running.send_signal(signal.SIGINT)
    printed, _ = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Interrupted" in printed
    assert json.loads(results.read_text("utf-8"))["interrupted"] is True
    _, alive = psutil.wait_procs(children, timeout=10)  # whoever inherits them may be slow to look
    assert [each for each in alive if _runs(each)] == []


def _runs(child: psutil.Process) -> bool:
    try:
        return bool(child.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _named(child: psutil.Process, name: str) -> bool:
    try:
        return name in child.cmdline()
    except psutil.NoSuchProcess:  # gone since it was listed
        return False


def _wait_for_worker(pid: int, name: str, patience: float = 60.0) -> list[psutil.Process]:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        children: list[psutil.Process] = psutil.Process(pid).children()
        if any(_named(child, name) for child in children):
            return children
        time.sleep(0.05)
    raise AssertionError(f"no worker for {name} within {patience} s")
