"""Pictures of curves and confusion matrices show what was computed, and say what is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import norm

from stylobate import metrics, plot
from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared import themes


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    return y, 1 / (1 + np.exp(-(2 * y - 1 + 1.5 * rng.normal(size=300))))


CURVES = {
    "plot_roc_curve": (metrics.roc_curve, "area"),
    "plot_precision_recall_curve": (metrics.precision_recall_curve, "average precision"),
    "plot_det_curve": (metrics.det_curve, "equal error rate"),
    "plot_calibration_curve": (metrics.calibration_curve, "error"),
    "plot_gain_curve": (metrics.gain_curve, "area"),
}


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize("name", CURVES)
def test_one_and_several_models(name, rows):
    y, p = rows
    make, word = CURVES[name]
    curve = make(y, p)
    draw = getattr(plot, name)
    one = draw(curve)
    assert texts(one)[0].startswith(word)
    two = draw({"a": curve, "b": make(y, 1 - p)})
    assert [text.split()[0] for text in texts(two)][:2] == ["a", "b"]
    lines = [line for line in two.get_lines() if line.get_gid() == "curve"]
    assert len({line.get_color() for line in lines}) == 2
    # the method draws the same, and on axes that are there already
    ax = Figure().add_subplot()
    assert curve.plot(ax, label="first") is ax
    assert make(y, p**2).plot(ax=ax, label="second") is ax
    assert [text.split()[0] for text in texts(ax) if text not in ("chance", "perfect")] == [
        "first", "second",
    ]  # fmt: skip
    assert sum(line.get_gid() == "reference" for line in ax.get_lines()) <= 1
    with pytest.raises(InvalidParameterError, match="pass the curve of"):
        draw((1, 2, 3))
    with pytest.raises(InvalidParameterError, match="no curve to draw"):
        draw({})


def test_lines_are_the_curves(rows):
    y, p = rows
    roc = metrics.roc_curve(y, p)
    line = roc.plot().get_lines()[0]
    np.testing.assert_array_equal(line.get_xdata(), roc.fpr)
    np.testing.assert_array_equal(line.get_ydata(), roc.tpr)
    pr = metrics.precision_recall_curve(y, p)
    ax = pr.plot()
    np.testing.assert_array_equal(ax.get_lines()[0].get_ydata(), pr.precision)
    assert ax.get_lines()[1].get_ydata()[0] == pytest.approx(y.mean())
    assert len(pr.plot(chance=False).get_lines()) == 1
    det = metrics.det_curve(y, p)
    x = det.plot().get_lines()[0].get_xdata()
    assert set(np.round(norm.cdf(x), 9)) <= set(np.round(det.fpr, 9))
    gain = metrics.gain_curve(y, p)
    np.testing.assert_array_equal(gain.plot(kind="lift").get_lines()[0].get_ydata(), gain.lift[1:])
    with pytest.raises(InvalidParameterError, match="kind must be gain or lift"):
        gain.plot(kind="uplift")


def test_marks_of_calibration_grow_with_the_rows(rows):
    y, p = rows
    curve = metrics.calibration_curve(y, p, n_bins=4)
    sizes = curve.plot().collections[0].get_sizes()
    np.testing.assert_array_equal(np.argsort(sizes), np.argsort(curve.weight))


def test_confusion_matrix():
    matrix = metrics.ConfusionMatrix([[50, 3], [2, 45]], ["no", "yes"])
    ax = matrix.plot()
    assert [text.get_text() for text in ax.texts] == ["50", "3", "2", "45"]
    dark, light = themes.DARK.ink, themes.LIGHT.ink
    assert [text.get_color() for text in ax.texts] == [dark, light, light, dark]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["no", "yes"]
    shares = matrix.plot(normalize="true", values_format=".1%")
    assert shares.texts[0].get_text() == "94.3%"
    assert plot.plot_confusion_matrix(matrix).get_xticklabels()[1].get_text() == "yes"
    assert not plot.plot_confusion_matrix(np.eye(40)).texts
    assert plot.plot_confusion_matrix([[0, 0], [0, 0]]).texts[0].get_text() == "0"
    ax = Figure().add_subplot()
    assert matrix.plot(ax) is ax
    with pytest.raises(InvalidParameterError, match="expected \\(k, k\\)"):
        plot.plot_confusion_matrix([1, 2])
    with pytest.raises(InvalidParameterError, match="3 labels for 2 classes"):
        plot.plot_confusion_matrix([[1, 2], [3, 4]], ["a", "b", "c"])
