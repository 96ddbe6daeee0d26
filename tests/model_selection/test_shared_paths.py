"""Penalties of an elastic net on one training part share a path, and score as refits do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stylobate import config_context
from stylobate.exceptions import ConvergenceWarning
from stylobate.linear_model import ElasticNet, Lasso
from stylobate.model_selection import GridSearchCV, KFold, validation_curve
from stylobate.model_selection.fits.task import Task

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 120))
Y = X[:, :4] @ [3.0, -2.0, 1.0, 1.0] + RANDOM.normal(size=90)
ALPHAS = [0.02, 1.0, 0.1, 0.4]


@pytest.fixture
def refits(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The fits that were made one by one."""
    made: list[Any] = []
    plain = Task.run

    def counted(self: Task, estimator: Any, split: Any) -> Any:
        made.append(estimator)
        return plain(self, estimator, split)

    monkeypatch.setattr(Task, "run", counted)
    return made


@pytest.mark.parametrize(
    "model",
    [
        Lasso(tol=1e-12),
        ElasticNet(l1_ratio=0.3, tol=1e-12),
        Lasso(positive=True, tol=1e-12),
        ElasticNet(fit_intercept=False, tol=1e-12),
    ],
    ids=["lasso", "mixed", "positive", "no intercept"],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_those_of_refits(model: Any, weighted: bool, refits: list[Any]) -> None:
    """As near as the gaps let them be: scores move like a gap's square root."""
    params = {"sample_weight": RANDOM.uniform(size=90)} if weighted else None
    options = {"param_name": "alpha", "param_range": ALPHAS, "cv": 3, "params": params}
    shared = validation_curve(model, X, Y, **options)
    assert not refits
    with config_context(cross_validation="refit"):
        alone = validation_curve(model, X, Y, **options)
    assert len(refits) == 12
    np.testing.assert_allclose(np.array(shared), np.array(alone), rtol=0.0, atol=1e-7)


def test_fits_are_solved_to_the_same_gap() -> None:
    table = Lasso()._read(X, Y, reset=True)
    fitted = Lasso._fitted_together([Lasso(alpha) for alpha in ALPHAS], table)
    assert fitted is not None
    for model, alpha in zip(fitted, ALPHAS, strict=True):
        assert model.alpha == alpha
        residual = Y - model.predict(X)
        objective = residual @ residual / 180 + alpha * np.abs(model.coef_).sum()
        scale = min(1.0, alpha / np.abs(X.T @ residual / 90).max())
        point = residual * scale / 90  # feasible in the dual
        dual = point @ Y - 45.0 * point @ point
        assert objective - dual <= 1e-7 * objective
        assert model.certificate_.optimal


def test_searches_over_one_penalty_share_too(refits: list[Any]) -> None:
    folds = KFold(3)
    search = GridSearchCV(Lasso(), {"alpha": ALPHAS}, cv=folds).fit(X, Y)
    assert not refits
    with config_context(cross_validation="refit"):
        alone = GridSearchCV(Lasso(), {"alpha": ALPHAS}, cv=folds).fit(X, Y)
    assert search.best_params_ == alone.best_params_
    np.testing.assert_array_equal(search.best_estimator_.coef_, alone.best_estimator_.coef_)


def test_settings_that_differ_in_more_are_fitted_alone(refits: list[Any]) -> None:
    grid = {"alpha": [0.1, 0.4], "selection": ["cyclic", "random"]}
    GridSearchCV(Lasso(random_state=0), grid, cv=2).fit(X, Y)
    assert len(refits) == 8


def test_unfinished_fits_warn_one_by_one() -> None:
    options = {"param_name": "alpha", "param_range": [1e-4, 1e-3], "cv": 2}
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        validation_curve(Lasso(max_iter=1), X, Y, **options)


def test_refusals_are_those_of_single_fits() -> None:
    with pytest.raises(ValueError, match="alpha"):
        validation_curve(
            Lasso(), X, Y, param_name="alpha", param_range=[0.1, -1.0], error_score="raise"
        )
