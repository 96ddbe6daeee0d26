"""Kernel machines: scikit-learn's answers, the optimality conditions, laws, and refusals."""

from __future__ import annotations

import warnings
from contextlib import nullcontext

import numpy as np
import pytest
import sklearn.svm as peer
from scipy.sparse import csr_array

import stylobate
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.kernels import RBF, FunctionKernel, Laplacian, Linear, Spectrum
from stylobate.semi_supervised import LabelSpreading
from stylobate.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

KINDS = [SVC, NuSVC, SVR, NuSVR, OneClassSVM]
RNG = np.random.default_rng(5)
X = RNG.normal(size=(90, 3))
LABELS = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.4 * RNG.normal(size=90), [-0.4, 0.4])]
TARGET = np.sin(X[:, 0]) + 0.2 * RNG.normal(size=90)
WEIGHTS = RNG.uniform(0.2, 3.0, 90)
TWO = LABELS != "c"


def targets_of(kind):
    return TARGET if kind in (SVR, NuSVR) else LABELS


def settings_of(kind):
    if kind is NuSVC:
        return {"nu": 0.55}
    return {"nu": 0.31} if kind in (NuSVR, OneClassSVM) else {"C": 2.0}


def decisions(model, rows):
    return np.asarray(getattr(model, "decision_function", model.predict)(rows))


@pytest.mark.parametrize("labels", [LABELS, np.where(TWO, LABELS, "a")], ids=["three", "two"])
def test_signs_and_shapes_are_scikit_learns(labels):
    for shape in ("ovr", "ovo"):
        setting = {"C": 0.7, "class_weight": "balanced", "decision_function_shape": shape}
        ours, theirs = SVC(**setting), peer.SVC(**setting, tol=1e-7)
        ours.fit(X, labels)
        theirs.fit(X, labels)
        np.testing.assert_allclose(
            ours.decision_function(X), theirs.decision_function(X), atol=1e-5
        )
        np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-5)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
        np.testing.assert_allclose(ours.class_weight_, theirs.class_weight_)
    assert ours.n_iter_.dtype == ours.support_.dtype == ours.n_support_.dtype == np.int32


@pytest.mark.parametrize("kind", KINDS)
def test_sparse_given_and_called_kernels_agree(kind):
    setting, y = settings_of(kind), targets_of(kind)
    plain = kind(gamma=0.4, **setting).fit(X, y)
    value = kind(kernel=RBF(0.4), **setting).fit(X, y)
    given = kind(kernel="precomputed", **setting).fit(RBF(0.4)(X), y)
    called = kind(kernel=lambda a, b: RBF(0.4)(a, b), **setting).fit(X, y)
    sparse = kind(gamma=0.4, **setting).fit(csr_array(X), y)
    wanted = decisions(plain, X)
    for model, rows in ((value, X), (given, RBF(0.4)(X)), (called, X), (sparse, csr_array(X))):
        np.testing.assert_allclose(decisions(model, rows), wanted, atol=1e-7)
    assert sparse.dual_coef_.format == sparse.support_vectors_.format == "csr"
    with pytest.raises(ValueError, match="trained on dense"):
        plain.predict(csr_array(X))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_repeated_rows(kind):
    times = RNG.integers(0, 4, 90)
    setting, y = settings_of(kind) | {"gamma": 0.5}, targets_of(kind)
    weighted = kind(**setting).fit(X, y, sample_weight=times)
    repeated = kind(**setting).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(decisions(weighted, X), decisions(repeated, X), atol=1e-6)


@pytest.mark.parametrize("solver", ["newton", "block", "smo"])
def test_solvers_agree(solver):
    wanted = SVC(gamma=0.4).fit(X[TWO], LABELS[TWO]).decision_function(X)
    model = SVC(gamma=0.4, solver=solver, tol=1e-8).fit(X[TWO], LABELS[TWO])
    np.testing.assert_allclose(model.decision_function(X), wanted, atol=1e-7)


def test_gap_is_primal_minus_dual_by_hand():
    x, sign = X[TWO], np.where(LABELS[TWO] == "b", 1.0, -1.0)
    model = SVC(C=2.0, gamma=0.4).fit(x, sign)
    gram, beta = RBF(0.4)(x), np.zeros(len(x))
    beta[model.support_] = model.dual_coef_[0]
    slack = np.maximum(0.0, 1.0 - sign * (gram @ beta + model.intercept_[0]))
    primal = 0.5 * beta @ gram @ beta + 2.0 * slack.sum()
    dual = np.abs(beta).sum() - 0.5 * beta @ gram @ beta
    assert model.certificate_.primal == pytest.approx(primal, rel=1e-9)
    assert model.certificate_.dual == pytest.approx(dual, rel=1e-9)
    assert abs(beta.sum()) < 1e-10
    assert 0.0 <= primal - dual < 1e-8


