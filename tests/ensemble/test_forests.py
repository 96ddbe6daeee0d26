"""Forests: scikit-learn's rows and trees where randomness allows, laws where it does not."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble as theirs
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_wine, make_classification, make_regression
from sklearn.metrics import f1_score, mean_absolute_error
from sklearn.tree import DecisionTreeClassifier as TheirTree

from stylobate import ensemble
from stylobate.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.parallel import threads
from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor

X_R, Y_R = make_regression(300, 6, noise=5.0, random_state=0)
X_R = X_R.astype(np.float32).astype(np.float64)  # scikit-learn's trees see single precision
X_C, Y_C = make_classification(300, 12, n_informative=5, n_classes=3, random_state=0)
X_C = X_C.astype(np.float32).astype(np.float64)
CLASSIFIERS = [RandomForestClassifier, ExtraTreesClassifier]
REGRESSORS = [RandomForestRegressor, ExtraTreesRegressor]


def tree_of(counts, X, y, **options):
    return TheirTree(random_state=0, **options).fit(X, y, sample_weight=counts)


def test_regression_forest_is_scikit_learns():
    """Same rows, all columns, leaves large enough to have no ties: the same trees."""
    options = {"n_estimators": 12, "min_samples_leaf": 8, "random_state": 3, "oob_score": True}
    ours = RandomForestRegressor(**options).fit(X_R, Y_R)
    other = theirs.RandomForestRegressor(**options).fit(X_R, Y_R)
    np.testing.assert_allclose(ours.predict(X_R), other.predict(X_R), rtol=1e-9)
    np.testing.assert_allclose(ours.oob_prediction_, other.oob_prediction_, rtol=1e-9)
    assert ours.oob_score_ == pytest.approx(other.oob_score_)
    np.testing.assert_allclose(ours.feature_importances_, other.feature_importances_, atol=1e-9)
    np.testing.assert_array_equal(ours.apply(X_R), other.apply(X_R))


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_are_those_scikit_learn_draws(weighted):
    weights = np.arange(1.0, len(X_C) + 1) if weighted else None
    options = {"n_estimators": 3, "random_state": 5, "max_samples": 100}
    ours = RandomForestClassifier(**options).fit(X_C, Y_C, sample_weight=weights)
    other = theirs.RandomForestClassifier(**options).fit(X_C, Y_C, sample_weight=weights)
    for a, b in zip(ours.estimators_samples_, other.estimators_samples_, strict=True):
        np.testing.assert_array_equal(a, np.sort(b))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("k", [2, 3, 6])
def test_ranked_growth_finds_the_best_split_of_every_node(k, criterion):
    """One column drawn among copies of the same three: the tree of scikit-learn's exact grower.

    Many rows, so that steps of the ranks and their bounds are used, and the columns repeated so
    that few of them are drawn, but enough to hold all three.
    """
    rng = np.random.default_rng(k)
    X = rng.normal(size=(4000, 3)).astype(np.float32).astype(np.float64)
    score = X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * rng.normal(size=4000)
    y = np.digitize(score, np.quantile(score, np.arange(1, k) / k))
    wide = np.tile(X, 40)
    model = RandomForestClassifier(
        2, criterion=criterion, min_samples_leaf=60, max_features=40, random_state=0
    ).fit(wide, y)
    for tree, counts in zip(model._trees, model._counts(), strict=True):
        other = tree_of(counts, X, y, criterion=criterion, min_samples_leaf=60).tree_
        np.testing.assert_array_equal(
            np.where(tree.feature >= 0, tree.feature % 3, -2), other.feature
        )
        np.testing.assert_allclose(tree.threshold, other.threshold)
        np.testing.assert_allclose(tree.value, other.value)
        np.testing.assert_allclose(tree.impurity, other.impurity, atol=1e-12)
        np.testing.assert_array_equal(tree.n_node_samples, other.n_node_samples)
        np.testing.assert_array_equal(tree.weighted_n_node_samples, other.weighted_n_node_samples)


@pytest.mark.parametrize("kind", CLASSIFIERS + REGRESSORS)
@pytest.mark.parametrize("max_features", [2, None])
def test_same_bits_for_any_number_of_threads(kind, max_features):
    y = Y_C if kind in CLASSIFIERS else X_C[:, 0] ** 2 + X_C[:, 1]
    found = []
    for count in (1, 2, 5):
        with threads(count):
            model = kind(12, max_features=max_features, random_state=0).fit(X_C, y)
            answer = model.predict_proba if kind in CLASSIFIERS else model.predict
            found.append(answer(X_C))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize("trees", [1, 3, 9])
@pytest.mark.parametrize("kind", [RandomForestClassifier, RandomForestRegressor])
def test_few_trees_on_many_threads_are_the_same(kind, trees):
    """Trees whose parts are grown by several threads, with ties and missing values."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 9))
    X[:, 1] = np.round(X[:, 1])
    X[rng.random(5000) < 0.1, 2] = np.nan
    score = X[:, 0] * X[:, 1] + np.nan_to_num(X[:, 2]) + 0.3 * rng.normal(size=5000)
    y = score > 0 if kind is RandomForestClassifier else score
    forests = []
    for count in (1, 2, 3, 8):
        with threads(count):
            forests.append(kind(trees, max_features=3, random_state=0).fit(X, y)._trees)
    for other in forests[1:]:
        for a, b in zip(forests[0], other, strict=True):
            for field in dataclasses.fields(a):
                np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


