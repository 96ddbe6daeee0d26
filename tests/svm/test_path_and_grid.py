"""The path over C and the grid of C and γ, against single fits and scikit-learn's grid search."""

import numpy as np
import pytest
import sklearn.svm
from scipy import sparse
from sklearn.model_selection import GridSearchCV

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels import Laplacian
from stylobate.splits import StratifiedKFold
from stylobate.svm import SVC, SVCCV, svc_path

CS, GAMMAS = np.array([0.1, 1.0, 10.0, 100.0]), np.array([0.01, 0.1, 1.0])
TOL = 1e-6


@pytest.fixture(scope="module", params=[2, 3])
def rows(request):
    rng = np.random.default_rng(request.param)
    k, n = request.param, 120
    codes = np.arange(n) % k
    X = 1.1 * rng.normal(size=(k, 3))[codes] + rng.normal(size=(n, 3))
    return X, np.array(["ape", "bee", "cat"])[codes], rng.integers(0, 3, n) + 0.5


def grid(X, y, *, params=None, weights=None, cv=3, **options):
    scoring = options.pop("scoring", None)
    model = sklearn.svm.SVC(tol=TOL, **options)
    params = {"C": CS, "gamma": GAMMAS} if params is None else params
    return GridSearchCV(model, params, cv=cv, scoring=scoring).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("name", ["accuracy", "balanced", "roc_auc", "ties", "sparse", "poly"])
def test_grid_search_finds_the_same(rows, name):
    X, y, _ = rows
    options = {
        "accuracy": {},
        "balanced": {"class_weight": "balanced", "scoring": "balanced_accuracy"},
        "roc_auc": {"scoring": "roc_auc" if len(set(y)) == 2 else "f1_macro"},
        "ties": {"break_ties": True},
        "sparse": {},
        "poly": {"kernel": "poly", "coef0": 1.0, "degree": 2},
    }[name]
    given = sparse.csr_array(X) if name == "sparse" else X
    mine = SVCCV(CS, GAMMAS, cv=3, tol=TOL, **options).fit(given, y)
    other = grid(given, y, **options)
    for split in range(3):
        key = f"split{split}_test_score"
        np.testing.assert_allclose(mine.cv_results_[key], other.cv_results_[key], atol=1e-9)
    np.testing.assert_array_equal(mine.cv_results_["param_C"], other.cv_results_["param_C"])
    assert mine.best_score_ == pytest.approx(other.best_score_)
    # means of equal scores may differ by rounding, and so the first of the best
    chosen = other.cv_results_["mean_test_score"][mine.best_index_]
    assert chosen == pytest.approx(other.best_score_)
    options.pop("scoring", None)
    again = SVC(C=mine.C_, gamma=mine.gamma_, tol=TOL, **options).fit(given, y)
    np.testing.assert_array_equal(mine.support_, again.support_)
    np.testing.assert_array_equal(mine.decision_function(given), again.decision_function(given))
    assert mine.certificate_.relative_gap < 1e-6


def test_weights_of_rows(rows):
    X, y, weights = rows
    mine = SVCCV(CS, GAMMAS, cv=3, tol=TOL).fit(X, y, weights)
    train, test = next(iter(StratifiedKFold(3).split(X, y)))
    for place in (1, 7):
        chosen = {name: mine.cv_results_[f"param_{name}"][place] for name in ("C", "gamma")}
        other = sklearn.svm.SVC(tol=TOL, **chosen).fit(X[train], y[train], weights[train])
        want = other.score(X[test], y[test], weights[test])
        assert mine.cv_results_["split0_test_score"][place] == pytest.approx(want)


