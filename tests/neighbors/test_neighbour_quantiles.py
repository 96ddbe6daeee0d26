"""Medians and quantiles of neighbours: what minimises absolute and pinball loss."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.neighbors import (
    KernelWeights,
    KNeighborsRegressor,
    RadiusNeighborsRegressor,
    leave_one_out_curve,
)

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(70, 2)), RNG.standard_t(1.5, size=70)
AT = RNG.normal(size=(15, 2))


def pinball(c, y, w, q):
    return float(np.sum(w * np.where(y >= c, q * (y - c), (q - 1) * (y - c))))


def test_the_median_is_numpys():
    near = np.argsort(cdist(AT, X), axis=1)
    for k in (1, 4, 7):
        found = KNeighborsRegressor(k, loss="absolute_error").fit(X, Y).predict(AT)
        np.testing.assert_allclose(found, np.median(Y[near[:, :k]], axis=1), rtol=1e-14)


@pytest.mark.parametrize("level", [0.0, 0.1, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("weights", ["uniform", "distance", KernelWeights("gaussian", 0.7)])
def test_answers_minimise_the_weighted_loss(level, weights):
    model = KNeighborsRegressor(9, loss="quantile", quantile=level, weights=weights).fit(X, Y)
    distances, rows = model.kneighbors(AT)
    for found, d, near in zip(model.predict(AT), distances, Y[rows], strict=True):
        w = {"uniform": np.ones(9), "distance": 1 / d}.get(
            weights if isinstance(weights, str) else ""
        )
        w = np.exp(-0.5 * (d / 0.7) ** 2) if w is None else w
        best = min(pinball(c, near, w, level) for c in near)
        assert pinball(found, near, w, level) == pytest.approx(best, rel=1e-10, abs=1e-10)


def test_radii_and_several_targets():
    both = np.column_stack([Y, 2 * Y])
    model = RadiusNeighborsRegressor(0.8, loss="absolute_error").fit(X, both)
    with pytest.warns(StylobateWarning, match="radius"):
        found = model.predict(np.vstack([AT, [[99.0, 99.0]]]))
    apart = cdist(AT, X)
    for row, d in zip(found, apart, strict=False):
        median = np.median(Y[d <= 0.8]) if (d <= 0.8).any() else np.nan
        np.testing.assert_allclose(row, [median, 2 * median], rtol=1e-13)
    assert np.isnan(found[-1]).all()
    several = KNeighborsRegressor(5, loss="absolute_error").fit(X, both).predict(AT)
    np.testing.assert_allclose(several[:, 1], 2 * several[:, 0], rtol=1e-14)


def test_leave_one_out_says_that_it_averages():
    with pytest.raises(InvalidParameterError, match="cross_validate"):
        leave_one_out_curve(KNeighborsRegressor(loss="absolute_error"), X, Y)
