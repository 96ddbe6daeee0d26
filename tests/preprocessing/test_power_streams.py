"""Powers from streams: those of memory, of columns of all signs and sizes, in few passes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate.data.streams import Batch, Stream
from stylobate.engines import windows
from stylobate.exceptions import InvalidDataError
from stylobate.preprocessing import PowerTransformer
from stylobate.preprocessing.scaling.power_streams import BentSpread

RNG = np.random.default_rng(11)
N = 500
COLUMNS = {
    "skewed": RNG.lognormal(0.0, 1.0, N),
    "both signs": RNG.normal(size=N) ** 3,
    "negative": -RNG.gamma(2.0, 1.0, N),
    "far power": 100.0 + 0.1 * RNG.normal(size=N) ** 2,
    "counts": RNG.poisson(0.7, N).astype(float),
    "constant": np.full(N, 3.0),
    "tiny": 1e-12 * RNG.normal(size=N),
    "gaps": np.where(RNG.random(N) < 0.3, np.nan, RNG.gamma(0.5, 3.0, N)),
    "large": 1e30 * RNG.gamma(2.0, 1.0, N),
}
X = np.column_stack(list(COLUMNS.values()))
CUTS = [0, 1, 90, 300, N]


def stream_of(x):
    parts = [Batch(x[a:b]) for a, b in pairwise(CUTS)]
    return Stream(lambda: iter(parts), "rows")


@pytest.fixture(autouse=True)
def small_windows(monkeypatch):
    monkeypatch.setattr(windows, "MOST_ROWS", 64)
    monkeypatch.setattr(windows, "UNIT_ROWS", 64)


@pytest.mark.parametrize("method", ["yeo-johnson", "box-cox"])
def test_powers_are_those_of_memory(method):
    x = X if method == "yeo-johnson" else np.abs(X[:, [0, 2, 3, 7, 8]])
    memory = PowerTransformer(method).fit(x)
    stream = stream_of(x)
    found = PowerTransformer(method).fit(stream)
    assert np.allclose(found.lambdas_, memory.lambdas_, rtol=2e-6, atol=2e-6)
    assert np.allclose(
        found.transform(x), memory.transform(x), rtol=1e-4, atol=1e-5, equal_nan=True
    )
    assert stream.passes <= 24  # for a power of some thousands; others take fewer
    ordinary = stream_of(x[:, :2])
    PowerTransformer(method).fit(ordinary)
    assert ordinary.passes <= 8


@pytest.mark.parametrize("signs", [None, "both"])
def test_spreads_merge_as_the_variance_of_the_whole(signs):
    from stylobate.data import read_table
    from stylobate.preprocessing.scaling.likeliest_power import box_cox, yeo_johnson

    x = COLUMNS["skewed"] if signs is None else COLUMNS["both signs"]
    powers = np.array([[-1.5, 0.0, 0.3, 2.0, 5.0]])
    recipe = BentSpread(("log" if signs is None else "two signs",), powers)
    tables = [read_table(part[:, None], owner="test") for part in np.array_split(x, 7)]
    whole = recipe
    for table in tables:
        whole = whole.merge(recipe.of(table))
    bend = box_cox if signs is None else yeo_johnson
    expected = [np.log(bend(x, float(power)).var()) for power in powers[0]]
    found = np.log(whole.squares[0] / N) + 2.0 * whole.scale[0]
    assert np.allclose(found, expected, rtol=1e-10)


def test_rows_that_cannot_be():
    with pytest.raises(InvalidDataError, match="strictly positive"):
        PowerTransformer("box-cox").fit(stream_of(X))
    empty = np.column_stack([COLUMNS["skewed"], np.full(N, np.nan)])
    with pytest.raises(InvalidDataError, match="must not be all nan, but column 1 is"):
        PowerTransformer("box-cox").fit(stream_of(empty))
    assert PowerTransformer().fit(stream_of(empty)).lambdas_[1] == 1.0
