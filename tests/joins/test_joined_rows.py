"""Joined rows and their moments, by both plans, are those of nested loops over the tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from nested_loops import nested_loops
from schemas import joined_of, numbers_of, schemas

import stylobate
from stylobate.data import read_table
from stylobate.data.streams import open_rows
from stylobate.exceptions import InvalidDataError
from stylobate.joins.factorised import (
    factorised_classes,
    factorised_moments,
    factorised_residuals,
    factorised_weights,
)
from stylobate.statistics import Moments
from stylobate.statistics.moments.residuals import LinearModel

quiet = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def stream_of(joined, features, target=None, weight=None):
    return open_rows(joined, "test", features=features, target=target, weight=weight).stream


def materialised(tables, edges, names):
    loops = nested_loops(tables, edges)
    return np.array([[row[name] for name in names] for row in loops], dtype=float), len(loops)


def built(tables, edges):
    """The join, unless nothing matches along an edge, which is refused."""
    try:
        joined = joined_of(tables, edges)
        return joined, joined.n_rows
    except InvalidDataError as error:
        assume("finds a match" not in str(error))
        raise


@given(schemas())
@quiet
def test_rows_are_those_of_nested_loops_in_the_order_of_the_facts(schema):
    joined, n_rows = built(*schema)
    names = numbers_of(schema[0])
    names += [f"{name}.matched" for name, _ in schema[0][1:]]
    expected, count = materialised(*schema, names)
    assert n_rows == count
    found = np.concatenate([np.asarray(batch.x) for batch in stream_of(joined, names)])
    np.testing.assert_array_equal(found, expected)


@given(schemas(), st.booleans())
@quiet
def test_factorised_moments_are_those_of_the_rows(schema, weighted):
    tables, edges = schema
    if weighted:
        rng = np.random.default_rng(len(tables))
        n = len(next(iter(tables[0][1].values())))
        tables[0][1]["weight"] = rng.integers(0, 3, n) / 2.0
    joined, count = built(tables, edges)
    names = [name for name in numbers_of(tables) if name != "facts.weight"]
    names += [f"{name}.matched" for name, _ in tables[1:]]
    weight = "facts.weight" if weighted else None
    stream = stream_of(joined, names[1:], names[0], weight)
    rows, _ = materialised(tables, edges, [*names, *([weight] if weighted else [])])
    weights = rows[:, -1] if weighted else None
    assume(not weighted or weights.any())
    table = read_table(rows[:, 1 : len(names)], rows[:, 0], weights, owner="test")
    expected, found = Moments.of(table), factorised_moments(stream, targets=True)
    scale = np.abs(rows[:, [*range(1, len(names)), 0]]).max(axis=0) + 1.0
    assert found.n_rows == expected.n_rows
    assert found.n_targets == 1
    assert found.weight == pytest.approx(expected.weight, rel=1e-13)
    assert found.log_weight == pytest.approx(expected.log_weight, rel=1e-11, abs=1e-11)
    np.testing.assert_allclose(found.mean / scale, expected.mean / scale, rtol=0, atol=1e-13)
    unit = np.outer(scale, scale) * count
    np.testing.assert_allclose(found.scatter / unit, expected.scatter / unit, rtol=0, atol=1e-13)
    model = LinearModel(np.linspace(-1, 1, len(names) - 1)[:, None], np.array([0.5]))
    left, right = model.of(table), factorised_residuals(stream, model)
    size = float(scale @ scale) * count
    np.testing.assert_allclose(right.squares / size, left.squares / size, rtol=0, atol=1e-13)
    np.testing.assert_allclose(right.total / size, left.total / size, rtol=0, atol=1e-13)
    wide = scale[:-1, None] * size
    np.testing.assert_allclose(right.products / wide, left.products / wide, rtol=0, atol=1e-13)


@given(schemas(), st.integers(0, 3), st.booleans())
@quiet
def test_factorised_classes_are_those_of_the_rows(schema, place, weighted):
    """Classes are a column of any table; rows that find no match in it are of none."""
    tables, edges = schema
    place = min(place, len(tables) - 1)
    rng = np.random.default_rng(place)
    names = numbers_of(tables) + [f"{name}.matched" for name, _ in tables[1:]]
    home, table = tables[place]
    codes = rng.integers(0, 3, len(next(iter(table.values()))))
    table["class"] = codes.astype(float)
    if weighted:
        tables[0][1]["weight"] = rng.integers(0, 3, len(tables[0][1]["c0"])) / 2.0
    joined, _ = built(tables, edges)
    stream = stream_of(joined, names, weight="facts.weight" if weighted else None)
    numbered = np.append(codes, -1) if place else codes
    loops = nested_loops(tables, edges)
    rows = np.array([[row[name] for name in names] for row in loops], dtype=float)
    there = np.array([place == 0 or row[f"{home}.matched"] == 1.0 for row in loops])
    own = np.array([row[f"{home}.class"] for row in loops], dtype=float)
    weights = np.array([row["facts.weight"] if weighted else 1.0 for row in loops])
    scale = np.abs(rows).max(axis=0) + 1.0
    unit = np.outer(scale, scale) * len(rows)
    weighed = factorised_weights(stream, place, numbered, 3)
    marks = {
        k: [row[f"{name}.matched"] for row in loops] for k, (name, _) in enumerate(tables) if k
    }
    for code, found in enumerate(factorised_classes(stream, place, numbered, 3)):
        kept = there & (own == code) & (weights > 0)
        assert weighed[code].n_rows == kept.sum()
        assert weighed[code].weight == pytest.approx(weights[kept].sum(), rel=1e-12)
        for k, table_weights in weighed[code].tables.items():
            matched = np.ones(len(loops)) if k == 0 else np.array(marks[k])
            assert table_weights[-1] == pytest.approx(weights[kept & (matched == 0)].sum())
            column = next(name for name in names if name.startswith(f"{tables[k][0]}."))
            own_cells = np.asarray(tables[k][1][column.partition(".")[2]])
            expected = rows[kept & (matched == 1), names.index(column)]
            expected = expected @ weights[kept & (matched == 1)]
            assert table_weights[:-1] @ own_cells == pytest.approx(expected, rel=1e-9, abs=1e-6)
        if not kept.any():
            assert found is None
            continue
        expected = Moments.of(read_table(rows[kept], None, weights[kept], owner="test"))
        assert found.n_rows == expected.n_rows
        assert found.weight == pytest.approx(expected.weight, rel=1e-13)
        np.testing.assert_allclose(found.mean / scale, expected.mean / scale, rtol=0, atol=1e-13)
        np.testing.assert_allclose(
            found.scatter / unit, expected.scatter / unit, rtol=0, atol=1e-13
        )


def test_large_means_cost_factorised_moments_no_digits():
    rng = np.random.default_rng(0)
    facts = {"k": rng.integers(0, 5, 400), "a": 1e8 + rng.normal(size=400)}
    other = {"k": rng.integers(0, 5, 300), "b": -1e8 + rng.normal(size=300)}
    tables = [("facts", facts), ("other", other)]
    edges = [{"on": [("facts.k", "k")], "how": "inner", "fill": None, "many": True}]
    joined = joined_of(tables, edges)
    found = factorised_moments(stream_of(joined, ["a", "b"]), targets=False)
    left = np.repeat(facts["a"], [np.sum(other["k"] == k) for k in facts["k"]])
    right = np.concatenate([other["b"][other["k"] == k] for k in facts["k"]])
    exact = np.cov(np.stack([left - 1e8, right + 1e8]), ddof=0) * len(left)
    np.testing.assert_allclose(found.scatter, exact, rtol=1e-10, atol=1e-6)


@pytest.mark.parametrize(("keys", "size"), [(100, 1), (1000, 2), (40_000, 4)])
def test_keys_of_the_facts_are_held_in_as_few_bytes_as_they_need(keys, size):
    rng = np.random.default_rng(0)
    facts = {"k": rng.integers(0, keys, 200_000), "a": rng.normal(size=200_000)}
    other = {"k": rng.permutation(keys), "b": rng.normal(size=keys)}
    joined = stylobate.join(facts, name="facts").with_(other, on="k", name="other")
    (held,) = joined.prepared._codes_kept
    assert held.nbytes == size * len(facts["k"])
    found = np.concatenate([np.asarray(b.x) for b in stream_of(joined, ["other.b"])])
    at = np.argsort(other["k"])
    np.testing.assert_array_equal(found[:, 0], other["b"][at][facts["k"]])
