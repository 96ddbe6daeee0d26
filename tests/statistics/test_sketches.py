"""Sketches of columns against exact answers, on orders and values chosen to break them."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from stylobate import parallel
from stylobate.exceptions import InvalidDataError
from stylobate.statistics import (
    ColumnSummary,
    DistinctCount,
    FrequentValues,
    HigherMoments,
    QuantileSketch,
    RowSample,
    TextLengths,
)

N = 60_000


def orders():
    rng = np.random.default_rng(3)
    ramp = np.arange(N, dtype=float)
    zigzag = np.where(np.arange(N) % 2 == 0, ramp, N - ramp)
    skewed = np.exp(rng.normal(size=N) * 3)
    return {
        "sorted": ramp,
        "reversed": ramp[::-1].copy(),
        "zig-zag": zigzag,
        "normal": rng.normal(size=N),
        "skewed": skewed,
        "repeated": rng.integers(0, 7, N).astype(float),
        "constant": np.full(N, 2.5),
        "one outlier": np.concatenate([rng.integers(0, 1000, N - 1), [10**18]]),
        "two blocks": np.concatenate([np.sort(rng.normal(size=N // 2))] * 2),
        "both infinities": np.where(
            ramp % 100 == 0, np.inf, np.where(ramp % 99 == 0, -np.inf, ramp)
        ),
    }


def worst_rank_error(sketch, values):
    """The largest |F̂ − F| over values that occurred, F̂ from the sketch's cdf."""
    exact = np.sort(values)
    points = exact[:: len(exact) // 200]
    truth = np.searchsorted(exact, points, side="right") / len(exact)
    return np.abs(sketch.cdf(points) - truth).max()


@pytest.mark.parametrize("name", orders())
def test_ranks_are_within_the_stated_error(name):
    values = orders()[name]
    sketch = QuantileSketch.of(values, seed=1)
    assert sketch.count == N
    assert not sketch.is_exact
    assert sketch.rank_error() < 0.0021
    # 200 ranks at 99.9999 % each
    assert worst_rank_error(sketch, values) <= sketch.rank_error(1 - 1e-6)
    assert sketch.low == values.min()
    assert sketch.high == values.max()
    assert sketch.quantile(0.0) == values.min()
    assert sketch.quantile(1.0) == values.max()


@pytest.mark.parametrize("name", ["sorted", "normal", "repeated", "skewed"])
def test_quantiles_bracket_the_exact_ones(name):
    values = orders()[name]
    sketch = QuantileSketch.of(values)
    error = sketch.rank_error(1 - 1e-6)
    for q in np.linspace(0.01, 0.99, 25):
        low, high = np.quantile(
            values, [max(q - error, 0), min(q + error, 1)], method="inverted_cdf"
        )
        assert low <= sketch.quantile(q) <= high


def test_the_error_bound_can_fail():
    """A sketch of a tenth of the rows, or of too small a k, is outside what the default states."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=N)
    stated = QuantileSketch.of(values).rank_error(1 - 1e-6)
    assert worst_rank_error(QuantileSketch.of(values[:500]), values) > stated
    coarse = QuantileSketch.of(values, k=16)
    assert coarse.rank_error() > 0.05
    errors = [worst_rank_error(QuantileSketch.of(values, k=16, seed=s), values) for s in range(5)]
    assert max(errors) > stated


def test_the_error_is_not_stated_far_too_large():
    """The bound is Hoeffding's; errors over seeds come within a factor of it."""
    values = np.random.default_rng(1).normal(size=N)
    point, truth = np.quantile(values, 0.5), 0.5
    errors = [QuantileSketch.of(values, k=64, seed=s).cdf(point) - truth for s in range(60)]
    stated = QuantileSketch.of(values, k=64).rank_error(0.99)
    assert np.max(np.abs(errors)) < stated < 12 * np.std(errors)
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(60)  # no bias


def test_merged_quantiles_keep_the_bound():
    values = np.random.default_rng(2).permutation(orders()["skewed"])
    for cuts in (2, 7, 31):
        parts = [QuantileSketch.of(p, seed=0) for p in np.array_split(values, cuts)]
        whole = reduce(lambda a, b: a.merge(b), parts)
        assert whole.count == N
        assert worst_rank_error(whole, values) <= whole.rank_error(1 - 1e-6)
        assert whole.rank_error() < 0.004
    equal = QuantileSketch.of(values[:9000])
    doubled = equal.merge(equal)  # the same coins: the errors add up, and the bound knows
    assert doubled.rank_error() >= equal.rank_error() * (1 - 1e-12)


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=60), st.data())
def test_small_columns_are_exact(values, data):
    cut = data.draw(st.integers(0, len(values)))
    sketch = QuantileSketch.of(np.array(values[:cut])).merge(
        QuantileSketch.of(np.array(values[cut:]))
    )
    exact = np.array(values) + 0.0
    assert sketch.is_exact
    assert sketch.rank_error() == 0
    qs = [0, 0.2, 0.5, 0.77, 1]
    expected = np.quantile(np.sort(exact), qs, method="inverted_cdf")
    assert np.array_equal(sketch.quantile(qs), expected)
    assert sketch.cdf(exact[0]) == (exact <= exact[0]).mean()


