"""Pictures of validation curves hold the scores they were given."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.datasets import load_diabetes
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import ElasticNetCV, LassoCV, LogisticRegression, Ridge
from stylobate.model_selection import validation_curve
from stylobate.plot import plot_validation_curve

ALPHAS = [0.01, 0.1, 1.0, 10.0]


@pytest.fixture(scope="module")
def data():
    return load_diabetes(return_X_y=True)


@pytest.fixture(scope="module")
def curve(data):
    return validation_curve(
        Ridge(), *data, param_name="alpha", param_range=ALPHAS, cv=3,
        scoring="neg_mean_squared_error",
    )  # fmt: skip


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_scores_are_means_and_bands(curve, tmp_path):
    ax = plot_validation_curve(curve)
    training, test, best, now = ax.get_lines()
    np.testing.assert_array_equal(test.get_xdata(), ALPHAS)
    np.testing.assert_allclose(training.get_ydata(), -curve.train_scores.mean(axis=1))
    np.testing.assert_allclose(test.get_ydata(), -curve.test_scores.mean(axis=1))
    assert best.get_xdata()[0] == curve.best
    assert now.get_xdata()[0] == 1.0
    band = ax.collections[1].get_paths()[0].vertices
    for alpha, scores in zip(ALPHAS, curve.test_scores, strict=True):
        heights = band[np.isclose(band[:, 0], alpha), 1]
        ends = -scores.mean() + scores.std(ddof=1) * np.array([-1.0, 1.0])
        np.testing.assert_allclose([heights.min(), heights.max()], ends)
    assert ax.get_xscale() == "log"
    assert "mean squared error" in ax.get_ylabel()
    ax.figure.savefig(tmp_path / "validation.png")


def test_marks_of_ones_own(curve):
    ax = plot_validation_curve(curve, chosen={"best $": 0.1, "simplest": 2.0})
    assert legend(ax)[2:] == [r"best \$", "simplest"]
    best, simplest = ax.get_lines()[2:]
    assert (best.get_xdata()[0], simplest.get_xdata()[0]) == (0.1, 2.0)
    assert best.get_linestyle() != simplest.get_linestyle()
    assert plot_validation_curve(curve, chosen=0.3, ax=ax) is ax
    assert ax.get_lines()[-1].get_xdata()[0] == 0.3


def test_words_on_the_axis(data):
    X, y = data
    curve = validation_curve(
        LogisticRegression(), X, (y > y.mean()).astype(int), param_name="class_weight",
        param_range=["balanced", None], cv=3,
    )  # fmt: skip
    ax = plot_validation_curve(curve, chosen="balanced")
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["balanced", "None"]
    assert ax.get_lines()[-1].get_xdata()[0] == 0
    with pytest.raises(InvalidParameterError, match="'l3', which is none of the values"):
        plot_validation_curve(curve, chosen="l3")


def test_paths_know_their_errors(data):
    model = LassoCV(cv=3, alphas=20).fit(*data)
    ax = plot_validation_curve(model)
    test, best = ax.get_lines()
    np.testing.assert_allclose(test.get_ydata(), model.mse_path_.mean(axis=1))
    assert best.get_xdata()[0] == model.alpha_
    assert legend(ax)[0] == "test rows, mean ± std of 3 splits"


def test_what_cannot_be_drawn(data):
    with pytest.raises(InvalidParameterError, match="ndarray has no scores"):
        plot_validation_curve(np.ones(3))
    several = ElasticNetCV(cv=3, alphas=5, l1_ratio=[0.5, 0.9]).fit(*data)
    with pytest.raises(InvalidParameterError, match="one l1_ratio"):
        plot_validation_curve(several)
