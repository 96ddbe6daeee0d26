"""Choosing among settings, nested cross-validation, the printed table, refusals, the contract."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import model_selection as theirs
from sklearn.base import clone as their_clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from stylobate import model_selection as ours
from stylobate.base import clone, is_classifier, is_regressor
from stylobate.datasets import load_diabetes
from stylobate.exceptions import NotFittedError, StylobateError, StylobateWarning
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.model_selection.search.results import ranks
from stylobate.testing import contract_checks


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


FOLDS = ours.KFold(10, shuffle=True, random_state=0)
ALPHAS = np.logspace(-4, 2, 13)


def test_one_standard_error_rule(diabetes):
    """The rule of Breiman et al., 3.4.3, written out."""
    search = ours.GridSearchCV(Ridge(), {"alpha": ALPHAS}, cv=FOLDS, rule="one_standard_error")
    search.fit(*diabetes)
    table = np.array([search.cv_results_[f"split{k}_test_score"] for k in range(10)])
    means = table.mean(axis=0)
    best = means.argmax()
    error = table[:, best].std(ddof=1) / np.sqrt(10)
    want = max(
        alpha for alpha, mean in zip(ALPHAS, means, strict=True) if mean >= means[best] - error
    )
    assert search.best_params_ == {"alpha": want}
    assert search.best_score_ == means[search.best_index_]
    assert want > ALPHAS[best]
    assert search.best_estimator_.alpha == want


def test_which_settings_are_simpler(diabetes):
    x, y = diabetes
    labels = np.where(y > np.median(y), "high", "low")
    forest = RandomForestClassifier(n_estimators=2, random_state=0)

    def chosen(model, grid, **options):
        options = {"cv": 5, "rule": "one_standard_error", **options}
        return ours.GridSearchCV(model, grid, **options).fit(x, labels)

    search = chosen(
        make_pipeline(StandardScaler(), TheirLogistic()),
        {"logisticregression__C": [100.0, 1.0, 0.1]},
    )
    means = search.cv_results_["mean_test_score"]
    errors = [search.cv_results_[f"split{k}_test_score"] for k in range(5)]
    limit = means.max() - np.std(errors, axis=0, ddof=1)[means.argmax()] / np.sqrt(5)
    assert search.best_params_["logisticregression__C"] == min(
        c for c, mean in zip([100.0, 1.0, 0.1], means, strict=True) if mean >= limit
    )
    deep = chosen(forest, {"max_depth": [None, 8, 2]}, scoring=lambda m, a, b: 0.5)  # all alike
    assert deep.best_params_ == {"max_depth": 2}
    first = chosen(forest, {"criterion": ["gini", "entropy"]}, scoring=lambda m, a, b: 0.5)
    assert first.best_params_ == {"criterion": "gini"}
    both = chosen(
        forest, {"max_depth": [2, 4], "min_samples_leaf": [1, 9]}, scoring=lambda m, a, b: 0.5
    )
    assert both.best_params_ == {"max_depth": 2, "min_samples_leaf": 9}
    own = chosen(
        forest,
        {"max_depth": [2, 4, 8]},
        scoring=lambda m, a, b: 0.5,
        simplicity=lambda params: -params["max_depth"],
    )
    assert own.best_params_ == {"max_depth": 8}


class Hinted(TheirRidge):
    """Says itself that a small alpha is simpler."""

    _simpler_with = {"alpha": "smaller"}  # noqa: RUF012


def test_estimators_say_what_is_simpler(diabetes):
    grid, options = {"alpha": [3.0, 1.0, 2.0]}, {"scoring": lambda m, a, b: 0.0, "cv": 3}
    options["rule"] = "one_standard_error"
    assert ours.GridSearchCV(Ridge(), grid, **options).fit(*diabetes).best_params_["alpha"] == 3.0
    assert ours.GridSearchCV(Hinted(), grid, **options).fit(*diabetes).best_params_["alpha"] == 1.0


@given(st.lists(st.one_of(st.floats(-3, 3), st.just(np.nan)), min_size=1, max_size=12))
def test_ranks(values):
    means = np.array(values)
    found = ranks(means)
    for mean, rank in zip(means, found, strict=True):
        if np.isnan(means).all():
            assert rank == 1
        elif np.isnan(mean):
            assert rank == np.sum(~np.isnan(means)) + 1
        else:
            assert rank == np.sum(means > mean) + 1


def test_nested(diabetes):
    x, y = diabetes
    grid, outer = {"alpha": [0.01, 0.1, 1.0]}, theirs.KFold(4, shuffle=True, random_state=1)
    for search in (
        ours.GridSearchCV(Ridge(), grid, cv=3),
        theirs.GridSearchCV(TheirRidge(), grid, cv=3),
    ):
        found = ours.nested_cross_validate(search, x, y, cv=outer, return_indices=True)
        for k, (train, test) in enumerate(outer.split(x)):
            inner = theirs.GridSearchCV(TheirRidge(), grid, cv=3).fit(x[train], y[train])
            assert found["best_params"][k] == inner.best_params_
            np.testing.assert_allclose(found["best_score"][k], inner.best_score_)
            np.testing.assert_allclose(found["test_score"][k], inner.score(x[test], y[test]))
            assert found["best_index"][k] == inner.best_index_
        assert sum(found.chosen.values()) == 4
        assert "estimator" not in found
        lines = found.summary().splitlines()
        assert lines[0].startswith("score: ")
        assert f"alpha={found['best_params'][3]['alpha']}" in lines[-1]


def test_nested_store_and_scores(diabetes, tmp_path):
    search = ours.GridSearchCV(TheirRidge(), {"alpha": [0.1, 1.0]}, cv=3)
    options = {"cv": 2, "scoring": ["r2", "neg_max_error"], "store": tmp_path}
    first = ours.nested_cross_validate(search, *diabetes, **options)
    assert len(list(tmp_path.glob("*/*.json"))) == 2 * 2 * 3
    again = ours.nested_cross_validate(search, *diabetes, return_estimator=True, **options)
    np.testing.assert_array_equal(first["test_r2"], again["test_r2"])
    assert all(record.stored for each in again["estimator"] for record in each.records_)
    assert search.store is None
    assert "neg_max_error: -" in again.summary()


def test_summary(diabetes):
    search = ours.GridSearchCV(
        make_pipeline(StandardScaler(), Ridge()),
        [{"ridge__alpha": ALPHAS}, {"ridge__solver": ["svd"]}],
        scoring=["r2", "neg_max_error"],
        refit="r2",
    ).fit(*diabetes)
    text = str(search.summary(3))
    assert "GridSearchCV of Pipeline: 14 settings, 5 splits by r2" in text
    assert "← chosen" in text
    assert text.endswith("… and 11 more settings; summary(None) shows all")
    table = search.summary(None, metric="neg_max_error")
    assert len(str(table).splitlines()) == 3 + 14
    assert (np.diff(table.mean) <= 0).all()
    k = table.index[0]
    scores = [search.cv_results_[f"split{i}_test_neg_max_error"][k] for i in range(5)]
    np.testing.assert_allclose(table.std_error[0], np.std(scores, ddof=1) / np.sqrt(5))
    assert "<table>" in table._repr_html_()
    with pytest.raises(StylobateError, match="metric must be one of 'r2', 'neg_max_error'"):
        search.summary(metric="mse")
    halving = ours.HalvingGridSearchCV(Ridge(), {"alpha": ALPHAS}, random_state=0).fit(*diabetes)
    assert "resources" in str(halving.summary())


def test_statistics_are_used(diabetes):
    search = ours.GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}).fit(*diabetes)
    assert {record.way for record in search.records_} == {"statistics"}
    mixed = ours.GridSearchCV(Ridge(), {"alpha": [0.1], "solver": ["auto", "lsqr"]}).fit(*diabetes)
    assert [record.way for record in mixed.records_] == ["statistics"] * 5 + ["rows"] * 5
    np.testing.assert_allclose(*mixed.cv_results_["mean_test_score"], rtol=1e-5)


@pytest.mark.parametrize("cv", [theirs.LeaveOneOut(), ours.LeaveOneOut(), ours.KFold(40)])
def test_leaving_out_each_row(cv, diabetes):
    x, y = diabetes[0][:40], diabetes[1][:40]
    grid, options = {"alpha": [0.1, 1.0, 10.0]}, {"scoring": "neg_mean_squared_error", "cv": cv}
    got = ours.GridSearchCV(Ridge(), grid, **options).fit(x, y)
    want = theirs.GridSearchCV(TheirRidge(), grid, **options).fit(x, y)
    assert list(got.cv_results_) == list(want.cv_results_)
    for name in ("mean_test_score", "std_test_score", "split7_test_score", "rank_test_score"):
        np.testing.assert_allclose(got.cv_results_[name], want.cv_results_[name])
    assert {record.way for record in got.records_} == {"statistics"}


GRID = {"alpha": [1.0]}
REFUSALS = [
    (lambda: ours.GridSearchCV(Ridge(), GRID, cv=1000), "cannot make 1000 parts of 442 rows"),
    (lambda: ours.GridSearchCV(Ridge(), []), "there are no settings to try"),
    (lambda: ours.GridSearchCV(Ridge(), {"alpha": []}), "'alpha' need a non-empty sequence"),
    (lambda: ours.GridSearchCV(Ridge(), {"solver": "svd"}), "wrapped in a list"),
    (lambda: ours.GridSearchCV(Ridge(), {"alpha": np.ones((2, 2))}), "one-dimensional"),
    (lambda: ours.GridSearchCV(Ridge(), [3]), "is not a dict"),
    (lambda: ours.GridSearchCV(Ridge(), {"alhpa": [1]}), "no parameter 'alhpa'; close: 'alpha'"),
    (
        lambda: ours.GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svm__C": [1]}),
        "Pipeline has no parameter 'svm__C'; close: 'svc__C'",
    ),
    (
        lambda: ours.GridSearchCV(make_pipeline(Ridge()), {"ridge__alhpa": [1]}),
        "close: 'ridge__alpha'.*Valid parameters are",
    ),
    (lambda: ours.GridSearchCV(Ridge(), GRID, scoring="r"), "close: r2"),
    (lambda: ours.GridSearchCV(Ridge(), GRID, scoring=["r2", "max_eror"]), "close: neg_max_error"),
    (lambda: ours.GridSearchCV(Ridge(), GRID, scoring=["r2"]), "GridSearchCV scores 'r2' and"),
    (lambda: ours.GridSearchCV(Ridge(), {"alpha": [-1.0]}), "fits failed, the first with: .*alpha"),
    (lambda: ours.GridSearchCV(Ridge, GRID), "estimator must be an object with fit"),
    (lambda: ours.GridSearchCV(Ridge(), GRID, n_jobs=0), "n_jobs must be"),
    (lambda: ours.GridSearchCV(Ridge(), GRID, rule="simplest"), "rule must be 'best' or"),
    (
        lambda: ours.GridSearchCV(Ridge(), GRID, rule="one_standard_error", refit=lambda r: 0),
        "both choose the setting",
    ),
    (
        lambda: ours.GridSearchCV(
            Ridge(), GRID, rule="one_standard_error", simplicity=lambda params: "a"
        ),
        "simplicity must return a number",
    ),
    (
        lambda: ours.GridSearchCV(
            Ridge(), GRID, rule="one_standard_error", cv=[(np.arange(9), np.arange(9, 20))]
        ),
        "two splits or more",
    ),
    (lambda: ours.RandomizedSearchCV(Ridge(), {"alpha": 3}), "not iterable or a distribution"),
    (lambda: ours.RandomizedSearchCV(Ridge(), {"alpha": []}), "has no values"),
    (lambda: ours.HalvingGridSearchCV(Ridge(), GRID, min_resources=999), "greater than max_res"),
    (
        lambda: ours.HalvingGridSearchCV(Ridge(), GRID, cv=ours.KFold(2, shuffle=True)),
        "consistent folds",
    ),
    (lambda: ours.HalvingGridSearchCV(Ridge(), GRID, resource="trees"), "Cannot use resource"),
    (lambda: ours.HalvingGridSearchCV(Ridge(), GRID, resource="max_iter"), "say how much"),
    (
        lambda: ours.HalvingGridSearchCV(Ridge(), GRID, resource="alpha", max_resources=9),
        "part of the searched parameters",
    ),
    (
        lambda: ours.HalvingRandomSearchCV(Ridge(), GRID, min_resources="exhaust"),
        "cannot be both set to 'exhaust'",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("search", "words"), REFUSALS, ids=[words for _, words in REFUSALS])
def test_refusals(search, words, diabetes):
    with pytest.raises(StylobateError, match=words):
        search().fit(*diabetes)


def test_refusals_of_odd_choices(diabetes):
    x, y = diabetes
    with pytest.raises(TypeError, match="not an integer"):
        ours.GridSearchCV(Ridge(), GRID, refit=lambda results: "first").fit(x, y)
    with pytest.raises(IndexError, match="out of range"):
        ours.GridSearchCV(Ridge(), GRID, refit=lambda results: 7).fit(x, y)
    search = ours.GridSearchCV(Ridge(), GRID, refit=False).fit(x, y)
    assert search.best_params_ == GRID | {"alpha": 1.0}
    for name in ("predict", "refit_time_", "n_features_in_", "best_estimator_"):
        assert not hasattr(search, name)
    with pytest.raises(AttributeError, match="refit=False"):
        search.score(x, y)
    for call in ("predict", "score", "summary"):
        with pytest.raises(NotFittedError):
            getattr(ours.GridSearchCV(Ridge(), GRID), call)(*(() if call == "summary" else (x,)))
    with pytest.raises(StylobateError, match="must be a search with refit"):
        ours.nested_cross_validate(Ridge(), x, y)
    with pytest.raises(StylobateError, match="keeps no store"):
        ours.nested_cross_validate(theirs.GridSearchCV(Ridge(), GRID), x, y, store="here")


def test_labels_never_seen(diabetes):
    x, _ = diabetes
    labels = np.repeat(["a", "b", "c"], [148, 147, 147])
    for call in (
        lambda: ours.cross_val_score(LogisticRegression(), x, labels, cv=ours.KFold(3)),
        lambda: ours.GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=ours.KFold(3)).fit(
            x, labels
        ),
    ):
        with pytest.warns(StylobateWarning, match=r"In 3 of 3 splits .* in split 0 \['a'\]"):
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.cross_val_score(LogisticRegression(), x, labels, cv=3)  # stratified: all are seen


EXAMPLES = [  # of classes; searches among regressors are in tests/common
    ours.GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=3),
]


def name_of(example):
    return f"{type(example).__name__}-{type(example.estimator).__name__}"


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_contract(example):
    for name, check in contract_checks(example):
        try:
            check(example)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(example):
    check_estimator(example, on_skip=None)


def test_meta_estimator(diabetes):
    x, y = diabetes
    search = ours.GridSearchCV(Ridge(alpha=3.0), {"alpha": [0.1, 1.0]}, cv=3)
    assert is_regressor(search)
    assert is_classifier(ours.GridSearchCV(SVC(), {}))
    assert get_tags(search).estimator_type == "regressor"
    assert search.get_params()["estimator__alpha"] == 3.0
    for copy in (clone(search), their_clone(search)):
        assert copy.set_params(estimator__alpha=7.0).estimator.alpha == 7.0
    assert search.estimator.alpha == 3.0
    search.fit(x, y)
    loaded = pickle.loads(pickle.dumps(search))
    np.testing.assert_array_equal(loaded.predict(x), search.predict(x))
    assert (
        repr(search)
        == "GridSearchCV(cv=3, estimator=Ridge(alpha=3.0), param_grid={'alpha': [0.1, 1.0]})"
    )
    html = search._repr_html_()
    assert "Ridge" in html
    assert "fitted" in html
    from sklearn import config_context

    with config_context(enable_metadata_routing=True):
        weighted = ours.GridSearchCV(Ridge().set_fit_request(sample_weight=True), GRID)
        routing = weighted.get_metadata_routing()
        assert routing.consumes("fit", ["sample_weight", "other"]) == {"sample_weight"}
