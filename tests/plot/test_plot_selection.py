"""Pictures of selections hold the numbers of their histories."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.datasets import load_diabetes
from stylobate.exceptions import InvalidParameterError
from stylobate.feature_selection import (
    RFECV,
    BestSubsetSelector,
    SelectKBest,
    SequentialFeatureSelector,
    f_regression,
)
from stylobate.linear_model import LinearRegression
from stylobate.plot import plot_selection_history


@pytest.fixture(scope="module")
def data():
    return load_diabetes(return_X_y=True, as_frame=True)


SELECTORS = [
    SequentialFeatureSelector(LinearRegression(), n_features_to_select=6, floating=True),
    BestSubsetSelector(criterion="cv"),
    RFECV(LinearRegression()),
]


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda each: type(each).__name__)
def test_courses(data, selector, tmp_path):
    selector.fit(*data)
    ax = plot_selection_history(selector)
    lines = [line.get_ydata() for line in ax.get_lines()]
    assert any(np.array_equal(line, selector.history_.scores) for line in lines)
    assert ax.get_ylabel() == selector.history_.score_name
    ax.figure.savefig(tmp_path / "course.png")
    assert plot_selection_history(selector.history_, ax) is ax


def test_rankings(data, tmp_path):
    selector = SelectKBest(f_regression, k=3).fit(*data)
    ax = plot_selection_history(selector)
    heights = sorted(bar.get_height() for bar in ax.patches)
    np.testing.assert_allclose(heights, np.sort(selector.scores_))
    assert next(text.get_text() for text in ax.get_xticklabels()) == "bmi"
    ax.figure.savefig(tmp_path / "ranking.png")


def test_nothing_to_draw():
    with pytest.raises(InvalidParameterError, match="history_"):
        plot_selection_history(LinearRegression())
