"""`stylobate study`: what it writes and prints, and what it refuses in a sentence."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

QUICK = ("--models", "lda,ridge", "--time", "10", "--cv", "3")


def rows(n=60, header="a,b,y", seed=0):
    draw = np.random.default_rng(seed)
    a, b = draw.normal(size=(2, n))
    y = (a + 0.5 * draw.normal(size=n) > 0).astype(int)
    lines = [f"{u:.3f},{v:.3f},{w}" for u, v, w in zip(a, b, y, strict=True)]
    return "\n".join([header, *lines]) + "\n"


def refused(result, folder, *words):
    """Status 2, one sentence, nothing written."""
    assert result.exit_code == 2, result.output
    text = " ".join(result.stderr.split())
    for word in words:
        assert word in text, text
    assert "Traceback" not in result.output
    assert not folder.exists()


def test_the_folder_holds_everything(run, table, tmp_path):
    from stylobate import load

    out = tmp_path / "made"
    result = run("study", table(rows()), "--target", "y", "--out", str(out), *QUICK)
    assert result.exit_code == 0, result.output
    assert "Chosen:" in result.stdout
    assert "first look" in result.stderr
    told = json.loads((out / "study.json").read_text(encoding="utf-8"))
    assert told["status"] == "complete"
    assert {row["family"] for row in told["leaderboard"]} == {"baseline", "lda", "ridge"}
    for picture in told["pictures"]:
        assert (out / "pictures" / picture["file"]).read_bytes().startswith(b"\x89PNG")
    model = load(out / "model.stylobate")
    import pandas as pd

    frame = pd.DataFrame({"a": [3.0, -3.0], "b": [0.0, 0.0]})
    assert model.predict(frame).tolist() == [1, 0]


def test_quiet_says_nothing_and_json_says_it_in_lines(run, table, tmp_path):
    out = str(tmp_path / "made")
    quiet = run("study", table(rows()), "--target", "y", "--out", out, "--quiet", *QUICK)
    assert (quiet.exit_code, quiet.output) == (0, "")
    told = run("study", table(rows()), "--target", "y", "--out", out, "--json", *QUICK)
    lines = [json.loads(line) for line in told.stdout.splitlines()]
    assert [line["stage"] for line in lines if line["kind"] == "stage"] == [
        "reading", "exploring", "first look", "tuning", "learning curve", "hold-out", "refitting",
        "explaining", "writing",
    ]  # fmt: skip
    assert lines[-1]["result"]["status"] == "complete"


TABLES = {
    "a misspelt target": (rows(), "yy", ("There is no column 'yy'", "Did you mean 'y'?")),
    "a constant target": ("a,y\n" + "1,5\n2,5\n" * 20, "y", ("is 5 in every row", "nothing")),
    "no target anywhere": ("a,b,y\n" + "1,2,\n" * 30, "y", ("30 rows", "misses the target 'y'")),
    "three rows": ("a,y\n1,0\n2,1\n3,0\n", "y", ("too few", "20 or more")),
    "texts that never repeat": (
        "a,y\n" + "".join(f"{i},some words number {i}\n" for i in range(50)),
        "y",
        ("hardly repeats", "no classes to learn"),
    ),
    "features of nothing but names": (
        "a,y\n" + "".join(f"some words number {i},{i % 2}\n" for i in range(50)),
        "y",
        ("No column is left", "a (names the rows"),
    ),
    "dates": (
        "a,y\n" + "".join(f"{i % 7},2024-01-{1 + i % 28:02d}\n" for i in range(60)),
        "y",
        ("holds dates",),
    ),
    "no rows": ("a,y\n", "y", ("no rows",)),
    "one column": ("y\n" + "1\n0\n" * 20, "y", ("no column besides 'y'",)),
}


@pytest.mark.parametrize("name", TABLES)
def test_refusals_are_sentences_and_leave_nothing(name, run, table, tmp_path):
    text, target, words = TABLES[name]
    out = tmp_path / "out"
    result = run("study", table(text), "--target", target, "--out", str(out), *QUICK)
    refused(result, out, *words)


OPTIONS = {
    ("--metric", "acuracy"): ("no metric for a target of classes", "Did you mean 'accuracy'?"),
    ("--metric", "rmse"): ("judges numbers",),
    ("--models", "logistc"): ("no family 'logistc'", "Did you mean 'logistic'?"),
    ("--positive", "yes"): ("positive='yes' is no class", "0 and 1"),
    ("--cost", "5"): ("--cost must be", "1:5"),
    ("--cost", "1:-5"): ("none is negative",),
    ("--time", "0"): ("seconds above 0",),
    ("--cv", "1"): ("folds from 2 to 50",),
    ("--holdout", "1"): ("below 0.9",),
    ("--group", "nobody"): ("no column 'nobody' for group",),
    ("--group", "y"): ("must be different columns",),
    ("--drop", "c"): ("drop: there is no column 'c'",),
    ("--drop", "a,b"): ("No column is left",),
    ("--seed", "-1"): ("whole number from 0",),
}


@pytest.mark.parametrize("given", OPTIONS)
def test_options_out_of_place_are_refused(given, run, table, tmp_path):
    out = tmp_path / "out"
    result = run("study", table(rows()), "--target", "y", "--out", str(out), *given)
    refused(result, out, *OPTIONS[given])


def test_no_target_lists_the_columns(run, table, tmp_path):
    result = run("study", table(rows()), "--out", str(tmp_path / "out"))
    refused(result, tmp_path / "out", "--target", "a, b, y")


def test_source_that_is_not_there(run, tmp_path):
    result = run("study", "titanc", "--target", "y", "--out", str(tmp_path / "out"))
    refused(result, tmp_path / "out", "no file 'titanc'", "Did you mean 'titanic'?")


def test_a_file_in_latin_1_with_repeated_names(run, tmp_path):
    text = rows(header="größe,größe,y")
    path = tmp_path / "latin.csv"
    path.write_bytes(text.encode("latin-1"))
    out = tmp_path / "out"
    result = run("study", str(path), "--target", "y", "--out", str(out), *QUICK)
    assert result.exit_code == 0, result.output
    told = json.loads((out / "study.json").read_text(encoding="utf-8"))
    features = [each["name"] for each in told["data"]["columns"] if each["use"] == "feature"]
    assert len(set(features)) == 2
    assert features[0] == "größe"


def test_bytes_that_are_no_text_are_read_or_refused(run, tmp_path):
    path = tmp_path / "noise.csv"
    path.write_bytes(bytes(range(256)) * 8)
    result = run("study", str(path), "--target", "y", "--out", str(tmp_path / "out"))
    refused(result, tmp_path / "out")


def test_a_folder_that_cannot_be_written_to(run, table, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    root = os.geteuid() == 0  # who may write to a locked folder, but not to this one
    out = Path("/proc/sys/study") if root else tmp_path / "locked" / "out"
    result = run("study", table(rows()), "--target", "y", "--out", str(out), *QUICK)
    refused(result, out, "cannot be written", "choose another folder")


def test_a_file_where_the_folder_should_be(run, table, tmp_path):
    (tmp_path / "taken").write_text("mine")
    out = tmp_path / "taken" / "out"
    result = run("study", table(rows()), "--target", "y", "--out", str(out), *QUICK)
    refused(result, out, "cannot be written", "choose another folder")
    assert (tmp_path / "taken").read_text() == "mine"
    result = run("study", table(rows()), "--target", "y", "--out", str(tmp_path / "taken"))
    assert result.exit_code == 2
    assert "is a file" in result.stderr


@pytest.mark.parametrize("limit", [1000, 6000])
def test_a_full_disk_leaves_nothing_half_written(limit, run, tmp_path):
    """Files may not grow beyond a limit: the progress (1000), or the study's own files (6000)."""
    path = tmp_path / "t.csv"
    path.write_text(rows(300))
    out = tmp_path / "out"
    command = [
        sys.executable, "-m", "stylobate", "study", str(path), "--target", "y", "--out",
        str(out), *QUICK,
    ]  # fmt: skip

    def small():
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=small, timeout=120, check=False
    )
    assert done.returncode == 2, done.stderr
    said = " ".join(done.stderr.split())
    assert "no space left" in said
    assert "Traceback" not in said
    left = {str(each.relative_to(out)) for each in out.rglob("*") if each.is_file()}
    assert all(name.startswith("progress/") for name in left), left
    again = run(*command[3:])
    assert again.exit_code == 0, again.stderr
    assert (out / "study.json").exists()


def test_ragged_lines_are_kept_and_named(run, table, tmp_path):
    lines = rows().splitlines()
    lines[10], lines[20], lines[30] = "0.5", lines[20] + ",more", "0.1,0.2"
    out = tmp_path / "out"
    result = run(
        "study", table("\n".join(lines) + "\n"), "--target", "y", "--out", str(out), *QUICK
    )
    assert result.exit_code == 0, result.output
    words = "3 rows have not 3 cells (lines 11, 21, 31); missing cells are empty, cells beyond the"
    assert words in " ".join(result.stdout.split())
    told = json.loads((out / "study.json").read_text(encoding="utf-8"))
    (warning,) = [each for each in told["warnings"] if each["topic"] == "data"]
    assert words in warning["text"]
    assert told["data"]["rows"] == 60
    assert told["data"]["target"]["missing"] == 2
    assert words in (out / "report.html").read_text(encoding="utf-8")
