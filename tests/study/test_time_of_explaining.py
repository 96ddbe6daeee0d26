"""Explaining keeps to its share of the time."""

from __future__ import annotations

import numpy as np

from stylobate import Study


def test_refits_for_intervals_are_as_many_as_there_is_time_for():
    """Logistic regression of several classes has no intervals of its own: rows are resampled."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(3000, 12))
    y = np.array(list("abcdef"))[np.argmax(x[:, :6] + draw.gumbel(size=(3000, 6)), axis=1)]
    table = {f"c{j}": x[:, j] for j in range(12)} | {"y": y}
    coefficients = {}
    for time in (0.5, 1000.0):
        result = Study(table, "y", models=["logistic"], time=time).run()
        coefficients[time] = result.explanation.coefficients
        assert len(coefficients[time]) == 6 * 12
    assert all(each.low is None for each in coefficients[0.5])
    assert all(each.low < each.value < each.high for each in coefficients[1000.0])
