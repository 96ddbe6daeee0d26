"""The real workloads, tiny: data, answers by hand, and the quality measure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from race.workload import FOLDER, load

sklearn_linear = pytest.importorskip("sklearn.linear_model")


@pytest.mark.parametrize("name", ["ols", "ridge", "ridge_cv_grid"])
def test_data_is_that_of_the_seed(name: str) -> None:
    workload = load(FOLDER / f"{name}.py")
    size = {"rows": 60, "columns": 4}
    first, again, other = (workload.make(size, seed) for seed in (1, 1, 2))
    assert first["X"].shape == (60, 4)
    assert all(np.array_equal(first[key], again[key]) for key in first)
    assert not np.array_equal(first["X"], other["X"])


@pytest.mark.parametrize("name", ["ols", "ridge", "ridge_cv_grid"])
def test_by_hand_agrees_with_scikit_learn(name: str) -> None:
    workload = load(FOLDER / f"{name}.py")
    data = workload.make({"rows": 203, "columns": 5}, 3)
    rival = next(c for c in workload.contenders if c.package == "sklearn")
    theirs, by_hand = rival.fit(data), workload.contender("numpy by hand").fit(data)
    assert workload.quality(by_hand, data) == pytest.approx(
        workload.quality(theirs, data), rel=1e-10
    )
    np.testing.assert_allclose(
        getattr(by_hand, "line", by_hand).coef, getattr(theirs, "line", theirs).coef, rtol=1e-8
    )


def test_quality_of_the_grid_refuses_another_penalty_or_score() -> None:
    workload = load(FOLDER / "ridge_cv_grid.py")
    data = workload.make({"rows": 200, "columns": 5}, 3)
    right = workload.contender("sklearn RidgeCV").fit(data)
    assert np.isfinite(workload.quality(right, data))
    assert workload.quality(right._replace(alpha=right.alpha * 1.1), data) == np.inf
    assert workload.quality(right._replace(score=right.score + 1e-3), data) == np.inf


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_best_penalty_is_inside_the_grid(seed: int) -> None:
    workload = load(FOLDER / "ridge_cv_grid.py")
    data = workload.make(workload.sizes["small"], seed)
    alpha = workload.contender("numpy by hand").fit(data).alpha
    assert data["alphas"][1] < alpha < data["alphas"][-2]


def test_install_size_is_that_of_the_files() -> None:
    import sklearn

    workload = load(FOLDER / "import.py")
    done = workload.contender("sklearn").fit({})
    note = workload.notes(done, {}) if workload.notes else ""
    folder = Path(sklearn.__file__).parent
    files = [f for f in folder.rglob("*") if f.is_file() and f.suffix != ".pyc"]
    megabytes = float(note.split("installed ")[1].split()[0])
    # the distribution also has its metadata and bundled libraries, a few per cent
    assert megabytes == pytest.approx(sum(f.stat().st_size for f in files) / 1e6, rel=0.15)
