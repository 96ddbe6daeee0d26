"""Predictions for new facts look the rest up in the tables of the fit, or in newer ones."""

from __future__ import annotations

import sqlite3
import warnings

import duckdb
import numpy as np
import pandas
import polars
import pytest

import stylobate
from stylobate.ensemble import HistGradientBoostingRegressor
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    JoinWarning,
    UnsupportedDataError,
)
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import StandardScaler

RNG = np.random.default_rng(2)
CUSTOMERS = {
    "customer": np.arange(20),
    "region": RNG.integers(0, 4, 20),
    "age": RNG.normal(size=20),
}
REGIONS = {"region": np.arange(4), "warmth": RNG.normal(size=4)}
ORDERS = {"customer": RNG.integers(0, 20, 300), "price": RNG.normal(size=300)}
ORDERS["days"] = ORDERS["price"] + CUSTOMERS["age"][ORDERS["customer"]] + RNG.normal(size=300)
ROWS = np.column_stack(
    [
        ORDERS["price"],
        CUSTOMERS["age"][ORDERS["customer"]],
        REGIONS["warmth"][CUSTOMERS["region"][ORDERS["customer"]]],
    ]
)
NEW = {"customer": np.array([3, 19, 3]), "price": np.array([0.5, 1.0, -1.0])}
NEW_ROWS = np.column_stack(
    [
        NEW["price"],
        CUSTOMERS["age"][NEW["customer"]],
        REGIONS["warmth"][CUSTOMERS["region"][NEW["customer"]]],
    ]
)


def joined():
    return (
        stylobate.join(ORDERS, name="orders")
        .with_(CUSTOMERS, on="customer", name="customers")
        .with_(REGIONS, on="region", name="regions")
    )


@pytest.mark.parametrize("container", [dict, pandas.DataFrame, polars.DataFrame, polars.LazyFrame])
@pytest.mark.parametrize(
    "model",
    [Ridge(), HistGradientBoostingRegressor(max_iter=5), make_pipeline(StandardScaler(), Ridge())],
    ids=["Ridge", "boosting", "pipeline"],
)
def test_new_facts_are_looked_up(model, container, tmp_path):
    fitted = model.fit(joined(), target="days")
    expected = model.predict(polars.DataFrame(NEW_ROWS, schema=list(fitted.feature_names_in_)))
    shuffled = container({name: NEW[name] for name in ("price", "customer")})
    np.testing.assert_array_equal(fitted.predict(shuffled), expected)
    path = tmp_path / "model.stylobate"
    stylobate.save(fitted, path)
    stored = stylobate.load(path)
    np.testing.assert_array_equal(stored.predict(shuffled), expected)
    assert stored.join_.schema == fitted.join_.schema
    assert stored.join_plan_ == fitted.join_plan_


def test_files_and_scores_and_probabilities(tmp_path):
    path = tmp_path / "orders.parquet"
    polars.DataFrame(ORDERS).write_parquet(path)
    model = LinearRegression().fit(joined(), target="days")
    memory = LinearRegression().fit(ROWS, ORDERS["days"])
    assert model.score(path, target="days") == pytest.approx(memory.score(ROWS, ORDERS["days"]))
    np.testing.assert_allclose(model.predict(stylobate.read(path)), memory.predict(ROWS))
    labels = stylobate.join({**ORDERS, "late": ORDERS["days"] > 0}, name="orders").with_(
        CUSTOMERS, on="customer", name="customers"
    )
    classifier = LogisticRegression().fit(labels, target="late", features=["price", "age"])
    assert classifier.predict_proba(NEW).shape == (3, 2)


def test_only_the_tables_that_features_need_are_kept():
    model = Ridge().fit(joined(), target="days", features=["price", "age"])
    assert list(model.join_.tables) == ["customers"]
    assert list(model.join_.tables["customers"]) == ["customer", "age"]
    assert Ridge().fit(joined(), target="days", features=["price"]).join_.tables == {}


