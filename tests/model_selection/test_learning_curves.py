"""Learning and validation curves: scikit-learn's tuples, the power law, advice, pictures."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.model_selection
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.datasets import load_diabetes
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.model_selection import (
    KFold,
    LearningCurve,
    ValidationCurve,
    learning_curve,
    validation_curve,
)
from stylobate.model_selection.curves.power_law import fit_power_law
from stylobate.model_selection.validation.score_names import ScoreName, score_name

X, Y = load_diabetes(return_X_y=True)
SIZES = [50, 75, 100, 150, 200, 300]
N = np.array([20.0, 40.0, 80.0, 160.0, 320.0, 640.0])


def made_curve(test, train=None, sizes=N, score=None, ratio=0.25):
    """A learning curve with given scores."""
    test = np.asarray(test)
    train = np.ones_like(test) if train is None else np.asarray(train)
    zeros = np.zeros_like(test)
    sizes = np.asarray(sizes, dtype=np.intp)
    score = ScoreName("R²", 1, 1.0) if score is None else score
    return LearningCurve(sizes, train, test, zeros, zeros, score=score, test_to_train=ratio)


def noisy(law, spread, folds=10, seed=0):
    random = np.random.default_rng(seed)
    return law[:, None] + spread * random.normal(size=(len(law), folds))


def linear_data(n, p=10, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, p))
    return x, x @ np.linspace(-1, 1, p) + random.normal(size=n)


def test_unpacks_as_scikit_learns():
    mine = learning_curve(LinearRegression(), X, Y, train_sizes=SIZES, cv=5)
    theirs = sklearn.model_selection.learning_curve(
        sklearn.linear_model.LinearRegression(), X, Y, train_sizes=SIZES, cv=5
    )
    assert isinstance(mine, tuple)
    assert len(mine) == len(theirs) == 3
    for own, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(own, other)
    timed = learning_curve(LinearRegression(), X, Y, train_sizes=SIZES, cv=5, return_times=True)
    assert len(timed) == 5
    np.testing.assert_array_equal(timed[3], timed.fit_times)
    assert mine.fit_times.shape == (6, 5)  # kept, but not in the tuple
    values = [0.1, 1.0]
    curve = validation_curve(Ridge(), X, Y, param_name="alpha", param_range=values)
    train, test = curve
    np.testing.assert_array_equal(test, curve.test_scores)
    np.testing.assert_array_equal(train, curve.train_scores)
    assert (curve.param_name, curve.param_range, curve.current) == ("alpha", values, 1.0)


@pytest.mark.parametrize("return_times", [True, False])
def test_curves_can_be_stored(return_times):
    curve = learning_curve(LinearRegression(), X, Y, cv=3, return_times=return_times)
    copy = pickle.loads(pickle.dumps(curve))
    assert (type(copy), len(copy), copy.score) == (LearningCurve, len(curve), curve.score)
    np.testing.assert_array_equal(copy.test_scores, curve.test_scores)
    np.testing.assert_array_equal(copy.score_times, curve.score_times)
    values = validation_curve(Ridge(), X, Y, param_name="alpha", param_range=[0.1, 1.0])
    copy = pickle.loads(pickle.dumps(values))
    assert (type(copy), copy.param_range, copy.best) == (ValidationCurve, [0.1, 1.0], 0.1)


@settings(max_examples=30)
@given(st.floats(0.0, 2.0), st.floats(0.1, 50.0), st.floats(0.1, 1.95))
def test_exact_curves_are_found_exactly(a, b, c):
    law = fit_power_law(N, (a + b * N**-c)[:, None], lowest=0.0)
    assert law.c == pytest.approx(c, abs=2e-3)
    tiny = 1e-4 * (a + b * 20**-c)
    np.testing.assert_allclose(law.error(N), a + b * N**-c, atol=tiny)
    assert law.error(6400.0) == pytest.approx(a + b * 6400**-c, rel=1e-3, abs=tiny)
    assert np.isnan(law.gain_interval(6400.0)[0])  # one fold


def test_a_wild_size_does_not_matter():
    clean = 0.2 + 3.0 * N**-0.7
    wild = clean.copy()
    wild[0] += 50.0
    law = fit_power_law(N, noisy(clean, 0.002))
    other = fit_power_law(N, noisy(wild, 0.002))
    assert other.error(6400.0) == pytest.approx(law.error(6400.0), abs=0.02)


def test_bounds_of_the_law():
    rising = fit_power_law(N, noisy(0.1 + 0.01 * np.log(N), 1e-4))
    assert rising.b == 0.0  # errors that grow are no learning
    steep = fit_power_law(N, noisy(1.0 - 0.15 * np.log(N), 1e-4), lowest=0.0)
    assert steep.a >= 0.0
    assert (steep.samples[:, 0] >= 0.0).all()
    assert ((steep.samples[:, 2] > 0.0) & (steep.samples[:, 2] <= 2.0)).all()


def test_intervals_hold_the_truth():
    """Of 60 noisy curves with known law the 95% intervals miss the gain and the level rarely."""
    random = np.random.default_rng(0)
    errors = 0.2 + 3.0 * N**-0.7
    truth, gain = 0.2 + 3.0 * 6400**-0.7, 3.0 * (640**-0.7 - 6400**-0.7)
    held = np.zeros(2)
    for seed in range(60):
        folds = 0.01 * random.normal(size=5)  # easy and hard test rows
        scores = (
            errors[:, None] + folds + 0.1 * (errors - 0.2)[:, None] * random.normal(size=(6, 5))
        )
        law = fit_power_law(N, scores, lowest=0.0, n_bootstrap=100, random_state=seed)
        low, high = law.error_interval(6400.0)
        held[0] += low[0] <= truth <= high[0]
        low, high = law.gain_interval(6400.0)
        held[1] += low <= gain <= high
    assert (held / 60 > 0.85).all()


def test_least_squares_learns_at_its_known_rate():
    """Normal rows: expected squared error σ²(1 + 1/n)(n − 2)/(n − p − 2), excess about σ²p/n."""
    n, p = 2000, 10
    x, y = linear_data(n, p)
    sizes = [60, 90, 140, 220, 350, 600, 1000, 1600]
    curve = learning_curve(
        LinearRegression(), x, y, train_sizes=sizes, cv=KFold(10, shuffle=True, random_state=0),
        scoring="neg_mean_squared_error", shuffle=True, random_state=0,
    )  # fmt: skip
    law = curve.fit()
    assert 0.7 < law.c < 1.6
    look = curve.extrapolate(16000)
    rate = lambda m: (1 + 1 / m) * (m - 2) / (m - p - 2)  # noqa: E731
    assert -look.high <= rate(16000) <= -look.low
    assert look.gain_low <= rate(1600) - rate(16000) <= look.gain_high
    assert law.gain(1600, 100) == pytest.approx(rate(100) - rate(1600), rel=0.3)


def test_a_curve_that_rises():
    curve = made_curve(noisy(0.9 - 2.0 * N**-0.5, 0.003))
    look = curve.extrapolate(6400)
    assert look.verdict == "gain"
    assert look.reliable
    assert look.score == pytest.approx(0.9 - 2.0 * 6400**-0.5, abs=0.01)
    assert look.low < look.score < look.high <= 1.0
    assert str(look).startswith("10× the data (6400 rows) would bring R² from 0.82")
    assert curve.advice().kinds == ("overfits", "more data helps", "more data helps")


def test_a_flat_curve_and_a_noisy_one():
    flat = made_curve(noisy(np.full(6, 0.8), 0.001) + 0.02 * np.arange(10))
    assert flat.extrapolate(1280).verdict == "flat"
    assert "flat" in str(flat.extrapolate(1280))
    assert "more data does not help" in flat.advice()
    noise = made_curve(noisy(0.8 - 2.0 * N**-0.5, 0.3, folds=3))
    look = noise.extrapolate(6400)
    assert (look.verdict, look.reliable) == ("unclear", False)
    assert "too noisy" in str(look)


def test_what_cannot_be_extrapolated():
    curve = made_curve(noisy(0.9 - 2.0 * N**-0.5, 0.003))
    assert curve.extrapolate(64000).verdict == "too far"
    assert "up to about 6400" in str(curve.extrapolate(64000))
    assert curve.extrapolate(100).verdict == "known"
    one = made_curve((0.9 - 2.0 * N**-0.5)[:, None])
    assert "One split has no interval" in str(one.extrapolate(1280))
    assert one.advice()[0].kind == "cannot say"
    near = np.array([500, 540, 580, 620])
    narrow = made_curve(noisy(0.9 - 2.0 * near**-0.5, 0.003), sizes=near)
    assert "too close" in str(narrow.extrapolate(1000))
    few = made_curve(noisy(0.9 - 2.0 * N[:3] ** -0.5, 0.003), sizes=N[:3])
    with pytest.raises(InvalidDataError, match="four or more different sizes, got 3"):
        few.extrapolate(1000)
    assert few.advice()[1].kind == "more data: cannot say"
    for n in (0, -3, np.inf, "many", None):
        with pytest.raises(InvalidParameterError, match="positive number"):
            curve.extrapolate(n)
    broken = noisy(0.9 - 2.0 * N**-0.5, 0.003)
    broken[0, 0] = np.nan
    with pytest.raises(InvalidDataError, match="missing"):
        made_curve(broken).extrapolate(1000)
    with pytest.raises(InvalidDataError, match="missing"):
        made_curve(broken).advice()


def test_scores_that_are_no_power_law():
    shape = np.array([0.1, 0.3, 0.5, 0.9, 0.95, 0.2])  # it falls at the end
    look = made_curve(noisy(shape, 0.003)).extrapolate(1280)
    assert not look.reliable


@pytest.mark.parametrize(
    ("train", "test", "kind"),
    [(1.0, 0.5, "overfits"), (0.52, 0.5, "underfits or noise"), (0.99, 0.985, "fits")],
)
def test_the_words_for_training_and_test_scores(train, test, kind):
    tests = noisy(np.full(6, test), 0.002)
    curve = made_curve(tests, noisy(np.full(6, train), 0.002, seed=1))
    statement = curve.advice()[0]
    assert statement.kind == kind
    assert statement.numbers["gap"] == pytest.approx(train - test, abs=0.005)
    share = statement.numbers["gap"] / (1.0 - tests[-1].mean())
    assert statement.numbers["gap_share"] == pytest.approx(share)
    assert f"{100 * share:.0f}%" in statement.sentence


def test_losses_and_scores_without_a_bound():
    loss = score_name("neg_mean_squared_error")
    curve = made_curve(-noisy(1.0 + 30.0 / N, 0.01), -np.full((6, 10), 0.5), score=loss)
    assert str(curve.extrapolate(1280)).startswith("2× the data (1280 rows) would bring mean squ")
    assert "a fall of" in str(curve.extrapolate(1280))
    assert "overfits" in curve.advice()
    assert " -" not in str(curve)  # shown as losses
    own = made_curve(noisy(5.0 - 30.0 / N, 0.01), np.full((6, 10), 9.0), score=ScoreName("score"))
    assert "is more than noise" in own.advice()["overfits"].sentence


def test_advice_of_real_models():
    """Many useless columns: least squares overfits, and ridge says which penalty is better."""
    random = np.random.default_rng(0)
    x = random.normal(size=(400, 150))
    y = x[:, 0] + random.normal(size=400)
    folds = KFold(10, shuffle=True, random_state=0)
    curve = learning_curve(LinearRegression(), x, y, cv=folds, train_sizes=[160, 200, 280, 360])
    assert curve.advice().kinds[0] == "overfits"
    values = np.logspace(-3, 5, 9)
    penalties = validation_curve(
        Ridge(alpha=0.001), x, y, param_name="alpha", param_range=values, cv=folds
    )
    advice = penalties.advice()
    assert advice.kinds[:4] == ("best", "overfits there", "underfits there", "simpler")
    assert penalties.flexible_end == 0
    assert penalties.current_index == 0
    gain = (penalties.test_scores[penalties.best_index] - penalties.test_scores[0]).mean()
    assert advice["simpler"].numbers["gain"] == pytest.approx(gain)
    assert "from alpha=0.001 to alpha=" in advice["simpler"].sentence


def test_a_best_value_at_the_end():
    curve = validation_curve(Ridge(), X, Y, param_name="alpha", param_range=[1.0, 10.0, 100.0])
    assert curve.best == 1.0
    assert curve.advice().kinds[0] == "extend the range"
    one = validation_curve(Ridge(), X, Y, param_name="alpha", param_range=[0.1])
    assert one.advice()[0].kind == "best"
    with pytest.raises(KeyError, match="no statement"):
        one.advice()["simpler"]


def test_logistic_regression_and_words_as_values():
    labels = np.where(Y > 140, "high", "low")
    curve = learning_curve(LogisticRegression(), X, labels, cv=5, train_sizes=[40, 80, 160, 320])
    assert curve.score.label == "accuracy"
    assert 0.5 < curve.extrapolate(640).score < 1.0
    solvers = validation_curve(
        Ridge(), X, Y, param_name="solver", param_range=["cholesky", "svd"], cv=3
    )
    assert "solver" in str(solvers)
    ax = solvers.plot()
    assert [text.get_text() for text in ax.get_xticklabels()] == ["cholesky", "svd"]


def test_printed_curves():
    curve = learning_curve(LinearRegression(), X, Y, train_sizes=SIZES, cv=5)
    lines = str(curve).splitlines()
    assert lines[0] == "Learning curve: R², mean of 5 splits"
    assert lines[4].split()[0] == "50"
    assert float(lines[-1].split()[3]) == pytest.approx(curve.test_scores[-1].mean(), abs=0.01)
    assert "<li>" in curve.advice()._repr_html_()


def test_pictures(tmp_path):
    curve = learning_curve(LinearRegression(), X, Y, train_sizes=SIZES, cv=5)
    ax = curve.plot()
    training, test = ax.get_lines()
    np.testing.assert_array_equal(test.get_xdata(), SIZES)
    np.testing.assert_allclose(test.get_ydata(), curve.test_scores.mean(axis=1))
    np.testing.assert_allclose(training.get_ydata(), curve.train_scores.mean(axis=1))
    ax = curve.plot(extrapolate_to=3000)
    law = ax.get_lines()[-1]
    assert law.get_xdata()[-1] == pytest.approx(3000)
    assert law.get_ydata()[-1] == pytest.approx(curve.extrapolate(3000).score)
    assert ax.get_xscale() == "log"
    assert curve.plot(ax) is ax
    ax.figure.savefig(tmp_path / "learning.png")
    values = validation_curve(Ridge(), X, Y, param_name="alpha", param_range=[0.01, 0.1, 1, 10])
    ax = values.plot()
    best, now = ax.get_lines()[2:]
    assert best.get_xdata()[0] == values.best
    assert now.get_xdata()[0] == 1.0
    linear = validation_curve(Ridge(), X, Y, param_name="alpha", param_range=[1, 2, 3])
    assert linear.plot().get_xscale() == "linear"