def test_whole_numbers_and_dates_keep_every_digit():
    big = np.array([2**62 + 1, 2**62 + 2, -(2**62) - 1])
    assert QuantileSketch.of(big).quantile([0, 0.5, 1]).tolist() == sorted(big.tolist())
    unsigned = np.array([2**64 - 1, 1], np.uint64)
    assert QuantileSketch.of(unsigned).high == 2**64 - 1
    days = np.array(["2020-01-03", "NaT", "1900-05-05"], "M8[D]")
    sketch = QuantileSketch.of(days)
    assert sketch.low == days[2]
    assert sketch.high == days[0]
    assert sketch.count == 2
    assert sketch.cdf(np.datetime64("2000-01-01")) == 0.5


def test_histogram_counts_as_numpy_does():
    values = np.random.default_rng(4).integers(-3, 9, 1500)
    sketch = QuantileSketch.of(values)
    for edges in ([-3, 0, 4, 8], [-3.5, 0.5, 8.0], [0, 1, 2, 20]):
        assert np.array_equal(sketch.histogram(edges), np.histogram(values, edges)[0])
    reals = np.random.default_rng(4).normal(size=1000)
    edges = np.quantile(reals, [0, 0.3, 0.6, 1.0])
    assert np.array_equal(QuantileSketch.of(reals).histogram(edges), np.histogram(reals, edges)[0])


def test_bad_questions_are_refused():
    with pytest.raises(InvalidDataError, match="q must be in"):
        QuantileSketch.of([1.0]).quantile(1.5)
    with pytest.raises(InvalidDataError, match="text has no quantiles"):
        QuantileSketch.of(["a"])
    with pytest.raises(ValueError, match=r"\[8, 65536\]"):
        QuantileSketch.of([1.0], k=3)
    with pytest.raises(InvalidDataError, match="one type"):
        QuantileSketch.of([1.0]).merge(QuantileSketch.of([1]))
    broken = QuantileSketch.of(np.arange(5000.0)).to_arrays()
    broken["state"] = broken["state"][:-1]
    with pytest.raises(ValueError, match="not the numbers of"):
        QuantileSketch.from_arrays(broken)
    assert np.isnan(QuantileSketch.of(np.array([np.nan])).quantile(0.5))


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300, 1e-5])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_moments_against_scipy(scale, shift):
    rng = np.random.default_rng(0)
    x = rng.gamma(2.0, size=9001) + shift
    parts = [HigherMoments.of(part * scale) for part in np.array_split(x, 7)]
    found = reduce(lambda a, b: a.merge(b), parts)
    tolerance = 1e-9 if shift else 1e-12
    assert found.mean == pytest.approx(x.mean() * scale, rel=1e-13)
    assert found.deviation == pytest.approx(x.std(ddof=1) * scale, rel=tolerance)
    assert found.skewness == pytest.approx(stats.skew(x), rel=tolerance)
    assert found.kurtosis == pytest.approx(stats.kurtosis(x), rel=tolerance)
    assert (found.low, found.high) == (x.min() * scale, x.max() * scale)


