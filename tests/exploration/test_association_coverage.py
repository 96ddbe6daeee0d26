"""Intervals hold the truth about as often as they say; tests reject as rarely as they say."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exploration.association.counted import cramers, informations
from stylobate.exploration.association.laws import correlation_p, fisher_interval
from stylobate.exploration.association.numeric import ExactCorrelations
from stylobate.exploration.association.ranks import pairwise_rank_correlations, rank_column
from stylobate.exploration.association.ratio import _listed, analysis_of_variance, group_sums
from stylobate.exploration.association.tables import table_statistics

RUNS = 600
LEAST, MOST = 0.91, 1.0  # of a 95 % interval in 600 runs; wider than said is allowed


def covered(found, truth):
    inside = [each.low - 1e-12 <= truth <= each.high + 1e-12 for each in found]
    return np.mean(inside)


@pytest.mark.parametrize(("n", "rho"), [(20, 0.0), (40, 0.5), (40, 0.9)])
def test_correlations(n, rho):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(RUNS, n))
    y = rho * x + np.sqrt(1 - rho**2) * rng.normal(size=(RUNS, n))
    r = np.array([np.corrcoef(a, b)[0, 1] for a, b in zip(x, y, strict=True)])
    low, high = fisher_interval(r, np.full(RUNS, n), 0.95)
    assert LEAST < np.mean((low <= rho) & (rho <= high)) < 0.98
    ranked = [
        pairwise_rank_correlations([rank_column(a), rank_column(b)]).r[0, 1]
        for a, b in zip(x, y, strict=True)
    ]
    truth = 6 / np.pi * np.arcsin(rho / 2)
    low, high = fisher_interval(ranked, np.full(RUNS, n), 0.95, ranks=True)
    assert LEAST < np.mean((low <= truth) & (truth <= high)) < 0.99
    if rho == 0:
        assert 0.03 < np.mean(correlation_p(ranked, n) < 0.05) < 0.08


@pytest.mark.parametrize("n", [60, 300])
@pytest.mark.parametrize(
    "shares", [np.ones((3, 3)), [[3, 1, 1], [1, 3, 1], [1, 1, 3]], [[10, 1], [1, 4]]]
)
def test_tables(n, shares):
    rng = np.random.default_rng(4)
    p = np.array(shares, dtype=float) / np.sum(shares)
    alone = np.outer(p.sum(axis=1), p.sum(axis=0))
    v = np.sqrt(((p - alone) ** 2 / alone).sum() / (min(p.shape) - 1))
    information = (p * np.log(p / alone)).sum()
    drawn = rng.multinomial(n, p.ravel(), size=RUNS).reshape(RUNS, *p.shape)
    tables = [table_statistics(table) for table in drawn]
    pairs = [("a", "b")] * RUNS
    found = cramers(pairs, tables, level=0.95, exact=True)
    assert LEAST < covered(found, v) <= MOST
    known = informations(pairs, tables, level=0.95, exact=True)
    assert LEAST < covered(known, information) <= MOST
    assert np.mean([each.value for each in known]) == pytest.approx(information, abs=0.02)
    if v == pytest.approx(0):
        for each in (found, known):
            assert 0.03 < np.mean([a.p_value < 0.05 for a in each]) < 0.08


@pytest.mark.parametrize(("step", "n"), [(0.0, 40), (0.5, 60), (2.0, 60), (5.0, 100)])
def test_ratios(step, n):
    rng = np.random.default_rng(5)
    means = step * np.arange(3)
    eta = np.sqrt(means.var() / (means.var() + 1))
    variances = []
    for _ in range(RUNS):
        codes = rng.integers(0, 3, n)
        variances.append(
            analysis_of_variance(group_sums(means[codes] + rng.normal(size=n), codes, 3))
        )
    found = _listed([("a", "b")] * RUNS, variances, 0.95, True)
    assert 0.9 < covered(found, eta) <= MOST
    mean_square = np.mean([each.value**2 for each in found])
    assert mean_square == pytest.approx(eta**2, abs=0.02)


def test_exact_correlations_know_their_columns():
    exact = ExactCorrelations(("a",), np.ones((1, 1)), 5)
    with pytest.raises(ValueError, match="lack the numeric column 'z'"):
        exact.of(["z"])