@pytest.mark.parametrize("kind", CLASSIFIERS + REGRESSORS)
def test_out_of_bag_by_hand(kind):
    classes = kind in CLASSIFIERS
    y = np.array(["a", "b", "c"])[Y_C] if classes else X_C[:, 0] + X_C[:, 1]
    model = kind(40, bootstrap=True, oob_score=True, random_state=0).fit(X_C, y)
    width = 3 if classes else 1
    total, seen = np.zeros((len(y), width)), np.zeros(len(y))
    for tree, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        left = np.setdiff1d(np.arange(len(y)), rows)
        answer = tree.predict_proba(X_C[left]) if classes else tree.predict(X_C[left])[:, None]
        total[left] += answer
        seen[left] += 1
    mean = total / seen[:, None]
    if classes:
        np.testing.assert_allclose(model.oob_decision_function_, mean)
        assert model.oob_score_ == np.mean(model.classes_[mean.argmax(axis=1)] == y)
    else:
        np.testing.assert_allclose(model.oob_prediction_, mean[:, 0])


def test_score_of_left_out_rows_by_a_function():
    y = np.array(["no", "yes"])[(Y_C == 0).astype(int)]

    def score(truth, found):
        return f1_score(truth, found, pos_label="yes")

    model = RandomForestClassifier(40, oob_score=score, random_state=0).fit(X_C, y)
    labels = model.classes_[model.oob_decision_function_.argmax(axis=1)]
    assert model.oob_score_ == score(y, labels)
    numbers = RandomForestRegressor(40, oob_score=mean_absolute_error, random_state=0)
    numbers.fit(X_R, Y_R)
    assert numbers.oob_score_ == mean_absolute_error(Y_R, numbers.oob_prediction_)


def test_rows_that_all_trees_saw_are_told():
    model = RandomForestClassifier(1, oob_score=True, random_state=0)
    with pytest.warns(StylobateWarning, match="do not have OOB scores"):
        model.fit(X_C, Y_C)
    assert (model.oob_decision_function_.sum(axis=1) == 0).any()


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_accuracy_is_scikit_learns_within_noise(kind, load):
    X, y = load(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))
    half = len(y) // 2
    options = {"n_estimators": 60, "bootstrap": True, "random_state": 0}
    models = kind(**options), getattr(theirs, kind.__name__)(**options)
    wrong = [m.fit(X[rows[:half]], y[rows[:half]]).predict(X[rows[half:]]) for m in models]
    truth = y[rows[half:]]
    only_ours = int(((wrong[0] != truth) & (wrong[1] == truth)).sum())
    only_theirs = int(((wrong[1] != truth) & (wrong[0] == truth)).sum())
    # McNemar: 3 standard deviations of the difference of two counts
    assert only_ours - only_theirs <= 3 * np.sqrt(only_ours + only_theirs) + 1


def test_members_are_trees():
    model = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X_C, Y_C)
    assert model.estimators_ is model.estimators_
    assert len(model) == 5
    assert isinstance(model[0], DecisionTreeClassifier)
    assert isinstance(RandomForestRegressor(2).fit(X_R, Y_R).estimator_, DecisionTreeRegressor)
    mean = np.mean([tree.predict_proba(X_C) for tree in model], axis=0)
    np.testing.assert_allclose(mean, model.predict_proba(X_C))
    assert all(tree.get_depth() <= 3 for tree in model)
    assert not any("estimator" in name for name in vars(model) if name.startswith("_"))


def test_paths_and_leaves_agree():
    model = RandomForestRegressor(4, max_depth=4, random_state=0).fit(X_R, Y_R)
    paths, starts = model.decision_path(X_R)
    leaves = model.apply(X_R)
    assert paths.shape == (len(X_R), starts[-1])
    for tree in range(4):
        assert (paths[np.arange(len(X_R)), starts[tree] + leaves[:, tree]] == 1).all()


