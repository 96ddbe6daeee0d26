"""Classes of a few rows among thousands: boosting must not run away from them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from stylobate.ensemble import HistGradientBoostingClassifier
from stylobate.exceptions import StylobateWarning
from stylobate.metrics import log_loss


@pytest.fixture(scope="module")
def rare():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((6000, 4))
    y = np.digitize(x[:, 0] + 0.5 * rng.standard_normal(6000), [-1, -0.4, 0, 0.4, 1])
    y[rng.choice(6000, 2, replace=False)] = 6
    return x, y


def test_the_training_loss_never_ends_above_its_start(rare):
    x, y = rare
    base = log_loss(y, np.tile(np.bincount(y) / len(y), (len(y), 1)))
    losses = []
    for iterations in (1, 5, 15, 40):
        model = HistGradientBoostingClassifier(max_iter=iterations, early_stopping=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StylobateWarning)
            losses.append(log_loss(y, model.fit(x, y).predict_proba(x)))
    assert all(a > b for a, b in zip([base, *losses], losses, strict=False))


def test_it_is_said_and_the_penalty_used_is_kept(rare):
    x, y = rare
    model = HistGradientBoostingClassifier(max_iter=40, early_stopping=False)
    with pytest.warns(StylobateWarning, match="a class as rare as 6 \\(2 of 6000 rows\\)"):
        model.fit(x, y)
    assert model.l2_regularization_ == 1.0
    told = HistGradientBoostingClassifier(
        max_iter=40, early_stopping=False, l2_regularization=1.0
    ).fit(x, y)
    np.testing.assert_array_equal(model.predict_proba(x), told.predict_proba(x))


def test_ordinary_classes_are_left_alone(rare):
    x, y = rare
    model = HistGradientBoostingClassifier(max_iter=20, early_stopping=False).fit(x, y // 4)
    assert model.l2_regularization_ == 0.0
