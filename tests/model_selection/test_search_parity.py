"""Searches against scikit-learn's: the same settings, columns, types, ranks and choices."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
from scipy.stats import loguniform, randint
from sklearn import model_selection as theirs
from sklearn.ensemble import RandomForestClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.metrics import make_scorer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from stylobate import model_selection as ours
from stylobate.linear_model import Lasso, LogisticRegression, Ridge

SEARCHES = ["GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV"]


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(120, 5))
    return x, x @ [1.0, -2.0, 0.5, 0.0, 0.0] + rng.normal(size=120)


@pytest.fixture(scope="module")
def classes(numbers):
    x, y = numbers
    return x, np.array(["low", "mid", "top"])[np.digitize(y, [-1.0, 1.0])]


def same_results(mine, other, rtol=1e-9):
    assert list(mine) == list(other)
    for name, want in other.items():
        got = mine[name]
        assert type(got) is type(want), name
        if name == "params":
            assert got == want
            continue
        assert got.dtype == want.dtype, name
        assert got.shape == want.shape, name
        if isinstance(want, np.ma.MaskedArray):
            assert (got.mask == want.mask).all()
            assert list(got.compressed()) == list(want.compressed()), name
        elif not name.endswith("_time"):
            np.testing.assert_allclose(got, want, rtol=rtol, atol=1e-12, err_msg=name)


def same_search(mine, other, x, rtol=1e-9):
    same_results(mine.cv_results_, other.cv_results_, rtol)
    for name in ("best_index_", "best_params_", "n_splits_", "multimetric_", "best_score_"):
        assert hasattr(mine, name) == hasattr(other, name), name
        if hasattr(other, name) and name != "best_score_":
            assert getattr(mine, name) == getattr(other, name), name
    if hasattr(other, "best_score_"):
        np.testing.assert_allclose(mine.best_score_, other.best_score_, rtol=rtol)
    if other.refit:
        got, want = mine.predict(x), other.predict(x)
        if want.dtype.kind == "f":
            np.testing.assert_allclose(got, want, rtol=1e-6)
        else:
            assert (got == want).all()
        assert mine.refit_time_ > 0


@pytest.mark.parametrize("name", [*SEARCHES, "ParameterGrid", "ParameterSampler"])
def test_signatures(name):
    mine, other = getattr(ours, name), getattr(theirs, name)
    want = inspect.signature(other).parameters
    got = inspect.signature(mine).parameters
    assert [*got][: len(want)] == [*want]
    for key, parameter in want.items():
        assert got[key].kind == parameter.kind, key
        assert repr(got[key].default) == repr(parameter.default), key
    assert all(got[key].kind is inspect.Parameter.KEYWORD_ONLY for key in [*got][len(want) :])


GRIDS = [
    {"alpha": [0.1, 1, 10.0]},
    {"alpha": np.logspace(-2, 2, 3), "fit_intercept": [True, False]},
    # no two solvers at one penalty: their scores are the same but for rounding
    [{"alpha": [1, 2]}, {"solver": ["svd"], "alpha": [3, 4]}],
    [{"solver": ["svd"], "alpha": [2]}, {"positive": [False], "max_iter": [None, 100]}],
    {"fit_intercept": [True]},
    {},
]


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_grids(grid, numbers):
    x, y = numbers
    mine, other = ours.ParameterGrid(grid), theirs.ParameterGrid(grid)
    assert list(mine) == list(other)
    assert len(mine) == len(other)
    assert [mine[k] for k in range(len(other))] == [other[k] for k in range(len(other))]
    with pytest.raises(IndexError):
        mine[len(other)]
    with pytest.raises(IndexError):
        mine[-1]
    for model in (TheirRidge(), Ridge()):
        got = ours.GridSearchCV(model, grid, cv=4, return_train_score=True).fit(x, y)
        want = theirs.GridSearchCV(TheirRidge(), grid, cv=4, return_train_score=True).fit(x, y)
        same_search(got, want, x)


SAMPLES = [
    ({"a": range(3), "b": list("xyz")}, 4),
    ({"a": range(100), "b": range(100)}, 5),  # few of many
    ({"a": range(7)}, 7),  # all
    ({"a": loguniform(1e-3, 10), "b": [1, 2, 3], "c": randint(0, 9)}, 6),
    ([{"a": [1, 2, 3]}, {"b": loguniform(1e-3, 10)}], 6),
]


@pytest.mark.parametrize(("spaces", "count"), SAMPLES, ids=range(len(SAMPLES)))
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_sampler(spaces, count, seed):
    mine = ours.ParameterSampler(spaces, count, random_state=seed)
    other = theirs.ParameterSampler(spaces, count, random_state=seed)
    assert list(mine) == list(other)
    assert len(mine) == len(other)


def test_sampler_of_a_small_space():
    with pytest.warns(UserWarning, match="total space of parameters 2 is smaller than n_iter=5"):
        assert len(list(ours.ParameterSampler({"a": [1, 2]}, 5))) == 2


@pytest.mark.parametrize("scoring", ["neg_mean_squared_error", None, lambda m, a, b: m.score(a, b)])
def test_random_search(scoring, numbers):
    x, y = numbers
    options = {"n_iter": 6, "random_state": 3, "cv": 3, "scoring": scoring}
    spaces = {"alpha": loguniform(1e-3, 1e3), "fit_intercept": [True, False]}
    got = ours.RandomizedSearchCV(Ridge(), spaces, **options).fit(x, y)
    want = theirs.RandomizedSearchCV(TheirRidge(), spaces, **options).fit(x, y)
    same_search(got, want, x)


HALVINGS = [
    {},
    {"factor": 2, "min_resources": 20},
    {"min_resources": "smallest", "aggressive_elimination": True, "max_resources": 60},
    {"resource": "max_iter", "max_resources": 90, "factor": 3, "return_train_score": False},
]
HALVING_ATTRIBUTES = [
    "n_resources_",
    "n_candidates_",
    "n_remaining_candidates_",
    "max_resources_",
    "min_resources_",
    "n_iterations_",
    "n_possible_iterations_",
    "n_required_iterations_",
]


@pytest.mark.parametrize("options", HALVINGS, ids=str)
@pytest.mark.parametrize("kind", ["HalvingGridSearchCV", "HalvingRandomSearchCV"])
def test_halving(kind, options, numbers):
    x, y = numbers
    space = {"alpha": np.logspace(-3, 3, 9).tolist()}
    options = {"random_state": 0, "cv": 3, **options}
    if kind == "HalvingRandomSearchCV":
        options = {"n_candidates": 7, **options}
    got = getattr(ours, kind)(Ridge(), space, **options).fit(x, y)
    want = getattr(theirs, kind)(TheirRidge(), space, **options).fit(x, y)
    same_search(got, want, x)
    for name in HALVING_ATTRIBUTES:
        assert getattr(got, name) == getattr(want, name), name


def test_halving_of_a_classifier(classes):
    x, y = classes
    model, space = TheirLogistic(), {"C": [0.01, 0.1, 1.0, 10.0]}
    options = {"random_state": np.random.RandomState(5), "scoring": "accuracy", "factor": 2}
    got = ours.HalvingGridSearchCV(model, space, **options).fit(x, y)
    options["random_state"] = np.random.RandomState(5)
    want = theirs.HalvingGridSearchCV(model, space, **options).fit(x, y)
    same_search(got, want, x)


MANY = ["r2", "neg_mean_absolute_error"]


@pytest.mark.parametrize(
    ("scoring", "refit"),
    [
        (MANY, "r2"),
        (MANY, False),
        ({"a": "r2", "b": "neg_max_error"}, "b"),
        (tuple(MANY), lambda results: len(results["params"]) - 1),
        (lambda m, a, b: {"one": m.score(a, b), "two": 0.5}, "one"),
    ],
    ids=range(5),
)
def test_several_scores(scoring, refit, numbers):
    x, y = numbers
    grid = {"alpha": [0.1, 1.0, 1000.0]}
    options = {"scoring": scoring, "refit": refit, "cv": 3, "return_train_score": True}
    got = ours.GridSearchCV(TheirRidge(), grid, **options).fit(x, y)
    want = theirs.GridSearchCV(TheirRidge(), grid, **options).fit(x, y)
    same_search(got, want, x)
    if isinstance(refit, str):
        np.testing.assert_allclose(got.score(x, y), want.score(x, y))
    assert isinstance(got.scorer_, dict) == isinstance(want.scorer_, dict)


def test_groups_weights_and_containers(numbers):
    pd = pytest.importorskip("pandas")
    x, y = numbers
    frame = pd.DataFrame(x, columns=list("abcde"))
    weights = np.random.default_rng(0).uniform(0.1, 3.0, len(y))
    groups = np.arange(len(y)) % 6
    for scoring in (None, "neg_mean_squared_error", MANY):
        options = {"cv": theirs.GroupKFold(3), "scoring": scoring}
        options |= {"refit": "r2"} if scoring is MANY else {}
        more = {"groups": groups, "sample_weight": weights}
        for model in (TheirRidge(), Ridge()):
            got = ours.GridSearchCV(model, {"alpha": [0.1, 100.0]}, **options).fit(frame, y, **more)
            want = theirs.GridSearchCV(TheirRidge(), {"alpha": [0.1, 100.0]}, **options)
            same_search(got, want.fit(frame, y, **more), frame)
        assert list(got.feature_names_in_) == list("abcde")
        assert got.n_features_in_ == 5


def test_unweighted_scores_of_weighted_fits_are_told(numbers):
    x, y = numbers
    with pytest.warns(UserWarning, match="does not support sample_weight"):
        ours.GridSearchCV(Ridge(), {"alpha": [1.0]}, scoring="neg_max_error").fit(
            x, y, sample_weight=np.ones(len(y))
        )


TEXTS = ["good fine", "bad awful", "fine good day", "awful rain", "good sun", "bad rain"] * 8
FOREIGN = [
    (TheirLogistic(), {"C": [0.1, 10.0]}),
    (RandomForestClassifier(n_estimators=5, random_state=0), {"max_depth": [1, None]}),
    (
        Pipeline([("scale", StandardScaler()), ("svc", SVC())]),
        {"svc__C": [0.1, 1], "scale__with_mean": [True]},
    ),
    (
        Pipeline([("scale", StandardScaler()), ("m", SVC())]),
        {"scale": ["passthrough", StandardScaler()], "m": [SVC(), TheirLogistic()]},
    ),
]


@pytest.mark.parametrize(("model", "grid"), FOREIGN, ids=["logistic", "forest", "svc", "steps"])
def test_estimators_of_scikit_learn_in_our_search(model, grid, classes):
    x, y = classes
    got = ours.GridSearchCV(model, grid, cv=3).fit(x, y)
    want = theirs.GridSearchCV(model, grid, cv=3).fit(x, y)
    if "m" in grid:  # estimators among the values compare by identity
        np.testing.assert_allclose(
            got.cv_results_["mean_test_score"], want.cv_results_["mean_test_score"]
        )
        assert got.cv_results_["param_m"].dtype == want.cv_results_["param_m"].dtype
        assert got.best_index_ == want.best_index_
        return
    same_search(got, want, x)
    assert list(got.classes_) == ["low", "mid", "top"]
    for method in ("predict_proba", "decision_function", "transform"):
        assert hasattr(got, method) == hasattr(want, method), method
        if hasattr(want, method):
            np.testing.assert_allclose(getattr(got, method)(x), getattr(want, method)(x))


def test_texts(numbers):
    labels = np.array(["plus", "minus", "plus", "minus", "plus", "minus"] * 8)
    model = make_pipeline(CountVectorizer(), TheirLogistic())
    grid = {"countvectorizer__ngram_range": [(1, 1), (1, 2)], "logisticregression__C": [0.1, 1.0]}
    got = ours.GridSearchCV(model, grid, cv=3).fit(TEXTS, labels)
    want = theirs.GridSearchCV(model, grid, cv=3).fit(TEXTS, labels)
    same_search(got, want, TEXTS)
    mine = ours.cross_validate(model, TEXTS, labels, cv=3, return_predictions="predict_proba")
    other = theirs.cross_val_predict(model, TEXTS, labels, cv=3, method="predict_proba")
    splits = theirs.StratifiedKFold(3).split(TEXTS, labels)
    for part, (_, test) in zip(mine["predictions"], splits, strict=True):
        np.testing.assert_allclose(part, other[test])


def test_precomputed_kernels(classes):
    x, y = classes
    kernel, grid = x @ x.T, {"C": [0.1, 1.0]}
    got = ours.GridSearchCV(SVC(kernel="precomputed"), grid, cv=3).fit(kernel, y)
    want = theirs.GridSearchCV(SVC(kernel="precomputed"), grid, cv=3).fit(kernel, y)
    same_search(got, want, kernel)


@pytest.mark.parametrize("kind", ["ridge", "lasso", "logistic", "pipeline"])
def test_our_estimators_in_their_search(kind, numbers, classes):
    x, y = classes if kind == "logistic" else numbers
    model, grid = {
        "ridge": (Ridge(), {"alpha": [0.1, 10.0, 1000.0]}),
        "lasso": (Lasso(), {"alpha": [0.01, 0.1, 1.0]}),
        "logistic": (LogisticRegression(), {"C": [0.01, 1.0]}),
        "pipeline": (
            Pipeline([("scale", StandardScaler()), ("ridge", Ridge())]),
            {"ridge__alpha": [0.1, 10.0]},
        ),
    }[kind]
    want = theirs.GridSearchCV(model, grid, cv=4).fit(x, y)
    got = ours.GridSearchCV(model, grid, cv=4).fit(x, y)
    same_search(got, want, x, rtol=1e-8)
    outer = theirs.cross_val_score(ours.GridSearchCV(model, grid, cv=3), x, y, cv=3)
    np.testing.assert_allclose(
        outer, ours.cross_val_score(theirs.GridSearchCV(model, grid, cv=3), x, y, cv=3), rtol=1e-8
    )


class Moody(TheirRidge):
    """Fails for some settings."""

    def fit(self, X, y):
        if self.alpha > 1.0 and X[0, 0] > 0.5:
            raise ValueError("too much")
        return super().fit(X, y)


def test_failures(numbers):
    x, y = numbers[0].copy(), numbers[1]
    x[:, 0] = np.linspace(0, 1, len(x))
    grid, cv = {"alpha": [0.1, 10.0]}, theirs.KFold(3)
    splits = [(train[::-1] if k else train, test) for k, (train, test) in enumerate(cv.split(x))]
    searches = []
    for package in (ours, theirs):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            searches.append(package.GridSearchCV(Moody(), grid, cv=splits).fit(x, y))
        texts = "\n".join(str(each.message) for each in caught)
        assert "2 fits failed" in texts
        assert "One or more of the test scores are non-finite" in texts
    same_search(*searches, x)
    failed = [record for record in searches[0].records_ if record.failed]
    assert [(record.candidate, record.split) for record in failed] == [(1, 1), (1, 2)]
    assert "too much" in failed[0].failure
    with pytest.raises(ValueError, match="too much"):
        ours.GridSearchCV(Moody(), grid, cv=splits, error_score="raise").fit(x, y)
    with pytest.raises(ValueError, match="All the 3 fits failed"):
        ours.GridSearchCV(Moody(), {"alpha": [10.0]}, cv=3).fit(x + 1, y)


def test_their_scorers(classes):
    x, y = classes
    scorer = make_scorer(lambda a, b: float(np.mean(a == b)))
    options = {"scoring": scorer, "cv": 3}
    got = ours.GridSearchCV(TheirLogistic(), {"C": [0.1, 1.0]}, **options).fit(x, y)
    want = theirs.GridSearchCV(TheirLogistic(), {"C": [0.1, 1.0]}, **options).fit(x, y)
    same_search(got, want, x)
    assert got.score(x, y) == want.score(x, y)


def test_without_targets(numbers):
    from sklearn.decomposition import PCA

    x, _ = numbers
    got = ours.GridSearchCV(PCA(), {"n_components": [1, 3]}, cv=3).fit(x)
    want = theirs.GridSearchCV(PCA(), {"n_components": [1, 3]}, cv=3).fit(x)
    same_results(got.cv_results_, want.cv_results_)
    np.testing.assert_allclose(got.transform(x), want.transform(x))
    np.testing.assert_allclose(
        got.inverse_transform(got.transform(x)), want.inverse_transform(want.transform(x))
    )
    np.testing.assert_allclose(got.score_samples(x), want.score_samples(x))
    assert not hasattr(got, "predict")
