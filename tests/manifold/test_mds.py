"""Stress scaling against scikit-learn, differences, and its own laws."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.spatial.distance import cdist
from sklearn.isotonic import IsotonicRegression
from sklearn.manifold import smacof as peer_smacof

from stylobate import _core
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.manifold import MDS, shepard_diagram, smacof
from stylobate.manifold.scaling.disparities import OrderedPairs
from stylobate.manifold.scaling.stress import Stress
from stylobate.parallel import threads

rng = np.random.default_rng(8)
ROWS = rng.normal(size=(60, 6))
DELTA = cdist(ROWS, ROWS)
PLACES = rng.normal(size=(40, 2))


@pytest.mark.parametrize("metric", [True, False])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_majorization_is_scikit_learns(metric, k):
    ours = smacof(DELTA, metric=metric, n_components=k, random_state=0, return_n_iter=True)
    theirs = peer_smacof(DELTA, metric=metric, n_components=k, random_state=0, return_n_iter=True)
    assert ours[2] == theirs[2]
    assert ours[1] == pytest.approx(theirs[1], rel=1e-9)
    np.testing.assert_allclose(ours[0], theirs[0], atol=1e-6)


def test_rank_ties_are_scikit_learns():
    delta = np.round(DELTA)
    ours = smacof(delta, metric=False, random_state=0, return_n_iter=True)
    theirs = peer_smacof(delta, metric=False, random_state=0, return_n_iter=True)
    assert ours[1:] == pytest.approx(theirs[1:], rel=1e-9)


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_stress_never_rises(solver):
    for seed in range(3):
        model = MDS(solver=solver, random_state=seed, init="random").fit(ROWS)
        assert (np.diff(model.trace_.objective) <= 1e-9 * model.stress_).all()
        z = model.embedding_
        assert model.stress_ == pytest.approx(0.5 * ((cdist(z, z) - DELTA) ** 2).sum())


def test_lbfgs_reaches_the_stress_of_majorization():
    for seed in range(3):
        options = {"init": "classical_mds", "random_state": seed}
        quick = MDS(solver="lbfgs", **options).fit(ROWS)
        slow = MDS(solver="smacof", **options).fit(ROWS)
        assert quick.stress_ <= slow.stress_ * (1 + 1e-6)
        assert quick.n_iter_ < slow.n_iter_


@pytest.mark.parametrize("k", [1, 2, 3, 4, 40])
def test_gradient_against_differences_and_by_hand(k):
    n = 13
    z, delta = rng.normal(size=(n, k)), cdist(ROWS[:n], ROWS[:n])
    weights = rng.uniform(size=(n, n))
    weights += weights.T
    delta[2, 5] = delta[5, 2] = np.nan
    stress = Stress(delta, weights)
    point = stress.at(z.ravel(), k)
    left = np.nan_to_num(weights * (cdist(z, z) - delta) ** 2)
    assert point.value == pytest.approx(0.5 * left.sum())
    error = check_grad(
        lambda t: stress.at(t, k).value, lambda t: stress.at(t, k).gradient, z.ravel()
    )
    assert error < 1e-5 * np.linalg.norm(point.gradient)


def test_same_bits_on_any_number_of_threads():
    z = np.ascontiguousarray(rng.normal(size=(700, 2)))
    delta = cdist(z + 1.0, z)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            pairs = OrderedPairs(0.5 * (delta + delta.T))
            found.append((*_core.stress_gradient(z, z, delta, None), pairs.fill(z).copy()))
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_isotonic_regression():
    y, w = rng.normal(size=200) + np.linspace(0, 3, 200), rng.uniform(0.1, 2.0, 200)
    expected = IsotonicRegression().fit_transform(np.arange(200), y, sample_weight=w)
    np.testing.assert_allclose(_core.isotonic(y, w), expected, atol=1e-12)


def test_unknown_pairs_and_weights():
    delta = cdist(PLACES, PLACES)
    unknown = np.triu(rng.uniform(size=delta.shape) < 0.3, 1)
    unknown |= unknown.T
    holes = np.where(unknown, np.nan, delta)
    options = {"metric": "precomputed", "init": "classical_mds", "eps": 1e-14, "max_iter": 2000}
    for solver in ("lbfgs", "smacof"):
        model = MDS(solver=solver, **options).fit(holes)
        z = model.embedding_
        np.testing.assert_allclose(cdist(z, z), delta, atol=1e-3)
    wrong = np.where(unknown, 9.0, delta)
    weighted = MDS(**options).fit(wrong, weights=np.where(unknown, 0.0, 2.0))
    np.testing.assert_allclose(cdist(weighted.embedding_, weighted.embedding_), delta, atol=1e-3)
    apart = np.where(np.equal.outer(np.arange(40) < 20, np.arange(40) < 20), delta, np.nan)
    with pytest.raises(InvalidDataError, match="2 groups"):
        MDS(**options).fit(apart)


def test_new_points_find_their_places():
    model = MDS(2, init="classical_mds", eps=1e-14, max_iter=3000).fit(PLACES)
    new = rng.normal(size=(9, 2))
    placed = model.transform(new)
    np.testing.assert_allclose(cdist(placed, model.embedding_), cdist(new, PLACES), atol=1e-3)
    np.testing.assert_array_equal(model.transform(PLACES), model.embedding_)
    given = MDS(2, metric="precomputed", init="classical_mds").fit(cdist(PLACES, PLACES))
    assert given.transform(cdist(new, PLACES)).shape == (9, 2)


def test_deprecated_parameters_warn_as_in_scikit_learn():
    with pytest.warns(FutureWarning, match="`dissimilarity` parameter is deprecated"):
        MDS(dissimilarity="precomputed", random_state=0).fit(DELTA)
    with pytest.warns(FutureWarning, match="Use metric_mds=False"):
        MDS(metric=False, random_state=0).fit(ROWS)
    with pytest.warns(FutureWarning, match="default value of `init`"):
        MDS(init="warn", random_state=0).fit(ROWS)
    with pytest.raises(ValueError, match="both `dissimilarity` and `metric`"):
        MDS(metric="cosine", dissimilarity="euclidean").fit(ROWS)


def test_what_cannot_be_done_is_said():
    with pytest.raises(InvalidParameterError, match="lbfgs"):
        MDS(metric_mds=False, solver="lbfgs").fit(ROWS)
    with pytest.raises(InvalidDataError, match="init matrix"):
        MDS().fit(ROWS, init=np.zeros((3, 2)))
    with pytest.raises(InvalidDataError, match="no order"):
        MDS(metric_mds=False).fit(np.ones((4, 2)))
    with pytest.warns(StylobateWarning, match="only one init"):
        smacof(DELTA, init=rng.normal(size=(60, 2)), n_init=3, max_iter=2)
    with pytest.warns(StylobateWarning, match="precomputed"):
        MDS(random_state=0).fit(DELTA)
    assert MDS(random_state=0).fit(np.ones((4, 2))).stress_ < 1e-6
    assert MDS(random_state=0).fit([[1.0, 2.0]]).embedding_.shape == (1, 2)


def test_shepard_diagram():
    z = MDS(init="classical_mds").fit_transform(ROWS)
    diagram = shepard_diagram(DELTA, z)
    assert len(diagram.distances) == 60 * 59 // 2
    fitted = IsotonicRegression().fit_transform(diagram.dissimilarities, diagram.distances)
    np.testing.assert_allclose(diagram.disparities, fitted, atol=1e-12)
    assert diagram.rank_stress <= diagram.stress
    sample = shepard_diagram(DELTA, z, max_pairs=500)
    assert sample.rank_correlation == pytest.approx(diagram.rank_correlation, abs=0.1)
    with pytest.raises(InvalidDataError, match="a position"):
        shepard_diagram(DELTA, z[:3])
