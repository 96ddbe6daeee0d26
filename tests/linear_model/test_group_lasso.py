"""Groups of columns: conditions recomputed from the rows, closed forms, others' formulations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import (
    GroupLasso,
    GroupLassoCV,
    Lasso,
    LinearRegression,
    MultiTaskLasso,
    SparseGroupLasso,
    SparseGroupLassoCV,
)

RNG = np.random.default_rng(11)
N, P = 90, 60
LABELS = np.repeat(np.arange(15), [1, 2, 3, 4, 5, 6, 7, 4, 4, 4, 4, 4, 4, 4, 4])
X = RNG.normal(size=(N, P)) + RNG.uniform(-1.0, 1.0, P)
Z = (X - X.mean(axis=0)) @ np.where(LABELS == 3, 0.8, np.where(LABELS == 8, -0.5, 0.0))
WEIGHTS = RNG.uniform(0.2, 2.0, N)
TARGETS = {
    "squared_error": Z + RNG.normal(size=N),
    "log_loss": (Z + RNG.logistic(size=N) > 0).astype(float),
    "poisson": RNG.poisson(np.exp(0.4 * Z)).astype(float),
}


def slopes(loss, y, z):
    mean = {"squared_error": z, "log_loss": 1 / (1 + np.exp(-z)), "poisson": np.exp(z)}[loss]
    return mean - y


def off_by(loss, x, y, w, b, labels, group, own, weights):
    """Distance of 0 from the subdifferential, group by group, from the rows."""
    shares = weights / weights.sum()
    u = shares * slopes(loss, y, x @ w + b)
    g, worst = x.T @ u, abs(u.sum())
    for k in np.unique(labels):
        at = labels == k
        length = np.linalg.norm(w[at])
        if length == 0.0:
            left = np.sign(g[at]) * np.maximum(np.abs(g[at]) - own, 0.0)
            worst = max(worst, np.linalg.norm(left) - group[k])
            continue
        pull = g[at] + group[k] * w[at] / length
        inside = np.where(w[at] != 0, np.abs(pull + own * np.sign(w[at])), np.abs(pull) - own)
        worst = max(worst, inside.max())
    return worst


@pytest.mark.parametrize("loss", TARGETS)
@pytest.mark.parametrize("ratio", [0.0, 0.4, 1.0])
def test_stationary_and_proved(loss, ratio):
    y, alpha = TARGETS[loss], 0.06
    model = SparseGroupLasso(LABELS, alpha, l1_ratio=ratio, loss=loss)
    model.fit(X, y, sample_weight=WEIGHTS)
    group = alpha * (1 - ratio) * np.sqrt(np.bincount(LABELS))
    w, b = model.coef_, model.intercept_
    assert 0 < np.count_nonzero(w) < P
    assert off_by(loss, X, y, w, b, LABELS, group, alpha * ratio, WEIGHTS) < 1e-8
    assert model.certificate_.proved
    assert model.certificate_.relative_gap < 1e-7


def test_the_special_cases():
    y = TARGETS["squared_error"]
    lasso = Lasso(alpha=0.05, tol=1e-12).fit(X, y)
    alone = SparseGroupLasso(LABELS, 0.05, l1_ratio=1.0).fit(X, y)
    np.testing.assert_allclose(alone.coef_, lasso.coef_, atol=1e-7)
    np.testing.assert_allclose(GroupLasso(alpha=0.05).fit(X, y).coef_, lasso.coef_, atol=1e-7)


def test_several_targets_are_groups():
    """`MultiTaskLasso` is the group lasso of block-diagonal columns."""
    x = X[:, :6] - X[:, :6].mean(axis=0)
    Y = np.column_stack([TARGETS["squared_error"], Z[::-1]])
    Y = Y - Y.mean(axis=0)
    joint = MultiTaskLasso(alpha=0.1, fit_intercept=False, tol=1e-12).fit(x, Y)
    wide = np.kron(np.eye(2), x)
    # its mean is over N rows, ours over 2N
    ours = GroupLasso(
        np.tile(np.arange(6), 2), 0.05, fit_intercept=False, group_weights=np.ones(6)
    ).fit(wide, Y.T.ravel())
    np.testing.assert_allclose(ours.coef_.reshape(2, 6), joint.coef_, atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.01, 2.0), st.floats(0.0, 1.0))
def test_orthonormal_columns_have_a_closed_form(seed, alpha, ratio):
    rng = np.random.default_rng(seed)
    q = np.linalg.qr(rng.normal(size=(24, 6)))[0] * np.sqrt(24)
    z = rng.normal(scale=2.0, size=6)
    labels = np.array([0, 0, 1, 1, 1, 2])
    model = SparseGroupLasso(labels, alpha, l1_ratio=ratio, fit_intercept=False, tol=1e-12)
    model.fit(q, q @ z)
    soft = np.sign(z) * np.maximum(np.abs(z) - alpha * ratio, 0.0)
    for k, size in enumerate([2, 3, 1]):
        part = soft[labels == k]
        length = np.linalg.norm(part)
        keep = max(1 - alpha * (1 - ratio) * np.sqrt(size) / length, 0.0) if length else 0.0
        np.testing.assert_allclose(model.coef_[labels == k], keep * part, atol=1e-8)


def test_a_group_without_a_penalty_stays():
    y = TARGETS["squared_error"]
    weights = np.ones(15)
    weights[3] = 0.0
    model = GroupLasso(LABELS, 100.0, group_weights=weights).fit(X, y)
    own = LinearRegression().fit(X[:, LABELS == 3], y)
    np.testing.assert_allclose(model.coef_[LABELS == 3], own.coef_, rtol=1e-8)
    assert not model.coef_[LABELS != 3].any()
    assert model.certificate_.relative_gap < 1e-8


def test_groups_said_in_other_ways():
    y = TARGETS["squared_error"]
    model = GroupLasso(4, 0.05).fit(X, y)
    labelled = GroupLasso([f"g{j // 4}" for j in range(P)], 0.05).fit(X, y)
    listed = GroupLasso([list(range(k, k + 4)) for k in range(0, P, 4)], 0.05).fit(X, y)
    for other in (labelled, listed, GroupLasso(4, 0.05).fit(sparse.csr_array(X), y)):
        np.testing.assert_allclose(other.coef_, model.coef_, atol=1e-8)
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({f"c{j}": X[:, j] for j in range(P)})
    named = [[f"c{j}" for j in range(k, k + 4)] for k in range(0, P, 4)]
    np.testing.assert_allclose(GroupLasso(named, 0.05).fit(frame, y).coef_, model.coef_, atol=1e-8)


@pytest.mark.parametrize("kind", [GroupLassoCV, SparseGroupLassoCV])
def test_cross_validation_is_a_loop_over_folds(kind):
    y = TARGETS["poisson"]
    folds = [(np.flatnonzero(np.arange(N) % 3 != k), np.arange(k, N, 3)) for k in range(3)]
    model = kind(LABELS, alphas=6, cv=folds, loss="poisson").fit(X, y)
    one = (GroupLasso if kind is GroupLassoCV else SparseGroupLasso)(LABELS, loss="poisson")
    train, test = folds[1]
    for a in (1, 4):
        one.set_params(alpha=model.alphas_[a]).fit(X[train], y[train])
        mu = one.predict(X[test])
        log = np.where(y[test] > 0, y[test] * np.log(np.maximum(y[test], 1) / mu), 0.0)
        expected = 2 * np.mean(log - y[test] + mu)
        assert model.deviance_path_[a, 1] == pytest.approx(expected, rel=1e-6)
    assert model.alpha_ == model.alphas_[model.deviance_path_.mean(axis=1).argmin()]
    one.set_params(alpha=model.alpha_).fit(X, y)
    np.testing.assert_allclose(model.coef_, one.coef_, atol=1e-7)
    one.set_params(alpha=1.0001 * model.alphas_[0]).fit(X, y)
    assert not one.coef_.any()
    one.set_params(alpha=0.99 * model.alphas_[0]).fit(X, y)
    assert one.coef_.any()


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([[0, 1], [1, 2, 3]], "column x1 is in groups 0 and 1; groups must not overlap"),
        ([[0, 1], [2]], "column x3 is in no group"),
        ([[0, 1], [2, 9]], "group 1 names 9, which is no column"),
        ([[0, 1], [2, 3], []], "group 2 is empty"),
        ([0, 1, 2], "it has 3 labels, but X has 4 columns"),
        (3, "groups of 3 columns do not divide the 4 columns"),
        ("ab", "must be a size"),
    ],
)
def test_bad_groups(groups, words):
    with pytest.raises(InvalidParameterError, match=words):
        GroupLasso(groups).fit(X[:, :4], Z)


def test_bad_weights_and_targets():
    with pytest.raises(InvalidParameterError, match="not negative, got -1 for group 1"):
        GroupLasso(2, group_weights=[1.0, -1.0]).fit(X[:, :4], Z)
    with pytest.raises(InvalidParameterError, match="each of the 2 groups"):
        GroupLasso(2, group_weights=[1.0]).fit(X[:, :4], Z)
    with pytest.raises(ValueError, match="Poisson"):
        GroupLasso(2, loss="poisson").fit(X[:, :4], -np.abs(Z))