def test_several_outputs():
    y = np.column_stack([Y_C, Y_C == 1])
    model = RandomForestClassifier(20, oob_score=True, random_state=0).fit(X_C, y)
    shares = model.predict_proba(X_C)
    assert [each.shape for each in shares] == [(300, 3), (300, 2)]
    assert model.predict(X_C).shape == y.shape
    assert model.oob_decision_function_.shape == (300, 3, 2)
    numbers = RandomForestRegressor(20, oob_score=True, random_state=0)
    both = numbers.fit(X_R, np.column_stack([Y_R, -Y_R])).predict(X_R)
    np.testing.assert_allclose(both[:, 0], -both[:, 1])
    assert numbers.oob_prediction_.shape == (300, 2)


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("given", ["balanced", "balanced_subsample", {0: 1.0, 1: 20.0}])
def test_class_weights_raise_the_rare_class(kind, given):
    rng = np.random.default_rng(0)
    y = (rng.random(600) < 0.08).astype(int)
    X = rng.normal(size=(600, 9)) + 0.7 * y[:, None]
    options = {"min_samples_leaf": 10, "random_state": 0, "n_estimators": 40}
    plain = kind(**options).fit(X, y).predict_proba(X)[:, 1].mean()
    raised = kind(class_weight=given, **options).fit(X, y).predict_proba(X)[:, 1].mean()
    assert raised > 2 * plain


def test_missing_values_and_categories_of_frames():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue", "grey"], 400)
    size = rng.normal(size=400)
    y = np.where(np.isin(colour, ["red", "grey"]), size > 0, size < 0).astype(int)
    size[:40] = np.nan
    frame = pd.DataFrame({"size": size, "colour": colour})
    frame.loc[40:60, "colour"] = None
    model = RandomForestClassifier(30, random_state=0).fit(frame, y)
    assert model.score(frame[80:], y[80:]) > 0.97
    new = pd.DataFrame({"size": [1.0, np.nan], "colour": ["violet", "red"]})
    assert np.isfinite(model.predict_proba(new)).all()
    plain = RandomForestClassifier(30, random_state=0).fit(frame[["size"]], y)
    assert np.isfinite(plain.predict_proba(frame[["size"]])).all()


