"""Mean shift: scikit-learn's peaks and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.cluster import MeanShift, estimate_bandwidth, get_bin_seeds, mean_shift
from stylobate.exceptions import StylobateError
from stylobate.parallel import threads


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 120),
    columns=st.integers(1, 4),
    more=st.sampled_from(
        [{}, {"bin_seeding": True}, {"cluster_all": False}, {"max_iter": 2}, {"bandwidth": 0.7}]
    ),
)
@pytest.mark.filterwarnings("ignore:Binning data failed")
def test_the_same_as_scikit_learn(seed: int, n: int, columns: int, more: dict[str, Any]) -> None:
    X = np.random.default_rng(seed).normal(size=(n, columns))
    ours, theirs = MeanShift(**more).fit(X), sklearn.cluster.MeanShift(**more).fit(X)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-9, atol=1e-9)
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert ours.n_iter_ == theirs.n_iter_
    assert np.array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("more", [{}, {"quantile": 0.1}, {"n_samples": 40, "random_state": 3}])
def test_bandwidths(more: dict[str, Any]) -> None:
    X = np.random.default_rng(1).normal(size=(150, 3))
    assert estimate_bandwidth(X, **more) == pytest.approx(
        sklearn.cluster.estimate_bandwidth(X, **more), rel=1e-9
    )


def test_seeds_in_bins() -> None:
    X = np.random.default_rng(2).normal(size=(200, 2))
    for least in (1, 3):
        theirs = sklearn.cluster.get_bin_seeds(X, 0.5, least)
        assert np.array_equal(get_bin_seeds(X, 0.5, least), theirs)


def test_same_bits_for_any_number_of_threads() -> None:
    X = np.random.default_rng(3).normal(size=(800, 3))
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(mean_shift(X, bandwidth=0.8))
    for centres, labels in found[1:]:
        assert np.array_equal(centres, found[0][0])
        assert np.array_equal(labels, found[0][1])


def test_odd_rows_and_refusals() -> None:
    equal = MeanShift().fit(np.ones((10, 2)))
    assert equal.cluster_centers_.tolist() == [[1.0, 1.0]]
    assert (equal.labels_ == 0).all()
    with pytest.raises(StylobateError, match="No point was within"):
        MeanShift(bandwidth=0.1, seeds=[[9.0]]).fit([[0.0], [1.0]])
    with pytest.raises(StylobateError, match="columns"):
        MeanShift(bandwidth=0.1, seeds=[[9.0]]).fit([[0.0, 1.0]])
    with pytest.raises(StylobateError, match="quantile"):
        estimate_bandwidth([[0.0]], quantile=2.0)
