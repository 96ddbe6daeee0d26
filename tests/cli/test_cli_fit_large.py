"""`stylobate fit` and `predict` of tables that are read in batches."""

from __future__ import annotations

import json

import numpy as np
import polars
import pytest

N = 50_000


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rng = np.random.default_rng(1)
    x = rng.normal(loc=[0.0, 50.0, -2.0], size=(N, 3))
    y = x @ [1.0, -2.0, 0.5] + rng.normal(size=N)
    holes = rng.random(N) < 0.01
    a = np.where(holes, None, x[:, 0])
    path = tmp_path_factory.mktemp("large") / "rows.parquet"
    polars.DataFrame(
        {"a": a.tolist(), "b": x[:, 1], "c": x[:, 2], "y": y, "word": ["w"] * N}
    ).write_parquet(path, row_group_size=7000)
    return path


def told(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("penalty", [(), ("--alpha", "3")])
def test_the_fit_is_that_of_memory(run, path, penalty):
    arguments = ("fit", path, "--target", "y", "--json", *penalty)
    small, large = told(run(*arguments)), told(run(*arguments, "--memory", "0.5"))
    assert large["rows"] == small["rows"]
    assert large["rows"]["read"] == N > large["rows"]["used"]
    for name in ("estimate", "std_error", "p"):
        a, b = (each["summary"]["coefficients"][name] for each in (small, large))
        np.testing.assert_allclose(
            np.array(a, dtype=float), np.array(b, dtype=float), rtol=1e-9, atol=1e-300
        )
    assert large["summary"]["r2"] == pytest.approx(small["summary"]["r2"], rel=1e-12)
    assert "reading" not in small
    assert large["reading"] == {
        "passes": 1, "rows_read": N, "bytes_read": path.stat().st_size,
    }  # fmt: skip


def test_the_text_says_what_was_read_and_dropped(run, path):
    said = run("fit", path, "--target", "y", "--memory", "0.5").stdout
    assert "Read in batches, once: 50,000 rows" in said
    assert "Dropped because a value is missing" in said
    assert "Influence of single rows is not told" in said


def test_the_penalty_is_chosen_by_folds(run, path):
    arguments = ("fit", path, "--target", "y", "--alphas", "0.1,1000,1e6", "--memory", "0.5")
    assert told(run(*arguments, "--json"))["alpha"] == 0.1
    assert "the best of 3 by 5 folds" in run(*arguments).stdout


def test_what_needs_the_rows_is_refused(run, path):
    found = run("fit", path, "--target", "y", "--covariance", "HC3", "--memory", "0.5")
    assert found.exit_code == 2
    assert "--memory" in found.stderr


def test_infinite_values_are_named_with_their_row(run, tmp_path):
    x = np.arange(20_000.0)
    x[15_000] = np.inf
    path = tmp_path / "infinite.parquet"
    polars.DataFrame({"x": x, "y": np.arange(20_000.0) % 7}).write_parquet(path)
    found = run("fit", path, "--target", "y", "--memory", "0.1")
    assert found.exit_code == 2
    assert "row 15001" in " ".join(found.stderr.split())
