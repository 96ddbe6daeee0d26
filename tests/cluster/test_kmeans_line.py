"""The optimum of one column, against all partitions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from stylobate.cluster import KMeans
from stylobate.exceptions import ConvergenceWarning, InvalidParameterError


def least_inertia(x, weights, k):
    """By trying every cut of the sorted numbers."""
    order = np.argsort(x)
    x, weights = x[order], weights[order]
    best = np.inf
    for cuts in combinations(range(1, len(x)), k - 1):
        total = 0.0
        for part in np.split(np.arange(len(x)), cuts):
            w = weights[part]
            if w.sum() > 0.0:
                mean = np.average(x[part], weights=w)
                total += (w * (x[part] - mean) ** 2).sum()
        best = min(best, total)
    return best


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_no_partition_is_better(k, seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.standard_normal(13), 1)
    weights = rng.integers(0, 3, 13).astype(float) + (np.arange(13) < k + 1)
    found = KMeans(k, algorithm="exact").fit(x[:, None], sample_weight=weights)
    best = least_inertia(x, weights, k)
    assert found.inertia_ == pytest.approx(best, rel=1e-12, abs=1e-14)
    assert found.certificate_.optimal
    assert found.certificate_.gap == 0.0
    assert (np.diff(found.cluster_centers_.ravel()) > 0.0).all()


def test_it_is_never_above_lloyd_and_labels_are_those_of_predict():
    x = np.random.default_rng(0).standard_cauchy((3000, 1))
    exact = KMeans(9, algorithm="exact").fit(x)
    for seed in range(3):
        assert exact.inertia_ <= KMeans(9, random_state=seed).fit(x).inertia_ * (1 + 1e-12)
    assert np.array_equal(exact.labels_, exact.predict(x))
    assert "Optimal" in exact.certificate_.verdict
    assert exact.solver_ == "dynamic programming"


def test_large_offsets_keep_their_digits():
    x = np.concatenate([np.arange(50.0), 1000.0 + np.arange(50.0)])[:, None]
    near = KMeans(4, algorithm="exact").fit(x)
    far = KMeans(4, algorithm="exact").fit(x + 2.0**40)
    assert np.array_equal(near.labels_, far.labels_)
    assert far.inertia_ == near.inertia_


def test_refusals_and_few_values():
    with pytest.raises(InvalidParameterError, match="one column"):
        KMeans(2, algorithm="exact").fit(np.zeros((4, 2)))
    with pytest.warns(ConvergenceWarning, match="distinct"):
        model = KMeans(3, algorithm="exact").fit([[1.0], [1.0], [2.0]])
    assert model.inertia_ == 0.0
