"""A study that is killed goes on where it was, and ends with the same leaderboard, bit for bit."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading

import pytest

from stylobate import Study
from stylobate.study.search.store import FoldScore, StudyStore

OPTIONS = {"models": ["logistic", "lda", "neighbours"], "time": 1000, "cv": 3}
COMMAND = [
    sys.executable, "-m", "stylobate", "study", "penguins", "--target", "species",
    "--models", "logistic,lda,neighbours", "--time", "1000", "--cv", "3", "--json",
]  # fmt: skip


def board(result):
    """Everything the leaderboard and the candidates say, but the seconds."""
    told = result if isinstance(result, dict) else result.to_dict()
    rows = [{k: v for k, v in row.items() if k != "seconds"} for row in told["leaderboard"]]
    tried = [
        (c["key"], c["scores"], c["mean"], c["standard_error"], c["status"])
        for family in told["families"]
        for c in family["candidates"]
    ]
    return json.dumps([rows, tried, told["choice"], told["holdout"]], sort_keys=True)


@pytest.fixture(scope="module")
def uninterrupted():
    return Study("penguins", "species", **OPTIONS).run()


def killed(folder, sent, after):
    """The command, sent a signal once it has told of so many folds."""
    process = subprocess.Popen(
        [*COMMAND, "--out", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    folds = 0
    for line in process.stdout:
        folds += json.loads(line)["kind"] == "progress"
        if folds == after:
            process.send_signal(sent)
            break
    out, errors = process.communicate(timeout=120)
    return process.returncode, out, errors


def test_killed_and_resumed_is_as_uninterrupted(tmp_path, uninterrupted):
    for after in (4, 11):  # in the first look, and then while tuning
        status, _, errors = killed(tmp_path / "study", signal.SIGKILL, after)
        assert status == -signal.SIGKILL, errors
        assert not (tmp_path / "study" / "study.json").exists()
        (progress,) = (tmp_path / "study" / "progress").glob("*.jsonl")
        assert progress.read_bytes().count(b"\n") >= after // 2
    told = []
    again = Study("penguins", "species", folder=tmp_path / "study", **OPTIONS).run(told.append)
    assert any("of an earlier run are kept" in event.text for event in told)
    assert again.status == "complete"
    assert board(again) == board(uninterrupted)
    files = {path.name for path in (tmp_path / "study").iterdir()}
    assert {"study.json", "model.stylobate", "pictures", "progress"} <= files
    assert not any(name.startswith(".") for name in files)


def test_killed_at_random_moments_and_resumed_is_as_uninterrupted(tmp_path, uninterrupted):
    """Between the first fit and the end: also while it asks the hold-out, explains and writes."""
    moments = [random.uniform(0, 2) for _ in range(2)]
    for moment in moments:
        with subprocess.Popen(
            [*COMMAND, "--out", str(tmp_path / "study")], stdout=subprocess.PIPE, text=True
        ) as process:
            while json.loads(process.stdout.readline())["kind"] != "progress":
                pass
            killer = threading.Timer(moment, process.kill)
            killer.start()
            process.stdout.read()
            assert process.wait(timeout=120) in (-signal.SIGKILL, 0), moments
            killer.cancel()
    again = Study("penguins", "species", folder=tmp_path / "study", **OPTIONS).run()
    assert board(again) == board(uninterrupted), moments
    left = [each.name for each in (tmp_path / "study").rglob(".*")]
    assert not left, (left, moments)


def test_interrupted_leaves_a_valid_partial_study(tmp_path, uninterrupted):
    status, out, errors = killed(tmp_path / "study", signal.SIGINT, 7)
    assert status == 130, errors
    written = json.loads((tmp_path / "study" / "study.json").read_text(encoding="utf-8"))
    assert written["status"] == "partial"
    assert "run the same study again" in written["reason"]
    assert written["leaderboard"]
    assert written["model"] is None
    assert json.loads(out.splitlines()[-1])["result"]["status"] == "partial"
    done = subprocess.run(
        [*COMMAND, "--out", str(tmp_path / "study")], capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])["result"]
    assert result["status"] == "complete"
    assert board(result) == board(uninterrupted)


@pytest.mark.usefixtures("without_pictures")
def test_the_holdout_is_not_asked_again_by_the_same_study(tmp_path):
    folder = tmp_path / "twice"
    options = {**OPTIONS, "models": ["logistic"]}
    first = Study("penguins", "species", folder=folder, **options).run()
    again = Study("penguins", "species", folder=folder, **options).run()
    assert first.holdout.questions == again.holdout.questions == 1
    other = Study("penguins", "species", folder=folder, **{**OPTIONS, "models": ["lda"]}).run()
    assert other.holdout.questions == 2
    assert "asked 2 times" in other.holdout.words


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_change_the_leaderboard(threads, uninterrupted):
    found = Study("penguins", "species", threads=threads, **OPTIONS).run()
    assert board(found) == board(uninterrupted)


SCORE = FoldScore(0.1 + 0.2, 1.25, ("careful",))


def test_a_store_drops_what_a_crash_cut_off(tmp_path):
    path = tmp_path / "progress" / "x.jsonl"
    store = StudyStore.open(path, "print")
    store.add(0, {"a": SCORE, "b": FoldScore(None, 0.5, (), "ValueError: no")})
    store.add(1, {"a": SCORE})
    store.close()
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in range(len(lines[0]) + len(lines[1]), len(whole)):
        path.write_bytes(whole[:cut])
        again = StudyStore.open(path, "print")
        assert set(again.scores) == {("a", 0), ("b", 0)}
        assert again.scores["a", 0] == SCORE
        again.add(1, {"a": SCORE})
        again.close()
        assert path.read_bytes() == whole
    path.write_bytes(whole)
    assert StudyStore.open(path, "other").scores == {}
    assert path.read_bytes() == b""


def test_damaged_progress_is_no_progress(tmp_path):
    path = tmp_path / "x.jsonl"
    for text in (b"\x00\xff", b"[]\n", b'{"format": 1}\n', b"\n\n"):
        path.write_bytes(text)
        assert StudyStore.open(path, "print").scores == {}


@pytest.mark.usefixtures("without_pictures")
def test_the_same_rows_are_counted_whatever_they_are_asked_by(tmp_path):
    """Another metric, other costs and the other class are other questions to the same rows."""
    options = {"models": ["logistic"], "time": 30, "cv": 3, "folder": tmp_path / "asked"}
    asked = [
        Study("titanic", "survived", **options, **more).run().holdout.questions
        for more in ({}, {"metric": "auc"}, {"positive": "0"}, {"cost": (1, 5)})
    ]
    assert asked == [1, 2, 3, 4]


def test_pieces_of_a_killed_writer_are_swept_away(tmp_path):
    """Those of processes that are gone; another one may be writing still."""
    import os
    import subprocess
    import sys

    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    (tmp_path / "pictures").mkdir()
    stale = [tmp_path / f".{gone.pid}.report.html", tmp_path / f"pictures/.{gone.pid}.holdout.png"]
    other = [tmp_path / f".{os.getppid()}.study.json", tmp_path / ".mine.not.ours"]
    for path in (*stale, *other):
        path.write_text("half")
    Study("penguins", "species", folder=tmp_path, **{**OPTIONS, "models": ["lda"]}).run()
    assert not any(path.exists() for path in stale)
    assert all(path.exists() for path in other)