def test_a_column_two_edges_away_needs_the_tables_between():
    model = Ridge().fit(joined(), target="days", features=["warmth"])
    assert list(model.join_.tables) == ["customers", "regions"]
    expected = Ridge().fit(ROWS[:, 2:], ORDERS["days"]).predict(NEW_ROWS[:, 2:])
    np.testing.assert_array_equal(model.predict({"customer": NEW["customer"]}), expected)


def test_new_keys_are_counted_and_said():
    fills = stylobate.join(ORDERS, name="orders").with_(
        CUSTOMERS, on="customer", fill=0.0, name="customers"
    )
    model = Ridge().fit(fills, target="days", features=["price", "age"])
    rows = {"customer": [3, 99, 98], "price": [0.0, 0.0, 0.0]}
    with pytest.warns(JoinWarning, match="2 of 3 rows find no match in customers"):
        answers = model.predict(rows)
    assert answers[1] == answers[2] == pytest.approx(model.intercept_)
    newer = {"customer": [99, 98, 3], "age": [1.0, 1.0, 0.0]}
    model.join_ = model.join_.with_tables(customers=newer)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict(rows)[1] == pytest.approx(model.intercept_ + model.coef_[1])


def test_facts_that_lack_a_column_and_tables_that_are_not_known():
    model = Ridge().fit(joined(), target="days", features=["price", "age"])
    with pytest.raises(InvalidDataError, match="orders lack the column 'customer'"):
        model.predict({"price": [1.0], "age": [3.0]})
    with pytest.raises(InvalidParameterError, match="nothing up in 'shops'; it does in customers"):
        model.join_.with_tables(shops={})
    with pytest.raises(InvalidDataError, match="new customers lacks the column 'age'"):
        model.join_.with_tables(customers={"customer": [1]})


def test_rows_in_memory_leave_no_join_behind():
    model = Ridge().fit(joined(), target="days", features=["price", "age"])
    model.fit(ROWS, ORDERS["days"])
    assert not hasattr(model, "join_")
    assert not hasattr(model, "join_plan_")
    assert model.predict(NEW_ROWS).shape == (3,)


def test_further_features_after_a_fit_read_no_row(monkeypatch):
    rows = joined()
    Ridge().fit(rows, target="days", features=["price", "age", "warmth"])
    passes = []
    whole = type(rows._tables[0]).batches

    def counted(self, names):
        for batch in whole(self, names):
            passes.append(len(batch))
            yield batch

    monkeypatch.setattr(type(rows._tables[0]), "batches", counted)
    model = Ridge().fit(rows, target="days", features=["warmth", "price"])
    expected = Ridge().fit(ROWS[:, [2, 0]], ORDERS["days"])
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-12)
    assert sum(passes) <= 2 * 300 + 24  # the first window, and the tables that the model keeps
    swapped = Ridge().fit(rows, target="age", features=["days", "price"])
    expected = Ridge().fit(np.column_stack([ORDERS["days"], ROWS[:, 0]]), ROWS[:, 1])
    np.testing.assert_allclose(swapped.coef_, expected.coef_, rtol=1e-12)


def test_what_was_fitted_before_does_not_change_types():
    rows = joined()
    Ridge().fit(rows, target="days", features=["regions.warmth", "customers.region", "price"])
    model = LogisticRegression().fit(rows, target="customers.region", features=["price", "age"])
    assert model.classes_.dtype.kind == "i"


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_sql_joins_the_tables(dialect):
    some = {name: cells[:15] for name, cells in CUSTOMERS.items()}
    rows = stylobate.join(ORDERS, name="orders").with_(
        some, on="customer", fill=-2.0, name="customers"
    )
    model = Ridge().fit(
        rows.with_(REGIONS, on="region", fill=0.5, name="regions"), target="days",
        features=["price", "age", "warmth", "customers.matched"],
    )  # fmt: skip
    facts = {**ORDERS, "number": np.arange(300)}
    sql = model.to_sql(dialect, "new_orders", keep="number")
    tables = {"new_orders": facts, "customers": some, "regions": REGIONS}
    if dialect == "duckdb":
        connection = duckdb.connect()
        for name, table in tables.items():
            connection.register(name, pandas.DataFrame(table))
        answers = connection.execute(sql).fetchall()
    else:
        connection = sqlite3.connect(":memory:")
        for name, table in tables.items():
            pandas.DataFrame(table).to_sql(name, connection, index=False)
        answers = connection.execute(sql).fetchall()
    connection.close()
    answers = np.array(sorted(answers))[:, 1]
    np.testing.assert_allclose(answers, model.predict(facts), rtol=1e-10)


