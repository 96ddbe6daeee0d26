"""GaussianMixture against scikit-learn, closed forms, and its own claims."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn.mixture
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate import _core
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.mixture import GaussianMixture
from stylobate.parallel import threads

TYPES = ["full", "tied", "diag", "spherical"]
LEARNT = ["weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"]

pytestmark = pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")


def pair(X, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sklearn.mixture.GaussianMixture(**parameters).fit(X)
    return GaussianMixture(**parameters).fit(X), theirs


def assert_alike(ours, theirs, X, tolerance=1e-8):
    for name in LEARNT:
        np.testing.assert_allclose(
            getattr(ours, name), getattr(theirs, name), rtol=tolerance, atol=tolerance
        )
    # the variance of a single row is x² − x² + reg_covar in scikit-learn, with rounding of x²
    np.testing.assert_allclose(ours.lower_bounds_[:1], theirs.lower_bounds_[:1], rtol=1e-7)
    np.testing.assert_allclose(ours.lower_bounds_[1:], theirs.lower_bounds_[1:], rtol=1e-9)
    assert (ours.n_iter_, ours.converged_) == (theirs.n_iter_, theirs.converged_)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=tolerance)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert ours.bic(X) == pytest.approx(theirs.bic(X), rel=1e-9)
    assert ours.aic(X) == pytest.approx(theirs.aic(X), rel=1e-9)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("start", ["kmeans", "random"])
def test_the_same_seed_gives_scikit_learns_mixture(groups, kind, start):
    ours, theirs = pair(
        groups, n_components=4, covariance_type=kind, init_params=start, random_state=2, max_iter=60
    )
    assert_alike(ours, theirs, groups)
    drawn, labels = ours.sample(9)
    their_drawn, their_labels = theirs.sample(9)
    np.testing.assert_allclose(drawn, their_drawn, rtol=1e-7)
    assert np.array_equal(labels, their_labels)


# of single rows scikit-learn's first tied covariance adds up all rows, members or not
@pytest.mark.parametrize("kind", ["full", "diag", "spherical"])
@pytest.mark.parametrize("start", ["random_from_data", "k-means++"])
def test_starts_from_single_rows(groups, kind, start):
    ours, theirs = pair(
        groups, n_components=3, covariance_type=kind, init_params=start, random_state=4, max_iter=40
    )
    assert_alike(ours, theirs, groups)


@pytest.mark.parametrize("kind", TYPES)
def test_given_starts(groups, kind):
    shapes = {"full": (4, 3, 3), "tied": (3, 3), "diag": (4, 3), "spherical": (4,)}
    identity = np.broadcast_to(np.eye(3) if kind in ("full", "tied") else 1.0, shapes[kind])
    ours, theirs = pair(
        groups,
        n_components=4,
        covariance_type=kind,
        weights_init=[0.1, 0.2, 0.3, 0.4],
        means_init=groups[:4],
        precisions_init=identity * 0.7,
        max_iter=25,
        tol=0.0,
    )
    assert_alike(ours, theirs, groups)
    start = GaussianMixture(4, max_iter=0, means_init=groups[:4], random_state=0).fit(groups)
    assert np.array_equal(start.means_, groups[:4])
    assert start.n_iter_ == 0


def test_precisions_to_start_from_are_the_precisions(groups):
    """The factors of given precisions give back the densities they are precisions of."""
    model = GaussianMixture(3, random_state=0).fit(groups)
    again = GaussianMixture(
        3,
        weights_init=model.weights_,
        means_init=model.means_,
        precisions_init=model.precisions_,
        max_iter=0,
    ).fit(groups)
    np.testing.assert_allclose(again.precisions_cholesky_, model.precisions_cholesky_, rtol=1e-9)
    np.testing.assert_allclose(again.covariances_, model.covariances_, rtol=1e-8)
    np.testing.assert_allclose(again.score_samples(groups), model.score_samples(groups))


@pytest.mark.parametrize("kind", TYPES)
def test_one_component_has_the_moments_of_the_rows(groups, kind):
    weights = np.random.default_rng(0).uniform(0.1, 2.0, len(groups))
    model = GaussianMixture(covariance_type=kind, reg_covar=0.0).fit(groups, sample_weight=weights)
    mean = np.average(groups, axis=0, weights=weights)
    full = np.cov(groups.T, aweights=weights, bias=True)
    np.testing.assert_allclose(model.means_[0], mean, rtol=1e-12)
    expected = {
        "full": full[None],
        "tied": full,
        "diag": np.diag(full)[None],
        "spherical": [np.diag(full).mean()],
    }
    np.testing.assert_allclose(model.covariances_, expected[kind], rtol=1e-12)
    # the likelihood of a Gaussian at its own moments
    if kind == "full":
        value = -0.5 * (np.linalg.slogdet(2 * np.pi * full)[1] + 3)
        assert -model.certificate_.primal == pytest.approx(value, rel=1e-12)
        assert model.certificate_.kkt < 1e-10
        assert not model.certificate_.proved


@pytest.mark.parametrize("kind", TYPES)
def test_a_weight_of_two_is_two_rows(groups, kind):
    weights = np.random.default_rng(1).integers(0, 4, len(groups))
    options = {"covariance_type": kind, "means_init": groups[:3] * 1.5, "init_params": "random"}
    start = {
        "weights_init": np.full(3, 1 / 3),
        "precisions_init": {
            "full": np.repeat(np.eye(3)[None], 3, 0),
            "tied": np.eye(3),
            "diag": np.ones((3, 3)),
            "spherical": np.ones(3),
        }[kind],
    }
    by_weight = GaussianMixture(3, **options, **start).fit(groups, sample_weight=weights)
    by_rows = GaussianMixture(3, **options, **start).fit(np.repeat(groups, weights, axis=0))
    for name in LEARNT:
        np.testing.assert_allclose(getattr(by_weight, name), getattr(by_rows, name), rtol=1e-9)
    assert by_weight.lower_bound_ == pytest.approx(by_rows.lower_bound_, rel=1e-12)


def test_columns_far_from_zero_lose_no_digits():
    rng = np.random.default_rng(5)
    X = np.concatenate([rng.normal(0, 1, (200, 2)), rng.normal(6, 0.5, (200, 2))])
    X = (X * 2**20).round() / 2**20  # so that the shift is exact
    far = X + 2.0**25
    for kind in TYPES:
        near = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
        moved = GaussianMixture(2, covariance_type=kind, random_state=0).fit(far)
        np.testing.assert_allclose(moved.covariances_, near.covariances_, rtol=1e-8)
        assert moved.lower_bound_ == pytest.approx(near.lower_bound_, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(5, 60),
    p=st.integers(1, 4),
    k=st.integers(1, 4),
    kind=st.sampled_from(TYPES),
    start=st.sampled_from(["kmeans", "random"]),
    weighted=st.booleans(),
    seed=st.integers(0, 2**31),
)
def test_no_iteration_lowers_the_likelihood(n, p, k, kind, start, weighted, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * rng.uniform(0.5, 5.0, p)
    weights = rng.integers(0, 3, n) + 0.5 if weighted else None
    # with nothing added to covariances each step maximises, so the likelihood cannot fall
    model = GaussianMixture(
        k, covariance_type=kind, init_params=start, random_state=seed % 2**32, reg_covar=0.0,
        max_iter=30, tol=0.0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(X, sample_weight=weights)
        except InvalidDataError as collapse:
            if "ill-defined" not in str(collapse):
                raise
            return
    if np.abs(model.precisions_cholesky_).max() > 1e5:
        return  # near a collapse densities have fewer digits than the comparison asks for
    bounds = np.array(model.lower_bounds_)
    assert (np.diff(bounds) > -1e-9 * np.maximum(1.0, abs(bounds[1:]))).all()
    assert model.trace_.objective == [-each for each in model.lower_bounds_]


def test_the_certificate_tells_a_fixed_point(groups):
    rough = GaussianMixture(3, tol=1e-2, random_state=0).fit(groups)
    fine = GaussianMixture(3, tol=1e-13, max_iter=5000, reg_covar=0.0, random_state=0).fit(groups)
    assert fine.certificate_.kkt < 1e-5 < rough.certificate_.kkt
    assert not fine.certificate_.proved
    assert "no lower bound" in fine.certificate_.verdict
    assert -fine.certificate_.primal == pytest.approx(fine.score(groups), rel=1e-12)


def test_at_a_fixed_point_the_gradient_vanishes(groups):
    """By differences of the likelihood, which know nothing of the steps."""
    model = GaussianMixture(2, tol=1e-14, max_iter=5000, reg_covar=0.0, random_state=0).fit(groups)
    value = model.score(groups)
    for c, j in [(0, 0), (1, 2)]:
        for step in (1e-3, -1e-3):
            moved = GaussianMixture(2).fit(groups)
            for name in LEARNT:
                setattr(moved, name, getattr(model, name).copy())
            moved.means_[c, j] += step
            assert 0.0 < value - moved.score(groups) < 1e-4


@pytest.mark.parametrize("kind", ["full", "diag"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_threads_change_no_bit(kind, dtype):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(c, 1.0, (6000, 5)) for c in range(3)]).astype(dtype)
    weights = rng.uniform(size=len(X))
    found = []
    for count in (1, 2, 7):
        with threads(count):
            model = GaussianMixture(3, covariance_type=kind, random_state=0, max_iter=4, tol=0.0)
            model.fit(X, sample_weight=weights)
            found.append([getattr(model, name) for name in LEARNT] + [model.lower_bounds_])
    for other in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], other, strict=True))
    assert model.means_.dtype == dtype
    assert model.predict_proba(X[:5]).dtype == dtype


@pytest.mark.parametrize("start", ["kmeans", "random", "random_from_data"])
@pytest.mark.parametrize("kind", TYPES)
def test_a_stream_gives_the_bits_of_memory(groups, kind, start):
    options = {"covariance_type": kind, "init_params": start, "random_state": 1, "max_iter": 8}
    memory = GaussianMixture(3, **options).fit(groups)
    batches = [(groups[a : a + 170],) for a in range(0, len(groups), 170)]
    stream = GaussianMixture(3, **options).fit(lambda: iter(batches))
    for name in [*LEARNT, "lower_bounds_"]:
        assert np.array_equal(getattr(memory, name), getattr(stream, name)), name
    assert stream._tags().tier == "one pass per iteration"
    assert GaussianMixture(init_params="k-means++")._tags().tier == "all rows"


def test_warm_start_goes_on_where_it_left(groups):
    model = GaussianMixture(4, warm_start=True, max_iter=3, tol=0.0, random_state=0)
    for _ in range(3):
        model.fit(groups)
    whole = GaussianMixture(4, max_iter=9, tol=0.0, random_state=0).fit(groups)
    np.testing.assert_allclose(model.means_, whole.means_, rtol=1e-12)


def test_more_starts_are_not_worse(groups):
    def fitted(starts):
        return GaussianMixture(4, n_init=starts, init_params="random", random_state=0).fit(groups)

    assert fitted(8).lower_bound_ >= fitted(1).lower_bound_


def test_a_component_that_jumps_is_read_about_its_new_mean():
    """From far away: about the old mean the covariance would have lost eight digits and more."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1e-4, (50, 1)), rng.normal(1e4, 1e-4, (50, 1))])
    model = GaussianMixture(
        2, weights_init=[0.5, 0.5], means_init=[[3000.0], [7000.0]],
        precisions_init=np.full((2, 1, 1), 1e-7), reg_covar=0.0, max_iter=4, tol=0.0,
    ).fit(X)  # fmt: skip
    np.testing.assert_allclose(model.covariances_.ravel(), [X[:50].var(), X[50:].var()], rtol=1e-7)


