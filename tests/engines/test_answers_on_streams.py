"""Models fitted to named columns pick these from any source, whatever else it holds."""

from __future__ import annotations

import warnings

import numpy as np
import polars
import pytest

import stylobate
from stylobate.base import clone
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError, StylobateError, StylobateWarning
from stylobate.inference.intervals import PredictionInterval
from stylobate.linear_model import LinearRegression
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import as_array, problem_for

METHODS = (
    "predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "apply",
    "predict_interval", "kneighbors",
)  # fmt: skip
TABULAR = [
    pytest.param(kind, id=kind.__name__)
    for kind in all_estimators()
    if example_of(kind)._tags().two_d
    and not example_of(kind)._tags().text
    and not example_of(kind)._tags().pairwise
    and any(hasattr(kind, method) for method in METHODS)
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", TABULAR)
def test_a_source_that_still_holds_the_target(kind):
    model = clone(example_of(kind))
    problem = problem_for(model)
    X, y = problem.X, problem.y
    names = [f"x{j}" for j in range(X.shape[1])]
    frame = polars.DataFrame(dict(zip(names, X.T, strict=True)))
    more = frame.with_columns(target=polars.Series(np.arange(len(X))), other=polars.lit("words"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(frame, y)
        except StylobateError as refused:
            pytest.skip(str(refused))
    for method in METHODS:
        if not hasattr(model, method):
            continue
        try:
            expected = getattr(model, method)(frame)
        except StylobateError:
            if method != "predict_interval":  # which some penalised models refuse
                raise
            continue
        found = getattr(model, method)(more.lazy().select("other", "target", *reversed(names)))
        if method == "transform":
            found = np.concatenate([as_array(batch.x) for batch in found])
        assert type(found) is type(expected) or method == "transform"
        for ours, theirs in zip(arrays_of(found), arrays_of(expected), strict=True):
            np.testing.assert_array_equal(ours, theirs, method)


def arrays_of(answer):
    """The arrays that an answer consists of: one, several, or the columns of intervals."""
    if isinstance(answer, PredictionInterval):
        answer = (answer.mean, answer.lower, answer.upper, answer.determined)
    return [as_array(each) for each in (answer if isinstance(answer, tuple) else (answer,))]


def test_intervals_of_a_stream_are_those_of_all_its_batches():
    X = np.repeat(np.arange(12.0).reshape(6, 2), [1, 1, 1, 1, 1, 2], axis=0)
    model = LinearRegression().fit(X, X[:, 0] ** 2)  # whose columns say the same
    X[[2, 5], 1] += 1.0
    parts = [Batch(X[:3]), Batch(X[3:])]
    expected = model.predict_interval(X, level=0.8)
    found = model.predict_interval(Stream(lambda: iter(parts), "rows"), level=0.8)
    for ours, theirs in zip(arrays_of(found), arrays_of(expected), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert (found.level, found.kind, found.notes) == (0.8, expected.kind, expected.notes)
    assert "2 row(s), the first being row 2" in found.notes[0]


def test_a_model_without_names_says_how_to_choose_the_columns(tmp_path):
    X = np.arange(12.0).reshape(6, 2) % 5
    model = LinearRegression().fit(X, X @ [1.0, 2.0])
    path = tmp_path / "more.parquet"
    polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": X[:, 0]}).write_parquet(path)
    more = stylobate.read(path)
    with pytest.raises(InvalidDataError, match=r"2 columns without names.*'a', 'b', 'y'"):
        model.predict(more)
    expected = model.predict(X)
    chosen = stylobate.read(f"SELECT a, b FROM '{path}'")
    with pytest.warns(StylobateWarning, match="fitted without feature names"):
        assert model.predict(chosen) == pytest.approx(expected)
