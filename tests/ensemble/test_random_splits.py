"""Extremely randomised trees grown from all columns at once, against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest

import stylobate
from stylobate.ensemble import ExtraTreesClassifier, ExtraTreesRegressor


def rows(seed, n=1500):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(n, 6))
    x[:, 1] = np.round(x[:, 1])  # ties
    x[draw.random(n) < 0.1, 2] = np.nan
    x[:, 4] = 1.0  # says nothing
    y = x[:, 0] + np.abs(x[:, 1]) + 0.5 * draw.normal(size=n)
    return x, y


@pytest.mark.parametrize("options", [{}, {"criterion": "entropy"}, {"min_samples_leaf": 4}])
def test_classes_as_well_as_scikit_learn(options):
    theirs = pytest.importorskip("sklearn.ensemble").ExtraTreesClassifier
    x, y = rows(0)
    labels = np.digitize(y, [0.0, 1.5])
    x_new, y_new = rows(1)
    truth = np.digitize(y_new, [0.0, 1.5])
    found = [
        kind(n_estimators=60, random_state=0, **options).fit(x, labels).score(x_new, truth)
        for kind in (ExtraTreesClassifier, theirs)
    ]
    # two forests of this size differ by about 0.008 (one deviation)
    assert found[0] == pytest.approx(found[1], abs=0.025)
    assert found[0] > 0.7


def test_numbers_as_well_as_scikit_learn():
    theirs = pytest.importorskip("sklearn.ensemble").ExtraTreesRegressor
    (x, y), (x_new, y_new) = rows(0), rows(1)
    options = {"n_estimators": 60, "max_features": 0.5, "random_state": 0}
    found = [
        ExtraTreesRegressor(**options).fit(x, y).score(x_new, y_new),
        theirs(**options).fit(x, y).score(x_new, y_new),
    ]
    far = 1e6  # from zero: sums of deviations keep their digits
    found.append(ExtraTreesRegressor(**options).fit(x, y + far).score(x_new, y_new + far))
    assert found[0] == pytest.approx(found[1], abs=0.02)
    assert found[2] == pytest.approx(found[0], abs=1e-3)
    assert found[0] > 0.7


def test_the_same_forest_with_any_number_of_threads():
    x, y = rows(2, 600)
    before = stylobate.get_threads()
    found = []
    try:
        for threads in (1, 3):
            stylobate.set_threads(threads)
            found.append(ExtraTreesRegressor(20, random_state=1).fit(x, y).predict(x))
    finally:
        stylobate.set_threads(before)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_allclose(found[0], y)  # every row in a leaf of its own


def test_many_distinct_values_and_many_classes():
    """More ranks than 16 bits hold, and more classes than registers."""
    draw = np.random.default_rng(3)
    x = draw.random((70_000, 3))
    y = np.floor(20 * x[:, 0]).astype(int)
    model = ExtraTreesClassifier(4, max_features=3, min_samples_leaf=20, random_state=0)
    assert model.fit(x, y).score(x, y) > 0.95


@pytest.mark.parametrize("kind", [ExtraTreesClassifier, ExtraTreesRegressor])
def test_a_weight_is_so_many_rows(kind):
    x, y = rows(4, 900)
    target = np.digitize(y, [0.0, 1.5]) if kind is ExtraTreesClassifier else y
    counts = np.arange(len(x)) % 4
    options = {"n_estimators": 10, "random_state": 0}
    weighted = kind(**options).fit(x, target, sample_weight=counts)
    repeated = kind(**options).fit(np.repeat(x, counts, axis=0), np.repeat(target, counts))
    seen = x[counts > 0]  # gaps that a node has not seen go with its many rows
    np.testing.assert_allclose(weighted.predict(seen), repeated.predict(seen))
    plain = kind(**options).fit(x, target)
    ones = kind(**options).fit(x, target, sample_weight=np.ones(len(x)))
    np.testing.assert_array_equal(plain.predict(x), ones.predict(x))
