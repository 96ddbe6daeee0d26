"""Calibrated classifiers against scikit-learn, general solvers, and what they promise."""

import numpy as np
import pandas as pd
import pytest
import sklearn.calibration as theirs
from scipy import sparse
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, log_softmax
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB
from sklearn.utils.validation import check_is_fitted

from stylobate import load
from stylobate.calibration import (
    CalibratedClassifierCV,
    CalibrationDisplay,
    SigmoidCalibration,
    TemperatureScaling,
    calibration_curve,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.frozen import FrozenEstimator
from stylobate.linear_model import LogisticRegression, Perceptron
from stylobate.metrics import proportion_interval
from stylobate.naive_bayes import GaussianNB
from stylobate.neighbors import KNeighborsClassifier
from stylobate.splits import LeaveOneOut, StratifiedKFold
from stylobate.svm import LinearSVC

RNG = np.random.default_rng(0)
METHODS = ("sigmoid", "isotonic", "temperature")


def problem(k, n=240):
    y = RNG.integers(0, k, n)
    x = np.repeat(RNG.normal(size=(n, 2)) + y[:, None], 2, axis=1)
    return x, np.array(["ape", "bee", "cat"])[y], RNG.integers(1, 4, n).astype(float)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ensemble", [True, False])
def test_as_scikit_learn(k, method, ensemble):
    x, y, w = problem(k)
    options = {"method": method, "ensemble": ensemble, "cv": 3}
    mine = CalibratedClassifierCV(GaussianNB(), **options).fit(x, y, w)
    other = theirs.CalibratedClassifierCV(TheirGaussianNB(), **options).fit(x, y, w)
    found = mine.predict_proba(x)
    np.testing.assert_allclose(found, other.predict_proba(x), atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    # probabilities never contradict the class predicted
    np.testing.assert_array_equal(mine.predict(x), mine.classes_[found.argmax(axis=1)])
    for each in mine.calibrated_classifiers_:
        assert all(calibrator.certificate_.optimal for calibrator in each.calibrators)


def test_a_linear_machine_by_default():
    x, y, _ = problem(2)
    mine = CalibratedClassifierCV(cv=3).fit(x, y)
    assert type(mine.calibrated_classifiers_[0].estimator) is LinearSVC
    other = theirs.CalibratedClassifierCV(cv=3).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(x), atol=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_two_classes_keep_the_order_of_their_scores(method):
    x, y, _ = problem(2)
    model = CalibratedClassifierCV(LogisticRegression(), method=method, ensemble=False).fit(x, y)
    inside = model.calibrated_classifiers_[0].estimator
    scores, chance = inside.decision_function(x), model.predict_proba(x)[:, 1]
    assert (np.diff(chance[np.argsort(scores)]) >= -1e-15).all()
    above = scores[model.predict(x) == model.classes_[1]]
    below = scores[model.predict(x) == model.classes_[0]]
    assert below.max() <= above.min()  # one threshold
    if method == "temperature":
        np.testing.assert_array_equal(model.predict(x), inside.predict(x))


def test_sigmoid_by_a_general_solver():
    s, w = 50 * RNG.normal(size=80) + 300, RNG.random(80)
    yes = RNG.random(80) < expit((s - 300) / 40)
    found = SigmoidCalibration.fit(s, yes, w)
    up, down = w[yes].sum(), w[~yes].sum()
    target = np.where(yes, (up + 1) / (up + 2), 1 / (down + 2))
    z = (s - 300) / 50

    def loss(ab):
        return w @ (np.logaddexp(0, ab[0] * z + ab[1]) - target * (ab[0] * z + ab[1]))

    best = minimize(loss, [0, 0], method="BFGS", options={"gtol": 1e-10})
    assert found.certificate_.primal == pytest.approx(best.fun, rel=1e-12)
    np.testing.assert_allclose(found.predict(s), expit(best.x[0] * z + best.x[1]), atol=1e-6)


def test_sigmoid_of_separated_and_constant_scores():
    apart = SigmoidCalibration.fit([-1e6, -1e6, 1e6], [0, 0, 1])
    assert apart.predict([-1e6, 1e6]) == pytest.approx([1 / 4, 2 / 3])  # Platt's targets
    same = SigmoidCalibration.fit([5.0, 5.0, 5.0, 5.0], [0, 0, 1, 1])
    assert same.predict([5.0]) == pytest.approx([0.5])
    assert apart.certificate_.optimal
    assert same.certificate_.optimal


def test_temperature_by_a_general_solver():
    z, y, w = 4 * RNG.normal(size=(90, 3)), RNG.integers(0, 3, 90), RNG.random(90)
    z[np.arange(90), y] += 3
    found = TemperatureScaling.fit(z, y, w)

    def loss(beta):
        return -(w @ log_softmax(beta * z, axis=1)[np.arange(90), y])

    best = minimize_scalar(loss, bounds=(1e-3, 10), method="bounded", options={"xatol": 1e-12})
    assert found.beta_ == pytest.approx(best.x, rel=1e-6)
    assert found.certificate_.primal <= best.fun * (1 + 1e-14)
    assert found.certificate_.optimal
    check_is_fitted(found)  # scikit-learn's, which asks for tags


def test_temperature_at_its_ends():
    z = np.array([[2.0, 0.0], [0.0, 2.0]])
    perfect, contrary = (TemperatureScaling.fit(z, codes) for codes in ([0, 1], [1, 0]))
    assert perfect.certificate_.primal < 1e-12
    assert perfect.predict(z)[0, 0] == pytest.approx(1)
    assert contrary.beta_ == pytest.approx(np.exp(-10), rel=1e-6)
    np.testing.assert_allclose(contrary.predict(z), 0.5, atol=1e-4)


def test_frozen_models_are_calibrated_as_they_are(tmp_path):
    x, y, _ = problem(3)
    inside = GaussianNB().fit(x, y)
    model = CalibratedClassifierCV(FrozenEstimator(inside), method="isotonic").fit(x, y)
    assert len(model.calibrated_classifiers_) == 1
    assert model.calibrated_classifiers_[0].estimator.estimator is inside
    other = theirs.CalibratedClassifierCV(
        theirs.FrozenEstimator(TheirGaussianNB().fit(x, y)), method="isotonic"
    ).fit(x, y)
    np.testing.assert_allclose(model.predict_proba(x), other.predict_proba(x), atol=1e-9)
    again = load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict_proba(x), model.predict_proba(x))
    frozen = FrozenEstimator(GaussianNB())
    with pytest.raises(ValueError, match="not fitted"):
        frozen.fit(x, y)
    with pytest.raises(InvalidParameterError, match="cannot set parameters"):
        frozen.set_params(priors=None)
    assert not hasattr(frozen, "fit_transform")


@pytest.mark.parametrize("method", METHODS)
def test_files_frames_sparse_and_jobs(method, tmp_path):
    x, y, w = problem(3, 90)
    want = CalibratedClassifierCV(LogisticRegression(), method=method, cv=3).fit(x, y, w)
    chance = want.predict_proba(x)
    again = load(want.save(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict_proba(x), chance)
    frame = pd.DataFrame(x, columns=list("abcd"))
    named = CalibratedClassifierCV(LogisticRegression(), method=method, cv=3, n_jobs=2)
    np.testing.assert_allclose(named.fit(frame, y, w).predict_proba(frame), chance, atol=1e-4)
    assert named.feature_names_in_.tolist() == list("abcd")
    thin = CalibratedClassifierCV(LogisticRegression(), method=method, cv=3)
    found = thin.fit(sparse.csr_array(x), y, w).predict_proba(sparse.csr_array(x))
    np.testing.assert_allclose(found, chance, atol=1e-4)


def test_classes_missing_from_a_fold_get_no_probability():
    x, y = RNG.normal(size=(30, 2)), np.repeat([0, 1, 2], 10)
    first = np.arange(30)
    splits = [(first[:20], first[20:]), (first, first)]
    model = CalibratedClassifierCV(GaussianNB(), cv=splits).fit(x, y)
    assert (model.calibrated_classifiers_[0].predict_proba(x)[:, 2] == 0).all()
    with pytest.raises(InvalidDataError, match="stratified"):
        CalibratedClassifierCV(GaussianNB(), cv=splits, method="temperature").fit(x, y)


def test_refusals():
    x, y, w = problem(2, 40)
    with pytest.raises(InvalidDataError, match="less than 30 examples"):
        CalibratedClassifierCV(GaussianNB(), cv=30).fit(x, y)
    with pytest.raises(InvalidParameterError, match="LeaveOneOut"):
        CalibratedClassifierCV(GaussianNB(), cv=LeaveOneOut()).fit(x, y)
    with pytest.raises(InvalidParameterError, match="method"):
        CalibratedClassifierCV(GaussianNB(), method="platt").fit(x, y)
    with pytest.warns(StylobateWarning, match="does not appear to accept"):
        CalibratedClassifierCV(KNeighborsClassifier(), cv=StratifiedKFold(2)).fit(x, y, w)
    assert CalibratedClassifierCV(Perceptron(random_state=0), cv=2).fit(x, y).score(x, y) > 0.5


def test_intervals_of_a_reliability_diagram():
    p, w = RNG.random(300), RNG.integers(1, 3, 300)
    y = RNG.random(300) < p
    curve = calibration_curve(y, p, n_bins=4)
    low, high = curve.intervals(0.9)
    bins = np.minimum((4 * p).astype(int), 3)
    for k in range(4):
        want = proportion_interval(y[bins == k].sum(), (bins == k).sum(), confidence=0.9)
        assert (low[k], high[k]) == pytest.approx((want.low, want.high))
    heavy = calibration_curve(y, p, n_bins=4, sample_weight=w)
    assert (heavy.effective_rows < curve.effective_rows).all()  # Kish: unequal weights tell less
    doubled = calibration_curve(y, p, n_bins=4, sample_weight=np.full(300, 2.0))
    np.testing.assert_allclose(doubled.intervals(0.9), (low, high))
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    display = CalibrationDisplay.from_predictions(y, p, n_bins=4, ax=ax, confidence=0.9)
    ends = np.array([path.vertices[:, 1] for path in display.bars_.get_paths()])
    np.testing.assert_allclose(ends, np.column_stack([low, high]))
    drawn = curve.plot(ax=Figure().add_subplot(), confidence=0.9)
    assert len(drawn.collections) == 2  # marks and bars