def aggregated_tables(dated):
    rng = np.random.default_rng(6)
    orders = {"k": rng.integers(0, 12, 60), "t": rng.integers(0, 400, 60)}
    lines = {"k": rng.integers(0, 10, 200), "t": rng.integers(0, 400, 200)}
    for table in (orders, lines):  # in text, as SQLite has dates
        if dated:
            days = np.datetime64("2024-01-01T06:30") + table["t"].astype("m8[h]")
            table["t"] = np.char.replace(days.astype("U16"), "T", " ").astype(object)
    lines["v"] = np.where(rng.random(200) < 0.1, np.nan, rng.normal(size=200))
    lines["kind"] = rng.choice(["gift", "it's", "other"], 200).astype(object)
    orders["y"] = rng.normal(size=60)
    return orders, lines


def answers_of(dialect, sql, tables):
    if dialect == "postgres":
        from postgres_server import connection as started

        connection = started()
        connection.execute("SET search_path TO public")
        for name, table in tables.items():
            connection.execute(f"DROP TABLE IF EXISTS {name}")
            cells = [column.tolist() for column in table.values()]
            words = {"i": "bigint", "f": "float8", "O": "text"}
            types = [words[column.dtype.kind] for column in table.values()]
            shown = ", ".join(f"{n} {t}" for n, t in zip(table, types, strict=True))
            connection.execute(f"CREATE TABLE {name} ({shown})")
            with connection.cursor().copy(f"COPY {name} FROM STDIN") as copy:
                for row in zip(*cells, strict=True):
                    copy.write_row([None if cell != cell else cell for cell in row])
        return np.array(sorted(connection.execute(sql).fetchall()))[:, 1]
    if dialect == "duckdb":
        connection = duckdb.connect()
        for name, table in tables.items():
            connection.register(name, pandas.DataFrame(table))
    else:
        connection = sqlite3.connect(":memory:")
        for name, table in tables.items():
            pandas.DataFrame(table).to_sql(name, connection, index=False)
    try:
        return np.array(sorted(connection.execute(sql).fetchall()))[:, 1]
    finally:
        connection.close()


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgres"])
@pytest.mark.parametrize("before", ["t", False])
@pytest.mark.parametrize("dated", [True, False])
def test_sql_makes_the_aggregates(dialect, before, dated):
    orders, lines = aggregated_tables(dated)
    made = ["count", "sum", "mean", "min", "max", "share", "time since last"]
    windows = {"within": ["30h" if dated else "30"]} if before else {}
    rows = stylobate.join(orders, name="orders").aggregate(
        lines,
        by="k",
        before=before,
        columns=["v", "kind"],
        statistics=made if before else made[:-1],
        fill=-1.5,
        name="lines",
        **windows,
    )
    names = [name for name in rows.columns if name.startswith("lines.")]
    assert len(names) >= 8
    model = Ridge().fit(rows, target="orders.y", features=names)
    facts = {**orders, "number": np.arange(60)}
    sql = model.to_sql(dialect, "new_orders", keep="number")
    found = answers_of(dialect, sql, {"new_orders": facts, "lines": lines})
    np.testing.assert_allclose(found, model.predict(facts), rtol=1e-9)


def test_aggregates_that_sql_does_not_tell():
    orders, lines = aggregated_tables(True)
    rows = stylobate.join(orders, name="orders").aggregate(
        lines, by="k", before="t", statistics=["count", "last"], fill=0.0, name="lines"
    )
    model = Ridge().fit(rows, target="orders.y", features=["lines.last of v"])
    with pytest.raises(UnsupportedDataError, match=r"lines\.last of v is not written as SQL"):
        model.to_sql()
    model = Ridge().fit(rows, target="orders.y", features=["lines.count"])
    with pytest.raises(UnsupportedDataError, match="for duckdb, postgres and sqlite, not for ansi"):
        model.to_sql("ansi")
