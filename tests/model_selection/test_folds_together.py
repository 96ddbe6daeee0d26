"""Many fits to the folds at once: the numbers of refits, on whatever rows."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model as theirs
from sklearn.base import clone as their_clone

from stylobate import config_context
from stylobate.base import clone
from stylobate.linear_model import ElasticNet, Lasso, LinearRegression, Ridge
from stylobate.metrics import check_scoring
from stylobate.model_selection import (
    KFold,
    LeaveOneOut,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    validation_curve,
)
from stylobate.model_selection.fits.fold_statistics import FoldStatistics
from stylobate.model_selection.fits.task import Task
from stylobate.model_selection.validation.data import Data

SCORES = ["r2", "neg_mean_squared_error", "explained_variance"]


def refitted(function, *args, **kwargs):
    with config_context(cross_validation="refit"):
        return function(*args, **kwargs)


@pytest.fixture
def counts(caplog):
    """How many fits came from statistics and how many from rows, as the log tells."""
    caplog.set_level(logging.INFO, "stylobate.model_selection")

    def read():
        found = [record.args[-2:] for record in caplog.records if len(record.args) == 5]
        caplog.clear()
        return found

    return read


def regression(seed, n=150, p=6, targets=None):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-3, 4, size=p) + rng.normal(size=p)
    w = rng.normal(size=(p,) if targets is None else (p, targets)).T / x.std(axis=0)
    noise = rng.normal(size=n if targets is None else (n, targets))
    return x, x @ w.T + noise, rng.choice([0.0, 0.5, 1.0, 3.0], size=n)


def fold_statistics(x, y, estimator, cv, **options):
    task = Task(Data.of(x, y, None, None), check_scoring(estimator, None), **options)
    return task, FoldStatistics.of(estimator, task, list(cv.split(x)))


def test_run_all_is_every_candidate_on_every_split():
    x, y, _ = regression(0)
    candidates = [
        Ridge(alpha=0.1),
        Ridge(alpha=5.0, fit_intercept=False),
        Ridge(alpha=30.0, solver="cholesky"),
        Ridge(alpha=0.1),
    ]
    splits = list(KFold(4).split(x))
    task, known = fold_statistics(x, y, Ridge(), KFold(4), train_score=True)
    outcomes = known.run_all(candidates)
    assert len(outcomes) == 16
    assert known.refits == 0
    for k, outcome in enumerate(outcomes):
        right = task.run(candidates[k // 4], splits[k % 4])
        assert outcome.test == pytest.approx(right.test, rel=1e-11)
        assert outcome.train == pytest.approx(right.train, rel=1e-11)
        assert outcome.fit_time > 0


def test_run_all_leaves_to_refits_what_it_cannot_tell():
    x, y, _ = regression(1)
    task, known = fold_statistics(x, y, Ridge(), KFold(3))
    mixed = known.run_all([Ridge(), Ridge(solver="svd"), Ridge(positive=True), Ridge(alpha=-1)])
    assert [outcome is None for outcome in mixed] == [False] * 3 + [True] * 3 + [False] * 3 + [
        True
    ] * 3
    splits = list(KFold(3).split(x))
    for k in (0, 7):
        model = [Ridge(), None, Ridge(positive=True)][k // 3]
        assert mixed[k].test == pytest.approx(task.run(model, splits[k % 3]).test, rel=1e-10)


def test_kept_estimators_are_whole():
    x, y, _ = regression(2)
    _, known = fold_statistics(x, y, Ridge(), KFold(3), keep_estimator=True)
    for outcome in known.run_all([Ridge(alpha=2.0)]):
        assert outcome.estimator.certificate_.optimal
        assert outcome.estimator.alpha == 2.0


@settings(max_examples=20)
@given(
    seed=st.integers(0, 2**31),
    n=st.integers(8, 80),
    p=st.integers(1, 5),
    targets=st.sampled_from([None, 1, 3]),
    trouble=st.sampled_from(["", "dependent", "constant", "units", "duplicate", "zero column"]),
    weighted=st.booleans(),
    shuffle=st.booleans(),
)
def test_curves_of_nasty_rows(seed, n, p, targets, trouble, weighted, shuffle):
    rng = np.random.default_rng(seed)
    x, y, w = regression(seed, n, p, targets)
    if trouble == "dependent":
        x[:, -1] = x[:, 0] + 1e-5 * x[:, -1]
    elif trouble == "constant":
        x[:, -1] = 1e3 / 3.0
    elif trouble == "units":
        x = x * 10.0 ** rng.integers(-8, 9, size=p)
    elif trouble == "duplicate":
        x = np.column_stack([x, x[:, 0]])
    elif trouble == "zero column":
        x[: n // 2, 0] = 0.0
    w = rng.uniform(0.1, 3.0, size=n)
    weightless = n // 8
    w[rng.permutation(n)[:weightless]] = 0.0
    params = {"sample_weight": w} if weighted else None
    sizes = np.unique(rng.integers(weightless + 1, n - n // 3 - 1, size=4))
    options = {
        "train_sizes": sizes, "cv": KFold(3), "shuffle": shuffle, "random_state": 0,
        "scoring": "neg_mean_squared_error", "params": params,
    }  # fmt: skip
    scale = float(np.abs(y).max()) ** 2 + 1.0
    for model in (Ridge(alpha=10.0 ** rng.integers(-6, 4)), LinearRegression()):
        found = learning_curve(model, x, y, **options)
        right = refitted(learning_curve, model, x, y, **options)
        for a, b in zip(found, right, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-12 * scale)


@pytest.mark.parametrize("targets", [None, 2])
@pytest.mark.parametrize("intercept", [True, False])
def test_validation_curve_of_penalties_is_exact(targets, intercept, counts):
    x, y, w = regression(3, n=400, p=7, targets=targets)
    options = {
        "param_name": "alpha", "param_range": np.logspace(-4, 6, 21), "cv": 5,
        "params": {"sample_weight": w},
    }  # fmt: skip
    model = Ridge(fit_intercept=intercept)
    found = validation_curve(model, x, y, **options)
    assert counts() == [(105, 0)]
    for a, b in zip(found, refitted(validation_curve, model, x, y, **options), strict=True):
        assert a.shape == (21, 5)
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)


def test_learning_curve_is_exact(counts):
    x, y, _ = regression(4, n=3000, p=20)
    for model in (Ridge(), LinearRegression()):
        options = {"train_sizes": np.linspace(0.1, 1.0, 7), "cv": 4}
        found = learning_curve(model, x, y, **options)
        assert counts() == [(28, 0)]
        for a, b in zip(found, refitted(learning_curve, model, x, y, **options), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10)


@pytest.mark.parametrize(
    "model",
    [
        Lasso(alpha=0.02),
        Lasso(alpha=0.02, positive=True, fit_intercept=False),
        ElasticNet(alpha=0.05, l1_ratio=0.3, solver="gram"),
        ElasticNet(alpha=0.05, selection="random", random_state=3),
    ],
    ids=str,
)
@pytest.mark.parametrize("targets", [None, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_models_learn_from_the_folds(model, targets, weighted, counts):
    x, y, w = regression(5, n=300, p=8, targets=targets)
    x = x / x.std(axis=0)
    options = {"params": {"sample_weight": w}} if weighted else {}
    options |= {"scoring": [*SCORES, "neg_mean_absolute_error"], "return_train_score": True}
    for cv in (4, KFold(3, shuffle=True, random_state=0)):
        found = cross_validate(model, x, y, cv=cv, **options)
        assert [on_rows for _, on_rows in counts()] == [0]
        right = refitted(cross_validate, model, x, y, cv=cv, **options)
        for key in right:
            if not key.endswith("_time"):
                np.testing.assert_allclose(found[key], right[key], rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(
    "model",
    [
        Lasso(solver="coordinate_descent", alpha=0.1),
        ElasticNet(alpha=0.1, l1_ratio=0.0),
        Lasso(alpha=0.1, precompute=np.eye(8)),
    ],
)
def test_sparse_models_that_need_the_rows_are_refitted(model, counts):
    x, y, _ = regression(6, n=100, p=8)
    cross_val_score(model, x, y, cv=3)
    assert counts() == []


def test_a_nearly_perfect_lasso_goes_back_to_the_rows(counts):
    x, _, _ = regression(7, n=200, p=4)
    y = x @ np.ones(4)
    found = cross_val_score(Lasso(alpha=1e-9), x, y, cv=3)
    assert counts() == [(0, 3)]
    np.testing.assert_allclose(found, refitted(cross_val_score, Lasso(alpha=1e-9), x, y, cv=3))


class Cubed(Ridge):
    """A subclass that learns from something else than it is given."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X**3, y, sample_weight)


