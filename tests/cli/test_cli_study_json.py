"""`stylobate study --json` and `--quiet` as scripts use them: a process, a pipe and a file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

COMMAND = [
    sys.executable, "-m", "stylobate", "study", "titanic", "--target", "survived",
    "--models", "lda,logistic", "--time", "20", "--cv", "3",
]  # fmt: skip
EVENT = {"kind", "stage", "text", "done", "total", "seconds_left"}
KINDS = {"stage", "note", "progress", "leaderboard", "done"}
RESULT = {
    "status", "reason", "question", "data", "split", "families", "leaderboard", "baseline",
    "choice", "learning_curve", "warnings", "holdout", "explanation", "model", "reproduction",
    "timings", "pictures", "reading", "random_split", "verdict", "relations",
}  # fmt: skip


def refuse_constant(name):
    raise AssertionError(f"{name} is no JSON")


def lines_of(text):
    assert text.endswith("\n")
    return [json.loads(line, parse_constant=refuse_constant) for line in text.splitlines()]


@pytest.fixture(scope="module")
def through_a_pipe(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    return folder, subprocess.run(
        [*COMMAND, "--out", folder / "s", "--json"], capture_output=True, text=True, check=False
    )


def test_every_line_of_a_pipe_is_json_of_the_same_keys(through_a_pipe):
    folder, done = through_a_pipe
    assert (done.returncode, done.stderr) == (0, "")
    *events, last = lines_of(done.stdout)
    assert {event["kind"] for event in events} == KINDS
    for event in events:
        more = {"leaderboard"} if event["kind"] == "leaderboard" else set()
        assert set(event) == EVENT | more, event
    assert set(last) == {"kind", "result"}
    assert set(last["result"]) == RESULT
    assert last["result"] == json.loads((folder / "s" / "study.json").read_text(encoding="utf-8"))


def test_quiet_json_is_the_result_alone_and_a_file_is_as_a_pipe(through_a_pipe, run):
    folder, _ = through_a_pipe  # the study is finished there
    with (folder / "told").open("w") as file:
        done = subprocess.run(
            [*COMMAND, "--out", folder / "s", "--json", "--quiet"],
            stdout=file, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    (only,) = lines_of((folder / "told").read_text(encoding="utf-8"))
    assert only["kind"] == "result"
    assert set(only["result"]) == RESULT
    quiet = run(*COMMAND[3:], "--out", folder / "s", "--quiet")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, "", "")


@pytest.mark.parametrize("option", ["--json", "--quiet"])
def test_a_refusal_is_on_standard_error_alone(option, tmp_path):
    wrong = [*COMMAND[:5], "--target", "survivd", "--out", tmp_path / "s", option]
    done = subprocess.run(wrong, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: There is no column 'survivd'")
    assert done.stderr.count("\n") == 1
    said = lines_of(done.stdout) if done.stdout else []
    assert all(set(event) == EVENT for event in said)
    assert (not said) == (option == "--quiet")
    assert not (tmp_path / "s").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_stopped_study_ends_its_json_with_a_partial_result(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "--out", tmp_path / "s", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    seen = []
    for line in process.stdout:
        seen.append(line)
        if '"progress"' in line and len(seen) > 8:
            process.send_signal(signal.SIGINT)
            break
    rest, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    last = lines_of("".join(seen) + rest)[-1]
    assert last["kind"] == "result"
    assert (last["result"]["status"], set(last["result"])) == ("partial", RESULT)
