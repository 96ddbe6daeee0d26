"""Linear models."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.accelerate.adapter import Allowed
from stylobate.accelerate.fits import Data, FitAdapter, numpy_scalars
from stylobate.accelerate.values import folds, grid, many_steps, number_or_grid, positive

_NUMBERS = {"y_numeric": True, "multi_output": True}
_ONE = {"y_numeric": True}
_DESCENT = ("fit_intercept", "tol", "positive", "copy_X", "random_state")
_STEPS: dict[str, Allowed] = {
    "max_iter": many_steps, "precompute": (False, True, "auto"), "selection": ("cyclic",),
}  # fmt: skip


def _one_target(model: Any, data: Data) -> str | None:
    return None if data.y.ndim == 1 else "several targets"


def _short(model: Any, data: Data) -> str | None:
    """Without more rows than columns no second moments are kept, which `singular_` is made of."""
    return "fewer rows than twice the columns" if len(data.X) < 2 * data.X.shape[1] else None


def _ridge(theirs: Any, ours: Any, data: Data) -> None:
    theirs.n_iter_ = None
    theirs.solver_ = "cholesky" if theirs.solver == "auto" else theirs.solver


def _slow(model: Any, data: Data) -> str | None:
    """L-BFGS stops early at its default tolerance, which only long tables make slower than ours."""
    if model.solver != "lbfgs":
        return None
    if len(np.unique(data.y)) > 2:
        return "several classes with solver='lbfgs'"
    return "fewer than 500 rows a column" if len(data.X) < 500 * data.X.shape[1] else None


def _descended(name: str, *more: str) -> FitAdapter:
    return FitAdapter(
        "linear_model", name, ("coef_", "intercept_", "n_iter_", "dual_gap_"),
        free=(*_DESCENT, *more), fixed={"alpha": positive, **_STEPS},
        checks=_NUMBERS, odd=_one_target, finish=numpy_scalars("dual_gap_", "intercept_"),
        smallest=100_000,
    )  # fmt: skip


def _cross_validated(name: str, learnt: tuple[str, ...], **fixed: Any) -> FitAdapter:
    return FitAdapter(
        "linear_model", name,
        ("alpha_", "alphas_", "coef_", "intercept_", "mse_path_", "n_iter_", "dual_gap_", *learnt),
        free=(*_DESCENT, "eps", "n_alphas", "n_jobs"),
        fixed={"alphas": grid, "cv": folds, **_STEPS, **fixed},
        checks=_ONE, odd=_one_target, smallest=2_000,
        finish=numpy_scalars("alpha_", "dual_gap_", "intercept_", *learnt),
    )  # fmt: skip


LINEAR = (
    FitAdapter(
        "linear_model", "LinearRegression", ("coef_", "intercept_", "rank_", "singular_"),
        free=("fit_intercept", "copy_X", "n_jobs", "tol"), checks=_NUMBERS, smallest=50_000,
        odd=_short,
    ),
    FitAdapter(
        "linear_model", "Ridge", ("coef_", "intercept_"),
        free=("fit_intercept", "copy_X", "tol", "max_iter", "random_state"),
        fixed={"alpha": positive, "solver": ("auto", "cholesky", "svd")},
        checks=_NUMBERS, finish=_ridge, smallest=100_000,
    ),
    FitAdapter(
        "linear_model", "RidgeCV", ("alpha_", "coef_", "intercept_", "best_score_"),
        free=("fit_intercept", "gcv_mode"), fixed={"alphas": number_or_grid},
        checks=_NUMBERS, odd=_one_target, finish=numpy_scalars("best_score_", "intercept_"),
        smallest=100_000,
    ),
    _descended("Lasso"),
    _descended("ElasticNet", "l1_ratio"),
    _cross_validated("LassoCV", ()),
    _cross_validated("ElasticNetCV", ("l1_ratio_",), l1_ratio=number_or_grid),
    FitAdapter(
        "linear_model", "HuberRegressor", ("coef_", "intercept_", "scale_", "outliers_", "n_iter_"),
        free=("epsilon", "max_iter", "alpha", "fit_intercept", "tol"),
        checks=_ONE, finish=numpy_scalars("intercept_", "scale_"), smallest=400_000,
    ),
    FitAdapter(
        "linear_model", "QuantileRegressor", ("coef_", "intercept_", "n_iter_"),
        free=("quantile", "alpha", "fit_intercept"), instead={"solver": "auto"},
        fixed={"solver": ("highs", "highs-ds", "highs-ipm")},
        checks=_ONE, finish=numpy_scalars("intercept_"), smallest=2_000,
    ),
    FitAdapter(
        "linear_model", "LogisticRegression", ("classes_", "coef_", "intercept_", "n_iter_"),
        free=(
            "C", "fit_intercept", "intercept_scaling", "class_weight", "tol", "max_iter",
            "random_state", "n_jobs",
        ),
        fixed={"solver": ("lbfgs", "newton-cholesky")}, classifies=True, odd=_slow,
        smallest=200_000,
    ),
)  # fmt: skip
