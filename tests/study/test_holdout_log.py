"""Questions to the locked rows: counted once each, and never fewer because the log was damaged."""

from __future__ import annotations

import json
import shutil

import pytest

from stylobate import Study

pytestmark = pytest.mark.usefixtures("without_pictures")
OPTIONS = {"time": 30, "cv": 3}


def studied(folder, model, **more):
    return Study("penguins", "species", models=[model], folder=folder, **OPTIONS, **more).run()


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("twice")
    for model in ("lda", "ridge"):
        found = studied(folder, model)
    assert found.holdout.questions == 2
    assert not [each for each in found.warnings if each.topic == "hold-out"]
    return folder


@pytest.fixture
def asked_twice(both, tmp_path):
    """A folder of two studies, and the log of their questions."""
    shutil.copytree(both / "progress", tmp_path / "progress")
    (log,) = (tmp_path / "progress").glob("holdout-*.jsonl")
    return tmp_path, log


def forget(log):
    """Remove what studies remember of their questions, but for the log."""
    for path in log.parent.iterdir():
        if path != log:
            path.unlink()


def garbage(log):
    log.write_bytes(b"\x00\xff garbage \x80")


def garbled_line(log):
    lines = log.read_bytes().splitlines()
    log.write_bytes(b"\n".join([lines[0], b"{" + lines[1][5:], lines[2]]) + b"\n")


def first_line_gone(log):
    log.write_bytes(log.read_bytes().split(b"\n", 1)[1])


def last_line_torn(log):
    log.write_bytes(log.read_bytes()[:-20])


def last_line_gone(log):
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))


def emptied(log):
    log.write_bytes(b"")


def removed(log):
    log.unlink()


DAMAGES = [
    garbage, garbled_line, first_line_gone, last_line_torn, last_line_gone, emptied, removed,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_means_at_least_as_many_questions(damage, asked_twice):
    folder, log = asked_twice
    damage(log)
    third = studied(folder, "naive_bayes")
    assert third.status == "complete"
    assert third.holdout.questions == 3
    assert "is damaged: they have been asked at least 3 times" in third.holdout.words
    (warning,) = [each for each in third.warnings if each.topic == "hold-out"]
    assert warning.severe
    assert log.name in warning.text


@pytest.mark.parametrize("damage", [garbage, first_line_gone])
def test_what_is_left_of_a_log_counts_when_nobody_remembers(damage, asked_twice):
    folder, log = asked_twice
    forget(log)
    damage(log)
    least = 2 if damage is garbage else 3
    third = studied(folder, "naive_bayes")
    assert third.holdout.questions == least
    assert f"at least {least} times" in third.holdout.words
    assert studied(folder, "naive_bayes").holdout == third.holdout  # resumed, not asked again
    forget(log)
    assert studied(folder, "naive_bayes").holdout == third.holdout  # its own line is there
    assert studied(folder, "lda").holdout.questions == least + 1


def test_a_study_killed_before_it_remembers_has_asked_once(tmp_path):
    """The question is in the log, the study's own note of it is not."""
    whole = studied(tmp_path, "lda")
    (progress,) = (p for p in (tmp_path / "progress").iterdir() if "holdout" not in p.name)
    lines = progress.read_text().splitlines(keepends=True)
    kept = [line for line in lines if not str(json.loads(line).get("fact")).startswith("hold-out")]
    assert len(kept) < len(lines)
    progress.write_text("".join(kept))
    assert studied(tmp_path, "lda").holdout == whole.holdout
    assert whole.holdout.questions == 1
