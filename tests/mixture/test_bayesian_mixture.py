"""BayesianGaussianMixture against scikit-learn and its own claims."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn.mixture

from stylobate.exceptions import InvalidParameterError
from stylobate.mixture import BayesianGaussianMixture

TYPES = ["full", "tied", "diag", "spherical"]
PRIORS = ["dirichlet_process", "dirichlet_distribution"]
LEARNT = [
    "weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_",
    "mean_precision_", "degrees_of_freedom_", "covariance_prior_", "mean_prior_",
]  # fmt: skip

pytestmark = pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("prior", PRIORS)
def test_the_same_seed_gives_scikit_learns_mixture(groups, kind, prior):
    parameters = {
        "n_components": 6,
        "covariance_type": kind,
        "weight_concentration_prior_type": prior,
        "random_state": 0,
        "max_iter": 50,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sklearn.mixture.BayesianGaussianMixture(**parameters).fit(groups)
    ours = BayesianGaussianMixture(**parameters).fit(groups)
    for name in LEARNT:
        np.testing.assert_allclose(
            getattr(ours, name), getattr(theirs, name), rtol=1e-7, atol=1e-8, err_msg=name
        )
    concentration = np.asarray(ours.weight_concentration_)
    np.testing.assert_allclose(concentration, np.asarray(theirs.weight_concentration_), rtol=1e-7)
    bounds = np.ravel(theirs.lower_bounds_)  # of tied covariances they are arrays of one number
    np.testing.assert_allclose(ours.lower_bounds_, bounds, rtol=1e-8)
    assert np.array_equal(ours.predict(groups), theirs.predict(groups))
    np.testing.assert_allclose(ours.score_samples(groups), theirs.score_samples(groups), rtol=1e-7)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("prior", PRIORS)
def test_no_iteration_lowers_the_bound(groups, kind, prior):
    model = BayesianGaussianMixture(
        n_components=5, covariance_type=kind, weight_concentration_prior_type=prior,
        random_state=1, max_iter=60, tol=0.0, reg_covar=0.0,
    ).fit(groups)  # fmt: skip
    steps = np.diff(model.lower_bounds_)
    assert (steps > -1e-9 * abs(model.lower_bound_)).all()


def test_superfluous_components_fade():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (200, 2)), rng.normal(9, 1, (200, 2))])
    model = BayesianGaussianMixture(
        n_components=8, weight_concentration_prior=1e-3, max_iter=2000, random_state=0
    ).fit(X)
    assert (model.weights_ > 0.01).sum() == 2
    assert not model.certificate_.proved


@pytest.mark.parametrize("kind", TYPES)
def test_a_weight_of_two_is_two_rows(groups, kind):
    weights = np.repeat([1, 2], len(groups) // 2)
    options = {"covariance_type": kind, "random_state": 0, "max_iter": 30}
    by_weight = BayesianGaussianMixture(**options).fit(groups, sample_weight=weights)
    by_rows = BayesianGaussianMixture(**options).fit(np.repeat(groups, weights, axis=0))
    np.testing.assert_allclose(by_weight.means_, by_rows.means_, rtol=1e-10)
    np.testing.assert_allclose(by_weight.covariances_, by_rows.covariances_, rtol=1e-10)


def test_a_stream_gives_the_bits_of_memory(groups):
    options = {"n_components": 3, "random_state": 0, "max_iter": 10}
    memory = BayesianGaussianMixture(**options).fit(groups)
    batches = [(groups[a : a + 130],) for a in range(0, len(groups), 130)]
    stream = BayesianGaussianMixture(**options).fit(lambda: iter(batches))
    for name in [*LEARNT, "lower_bounds_"]:
        assert np.array_equal(getattr(memory, name), getattr(stream, name)), name


def test_priors_that_are_given(groups):
    model = BayesianGaussianMixture(
        n_components=2, mean_prior=[1.0, 2.0, 3.0], mean_precision_prior=1e9,
        covariance_prior=np.eye(3), degrees_of_freedom_prior=4.0, random_state=0,
    ).fit(groups)  # fmt: skip
    # a prior worth 1e9 rows leaves no say to a few hundred
    np.testing.assert_allclose(model.means_, np.tile([1.0, 2.0, 3.0], (2, 1)), atol=1e-4)
    for given_, message in [
        ({"mean_prior": [1.0]}, "shape"),
        ({"degrees_of_freedom_prior": 1.5}, "greater than 2"),
        ({"covariance_prior": -np.eye(3)}, "positive-definite"),
        ({"covariance_prior": [1.0, 2.0], "covariance_type": "diag"}, "shape"),
    ]:
        with pytest.raises(InvalidParameterError, match=message):
            BayesianGaussianMixture(**given_).fit(groups)