def test_collapse_is_said_in_scikit_learns_sentence():
    X = np.array([[0.0], [0.0], [0.0], [5.0]])
    with pytest.raises(InvalidDataError, match="Fitting the mixture model failed"):
        GaussianMixture(2, reg_covar=0.0, random_state=0).fit(X)
    kept = GaussianMixture(2, random_state=0).fit(X)
    np.testing.assert_allclose(np.sort(kept.means_.ravel()), [0.0, 5.0], atol=1e-6)


def test_hostile_rows(groups):
    constant = np.column_stack([groups, np.full(len(groups), 7.0)])
    model = GaussianMixture(3, random_state=0).fit(constant)
    np.testing.assert_allclose(model.means_[:, 3], 7.0, rtol=1e-12)
    np.testing.assert_allclose(model.covariances_[:, 3, 3], 1e-6, rtol=1e-6)
    same = GaussianMixture(3, random_state=0)
    same.fit(np.ones((10, 2)))
    assert np.isfinite(same.lower_bound_)
    with pytest.raises(InvalidDataError, match="Expected n_samples >= n_components"):
        GaussianMixture(5).fit(groups[:4])
    with pytest.raises(InvalidDataError, match="NaN"):
        GaussianMixture(2).fit([[np.nan], [1.0], [2.0]])
    large = GaussianMixture(3, random_state=0).fit(groups * 1e100)
    assert np.isfinite(large.covariances_).all()
    with pytest.raises(ValueError, match="double precision"):
        GaussianMixture(2, random_state=0).fit(groups * 1e200)
    with pytest.raises(ValueError, match="so far from every component"):
        model.predict(np.full((1, 4), 1e300))


