"""Studies of tables larger than the memory they may take."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import polars
import pytest

import stylobate
from stylobate import Study
from stylobate.exceptions import InvalidParameterError
from stylobate.study.table.large import read_large

N, COLUMNS = 12_000, 7


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(N, 4))
    y = x @ [1.0, 2.0, 0.0, -1.0] + rng.normal(size=N)
    place = rng.choice(["here", "there", "nowhere"], size=N)
    y += 0.5 * (place == "here")
    label = np.where(y + rng.normal(size=N) > 0, "yes", "no").astype(object)
    label[::50] = None
    columns = {f"x{j}": x[:, j] for j in range(4)}
    return polars.DataFrame(columns | {"place": place, "y": y, "label": label.tolist()})


@pytest.fixture(scope="module")
def path(frame, tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "rows.parquet"
    frame.write_parquet(path, row_group_size=1000)
    return path


def test_the_sample_fits_and_locks_rows_by_the_hash_alone(path, frame):
    relation = stylobate.read(path)
    budget = N * COLUMNS * 8 // 2
    sample, large = read_large(relation, budget, 0.2, seed=0)
    assert abs(len(sample) - N / 20) < 5 * np.sqrt(N / 20)  # ten copies of which take the half
    locked = large.locked(0, N)
    assert abs(locked.mean() - 0.2) < 0.02
    values = frame["x0"].to_numpy()
    inside = np.isin(values, sample["x0"])
    assert np.array_equal(values[inside], sample["x0"])
    assert np.array_equal(large.locked_in_sample, locked[inside])
    assert large.stream.passes == 1
    half, _ = read_large(relation, budget // 2, 0.2, seed=0)
    assert np.isin(half["x0"], sample["x0"]).all()
    assert read_large(relation, N * COLUMNS * 8, 0.2, seed=0) is None


def test_the_winner_is_fitted_to_all_rows(path, frame):
    result = Study(path, "y", models=["ridge"], drop=["label"], time=20, cv=3, memory=0.6).run()
    reading = result.reading
    assert result.status == "complete"
    assert reading.rows == N
    assert reading.sampled < N / 4
    assert reading.fitted_rows == result.model.rows == N
    # the sample, the training rows, the locked rows, all rows
    assert reading.passes == 4
    assert reading.rows_read == 4 * N
    assert reading.bytes_read == 4 * path.stat().st_size
    assert result.split.kind == "hashed"
    assert set(reading.words) <= set(result.data.notes)
    assert any("passed over 4 times: 48,000 rows" in words for words in reading.words)
    assert reading.holdout_scores["r2"] == pytest.approx(0.86, abs=0.03)


def test_the_scores_are_of_all_locked_rows_and_a_model_of_all_others(path, frame):
    options = {"models": ["logistic"], "drop": ["y"], "time": 20, "cv": 3, "memory": 0.6}
    result = Study(path, "label", **options).run()
    _, large = read_large(stylobate.read(path), 600_000, 0.2, seed=0)
    locked = large.locked(0, N)
    known = frame["label"].is_not_null().to_numpy()
    assert result.reading.holdout_rows == (locked & known).sum()
    # by hand: scikit-learn's model of all training rows, judged on all locked ones
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x = frame.select("x0", "x1", "x2", "x3").to_numpy()
    dummies = frame["place"].to_dummies().to_numpy()
    rows = np.column_stack([x, dummies])
    y = (frame["label"] == "yes").fill_null(False).to_numpy()
    model = make_pipeline(StandardScaler(), LogisticRegression(C=result.choice.params["C"]))
    train, test = known & ~locked, known & locked
    expected = model.fit(rows[train], y[train]).score(rows[test], y[test])
    assert result.reading.holdout_scores["accuracy"] == pytest.approx(expected, abs=2e-3)
    assert result.reading.fitted_rows == known.sum()


def test_models_that_need_the_rows_get_the_sample_and_that_is_said(path):
    result = Study(
        path, "label", models=["neighbours"], drop=["y"], time=20, cv=3, memory=0.6
    ).run()
    assert result.reading.fitted_rows == result.reading.sampled < N / 4
    assert any("fitted to the sample" in words for words in result.reading.words)
    assert result.reading.passes == 2


def test_locked_rows_are_never_learnt_from(path, frame, tmp_path):
    """Targets of locked rows are changed: nothing found before the hold-out differs."""
    _, large = read_large(stylobate.read(path), 600_000, 0.2, seed=0)
    locked = large.locked(0, N)
    other = frame.with_columns(
        polars.Series("y", np.where(locked, frame["y"].to_numpy() + 1.0, frame["y"].to_numpy()))
    )
    changed = tmp_path / "changed.parquet"
    other.write_parquet(changed, row_group_size=1000)
    options = {"models": ["ridge"], "drop": ["label"], "time": 20, "cv": 3, "memory": 0.6}
    one, two = (Study(each, "y", **options).run() for each in (path, changed))
    assert [row.mean for row in one.leaderboard] == [row.mean for row in two.leaderboard]
    root = "neg_root_mean_squared_error"
    shifted = two.reading.holdout_scores[root] ** 2 - one.reading.holdout_scores[root] ** 2
    assert shifted == pytest.approx(1.0, abs=0.1)  # a model that never saw the shift pays for it


def test_small_tables_are_studied_as_ever(path):
    options = {"models": ["ridge"], "drop": ["label"], "time": 20, "cv": 3}
    result = Study(path, "y", **options).run()
    assert result.reading is None
    assert result.split.kind == "shuffled"


@pytest.mark.parametrize("memory", [0, -1, "much", True])
def test_memory_is_checked(memory):
    with pytest.raises(InvalidParameterError, match="memory"):
        Study("penguins", "species", memory=memory)


def test_the_command_tells_what_was_read(path, tmp_path):
    found = subprocess.run(
        [sys.executable, "-m", "stylobate", "study", str(path), "--target", "y", "--models",
         "ridge", "--drop", "label", "--time", "10", "--memory", "0.6", "--out",
         str(tmp_path / "out")],
        capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    assert "passed over 4 times" in found.stdout
    told = json.loads((tmp_path / "out" / "study.json").read_text(encoding="utf-8"))
    assert told["reading"]["rows"] == N
    assert "--memory 0.6" in told["reproduction"]["command"]
    assert "passed over 4 times" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert stylobate.load(tmp_path / "out" / "model.stylobate").predict(
        stylobate.read(path)
    ).shape == (N,)
