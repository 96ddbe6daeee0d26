"""Cross-validation: scikit-learn's numbers, shapes and errors, for its estimators and ours."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn import model_selection as theirs
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning as TheirFitFailed
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from stylobate import model_selection as ours
from stylobate.exceptions import FitFailedWarning, InvalidDataError, InvalidParameterError
from stylobate.linear_model import LinearRegression, Ridge


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(83, 4))
    return x, x @ [1.0, -2.0, 0.5, 0.0] + rng.normal(size=83)


@pytest.fixture(scope="module")
def classes(numbers):
    x, y = numbers
    return x, np.array(["low", "mid", "top"])[np.digitize(y, [-1.0, 1.5])]


def times_removed(found):
    return {key: value for key, value in found.items() if not key.endswith("_time")}


def same(mine, other):
    assert list(mine) == list(other)
    for key, value in times_removed(other).items():
        np.testing.assert_allclose(mine[key], value, rtol=1e-9, err_msg=key)
        assert type(mine[key]) is type(value)
    for key in ("fit_time", "score_time"):
        assert mine[key].shape == other[key].shape
        assert (mine[key] >= 0).all()


MODELS = [
    TheirRidge(),
    make_pipeline(StandardScaler(), TheirRidge(alpha=3.0)),
    Ridge(),
    LinearRegression(fit_intercept=False),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__module__.split(".")[0])
@pytest.mark.parametrize("cv", [None, 3, theirs.KFold(4, shuffle=True, random_state=1)], ids=str)
@pytest.mark.parametrize(
    "scoring", [None, "neg_mean_absolute_error", ["r2", "neg_root_mean_squared_error"]], ids=str
)
def test_regressors(model, cv, scoring, numbers):
    x, y = numbers
    options = {"cv": cv, "scoring": scoring, "return_train_score": True}
    same(ours.cross_validate(model, x, y, **options), theirs.cross_validate(model, x, y, **options))
    if not isinstance(scoring, list):
        options.pop("return_train_score")
        got = ours.cross_val_score(model, x, y, **options)
        np.testing.assert_allclose(got, theirs.cross_val_score(model, x, y, **options), rtol=1e-9)


@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC(random_state=0)])
@pytest.mark.parametrize("scoring", [None, "f1_macro", "balanced_accuracy"])
def test_classifiers_are_split_by_class(model, scoring, classes):
    x, y = classes
    got = ours.cross_val_score(model, x, y, cv=4, scoring=scoring)
    want = theirs.cross_val_score(model, x, y, cv=4, scoring=scoring)
    np.testing.assert_allclose(got, want, rtol=1e-12)
    probability = {"cv": 4, "scoring": ["neg_log_loss", "roc_auc_ovr"]}
    if hasattr(model, "predict_proba"):
        same(
            ours.cross_validate(model, x, y, **probability),
            theirs.cross_validate(model, x, y, **probability),
        )


def test_groups_indices_estimators_and_parameters(numbers):
    x, y = numbers
    groups, weights = np.arange(83) // 7, np.linspace(0.1, 2.0, 83)
    for model in (TheirRidge(), Ridge()):
        options = {
            "groups": groups, "cv": theirs.GroupKFold(4), "params": {"sample_weight": weights},
            "return_estimator": True, "return_indices": True, "return_train_score": True,
        }  # fmt: skip
        mine = ours.cross_validate(model, x, y, **options)
        other = theirs.cross_validate(model, x, y, **options)
        assert list(mine) == list(other)
        np.testing.assert_allclose(mine["test_score"], other["test_score"], rtol=1e-9)
        np.testing.assert_allclose(mine["train_score"], other["train_score"], rtol=1e-9)
        for a, b in zip(mine["estimator"], other["estimator"], strict=True):
            assert type(a) is type(b)
            np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-9)
        for part in ("train", "test"):
            assert isinstance(mine["indices"][part], tuple)
            for a, b in zip(mine["indices"][part], other["indices"][part], strict=True):
                np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda x: x.tolist(),
        lambda x: pd.DataFrame(x, columns=list("abcd")),
        lambda x: pl.DataFrame(x, schema=list("abcd")),
        lambda x: pl.DataFrame(x, schema=list("abcd")).to_arrow(),
        sparse.csc_array,
        sparse.coo_array,
        np.asfortranarray,
    ],
)
@pytest.mark.parametrize("scoring", ["r2", "neg_mean_absolute_error"])
def test_containers(wrap, scoring, numbers):
    x, y = numbers
    want = ours.cross_val_score(Ridge(), x, y, scoring=scoring)
    folds = ours.KFold(5)
    got = ours.cross_val_score(Ridge(), wrap(x), y, scoring=scoring, cv=folds)
    np.testing.assert_allclose(got, want, rtol=1e-9)
    shuffled = ours.KFold(5, shuffle=True, random_state=0)
    got = ours.cross_val_predict(Ridge(), wrap(x), list(y), cv=shuffled)
    np.testing.assert_allclose(got, theirs.cross_val_predict(Ridge(), x, y, cv=shuffled))


@pytest.mark.parametrize("n_jobs", [2, -1])
@pytest.mark.parametrize("model", [TheirRidge(), Ridge(solver="svd")])
def test_several_at_once_give_the_same_bits(model, n_jobs, numbers):
    x, y = numbers
    one = ours.cross_val_score(model, x, y, cv=6, scoring="neg_max_error")
    many = ours.cross_val_score(model, x, y, cv=6, scoring="neg_max_error", n_jobs=n_jobs)
    np.testing.assert_array_equal(one, many)


class Moody(TheirRidge):
    """Fails on training parts without the first row."""

    def fit(self, X, y):
        if X[0, 0] != 0.0:
            raise ValueError("no zero")
        return super().fit(X, y)


def test_failures(numbers):
    x, y = numbers[0].copy(), numbers[1]
    x[0, 0] = 0.0
    with pytest.warns(FitFailedWarning, match="1 fits failed out of a total of 5") as caught:
        got = ours.cross_validate(Moody(), x, y, return_train_score=True)
    assert issubclass(caught[0].category, TheirFitFailed)
    assert np.isnan(got["test_score"]).tolist() == [True, False, False, False, False]
    assert np.isnan(got["train_score"][0])
    with pytest.warns(FitFailedWarning):
        assert ours.cross_val_score(Moody(), x, y, error_score=-7.0)[0] == -7.0
    with pytest.raises(ValueError, match="no zero"):
        ours.cross_val_score(Moody(), x, y, error_score="raise")
    with pytest.raises(InvalidDataError, match="All the 5 fits failed"):
        ours.cross_val_score(Moody(), x + 1.0, y)
    bad = x.copy()
    bad[3, 1] = np.nan
    with pytest.raises(InvalidDataError, match="All the 4 fits failed"):
        ours.cross_val_score(Ridge(), bad, y, cv=[(np.arange(50), [60])] * 4)
    with pytest.warns(UserWarning, match="Scoring failed"):
        ours.cross_val_score(TheirRidge(), x, y, scoring=lambda m, a, b: 1 / 0)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function"])
def test_predictions_of_classifiers(method, classes):
    x, y = classes
    for cv in (4, theirs.StratifiedKFold(3, shuffle=True, random_state=2)):
        got = ours.cross_val_predict(LogisticRegression(), x, y, cv=cv, method=method)
        want = theirs.cross_val_predict(LogisticRegression(), x, y, cv=cv, method=method)
        if method == "predict":
            assert (got == want).all()
        else:
            np.testing.assert_allclose(got, want)
        assert got.dtype == want.dtype


def test_predictions_without_a_class():
    x, y = np.arange(12.0)[:, None], np.repeat([0, 1, 2], 4)
    folds = theirs.KFold(3)
    for method in ("predict_proba", "predict_log_proba"):
        with pytest.warns(UserWarning, match="Number of classes in training fold"):
            got = ours.cross_val_predict(LogisticRegression(), x, y, cv=folds, method=method)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want = theirs.cross_val_predict(LogisticRegression(), x, y, cv=folds, method=method)
        np.testing.assert_allclose(got, want)


@pytest.mark.parametrize("model", [TheirRidge(), Ridge(), LinearRegression()])
def test_predictions_of_regressors(model, numbers):
    x, y = numbers
    several = np.column_stack([y, -2 * y + x[:, 0], x[:, 1]])
    for target in (y, several):
        for cv in (5, theirs.LeaveOneOut(), theirs.KFold(3, shuffle=True, random_state=0)):
            got = ours.cross_val_predict(model, x, target, cv=cv)
            want = theirs.cross_val_predict(model, x, target, cv=cv)
            np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)
            assert got.shape == want.shape


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("model", [TheirRidge(), Ridge(), LinearRegression()])
@pytest.mark.parametrize("sizes", [[0.2, 0.7, 1.0], [10, 30, 55]])
def test_learning_curve(model, sizes, shuffle, numbers):
    x, y = numbers
    options = {"train_sizes": sizes, "shuffle": shuffle, "cv": 4, "return_times": True}
    options |= {"random_state": 3} if shuffle else {}
    mine = ours.learning_curve(model, x, y, **options)
    other = theirs.learning_curve(model, x, y, **options)
    np.testing.assert_array_equal(mine[0], other[0])
    for a, b in zip(mine[1:3], other[1:3], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    assert [a.shape for a in mine] == [b.shape for b in other]


def test_learning_curve_by_partial_fit(classes):
    x, y = classes
    model = SGDClassifier(random_state=0)
    options = {
        "exploit_incremental_learning": True, "cv": 3, "shuffle": True, "random_state": 0,
        "train_sizes": [0.5, 1.0],
    }  # fmt: skip
    mine = ours.learning_curve(model, x, y, **options)
    other = theirs.learning_curve(model, x, y, **options)
    for a, b in zip(mine, other, strict=True):
        np.testing.assert_allclose(a, b)
    with pytest.warns(RuntimeWarning, match="Removed duplicate entries"):
        sizes = ours.learning_curve(DummyClassifier(), x, y, train_sizes=[0.5, 0.5, 1.0])[0]
    assert len(sizes) == 2


@pytest.mark.parametrize("model", [TheirRidge(), Ridge()])
@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error", "neg_median_absolute_error"])
def test_validation_curve(model, scoring, numbers):
    x, y = numbers
    options = {"param_name": "alpha", "param_range": [0.1, 10.0, 300.0], "scoring": scoring}
    mine = ours.validation_curve(model, x, y, **options)
    for a, b in zip(mine, theirs.validation_curve(model, x, y, **options), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    for a, b in zip(
        ours.validation_curve(
            Ridge(), x, y, param_name="solver", param_range=["auto", "svd", "lsqr"], cv=3
        ),
        ours.validation_curve(Ridge(), x, y, param_name="solver", param_range=["auto"] * 3, cv=3),
        strict=True,
    ):
        np.testing.assert_allclose(a, b, rtol=1e-6)


@pytest.mark.parametrize("stratified", [False, True])
def test_train_test_split(stratified, classes):
    x, y = classes
    frame = pd.DataFrame(x)
    for options in ({}, {"test_size": 0.4}, {"train_size": 20, "test_size": 11}):
        options = {"random_state": 5, "stratify": y if stratified else None, **options}
        mine = ours.train_test_split(x, frame, y.tolist(), sparse.csr_array(x), **options)
        other = theirs.train_test_split(x, frame, y.tolist(), sparse.csr_array(x), **options)
        assert len(mine) == len(other) == 8
        for a, b in zip(mine, other, strict=True):
            assert type(a) is type(b)
            same_rows = (a.toarray() == b.toarray()) if sparse.issparse(a) else np.equal(a, b)
            assert np.all(same_rows)
    first, last = ours.train_test_split(np.arange(10), shuffle=False)
    assert (first.tolist(), last.tolist()) == (list(range(7)), [7, 8, 9])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x, y: ours.cross_val_score(Ridge(), x, y, cv=100), "cannot make 100 parts of 83"),
        (lambda x, y: ours.cross_val_score(Ridge(), x, y[:5]), "inconsistent numbers of samples"),
        (lambda x, y: ours.cross_val_score(Ridge(), x, y, cv=[]), "no splits"),
        (lambda x, y: ours.cross_val_score(Ridge(), x, y, scoring=["r2"]), "takes one scoring"),
        (lambda x, y: ours.cross_val_score(Ridge(), x, y, scoring="best"), "not a valid scoring"),
        (lambda x, y: ours.cross_val_score(Ridge(), x, y, error_score="x"), "error_score"),
        (lambda x, y: ours.cross_val_score(TheirRidge(), x, y, n_jobs=0), "n_jobs"),
        (lambda x, y: ours.cross_val_predict(Ridge(), x, y, method="fit"), "method must be"),
        (
            lambda x, y: ours.cross_val_predict(Ridge(), x, y, cv=ours.ShuffleSplit(2)),
            "only works for partitions",
        ),
        (lambda x, y: ours.learning_curve(Ridge(), x, y, train_sizes=[0.0]), r"within \(0, 1\]"),
        (lambda x, y: ours.learning_curve(Ridge(), x, y, train_sizes=[500]), r"within \(0, 66\]"),
        (lambda x, y: ours.learning_curve(Ridge(), x, y, train_sizes=[]), "not empty"),
        (
            lambda x, y: ours.learning_curve(TheirRidge(), x, y, exploit_incremental_learning=True),
            "partial_fit interface",
        ),
        (lambda x, y: ours.train_test_split(), "at least one array"),
        (lambda x, y: ours.train_test_split(x, y[:3]), "inconsistent numbers"),
        (lambda x, y: ours.train_test_split(x, shuffle=False, stratify=y), "Stratified"),
        (lambda x, y: ours.train_test_split(x[:1]), "training part is empty"),
        (lambda x, y: ours.cross_val_score(Ridge(), x, y, scoring=lambda *_: "a"), "a number"),
    ],
)
def test_refusals(call, words, numbers):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        call(*numbers)
