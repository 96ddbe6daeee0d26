"""Moments of classes from the rows are those from the counts of their values."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.naive_bayes import NaiveBayes
from stylobate.naive_bayes.occurrences import NumberSums, Occurrences


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_of_rows_are_those_of_counts(weighted):
    rng = np.random.default_rng(0)
    numbers, codes = rng.normal(1e6, 3.0, 50), rng.integers(0, 3, 50)  # no row of classes 3 and 4
    weights = rng.uniform(0.0, 2.0, 50) if weighted else np.ones(50)
    weights[3], numbers[7] = 0.0, np.nan
    seen = ~np.isnan(numbers)
    counts = np.zeros((5, seen.sum()))
    counts[codes[seen], np.arange(seen.sum())] = weights[seen]
    expected = Occurrences(numbers[seen], counts).number_sums().mean_and_variance(1e-9)
    found = NumberSums.of(numbers, codes, weights, 5).mean_and_variance(1e-9)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_a_normal_column_takes_memory_of_its_rows_not_of_rows_times_classes(monkeypatch):
    """Counts of 50,000 values in 500 classes would be 200 MB."""
    monkeypatch.setattr("stylobate.naive_bayes.reading.coded", None)  # what makes such counts
    rng = np.random.default_rng(0)
    model = NaiveBayes().fit(rng.normal(size=(2000, 2)), np.arange(2000) % 500)
    assert model.features_[0].mean.shape == (500,)
