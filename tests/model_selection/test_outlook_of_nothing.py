"""A gain that would be told as a gain of nothing is none."""

from __future__ import annotations

import numpy as np

from stylobate.model_selection.curves.learning_curve import LearningCurve
from stylobate.model_selection.validation.score_names import ScoreName

SIZES = np.array([100, 200, 350, 600, 1000])


def told(scores):
    blank = np.zeros_like(scores)
    name = ScoreName("accuracy", 1)
    return LearningCurve(
        SIZES, scores, scores, blank, blank, score=name, test_to_train=0.25
    ).extrapolate(2000)


def test_scores_that_never_change_are_flat():
    found = told(np.full((5, 5), 0.5))
    assert found.verdict == "flat"
    assert "0.000000" not in str(found)


def test_a_real_gain_is_told():
    draw = np.random.default_rng(2)
    mean = 0.9 - 3.0 * SIZES**-0.6
    found = told(mean[:, None] + draw.normal(0.0, 0.002, (5, 5)))
    assert found.verdict == "gain"
