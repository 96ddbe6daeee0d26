"""A new engine is registered in a few lines, and estimators use it without knowing of it."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.data.streams import Batch, Stream, origins, register_opener
from stylobate.discriminant_analysis import LinearDiscriminantAnalysis
from stylobate.engines import compute, engine_for, register, registry
from stylobate.exceptions import UnsupportedDataError
from stylobate.linear_model import (
    Lasso,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    Ridge,
)
from stylobate.naive_bayes import GaussianNB
from stylobate.preprocessing import StandardScaler
from stylobate.sources import StreamSource, register_source
from stylobate.sources import registry as makers
from stylobate.statistics import Moments


class Partitions:
    """A container of some other package: rows in several places."""

    def __init__(self, parts):
        self.parts = parts


class PartitionedRows(Stream):
    """Its rows, which can also be passed over one after the other."""


class PartitionedSource(StreamSource):
    """Where they are."""


CALLS = []


def tree_of_merges(recipe, source):
    """A statistic of every partition by itself, merged in pairs."""
    CALLS.append(recipe)
    states = [compute(recipe, source._read(batch)) for batch in source.stream.start()]
    while len(states) > 1:
        pairs = [states[k : k + 2] for k in range(0, len(states), 2)]
        states = [pair[0].merge(pair[1]) if len(pair) > 1 else pair[0] for pair in pairs]
    return states[0]


@pytest.fixture(autouse=True)
def engine(monkeypatch):
    for table in (registry._engines, registry._found, makers._makers, origins._openers):
        before = dict(table)
        monkeypatch.setattr(
            *{
                id(registry._engines): (registry, "_engines"),
                id(registry._found): (registry, "_found"),
                id(makers._makers): (makers, "_makers"),
                id(origins._openers): (origins, "_openers"),
            }[id(table)],
            before,
        )
    CALLS.clear()
    register_opener(
        Partitions.__module__.partition(".")[0],
        lambda rows, roles: PartitionedRows(lambda: iter(rows.parts), "partitions"),
    )
    register_source(PartitionedRows, PartitionedSource)
    register(object, PartitionedSource)(tree_of_merges)


def rows(y):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3)) + 1.0
    noise = rng.normal(size=400)
    target = {
        "numbers": X @ [1.0, -2.0, 0.5] + noise,
        "counts": rng.poisson(np.exp(0.3 * X[:, 0])).astype(float),
        "labels": np.where(X[:, 0] + noise > 1.0, "yes", "no"),
    }[y]
    parts = [Batch(X[k : k + 90], target[k : k + 90]) for k in range(0, 400, 90)]
    return X, target, Partitions(parts)


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (LinearRegression(), "numbers"),
        (Ridge(), "numbers"),
        (Lasso(0.1), "numbers"),
        (PoissonRegressor(), "counts"),
        (LogisticRegression(), "labels"),
        (GaussianNB(), "labels"),
        (LinearDiscriminantAnalysis(), "labels"),
        (StandardScaler(), "numbers"),
    ],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)
def test_estimators_are_fitted_by_an_engine_they_do_not_know(model, y):
    X, target, container = rows(y)
    found = type(model)(**model.get_params()).fit(container)
    assert CALLS, "the engine was not asked"
    expected = model.fit(X, target)
    method = "transform" if hasattr(model, "transform") and not hasattr(model, "predict") else None
    method = method or ("predict_proba" if hasattr(model, "predict_proba") else "predict")
    ours, theirs = getattr(found, method)(X), getattr(expected, method)(X)
    np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-9)


def test_the_most_specific_entry_computes():
    register(Moments, PartitionedSource)(lambda recipe, source: "moments")
    source = PartitionedSource(PartitionedRows(lambda: iter(())), lambda batch: batch, "test")
    assert compute(Moments, source) == "moments"
    assert engine_for(StandardScaler()._statistic, source) is tree_of_merges


def test_what_nobody_computes_is_said():
    with pytest.raises(UnsupportedDataError, match="cannot be computed on a"):
        compute(Moments, object())
