"""ℓ1 and elastic-net penalties and random solvers of logistic regression, against scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression as Theirs

from stylobate.linear_model import LogisticRegression


def problem(n_classes: int):
    generator = np.random.default_rng(0)
    x = generator.standard_normal((200, 5))
    scores = x @ generator.standard_normal((5, n_classes)) + generator.gumbel(size=(200, n_classes))
    return x, scores.argmax(axis=1)


def theirs(x, y, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Theirs(**({"tol": 1e-10, "max_iter": 20_000} | options)).fit(x, y)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("l1_ratio", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_coordinate_descent(n_classes, l1_ratio, form):
    x, y = problem(n_classes)
    model = LogisticRegression(
        C=0.1, l1_ratio=l1_ratio, solver="coordinate_descent", tol=1e-8, max_iter=1000
    ).fit(form(x), y)
    reference = theirs(x, y, C=0.1, l1_ratio=l1_ratio, solver="saga")
    np.testing.assert_allclose(model.coef_, reference.coef_, atol=2e-4)
    np.testing.assert_allclose(model.intercept_, reference.intercept_, atol=2e-4)
    assert model.certificate_.optimal
    assert model.solver_ == "coordinate_descent"


def test_auto_takes_coordinate_descent_for_l1():
    x, y = problem(2)
    model = LogisticRegression(C=0.05, l1_ratio=1.0).fit(x, y)
    assert model.solver_ == "coordinate_descent"
    assert (model.coef_ == 0.0).any()


def test_liblinear_with_l1():
    x, y = problem(2)
    options = {"solver": "liblinear", "l1_ratio": 1.0, "C": 0.3}
    ours = LogisticRegression(tol=1e-8, **options).fit(x, y)
    np.testing.assert_allclose(ours.coef_, theirs(x, y, **options).coef_, atol=2e-3)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("solver", "l1_ratio"), [("sag", 0.0), ("saga", 0.0), ("saga", 0.5)])
def test_random_solvers(n_classes, solver, l1_ratio):
    x, y = problem(n_classes)
    model = LogisticRegression(
        solver=solver, l1_ratio=l1_ratio, tol=1e-7, max_iter=2000, random_state=0
    ).fit(x, y)
    exact = LogisticRegression(l1_ratio=l1_ratio, tol=1e-8).fit(x, y)
    np.testing.assert_allclose(model.coef_, exact.coef_, atol=1e-2)
    assert model.solver_ == solver
    assert model.certificate_.relative_gap <= 1e-6
