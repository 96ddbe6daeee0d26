"""Against scikit-learn: where the bins coincide, the trees and predictions do."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier as TheirClassifier
from sklearn.ensemble import HistGradientBoostingRegressor as TheirRegressor
from threadpoolctl import threadpool_limits

from stylobate import _core
from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from stylobate.ensemble.boosting.binning import Binning

LOSSES = ["squared_error", "absolute_error", "poisson", "gamma", "quantile"]


@pytest.fixture(autouse=True)
def one_thread_for_scikit_learn():
    """Its threads spin: on busy cores they cost seconds."""
    with threadpool_limits(1):
        yield


def rows(n=1000, p=5, missing=0.05, seed=0):
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((n, p)).round(1)
    x[draw.random((n, p)) < missing] = np.nan
    full = np.nan_to_num(x)
    y = full @ np.linspace(1.0, -1.0, p) + full[:, 0] * full[:, 1] + draw.standard_normal(n)
    return x, y


def options(loss):
    return {"loss": loss} | ({"quantile": 0.8} if loss == "quantile" else {})


def target(loss, y):
    return np.exp(y / 3.0) if loss in ("poisson", "gamma") else y


@pytest.mark.parametrize("iterations", [1, 20])
@pytest.mark.parametrize("loss", LOSSES)
def test_regression_is_scikit_learns(loss, iterations):
    x, y = rows()
    y = target(loss, y)
    settings = options(loss) | {"max_iter": iterations, "l2_regularization": 0.5}
    ours = HistGradientBoostingRegressor(**settings).fit(x, y)
    theirs = TheirRegressor(**settings).fit(x, y)
    np.testing.assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-9)


@pytest.mark.parametrize("classes", [2, 4])
def test_classification_is_scikit_learns(classes):
    x, y = rows(seed=1)
    labels = np.digitize(y, np.quantile(y, np.linspace(0, 1, classes + 1)[1:-1]))
    settings = {"max_iter": 15, "class_weight": "balanced"}
    ours = HistGradientBoostingClassifier(**settings).fit(x, labels)
    theirs = TheirClassifier(**settings).fit(x, labels)
    np.testing.assert_allclose(ours.predict_proba(x), theirs.predict_proba(x), rtol=1e-9)
    np.testing.assert_allclose(ours.decision_function(x), theirs.decision_function(x), atol=1e-9)
    for mine, other in zip(
        ours.staged_predict_proba(x), theirs.staged_predict_proba(x), strict=True
    ):
        np.testing.assert_allclose(mine, other, rtol=1e-9)


def test_trees_are_scikit_learns_node_by_node():
    x, y = rows(seed=2, missing=0.0)  # gaps make ties, which rounding breaks over there
    ours = HistGradientBoostingRegressor(max_iter=8, max_depth=4).fit(x, y)
    theirs = TheirRegressor(max_iter=8, max_depth=4).fit(x, y)
    for (mine,), (other,) in zip(ours.trees_, theirs._predictors, strict=True):
        nodes = other.nodes
        leaf = nodes["is_leaf"].astype(bool)
        assert sorted(mine.n_node_samples) == sorted(nodes["count"])
        # columns and thresholds; the order of the nodes is another one
        mine_splits = sorted(
            zip(mine.feature[mine.feature >= 0], mine.threshold[mine.feature >= 0], strict=True)
        )
        their_splits = sorted(
            zip(nodes["feature_idx"][~leaf], nodes["num_threshold"][~leaf], strict=True)
        )
        np.testing.assert_allclose(mine_splits, their_splits, rtol=1e-12)


def test_weights_categories_and_limits_are_scikit_learns():
    x, y = rows(seed=3, missing=0.0)
    draw = np.random.default_rng(0)
    # categories first, where scikit-learn puts them: of splits of equal gain the first column wins
    x[:, 0] = draw.integers(0, 12, len(x))
    y = y + np.array([3, -1, 0, 2, 5, -4, 1, 0, 2, -2, 4, -3])[x[:, 0].astype(int)]
    weights = draw.uniform(0.5, 2.0, len(x))
    settings = {
        "max_iter": 10,
        "categorical_features": [0],
        "monotonic_cst": [0, 0, 1, -1, 0],
        "interaction_cst": [{0, 1}, {2, 3}],
    }
    ours = HistGradientBoostingRegressor(**settings).fit(x, y, sample_weight=weights)
    theirs = TheirRegressor(**settings).fit(x, y, sample_weight=weights)
    np.testing.assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e-7, atol=1e-7)
    assert ours.is_categorical_.tolist() == [True, False, False, False, False]


def test_early_stopping_is_scikit_learns_on_given_rows():
    x, y = rows(n=1500, seed=4, missing=0.0)
    train, held = slice(0, 1000), slice(1000, 1500)
    settings = {"early_stopping": True, "max_iter": 200, "n_iter_no_change": 4}
    given = {"X_val": x[held], "y_val": y[held]}
    ours = HistGradientBoostingRegressor(**settings).fit(x[train], y[train], **given)
    theirs = TheirRegressor(**settings).fit(x[train], y[train], **given)
    assert ours.n_iter_ == theirs.n_iter_ < 200
    np.testing.assert_allclose(ours.train_score_, theirs.train_score_, rtol=1e-8)
    np.testing.assert_allclose(ours.validation_score_, theirs.validation_score_, rtol=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_bin_edges_are_scikit_learns(weighted):
    from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper

    draw = np.random.default_rng(5)
    x = np.column_stack([draw.standard_normal(3000), draw.integers(0, 30, 3000), np.ones(3000)])
    x[:40, 0] = np.nan
    weights = draw.integers(0, 4, 3000).astype(float) if weighted else None
    theirs = _BinMapper(n_bins=65).fit(x, sample_weight=weights)
    ours = Binning.of(x, categories=[0, 0, 0], weights=weights, max_bins=64)
    for mine, other in zip(ours.edges, theirs.bin_thresholds_, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12)
    binned = theirs.transform(x)
    for j in range(3):
        mine = ours.rows(x).column(j)
        there = ~np.isnan(x[:, j])
        np.testing.assert_array_equal(mine[there], binned[there, j])


@pytest.mark.parametrize("loss", [*LOSSES, "huber"])
def test_first_leaf_value_in_closed_form(loss):
    """One tree of one split: leaves step to what lowers their own loss."""
    x = np.repeat([[0.0], [1.0]], 50, axis=0)
    y = np.random.default_rng(0).gamma(2.0, size=100) * np.repeat([1.0, 3.0], 50)
    model = HistGradientBoostingRegressor(**options(loss), max_iter=1, learning_rate=1.0).fit(x, y)
    found = model.predict([[0.0], [1.0]])
    start = model.baseline_[0]
    for value, part in zip(found, (y[:50], y[50:]), strict=True):
        if loss == "squared_error":
            expected = part.mean()
        elif loss == "absolute_error":
            expected = np.median(part)
        elif loss == "quantile":
            expected = np.quantile(part, 0.8)
        elif loss == "huber":
            slope = np.quantile(np.abs(y - start), 0.9)
            middle = np.median(part)
            expected = middle + np.clip(part - middle, -slope, slope).mean()
        elif loss == "poisson":
            mean = np.exp(start)
            expected = np.exp(start - (mean - part).sum() / (mean * len(part)))
        else:
            ratio = part * np.exp(-start)
            expected = np.exp(start - (1.0 - ratio).sum() / ratio.sum())
        assert value == pytest.approx(expected, rel=1e-6)


def test_losses_of_the_core_are_those_of_the_vocabulary():
    from stylobate import losses

    y, z = np.array([0.5, 1.0, 2.0]), np.array([[0.3, -0.2, 1.1]])
    for loss in (
        losses.HalfSquared(),
        losses.Absolute(),
        losses.Quantile(0.3),
        losses.Huber(0.7, 0.5),
        losses.Poisson(),
        losses.Gamma(),
        losses.Tweedie(1.5),
    ):
        found = _core.boost_loss(loss.core, y, None, z)
        assert found == pytest.approx(float(np.mean(loss.value(y, z[0]))), rel=1e-12)
