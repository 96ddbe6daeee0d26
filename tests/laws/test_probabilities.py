"""Sigmoid, log-odds, softmax, entropies and the loss of a mistake, against SciPy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from stylobate import losses
from stylobate.exceptions import InvalidDataError, InvalidParameterError


def test_sigmoid_and_log_odds_are_inverse_and_as_scipys():
    z = np.array([-800.0, -30.0, -1.5, 0.0, 2.0, 30.0, 800.0])
    np.testing.assert_allclose(losses.sigmoid(z), special.expit(z), rtol=1e-15)
    p = np.array([0.0, 1e-300, 0.2, 0.5, 0.9, 1.0])
    np.testing.assert_allclose(losses.log_odds(p), special.logit(p), rtol=1e-14)
    np.testing.assert_allclose(losses.log_odds(losses.sigmoid(z[1:5])), z[1:5], rtol=1e-13)
    # p and 1 - p have opposite log-odds, and the slope of the sigmoid is p (1 - p)
    assert losses.sigmoid(-1.3) == pytest.approx(1.0 - losses.sigmoid(1.3), rel=1e-15)
    slope = (losses.sigmoid(0.7 + 1e-6) - losses.sigmoid(0.7 - 1e-6)) / 2e-6
    assert slope == pytest.approx(losses.sigmoid(0.7) * losses.sigmoid(-0.7), rel=1e-8)
    with pytest.raises(InvalidDataError, match="from 0 to 1"):
        losses.log_odds([0.5, 1.2])


def test_softmax_is_scipys_and_for_two_classes_the_sigmoid():
    z = np.random.default_rng(0).normal(size=(4, 3)) * 300
    np.testing.assert_allclose(losses.softmax(z), special.softmax(z, axis=1), rtol=1e-13)
    np.testing.assert_allclose(losses.softmax(z, axis=0), special.softmax(z, axis=0), rtol=1e-13)
    assert losses.softmax([0.4, 1.7])[1] == pytest.approx(losses.sigmoid(1.3), rel=1e-15)
    with pytest.raises(InvalidDataError, match="finite"):
        losses.softmax([0.0, np.inf])


def test_entropies_are_scipys_and_add_up():
    random = np.random.default_rng(1)
    p, q = random.dirichlet(np.ones(5)), random.dirichlet(np.ones(5))
    assert losses.entropy(p, base=2) == pytest.approx(stats.entropy(p, base=2), rel=1e-14)
    assert losses.kl_divergence(p, q) == pytest.approx(stats.entropy(p, q), rel=1e-13)
    assert losses.cross_entropy(p, q) == pytest.approx(
        losses.entropy(p) + losses.kl_divergence(p, q), rel=1e-14
    )
    assert losses.kl_divergence(p, q) != pytest.approx(losses.kl_divergence(q, p), rel=1e-3)
    assert losses.entropy([0.0, 1.0]) == 0.0
    assert losses.kl_divergence([0.5, 0.5], [1.0, 0.0]) == np.inf
    # the log-loss of one row is the cross-entropy of its class and the forecast
    assert losses.cross_entropy([0.0, 1.0], [0.3, 0.7]) == pytest.approx(
        losses.Logistic().value(1.0, losses.log_odds(0.7)), rel=1e-14
    )
    with pytest.raises(InvalidDataError, match="sum 1"):
        losses.entropy([0.5, 0.6])
    with pytest.raises(InvalidDataError, match="same"):
        losses.kl_divergence([0.5, 0.5], [1.0])
    with pytest.raises(InvalidParameterError, match="base"):
        losses.entropy([1.0], base=1.0)


def test_the_loss_of_a_mistake_lies_below_its_convex_substitutes():
    margins = np.linspace(-3, 3, 301)
    mistakes = losses.ZeroOne().value(1.0, margins)
    assert mistakes.tolist() == [float(m <= 0.0) for m in margins]
    np.testing.assert_array_equal(losses.ZeroOne().value(-1.0, -margins), mistakes)
    for above in (losses.Hinge(), losses.SquaredHinge(), losses.ModifiedHuber()):
        assert (above.value(1.0, margins) >= mistakes).all()
    # the log-loss bounds it in bits
    assert (losses.Logistic().value(1.0, margins) / np.log(2) >= mistakes - 1e-15).all()
    middle = losses.ZeroOne().value(1.0, 0.5)
    assert middle < 0.5 * (losses.ZeroOne().value(1.0, 3.0) + 1.0)  # below one chord …
    assert losses.ZeroOne().value(1.0, -0.5) > 0.75 * mistakes[0] + 0.25 * mistakes[-1]  # above one