class Rounded(Ridge):
    """A subclass that predicts something else than it has learnt."""

    def predict(self, X):
        return np.round(super().predict(X))


@pytest.mark.parametrize("kind", [Cubed, Rounded])
@pytest.mark.parametrize("cv", [3, LeaveOneOut()])
def test_subclasses_with_methods_of_their_own(kind, cv):
    x, y, _ = regression(8, n=40)
    options = {"cv": cv, "scoring": "neg_mean_squared_error"}
    found = cross_val_score(kind(), x, y, **options)
    np.testing.assert_allclose(found, refitted(cross_val_score, kind(), x, y, **options))
    assert abs(found - cross_val_score(Ridge(), x, y, **options)).max() > 1e-6
    found = cross_val_predict(kind(), x, y, cv=cv)
    np.testing.assert_allclose(found, refitted(cross_val_predict, kind(), x, y, cv=cv), rtol=1e-9)


class Renamed(theirs.Ridge):
    """Keeps a parameter under another name, as scikit-learn's contract forbids."""

    def __init__(self, alpha=1.0):
        super().__init__(alpha=alpha + 0.0)
        self.alpha = float(alpha) * 2.0


def test_quick_clones_are_those_of_scikit_learn():
    model = theirs.Ridge(alpha=[1.0, 2.0], random_state=np.random.RandomState(0))
    twin, right = clone(model), their_clone(model)
    assert type(twin) is theirs.Ridge
    assert vars(twin).keys() == vars(right).keys()
    assert twin.alpha == [1.0, 2.0]
    assert twin.alpha is not model.alpha
    assert twin.random_state is not model.random_state
    fitted = theirs.Ridge().fit([[0.0], [1.0]], [0.0, 1.0])
    assert not hasattr(clone(fitted), "coef_")
    asked = theirs.Ridge()
    asked.set_fit_request = None  # something an instance holds beside its parameters
    assert vars(clone(asked)).keys() == vars(their_clone(asked)).keys()
    for cloner in (clone, their_clone):
        with pytest.raises(RuntimeError, match="alpha"):
            cloner(Renamed())
