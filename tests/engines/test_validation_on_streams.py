"""Cross-validation, searches and metrics on streams: the answers of memory, in counted passes."""

from __future__ import annotations

import numpy as np
import polars
import pytest
from sklearn.metrics import get_scorer as their_scorer

import stylobate
from stylobate.base import clone
from stylobate.data.streams import Batch, Stream, open_rows
from stylobate.discriminant_analysis import LinearDiscriminantAnalysis
from stylobate.engines import windows
from stylobate.ensemble import RandomForestClassifier
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError
from stylobate.feature_selection import BestSubsetSelector
from stylobate.linear_model import (
    Lasso,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    Ridge,
)
from stylobate.metrics import score_stream
from stylobate.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    HashKFold,
    RandomizedSearchCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    validation_curve,
)
from stylobate.naive_bayes import GaussianNB
from stylobate.splits.hashed import hashed_share, row_hashes

FEATURES = ["a", "b", "c", "d"]
N = 3000


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(7)
    x = rng.normal(size=(N, 4)) * [1.0, 5.0, 0.3, 1.0] + [0.0, 100.0, 0.0, -3.0]
    y = x @ [1.0, -0.5, 2.0, 0.0] + rng.normal(size=N)
    columns = dict(zip(FEATURES, x.T, strict=True))
    labels = np.where(y > np.median(y), "yes", "no")
    three = np.digitize(y, np.quantile(y, [0.3, 0.7]))
    counts = rng.poisson(np.exp(0.3 * x[:, 0]))
    weights = rng.uniform(0.1, 2.0, size=N)
    return polars.DataFrame(
        columns | {"y": y, "label": labels, "three": three, "n": counts, "w": weights}
    )


