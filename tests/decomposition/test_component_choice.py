"""How many components: each rule against its definition, and against known answers."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.decomposition import choose_n_components
from stylobate.decomposition.dimension import minka_evidence
from stylobate.decomposition.held_out_cells import held_out_errors
from stylobate.decomposition.parallel_analysis import unrelated_variances
from stylobate.exceptions import InvalidParameterError, UnsupportedDataError
from stylobate.statistics import Moments


def factors(n, p, k, noise, seed=0):
    draws = np.random.default_rng(seed)
    x = draws.normal(size=(n, k)) @ draws.normal(size=(k, p))
    return x + noise * draws.normal(size=(n, p)) + 10.0


@pytest.mark.parametrize("k", [1, 2, 4])
def test_known_factors_are_found_by_every_rule(k):
    found = choose_n_components(factors(500, 15, k, 0.4), random_state=0)
    assert (found.choice, found.minka, found.bic) == (k, k, k)
    # Horn's null has all the variance that the first factors have: it hides the weakest of many
    assert found.parallel in ((k,) if k < 4 else (k - 1, k))
    assert f"Keep {k} of 15" in found.sentence
    assert "parallel analysis" in str(found)


def test_unrelated_columns_have_none():
    x = np.random.default_rng(0).normal(size=(400, 10))
    found = choose_n_components(x, random_state=0)
    assert found.choice == 0
    assert found.parallel == 0
    assert "Keep none" in found.sentence


def test_held_out_cells_are_those_of_a_brute_force():
    x = factors(40, 9, 2, 0.5)
    draws = np.random.RandomState(0)
    rows = np.array_split(draws.permutation(40), 4)
    columns = np.array_split(draws.permutation(9), 3)
    from stylobate.data import read_table

    parts = [Moments.of(read_table(x[part], owner="test")) for part in rows]
    found, _ = held_out_errors(parts, columns, 4)
    expected = np.zeros(5)
    for part in rows:
        others = np.setdiff1d(np.arange(40), part)
        mean = x[others].mean(axis=0)
        for block in columns:
            rest = np.setdiff1d(np.arange(9), block)
            u, s, vt = np.linalg.svd(x[np.ix_(others, rest)] - mean[rest], full_matrices=False)
            known = x[np.ix_(part, rest)] - mean[rest]
            seen = x[np.ix_(others, block)] - mean[block]
            for k in range(5):
                guess = known @ vt[:k].T @ np.diag(1 / s[:k]) @ u[:, :k].T @ seen
                expected[k] += ((x[np.ix_(part, block)] - mean[block] - guess) ** 2).sum()
    np.testing.assert_allclose(found, expected / x.size, rtol=1e-9)


def test_minka_is_scikit_learns():
    from sklearn.decomposition._pca import _assess_dimension

    spectrum = np.sort(np.random.default_rng(0).gamma(1.0, size=12))[::-1]
    expected = [_assess_dimension(spectrum, k, 100) for k in range(1, 12)]
    np.testing.assert_allclose(minka_evidence(spectrum, 100)[1:], expected, rtol=1e-10)


@pytest.mark.parametrize("n", [200, 5])
def test_unrelated_variances_are_those_of_drawn_rows(n):
    variances = np.array([4.0, 1.0, 1.0, 0.5, 0.5, 0.2])
    found = unrelated_variances(variances, n, 4, 4000, 0)
    draws = np.random.default_rng(1)
    drawn = draws.normal(size=(4000, n, 6)) * np.sqrt(variances)
    drawn -= drawn.mean(axis=1, keepdims=True)
    direct = np.linalg.svd(drawn, compute_uv=False)[:, :4] ** 2 / (n - 1)
    np.testing.assert_allclose(found.mean(axis=0), direct.mean(axis=0), rtol=0.05)
    quantiles = [np.quantile(each, 0.95, axis=0) for each in (found, direct)]
    np.testing.assert_allclose(*quantiles, rtol=0.06)


def test_bic_is_that_of_the_likelihood():
    from stylobate.decomposition import PCA

    x = factors(300, 6, 2, 0.5)
    found = choose_n_components(x, random_state=0)
    for k in (1, 2, 3):
        model = PCA(k).fit(x)
        # the model divides by n - 1; its likelihood at the maximum divides by n
        model.explained_variance_ = model.explained_variance_ * 299 / 300
        model.noise_variance_ *= 299 / 300
        parameters = 6 * k - k * (k - 1) / 2 + 1 + 6
        expected = -2 * 300 * model.score(x) + parameters * np.log(300)
        assert found.bics[k] == pytest.approx(expected, rel=1e-9)


def test_wide_tables_and_refusals():
    found = choose_n_components(factors(30, 60, 2, 0.3), random_state=0)
    assert (found.choice, found.minka, found.bic) == (2, None, None)
    with pytest.raises(UnsupportedDataError, match="rows"):
        choose_n_components(np.eye(4))
    with pytest.raises(UnsupportedDataError, match="nothing varies"):
        choose_n_components(np.ones((20, 3)))
    with pytest.raises(InvalidParameterError, match="n_simulations"):
        choose_n_components(np.eye(20), n_simulations=2)