def test_conditions_tell_free_bound_and_margin():
    x, sign = X[TWO], np.where(LABELS[TWO] == "b", 1.0, -1.0)
    model = SVC(kernel="linear").fit(x, sign)
    report = model.kkt_report()
    part = report.problems[0]
    margins = sign * model.decision_function(x)
    np.testing.assert_allclose(margins[part.free], 1.0, atol=1e-6)
    assert (margins[part.bound] <= 1.0 + 1e-6).all()
    assert sorted([*part.free, *part.bound]) == sorted(model.support_)
    assert part.margin_width == pytest.approx(2.0 / np.linalg.norm(model.coef_))
    assert part.free_offset == pytest.approx(model.intercept_[0], abs=1e-6)
    assert not len(part.violating)
    assert "margin width" in str(report)


def test_span_bound_is_near_leave_one_out():
    x, y = X[TWO], LABELS[TWO]
    model = SVC(gamma=0.4).fit(x, y)
    wrong = 0
    for row in range(len(x)):
        rest = np.arange(len(x)) != row
        wrong += SVC(gamma=0.4).fit(x[rest], y[rest]).predict(x[[row]])[0] != y[row]
    assert abs(model.leave_one_out_bound() - wrong / len(x)) <= 0.05
    gram = RBF(0.4)(x)
    given = SVC(kernel="precomputed").fit(gram, y)
    assert given.leave_one_out_bound(gram) == pytest.approx(model.leave_one_out_bound())
    assert SVC().fit(X, LABELS).leave_one_out_bound().shape == (3,)


def test_hard_margin():
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])
    model = SVC(C=np.inf, kernel="linear").fit(corners, [0, 0, 1, 1])
    np.testing.assert_allclose(model.coef_, [[1.0, 0.0]], atol=1e-9)
    assert model.kkt_report().problems[0].margin_width == pytest.approx(2.0)
    with pytest.raises(InvalidDataError, match=r"not separable.*points"):
        SVC(C=np.inf, kernel="linear").fit(corners, [0, 1, 1, 0])
    # scales hide the margin of classes that a plane does separate: the remedy is named
    narrow = np.c_[1e7 * corners[::-1, 1] + np.arange(4), corners[:, 0]]
    with pytest.raises(InvalidDataError, match=r"1e-5 of the data's size.*StandardScaler"):
        SVC(C=np.inf, kernel="linear").fit(narrow, [0, 0, 1, 1])


def test_probabilities():
    with pytest.warns(FutureWarning, match="probability"):
        model = SVC(probability=True, random_state=0).fit(X, LABELS)
    with pytest.warns(FutureWarning):
        theirs = peer.SVC(probability=True, random_state=0).fit(X, LABELS)
    found = model.predict_proba(X)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert np.abs(found - theirs.predict_proba(X)).max() < 0.15
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), found)
    assert not hasattr(SVC(), "predict_proba")


