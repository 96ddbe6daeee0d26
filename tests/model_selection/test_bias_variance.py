"""Bias and variance against closed forms of linear models, brute force, Domingos' identities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.model_selection import bias_variance, bias_variance_curve
from stylobate.model_selection.decomposition.tallies import LabelTally, NumberTally

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 4))
WEIGHTS = np.array([1.0, -2.0, 0.5, 3.0])
Y = X @ WEIGHTS + RANDOM.normal(size=60)
X_TEST = RANDOM.normal(size=(25, 4))
TRUTH = X_TEST @ WEIGHTS
Y_TEST = TRUTH + RANDOM.normal(size=25)
LABELS = np.where(Y > 0, "yes", "no")
LABELS_TEST = np.where(Y_TEST > 0, "yes", "no")


def new_noise(random):
    """Training rows with the same X and new noise."""
    return X, X @ WEIGHTS + random.normal(size=60)


@pytest.mark.parametrize("alpha", [0.0, 20.0])
def test_closed_form_of_linear_models(alpha):
    """With fixed rows: bias = xᵀ((XᵀX + αI)⁻¹XᵀX − I)w, variance = σ²‖X(XᵀX + αI)⁻¹x‖²."""
    model = Ridge(alpha, fit_intercept=False) if alpha else LinearRegression(fit_intercept=False)
    found = bias_variance(
        model, None, None, X_TEST, Y_TEST, truth=TRUTH, draw=new_noise, n_resamples=600,
        random_state=0,
    )  # fmt: skip
    hat = np.linalg.solve(X.T @ X + alpha * np.eye(4), X.T)
    bias = (X_TEST @ (hat @ X - np.eye(4)) @ WEIGHTS) ** 2
    variance = ((X_TEST @ hat) ** 2).sum(axis=1)
    assert found.variance == pytest.approx(variance.mean(), rel=0.1)
    np.testing.assert_allclose(found.point_variance, variance, rtol=0.3)
    # the mean of 600 fits is known to √(variance/600)
    off = 4.0 * np.sqrt(variance / 600)
    assert (np.abs(np.sqrt(found.point_bias) - np.sqrt(bias)) < off).all()
    assert found.noise == pytest.approx(((Y_TEST - TRUTH) ** 2).mean())


def resampled_predictions(model, y, count, seed):
    """The bootstrap of the documentation, written out."""
    seeds = np.random.RandomState(seed).randint(2**31 - 1, size=count)
    rows = [np.random.default_rng(s).integers(60, size=60) for s in seeds]
    return np.array([model.fit(X[r], y[r]).predict(X_TEST) for r in rows])


def test_squared_loss_by_brute_force():
    model = DecisionTreeRegressor(random_state=0)
    found = bias_variance(model, X, Y, X_TEST, Y_TEST, n_resamples=35, random_state=7)
    all_of_them = resampled_predictions(model, Y, 35, 7)
    main = all_of_them.mean(axis=0)
    assert found.loss == "squared"
    assert found.expected_loss == pytest.approx(((all_of_them - Y_TEST) ** 2).mean())
    assert found.bias == pytest.approx(((main - Y_TEST) ** 2).mean())
    assert found.variance == pytest.approx(((all_of_them - main) ** 2).mean())
    np.testing.assert_allclose(found.resample_losses, ((all_of_them - Y_TEST) ** 2).mean(axis=1))
    assert found.expected_loss == pytest.approx(found.bias + found.variance, rel=1e-12)
    assert (found.noise, found.truth_known) == (0.0, False)


def test_zero_one_loss_by_brute_force():
    model = DecisionTreeClassifier(random_state=0)
    found = bias_variance(model, X, LABELS, X_TEST, LABELS_TEST, n_resamples=35, random_state=7)
    all_of_them = resampled_predictions(model, LABELS, 35, 7)
    yes = (all_of_them == "yes").mean(axis=0)
    main = np.where(yes > 0.5, "yes", "no")
    assert found.loss == "zero_one"
    np.testing.assert_array_equal(found.main_prediction, main)
    assert found.expected_loss == pytest.approx((all_of_them != LABELS_TEST).mean())
    assert found.bias == pytest.approx((main != LABELS_TEST).mean())
    assert found.variance == pytest.approx((all_of_them != main).mean())
    # Domingos, two classes: loss = bias + (1 − 2 bias) · variance, row by row
    loss = found.point_bias + (1 - 2 * found.point_bias) * found.point_variance
    np.testing.assert_allclose(found.point_loss, loss)


@given(
    arrays(np.int64, (7, 5), elements=st.integers(0, 3)),
    arrays(np.int64, 5, elements=st.integers(0, 3)),
    st.integers(1, 6),
)
def test_several_classes_sum_and_batches_do_not_matter(predictions, y, cut):
    whole, parts = LabelTally(y, None), LabelTally(y, None)
    whole.add(predictions)
    parts.add(predictions[:cut])
    parts.add(predictions[cut:])
    one, two = whole.result(), parts.result()
    assert one.expected_loss == pytest.approx((predictions != y).mean())
    assert sum(one.parts().values()) == pytest.approx(one.expected_loss)
    np.testing.assert_allclose(one.point_loss, two.point_loss)
    np.testing.assert_array_equal(one.main_prediction, two.main_prediction)


@given(
    arrays(np.float64, (7, 5), elements=st.floats(-1e3, 1e3)),
    arrays(np.float64, 5, elements=st.floats(-1e3, 1e3)),
    arrays(np.float64, 5, elements=st.floats(-1e3, 1e3)),
    st.integers(1, 6),
)
def test_squared_parts_sum_and_batches_do_not_matter(predictions, y, truth, cut):
    whole, parts = NumberTally(y, truth), NumberTally(y, truth)
    whole.add(predictions)
    parts.add(predictions[:cut])
    parts.add(predictions[cut:])
    one, two = whole.result(), parts.result()
    assert sum(one.parts().values()) == pytest.approx(((predictions - y) ** 2).mean(), abs=1e-6)
    interaction = 2 * ((y - truth) * (truth - predictions.mean(axis=0))).mean()
    assert one.interaction == pytest.approx(interaction, abs=1e-5)
    np.testing.assert_allclose(one.point_variance, two.point_variance, atol=1e-6)


def test_offsets_cost_no_digits():
    tally = NumberTally(np.array([1e9]), None)
    for value in (1e9, 1e9 + 1, 1e9 + 2):
        tally.add(np.array([[value]]))
    assert tally.result().variance == pytest.approx(2 / 3)


def test_noise_of_labels():
    truth = np.where(TRUTH > 0, "yes", "no")
    model = LogisticRegression()
    found = bias_variance(
        model, X, LABELS, X_TEST, LABELS_TEST, truth=truth, n_resamples=20, random_state=0
    )
    assert found.noise == (truth != LABELS_TEST).mean() > 0
    assert sum(found.parts().values()) == pytest.approx(found.expected_loss)
    # against the truth itself nothing is noise
    clean = bias_variance(
        model, X, LABELS, X_TEST, truth, truth=truth, n_resamples=20, random_state=0
    )
    assert (clean.noise, clean.bias) == (0.0, found.bias)
    assert clean.interaction == pytest.approx(0.0)


def test_flexible_models_vary_and_simple_ones_are_biased():
    """The U of the textbooks, on a sine curve: trees of growing depth."""
    random = np.random.default_rng(1)

    def draw(generator):
        x = generator.uniform(0, 1, size=(80, 1))
        return x, np.sin(6 * x[:, 0]) + 0.5 * generator.normal(size=80)

    x_test = random.uniform(0, 1, size=(200, 1))
    truth = np.sin(6 * x_test[:, 0])
    curve = bias_variance_curve(
        DecisionTreeRegressor(random_state=0), None, None, x_test,
        truth + 0.5 * random.normal(size=200), truth=truth, draw=draw, n_resamples=60,
        random_state=0, param_name="max_depth", param_range=[1, 2, 3, 5, 10],
    )  # fmt: skip
    assert (np.diff(curve.bias) < 0.005).all()
    assert (np.diff(curve.variance) > 0).all()
    assert 0 < curve.best_index < 4
    assert curve.noise == pytest.approx([curve.noise[0]] * 5)
    text = str(curve)
    assert f"The least expected loss is that of max_depth={curve.best}" in text
    assert "max_depth=1: bias" in text
    assert "bias²" in text.splitlines()[0]
    ax = curve.plot()
    np.testing.assert_allclose(ax.get_lines()[0].get_ydata(), curve.expected_loss)
    np.testing.assert_allclose(ax.get_lines()[1].get_ydata(), curve.bias)


def test_words():
    variable = bias_variance(
        KNeighborsClassifier(1), X, LABELS, X_TEST, LABELS_TEST, n_resamples=20, random_state=0
    )
    assert variable.words().startswith("Expected error rate 0.")
    assert "− variance where wrong" in variable.words()
    simple = bias_variance(Ridge(1e6), X, Y, X_TEST, Y_TEST, n_resamples=10, random_state=0)
    assert "which of them it is cannot be told without `truth`" in simple.words()
    told = bias_variance(
        Ridge(1e6), X, Y, X_TEST, Y_TEST, n_resamples=10, random_state=0, truth=TRUTH
    )
    assert "A more flexible model would help." in told.words()
    assert "of 25 test rows and 10 fits" in repr(simple)
    perfect = bias_variance(
        LinearRegression(), X, X @ WEIGHTS, X_TEST, TRUTH, n_resamples=5, random_state=0
    )
    assert perfect.expected_loss < 1e-20


def test_pictures(tmp_path):
    for model, y, y_test in (
        (Ridge(), Y, Y_TEST),
        (DecisionTreeClassifier(), LABELS, LABELS_TEST),
    ):
        found = bias_variance(model, X, y, X_TEST, y_test, n_resamples=10, random_state=0)
        ax = found.plot()
        widths = [bar.get_width() for bar in ax.patches]
        assert sum(widths[:-1]) == pytest.approx(widths[-1])
        assert widths[0] == pytest.approx(found.bias)
        ax.figure.savefig(tmp_path / "parts.png")


def test_seeds_jobs_and_progress(capsys):
    one, two = (
        bias_variance(
            Ridge(), X, Y, X_TEST, Y_TEST, n_resamples=12, random_state=3, n_jobs=n_jobs, verbose=1
        )
        for n_jobs in (None, 2)
    )
    np.testing.assert_array_equal(one.point_loss, two.point_loss)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "bias_variance: 2 of 12 fits"
    assert lines[5] == "bias_variance: 12 of 12 fits"
    assert np.isnan(bias_variance(Ridge(), X, Y, X_TEST, Y_TEST, n_resamples=1).std_error)
    bias_variance_curve(
        Ridge(), X, Y, X_TEST, Y_TEST, n_resamples=2, verbose=1, param_name="alpha",
        param_range=[0.1, 1.0],
    )  # fmt: skip
    assert capsys.readouterr().out.startswith("[1/2] alpha=0.1: loss ")


class Interrupted(DecisionTreeRegressor):
    """A model during whose fit the user presses Ctrl-C."""

    def fit(self, X, y):
        raise KeyboardInterrupt


def test_interruption_passes():
    with pytest.raises(KeyboardInterrupt):
        bias_variance(Interrupted(), X, Y, X_TEST, Y_TEST, n_resamples=2)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"loss": "absolute"}, InvalidParameterError, "loss must be one of"),
        ({"n_resamples": 0}, InvalidParameterError, "positive integer, got 0"),
        ({"n_resamples": 2.5}, InvalidParameterError, "positive integer"),
        ({"y": Y[:-1]}, InvalidDataError, "X has 60 rows and y 59"),
        ({"y_test": Y_TEST[:-1]}, InvalidDataError, "X_test has 25 rows and y_test 24"),
        ({"truth": TRUTH[:-1]}, InvalidDataError, "truth has 24 rows"),
        ({"y_test": LABELS_TEST}, InvalidDataError, "no number; squared loss needs numbers"),
        ({"y_test": np.full(25, np.nan)}, InvalidDataError, "y_test holds missing"),
        ({"y_test": np.ones((25, 2))}, InvalidDataError, "one at a time"),
        ({"draw": 3}, InvalidParameterError, "draw must be a function"),
        ({"X_test": X_TEST[:0], "y_test": Y_TEST[:0]}, InvalidDataError, "at least one"),
    ],
)
def test_refusals(change, error, message):
    given = {"X": X, "y": Y, "X_test": X_TEST, "y_test": Y_TEST, "n_resamples": 2, **change}
    with pytest.raises(error, match=message):
        bias_variance(Ridge(), **given)


def test_an_empty_range():
    with pytest.raises(InvalidParameterError, match="param_range is empty"):
        bias_variance_curve(
            Ridge(), X, Y, X_TEST, Y_TEST, param_name="alpha", param_range=[], n_resamples=2
        )
