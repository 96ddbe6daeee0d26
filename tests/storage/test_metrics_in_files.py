"""Metrics are values of model files: they come back, and what is none is refused."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

import stylobate
from stylobate.distances import (
    Chebyshev,
    Function,
    Gower,
    Jaccard,
    Mahalanobis,
    Minkowski,
    StandardizedEuclidean,
)
from stylobate.exceptions import ModelFileError
from stylobate.metrics import mean_absolute_error
from stylobate.neighbors import KernelDensity, KNeighborsRegressor, NearestNeighbors

X = np.random.default_rng(0).normal(size=(40, 3))
Y = X @ [1.0, 2.0, 3.0]
MIXED = pd.DataFrame({"age": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")})


def regressor(metric, **options):
    return KNeighborsRegressor(metric=metric, **options).fit(X, Y)


@pytest.mark.parametrize(
    "metric",
    [
        Minkowski(3, [1.0, 2.0, 0.5]),
        Chebyshev(),
        StandardizedEuclidean(),
        Mahalanobis(),
        Jaccard(),
        Function(mean_absolute_error),
        "canberra",
        mean_absolute_error,
    ],
    ids=lambda each: repr(each).partition(" at 0x")[0],
)
@pytest.mark.parametrize("algorithm", ["brute", "ball_tree"])
def test_metrics_come_back(metric, algorithm, tmp_path):
    model = regressor(metric, algorithm=algorithm)
    loaded = stylobate.load(model.save(tmp_path / "m"))
    assert np.array_equal(loaded.predict(X), model.predict(X))
    assert loaded._index.metric == model._index.metric


@pytest.mark.parametrize("f", [None, np.sqrt])
def test_columns_of_any_kind_come_back(f, tmp_path):
    model = NearestNeighbors(metric=Gower(f=f)).fit(MIXED)
    loaded = stylobate.load(model.save(tmp_path / "m"))
    ours, theirs = loaded.kneighbors(MIXED), model.kneighbors(MIXED)
    assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def test_loading_calls_no_function_of_a_metric(tmp_path):
    place = NearestNeighbors(metric=Gower(f=np.sqrt)).fit(MIXED).save(tmp_path / "m")
    calls = []
    sys.setprofile(lambda frame, event, arg: calls.append(arg) if event == "c_call" else None)
    try:
        stylobate.load(place)
    finally:
        sys.setprofile(None)
    assert not any(each is np.sqrt for each in calls)


def parts_of(document, kind):
    """The states of the values of a class in a file."""
    waiting, found = [document], []
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()
            if str(each.get("class", "")).endswith(f".{kind}"):
                found.append(each)
    assert found
    return found


def other(kind, /, **changes):
    def change(document):
        for each in parts_of(document["model"], kind):
            each["state"].update(changes)

    return change


NUMBERS = {"is": "list", "entries": [1.0, 2.0]}
MINUS = {"is": "list", "entries": [1.0, -2.0, 1.0]}
SQUARE = {"is": "list", "entries": [{"is": "list", "entries": [-1.0]}]}


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (regressor(Minkowski(3)), other("Minkowski", p=-1.0)),
        (regressor(Minkowski(3)), other("Minkowski", p="3")),
        (regressor(Minkowski(3)), other("Minkowski", w=MINUS)),
        (regressor(Minkowski(3)), other("Minkowski", w=NUMBERS)),
        (regressor(Minkowski(3)), other("KNeighborsRegressor", _metric=3)),
        (regressor(Minkowski(3)), other("BruteIndex", metric=None)),
        (regressor(Minkowski(3)), other("BruteIndex", metric="sideways")),
        (regressor("manhattan"), other("BruteIndex", metric="minkowski", params=NUMBERS)),
        (regressor(Jaccard()), other("Jaccard", w=3)),
        (regressor(Chebyshev(), algorithm="kd_tree"), other("TreeIndex", metric=3)),
        (regressor(Chebyshev(), algorithm="kd_tree"), other("Chebyshev", w=NUMBERS)),
        (regressor("seuclidean"), other("StandardizedEuclidean", V=MINUS)),
        (regressor("mahalanobis"), other("Mahalanobis", VI=SQUARE)),
        (regressor(Function(mean_absolute_error)), other("Function", function=3)),
        (regressor(Function(mean_absolute_error)), other("Function", params=NUMBERS)),
        (KernelDensity(metric="seuclidean").fit(X), other("StandardizedEuclidean", V=NUMBERS)),
        (NearestNeighbors(metric="gower").fit(MIXED), other("Gower", f=3)),
        (NearestNeighbors(metric="gower").fit(MIXED), other("Gower", weights=MINUS)),
        (NearestNeighbors(metric="gower").fit(MIXED), other("Gower", columns=[])),
        (NearestNeighbors(metric="gower").fit(MIXED), other("MixedColumn", kind="sideways")),
        (NearestNeighbors(metric="gower").fit(MIXED), other("MixedColumn", width=0.0)),
        (NearestNeighbors(metric="gower").fit(MIXED), other("MixedColumn", categories=None)),
    ],
)  # fmt: skip
def test_metrics_that_are_none(model, change, tmp_path, rewritten):
    place = model.save(tmp_path / "m")
    with pytest.raises(ModelFileError):
        stylobate.load(rewritten(place, change))


def test_a_metric_without_a_name(tmp_path, rewritten):
    place = regressor(Jaccard()).save(tmp_path / "m")

    def change(document):
        for each in parts_of(document["model"], "Jaccard"):
            each["class"] = "stylobate.distances.counts.SetMetric"

    with pytest.raises(ModelFileError):
        stylobate.load(rewritten(place, change))
