"""Groups of zeros have no finite coefficient in models of counts; it is said, and no more."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from stylobate.linear_model import PoissonRegressor, TweedieRegressor
from stylobate.optimize.glm.zeros import ON_BOUNDARY, find_separated_zeros


@pytest.fixture
def counts():
    rng = np.random.default_rng(0)
    x, group = rng.normal(size=400), (np.arange(400) < 50) * 1.0
    return x, group, rng.poisson(np.exp(0.3 + 0.3 * x)) * (1 - group)


def test_the_other_coefficients_are_those_of_the_other_rows(counts):
    x, group, y = counts
    with pytest.warns(UserWarning, match="y is 0 in all 50 rows that x1 sets apart"):
        model = PoissonRegressor(alpha=0).fit(np.c_[x, group], y)
    rest = sm.GLM(y[50:], sm.add_constant(x[50:]), family=sm.families.Poisson()).fit()
    summary = model.summary()
    table = summary.coefficients
    np.testing.assert_allclose(table.estimate[:2], rest.params, rtol=1e-6)
    np.testing.assert_allclose(table.std_error, [*rest.bse, np.nan], rtol=1e-6)
    assert (summary.df_residual, summary.n_params) == (397, 3)
    np.testing.assert_allclose(summary.aic, -2 * rest.llf + 6, rtol=1e-10)
    assert not any("linearly dependent" in note for note in summary.notes)


def test_of_sparse_rows_and_other_families(counts):
    x, group, y = counts
    rows = sparse.csr_array(np.c_[x, group])
    with pytest.warns(UserWarning, match="x1 sets apart"):
        assert PoissonRegressor(alpha=0).fit(rows, y).separation_.n_rows == 50
    with pytest.warns(UserWarning, match="x1 sets apart"):
        TweedieRegressor(power=1.5, alpha=0, max_iter=500).fit(np.c_[x, group], y)


def test_what_is_not_separated_is_not_called_so(counts):
    x, group, y = counts
    y = y + (np.arange(400) == 3)  # one positive row in the group
    assert PoissonRegressor(alpha=0).fit(np.c_[x, group], y).separation_ is None
    assert PoissonRegressor(alpha=0.1).fit(np.c_[x, group], counts[2]).separation_ is None
    assert find_separated_zeros(np.c_[x, x], y, fit_intercept=True) is None  # dependent only


@given(st.integers(0, 10_000), st.integers(1, 3), st.booleans())
def test_a_direction_found_leaves_positive_rows_alone(seed, p, fit_intercept):
    rng = np.random.default_rng(seed)
    x = rng.integers(-1, 2, (8, p)).astype(float)
    y = rng.poisson(0.7, 8).astype(float)
    found = find_separated_zeros(x, y, fit_intercept=fit_intercept)
    # by brute force: directions of small integers are enough for rows of small integers
    grid = np.stack(np.meshgrid(*[np.arange(-3, 4)] * (p + fit_intercept), indexing="ij"), -1)
    directions = grid.reshape(-1, p + fit_intercept)
    design = np.c_[x, np.ones(8)] if fit_intercept else x
    z = design @ directions.T
    separates = (z[y > 0] == 0).all(axis=0) & (z <= 0).all(axis=0) & (z < 0).any(axis=0)
    assert (found is not None) == bool(separates.any() and (y > 0).any() and (y == 0).any())
    if found is not None:
        moved = x @ found.coef + found.intercept
        np.testing.assert_allclose(moved[y > 0], 0.0, atol=ON_BOUNDARY)
        assert moved.max() <= ON_BOUNDARY
        assert (moved < -ON_BOUNDARY).sum() == found.n_rows
