"""Gaps spelt as text, told from a sample: what is known of all rows bounds what is told of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from stylobate import explore
from stylobate.exploration import dimensionality


def test_gaps_of_one_column_alone_are_known_exactly():
    frame = pd.DataFrame({"s": ["M", "F", "NA", "M"] * 50, "x": np.arange(200.0)})
    found = explore(frame, sample=100)
    assert found["s"].missing == 50
    assert found.missingness.complete_rows == 150
    assert found.missingness.exact
    assert [(each.columns, each.rows) for each in found.missingness.patterns] == [(("s",), 50)]
    assert "150 rows complete (75 %)" in str(found)


@pytest.mark.parametrize("seed", range(5))
def test_estimates_keep_within_what_columns_say(seed):
    random = np.random.default_rng(seed)
    texts = np.where(random.random((300, 3)) < [0.3, 0.1, 0.02], "NA", "word")
    texts = np.where(texts == "word", random.choice(["M", "F"], texts.shape), texts)
    frame = pd.DataFrame(texts, columns=list("abc"))
    found = explore(frame, sample=60, seed=seed).missingness
    gaps = {name: int((frame[name] == "NA").sum()) for name in frame}
    assert 300 - sum(gaps.values()) <= found.complete_rows <= 300 - max(gaps.values())
    for pattern in found.patterns:
        assert pattern.rows <= min(gaps[name] for name in pattern.columns)


def test_few_rows_have_fewer_neighbours():
    rows = np.repeat(np.random.default_rng(0).normal(size=(10, 3)), 3, axis=0)
    assert dimensionality(rows).n_neighbors == 9