@pytest.fixture(scope="module")
def path(frame, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    frame.write_parquet(path, row_group_size=700)
    return path


@pytest.fixture
def many_windows(monkeypatch):
    monkeypatch.setattr(windows, "MOST_ROWS", 512)
    monkeypatch.setattr(windows, "UNIT_ROWS", 512)


def stream_of(path, target, weight=None):
    return open_rows(
        stylobate.read(path), "test", target=target, features=FEATURES, weight=weight
    ).stream


# --- the folds ------------------------------------------------------------------------------------


def splitmix64(seed, i):
    """The reference implementation (Vigna), the state advanced i + 1 times."""
    mask = (1 << 64) - 1
    z = (seed + (i + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def test_the_hash_is_splitmix64():
    assert row_hashes(5, 20, 0).tolist() == [splitmix64(0, i) for i in range(5, 25)]
    far = (1 << 40) + 3
    assert row_hashes(far, 2, 0).tolist() == [splitmix64(0, far), splitmix64(0, far + 1)]


def test_folds_are_a_partition_of_fixed_rows():
    splitter = HashKFold(5, random_state=3)
    rows = np.zeros((1000, 1))
    tests = [test for _, test in splitter.split(rows)]
    assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(1000))
    for k, (train, test) in enumerate(splitter.split(rows)):
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(1000))
        assert np.array_equal(np.flatnonzero(splitter.test_rows(k)(0, 1000)), test)
        later = splitter.train_rows(k)(400, 600)
        assert np.array_equal(np.flatnonzero(later) + 400, train[train >= 400])
    longer = [test[test < 1000] for _, test in splitter.split(np.zeros((5000, 1)))]
    assert all(np.array_equal(a, b) for a, b in zip(tests, longer, strict=True))


def test_folds_are_of_about_equal_size_and_independent_of_neighbouring_seeds():
    from scipy.stats import chi2_contingency, chisquare

    a, b = (HashKFold(5, random_state=seed).folds_of(0, 100_000) for seed in (0, 1))
    assert chisquare(np.bincount(a)).pvalue > 1e-4
    table = np.histogram2d(a, b, bins=5)[0]
    assert chi2_contingency(table).pvalue > 1e-4
    shifted = np.histogram2d(a[1:], b[:-1], bins=5)[0]
    assert chi2_contingency(shifted).pvalue > 1e-4


def test_smaller_samples_are_part_of_larger_ones():
    small, large = (hashed_share(0, 50_000, 2, share) for share in (0.1, 0.4))
    assert not (small & ~large).any()
    assert abs(small.mean() - 0.1) < 0.006


@pytest.mark.parametrize("wrong", [{"n_splits": 1}, {"n_splits": 2.5}, {"random_state": -1}])
def test_folds_refuse_nonsense(wrong):
    with pytest.raises(InvalidParameterError, match="HashKFold"):
        HashKFold(**wrong)


def test_too_few_rows_are_refused():
    with pytest.raises(InvalidParameterError, match="none falls into part"):
        list(HashKFold(5).split(np.zeros((3, 1))))


# --- cross-validation -----------------------------------------------------------------------------

CASES = [
    pytest.param(LinearRegression(), "y", None, 1, id="least squares"),
    pytest.param(Ridge(3.0), "y", ["r2", "neg_root_mean_squared_error"], 1, id="ridge"),
    pytest.param(Ridge(), "y", ["neg_mean_absolute_error", "neg_max_error"], 2, id="ridge rows"),
    pytest.param(Lasso(0.1), "y", None, 1, id="lasso"),
    pytest.param(GaussianNB(), "label", ["accuracy", "neg_log_loss", "roc_auc"], 2, id="bayes"),
    pytest.param(LinearDiscriminantAnalysis(), "three", None, 2, id="lda"),
    pytest.param(LogisticRegression(), "label", ["f1_macro", "roc_auc"], None, id="logistic"),
    pytest.param(PoissonRegressor(), "n", None, None, id="poisson"),
    pytest.param(PoissonRegressor(), "n", "neg_mean_poisson_deviance", None, id="deviance"),
    pytest.param(RandomForestClassifier(3, random_state=0), "three", None, 1, id="all rows"),
]


@pytest.mark.parametrize(("model", "target", "scoring", "passes"), CASES)
def test_scores_are_those_of_memory(model, target, scoring, passes, frame, path, many_windows):
    stream = stream_of(path, target)
    found = cross_validate(model, stream, cv=4, scoring=scoring, return_train_score=True)
    x, y = frame.select(FEATURES), frame[target]
    folds = HashKFold(4)
    expected = cross_validate(model, x, y, cv=folds, scoring=scoring, return_train_score=True)
    assert sorted(found) == sorted(expected)
    tolerance = 1e-6 if isinstance(model, LogisticRegression) else 1e-10
    for name in expected:
        if not name.endswith("_time"):
            np.testing.assert_allclose(found[name], expected[name], rtol=tolerance, err_msg=name)
    sizes = [(r.n_train, r.n_test) for r in found.records]
    assert sizes == [(r.n_train, r.n_test) for r in expected.records]
    if passes is not None:
        assert stream.passes == passes


@pytest.mark.parametrize("model", [Ridge(), LinearRegression(), PoissonRegressor()])
def test_predictions_of_test_parts_are_those_of_memory(model, frame, path):
    asked = {"return_predictions": True, "scoring": "r2"}
    found = cross_validate(model, path, target="n", features=FEATURES, cv=3, **asked)
    expected = cross_validate(model, frame[FEATURES], frame["n"], cv=HashKFold(3), **asked)
    for mine, theirs in zip(found["predictions"], expected["predictions"], strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-6)


def test_the_scores_are_those_of_refits_on_the_rows(frame, path):
    found = cross_val_score(Ridge(), path, target="y",
                            features=FEATURES, cv=3)  # fmt: skip
    x, y = frame.select(FEATURES).to_numpy(), frame["y"].to_numpy()
    by_hand = [
        Ridge().fit(x[train], y[train]).score(x[test], y[test])
        for train, test in HashKFold(3).split(x)
    ]
    np.testing.assert_allclose(found, by_hand, rtol=1e-12)


def test_one_reading_is_enough_for_moments(frame):
    reader = frame.select([*FEATURES, "y"]).to_arrow().to_reader(max_chunksize=100)
    folds = HashKFold(5)
    expected = cross_val_score(Ridge(), frame.select(FEATURES), frame["y"], cv=folds)
    with pytest.raises(InvalidDataError, match="only once"):  # its length takes a pass
        cross_val_score(LogisticRegression(), reader, target="y")
    batches = [(frame[FEATURES][k : k + 99], frame["y"][k : k + 99]) for k in range(0, N, 99)]
    parts = [Batch(x, y.to_numpy()) for x, y in batches]
    once = Stream(lambda: iter(parts), "once", repeatable=False, length=N)
    np.testing.assert_allclose(cross_val_score(Ridge(), once), expected, rtol=1e-12)


def test_weights_are_for_the_fits(frame, path):
    found = cross_val_score(Ridge(), path, target="y", features=FEATURES, weight="w", cv=3)
    weights = {"sample_weight": frame["w"].to_numpy()}
    x, y = frame.select(FEATURES), frame["y"]
    expected = cross_val_score(Ridge(), x, y, params=weights, cv=HashKFold(3))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert not np.allclose(found, cross_val_score(Ridge(), x, y, cv=HashKFold(3)), rtol=1e-9)


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
@pytest.mark.parametrize(
    ("model", "target"), [(GaussianNB(), "three"), (LogisticRegression(), "label")]
)
def test_predictions_come_in_the_order_of_the_rows(model, target, method, frame, path):
    found = cross_val_predict(model, path, target=target, features=FEATURES, cv=3, method=method)
    x, y = frame.select(FEATURES), frame[target]
    expected = cross_val_predict(model, x, y, cv=HashKFold(3), method=method)
    if method == "predict":
        assert found.tolist() == expected.tolist()
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_predictions_of_each_part_on_request(frame, path):
    found = cross_validate(
        Ridge(), path, target="y", features=FEATURES, cv=3, return_predictions=True,
        return_indices=True, return_estimator=True,
    )  # fmt: skip
    x = frame.select(FEATURES)
    for values, test, model in zip(
        found["predictions"], found["indices"]["test"], found["estimator"], strict=True
    ):
        np.testing.assert_allclose(values, model.predict(x)[test], rtol=1e-12)


def test_a_frame_with_named_columns_is_rows_in_memory(frame):
    found = cross_val_score(Ridge(), frame.select([*FEATURES, "y"]), target="y", cv=3)
    expected = cross_val_score(Ridge(), frame.select(FEATURES), frame["y"], cv=3)
    assert found.tolist() == expected.tolist()


def test_fits_that_fail_get_the_error_score(path):
    with pytest.raises(InvalidDataError, match="All the 3 fits failed"):
        cross_val_score(GaussianNB(), path, target="y", features=FEATURES, cv=3)
    with pytest.raises(InvalidDataError):
        cross_val_score(PoissonRegressor(), path, target="y", features=FEATURES, cv=3,
                        error_score="raise")  # fmt: skip


def test_what_streams_cannot_do_is_refused(path, frame, tmp_path):
    with pytest.raises(InvalidParameterError, match="HashKFold"):
        cross_val_score(Ridge(), path, target="y", features=FEATURES, cv=[([0], [1])])
    with pytest.raises(InvalidParameterError, match="store"):
        cross_val_score(Ridge(), path, target="y", features=FEATURES, store=tmp_path)
    with pytest.raises(InvalidParameterError, match="both say what to predict"):
        cross_val_score(Ridge(), path, frame["y"], target="y")
    small, refused = (
        stylobate.config_context(collect_limit=1000),
        pytest.raises(UnsupportedDataError, match="in memory"),
    )
    with small, refused:
        cross_val_score(RandomForestClassifier(2), path, target="three", features=FEATURES)


def test_scorers_of_ones_own(path, frame):
    def scorer(model, X, y):
        return float(np.mean(np.abs(model.predict(X) - y) < 1.0))

    found = cross_val_score(Ridge(), path, target="y", features=FEATURES, cv=3, scoring=scorer)
    x, y = frame.select(FEATURES), frame["y"].to_numpy()
    expected = cross_val_score(Ridge(), x, y, cv=HashKFold(3), scoring=scorer)
    np.testing.assert_allclose(found, expected)


def test_validation_curves(frame, path):
    options = {"param_name": "alpha", "param_range": [0.1, 10.0, 1e4]}
    found = validation_curve(Ridge(), path, target="y", features=FEATURES, cv=3, **options)
    x, y = frame.select(FEATURES), frame["y"]
    expected = validation_curve(Ridge(), x, y, cv=HashKFold(3), **options)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


# --- searches -------------------------------------------------------------------------------------

SEARCHES = [
    pytest.param(GridSearchCV(Ridge(), {"alpha": [0.1, 100.0, 1e4]}, cv=3), "y", id="grid"),
    pytest.param(
        RandomizedSearchCV(
            Ridge(), {"alpha": [0.1, 1.0, 100.0]}, n_iter=2, cv=3, random_state=1
        ),
        "y",
        id="random",
    ),
    pytest.param(
        HalvingGridSearchCV(
            GaussianNB(), {"var_smoothing": [1e-9, 1e-2, 10.0]}, cv=3, random_state=2,
            min_resources=300,
        ),
        "label",
        id="halving",
    ),
    pytest.param(
        GridSearchCV(
            LogisticRegression(), {"C": [0.01, 1.0]}, cv=3, scoring=["roc_auc", "accuracy"],
            refit="roc_auc",
        ),
        "label",
        id="two scores",
    ),
    pytest.param(
        GridSearchCV(RandomForestClassifier(2, random_state=0), {"max_depth": [1, 3]}, cv=3),
        "three",
        id="all rows",
    ),
]  # fmt: skip


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize(("search", "target"), SEARCHES)
def test_searches_find_what_they_find_in_memory(search, target, weight, frame, path):
    found = clone(search).fit(path, target=target, features=FEATURES, weight=weight)
    given = {} if weight is None else {"sample_weight": frame["w"].to_numpy()}
    x, y = frame.select(FEATURES), frame[target]
    expected = clone(search).set_params(cv=HashKFold(3)).fit(x, y, **given)
    assert found.best_params_ == expected.best_params_
    assert found.cv_results_["params"] == expected.cv_results_["params"]
    loose = isinstance(search.estimator, LogisticRegression)
    for name, values in expected.cv_results_.items():
        if "_test_" in name:
            np.testing.assert_allclose(
                found.cv_results_[name], values, rtol=1e-6 if loose else 1e-10, atol=1e-12
            )
    np.testing.assert_allclose(
        found.score(path, target=target), expected.score(x, y), rtol=1e-6 if loose else 1e-10
    )


def test_a_grid_of_ridges_takes_one_pass_and_the_refit_another(path):
    stream = stream_of(path, "y")
    GridSearchCV(Ridge(), {"alpha": np.geomspace(0.1, 1e4, 20)}).fit(stream)
    assert stream.passes == 2


def test_the_tier_of_a_search_is_its_estimators():
    grid = {"alpha": [1.0]}
    assert GridSearchCV(Ridge(), grid)._tags().tier == "several passes"
    assert GridSearchCV(RandomForestClassifier(), {})._tags().tier == "all rows"


def test_best_subsets_of_hashed_folds(frame, path):
    model = BestSubsetSelector(criterion="cv", cv=4)
    stream = stream_of(path, "y")
    found = clone(model).fit(stream)
    assert stream.passes == 1
    x, y = frame.select(FEATURES), frame["y"].to_numpy()
    expected = clone(model).set_params(cv=HashKFold(4)).fit(x, y)
    assert found.support_.tolist() == expected.support_.tolist() == [True, True, True, False]
    np.testing.assert_allclose(found.criteria_["cv"], expected.criteria_["cv"], rtol=1e-10)


# --- metrics --------------------------------------------------------------------------------------

OF_LABELS = [
    "accuracy", "balanced_accuracy", "f1_macro", "f1_micro", "precision_macro", "recall_weighted",
    "jaccard_macro", "matthews_corrcoef", "neg_log_loss", "roc_auc_ovr", "top_k_accuracy",
]  # fmt: skip
OF_NUMBERS = [
    "r2", "explained_variance", "neg_mean_squared_error", "neg_root_mean_squared_error",
    "neg_mean_absolute_error", "neg_median_absolute_error", "neg_max_error",
    "neg_mean_absolute_percentage_error",
]  # fmt: skip


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize(
    ("scoring", "target"), [(s, "three") for s in OF_LABELS] + [(s, "y") for s in OF_NUMBERS]
)
def test_scores_of_batches_are_scikit_learns_of_all_rows(scoring, target, weight, frame, path):
    x, y = frame.select(FEATURES).to_numpy(), frame[target].to_numpy()
    model = (Ridge() if target == "y" else GaussianNB()).fit(x, y)
    stream = open_rows(
        stylobate.read(path), "test", target=target, features=FEATURES, weight=weight
    ).stream
    small = Stream(lambda: (b for batch in stream for b in cut(batch)), "small")
    given = {}
    if weight is not None and scoring != "neg_max_error":  # which takes none
        given = {"sample_weight": frame["w"].to_numpy()}
    expected = their_scorer(scoring)(model, x, y, **given)
    assert score_stream(model, small.map(as_array), scoring) == pytest.approx(expected, rel=1e-10)


def cut(batch):
    numbers = np.array_split(np.arange(batch.n_rows), 7)
    return (batch.take(rows) for rows in numbers)


def as_array(table):
    return np.column_stack(table.values())


@pytest.mark.parametrize("scoring", ["neg_brier_score", "roc_auc", "average_precision", "f1"])
def test_scores_of_two_labels(scoring, frame, path):
    x, y = frame.select(FEATURES).to_numpy(), (frame["label"] == "yes").to_numpy().astype(int)
    model = GaussianNB().fit(x, y)
    # batches sorted by class: many hold only one of them
    order = np.argsort(y, kind="stable")
    parts = [Batch(x[rows], y[rows]) for rows in np.array_split(order, 9)]
    expected = their_scorer(scoring)(model, x, y)
    found = score_stream(model, Stream(lambda: iter(parts)), scoring)
    assert found == pytest.approx(expected, rel=1e-10)


def test_several_scores_in_one_pass(path, frame):
    stream = stream_of(path, "three")
    x, y = frame.select(FEATURES), frame["three"]
    model = GaussianNB().fit(x, y)
    found = score_stream(model, stream, ["accuracy", "neg_log_loss", "roc_auc_ovr"])
    assert list(found) == ["accuracy", "neg_log_loss", "roc_auc_ovr"]
    assert stream.passes == 1
    assert score_stream(model, path, target="three") == model.score(x, y)


@pytest.mark.parametrize("model", [Ridge(), PoissonRegressor(), GaussianNB()])
@pytest.mark.parametrize("weight", [None, "w"])
def test_own_scores_of_files(model, weight, path, frame):
    x, y = frame.select(FEATURES), frame["n"]
    fitted = clone(model).fit(x, y)
    given = {} if weight is None else {"sample_weight": frame["w"].to_numpy()}
    found = fitted.score(path, target="n", weight=weight)
    assert found == pytest.approx(fitted.score(x, y, **given), rel=1e-11)
