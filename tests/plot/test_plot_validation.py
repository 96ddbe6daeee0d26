"""Pictures of validation curves hold the errors they were given."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.plot import plot_validation_curve

ALPHAS = np.array([0.01, 0.1, 1.0, 10.0])
FOLDS = np.array([[3.0, 5.0, 4.0], [1.0, 2.0, 3.0], [2.0, 2.0, 2.0], [6.0, 9.0, 6.0]])
TRAIN = np.array([0.1, 0.5, 1.0, 5.0])


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_folds_are_a_mean_and_a_band(tmp_path):
    ax = plot_validation_curve(ALPHAS, validation_errors=FOLDS, train_errors=TRAIN, chosen=0.1)
    validation, training, mark = ax.get_lines()
    np.testing.assert_array_equal(validation.get_xdata(), ALPHAS)
    np.testing.assert_array_equal(validation.get_ydata(), [4.0, 2.0, 2.0, 7.0])
    np.testing.assert_array_equal(training.get_ydata(), TRAIN)
    assert list(mark.get_xdata()) == [0.1, 0.1]
    assert legend(ax) == ["validation, mean ± standard error of 3 folds", "training", "chosen"]
    (band,) = ax.collections
    corners = band.get_paths()[0].vertices
    # Standard deviations 1, 1, 0 and √3 of three folds each.
    off = np.array([1.0, 1.0, 0.0, np.sqrt(3.0)]) / np.sqrt(3.0)
    for alpha, mean, away in zip(ALPHAS, [4.0, 2.0, 2.0, 7.0], off, strict=True):
        heights = corners[np.isclose(corners[:, 0], alpha), 1]
        np.testing.assert_allclose([heights.min(), heights.max()], [mean - away, mean + away])
    assert (ax.get_xscale(), ax.get_ylabel()) == ("log", "mean squared error")
    ax.figure.savefig(tmp_path / "validation.png")


def test_one_curve_and_several_marks():
    ax = plot_validation_curve(
        ALPHAS, train_errors=TRAIN, chosen={"best": 0.1, "simplest": 1.0}, error="deviance"
    )
    assert legend(ax) == ["training", "best", "simplest"]
    curve, best, simplest = ax.get_lines()
    np.testing.assert_array_equal(curve.get_ydata(), TRAIN)
    assert (best.get_xdata()[0], simplest.get_xdata()[0]) == (0.1, 1.0)
    assert best.get_linestyle() != simplest.get_linestyle()
    assert ax.get_ylabel() == "deviance"
    assert plot_validation_curve(ALPHAS, validation_errors=TRAIN, ax=ax) is ax


def test_one_fold_has_no_band():
    ax = plot_validation_curve(ALPHAS, validation_errors=TRAIN[:, None])
    assert not ax.collections
    np.testing.assert_array_equal(ax.get_lines()[0].get_ydata(), TRAIN)


@pytest.mark.parametrize(
    ("alphas", "errors", "message"),
    [
        (ALPHAS, {}, "nothing to draw"),
        (ALPHAS, {"validation_errors": FOLDS.T}, r"validation errors have shape \(3, 4\)"),
        (ALPHAS, {"train_errors": 1.0}, "training errors"),
        (ALPHAS - 0.01, {"train_errors": TRAIN}, "positive"),
    ],
)
def test_what_cannot_be_drawn(alphas, errors, message):
    with pytest.raises(InvalidParameterError, match=message):
        plot_validation_curve(alphas, **errors)
