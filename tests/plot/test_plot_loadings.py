"""Pictures of loadings and signals."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate.decomposition import PCA, FactorAnalysis
from stylobate.exceptions import InvalidParameterError
from stylobate.plot import plot_loadings, plot_signals

ROWS = np.random.default_rng(0).normal(size=(40, 4))


def test_loadings_show_every_entry():
    ax = plot_loadings(FactorAnalysis(2).fit(ROWS), feature_names=list("abcd"))
    assert [each.get_text() for each in ax.get_yticklabels()] == list("abcd")
    assert len(ax.texts) == 8
    with pytest.raises(InvalidParameterError, match="cannot be drawn"):
        plot_loadings(PCA(0).fit(ROWS))


def test_signals_have_a_band_each():
    ax = plot_signals(ROWS)
    assert len(ax.lines) == 4
    heights = [line.get_ydata() for line in ax.lines]
    assert all(a.min() > b.max() for a, b in pairwise(heights))
    with pytest.raises(InvalidParameterError, match="at least two rows"):
        plot_signals(ROWS[:1])
