"""Linear models on streams: the answers of memory, with proofs, by as many passes as they say."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pytest
import sklearn.linear_model as peer

from stylobate.base import clone
from stylobate.data.streams import Batch, Stream
from stylobate.engines import windows
from stylobate.exceptions import ConvergenceWarning, InvalidDataError
from stylobate.linear_model import (
    ElasticNetCV,
    HuberRegressor,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskLassoCV,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
    RidgeCV,
    SGDClassifier,
)
from stylobate.splits import KFold

CUTS = [0, 1, 90, 91, 333, 600]


@pytest.fixture(params=["one window", "many windows"], autouse=True)
def small_windows(request, monkeypatch):
    if request.param == "many windows":
        monkeypatch.setattr(windows, "MOST_ROWS", 64)
        monkeypatch.setattr(windows, "UNIT_ROWS", 64)


def stream(X, y, w=None, cuts=CUTS):
    parts = [Batch(X[a:b], y[a:b], None if w is None else w[a:b]) for a, b in pairwise(cuts)]
    return Stream(lambda: iter(parts), "batches")


def data(n_targets=1, *, weighted=False, n=CUTS[-1], p=5, noise=1.0):
    rng = np.random.default_rng(11)
    X = rng.normal(size=(n, p)) * np.geomspace(0.5, 4.0, p) + np.linspace(-2.0, 5.0, p)
    Y = X @ rng.normal(size=(p, n_targets)) + 3.0 + noise * rng.normal(size=(n, n_targets))
    w = rng.integers(0, 4, n).astype(float) if weighted else None
    if w is not None:
        w[CUTS[0]] = w[CUTS[2]] = 0.0  # batches of a row that does not count
        w[128:192] = 0.0  # and such a window
    return X, (Y[:, 0] if n_targets == 1 else Y), w


def labels(n_classes=3, **options):
    X, _, w = data(**options)
    rng = np.random.default_rng(3)
    scores = (X - X.mean(axis=0)) @ rng.normal(size=(X.shape[1], n_classes))
    codes = (scores + 3.0 * rng.gumbel(size=scores.shape)).argmax(axis=1)
    return X, np.array([f"class {k}" for k in range(n_classes)])[codes], w


def agree(model, X, y, w, names, tolerance=1e-10):
    """Fit to both; compare the attributes; return the one fitted to the stream."""
    rows = stream(X, y, w)
    found = clone(model).fit(rows)
    expected = clone(model).fit(X, y, sample_weight=w)
    for name in names:
        a, b = np.asarray(getattr(expected, name)), np.asarray(getattr(found, name))
        if a.dtype.kind != "f":
            assert np.array_equal(a, b), name
            continue
        assert np.abs(a - b).max() <= tolerance * np.abs(a).max(), name
    found.rows_ = rows
    return found


LEARNT = ["coef_", "intercept_"]


# --- ridge ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("solver", ["auto", "svd", "qr"])
def test_ridge_classifier(n_classes, weighted, class_weight, solver):
    X, y, w = labels(n_classes, weighted=weighted)
    model = RidgeClassifier(0.7, class_weight=class_weight, solver=solver)
    assert model._tags().tier == "several passes"
    found = agree(model, X, y, w, [*LEARNT, "classes_"])
    assert found.certificate_.optimal
    theirs = peer.RidgeClassifier(0.7, class_weight=class_weight).fit(X, y, w)
    if class_weight is None or w is None:  # theirs counts rows of weight zero as rows
        assert found.coef_ == pytest.approx(theirs.coef_, rel=1e-8)
    assert (found.predict(stream(X, y)) == clone(model).fit(X, y, w).predict(X)).all()
    assert not hasattr(model, "partial_fit")


def test_row_solvers_of_ridge_classifiers_need_the_rows():
    model = RidgeClassifier(solver="lsqr")
    assert model._tags().tier == "all rows"
    X, y, _ = labels()
    assert model.fit(stream(X, y)).coef_ == pytest.approx(clone(model).fit(X, y).coef_)


@pytest.mark.parametrize("kind", [RidgeClassifier, RidgeClassifierCV, LogisticRegression])
def test_a_class_that_comes_late_or_changes_is_refused(kind):
    X, y, _ = labels()
    passes = []

    def start():
        passes.append(None)
        late = y if len(passes) == 1 else np.where(np.arange(len(y)) == 400, "another", y)
        return (Batch(X[a:b], late[a:b]) for a, b in pairwise(CUTS))

    with pytest.raises(InvalidDataError, match=r"the class 'another'|changed|same rows"):
        kind().fit(Stream(start, "batches"))
    with pytest.raises(InvalidDataError, match="2 classes"):
        kind().fit(stream(X, np.array(["same"] * len(y))))


@pytest.mark.parametrize("n_targets", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("per_target", [False, True])
def test_leave_one_out(n_targets, weighted, intercept, per_target):
    X, y, w = data(n_targets, weighted=weighted, noise=20.0)
    model = RidgeCV(
        np.geomspace(1e-2, 1e4, 9), fit_intercept=intercept, alpha_per_target=per_target
    )
    assert model._tags().tier == "several passes"
    found = agree(model, X, y, w, [*LEARNT, "alpha_", "best_score_", "cv_scores_"])
    assert found.certificate_.optimal
    if w is None:
        theirs = peer.RidgeCV(
            np.geomspace(1e-2, 1e4, 9), fit_intercept=intercept, alpha_per_target=per_target
        ).fit(X, y)
        assert np.asarray(found.alpha_) == pytest.approx(theirs.alpha_)
        assert np.asarray(found.best_score_) == pytest.approx(theirs.best_score_, rel=1e-9)


def test_leave_one_out_of_more_columns_than_rows():
    X, y, _ = data(n=600, p=5)
    X, y = np.hstack([X, np.random.default_rng(0).normal(size=(600, 60))])[:40], y[:40]
    model = RidgeCV([0.1, 10.0, 100.0])
    found = clone(model).fit(stream(X, y, cuts=[0, 7, 40]))
    expected = clone(model).fit(X, y)
    assert found.cv_scores_ == pytest.approx(expected.cv_scores_, rel=1e-9)
    assert found.coef_ == pytest.approx(expected.coef_, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error"])
@pytest.mark.parametrize("weighted", [False, True])
def test_folds_of_ridge_are_those_of_memory(scoring, weighted):
    X, y, w = data(2, weighted=weighted)
    model = RidgeCV([0.1, 10.0, 1000.0], cv=4, scoring=scoring)
    assert model._tags().tier == "several passes"
    agree(model, X, y, w, [*LEARNT, "alpha_", "cv_scores_", "best_score_"])


def test_folds_of_ridge_whose_moments_lack_digits():
    X, y, _ = data(noise=1e-7)  # errors that are tiny next to the targets
    X[:, 4] = X[:, 0] + 1e-6 * X[:, 4]  # columns that are nearly dependent
    model = RidgeCV([1e-13, 1.0], cv=3)
    found, expected = clone(model).fit(stream(X, y)), clone(model).fit(X, y)
    assert 1.0 - found.cv_scores_ == pytest.approx(1.0 - expected.cv_scores_, rel=1e-4)
    assert found.alpha_ == expected.alpha_


@pytest.mark.parametrize(
    "model",
    [
        RidgeCV(store_cv_results=True),
        RidgeCV(scoring="r2"),
        RidgeCV(cv=KFold(3, shuffle=True, random_state=0)),
        RidgeCV(cv=3, scoring="neg_median_absolute_error"),
        RidgeClassifierCV(cv=3),
        LassoCV(cv=KFold(3, shuffle=True, random_state=0)),
        LassoCV(precompute=False),
        LogisticRegressionCV(l1_ratios=[1.0], solver="saga"),
        QuantileRegressor(solver="highs"),
        SGDClassifier(early_stopping=True),
    ],
    ids=str,
)
def test_what_needs_the_rows_says_so(model):
    assert model._tags().tier == "all rows"
    assert not hasattr(model, "fit_batches")


@pytest.mark.parametrize("n_classes", [2, 3])
def test_ridge_classifier_chooses_its_penalty(n_classes):
    X, y, _ = labels(n_classes)
    model = RidgeClassifierCV(np.geomspace(1e-2, 1e4, 7))
    found = agree(model, X, y, None, [*LEARNT, "alpha_", "best_score_", "classes_"])
    theirs = peer.RidgeClassifierCV(np.geomspace(1e-2, 1e4, 7)).fit(X, y)
    assert found.alpha_ == pytest.approx(theirs.alpha_)


def test_few_rows_are_solved_alike_in_memory_and_from_a_stream():
    X, y, _ = data(n=600, p=3)
    for model in (LinearRegression(), Ridge(0.3)):
        found, expected = clone(model).fit(stream(X, y)), clone(model).fit(X, y)
        assert "32-digit" in found.solver_reason_
        assert found.solver_reason_ == expected.solver_reason_
        assert found.coef_ == pytest.approx(expected.coef_, rel=1e-15)


# --- lasso ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        LassoCV(),
        LassoCV(cv=7, fit_intercept=False),
        LassoCV(positive=True, alphas=[3.0, 0.3, 0.03]),
        ElasticNetCV(l1_ratio=[0.2, 0.9], cv=3),
    ],
    ids=str,
)
def test_lasso_chooses_as_in_memory(model, weighted):
    X, y, w = data(weighted=weighted)
    assert model._tags().tier == "several passes"
    names = [*LEARNT, "alpha_", "alphas_", "mse_path_"]
    found = agree(model, X, y, w, names, tolerance=1e-8)  # paths end at a gap of tol
    assert found.certificate_.relative_gap <= 1e-6
    assert "batches" in found.solver_reason_
    assert found.rows_.passes <= 3


def test_lasso_from_files_counts_no_rows(tmp_path):
    import polars

    import stylobate

    X, y, _ = data()
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])} | {"y": y}
    polars.DataFrame(columns).write_parquet(tmp_path / "rows.parquet", row_group_size=100)
    found = LassoCV().fit(stylobate.read(tmp_path / "rows.parquet"), target="y")
    assert found.alpha_ == pytest.approx(LassoCV().fit(X, y).alpha_, rel=1e-10)


def test_several_targets_choose_together():
    X, Y, w = data(3, weighted=True)
    model = MultiTaskLassoCV(alphas=20)
    agree(model, X, Y, w, [*LEARNT, "alpha_", "mse_path_"], tolerance=1e-7)


def test_errors_of_folds_whose_moments_lack_digits():
    X, y, _ = data(noise=1e-6)
    y = y + 1e4
    alphas = [1e-3, 1e-9, 1e-10]
    found = LassoCV(alphas=alphas, tol=1e-12).fit(stream(X, y))
    expected = LassoCV(alphas=alphas, tol=1e-12).fit(X, y)
    assert found.alpha_ == expected.alpha_
    assert found.mse_path_ == pytest.approx(expected.mse_path_, rel=1e-3)


def test_more_folds_than_rows():
    X, y, _ = data()
    rows = stream(X, y, cuts=[0, 2, 3])
    for model in (LassoCV(), RidgeCV(cv=5)):
        with pytest.raises(InvalidDataError, match=r"5 folds need at least 5 rows"):
            clone(model).fit(rows)


def test_folds_without_a_row_that_counts():
    X, y, _ = data()
    w = np.ones(600)
    w[:130] = 0.0
    with pytest.raises(InvalidDataError, match="fold 0"):
        RidgeCV(cv=5).fit(stream(X, y, w))


def test_weights_that_are_all_zero_are_refused():
    X, y, _ = data()
    for model in (Ridge(), RidgeCV(), LassoCV(), HuberRegressor()):
        with pytest.raises(InvalidDataError, match="zero everywhere"):
            model.fit(stream(X, y, np.zeros(600)))


# --- several classes ------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("intercept", [False, True])
def test_softmax(weighted, class_weight, intercept):
    X, y, w = labels(4, weighted=weighted)
    model = LogisticRegression(C=0.3, class_weight=class_weight, fit_intercept=intercept)
    found = agree(model, X, y, w, [*LEARNT, "classes_"], tolerance=1e-7)
    assert found.certificate_.optimal
    assert found.certificate_.primal == pytest.approx(
        clone(model).fit(X, y, sample_weight=w).certificate_.primal, rel=1e-12
    )
    assert found.solver_ == "newton-cholesky"
    assert "one pass per Newton step" in found.solver_reason_
    # the classes, the steps, and the bound that proves the last
    assert found.rows_.passes <= 2 * found.n_iter_[0] + 4
    theirs = peer.LogisticRegression(
        C=0.3, class_weight=class_weight, fit_intercept=intercept, tol=1e-10, max_iter=5000
    ).fit(X, y, w)
    if class_weight is None or w is None:
        assert found.coef_ == pytest.approx(theirs.coef_, abs=1e-5)


def test_softmax_of_many_parameters(monkeypatch):
    from stylobate.optimize.logistic import softmax_passes

    monkeypatch.setattr(softmax_passes, "HESSIAN_SIZE", 10)
    X, y, w = labels(4, weighted=True)
    model = LogisticRegression(C=0.3, tol=1e-10)
    found = agree(model, X, y, w, LEARNT, tolerance=1e-5)
    assert found.certificate_.relative_gap <= 1e-10
    assert found.solver_ == "lbfgs"
    assert "one pass per gradient" in found.solver_reason_


def test_softmax_without_a_penalty():
    X, y, _ = labels(3)
    model = LogisticRegression(C=np.inf)
    found = agree(model, X, y, None, LEARNT, tolerance=1e-7)
    expected = clone(model).fit(X, y).summary()
    errors = found.summary().coefficients.std_error
    assert errors == pytest.approx(expected.coefficients.std_error, rel=1e-6)


def test_classes_that_a_stream_separates_are_told_of():
    X, _, _ = data()
    y = np.digitize(X[:, 0], np.quantile(X[:, 0], [0.3, 0.6]))
    with pytest.warns(ConvergenceWarning, match=r"grow|separate"):
        LogisticRegression(C=np.inf).fit(stream(X, y))


# --- Huber ----------------------------------------------------------------------------------------


def outliers(*, weighted=False):
    X, y, w = data(weighted=weighted)
    y = y.copy()
    y[::7] += 60.0 * np.sign(np.sin(np.arange(len(y[::7]))))
    return X, y, w


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("options", [{}, {"epsilon": 1.05}, {"alpha": 0.0}, {"alpha": 30.0},
    {"scale": 2.0, "epsilon": 0.5}, {"scale": 0.01}], ids=str)  # fmt: skip
def test_huber(weighted, intercept, options):
    X, y, w = outliers(weighted=weighted)
    model = HuberRegressor(fit_intercept=intercept, **options)
    assert model._tags().tier == "one pass per iteration"
    found = agree(model, X, y, w, [*LEARNT, "scale_", "outliers_"], tolerance=1e-8)
    expected = clone(model).fit(X, y, w)
    proof = found.certificate_
    assert proof.relative_gap <= 1e-8
    assert proof.primal == pytest.approx(expected.certificate_.primal, rel=1e-10)
    assert proof.dual <= proof.primal * (1 + 1e-12)
    assert "batches" in found.solver_reason_
    assert found.rows_.passes <= 2 * found.n_iter_ + 8


def test_huber_against_scikit_learn():
    X, y, _ = outliers()
    found = HuberRegressor(alpha=0.5).fit(stream(X, y))
    theirs = peer.HuberRegressor(alpha=0.5, tol=1e-9, max_iter=10000).fit(X, y)
    assert found.coef_ == pytest.approx(theirs.coef_, abs=1e-4)
    assert found.scale_ == pytest.approx(theirs.scale_, rel=1e-4)


def test_huber_says_when_it_has_not_finished():
    X, y, _ = outliers()
    with pytest.warns(ConvergenceWarning):
        found = HuberRegressor(max_iter=1).fit(stream(X, y))
    assert found.certificate_.relative_gap > 1e-5
    best = HuberRegressor().fit(X, y).certificate_.primal
    proof = found.certificate_
    assert proof.primal - proof.gap <= best <= proof.primal  # the bound is one


def test_huber_goes_on_from_the_last_answer():
    X, y, _ = outliers()
    model = HuberRegressor(warm_start=True).fit(stream(X, y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = clone(model).set_params(warm_start=True).fit(X, y).fit(stream(X, y))
    assert again.n_iter_ <= 2
    assert again.coef_ == pytest.approx(model.coef_, rel=1e-9)
