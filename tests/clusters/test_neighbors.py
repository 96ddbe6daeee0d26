"""Nearest neighbours whose rows stay on a cluster: the answers of memory, bit for bit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate import save
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    UnsupportedDataError,
)
from stylobate.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
)
from stylobate.neighbors.partition_index import RowsWithin

pd = pytest.importorskip("pandas")

FEATURES = list("abc")


def frame(n=200):
    rng = np.random.default_rng(0)
    made = pd.DataFrame(rng.normal(size=(n, 3)).round(1), columns=FEATURES)  # with ties
    made["number"] = made["a"] + made["b"] ** 2
    made["other"] = made["c"] - made["a"]
    made["label"] = np.where(made["number"] > 1, "up", np.where(made["a"] > 0, "mid", "down"))
    return made


def rows(engine, table, ends=(0, 3, 3, 120, 200)):
    return engine.rows([table.iloc[a:b] for a, b in pairwise(ends)])


def queries(count=25):
    return pd.DataFrame(np.random.default_rng(1).normal(size=(count, 3)), columns=FEATURES).round(1)


def test_neighbours_are_those_of_memory_on_every_engine(engine):
    table, asked = frame(), queries()
    found = KNeighborsClassifier(7).fit(rows(engine, table), target="label", features=FEATURES)
    expected = KNeighborsClassifier(7).fit(table[FEATURES], table["label"])
    for ours, theirs in zip(found.kneighbors(asked), expected.kneighbors(asked), strict=True):
        assert (ours == theirs).all()
    assert (found.predict_proba(asked) == expected.predict_proba(asked)).all()
    assert found.predict(asked).tolist() == expected.predict(asked).tolist()
    assert found.n_samples_fit_ == 200
    assert found.algorithm_ == "partitions"


@pytest.mark.parametrize(
    ("model", "target"),
    [
        (KNeighborsRegressor(4, weights="distance"), "number"),
        (KNeighborsRegressor(3, loss="absolute_error", metric="manhattan"), ["number", "other"]),
        (KNeighborsClassifier(4, metric="cosine"), ["label", "other"]),
        (RadiusNeighborsRegressor(1.0, weights="distance"), "number"),
        (RadiusNeighborsRegressor(1.1, loss="absolute_error"), ["number", "other"]),
        (RadiusNeighborsClassifier(0.9, outlier_label="down"), "label"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_answers_are_those_of_memory(dask_engine, model, target):
    table, asked = frame(), queries()
    table["other"] = table["other"].round()
    found = type(model)(**model.get_params())
    found.fit(rows(dask_engine, table), target=target, features=FEATURES)
    expected = type(model)(**model.get_params()).fit(table[FEATURES], table[target])
    np.testing.assert_array_equal(found.predict(asked), expected.predict(asked))
    if isinstance(model, KNeighborsRegressor):
        graph = found.kneighbors_graph(asked, mode="distance")
        assert abs(graph - expected.kneighbors_graph(asked, mode="distance")).nnz == 0


def test_without_a_target(dask_engine):
    table, asked = frame(), queries(3)
    found = NearestNeighbors(radius=1.0).fit(rows(dask_engine, table), features=FEATURES)
    expected = NearestNeighbors(radius=1.0).fit(table[FEATURES])
    for name in ("kneighbors", "radius_neighbors"):
        for ours, theirs in zip(
            getattr(found, name)(asked), getattr(expected, name)(asked), strict=True
        ):
            assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))
    each = found.radius_neighbors(asked, radius=[0.1, 0.5, 2.0], return_distance=False)
    known = expected.radius_neighbors(asked, radius=[0.1, 0.5, 2.0], return_distance=False)
    assert [a.tolist() for a in each] == [b.tolist() for b in known]


def test_what_needs_rows_here_is_refused(dask_engine, tmp_path):
    table = frame()
    held = rows(dask_engine, table)
    model = KNeighborsRegressor(3).fit(held, target="number", features=FEATURES)
    with pytest.raises(UnsupportedDataError, match="stay on their cluster"):
        model.predict(held)
    with pytest.raises(UnsupportedDataError, match="some rows in memory"):
        model.kneighbors()
    with pytest.raises(ModelFileError, match="cannot hold"):
        save(model, tmp_path / "model.stylobate")
    with pytest.raises(UnsupportedDataError, match="algorithm='hnsw' needs all rows in memory"):
        NearestNeighbors(algorithm="hnsw").fit(held, features=FEATURES)
    with pytest.raises(InvalidParameterError, match="'gower' needs all rows"):
        NearestNeighbors(metric="gower").fit(held, features=FEATURES)
    with pytest.raises(UnsupportedDataError, match="targets of all rows stay"):
        RadiusNeighborsClassifier(outlier_label="most_frequent").fit(
            held, target="label", features=FEATURES
        )
    with pytest.raises(InvalidDataError, match="Expected n_neighbors <= n_samples_fit"):
        model.kneighbors(queries(2), 201)
    table.loc[150, "b"] = np.inf
    with pytest.raises(InvalidDataError, match=r"partition \d of the Dask data frame"):
        NearestNeighbors().fit(rows(dask_engine, table), features=FEATURES)


def test_neighbours_within_a_radius_of_parts_come_in_the_order_of_rows():
    one = RowsWithin(np.array([0, 1, 1]), np.array([4]), np.array([0.5]))
    two = RowsWithin(np.array([0, 2, 3]), np.array([5, 7, 6]), np.array([0.1, 0.2, 0.3]))
    both = one.merge(two)
    assert both.offsets.tolist() == [0, 3, 4]
    assert both.rows.tolist() == [4, 5, 7, 6]
    assert RowsWithin.from_arrays(both.to_arrays()).distances.tolist() == [0.5, 0.1, 0.2, 0.3]