def test_kernels_that_are_not_shared_give_the_same(rows):
    X, y, _ = rows
    whole = SVCCV(CS, GAMMAS, cv=3, tol=TOL).fit(X, y)
    for cache_size in (0.08, 0.01):  # a pair of classes at a time, and nothing at all
        part = SVCCV(CS, GAMMAS, cv=3, tol=TOL, cache_size=cache_size).fit(X, y)
        assert part.best_index_ == whole.best_index_
        for key, values in whole.cv_results_.items():
            np.testing.assert_array_equal(part.cv_results_[key], values)
    jobs = SVCCV(CS, GAMMAS, cv=3, tol=TOL, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(jobs.dual_coef_, whole.dual_coef_)
    assert (jobs.C_, jobs.gamma_, jobs.best_score_) == (whole.C_, whole.gamma_, whole.best_score_)


def test_kernels_without_a_width(rows):
    X, y, _ = rows
    linear = SVCCV(CS, kernel="linear", cv=3, tol=TOL).fit(X, y)
    other = grid(X, y, params={"C": CS}, kernel="linear")
    np.testing.assert_allclose(
        linear.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"]
    )
    assert linear.gamma_ is None
    assert "param_gamma" not in linear.cv_results_
    kernel = Laplacian(0.3)
    value = SVCCV(CS, kernel=kernel, cv=3, tol=TOL).fit(X, y)
    given = SVCCV(CS, kernel="precomputed", cv=3, tol=TOL).fit(kernel(X, X), y)
    called = SVCCV(CS, kernel=lambda a, b: kernel(a, b), cv=3, tol=TOL).fit(X, y)
    for model in (given, called):
        np.testing.assert_array_equal(
            model.cv_results_["mean_test_score"], value.cv_results_["mean_test_score"]
        )
    np.testing.assert_array_equal(called.predict(X), value.predict(X))


def test_own_scorers_and_splits(rows):
    X, y, _ = rows
    seen = []

    def scorer(model, data, truth):
        seen.append(len(data))
        return float(np.mean(model.predict(data) == truth))

    folds = list(StratifiedKFold(4, shuffle=True, random_state=0).split(X, y))
    mine = SVCCV([1.0], 3, cv=folds, scoring=scorer).fit(X, y)
    assert seen == [30] * 12
    assert mine.n_splits_ == 4
    plain = SVCCV([1.0], 3, cv=folds).fit(X, y)
    np.testing.assert_array_equal(
        mine.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )


def test_a_class_that_a_fold_lacks():
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 2)) + 4 * np.eye(3)[codes][:, :2]
    folds = [(np.arange(40), np.arange(40, 60)), (np.arange(20, 60), np.arange(20))]
    mine = SVCCV([1.0], [0.5], cv=folds, class_weight="balanced").fit(X, codes)
    assert mine.best_score_ == 0.0  # neither fold can know the class of its test rows


def test_refusals(rows):
    X, y, _ = rows
    for wrong in ({"Cs": [0.0, 1.0]}, {"Cs": [np.inf]}, {"gammas": [-1.0]}, {"cv": 1}):
        with pytest.raises(InvalidParameterError):
            SVCCV(**wrong).fit(X, y)
    with pytest.raises(InvalidDataError, match="fewer than two classes"):
        SVCCV(cv=[(np.flatnonzero(y == "ape"), np.arange(9))]).fit(X, y)
    with pytest.raises(InvalidDataError, match=r"^SVCCV: The number of classes"):
        SVCCV().fit(X, np.zeros(len(X)))
    with pytest.raises(InvalidParameterError, match="no option of a path"):
        svc_path(X, y, C=1.0)
    with pytest.raises(InvalidParameterError, match="above 0"):
        svc_path(X, y, [-1.0])


@pytest.mark.parametrize("weighted", [False, True])
def test_path_is_that_of_single_fits(rows, weighted):
    X, y, weights = rows
    weights = weights if weighted else None
    path = svc_path(X, y, CS, gamma=0.3, class_weight="balanced", sample_weight=weights)
    steps = 0
    for place, C in enumerate(CS):
        single = SVC(C=C, gamma=0.3, class_weight="balanced").fit(X, y, weights)
        model = path.models[place]
        np.testing.assert_array_equal(model.support_, single.support_)
        np.testing.assert_allclose(
            model.decision_function(X), single.decision_function(X), atol=1e-8
        )
        np.testing.assert_allclose(path.coefs[place][:, model.support_], model.dual_coef_)
        np.testing.assert_array_equal(path.n_support[place], single.n_support_)
        assert path.certificates[place].relative_gap < 1e-6
        steps += int(single.n_iter_.sum())
    assert (np.diff(path.margins, axis=0) < 1e-9).all()  # ‖w‖ grows with C
    assert path.n_iter.sum() < 1.2 * steps
    few = svc_path(X, y, CS, gamma=0.3, cache_size=0.01)
    np.testing.assert_allclose(few.intercepts, svc_path(X, y, CS, gamma=0.3).intercepts, atol=2e-3)
