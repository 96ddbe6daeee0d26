"""Stochastic gradient descent, step by step, against a transcription of its formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as theirs
from sklearn.exceptions import ConvergenceWarning

from stylobate.linear_model import SGDClassifier, SGDRegressor
from stylobate.parallel import threads

RNG = np.random.default_rng(7)
X = RNG.normal(size=(60, 7))
LABELS = (X @ RNG.normal(size=7) + RNG.normal(size=60) > 0).astype(int)
Y = X @ np.arange(7.0) + RNG.normal(size=60)
WEIGHTS = RNG.uniform(0.2, 2.0, 60)

GRADIENTS = {
    "hinge": lambda y, z: -y if y * z <= 1 else 0.0,
    "perceptron": lambda y, z: -y if y * z <= 0 else 0.0,
    "squared_hinge": lambda y, z: -2 * y * max(0.0, 1 - y * z),
    "modified_huber": lambda y, z: -4 * y if y * z < -1 else -2 * y * max(0.0, 1 - y * z),
    "log_loss": lambda y, z: -y / (1 + math.exp(y * z)),
    "squared_error": lambda y, z: z - y,
    "huber": lambda y, z: float(np.clip(z - y, -0.1, 0.1)),
    "epsilon_insensitive": lambda y, z: float(np.sign(z - y)) * (abs(z - y) > 0.1),
    "squared_epsilon_insensitive": lambda y, z: 2 * np.sign(z - y) * max(abs(z - y) - 0.1, 0),
}


def transcribed(x, y, gradient, *, epochs, eta, alpha=0.01, batch=1, weights=None, average=0):
    """w ← (1 − ηα)w − η·mean ω ℓ′ x, b ← b − η·mean ω ℓ′."""
    w, b, t = np.zeros(x.shape[1]), 0.0, 1
    total, total_b, count = np.zeros_like(w), 0.0, 0
    omega = np.ones(len(x)) if weights is None else weights
    for _ in range(epochs):
        for at in range(0, len(x), batch):
            rows = range(at, min(at + batch, len(x)))
            slopes = [omega[i] * gradient(y[i], x[i] @ w + b) / len(rows) for i in rows]
            step = eta(t)
            w = (1 - step * alpha) * w - step * sum(s * x[i] for s, i in zip(slopes, rows))
            b -= step * sum(slopes)
            if average and t >= average:
                total, total_b, count = total + w, total_b + b, count + 1
            t += 1
    return (total / count, total_b / count) if count else (w, b)


@pytest.mark.parametrize("loss", GRADIENTS)
def test_two_epochs_of_every_loss(loss):
    model = SGDClassifier(loss, alpha=0.01, shuffle=False, max_iter=2, tol=None,
                          learning_rate="constant", eta0=0.05).fit(X, LABELS)  # fmt: skip
    w, b = transcribed(X, 2 * LABELS - 1, GRADIENTS[loss], epochs=2, eta=lambda t: 0.05)
    np.testing.assert_allclose(model.coef_[0], w, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(model.intercept_[0], b, rtol=1e-12, atol=1e-14)
    assert model.t_ == 121
    assert model.n_iter_ == 2


@pytest.mark.parametrize("batch", [1, 4, 7, 60, 100])
@pytest.mark.parametrize("average", [False, True, 13])
def test_batches_and_averages(batch, average):
    model = SGDRegressor(alpha=0.01, shuffle=False, max_iter=3, tol=None, batch_size=batch,
                         average=average).fit(X, Y, sample_weight=WEIGHTS)  # fmt: skip
    w, b = transcribed(X, Y, GRADIENTS["squared_error"], epochs=3, batch=batch, weights=WEIGHTS,
                       eta=lambda t: 0.01 / t**0.25, average=int(average))  # fmt: skip
    np.testing.assert_allclose(model.coef_, w, rtol=1e-10)
    np.testing.assert_allclose(model.intercept_[0], b, rtol=1e-10)


def test_average_survives_strong_shrinking():
    """The scale of the weights is folded in again and again."""
    model = SGDRegressor(alpha=20.0, shuffle=False, max_iter=30, tol=None, average=True,
                         learning_rate="constant", eta0=0.02).fit(X, Y)  # fmt: skip
    w, b = transcribed(X, Y, GRADIENTS["squared_error"], epochs=30, alpha=20.0,
                       eta=lambda t: 0.02, average=1)  # fmt: skip
    np.testing.assert_allclose(model.coef_, w, rtol=1e-9)
    np.testing.assert_allclose(model.intercept_[0], b, rtol=1e-9)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"loss": "log_loss", "alpha": 0.05},
        {"penalty": "l1", "alpha": 0.01},
        {"penalty": "elasticnet", "alpha": 0.01, "l1_ratio": 0.4},
        {"penalty": None, "learning_rate": "invscaling", "eta0": 0.1},
        {"learning_rate": "adaptive", "eta0": 0.1, "max_iter": 60},
        {"learning_rate": "pa1", "eta0": 0.1, "penalty": None},
        {"learning_rate": "pa2", "eta0": 0.1, "penalty": None},
        {"average": 100, "class_weight": {0: 0.5, 1: 2.0}},
        {"fit_intercept": False, "class_weight": "balanced"},
    ],
)
def test_path_equals_scikit_learns_without_shuffling(options):
    options = {"shuffle": False, "max_iter": 20, "tol": None} | options
    if options["penalty" if "penalty" in options else "max_iter"] in ("l1", "elasticnet"):
        options["max_iter"] = 1  # theirs does not settle the penalty owed at the end of an epoch
    ours = SGDClassifier(**options).fit(X, LABELS, sample_weight=WEIGHTS)
    other = theirs.SGDClassifier(**options).fit(X, LABELS, sample_weight=WEIGHTS)
    np.testing.assert_allclose(ours.coef_, other.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(ours.intercept_, other.intercept_, rtol=1e-8, atol=1e-10)
    assert ours.t_ == other.t_


def test_several_classes_are_one_against_the_rest():
    labels = np.digitize(Y, [-3.0, 3.0])
    model = SGDClassifier(shuffle=False, max_iter=3, tol=None).fit(X, labels)
    for k in range(3):
        alone = SGDClassifier(shuffle=False, max_iter=3, tol=None).fit(X, labels == k)
        np.testing.assert_array_equal(model.coef_[k], alone.coef_[0])
        np.testing.assert_array_equal(model.intercept_[k], alone.intercept_[0])


def test_partial_fit_is_an_epoch_of_fit():
    whole = SGDClassifier(random_state=3, max_iter=3, tol=None).fit(X, LABELS)
    parts = SGDClassifier(random_state=3)
    for _ in range(3):
        parts.partial_fit(X, LABELS, classes=[0, 1])
    np.testing.assert_allclose(whole.coef_, parts.coef_, rtol=1e-12)
    assert whole.t_ == parts.t_


def test_partial_fit_in_pieces_without_shuffling():
    whole = SGDRegressor(shuffle=False, max_iter=1, tol=None, average=True).fit(X, Y)
    parts = SGDRegressor(shuffle=False, average=True)
    for rows in np.array_split(np.arange(60), 5):
        parts.partial_fit(X[rows], Y[rows])
    np.testing.assert_allclose(whole.coef_, parts.coef_, rtol=1e-12)
    np.testing.assert_allclose(whole.intercept_, parts.intercept_, rtol=1e-12)


@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet", None])
@pytest.mark.parametrize("average", [False, True])
def test_sparse_equals_dense(penalty, average):
    x = np.where(RNG.random(X.shape) < 0.6, 0.0, X)
    make = dict(penalty=penalty, alpha=0.01, random_state=1, max_iter=8, tol=None, average=average,
                learning_rate="invscaling", eta0=0.1)  # fmt: skip
    dense = SGDClassifier(**make).fit(x, LABELS)
    for container in (sparse.csr_array, sparse.csc_array, sparse.csr_matrix):
        other = SGDClassifier(**make).fit(container(x), LABELS)
        np.testing.assert_allclose(dense.coef_, other.coef_, rtol=1e-9, atol=1e-12)
    long = sparse.csr_array(x)
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    np.testing.assert_allclose(
        dense.coef_, SGDClassifier(**make).fit(long, LABELS).coef_, rtol=1e-9, atol=1e-12
    )


def test_any_layout_gives_the_same_bits():
    wide = np.zeros((120, 14))
    wide[::2, ::2] = X
    model = SGDRegressor(random_state=0, max_iter=5, tol=None)
    expected = model.fit(X, Y).coef_.copy()
    for x in (np.asfortranarray(X), wide[::2, ::2]):
        np.testing.assert_array_equal(model.fit(x, Y).coef_, expected)
    single = model.fit(X.astype(np.float32), Y).coef_
    np.testing.assert_allclose(single, expected, rtol=1e-4)


@pytest.mark.parametrize("columns", [3, 40])
def test_same_seed_same_bits_for_any_threads(columns):
    """On data small and large enough for each way of shuffling."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30_000, columns))
    labels = rng.integers(0, 4, 30_000)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(SGDClassifier(random_state=5, max_iter=2, tol=None).fit(x, labels))
    for other in found[1:]:
        np.testing.assert_array_equal(found[0].coef_, other.coef_)
    again = SGDClassifier(random_state=6, max_iter=2, tol=None).fit(x, labels)
    assert not np.array_equal(found[0].coef_, again.coef_)


