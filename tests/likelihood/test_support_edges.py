"""Densities whose support depends on a parameter: the maximum lies on its edge, and it is said."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from stylobate.exceptions import InferenceWarning
from stylobate.likelihood import MaximumLikelihood


def pareto(x, t):
    inside = np.log(t[1]) + t[1] * np.log(t[0]) - (t[1] + 1) * np.log(x)
    return np.where(x >= t[0], inside, -np.inf)


def shifted_exponential(x, t):
    return np.where((x >= t[0]) & (t[1] > 0), -np.log(t[1]) - (x - t[0]) / t[1], -np.inf)


def uniform(x, t):
    return np.where((x >= t[0]) & (x <= t[1]), -np.log(t[1] - t[0]), -np.inf)


def test_pareto_has_its_closed_form():
    x = 2.0 * (1.0 + np.random.default_rng(0).pareto(3.0, 200))
    bounds = {"m": (0, None), "a": (0, None)}
    with pytest.warns(InferenceWarning, match="m ended at the edge of the density's support"):
        model = MaximumLikelihood(pareto, {"m": 1.0, "a": 1.0}, bounds=bounds).fit(x)
    shape = 1.0 / np.log(x / x.min()).mean()
    assert model.params_[0] == x.min()
    np.testing.assert_allclose(model.params_[1], shape, rtol=1e-8)
    assert model.converged_
    np.testing.assert_allclose(model.std_error_, [np.nan, shape / np.sqrt(200)], rtol=1e-4)
    assert model.summary().n_params == 2  # the edge is an estimate too


def test_ends_of_a_uniform_law():
    x = np.random.default_rng(0).uniform(3.0, 5.0, 100)
    with pytest.warns(InferenceWarning, match="a, b ended at the edge"):
        model = MaximumLikelihood(uniform, {"a": 0.0, "b": 10.0}).fit(x)
    np.testing.assert_array_equal(model.params_, [x.min(), x.max()])
    assert model.converged_
    # the profile falls by log(1/0.05) where the width has grown by its n-th root
    width = np.ptp(x) * 0.05 ** (-1 / 100)
    ends = model.confidence_interval(kind="profile")
    np.testing.assert_allclose(ends[0], [x.max() - width, x.min()], rtol=1e-8)
    np.testing.assert_allclose(ends[1], [x.max(), x.min() + width], rtol=1e-8)


def test_shifted_exponential_and_its_interval():
    x = 7.0 + np.random.default_rng(1).exponential(2.0, 40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InferenceWarning)
        model = MaximumLikelihood(shifted_exponential, {"loc": 0.0, "scale": 1.0}).fit(x)
    scale = x.mean() - x.min()
    np.testing.assert_allclose(model.params_, [x.min(), scale], rtol=1e-7)
    # twice the fall of the profile, 2 n log((mean - loc) / scale), is χ² of two degrees of freedom
    low, high = model.confidence_interval(0.8, kind="profile")[0]
    np.testing.assert_allclose([low, high], [x.mean() - scale * 0.2 ** (-1 / 40), x.min()])


def test_an_edge_of_two_parameters_is_not_called_a_maximum():
    def centred(x, t):
        return np.where((np.abs(x - t[0]) <= t[1]) & (t[1] > 0), -np.log(2 * t[1]), -np.inf)

    x = np.random.default_rng(0).uniform(3.0, 5.0, 100)
    with pytest.warns(UserWarning, match="depends on several parameters at once"):
        model = MaximumLikelihood(centred, {"c": 5.0, "w": 10.0}).fit(x)
    assert not model.converged_