def test_kernels_of_texts():
    words = ["abab", "abba", "baab", "ccdc", "dcdd", "cdcd"]
    model = SVC(kernel=Spectrum(2)).fit(words, [0, 0, 0, 1, 1, 1])
    assert model.predict(["abab", "cdcc"]).tolist() == [0, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_files_give_the_model_back(kind, tmp_path):
    model = kind(kernel=Laplacian(0.3), **settings_of(kind)).fit(X, targets_of(kind))
    model.save(tmp_path / "model")
    again = stylobate.load(tmp_path / "model")
    np.testing.assert_array_equal(decisions(again, X), decisions(model, X))
    assert again.kkt_report().words == model.kkt_report().words


def test_one_class_leaves_its_share_outside():
    model = OneClassSVM(nu=0.2).fit(X)
    assert (model.decision_function(X) < -1e-9).mean() <= 0.2
    assert len(model.support_) / len(X) >= 0.2
    np.testing.assert_allclose(model.score_samples(X) - model.offset_, model.decision_function(X))


def test_ends_of_the_parameters():
    two = X[TWO], LABELS[TWO]
    assert np.isfinite(SVC(C=1e-9).fit(*two).decision_function(X)).all()
    assert SVC(C=1e6, gamma=1e6).fit(*two).score(*two) == 1.0
    assert np.isfinite(SVC(kernel="poly", coef0=-1.0).fit(*two).decision_function(X)).all()
    assert np.isfinite(SVC(kernel="sigmoid", coef0=0.5).fit(*two).decision_function(X)).all()
    same = SVC().fit(np.ones((6, 2)), [0, 0, 0, 1, 1, 1])
    assert np.isfinite(same.decision_function([[1.0, 1.0]])).all()
    flat = SVR().fit(X, np.ones(90))
    assert not len(flat.support_)
    np.testing.assert_allclose(flat.predict(X), 1.0)


def test_early_stop_is_told():
    with pytest.warns(ConvergenceWarning, match="terminated early"):
        model = SVC(max_iter=3).fit(X, LABELS)
    assert model.fit_status_ == 1


@pytest.mark.parametrize(
    ("model", "rows", "y", "words"),
    [
        (SVC(), X, ["a"] * 90, "greater than one"),
        (SVC(kernel="precomputed"), np.triu(np.ones((90, 90))), LABELS, "not symmetric"),
        (SVC(kernel="precomputed"), X, LABELS, "square"),
        (SVC(), np.full((90, 3), np.nan), LABELS, "NaN"),
        (SVC(C=-1.0), X, LABELS, "C must be"),
        (NuSVC(nu=1.0), X[:10], [0] * 8 + [1] * 2, "nu is infeasible"),
        (SVC(kernel=lambda a, b: a), X, LABELS, "gave shape"),
        (SVC(kernel=lambda a, b: np.full((90, 90), np.nan)), X, LABELS, "finite"),
    ],
)
def test_refusals_are_sentences(model, rows, y, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        model.fit(rows, y)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_leave_nothing_are_refused(kind):
    with pytest.raises(InvalidDataError, match="zero or negative weights"):
        kind().fit(X, targets_of(kind), sample_weight=-WEIGHTS)


def test_linear_values_have_coefficients():
    model = SVC(kernel=Linear()).fit(X, LABELS)
    np.testing.assert_allclose(model.coef_, SVC(kernel="linear").fit(X, LABELS).coef_)
    with pytest.raises(AttributeError, match="linear"):
        _ = SVC().fit(X, LABELS).coef_


def test_picture_has_margins_and_rings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = SVC(C=1.0).fit(X[:, :2], TWO).plot(X[:, :2], TWO, resolution=30)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels[-2:] == ["free support vectors", "bound support vectors"]


def test_a_kernel_that_is_no_inner_product_proves_nothing():
    matrix = np.tanh(2.0 * X @ X.T - 1.0)
    assert np.linalg.eigvalsh(matrix).min() < -0.1
    for model, rows in (
        (SVC(kernel="precomputed"), matrix),
        (SVC(kernel=lambda a, b: np.tanh(2.0 * a @ b.T - 1.0)), X),
        (SVR(kernel="precomputed"), matrix),
        (OneClassSVM(kernel="precomputed"), matrix),
        (SVC(kernel="sigmoid", gamma=2.0, coef0=-1.0), X),
        (SVR(kernel="sigmoid", gamma=0.01), X),  # no pair of its rows shows it
    ):
        # a name says it in the documentation, a matrix and a function are looked at
        said = f"{type(model).__name__}: the kernel is not positive semidefinite"
        told = nullcontext() if model.kernel == "sigmoid" else pytest.warns(UserWarning, match=said)
        with told:
            model.fit(rows, TARGET if isinstance(model, SVR) else LABELS)
        assert not model.certificate_.optimal
        assert model.certificate_.verdict.startswith("Not certified")


@pytest.mark.parametrize("machine", [SVC, SVR, OneClassSVM, LabelSpreading])
@pytest.mark.parametrize("of_rows", [np.dot, lambda x: x, lambda x, y: x[0, 9]])
def test_a_kernel_of_two_single_rows_is_told_what_to_give(machine, of_rows):
    y = np.arange(12) % 2
    words = rf"^{machine.__name__}: the kernel function failed .* \(n, m\) matrix .* \(12, 12\)"
    with pytest.raises(InvalidDataError, match=words) as caught:
        machine(kernel=of_rows).fit(X[:12], y)
    assert isinstance(caught.value.__cause__, ValueError | TypeError | IndexError)


def test_a_kernel_that_gives_a_number_is_told_the_shape():
    with pytest.raises(InvalidDataError, match=r"gave shape \(\) .* \(n, m\) matrix"):
        SVC(kernel=np.vdot).fit(X[:12], np.arange(12) % 2)
    with pytest.raises(InvalidDataError, match=r"gave str 'x', which is no matrix of numbers"):
        SVC(kernel=lambda a, b: "x").fit(X[:12], np.arange(12) % 2)
    by_rows = SVC(kernel=FunctionKernel(np.dot)).fit(X[TWO], LABELS[TWO])  # as the words advise
    by_name = SVC(kernel="linear").fit(X[TWO], LABELS[TWO])
    np.testing.assert_allclose(
        by_rows.decision_function(X), by_name.decision_function(X), atol=1e-3
    )


def test_an_infinite_cost_is_in_the_range_that_is_named():
    with pytest.raises(InvalidParameterError, match=r"C must be a number in \(0, inf\], got 0"):
        SVC(C=0).fit(X[TWO], LABELS[TWO])
