"""Dates and places are scaled where numbers are."""

from __future__ import annotations

import numpy as np
import pandas as pd

from stylobate.preprocessing import TableEncoder


def test_dates_are_scaled_with_the_numbers():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "amount": 50 * random.normal(size=200),
            "day": pd.date_range("2020-01-01", periods=200, freq="5D"),
        }
    )
    plain = TableEncoder().set_output(transform="pandas").fit_transform(frame)
    scaled = TableEncoder(scale=True).set_output(transform="pandas").fit_transform(frame)
    varied = plain.columns[plain.std(ddof=0) > 1e-9]
    assert any(name.startswith("day_elapsed") for name in varied)
    np.testing.assert_allclose(scaled[varied].std(ddof=0), 1.0)
    np.testing.assert_allclose(
        scaled[varied], (plain[varied] - plain[varied].mean()) / plain[varied].std(ddof=0)
    )
