"""The 891 passengers of the competition's form of the Titanic, where that file is present."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stylobate import plot
from stylobate.exploration.views import box_views, target_view
from stylobate.preprocessing import KBinsDiscretizer


@pytest.fixture(scope="module")
def passengers():
    root = Path(__file__).parents[2]
    folder = Path(os.environ.get("STYLOBATE_DATA", root.parent / "shared" / "data"))
    path = folder / "basic" / "titanic.csv"
    if not path.exists():
        pytest.skip(f"{path} is not here; set STYLOBATE_DATA to the folder of reference data")
    return pd.read_csv(path)


def test_bars_of_sex(passengers):
    counts = plot.plot_bars("Sex", data=passengers)
    assert [bar.get_height() for bar in counts.patches] == [577, 314]
    shares = plot.plot_bars("Sex", data=passengers, normalize=True)
    np.testing.assert_allclose([b.get_height() for b in shares.patches], [577 / 891, 314 / 891])


def test_ages(passengers):
    age = passengers["Age"].dropna()
    box = box_views("Age", data=passengers)[0]
    assert box.quartiles == (20.125, 28.0, 38.0)
    assert (box.lower, box.upper) == (20.125 - 1.5 * 17.875, 38.0 + 1.5 * 17.875)
    assert (len(box.outliers), box.missing) == (11, 177)
    ax = plot.plot_histogram("Age", data=passengers)
    assert sum(bar.get_height() for bar in ax.patches) == len(age) == 714
    edges = [0, 5, 10, 16, 21, 35, 50, np.inf]
    bins = KBinsDiscretizer(strategy="edges", edges=edges, encode="ordinal")
    number = bins.fit_transform(age.to_numpy()[:, None])[:, 0]
    cut = pd.cut(age, edges, right=False, labels=False)
    np.testing.assert_array_equal(number, cut)


def test_survival_by_sex(passengers):
    view = target_view("Sex", "Survived", data=passengers)
    np.testing.assert_allclose(view.values[:, 1], [233 / 314, 109 / 577])
