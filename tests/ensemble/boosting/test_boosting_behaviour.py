"""What boosting promises whatever the data: limits hold, bits do not depend on threads …"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stylobate import _core
from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from stylobate.ensemble.boosting.binning import Binning
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateError
from stylobate.losses.named import loss_named
from stylobate.parallel import set_threads


def rows(n=400, p=4, seed=0):
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((n, p))
    y = x[:, 0] + np.sin(3 * x[:, 1]) + x[:, 0] * x[:, -1] + 0.3 * draw.standard_normal(n)
    return x, y


def same_trees(a, b):
    for mine, other in zip(a.trees_, b.trees_, strict=True):
        for one, two in zip(mine, other, strict=True):
            for name in ("children_left", "feature", "threshold", "value", "n_node_samples"):
                np.testing.assert_array_equal(getattr(one, name), getattr(two, name))


# --- same bits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("growth", ["leaf", "depth"])
def test_same_bits_for_any_number_of_threads(growth):
    x, y = rows(60_000, 3)
    settings = {"max_iter": 3, "growth": growth, "random_state": 0, "early_stopping": False}
    models = []
    for count in (1, 2, 5):
        before = set_threads(count)
        try:
            models.append(HistGradientBoostingClassifier(**settings).fit(x, y > 0))
        finally:
            set_threads(before)
    same_trees(models[0], models[1])
    same_trees(models[0], models[2])


def step_once(x, y, packing, loss="log_loss", **rules):
    binning = Binning.of(x, categories=[0] * x.shape[1])
    settings = {
        "learning_rate": 0.1, "huber_share": 0.9, "first_tree": 0, "max_leaves": 31,
        "max_depth": 0, "min_samples_leaf": 20, "l2": 0.0, "feature_share": 1.0,
        "depth_wise": False, "seed": 0, "monotone": [], "together": [], "packing": packing,
    }  # fmt: skip
    booster = _core.HistogramBooster(
        binning.rows(x), y, None, loss_named(loss).core, np.zeros((1, len(y))), settings | rules
    )
    return booster.step()[0]


def test_packed_words_lose_nothing_visible():
    """15 bits of gradient and Hessian, and 23 where Hessians are one, against 40 and 36."""
    x, y = rows(40_000, 3, seed=1)
    for loss, packing, target in (
        ("log_loss", 0, (y > 0).astype(float)),
        ("squared_error", 1, y),
    ):
        packed, wide = step_once(x, target, packing, loss), step_once(x, target, 2, loss)
        np.testing.assert_array_equal(packed["feature"], wide["feature"])
        np.testing.assert_array_equal(packed["threshold"], wide["threshold"])
        np.testing.assert_array_equal(packed["n_node_samples"], wide["n_node_samples"])
        np.testing.assert_allclose(packed["value"], wide["value"], rtol=1e-12)


def test_histogram_tree_is_the_greedy_one():
    """The splits of a batch are those of one node at a time, found by brute force in NumPy."""
    x, y = rows(300, 2, seed=2)
    x = x.round(1)
    tree = HistGradientBoostingRegressor(
        max_iter=1, max_leaf_nodes=6, min_samples_leaf=5, learning_rate=1.0
    ).fit(x, y).trees_[0][0]  # fmt: skip

    def best(part):
        z = y[part]
        found = (0.0, None)
        for j in range(2):
            for cut in np.unique(x[part, j])[:-1]:
                left = x[part, j] <= cut
                if min(left.sum(), (~left).sum()) < 5:
                    continue
                gain = sum(((z[s] - y.mean()).sum()) ** 2 / s.sum() for s in (left, ~left))
                gain -= ((z - y.mean()).sum()) ** 2 / len(z)
                if gain > found[0] + 1e-9:
                    found = (gain, (j, cut))
        return found

    leaves = [np.ones(len(y), dtype=bool)]
    while len(leaves) < 6:
        gains = [best(np.flatnonzero(leaf)) for leaf in leaves]
        k = int(np.argmax([gain for gain, _ in gains]))
        j, cut = gains[k][1]
        leaf = leaves.pop(k)
        leaves += [leaf & (x[:, j] <= cut), leaf & (x[:, j] > cut)]
    ours = sorted(tree.n_node_samples[tree.children_left < 0])
    assert ours == sorted(int(leaf.sum()) for leaf in leaves)
    expected = np.zeros(len(y))
    for leaf in leaves:
        expected[leaf] = y[leaf].mean()
    np.testing.assert_allclose(tree.predict(x).ravel() + y.mean(), expected, atol=1e-6)


def test_warm_start_goes_on_as_if_it_had_never_stopped():
    x, y = rows()
    for settings in ({}, {"max_features": 0.5}, {"loss": "absolute_error"}):
        settings = settings | {"random_state": 3, "early_stopping": False}
        whole = HistGradientBoostingRegressor(max_iter=12, **settings).fit(x, y)
        parts = HistGradientBoostingRegressor(max_iter=5, warm_start=True, **settings).fit(x, y)
        parts.set_params(max_iter=12).fit(x, y)
        same_trees(whole, parts)
    with pytest.raises(InvalidParameterError, match="max_iter=3"):
        parts.set_params(max_iter=3).fit(x, y)


def test_weights_are_repetitions():
    x, y = rows(150, 3)
    x = x.round(1)
    times = np.random.default_rng(0).integers(1, 4, len(y))
    settings = {"min_samples_leaf": 1, "max_iter": 5, "max_leaf_nodes": 8}
    for loss in ("squared_error", "poisson"):
        goal = np.exp(y / 4) if loss == "poisson" else y
        weighted = HistGradientBoostingRegressor(loss, **settings).fit(x, goal, sample_weight=times)
        repeated = HistGradientBoostingRegressor(loss, **settings).fit(
            np.repeat(x, times, axis=0), np.repeat(goal, times)
        )
        np.testing.assert_allclose(weighted.predict(x), repeated.predict(x), rtol=1e-6)


# --- limits -------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6), growth=st.sampled_from(["leaf", "depth"]))
def test_predictions_rise_and_fall_as_they_must(seed, growth):
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((120, 3)).round(1)
    x[draw.random(x.shape) < 0.1] = np.nan
    y = draw.standard_normal(120)
    loss = draw.choice(["squared_error", "absolute_error", "huber"])
    model = HistGradientBoostingRegressor(
        str(loss), max_iter=8, min_samples_leaf=2, monotonic_cst=[1, -1, 0], growth=growth
    ).fit(x, y)
    grid = np.linspace(-3, 3, 40)
    for j, sign in ((0, 1), (1, -1)):
        path = np.repeat(x[:5, np.newaxis, :], 40, axis=1)
        path[:, :, j] = grid
        found = model.predict(path.reshape(-1, 3)).reshape(5, 40)
        assert (sign * np.diff(found, axis=1) >= -1e-12).all()


@given(seed=st.integers(0, 10**6))
def test_only_allowed_columns_meet(seed):
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((150, 5))
    y = x[:, 0] * x[:, 2] + x[:, 1] * x[:, 3] + x[:, 4] + 0.1 * draw.standard_normal(150)
    model = HistGradientBoostingRegressor(
        max_iter=5, min_samples_leaf=3, interaction_cst=[{0, 1}, {2, 3}]
    ).fit(x, y)
    for (tree,) in model.trees_:
        paths = [(0, frozenset())]
        while paths:
            node, seen = paths.pop()
            if tree.children_left[node] < 0:
                assert any(seen <= set(group) for group in ({0, 1}, {2, 3}, {4}))
                continue
            seen |= {int(tree.feature[node])}
            paths += [(tree.children_left[node], seen), (tree.children_right[node], seen)]


@given(
    leaves=st.integers(2, 20), depth=st.integers(1, 5), least=st.integers(1, 30),
    growth=st.sampled_from(["leaf", "depth"]),
)  # fmt: skip
def test_sizes_are_kept(leaves, depth, least, growth):
    x, y = rows(200, 3)
    model = HistGradientBoostingRegressor(
        max_iter=2, max_leaf_nodes=leaves, max_depth=depth, min_samples_leaf=least, growth=growth
    ).fit(x, y)
    for (tree,) in model.trees_:
        assert tree.n_leaves <= leaves
        assert tree.max_depth <= depth
        assert tree.n_node_samples.min() >= min(least, 200)
        inner = tree.children_left >= 0
        children = tree.n_node_samples[tree.children_left[inner]]
        children = children + tree.n_node_samples[tree.children_right[inner]]
        np.testing.assert_array_equal(children, tree.n_node_samples[inner])


def test_level_by_level_fills_levels():
    x, y = rows(2000, 3)
    tree = HistGradientBoostingRegressor(max_iter=1, max_leaf_nodes=8, growth="depth").fit(
        x, y
    ).trees_[0][0]  # fmt: skip
    assert tree.depths[tree.children_left < 0].tolist() == [3] * 8


# --- categories and missing values ----------------------------------------------------------------


def test_categories_are_split_as_by_brute_force():
    """Of all ways to part five categories, the best for squared errors is found."""
    from itertools import combinations

    draw = np.random.default_rng(0)
    codes = draw.integers(0, 5, 500)
    y = np.array([0.0, 5.0, 1.0, 6.0, -2.0])[codes] + 0.1 * draw.standard_normal(500)
    tree = HistGradientBoostingRegressor(
        max_iter=1, max_leaf_nodes=2, categorical_features=[0], learning_rate=1.0
    ).fit(codes[:, np.newaxis], y).trees_[0][0]  # fmt: skip
    losses = {}
    for size in (1, 2):
        for group in combinations(range(5), size):
            left = np.isin(codes, group)
            losses[group] = y[left].var() * left.sum() + y[~left].var() * (~left).sum()
    best = set(min(losses, key=losses.__getitem__))
    assert set(tree.left_categories(0).tolist()) in (best, set(range(5)) - best)


def test_text_columns_unseen_categories_and_gaps():
    pandas = pytest.importorskip("pandas")
    draw = np.random.default_rng(0)
    town = draw.choice(["Bern", "Oslo", "Rome"], 300)
    frame = pandas.DataFrame({"town": town, "size": draw.standard_normal(300)})
    frame.loc[:20, "town"] = None
    y = (frame["town"] == "Oslo").to_numpy() * 4.0 + frame["size"].to_numpy()
    model = HistGradientBoostingRegressor(max_iter=30).fit(frame, y)
    assert model.score(frame, y) > 0.9
    new = pandas.DataFrame({"town": ["Paris", None, "Oslo"], "size": [0.0, 0.0, 0.0]})
    found = model.predict(new)
    assert found[0] == found[1]
    assert found[2] > found[0] + 2.0


def test_more_categories_than_bins():
    draw = np.random.default_rng(0)
    codes = np.concatenate([np.arange(400), draw.integers(0, 40, 4000)])
    y = (codes % 2) * 1.0
    model = HistGradientBoostingRegressor(max_iter=20, categorical_features=[0])
    model.fit(codes[:, np.newaxis].astype(float), y)
    often = np.arange(40)
    assert np.abs(model.predict(often[:, np.newaxis].astype(float)) - often % 2).max() < 0.3


def test_gaps_go_where_they_belong():
    draw = np.random.default_rng(0)
    x = draw.standard_normal((400, 1))
    gone = draw.random(400) < 0.3
    x[gone] = np.nan
    y = np.where(gone, 5.0, 0.0)
    model = HistGradientBoostingRegressor(max_iter=50).fit(x, y)
    assert model.predict([[np.nan]])[0] == pytest.approx(5.0, abs=0.05)
    assert model.predict([[0.0]])[0] == pytest.approx(0.0, abs=0.05)
    whole = HistGradientBoostingRegressor(max_iter=5).fit(
        draw.standard_normal((100, 2)), range(100)
    )
    assert np.isfinite(whole.predict([[np.nan, np.nan]])).all()


# --- the course -----------------------------------------------------------------------------------


def test_stopping_early_scores_and_callback():
    x, y = rows(1200, 4)
    told = []
    model = HistGradientBoostingRegressor(
        max_iter=300, early_stopping=True, random_state=0, n_iter_no_change=5, callback=told.append
    ).fit(x, y)
    assert model.n_iter_ < 300
    assert model.do_early_stopping_
    assert len(model.train_score_) == len(model.validation_score_) == model.n_iter_ + 1
    assert [each.iteration for each in told] == list(range(1, model.n_iter_ + 1))
    assert told[-1].validation_score == model.validation_score_[-1]
    recent = model.validation_score_[-5:]
    assert (recent <= model.validation_score_[-6] + model.tol).all()
    ended = HistGradientBoostingRegressor(callback=lambda told: told.iteration == 7).fit(x, y)
    assert ended.n_iter_ == 7


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "neg_log_loss", None])
def test_stopping_by_a_scorer(scoring):
    x, y = rows(900, 4)
    held = {"X_val": x[600:], "y_val": y[600:] > 0}
    model = HistGradientBoostingClassifier(
        max_iter=40, early_stopping=True, scoring=scoring, n_iter_no_change=40
    ).fit(x[:600], y[:600] > 0, **held)
    from stylobate.metrics import check_scoring

    score = check_scoring(model, scoring)(model, held["X_val"], held["y_val"])
    assert model.validation_score_[-1] == pytest.approx(score, rel=1e-9)
    assert model.train_score_[-1] > model.train_score_[0]


def test_prints_only_when_asked(capsys):
    x, y = rows(100, 2)
    HistGradientBoostingRegressor(max_iter=2).fit(x, y)
    assert capsys.readouterr().out == ""
    HistGradientBoostingRegressor(max_iter=2, verbose=1).fit(x, y)
    assert capsys.readouterr().out.startswith("[1/2] training loss")


def test_stages_end_in_the_prediction():
    x, y = rows(200, 3)
    model = HistGradientBoostingRegressor("poisson", max_iter=6).fit(x, np.exp(y))
    stages = list(model.staged_predict(x))
    assert len(stages) == 6
    np.testing.assert_allclose(stages[-1], model.predict(x), rtol=1e-12)


def test_columns_drawn_at_random_hang_on_the_seed():
    x, y = rows(300, 6)
    fits = [
        HistGradientBoostingRegressor(max_iter=4, max_features=0.3, random_state=seed).fit(x, y)
        for seed in (0, 0, 1)
    ]
    same_trees(fits[0], fits[1])
    assert not np.array_equal(fits[0].predict(x), fits[2].predict(x))


# --- bad input ------------------------------------------------------------------------------------


def test_strange_tables_have_an_answer():
    y = np.arange(60.0)
    for x in (
        np.full((60, 1), np.nan),
        np.ones((60, 2)),
        np.column_stack([np.full(60, np.nan), y]),
        np.array([[1e300], [-1e300]] * 30),
    ):
        found = HistGradientBoostingRegressor(max_iter=3).fit(x, y).predict(x)
        assert np.isfinite(found).all()
    one = HistGradientBoostingRegressor(max_iter=2).fit([[1.0, 2.0]], [3.0])
    assert one.predict([[0.0, 0.0]])[0] == 3.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": [[np.inf]] * 30}, "infinity"),
        ({"y": [np.nan] * 30}, "NaN"),
        ({"sample_weight": [-1.0] * 30}, "negative|at least 0|weight"),
        ({"sample_weight": [0.0] * 30}, "weight"),
        ({"y": None}, "requires y"),
    ],
)
def test_bad_data_are_refused_in_words(change, message):
    given_ = {"X": np.arange(30.0)[:, np.newaxis], "y": np.arange(30.0), "sample_weight": None}
    with pytest.raises((StylobateError, ValueError), match=message):
        HistGradientBoostingRegressor().fit(**(given_ | change))


@pytest.mark.parametrize(
    ("settings", "y", "message"),
    [
        ({"loss": "poisson"}, -np.ones(30), "non-negative"),
        ({"loss": "gamma"}, np.zeros(30), "strictly positive"),
        ({"loss": "quantile"}, np.ones(30), "set quantile"),
        ({"monotonic_cst": [1, 1]}, np.ones(30), "shape"),
        ({"monotonic_cst": {"age": 1}}, np.ones(30), "names"),
        ({"interaction_cst": [{3}]}, np.ones(30), "indices"),
        ({"categorical_features": ["age"]}, np.ones(30), "age"),
        ({"max_bins": 300}, np.ones(30), "max_bins"),
    ],
)
def test_bad_settings_are_refused_in_words(settings, y, message):
    with pytest.raises((InvalidParameterError, InvalidDataError), match=message):
        HistGradientBoostingRegressor(**settings).fit(np.arange(30.0)[:, np.newaxis], y)


def test_one_class_and_unknown_classes():
    x = np.arange(30.0)[:, np.newaxis]
    with pytest.raises(InvalidDataError, match="class"):
        HistGradientBoostingClassifier().fit(x, np.ones(30))
    with pytest.raises(InvalidDataError, match="'c'"):
        HistGradientBoostingClassifier(early_stopping=True).fit(
            x, ["a", "b"] * 15, X_val=x, y_val=["a", "c"] * 15
        )
    with pytest.raises(InvalidDataError, match="multiclass"):
        HistGradientBoostingClassifier(monotonic_cst=[1]).fit(x, [0, 1, 2] * 10)


def test_the_only_row_of_a_class_is_learnt_from():
    """Rows set aside to stop early have the classes in their shares, but none of one row."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(200, 2))
    y = np.where(x[:, 0] > 0, "a", "b").astype(object)
    y[17] = "once"
    model = HistGradientBoostingClassifier(early_stopping=True, max_iter=30).fit(x, y)
    assert model.classes_.tolist() == ["a", "b", "once"]
    assert model.n_iter_ < 30 or len(model.validation_score_) == 31
    assert np.mean(model.predict(x) == y) > 0.95
