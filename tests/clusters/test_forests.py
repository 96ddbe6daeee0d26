"""Forests on clusters: tree for tree those of memory, to the last bit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate import load, save
from stylobate.data.streams import Batch, Stream
from stylobate.ensemble import (
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    RandomTreesEmbedding,
)
from stylobate.ensemble.forest_shares import tightest
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.tree.columns import CategoriesSeen

pd = pytest.importorskip("pandas")

FEATURES = list("abcde")


def frame(n=240):
    rng = np.random.default_rng(0)
    made = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    made["d"] = rng.integers(-3, 300, n)
    made["e"] = rng.choice(["x", "y", "z"], n)
    made.loc[rng.random(n) < 0.1, "b"] = np.nan
    made["number"] = 2 * made["a"] + made["d"] / 100 + (made["e"] == "x")
    made["label"] = np.where(made["number"] > 2, "up", np.where(made["number"] > 0, "mid", "down"))
    made["w"] = rng.uniform(0.5, 2.0, n)
    return made


def rows(engine, table, ends=(0, 10, 10, 170, 240)):
    return engine.rows([table.iloc[a:b] for a, b in pairwise(ends)])


def same(found, expected):
    for ours, theirs in zip(found._trees, expected._trees, strict=True):
        for name in ("feature", "threshold", "children_left", "value", "impurity", "categories"):
            assert getattr(ours, name).tobytes() == getattr(theirs, name).tobytes(), name


def test_trees_are_those_of_memory_on_every_engine(engine):
    table = frame()
    model = RandomForestClassifier(5, random_state=2, max_samples=0.7)
    found = model.fit(rows(engine, table), target="label", features=FEATURES)
    expected = RandomForestClassifier(**model.get_params()).fit(table[FEATURES], table["label"])
    same(found, expected)
    assert (found.predict_proba(table[FEATURES]) == expected.predict_proba(table[FEATURES])).all()
    assert found.classes_.tolist() == ["down", "mid", "up"]


@pytest.mark.parametrize(
    ("model", "target", "weight"),
    [
        (RandomForestRegressor(4, random_state=1, max_features=0.5), "number", None),
        (RandomForestRegressor(3, random_state=1), ["number", "d"], None),
        (RandomForestClassifier(3, random_state=1, class_weight="balanced"), "label", None),
        (ExtraTreesRegressor(3, random_state=1), "number", "w"),
    ],
)
def test_targets_and_weights(dask_engine, model, target, weight):
    table = frame()
    names = ["a", "b", "c", "e"]
    found = type(model)(**model.get_params())
    found.fit(rows(dask_engine, table), target=target, features=names, weight=weight)
    expected = type(model)(**model.get_params())
    expected.fit(table[names], table[target], None if weight is None else table[weight])
    same(found, expected)


def test_a_warm_start_adds_trees_and_files_keep_them(dask_engine, tmp_path):
    table = frame()
    model = RandomForestClassifier(2, random_state=2, warm_start=True)
    held = rows(dask_engine, table)
    model.fit(held, target="label", features=FEATURES)
    model.set_params(n_estimators=4).fit(held, target="label", features=FEATURES)
    expected = RandomForestClassifier(4, random_state=2).fit(table[FEATURES], table["label"])
    same(model, expected)
    for ours, theirs in zip(model.estimators_samples_, expected.estimators_samples_, strict=True):
        assert (ours == theirs).all()
    save(model, tmp_path / "forest.stylobate")
    again = load(tmp_path / "forest.stylobate")
    assert (again.predict(table[FEATURES]) == expected.predict(table[FEATURES])).all()


def test_what_needs_rows_here_is_refused(dask_engine):
    table = frame()
    held = rows(dask_engine, table)
    with pytest.raises(UnsupportedDataError, match="oob_score asks all trees"):
        RandomForestClassifier(oob_score=True).fit(held, target="label", features=FEATURES)
    with pytest.raises(UnsupportedDataError, match="cluster"):
        RandomTreesEmbedding().fit(held, features=FEATURES)
    model = RandomForestRegressor(2, random_state=0)
    model.fit(held, target="number", features=FEATURES, weight="w")
    with pytest.raises(UnsupportedDataError, match="weights that stayed on a cluster"):
        model.estimators_samples_  # noqa: B018
    with pytest.raises(InvalidDataError, match="Poisson") as told:  # of all rows: no partition
        RandomForestRegressor(2, criterion="poisson").fit(held, target="a", features=["b", "c"])
    assert "partition" not in str(told.value)
    with pytest.raises(InvalidDataError, match="no rows to learn from"):
        RandomForestRegressor(2).fit(
            dask_engine.rows([table[:0], table[:0]]), target="number", features=FEATURES
        )


def test_text_here_and_numbers_there_are_refused(dask_engine):
    import dask
    import dask.dataframe as dd

    table = frame()
    other = table.assign(e=np.arange(len(table)))
    parts = [dask.delayed(table), dask.delayed(other)]
    held = dd.from_delayed(parts, meta=table[:0], verify_meta=False)
    with pytest.raises(InvalidDataError, match="'e' holds numbers in some batches and text"):
        RandomForestRegressor(2).fit(held, target="number", features=FEATURES)


def test_categories_of_parts_are_those_of_the_whole():
    table = frame()[FEATURES]
    whole = CategoriesSeen("test")
    whole.add(table)
    parts = [CategoriesSeen("test") for _ in range(3)]
    for part, (a, b) in zip(parts, pairwise([0, 1, 100, 240]), strict=True):
        part.add(table[a:b])
    merged = parts[0].merge(parts[1]).merge(parts[2])
    assert merged.n_rows == 240
    assert merged.known().of[4].tolist() == whole.known().of[4].tolist()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1.0, -128.0], np.int8),
        ([128.0, 0.0], np.int16),
        ([1e5, 0.5, np.nan], np.float32),
        ([0.1], np.float64),
        ([np.inf], np.float32),
        ([1e300], np.float64),
    ],
)
def test_tightest_columns_hold_their_values(values, kind):
    found = tightest(np.array(values))
    assert found.dtype == kind
    np.testing.assert_array_equal(found.astype(np.float64), values)


def test_shares_of_streams_see_all_rows_in_order():
    stream = Stream(lambda: iter([Batch([[1.0]]), Batch([[2.0]])]))
    found = stream.shared_out(lambda b, first: b.x[0][0], lambda k, x: [(k, *x)], list.__add__, 3)
    assert found == [(0, 1.0, 2.0), (1, 1.0, 2.0), (2, 1.0, 2.0)]
    assert Stream(lambda: iter([])).shared_out(len, len, len, 2) is None
