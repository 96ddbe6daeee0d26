"""Pictures of principal components."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.decomposition import PCA, choose_n_components
from stylobate.exceptions import InvalidParameterError
from stylobate.plot import plot_biplot, plot_correlation_circle, plot_scree


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(60, 5)) * [5.0, 3.0, 1.0, 1.0, 0.5]


def test_a_scree_shows_every_share(rows):
    model = PCA().fit(rows)
    ax = plot_scree(model)
    heights = [bar.get_height() for bar in ax.patches]
    np.testing.assert_allclose(heights, model.explained_variance_ratio_)
    np.testing.assert_allclose(ax.lines[0].get_ydata()[-1], 1.0)
    with pytest.raises(InvalidParameterError, match="no components"):
        plot_scree(PCA(0).fit(rows))


def test_a_biplot_shows_rows_and_columns(rows):
    model = PCA(3).fit(rows)
    scores = model.transform(rows)
    ax = plot_biplot(model, scores, components=(0, 2), labels=np.arange(60) % 2)
    drawn = np.concatenate([each.get_offsets() for each in ax.collections])
    assert sorted(map(tuple, drawn)) == sorted(map(tuple, scores[:, [0, 2]]))
    assert {text.get_text() for text in ax.texts} >= {"x0", "x1", "x2", "x3", "x4"}
    with pytest.raises(InvalidParameterError, match="0 to 2"):
        plot_biplot(model, scores, components=(0, 3))


def test_a_circle_holds_the_correlations(rows):
    model = PCA().fit(rows)
    ax = plot_correlation_circle(model, feature_names=list("abcde"))
    ends = {text.get_text(): text.xy for text in ax.texts if text.get_text()}
    correlation = np.corrcoef(rows[:, 1], model.transform(rows)[:, 0])[0, 1]
    assert ends["b"][0] == pytest.approx(correlation)


def test_a_choice_is_drawn(rows):
    report = choose_n_components(rows, random_state=0)
    scree, errors = report.plot()
    assert str(report.parallel) in scree.get_title(loc="left")
    assert len(errors.lines[0].get_ydata()) == len(report.held_out)