def test_moments_count_what_is_special():
    x = np.array([0.0, -0.0, -1.0, np.nan, np.inf, -np.inf, 3.0])
    found = HigherMoments.of(x)
    assert (found.count, found.missing, found.infinite) == (4, 1, 2)
    assert (found.zeros, found.negatives) == (2, 2)
    assert found.mean == 0.5
    assert (found.low, found.high) == (-1.0, 3.0)
    huge = HigherMoments.of(np.array([-1.2e308, 1.2e308]))
    assert huge.mean == 0.0
    assert huge.deviation == pytest.approx(2**0.5 * 1.2e308)
    assert np.isnan(HigherMoments.of(np.array([np.nan])).mean)
    assert np.isnan(HigherMoments.of([2.0, 2.0]).skewness)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40), st.integers(0, 40))
def test_moments_merge_as_if_never_cut(values, cut):
    x = np.array(values)
    whole = HigherMoments.of(x)
    merged = HigherMoments.of(x[:cut]).merge(HigherMoments.of(x[cut:]))
    assert merged.count == whole.count
    assert merged.mean == pytest.approx(whole.mean, rel=1e-12, abs=1e-9)
    assert merged.deviation == pytest.approx(whole.deviation, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("distinct", [0, 1, 500, 10_000, 10_001, 200_000])
def test_distinct_counts(distinct):
    rng = np.random.default_rng(5)
    values = rng.permutation(np.tile(np.arange(distinct) * 7919, 2))
    for column in (values, values.astype(float), values.astype(str).astype(object)):
        found = DistinctCount.of(column)
        assert found.is_exact == (distinct <= 10_000)
        allowed = distinct * found.relative_error(1 - 1e-4)
        assert abs(found.estimate - distinct) <= allowed
        halves = DistinctCount.of(column[:distinct]).merge(DistinctCount.of(column[distinct:]))
        assert halves.estimate == found.estimate  # the same registers, whatever the order


def test_distinct_errors_are_those_stated():
    """Over many columns the estimates spread as 1.04 / √m says: neither more nor much less."""
    rng = np.random.default_rng(6)
    errors = []
    for _ in range(40):
        values = rng.integers(0, 2**62, 20_000)
        errors.append(DistinctCount.of(values, bits=8, limit=10).estimate / 20_000 - 1)
    assert 0.6 * 0.065 < np.std(errors) < 1.5 * 0.065
    assert abs(np.mean(errors)) < 4 * 0.065 / np.sqrt(40)


def test_minus_zero_is_zero_and_nan_is_none():
    assert DistinctCount.of(np.array([0.0, -0.0, np.nan])).estimate == 1


@pytest.mark.parametrize("make", [lambda v: v, lambda v: v.astype(str).astype(object)])
def test_frequent_values_hold_their_bounds(make):
    rng = np.random.default_rng(7)
    numbers = np.minimum(rng.zipf(1.4, 150_000), 10**6)
    values = make(numbers)
    truth = Counter(values.tolist())
    for limit in (100, 1000):
        parts = [FrequentValues.of(p, limit=limit) for p in np.array_split(values, 3)]
        for found in (
            FrequentValues.of(values, limit=limit),
            reduce(lambda a, b: a.merge(b), parts),
        ):
            assert not found.is_exact
            assert found.total == len(values)
            kept = {each.value: each for each in found.in_order()}
            for value, count in truth.items():
                if value in kept:
                    assert kept[value].count <= count <= kept[value].count + kept[value].error
                else:
                    assert count <= found.error
            assert found.error < len(values) / 100
            top = [each.value for each in found.most_common(5)]
            assert top == [value for value, _ in truth.most_common(5)]


def test_frequent_values_are_exact_while_few():
    values = ["b", "a", None, "", "b", "ü" * 300, "ü" * 300]
    found = FrequentValues.of(values)
    assert found.is_exact
    assert found.error == 0
    assert found.total == 6
    assert [(e.value, e.count) for e in found.in_order()][:3] == [("b", 2), ("a", 1), ("", 1)]
    assert found.in_order()[3].value == "ü" * 128 + "…"
    assert found.in_order()[3].count == 2
    assert [e.value for e in FrequentValues.of([True, False, True]).most_common()] == [True, False]
    empty = FrequentValues.of([""])
    assert [e.value for e in empty.merge(found).in_order(2)] == ["", "b"]
    many = np.arange(10_000)
    assert FrequentValues.of(many).is_exact
    assert not FrequentValues.of(np.arange(10_001)).is_exact


def test_long_texts_that_begin_alike_are_told_apart():
    found = FrequentValues.of(["x" * 300 + "a", "x" * 300 + "b", "x" * 300 + "a"])
    assert [e.count for e in found.most_common()] == [2, 1]


def test_lengths_count_characters():
    found = TextLengths.of(["", "héllo", "日本語テキスト", None])
    assert (found.count, found.empty, found.least_characters, found.most_characters) == (3, 1, 0, 7)
    assert found.bytes == 0 + 6 + 21
    assert found.mean_characters == 4.0
    merged = TextLengths.of([""]).merge(TextLengths.of(["héllo", "日本語テキスト"]))
    assert merged == found
    assert TextLengths.of([None]).merge(found) == found


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(8).normal(size=30_000),
        np.random.default_rng(8).integers(0, 50, 3000),
        np.array([f"text {i % 12_000}" for i in range(30_000)], dtype=object),
        np.array([True, False, True]),
        np.array([], dtype=float),
        np.array(["2020-01-01", "NaT"], "M8[us]"),
    ],
    ids=["reals", "whole", "text", "truth", "nothing", "dates"],
)
def test_summaries_come_back_from_their_arrays(values):
    summary = ColumnSummary.of(values, "a\nname")
    arrays = summary.to_arrays()
    again = ColumnSummary.from_arrays({k: v.copy() for k, v in arrays.items()})
    assert again.name == summary.name
    assert again.type == summary.type
    for key, value in again.to_arrays().items():
        assert np.array_equal(value, arrays[key], equal_nan=value.dtype.kind == "f"), key
    merged = again.merge(summary)
    assert merged.n_rows == 2 * len(values)
    assert merged.distinct.estimate == summary.distinct.estimate
    assert merged.frequent.total == 2 * summary.frequent.total


