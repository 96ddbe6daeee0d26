"""Two studies in one folder at once, and folders that cannot be written."""

from __future__ import annotations

import os

import numpy as np
import pytest

from stylobate import Study
from stylobate.exceptions import InvalidParameterError, StylobateError


def table():
    draw = np.random.default_rng(0)
    x = draw.normal(size=60)
    return {"x": x, "w": draw.normal(size=60), "y": 2 * x + draw.normal(size=60)}


def test_a_second_run_in_the_same_folder_is_refused_while_the_first_lasts(tmp_path):
    refusals = []

    def again(event):
        if event.kind == "stage" and event.stage == "tuning":
            with pytest.raises(InvalidParameterError) as refused:
                Study(table(), "y", models=["linear"], time=5, folder=tmp_path / "out").run()
            refusals.append(str(refused.value))

    first = Study(table(), "y", models=["linear"], time=5, folder=tmp_path / "out").run(again)
    assert first.status == "complete"
    assert len(refusals) == 1
    assert refusals[0].startswith("Another study is running in ")
    later = Study(table(), "y", models=["linear"], time=5, folder=tmp_path / "out").run()
    assert later.to_dict()["leaderboard"] == first.to_dict()["leaderboard"]
    assert not (tmp_path / "out" / "progress" / ".lock").exists()


def test_a_lock_that_a_killed_study_left_is_no_obstacle(tmp_path):
    (tmp_path / "progress").mkdir()
    (tmp_path / "progress" / ".lock").write_bytes(b"")
    result = Study(table(), "y", models=["linear"], time=5, folder=tmp_path).run()
    assert result.status == "complete"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only_is_refused_in_a_sentence(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(StylobateError, match="cannot be written"):
        Study(table(), "y", models=["linear"], time=5, folder=tmp_path / "out").run()


def test_a_full_disk_is_refused_in_a_sentence():
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    from pathlib import Path

    from stylobate.study.search.store import FoldScore, StudyStore

    store = StudyStore(Path("/dev/full"), "f")
    with pytest.raises(StylobateError, match="there is no space left; free some and run the same"):
        store.add(0, {"linear": FoldScore(1.0, 0.1)})


def test_the_same_seed_gives_the_same_study():
    made = [
        Study(table(), "y", models=["linear", "ridge"], time=30).run().to_dict() for _ in range(2)
    ]
    for told in made:
        for key in ("timings", "reproduction", "model", "families", "leaderboard", "baseline"):
            told.pop(key)
    assert made[0] == made[1]
