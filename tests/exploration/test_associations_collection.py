"""The collection of all associations: matrices, order, words, frames."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from stylobate.data.kinds import infer_schema
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration import associations


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    n = 300
    a, b = rng.normal(size=n), rng.normal(size=n)
    return pd.DataFrame(
        {
            "a": a,
            "b": b,
            "near_a": a + 0.1 * rng.normal(size=n),
            "near_b": b + 0.1 * rng.normal(size=n),
            "curve": a**2 + 0.1 * rng.normal(size=n),
            "group": np.where(a + 0.5 * rng.normal(size=n) > 0, "up", "down"),
            "key": [f"k{i}" for i in range(n)],
            "one": 1,
        }
    )


def test_strongest_of_and_matrix(frame):
    found = associations(frame)
    best = found.strongest(2)
    assert {frozenset((e.a, e.b)) for e in best} == {
        frozenset(("a", "near_a")),
        frozenset(("b", "near_b")),
    }
    assert found.left_out == {"key": "identifier", "one": "constant"}
    assert [e.other("a") for e in found.of("a")][:2] == ["near_a", "group"]
    matrix = found.matrix("spearman")
    place = {name: j for j, name in enumerate(found.names)}
    expected = frame[["a", "b"]].corr(method="spearman").iloc[0, 1]
    assert matrix[place["a"], place["b"]] == pytest.approx(expected)
    assert np.isnan(matrix[place["a"], place["group"]])
    whole = found.matrix()
    assert (whole == whole.T).all()
    assert (np.diag(whole) == 1).all()
    pairs = len(found.names) * (len(found.names) - 1) // 2
    assert len(found.strongest(None)) == len(found.strongest(None, "mutual_information")) == pairs


def test_columns_that_go_together_stand_together(frame):
    order = associations(frame).order()
    assert sorted(order) == sorted(associations(frame).names)
    assert abs(order.index("a") - order.index("near_a")) == 1
    assert abs(order.index("b") - order.index("near_b")) == 1


def test_a_map_of_the_numeric_columns(frame):
    drawn = associations(frame).correlation_map("spearman")
    expected = frame[list(drawn.names)].corr(method="spearman")
    assert drawn.values == pytest.approx(expected.to_numpy())
    assert set(drawn.names) == {"a", "b", "near_a", "near_b", "curve"}
    with pytest.raises(InvalidParameterError, match="for a map"):
        associations(frame).correlation_map("cramers_v")


def test_a_curve_is_hidden_from_correlation_and_found_by_information(frame):
    found = associations(frame)
    assert {frozenset((e.a, e.b)) for e in found.hidden(None)} == {
        frozenset(("a", "curve")),
        frozenset(("near_a", "curve")),
    }
    assert ".hidden()" in repr(found)


def test_plain_values_and_words(frame):
    found = associations(frame)
    entries = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    keys = {"a", "b", "measure", "value", "low", "high", "p_value", "n", "exact", "q_value"}
    assert keys <= set(entries[0])
    assert len(found) == len(entries) == len(list(found))
    assert "near_a" in repr(found)
    assert all(each.q_value >= each.p_value for each in found if each.p_value is not None)


def test_polars_and_pandas_agree(frame):
    assert repr(associations(pl.from_pandas(frame))) == repr(associations(frame))


def test_a_long_table_is_sampled_but_pearson_is_exact(frame):
    found = associations(frame, max_rows=100)
    for each in found:
        assert each.exact == (each.measure == "pearson")
        assert each.n == (300 if each.exact else 100)
    r = next(e for e in found if e.measure == "pearson" and {e.a, e.b} == {"a", "b"})
    assert r.value == pytest.approx(frame.a.corr(frame.b))


def test_kinds_may_be_given_and_errors_name_the_column(frame):
    schema = infer_schema(frame).with_kinds({"curve": "identifier"})
    found = associations(frame, schema)
    assert "curve" not in found.names
    with pytest.raises(InvalidParameterError, match="identifier: left out"):
        found.of("curve")
    with pytest.raises(InvalidParameterError, match="measure must be one of"):
        found.strongest(3, "kendall")
    with pytest.raises(InvalidDataError, match="does not have"):
        associations(frame.drop(columns="a"), schema)
    with pytest.raises(InvalidParameterError, match="level"):
        associations(frame, level=95)


def test_text_numbers_dates_steps_and_gaps_are_read_by_kind():
    n = 40
    days = pd.date_range("2024-01-01", periods=n)
    rows = pd.DataFrame(
        {
            "money": [f"${1000 + i:,}" for i in range(n - 1)] + ["n/a"],
            "written": days.strftime("%d.%m.%Y"),
            "day": days,
            "size": ["small", "medium", "large", "?"] * 10,
        }
    )
    found = associations(rows)
    values = {frozenset((e.a, e.b)): e for e in found if e.measure == "spearman"}
    assert values[frozenset(("money", "written"))].value == pytest.approx(1)
    assert values[frozenset(("day", "written"))].n == n
    assert values[frozenset(("money", "day"))].n == n - 1
    assert values[frozenset(("size", "day"))].n == 30


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_tiny_tables(rows):
    table = pd.DataFrame({"a": np.arange(rows, dtype=float), "b": ["x", "y"][:rows]})
    assert repr(associations(table))