@pytest.mark.parametrize("columns", [2, 64])
def test_every_row_is_taken_once_per_epoch(columns):
    """The perceptron-like loss of an epoch with tiny steps is that of the rows' mean."""
    n = 20_011  # with 64 columns beyond the cache, and no multiple of a block
    x = np.random.default_rng(0).normal(size=(n, columns))
    y = np.random.default_rng(1).normal(size=n)
    model = SGDRegressor(penalty=None, learning_rate="constant", eta0=1e-12, max_iter=1, tol=None,
                         random_state=0).fit(x, y)  # fmt: skip
    np.testing.assert_allclose(model.coef_ / 1e-12, x.T @ y, rtol=1e-6, atol=1e-5)
    assert model.t_ == n + 1


def test_rows_of_weight_zero_are_no_rows():
    weights = np.where(np.arange(60) % 3 == 0, 0.0, WEIGHTS)
    kept = weights > 0
    model = SGDClassifier(random_state=0, max_iter=5, tol=None)
    all_rows = model.fit(X, LABELS, sample_weight=weights).coef_.copy()
    some = model.fit(X[kept], LABELS[kept], sample_weight=weights[kept]).coef_
    np.testing.assert_array_equal(all_rows, some)


def test_warm_start_and_initial_weights():
    first = SGDRegressor(shuffle=False, max_iter=2, tol=None, learning_rate="constant").fit(X, Y)
    second = SGDRegressor(shuffle=False, max_iter=2, tol=None, learning_rate="constant")
    second.fit(X, Y, coef_init=first.coef_, intercept_init=first.intercept_)
    warm = SGDRegressor(shuffle=False, max_iter=2, tol=None, learning_rate="constant",
                        warm_start=True).fit(X, Y).fit(X, Y)  # fmt: skip
    four = SGDRegressor(shuffle=False, max_iter=4, tol=None, learning_rate="constant").fit(X, Y)
    np.testing.assert_allclose(second.coef_, four.coef_, rtol=1e-12)
    np.testing.assert_array_equal(second.coef_, warm.coef_)


def test_stopping_on_training_loss_as_in_scikit_learn():
    ours = SGDRegressor(shuffle=False).fit(X, Y)
    other = theirs.SGDRegressor(shuffle=False).fit(X, Y)
    assert ours.n_iter_ == other.n_iter_
    assert len(ours.trace_) == ours.n_iter_


def test_not_converged_is_said():
    with pytest.warns(ConvergenceWarning, match="scale the columns"):
        SGDClassifier(max_iter=2, random_state=0).fit(X, LABELS)