def test_summaries_of_different_columns_do_not_merge():
    with pytest.raises(InvalidDataError, match="not parts of one column"):
        ColumnSummary.of([1.0], "a").merge(ColumnSummary.of([1.0], "b"))
    with pytest.raises(InvalidDataError, match="one type"):
        ColumnSummary.of([1.0]).merge(ColumnSummary.of(["x"]))
    assert ColumnSummary.of([None, None]).merge(ColumnSummary.of(["x"])).missing == 2


def test_the_same_bits_with_any_number_of_threads():
    values = np.random.default_rng(9).normal(size=50_000)
    seen = []
    for count in (1, 4):
        with parallel.threads(count):
            seen.append(ColumnSummary.of(values).to_arrays())
    assert all(np.array_equal(seen[0][key], seen[1][key]) for key in seen[0])


def test_samples_are_uniform():
    from stylobate.data.arrow import column_batches

    hits = np.zeros(100)
    for seed in range(300):
        (batch,) = column_batches({"x": np.arange(100)})
        hits[RowSample.of(batch, size=10, seed=seed).rows] += 1
    assert hits.sum() == 3000
    assert stats.chisquare(hits).pvalue > 1e-4
    for a, b in pairwise(range(0, 100, 10)):
        assert 150 < hits[a:b].sum() < 450
