"""Files come sorted: nothing in a study may depend on which rows come first."""

from __future__ import annotations

import numpy as np

from stylobate import Study
from stylobate.datasets import read_dataset
from stylobate.study.table.thinning import some


def test_neighbours_equally_near_are_not_those_of_one_end_of_the_file():
    """Galton's children are sorted by height, and parents have eleven heights: all is ties."""
    table = read_dataset("galton")
    assert np.all(np.diff(table["child"]) >= 0.0)
    result = Study("galton", "child", models=["neighbours"], time=20).run()
    rows = {row.family: row for row in result.leaderboard}
    assert rows["neighbours"].mean < 0.95 * rows["baseline"].mean
    assert result.choice.family == "neighbours"
    assert result.holdout.scores[0].value < 0.95 * result.holdout.baseline[0].value


def test_explanations_come_from_rows_of_the_whole_file():
    positions = np.arange(0, 50_000, 5)
    drawn = some(positions, 300, 0)
    assert len(np.unique(drawn)) == 300
    assert np.isin(drawn, positions).all()
    assert abs(drawn.mean() - 25_000) < 5 * 50_000 / np.sqrt(12 * 300)
    assert some(positions[:300], 300, 0) is not None
    np.testing.assert_array_equal(some(positions[:300], 300, 0), positions[:300])
