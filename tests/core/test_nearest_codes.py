"""Rows as bytes drop far pairs in the search for nearest rows; no answer shows it."""

from __future__ import annotations

import json

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from stylobate import _core
from stylobate.distances.tiles import pairs_of
from stylobate.parallel import threads

KINDS = (
    "normal", "clusters", "copies", "outlier", "offset", "tiny", "tails", "one wide column",
    "whole numbers", "sorted",
)  # fmt: skip


def table(kind, rows, columns, generator):
    x = generator.standard_normal((rows, columns))
    if kind == "clusters":
        centres = 30.0 * np.arange(5)[:, None] * np.ones(columns)
        x = centres[generator.integers(5, size=rows)] + 1e-3 * x
    elif kind == "copies":
        x = x[generator.integers(max(1, rows // 4), size=rows)]
    elif kind == "outlier":
        x[rows // 2] *= 1e12
    elif kind == "offset":
        x += 1e7
    elif kind == "tiny":
        x *= 1e-35
    elif kind == "tails":
        x = generator.standard_cauchy((rows, columns))
    elif kind == "one wide column":
        x[:, 0] *= 1e4
    elif kind == "whole numbers":
        x = np.round(2.0 * x)
    elif kind == "sorted":
        x = x[np.argsort(x[:, 0])]
    return x


def assert_same(one, other):
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a, b)


@given(
    kind=st.sampled_from(KINDS),
    shape=st.tuples(st.integers(1, 150), st.integers(1, 400), st.integers(1, 70)),
    part=st.floats(0.0, 1.0),
    dtype=st.sampled_from([np.float32, np.float64]),
    measure=st.sampled_from(["squared", "inner"]),
    seed=st.integers(0, 2**16),
)
def test_the_answer_is_the_same_with_and_without_codes(kind, shape, part, dtype, measure, seed):
    queries, rows, columns = shape
    generator = np.random.default_rng(seed)
    y = table(kind, rows, columns, generator).astype(dtype)
    x = table(kind, queries, columns, generator).astype(dtype)
    x[: min(queries, rows) // 2] = y[: min(queries, rows) // 2]
    k = 1 + int(part * (rows - 1))
    pairs = pairs_of(x, y, measure)
    assert_same(pairs.nearest(k, codes="always"), pairs.nearest(k, codes="never"))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", KINDS)
def test_nearest_rows_by_brute_force(kind, dtype):
    generator = np.random.default_rng(3)
    y = table(kind, 900, 33, generator).astype(dtype)
    x = table(kind, 40, 33, generator).astype(dtype)
    pairs = pairs_of(x, y, "squared")
    values, rows = pairs.nearest(12, codes="always")
    wide = y.astype(np.float64)
    exact = np.array([((wide - row) ** 2).sum(axis=1) for row in x.astype(np.float64)])
    order = np.sort(exact, axis=1)[:, :12]
    np.testing.assert_allclose(values, order, rtol=1e-12, atol=0)
    np.testing.assert_allclose(np.take_along_axis(exact, rows, axis=1), order, rtol=1e-12, atol=0)
    if kind == "normal":
        looked = pairs.looked()
        assert looked["codes"] == 40 * 900
        assert looked["exact"] < 36_000 / 3


def test_the_number_of_threads_does_not_show():
    generator = np.random.default_rng(5)
    x, y = generator.standard_normal((400, 32)), generator.standard_normal((3000, 32))
    pairs = pairs_of(x, y, "squared")
    answers, counts = [], []
    for count in (1, 2, 3):
        with threads(count):
            answers.append(pairs.nearest(5))
        counts.append(pairs.looked())
    assert_same(answers[0], answers[1])
    assert_same(answers[0], answers[2])
    assert counts[0] == counts[1] == counts[2]


def test_each_query_skips_itself():
    x = np.random.default_rng(6).standard_normal((500, 20)).astype(np.float32)
    pairs = pairs_of(x, x, "squared")
    with_codes = pairs.nearest(7, True, codes="always")
    assert_same(with_codes, pairs.nearest(7, True, codes="never"))
    assert (with_codes[1] != np.arange(500)[:, None]).all()


PROGRAM = """
import json
import numpy as np
from stylobate import _core
from stylobate.distances.tiles import pairs_of
generator = np.random.default_rng(0)
x = generator.integers(-9, 9, size=(300, 24)) * 1.0
y = generator.integers(-9, 9, size=(2000, 24)) * 1.0
pairs = pairs_of(x, y, "squared")
values, rows = pairs.nearest(4)
print(json.dumps({"isa": _core.isa(), "values": values.tolist(), "rows": rows.tolist(),
                  "looked": pairs.looked()}))
"""


def test_codes_are_used_only_where_they_are_quick(run_program):
    best = json.loads(run_program(PROGRAM))
    lesser = json.loads(run_program(PROGRAM, settings={"STYLOBATE_ISA": "avx512"}))
    assert best["values"] == lesser["values"]  # of whole numbers, so that no order of sums shows
    assert best["rows"] == lesser["rows"]
    assert lesser["looked"]["codes"] == 0
    assert (best["looked"]["codes"] > 0) == (_core.isa() == "vnni")
