"""Every kernel machine against LIBSVM at a tight tolerance and against an interior point method."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import sklearn.svm as peer
from dual_problems import (
    clarabel_value,
    classification,
    nu_classification,
    nu_regression,
    one_class,
    regression,
)

from stylobate.exceptions import StylobateWarning
from stylobate.kernels import RBF, as_kernel
from stylobate.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

N = 60
RNG = np.random.default_rng(5)
X = RNG.normal(size=(N, 3))
LABELS = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.4 * RNG.normal(size=N), [-0.4, 0.4])]
TARGET = np.sin(X[:, 0]) + 0.2 * RNG.normal(size=N)
WEIGHTS = RNG.uniform(0.2, 3.0, N)
KINDS = [SVC, NuSVC, SVR, NuSVR, OneClassSVM]
KERNELS = {
    "linear": {},
    "poly": {"gamma": 0.2, "coef0": 1.0, "degree": 3},
    "rbf": {"gamma": 0.2},
    "sigmoid": {"gamma": 0.05, "coef0": -0.2},
}
TIGHT = {"tol": 1e-7, "max_iter": 1_000_000, "cache_size": 50}


def case(kind, kernel):
    """Settings, rows and targets of a machine whose optimum is unique."""
    own = {"C": 2.0} if kind in (SVC, SVR) else {"nu": 0.31}
    if kind is NuSVC:
        own["nu"] = 0.5  # below, the classes overlap without a margin
    setting = own | {"kernel": kernel} | KERNELS[kernel]
    y = TARGET if kind in (SVR, NuSVR) else LABELS
    return setting, X + 3.0 if kind is OneClassSVM else X, y


def pair_problem(kind, pair, weights):
    """The rows of two classes and their dual."""
    rows = np.flatnonzero(np.isin(LABELS, pair))
    sign = np.where(LABELS[rows] == pair[0], 1.0, -1.0)
    if kind is SVC:
        return rows, classification(sign, 2.0 * weights[rows])
    return rows, nu_classification(sign, 0.5, weights[rows])


def problems_of(kind, weights):
    """The rows and the dual of each problem of a machine."""
    if kind in (SVC, NuSVC):
        return [pair_problem(kind, pair, weights) for pair in itertools.combinations("abc", 2)]
    if kind is SVR:
        return [(np.arange(N), regression(TARGET, 2.0 * weights))]
    if kind is NuSVR:
        return [(np.arange(N), nu_regression(TARGET, 0.31, weights))]
    return [(np.arange(N), one_class(weights, 0.31))]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("kind", KINDS)
def test_decisions_and_supports_are_libsvms(kind, kernel, weights):
    setting, rows, y = case(kind, kernel)
    ours = kind(**setting).fit(rows, y, sample_weight=weights)
    theirs = getattr(peer, kind.__name__)(**setting, **TIGHT).fit(rows, y, sample_weight=weights)
    if kind in (SVC, NuSVC):
        ours.decision_function_shape = theirs.decision_function_shape = "ovo"
    name = "predict" if kind in (SVR, NuSVR) else "decision_function"
    found, wanted = getattr(ours, name)(rows), getattr(theirs, name)(rows)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=3e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-6, atol=3e-5)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    np.testing.assert_array_equal(ours.n_support_, theirs.n_support_)
    if kernel == "rbf":  # of the others the coefficients are not unique
        np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-4)
    if kernel == "linear":
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])  # a sigmoid's dual has no optimum
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("kind", KINDS)
def test_objectives_are_the_interior_points(kind, kernel, weights):
    setting, rows, y = case(kind, kernel)
    model = kind(**setting).fit(rows, y, sample_weight=weights)
    matrix = as_kernel(kernel, **KERNELS[kernel])(rows)
    problems = problems_of(kind, np.ones(N) if weights is None else weights)
    for (own, problem), proof in zip(problems, model.kkt_report().problems, strict=True):
        wanted = clarabel_value(matrix[np.ix_(own, own)], problem)
        assert proof.certificate.dual == pytest.approx(wanted, rel=1e-8)
        assert 0.0 <= proof.certificate.gap <= 1e-10 * abs(wanted)


# --- a margin of 0 --------------------------------------------------------------------------------


def test_classes_that_overlap_too_much_for_nu_are_told():
    two = LABELS != "a"
    rows, sign = X[two], np.where(LABELS[two] == "b", 1.0, -1.0)
    # the optimum is 0: w = 0, and what LIBSVM divides by ρ is rounding
    assert clarabel_value(rows @ rows.T, nu_classification(sign, 0.2)) == pytest.approx(0, abs=1e-9)
    with pytest.warns(StylobateWarning, match=r"margin is 0 within .*-1.0 against 1.0.*larger nu"):
        model = NuSVC(nu=0.2, kernel="linear").fit(rows, sign)
    assert model.certificate_.dual == pytest.approx(0.0, abs=1e-9)
    assert model.certificate_.gap == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(model.decision_function(rows), 0.0, atol=1e-8)


def test_the_margin_of_many_overlapping_rows_takes_no_longer_than_the_answer():
    rng = np.random.default_rng(0)
    rows, sign = rng.normal(size=(1100, 3)), np.where(rng.random(1100) < 0.5, 1.0, -1.0)
    with pytest.warns(StylobateWarning, match="margin is 0"):
        model = NuSVC(nu=0.2, kernel="linear").fit(rows, sign)
    assert model.fit_status_ == 0


def test_a_nearly_singular_kernel_keeps_the_sums():
    two = LABELS != "a"
    sign = np.where(LABELS[two] == "b", 1.0, -1.0)
    for tol in (1e-3, 1e-7, 1e-9):  # free points outnumber the columns: K is singular on them
        model = NuSVC(nu=0.5, kernel="linear", tol=tol).fit(X[two], sign)
        beta = model.dual_coef_[0]
        assert abs(beta.sum()) <= 1e-13 * np.abs(beta).sum()


def test_few_sparse_rows_have_the_bits_of_dense_ones():
    from scipy.sparse import csr_array

    for kind, kernel in itertools.product(KINDS, ("linear", "rbf")):
        setting, rows, y = case(kind, kernel)
        dense, thin = kind(**setting).fit(rows, y), kind(**setting).fit(csr_array(rows), y)
        np.testing.assert_array_equal(dense.dual_coef_, thin.dual_coef_.toarray())
        np.testing.assert_array_equal(dense.predict(rows), thin.predict(csr_array(rows)))


def test_default_tolerances_are_kept_where_many_are_free():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(400, 12))
    y = np.where(rows[:, 0] + 0.5 * rng.normal(size=400) > 0, 1.0, -1.0)
    model = SVC(gamma=0.5, C=10.0).fit(rows, y)  # too many free ones for one linear system
    report = model.kkt_report().problems[0]
    assert len(report.free) > 200
    gram, beta = RBF(0.5)(rows), np.zeros(400)
    beta[model.support_] = model.dual_coef_[0]
    residual = y - gram @ beta
    low, high = np.minimum(0.0, 10.0 * y), np.maximum(0.0, 10.0 * y)
    worst = residual[beta < high].max() - residual[beta > low].min()
    assert worst == pytest.approx(model.certificate_.kkt, abs=1e-12)
    assert worst <= 1e-3


@pytest.mark.parametrize("n", [800, 1300])
def test_gaps_are_below_what_is_promised_whatever_is_free(n):
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(n, 12))
    y = np.where(rows[:, 0] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    numbers = rows[:, 0] + 0.3 * y
    for model, target in (
        (SVC(gamma=0.2), y),
        (SVR(gamma=0.2), numbers),
        (SVR(C=10.0, gamma=0.2), numbers),
        (SVR(C=1000.0, gamma=0.05), numbers),
    ):
        assert 0.0 <= model.fit(rows, target).certificate_.relative_gap <= 1e-6
        assert len(model.kkt_report().problems[0].free) > 200


def test_sparse_products_go_through_the_columns():
    from scipy.sparse import random_array

    rng = np.random.default_rng(4)
    rows = random_array((1300, 900), density=0.02, rng=rng, format="csr")
    y = np.where(rows @ rng.normal(size=900) + 0.5 * rng.normal(size=1300) > 0, 1, -1)
    thin, dense = (SVC(kernel="linear").fit(x, y) for x in (rows, rows.toarray()))
    tight = peer.SVC(kernel="linear", **TIGHT).fit(rows, y)
    assert thin.certificate_.relative_gap <= 1e-6
    assert thin.certificate_.dual == pytest.approx(dense.certificate_.dual, rel=1e-6)
    np.testing.assert_allclose(
        thin.decision_function(rows), tight.decision_function(rows), atol=2e-3
    )
