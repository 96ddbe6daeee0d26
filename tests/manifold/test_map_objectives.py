"""Perplexity, affinities and gradient of t-SNE; s-stress; against scikit-learn and differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.spatial.distance import squareform
from sklearn.manifold import _t_sne as theirs
from sklearn.metrics import pairwise_distances

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.manifold import (
    SStress,
    perplexity,
    procrustes,
    tsne_affinities,
    tsne_gradient,
    tsne_loss,
)
from stylobate.optimize import minimize

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 4))


def test_perplexity_is_the_number_of_equal_neighbours():
    assert perplexity(np.full(7, 1 / 7)) == pytest.approx(7.0)
    p = RNG.dirichlet(np.ones(6))
    assert perplexity(p) == pytest.approx(2.0 ** -(p @ np.log2(p)))


def test_affinities_and_gradient_are_those_of_scikit_learn():
    P = tsne_affinities(X, perplexity=8.0)
    D = pairwise_distances(X, squared=True).astype(np.float32)
    known = theirs._joint_probabilities(D, 8.0, verbose=0)
    np.testing.assert_allclose(P, squareform(known), atol=2e-6)
    Y = RNG.normal(size=(30, 2))
    loss, slope = theirs._kl_divergence(Y.ravel(), squareform(P, checks=False), 1.0, 30, 2)
    assert tsne_loss(P, Y) == pytest.approx(loss, rel=1e-6)
    np.testing.assert_allclose(tsne_gradient(P, Y).ravel(), slope, rtol=1e-5, atol=1e-9)


def test_the_gradient_is_that_of_the_loss():
    P, Y = tsne_affinities(X, perplexity=5.0), RNG.normal(size=(30, 2))
    rough = approx_fprime(Y.ravel(), lambda y: tsne_loss(P, y.reshape(30, 2)), 1e-7)
    np.testing.assert_allclose(tsne_gradient(P, Y).ravel(), rough, atol=1e-6)
    with pytest.raises(InvalidParameterError, match="perplexity"):
        tsne_affinities(X, perplexity=40.0)
    with pytest.raises(InvalidDataError, match="shape"):
        tsne_gradient(P, Y[:5])


def test_s_stress_by_gradient_descent_finds_the_places_again():
    places = RNG.normal(size=(8, 2))
    f = SStress(pairwise_distances(places))
    at = RNG.normal(size=16)
    rough = approx_fprime(at, f.value, 1e-7)
    np.testing.assert_allclose(f.gradient(at), rough, rtol=1e-4, atol=1e-3)
    start = places.ravel() + 0.3 * RNG.normal(size=16)
    found = minimize(f, start, method="gradient descent", max_iter=3000)
    assert found.value < 1e-10
    assert procrustes(places, f.points(found.x)).disparity < 1e-8
    with pytest.raises(InvalidDataError, match="symmetric"):
        SStress([[0.0, 1.0], [2.0, 0.0]])
