"""The same bits for any number of threads; the caller's arrays stay as they are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from stylobate.linear_model import ConstrainedRidge, LinearRegression, Ridge, RidgeCV
from stylobate.parallel import threads

SOLVERS = ("auto", "cholesky", "qr", "svd", "lsqr", "sparse_cg", "gradient_descent")
MODELS = [
    *(LinearRegression(solver=solver) for solver in SOLVERS),
    *(Ridge(0.5, solver=solver) for solver in SOLVERS),
    LinearRegression(positive=True),
    Ridge(positive=True, solver="lbfgs", tol=1e-3),
    ConstrainedRidge(0.5),
    RidgeCV(),
    RidgeCV(cv=5),
    RidgeCV(cv="gcv"),
]
EACH = pytest.mark.parametrize("model", MODELS, ids=str)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 6)) + 2.0
    Y = X @ rng.normal(size=(6, 2)) + rng.normal(size=(20_000, 2))
    return X, Y, rng.uniform(0.5, 2.0, 20_000)


def bits(model):
    proof = model.certificate_
    return [model.coef_.tobytes(), np.asarray(model.intercept_).tobytes(), proof.gap, proof.primal]


@EACH
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_threads(model, kind, rows):
    X, Y, w = rows
    X = kind(X[:9000]) if kind is sparse.csr_array else X
    n = X.shape[0]
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(bits(model.fit(X, Y[:n], w[:n])))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), RidgeCV(cv=3)], ids=str)
def test_threads_with_many_columns(model):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(900, 700)), rng.normal(size=900)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(bits(model.fit(X, y)))
    assert found[0] == found[1] == found[2]


def test_threads_and_inference(rows):
    X, Y, w = rows
    model = LinearRegression().fit(X, Y[:, 0], w)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(model.leverages(X, w).tobytes())
    assert found[0] == found[1] == found[2]


@EACH
def test_arrays_stay_as_they_are(model, rows):
    X, Y, w = (each[:3000].copy() for each in rows)
    kept = X.copy(), Y.copy(), w.copy()
    for each in (X, Y, w):
        each.flags.writeable = False
    model.fit(X, Y, w).predict(X)
    assert all(np.array_equal(a, b) for a, b in zip((X, Y, w), kept, strict=True))
    csr = sparse.csr_array(kept[0])
    copy = csr.copy()
    model.fit(csr, Y, w)
    assert np.array_equal(csr.data, copy.data)
    assert np.array_equal(csr.indices, copy.indices)


@EACH
def test_what_a_fit_says(model, rows):
    X, Y, _ = rows
    model.fit(X[:500], Y[:500])
    assert model.solver_
    assert len(model.solver_reason_) > 4
    assert model.certificate_.verdict.endswith(".")
    assert model.n_iter_ >= 1
    assert (model.trace_ is not None) == (
        model.solver_ in ("gradient_descent", "sparse_cg", "lsqr")
    )
    assert model.coef_.shape == (2, 6)
    assert model.intercept_.shape == (2,)
    one = model.fit(X[:500], Y[:500, 0])
    assert one.coef_.shape == (6,)
    assert isinstance(one.intercept_, float)


@pytest.mark.parametrize(
    ("shape", "kind", "alpha", "solver", "words"),
    [
        ((50, 3), np.asarray, 0.0, "qr", "32-digit"),
        ((5000, 3), np.asarray, 0.0, "cholesky", "moments"),
        ((10, 30), np.asarray, 0.0, "svd", "least norm"),
        ((10, 30), np.asarray, 1.0, "cholesky", "space of the rows"),
        ((2500, 2100), sparse.csr_array, 0.0, "lsqr", "Gram is too large"),
        ((2500, 2100), sparse.csr_array, 1.0, "sparse_cg", "Gram is too large"),
    ],
)
def test_the_choice_and_its_reason(shape, kind, alpha, solver, words):
    rng = np.random.default_rng(2)
    X = rng.normal(size=shape)
    if kind is sparse.csr_array:
        X[rng.random(shape) < 0.98] = 0.0
    y = X[:, 0] + rng.normal(size=shape[0])
    model = (Ridge(alpha) if alpha else LinearRegression()).fit(kind(X), y)
    assert model.solver_ == solver
    assert words in model.solver_reason_