def test_missing_values_in_ranked_growth():
    """Where the absence of a value tells the class, a tree of few columns learns it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 9))
    y = rng.integers(0, 2, 500)
    X[y == 1, 4] = np.nan
    model = RandomForestClassifier(50, max_features=3, random_state=0, oob_score=True).fit(X, y)
    assert model.oob_score_ > 0.99


def test_monotone_columns():
    signs = [1, 0, 0, 0, 0, 0]
    model = RandomForestRegressor(10, monotonic_cst=signs, random_state=0).fit(X_R, Y_R)
    rows = np.repeat(X_R[:20, None, :], 30, axis=1)
    rows[:, :, 0] = np.linspace(-3, 3, 30)
    curves = model.predict(rows.reshape(-1, 6)).reshape(20, 30)
    assert (np.diff(curves, axis=1) >= -1e-9).all()


@pytest.mark.parametrize("criterion", ["absolute_error", "poisson"])
def test_other_criteria(criterion):
    y = np.floor(np.abs(Y_R) / 20)
    ours = RandomForestRegressor(15, criterion=criterion, min_samples_leaf=8, random_state=0)
    other = theirs.RandomForestRegressor(
        15, criterion=criterion, min_samples_leaf=8, random_state=0
    )
    ours.fit(X_R, y)
    assert ours.score(X_R, y) > other.fit(X_R, y).score(X_R, y) - 0.05


def test_sparse_rows_and_pruning_and_limits():
    X = np.where(np.abs(X_C) > 1, X_C, 0.0)
    dense = RandomForestClassifier(10, random_state=0).fit(X, Y_C)
    thin = RandomForestClassifier(10, random_state=0).fit(sparse.csr_array(X), Y_C)
    np.testing.assert_array_equal(dense.predict_proba(X), thin.predict_proba(sparse.csc_array(X)))
    few = RandomForestClassifier(10, max_leaf_nodes=5, random_state=0).fit(X, Y_C)
    assert max(tree.n_leaves for tree in few._trees) == 5
    cut = RandomForestClassifier(10, ccp_alpha=0.02, random_state=0).fit(X, Y_C)
    pairs = zip(cut._trees, dense._trees, strict=True)
    assert all(a.node_count < b.node_count for a, b in pairs)


def test_warm_start_adds_what_a_cold_one_has():
    warm = RandomForestClassifier(4, random_state=0, warm_start=True).fit(X_C, Y_C)
    warm.set_params(n_estimators=9).fit(X_C, Y_C)
    cold = RandomForestClassifier(9, random_state=0).fit(X_C, Y_C)
    np.testing.assert_array_equal(warm.predict_proba(X_C), cold.predict_proba(X_C))
    with pytest.warns(StylobateWarning, match="does not fit new trees"):
        warm.fit(X_C, Y_C)
    with pytest.raises(InvalidParameterError, match="larger or equal"):
        warm.set_params(n_estimators=2).fit(X_C, Y_C)


def test_importances_find_the_columns_that_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    y = 3 * X[:, 2] + X[:, 5] + 0.3 * rng.normal(size=400)
    model = RandomForestRegressor(60, max_features=0.4, random_state=0).fit(X, y)
    found = model.importances(X, y)
    assert found.order[:2].tolist() == [2, 5]
    low, high = found.intervals.T
    assert (low[[2, 5]] > 0).all()
    noise = [0, 1, 3, 4, 6, 7]
    assert (low[noise] < 0.05 * found.estimates[2]).all()
    assert (high > low).all()
    impurity = model.importances()
    np.testing.assert_allclose(impurity.estimates, model.feature_importances_)
    assert str(found).splitlines()[1].startswith("x2")


def test_importances_draw_themselves():
    import matplotlib as mpl

    mpl.use("Agg")
    frame = pd.DataFrame(X_C, columns=[f"column {i}" for i in range(12)])
    model = RandomForestClassifier(20, random_state=0).fit(frame, Y_C)
    ax = model.importances(frame, Y_C).plot(most=5)
    assert len(ax.get_yticklabels()) == 5


def test_shapley_values_add_up():
    model = RandomForestRegressor(5, max_depth=4, random_state=0).fit(X_R, Y_R)
    found = model.shap_values(X_R[:10])
    sums = found.base_values + found.values.sum(axis=1)
    np.testing.assert_allclose(sums, model.predict(X_R[:10]))


@pytest.mark.parametrize("y", [np.zeros(20), np.ones(20, dtype=int)])
def test_one_class_and_one_value(y):
    X = np.arange(40.0).reshape(20, 2)
    kind = RandomForestClassifier if y.dtype.kind == "i" else RandomForestRegressor
    np.testing.assert_array_equal(kind(3, random_state=0).fit(X, y).predict(X), y)


def test_odd_rows():
    assert RandomForestRegressor(3).fit([[1.0]], [2.0]).predict([[5.0]]) == [2.0]
    X = np.column_stack([np.full(30, np.nan), np.ones(30), np.arange(30.0)])
    y = (np.arange(30) > 14).astype(int)
    assert RandomForestClassifier(20, random_state=0).fit(X, y).score(X, y) > 0.95


def test_refusals():
    with pytest.raises(InvalidParameterError, match="max_sample"):
        RandomForestClassifier(bootstrap=False, max_samples=0.5).fit(X_C, Y_C)
    with pytest.raises(InvalidParameterError, match="Out of bag"):
        ExtraTreesRegressor(oob_score=True).fit(X_R, Y_R)
    with pytest.raises(InvalidDataError, match=r"[Ii]nf"):
        RandomForestRegressor(2).fit(np.where(X_R > 2, np.inf, X_R), Y_R)
    with pytest.raises(InvalidDataError, match="negative"):
        RandomForestRegressor(2, criterion="poisson").fit(X_R, Y_R)
    with pytest.raises(InvalidParameterError, match="the rows of fit"):
        RandomForestRegressor(2).fit(X_R, Y_R).importances(X_R[:50], Y_R[:50])
    with pytest.raises(InvalidParameterError, match="bootstrap=True"):
        ExtraTreesRegressor(2).fit(X_R, Y_R).importances(X_R, Y_R)


def test_is_stored_plain():
    model = RandomForestClassifier(4, random_state=0).fit(X_C, Y_C)
    _ = model.estimators_, model.predict(X_C)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X_C), model.predict_proba(X_C))
    assert all(type(value).__module__ != "stylobate._core" for value in vars(model).values())


@pytest.mark.parametrize("kind", ["RandomForestClassifier", "ExtraTreesClassifier"])
@pytest.mark.parametrize("max_features", [2, 5])
def test_constant_columns_count_among_those_drawn(kind, max_features):
    """As in scikit-learn: else the trees of tables with many constant columns are all alike."""
    draw = np.random.default_rng(0)
    x = np.zeros((200, 12))
    x[:, :2] = draw.standard_normal((200, 2))
    y = x[:, 0] + 0.3 * x[:, 1] > 0.0
    shares = []
    for package in (ensemble, theirs):
        make = getattr(package, kind)
        options = {"max_depth": 1, "max_features": max_features, "bootstrap": True}
        forest = make(400, random_state=0, **options).fit(x, y)
        shares.append(np.mean([tree.tree_.feature[0] == 0 for tree in forest.estimators_]))
    share = np.mean(shares)
    assert abs(shares[0] - shares[1]) < 4.0 * np.sqrt(2.0 * share * (1.0 - share) / 400)
    assert 0.4 < share < 0.95
