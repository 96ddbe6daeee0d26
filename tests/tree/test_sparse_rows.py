"""Trees and forests of sparse rows: those of the dense ones, bit for bit, in little memory."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from stylobate import ensemble
from stylobate.parallel import threads
from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor
from stylobate.tree.growing import Growth, grow_numbers

ARRAYS = (
    "children_left", "children_right", "feature", "threshold", "missing_go_to_left", "impurity",
    "n_node_samples", "weighted_n_node_samples", "value",
)  # fmt: skip


def table(n=400, p=8, density=0.15, *, gaps=True, seed=0):
    """Both signs, ties, stored zeros, missing values, a full column and an empty one."""
    draw = np.random.default_rng(seed)
    dense = np.where(draw.random((n, p)) < density, draw.standard_normal((n, p)).round(1), 0.0)
    dense[:, 0] = draw.standard_normal(n)
    dense[:, 1] = 0.0
    dense[:, 2] = np.abs(dense[:, 2])
    if gaps:
        dense[draw.random(n) < 0.1, 3] = np.nan
    x = sparse.csr_array(dense)
    stored = x.tolil()
    stored[0, 1] = 5.0
    kept = sparse.csr_array(stored)
    kept.data[kept.data == 5.0] = 0.0  # an entry that is zero
    y = dense[:, 0] + 2.0 * (dense[:, 2] > 0) + np.nan_to_num(dense[:, 3]) + 0.3 * draw.random(n)
    return kept, y, draw.uniform(0.1, 2.0, n)


def assert_same(a, b):
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_array, sparse.coo_matrix])
def test_a_tree_is_that_of_the_dense_rows(container):
    x, y, weights = table()
    for options in (
        {},
        {"max_leaf_nodes": 9},
        {"max_features": 2},
        {"criterion": "absolute_error"},
    ):
        ours = DecisionTreeRegressor(random_state=0, **options)
        same = DecisionTreeRegressor(random_state=0, **options)
        ours.fit(container(x), y, sample_weight=weights)
        same.fit(x.toarray(), y, sample_weight=weights)
        assert_same(ours.tree_, same.tree_)
        np.testing.assert_array_equal(ours.predict(container(x)), same.predict(x.toarray()))
        np.testing.assert_array_equal(ours.apply(container(x)), same.apply(x.toarray()))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
@pytest.mark.parametrize("splitter", ["best", "random"])
def test_classes_too(criterion, splitter):
    x, y, _ = table(n=9000, p=5, seed=1)  # enough rows for parts of their own
    labels = np.digitize(y, [0.0, 1.0])
    options = {"criterion": criterion, "splitter": splitter, "random_state": 3}
    assert_same(
        DecisionTreeClassifier(**options).fit(x, labels).tree_,
        DecisionTreeClassifier(**options).fit(x.toarray(), labels).tree_,
    )


def test_monotone_columns_and_single_precision():
    x, y, _ = table(gaps=False)
    signs = [1, 0, 1, -1, 0, 0, 0, 0]
    single = x.astype(np.float32)
    assert_same(
        ExtraTreeRegressor(random_state=0, monotonic_cst=signs).fit(single, y).tree_,
        ExtraTreeRegressor(random_state=0, monotonic_cst=signs).fit(single.toarray(), y).tree_,
    )


@pytest.mark.parametrize(
    "kind",
    ["RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier",
     "ExtraTreesRegressor"],
)  # fmt: skip
def test_a_forest_is_that_of_the_dense_rows(kind):
    x, y, _ = table()
    target = y if kind.endswith("Regressor") else y > 0.5
    options = {"n_estimators": 4, "max_features": 2, "random_state": 1, "bootstrap": True}
    make = getattr(ensemble, kind)
    ours = make(**options, oob_score=lambda *_: 0.0)
    same = make(**options, oob_score=lambda *_: 0.0)
    with pytest.warns(UserWarning, match="OOB"):
        ours.fit(x, target)
    with pytest.warns(UserWarning, match="OOB"):
        same.fit(x.toarray(), target)
    for a, b in zip(ours.estimators_, same.estimators_, strict=True):
        assert_same(a.tree_, b.tree_)
    name = "oob_prediction_" if kind.endswith("Regressor") else "oob_decision_function_"
    np.testing.assert_array_equal(getattr(ours, name), getattr(same, name))
    np.testing.assert_array_equal(ours.predict(x), same.predict(x.toarray()))


def test_the_same_for_any_number_of_threads():
    x, y, _ = table(n=9000, p=12)
    found = []
    for count in (1, 3):
        with threads(count):
            found.append(DecisionTreeRegressor(random_state=0).fit(x, y).tree_)
    assert_same(*found)


@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(0.0, 1.0), st.booleans())
def test_any_pattern(seed, n, density, random):
    draw = np.random.default_rng(seed)
    dense = draw.integers(-2, 3, (n, 3)) * (draw.random((n, 3)) < density).astype(float)
    dense[draw.random((n, 3)) < 0.1] = np.nan
    growth = Growth("squared_error", random_splits=random)
    y = draw.standard_normal((n, 1))
    (a,) = grow_numbers(sparse.csc_array(dense), y, growth=growth, seeds=[5])
    (b,) = grow_numbers(dense, y, growth=growth, seeds=[5])
    assert_same(a, b)


MEASURED = """
    import resource
    import sys
    import numpy as np
    from scipy import sparse
    from stylobate.ensemble import {kind} as Model

    x = sparse.random_array((100_000, 500), density=0.01, format="csr",
                            rng=np.random.default_rng(0))
    y = np.asarray(x[:, :20].sum(axis=1)).ravel()
    Model(n_estimators=1, max_depth=1).fit(x[:100], y[:100]).predict(x[:100])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model = Model(n_estimators=2, max_depth=3, {options}, random_state=0).fit(x, y)
    model.predict(x)
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.mark.parametrize(
    ("kind", "options", "most"),
    [
        ("ExtraTreesRegressor", "max_features=20", 120),
        ("RandomForestRegressor", "max_features=20", 330),
    ],
)
def test_memory(kind, options, most):
    """Megabytes, where the dense table takes 381; a random forest keeps ranks of 5 bytes."""
    code = textwrap.dedent(MEASURED).format(kind=kind, options=options)
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(out.stdout) < most
