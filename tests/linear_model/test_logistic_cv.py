"""LogisticRegressionCV: the same attributes and values as scikit-learn, and its own paths."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.linear_model import LogisticRegression, LogisticRegressionCV
from stylobate.optimize.logistic import solve_elastic_net

ATTRIBUTES = ("Cs_", "l1_ratios_", "C_", "l1_ratio_", "coef_", "intercept_", "scores_",
              "coefs_paths_")  # fmt: skip
CS = [0.1, 1.0, 5.0]


def data(k: int, n: int = 90) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(k)
    x = rng.normal(size=(n, 4))
    z = (1.5 * x[:, 0] + rng.normal(size=n) + 1.5) * k / 3
    y = np.array(["ape", "bee", "cat"])[z.clip(0, k - 1).astype(int)]
    return x, y, rng.uniform(0.2, 2.0, n)


def scikit_learn(**options: Any) -> Any:
    from sklearn.linear_model import LogisticRegressionCV as Theirs

    return Theirs(tol=1e-8, max_iter=20_000, **options)


def quietly(model: Any, *arguments: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return model.fit(*arguments)


def same(theirs: Any, ours: Any, tolerance: float) -> bool:
    if isinstance(theirs, dict):
        return list(theirs) == list(ours) and all(
            same(theirs[key], ours[key], tolerance) for key in theirs
        )
    if isinstance(theirs, np.ndarray) and theirs.dtype != object:
        return theirs.shape == ours.shape and np.allclose(
            theirs, ours.astype(float), atol=tolerance
        )
    return type(theirs) is type(ours) and bool(np.all(theirs == ours))


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    ("options", "weighted"),
    [
        ({}, False),
        ({"scoring": "neg_log_loss", "class_weight": "balanced"}, True),
        ({"refit": False, "scoring": "neg_log_loss"}, True),
        ({"l1_ratios": [0.0], "use_legacy_attributes": False, "scoring": "neg_log_loss"}, False),
        ({"fit_intercept": False, "use_legacy_attributes": False, "refit": False}, True),
    ],
)
def test_l2_paths_are_those_of_scikit_learn(
    k: int, options: dict[str, Any], weighted: bool
) -> None:
    x, y, weights = data(k)
    weights = weights if weighted else None
    theirs = quietly(scikit_learn(Cs=CS, cv=4, **options), x, y, weights)
    ours = LogisticRegressionCV(Cs=CS, cv=4, **options).fit(x, y, weights)
    for name in ATTRIBUTES:
        assert same(getattr(theirs, name), getattr(ours, name), 1e-3), name
    assert ours.n_iter_.shape == theirs.n_iter_.shape
    assert ours.n_iter_.dtype == np.int32
    assert ours.score(x, y, weights) == pytest.approx(
        theirs.score(x, y, sample_weight=weights), abs=1e-4
    )
    assert np.allclose(ours.predict_proba(x), theirs.predict_proba(x), atol=1e-4)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("refit", [True, False])
def test_elastic_net_paths_are_those_of_saga(k: int, refit: bool) -> None:
    x, y, _ = data(k)
    options: dict[str, Any] = {
        "Cs": CS,
        "cv": 3,
        "l1_ratios": np.array([0.3, 0.8]),
        "scoring": "neg_log_loss",
        "refit": refit,
    }
    theirs = quietly(scikit_learn(solver="saga", **options), x, y)
    for legacy in (True, False):
        ours = LogisticRegressionCV(use_legacy_attributes=legacy, **options).fit(x, y)
        if legacy:
            for name in ATTRIBUTES:
                assert same(getattr(theirs, name), getattr(ours, name), 5e-3), name
            assert ours.n_iter_.shape == theirs.n_iter_.shape
        else:
            assert ours.scores_.shape == ours.n_iter_.shape == (3, 2, 3)
            assert ours.coefs_paths_.shape == (3, 2, 3, 1 if k == 2 else 3, 5)
            assert isinstance(ours.C_, float)
            assert isinstance(ours.l1_ratio_, float)


def test_every_fold_is_a_fit_of_its_rows() -> None:
    x, y, _ = data(2)
    rows = np.arange(90)
    folds = [(rows[rows % 3 != r], rows[rows % 3 == r]) for r in range(3)]
    ours = LogisticRegressionCV(
        Cs=CS, l1_ratios=[1.0], cv=folds, use_legacy_attributes=False, tol=1e-8
    ).fit(x, y)
    codes = (y == "bee").astype(np.int64)
    for f, (train, test) in enumerate(folds):
        for c, strength in enumerate(CS):
            alone = solve_elastic_net(
                x[train], codes[train], 2, None, l1=1 / strength, l2=0.0, fit_intercept=True,
                tol=1e-10, max_iter=100,
            )  # fmt: skip
            path = ours.coefs_paths_[f, 0, c, 0]
            assert np.allclose(path, [*alone.coef[0], alone.intercept[0]], atol=1e-4)
            hits = (x[test] @ path[:4] + path[4] > 0) == (codes[test] == 1)
            assert ours.scores_[f, 0, c] == pytest.approx(hits.mean())


def test_refit_is_logistic_regression_at_the_choice() -> None:
    x, y, weights = data(3)
    chosen = LogisticRegressionCV(
        Cs=CS, l1_ratios=[0.0, 1.0], scoring="neg_log_loss", use_legacy_attributes=False
    ).fit(x, y, weights)
    alone = LogisticRegression(C=chosen.C_, l1_ratio=chosen.l1_ratio_).fit(x, y, weights)
    assert (chosen.coef_ == alone.coef_).all()
    assert chosen.certificate_ == alone.certificate_
    mean = chosen.scores_.mean(axis=0)
    ratio, c = np.unravel_index(mean.argmax(), mean.shape)
    assert (chosen.l1_ratio_, chosen.C_) == ([0.0, 1.0][ratio], CS[c])


def test_equal_scores_choose_the_first() -> None:
    x, y = np.zeros((40, 2)), np.arange(40) % 2
    ours = LogisticRegressionCV(Cs=[1.0, 0.1, 10.0], cv=4, l1_ratios=[0.2, 0.7]).fit(x, y)
    assert ours.C_[0] == 1.0
    assert ours.l1_ratio_[0] == 0.2


def test_threads_and_sparse_rows_change_nothing() -> None:
    x, y, _ = data(3)
    x[np.abs(x) < 0.5] = 0.0
    options: dict[str, Any] = {"Cs": 3, "l1_ratios": [0.0, 1.0], "use_legacy_attributes": False}
    one = LogisticRegressionCV(**options).fit(x, y)
    two = LogisticRegressionCV(n_jobs=2, **options).fit(x, y)
    thin = LogisticRegressionCV(**options).fit(sparse.csr_array(x), y)
    assert (one.coefs_paths_ == two.coefs_paths_).all()
    assert (one.scores_ == two.scores_).all()
    assert np.allclose(one.scores_, thin.scores_)
    assert one.C_ == thin.C_


def test_scoring_may_be_a_function() -> None:
    x, y, weights = data(2)

    def share_of_bees(estimator: Any, X: Any, y: Any) -> float:
        return float((estimator.predict(X) == "bee").mean())

    ours = LogisticRegressionCV(Cs=CS, scoring=share_of_bees).fit(x, y, weights)
    assert ours.score(x, y) == share_of_bees(ours, x, y)


def test_what_does_not_go_together_is_refused() -> None:
    x, y, _ = data(3)
    with pytest.raises(InvalidParameterError, match="lbfgs"):
        LogisticRegressionCV(l1_ratios=[0.5], solver="lbfgs").fit(x, y)
    with pytest.raises(InvalidDataError, match="liblinear"):
        LogisticRegressionCV(solver="liblinear").fit(x, y)
    with pytest.raises(InvalidParameterError, match="l1_ratios"):
        LogisticRegressionCV(penalty="elasticnet").fit(x, y)
    for bad in ({"Cs": [-1.0]}, {"Cs": []}, {"l1_ratios": [2.0]}, {"l1_ratios": []}, {"cv": 1}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            LogisticRegressionCV(**bad).fit(x, y)


def test_says_when_folds_did_not_converge() -> None:
    x, y, _ = data(2)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        LogisticRegressionCV(Cs=CS, max_iter=1, l1_ratios=[1.0]).fit(x, y)
    assert all(issubclass(each.category, ConvergenceWarning) for each in said)
    assert "of the 15 fits to folds" in str(said[0].message)
