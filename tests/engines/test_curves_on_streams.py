"""Learning curves, comparisons and nested cross-validation on streams: the answers of memory."""

from __future__ import annotations

import numpy as np
import polars
import pytest

import stylobate
from stylobate.ensemble import RandomForestRegressor
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import Lasso, LogisticRegression, Ridge
from stylobate.model_selection import (
    GridSearchCV,
    HashKFold,
    compare,
    learning_curve,
    nested_cross_validate,
)
from stylobate.model_selection.validation.stream_data import StreamPart
from stylobate.naive_bayes import GaussianNB

FEATURES = ["a", "b", "c"]
N = 600


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    x = rng.normal([0.0, 10.0, -1.0], size=(N, 3))
    y = x @ [1.0, -0.5, 0.0] + rng.normal(size=N)
    columns = dict(zip(FEATURES, x.T, strict=True))
    weights = rng.uniform(0.5, 2.0, N)
    return polars.DataFrame(
        columns | {"y": y, "label": np.where(y > -5.0, "yes", "no"), "w": weights}
    )


@pytest.fixture(scope="module")
def path(frame, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    frame.write_parquet(path, row_group_size=90)
    return path


@pytest.mark.parametrize(
    ("model", "target", "weight"),
    [
        (Ridge(), "y", None),
        (Ridge(10.0), "y", "w"),
        (LogisticRegression(), "label", None),
        (GaussianNB(), "label", None),
        (RandomForestRegressor(3, random_state=0), "y", None),
    ],
)
def test_learning_curves_are_those_of_memory(model, target, weight, frame, path):
    sizes = [0.1, 0.5, 1.0]
    found = learning_curve(
        model, path, target=target, features=FEATURES, weight=weight, train_sizes=sizes, cv=3
    )
    params = None if weight is None else {"sample_weight": frame[weight].to_numpy()}
    expected = learning_curve(
        model, frame[FEATURES], frame[target], train_sizes=sizes, cv=HashKFold(3), params=params
    )
    assert (found.train_sizes == expected.train_sizes).all()
    for name in ("train_scores", "test_scores"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-6)
    assert found.test_to_train == pytest.approx(expected.test_to_train)
    assert found.score == expected.score


@pytest.mark.parametrize("chunk", [7, 64, 1 << 20])
def test_first_rows_of_a_part(chunk, monkeypatch):
    from stylobate.model_selection.validation import stream_data

    monkeypatch.setattr(stream_data, "_CHUNK", chunk)
    part = StreamPart(HashKFold(3), 1, True, 200)
    rows = np.flatnonzero(part(0, 200))
    for size, first in zip((1, 20, 21, 133), part.first_rows([1, 20, 21, 133]), strict=True):
        assert np.flatnonzero(first(0, 200)).tolist() == rows[:size].tolist()
        assert len(first) == min(size, len(rows))
        later = np.flatnonzero(first(50, 60)) + 50
        assert later.tolist() == [row for row in rows[:size] if 50 <= row < 110]


@pytest.mark.parametrize("name", ["shuffle", "exploit_incremental_learning"])
def test_learning_curves_that_need_rows_say_so(name, path):
    with pytest.raises(InvalidParameterError, match=f"{name}=True needs all rows in memory"):
        learning_curve(Ridge(), path, target="y", features=FEATURES, **{name: True})


@pytest.mark.parametrize(
    ("models", "target"),
    [
        ([Ridge(), Lasso(0.3), Ridge(1000.0)], "y"),
        ([LogisticRegression(), GaussianNB()], "label"),
        ([Ridge(), RandomForestRegressor(3, random_state=0)], "y"),
    ],
)
def test_comparisons_are_those_of_memory(models, target, frame, path):
    found = compare(models, stylobate.read(path), target=target, features=FEATURES, cv=4)
    expected = compare(models, frame[FEATURES], frame[target], cv=HashKFold(4))
    assert list(found.scores) == list(expected.scores)
    for name, scores in expected.scores.items():
        np.testing.assert_allclose(found.scores[name], scores, rtol=1e-6)
        np.testing.assert_allclose(found.outcomes[name], expected.outcomes[name], rtol=1e-6)
    first, second = list(expected.scores)[:2]
    assert found.test(first, second).adjusted == pytest.approx(
        expected.test(first, second).adjusted, rel=1e-5, nan_ok=True
    )
    assert found.n_rows == expected.n_rows


def test_many_rows_are_compared_by_scores_alone(path, monkeypatch):
    from stylobate.model_selection.comparison import compare as module

    monkeypatch.setattr(module, "_MOST_ROWS", 100)
    found = compare([Ridge(), Ridge(50.0)], path, target="y", features=FEATURES)
    assert found.outcomes is None
    assert len(found.scores) == 2


def test_nested_cross_validation_is_that_of_memory(frame, path):
    grid = {"alpha": [0.1, 10.0, 1000.0]}
    found = nested_cross_validate(
        GridSearchCV(Ridge(), grid, cv=3), path, target="y", features=FEATURES, cv=4
    )
    expected = nested_cross_validate(
        GridSearchCV(Ridge(), grid, cv=HashKFold(3)), frame[FEATURES], frame["y"], cv=HashKFold(4)
    )
    assert found["best_params"] == expected["best_params"]
    for name in ("test_score", "best_score"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-10)