def test_parameters_that_do_not_fit(groups):
    for given_, message in [
        ({"weights_init": [0.5, 0.6]}, "normalized"),
        ({"weights_init": [1.5, -0.5]}, "range"),
        ({"means_init": np.ones((3, 3))}, "shape"),
        ({"precisions_init": np.zeros((2, 3, 3))}, "positive-definite"),
        ({"covariance_type": "diag", "precisions_init": -np.ones((2, 3))}, "positive"),
    ]:
        with pytest.raises(InvalidParameterError, match=message):
            GaussianMixture(2, **given_).fit(groups)
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        GaussianMixture(4, max_iter=1, random_state=0).fit(groups)


def test_a_stream_that_is_too_short_is_refused(groups):
    for start in ("random", "random_from_data"):
        with pytest.raises(InvalidDataError, match="Expected n_samples >= n_components"):
            GaussianMixture(5, init_params=start).fit(lambda: iter([(groups[:3],)]))


def test_verbose_prints(groups, capsys):
    GaussianMixture(2, verbose=2, verbose_interval=1, random_state=0).fit(groups)
    printed = capsys.readouterr().out
    assert "Initialization 0" in printed
    assert "ll change" in printed


def test_the_core_refuses_what_does_not_fit_together():
    x, one = np.ones((3, 2)), np.ones(1)
    with pytest.raises(ValueError, match="differ"):
        _core.triangular_mixture_sums(
            x, None, np.ones((1, 3)), np.ones(2), one, np.ones((1, 2, 2)), np.ones((1, 2))
        )
    with pytest.raises(ValueError, match="rows × components"):
        _core.membership_sums(x, None, np.ones((1, 2)), np.ones((2, 1)), False)
