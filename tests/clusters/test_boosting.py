"""Boosting on clusters: the trees of memory, and the same trees however rows are divided."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from stylobate.ensemble.boosting import partitioned_rows
from stylobate.exceptions import UnsupportedDataError

pd = pytest.importorskip("pandas")

FEATURES = list("abcd")


def frame(n=600):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.2 * rng.normal(size=n)
    X[rng.random(n) < 0.1, 3] = np.nan
    made = pd.DataFrame(X, columns=FEATURES)
    made["number"], made["label"] = y, np.where(y > 0, "up", "down")
    made["kind"] = np.select([y < -0.5, y < 0.6], ["low", "middle"], "high")
    made["count"] = rng.poisson(np.exp(y / 2)).astype(float)
    made["w"] = rng.uniform(0.5, 2.0, n)
    return made


def rows(engine, table, ends):
    return engine.rows([table.iloc[a:b] for a, b in pairwise(ends)])


def compare(ours, theirs, a=0, b=0):
    """Node by node, whatever their order: splits alike, values to the rounding of sums."""
    assert ours.feature[a] == theirs.feature[b]
    assert ours.threshold[a] == theirs.threshold[b]
    assert ours.n_node_samples[a] == theirs.n_node_samples[b]
    np.testing.assert_allclose(ours.value[a], theirs.value[b], rtol=1e-5, atol=1e-7)
    if ours.feature[a] >= 0:
        assert ours.missing_go_to_left[a] == theirs.missing_go_to_left[b]
        compare(ours, theirs, ours.children_left[a], theirs.children_left[b])
        compare(ours, theirs, ours.children_right[a], theirs.children_right[b])


CASES = [
    (HistGradientBoostingRegressor(max_iter=4), "number"),
    (HistGradientBoostingRegressor(loss="poisson", max_iter=3, l2_regularization=0.5), "count"),
    (HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=7), "label"),
    (HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=7), "kind"),
    (HistGradientBoostingRegressor(max_iter=3, growth="depth", max_depth=3), "number"),
]


@pytest.mark.parametrize(("model", "target"), CASES)
def test_trees_are_those_of_memory(dask_engine, model, target):
    table = frame()
    found = type(model)(**model.get_params())
    found.fit(rows(dask_engine, table, [0, 100, 101, 600]), target=target, features=FEATURES)
    expected = type(model)(**model.get_params()).set_params(early_stopping=False)
    expected.fit(table[FEATURES], table[target])
    for one, other in zip(found.trees_, expected.trees_, strict=True):
        for ours, theirs in zip(one, other, strict=True):
            compare(ours, theirs)
    raw = "decision_function" if hasattr(found, "classes_") else "predict"
    ours, theirs = getattr(found, raw)(table[FEATURES]), getattr(expected, raw)(table[FEATURES])
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def test_other_partitions_give_the_same_bits(dask_engine):
    table = frame()
    model = HistGradientBoostingRegressor(max_iter=3)
    found = []
    for ends in ([0, 600], [0, 1, 2, 300, 300, 600], [0, 200, 400, 600]):
        one = HistGradientBoostingRegressor(**model.get_params())
        found.append(one.fit(rows(dask_engine, table, ends), target="number", features=FEATURES))
    for other in found[1:]:
        for (ours,), (theirs,) in zip(found[0].trees_, other.trees_, strict=True):
            assert (ours.threshold == theirs.threshold).all()
            assert (ours.value == theirs.value).all()


def test_weights_count(dask_engine):
    table = frame()
    table[FEATURES] = table[FEATURES].round(1)  # values fewer than bins: all have their own
    found = HistGradientBoostingRegressor(max_iter=2).fit(
        rows(dask_engine, table, [0, 250, 600]), target="number", features=FEATURES, weight="w"
    )
    expected = HistGradientBoostingRegressor(max_iter=2, early_stopping=False).fit(
        table[FEATURES], table["number"], table["w"]
    )
    for ours, theirs in zip(found.trees_, expected.trees_, strict=True):
        compare(ours[0], theirs[0])


def test_what_needs_rows_is_refused(dask_engine):
    table = frame(60)
    for options, what in (
        ({"early_stopping": True}, "early_stopping=True"),
        ({"max_features": 0.5}, "max_features"),
        ({"loss": "absolute_error"}, "quantiles of the rows"),
    ):
        with pytest.raises(UnsupportedDataError, match=what):
            HistGradientBoostingRegressor(**options).fit(
                rows(dask_engine, table, [0, 60]), target="number", features=FEATURES
            )


def test_weights_of_several_classes_count(dask_engine):
    table = frame()
    table[FEATURES] = table[FEATURES].round(1)
    model = HistGradientBoostingClassifier(max_iter=2)
    found = model.fit(
        rows(dask_engine, table, [0, 250, 600]), target="kind", features=FEATURES, weight="w"
    )
    expected = HistGradientBoostingClassifier(max_iter=2, early_stopping=False).fit(
        table[FEATURES], table["kind"], table["w"]
    )
    np.testing.assert_allclose(found.baseline_, expected.baseline_, rtol=1e-9)
    ours, theirs = (each.predict_proba(table[FEATURES]) for each in (found, expected))
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-7)


def test_what_partitions_remember_can_be_made_again():
    from stylobate.data.streams import Batch
    from stylobate.losses import HalfSquared

    table = frame(50)
    model = HistGradientBoostingRegressor()
    model._features(table[FEATURES], reset=True)
    edges = tuple(np.array([-0.5, 0.5]) for _ in FEATURES)
    batch = Batch(table[FEATURES], table["number"].to_numpy())
    split = partitioned_rows.NodeSplit(0, 1, 0, False, 1, 2)
    tree = partitioned_rows.GrownTree((split,), {1: 0.25, 2: -0.5})
    plan = partitioned_rows.BoostingPlan("fit", model, HalfSquared(), edges, np.array([0.1]))
    before = plan.rows(batch, 0)
    grown = partitioned_rows.without_trees(plan, ((tree,), (tree,)))
    remembered = grown.rows(batch, 0).scores.copy()
    assert grown.rows(batch, 0) is before
    partitioned_rows._kept.clear()
    assert (grown.rows(batch, 0).scores == remembered).all()
    expected = np.where(table["b"] <= -0.5, 0.1 + 0.25 + 0.25, 0.1 - 0.5 - 0.5)
    np.testing.assert_allclose(remembered[0], expected, rtol=1e-14)


def test_trees_of_other_classes_begin_with_all_rows():
    """A partition that missed the root of a class's tree does not go on with another class's."""
    bins = [np.array([0, 1, 0, 2], np.uint8)]
    kept = partitioned_rows.PartitionRows(bins, np.arange(4.0) % 3, None, np.zeros(3))
    kept.route((partitioned_rows.NodeSplit(0, 0, 0, False, 1, 2),), 0)
    assert kept.nodes[1].tolist() == [0, 2]
    kept.route((partitioned_rows.NodeSplit(0, 0, 1, False, 1, 2),), 1)
    assert kept.nodes[1].tolist() == [0, 1, 2]
