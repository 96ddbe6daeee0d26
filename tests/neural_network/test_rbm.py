"""Restricted Boltzmann machines: scikit-learn's stream, exact likelihoods, Gibbs' distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.neural_network import BernoulliRBM as Theirs

from stylobate import threads
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network import BernoulliRBM

ROWS = (np.random.default_rng(0).random((60, 9)) < 0.3).astype(np.float64)


@pytest.mark.parametrize("form", [np.asarray, np.float32, sparse.csr_array])
def test_the_weights_are_scikit_learns(form):
    x = form(ROWS)
    ours, theirs = (kind(5, random_state=3, n_iter=4).fit(x) for kind in (BernoulliRBM, Theirs))
    close = {"rtol": 1e-6, "atol": 1e-6} if form is np.float32 else {"rtol": 0, "atol": 1e-13}
    for name in ("components_", "intercept_hidden_", "intercept_visible_", "h_samples_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), **close)
        assert getattr(ours, name).dtype == getattr(theirs, name).dtype
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), **close)
    np.testing.assert_allclose(ours.score_samples(x), theirs.score_samples(x), rtol=1e-4)
    np.testing.assert_array_equal(ours.gibbs(x), theirs.gibbs(x))


def test_steps_go_on_where_they_were():
    ours, theirs = BernoulliRBM(5, random_state=1), Theirs(5, random_state=1)
    for part in np.split(ROWS, 6):
        ours.partial_fit(part)
        theirs.partial_fit(part)
    np.testing.assert_allclose(ours.components_, theirs.components_, rtol=0, atol=1e-14)


@pytest.mark.parametrize("hidden", [2, 7])
def test_likelihoods_are_sums_over_all_states(hidden):
    x = ROWS[:, :4]
    model = BernoulliRBM(hidden, random_state=0, learning_rate=0.5, n_iter=30).fit(x)
    seen, unseen = model.states(4), model.states(hidden)
    energies = (
        seen @ model.intercept_visible_[:, None]
        + (unseen @ model.intercept_hidden_)[None]
        + seen @ model.components_.T @ unseen.T
    )
    joint = np.exp(energies)
    np.testing.assert_allclose(model.log_partition(), np.log(joint.sum()), rtol=1e-12)
    marginal = joint.sum(axis=1) / joint.sum()
    np.testing.assert_allclose(np.exp(model.log_likelihood(seen)), marginal, rtol=1e-10)


def test_training_raises_the_likelihood():
    x = np.tile([[1, 1, 0, 0], [0, 0, 1, 1]], (30, 1))
    before = BernoulliRBM(4, n_iter=0, random_state=0).fit(x).log_likelihood(x).mean()
    after = BernoulliRBM(4, n_iter=300, random_state=0).fit(x).log_likelihood(x).mean()
    assert before < -2.7
    assert -0.8 < after < np.log(0.5)  # which is the best


def test_gibbs_keeps_the_distribution():
    """Rows drawn from the machine are still drawn from it after a step."""
    model = BernoulliRBM(3, random_state=0, learning_rate=0.3, n_iter=40).fit(ROWS[:, :3])
    states = model.states(3)
    chances = np.exp(model.log_likelihood(states))
    draw = np.random.default_rng(0).choice(8, size=40000, p=chances / chances.sum())
    after = model.gibbs(states[draw]) @ [1, 2, 4]
    found = np.bincount(after.astype(int), minlength=8) / 40000
    assert np.abs(found - chances).max() < 4.0 * np.sqrt(chances.max() / 40000)


def test_threads_give_the_same_bits():
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(BernoulliRBM(40, random_state=0, n_iter=2).fit(ROWS).components_)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_refusals():
    with pytest.raises(InvalidDataError, match="range of numbers"):
        BernoulliRBM(2, random_state=0, learning_rate=1e200).fit(1e150 * ROWS)
    with pytest.raises(InvalidParameterError, match="20 units"):
        BernoulliRBM(30).fit(np.ones((3, 25))).log_partition()
