"""Displays hold and draw what scikit-learn's do."""

from __future__ import annotations

import inspect

import matplotlib as mpl
import numpy as np
import pytest
import sklearn.calibration
import sklearn.metrics
from matplotlib import pyplot
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression as TheirLogistic

from stylobate import metrics as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import LinearRegression, LogisticRegression

mpl.use("agg")
CURVES = ["RocCurveDisplay", "PrecisionRecallDisplay", "DetCurveDisplay", "CalibrationDisplay"]


def theirs(name):
    return getattr(sklearn.metrics, name, None) or getattr(sklearn.calibration, name)


def axes():
    return Figure().add_subplot()


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] + rng.normal(size=200) > 0, "yes", "no")
    return X, y


def same_pictures(a, b):
    np.testing.assert_allclose(a.line_.get_xydata(), b.line_.get_xydata(), atol=1e-9)
    assert a.line_.get_label() == b.line_.get_label()
    for read in ("get_xlabel", "get_ylabel", "get_xlim", "get_ylim"):
        assert getattr(a.ax_, read)() == getattr(b.ax_, read)()
    mine, other = (d.ax_.get_legend_handles_labels()[1] for d in (a, b))
    assert mine == other
    assert a.figure_ is a.ax_.figure


@pytest.mark.parametrize("name", CURVES)
def test_curves_from_estimators_and_predictions(name, data):
    X, y = data
    model, other = LogisticRegression().fit(X, y), TheirLogistic().fit(X, y)
    other.coef_, other.intercept_ = model.coef_, model.intercept_
    mine = getattr(ours, name).from_estimator(model, X, y, ax=axes())
    same_pictures(mine, theirs(name).from_estimator(other, X, y, ax=axes()))
    scores = model.predict_proba(X)[:, 1]
    for options in ({"pos_label": "yes"}, {"pos_label": "no", "name": "mine"}):
        p = scores if options["pos_label"] == "yes" else 1 - scores
        same_pictures(
            getattr(ours, name).from_predictions(y, p, ax=axes(), **options),
            theirs(name).from_predictions(y, p, ax=axes(), **options),
        )
    given = set(inspect.signature(theirs(name).__init__).parameters) - {"estimator_name"}
    assert given <= set(inspect.signature(getattr(ours, name).__init__).parameters)


@pytest.mark.parametrize("name", CURVES[:2])
def test_chance_levels(name, data):
    X, y = data
    options = {"plot_chance_level": True, "chance_level_kw": {"lw": 3}, "despine": True}
    p = X[:, 0]
    mine = getattr(ours, name).from_predictions(y, p, pos_label="yes", ax=axes(), **options)
    other = theirs(name).from_predictions(y, p, pos_label="yes", ax=axes(), **options)
    same_pictures(mine, other)
    np.testing.assert_allclose(mine.chance_level_.get_ydata(), other.chance_level_.get_ydata())
    assert mine.chance_level_.get_linewidth() == 3
    assert not mine.ax_.spines["top"].get_visible()
    curve = getattr(ours, name).from_predictions(
        y, p, pos_label="yes", ax=axes(), curve_kwargs={"color": "red"}
    )
    assert curve.line_.get_color() == "red"


@pytest.mark.parametrize("normalize", [None, "true"])
def test_confusion(normalize, data):
    X, y = data
    predicted = np.where(X[:, 0] > 0, "yes", "no")
    options = {"normalize": normalize, "xticks_rotation": "vertical", "colorbar": False}
    mine = ours.ConfusionMatrixDisplay.from_predictions(y, predicted, ax=axes(), **options)
    other = theirs("ConfusionMatrixDisplay").from_predictions(y, predicted, ax=axes(), **options)
    for a, b in zip(mine.text_.flat, other.text_.flat, strict=True):
        assert a.get_text() == b.get_text()
        np.testing.assert_allclose(a.get_color(), b.get_color())
    for read in ("get_xticklabels", "get_yticklabels"):
        texts = [[t.get_text() for t in getattr(d.ax_, read)()] for d in (mine, other)]
        assert texts[0] == texts[1]
    np.testing.assert_allclose(mine.im_.get_array(), other.im_.get_array())
    model = LogisticRegression().fit(X, y)
    drawn = ours.ConfusionMatrixDisplay.from_estimator(model, X, y, ax=axes(), include_values=False)
    assert drawn.text_ is None
    assert drawn.confusion_matrix.sum() == 200
    with pytest.raises(InvalidDataError, match="does not predict"):
        ours.ConfusionMatrixDisplay.from_estimator(object(), X, y)


@pytest.mark.parametrize("kind", ["residual_vs_predicted", "actual_vs_predicted"])
def test_prediction_errors(kind, data):
    X = data[0]
    y = X @ [1.0, 2.0, 3.0] + np.sin(np.arange(200))
    model = LinearRegression().fit(X, y)
    p = model.predict(X)
    mine = ours.PredictionErrorDisplay.from_estimator(model, X, y, kind=kind, ax=axes())
    other = theirs("PredictionErrorDisplay").from_predictions(y, p, kind=kind, ax=axes())
    np.testing.assert_allclose(mine.scatter_.get_offsets(), other.scatter_.get_offsets())
    np.testing.assert_allclose(mine.line_.get_xydata(), other.line_.get_xydata())
    assert mine.ax_.get_ylabel() == other.ax_.get_ylabel()
    make = ours.PredictionErrorDisplay.from_predictions
    assert len(make(y, p, subsample=50, random_state=0, ax=axes()).y_true) == 50
    assert len(make(y, p, subsample=0.25, random_state=0, ax=axes()).y_true) == 50
    assert len(make(y, p, subsample=None, ax=axes()).y_true) == 200
    with pytest.raises(InvalidParameterError, match="subsample must be positive"):
        make(y, p, subsample=0)
    with pytest.raises(InvalidParameterError, match="kind must be one of"):
        make(y, p, kind="other")


def test_new_figures_belong_to_pyplot(data):
    X, y = data
    display = ours.RocCurveDisplay.from_predictions(y, X[:, 0], pos_label="yes")
    assert pyplot.gcf() is display.figure_
    pyplot.close(display.figure_)
