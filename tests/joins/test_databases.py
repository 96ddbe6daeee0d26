"""Keys as databases declare them, and as data suggest them."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import duckdb
import numpy as np
import polars
import pytest

import stylobate
from stylobate.decomposition import PCA
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.joins import ForeignKey
from stylobate.linear_model import LinearRegression

sys.path.insert(0, str(Path(__file__).parents[1] / "formula"))

TABLES = [
    "CREATE TABLE regions (id INTEGER PRIMARY KEY, warmth DOUBLE PRECISION)",
    """CREATE TABLE shops (chain INTEGER, number INTEGER, region INTEGER REFERENCES regions (id),
        size DOUBLE PRECISION, PRIMARY KEY (chain, number))""",
    """CREATE TABLE orders (chain INTEGER, shop INTEGER, days DOUBLE PRECISION,
        FOREIGN KEY (chain, shop) REFERENCES shops (chain, number))""",
]
ROWS = [
    "INSERT INTO regions VALUES (1, 10.0), (2, 20.0)",
    "INSERT INTO shops VALUES (1, 1, 1, 5.0), (1, 2, 2, 7.0), (2, 1, 2, 8.0)",
    """INSERT INTO orders VALUES (1, 1, 1.0), (1, 2, 2.5), (2, 1, 3.0), (1, 1, 1.5), (2, 1, 4.0)""",
]


def of_sqlite(folder):
    path = folder / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        for statement in [*TABLES, *ROWS]:
            connection.execute(statement)
    connection.close()
    return path


def of_duckdb(folder):
    path = folder / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in [*TABLES, *ROWS]:
            connection.execute(statement)
    return path


def of_connection(folder):
    connection = duckdb.connect()
    for statement in [*TABLES, *ROWS]:
        connection.execute(statement)
    return connection


def of_postgres(folder):
    from postgres_server import connection

    server = connection()
    server.execute("SET search_path TO public")  # other tests leave another one behind
    server.execute("DROP TABLE IF EXISTS orders; DROP TABLE IF EXISTS shops")
    server.execute("DROP TABLE IF EXISTS regions")
    for statement in [*TABLES, *ROWS]:
        server.execute(statement)
    return f"postgresql://postgres@/postgres?host={server.info.host}"


@pytest.mark.parametrize("made", [of_sqlite, of_duckdb, of_connection, of_postgres])
def test_declared_keys_are_read(made, tmp_path):
    shop = stylobate.database(made(tmp_path))
    found = {(key.table, key.columns): (key.other, key.key) for key in shop.keys}
    assert {k: v for k, v in found.items() if k[0] in ("orders", "shops")} == {
        ("orders", ("chain", "shop")): ("shops", ("chain", "number")),
        ("shops", ("region",)): ("regions", ("id",)),
    }
    assert all(key.declared for key in shop.keys)
    joined = shop.join("orders")
    assert joined.columns == ("orders.days", "shops.size", "regions.warmth")
    model = LinearRegression().fit(joined, target="days", features=["size", "warmth"])
    rows = np.array([[5.0, 10.0], [7.0, 20.0], [8.0, 20.0], [5.0, 10.0], [8.0, 20.0]])
    expected = LinearRegression().fit(rows, [1.0, 2.5, 3.0, 1.5, 4.0])
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-12)
    assert [key.table for key in shop.many("shops")] == ["orders"]


def test_postgres_keys_of_other_schemas_and_names_that_need_quotes():
    from postgres_server import connection

    server = connection()
    server.execute(
        "DROP SCHEMA IF EXISTS side CASCADE; CREATE SCHEMA side; SET search_path TO side"
    )
    server.execute('CREATE TABLE "My Shops" (id int PRIMARY KEY, size real)')
    server.execute('CREATE TABLE sales (shop int REFERENCES "My Shops" (id), days real)')
    keys = stylobate.database(f"postgresql://postgres@/postgres?host={server.info.host}").keys
    found = {key.table: key.other for key in keys if key.declared}
    assert found.get("side.sales") == "side.My Shops"
    server.execute("DROP SCHEMA side CASCADE")


def test_sqlite_keys_that_name_no_column_mean_the_primary_key(tmp_path):
    path = tmp_path / "short.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE a (k INTEGER PRIMARY KEY, v REAL)")
        connection.execute("CREATE TABLE b (a_k INTEGER REFERENCES a, w REAL)")
        connection.execute("INSERT INTO a VALUES (1, 2.0)")
        connection.execute("INSERT INTO b VALUES (1, 3.0)")
        keys = stylobate.database(connection).keys
    connection.close()
    assert [(key.columns, key.other, key.key) for key in keys] == [(("a_k",), "a", ("k",))]


def test_keys_are_proposed_with_their_evidence(tmp_path):
    polars.DataFrame({"customer_id": [3, 1, 3, 9], "product": ["a", "b", "a", None]}).write_csv(
        tmp_path / "orders.csv"
    )
    polars.DataFrame({"id": [1, 2, 3], "age": [1.0, 2.0, 2.0]}).write_parquet(
        tmp_path / "customers.parquet"
    )
    polars.DataFrame({"product": ["a", "b", "c"], "price": [1.0, 2.0, 3.0]}).write_csv(
        tmp_path / "products.csv"
    )
    polars.DataFrame({"product": ["x", "y"], "age": [1.0, 7.0]}).write_csv(tmp_path / "others.csv")
    shop = stylobate.database(tmp_path)
    assert sorted(map(str, shop.keys)) == [
        "orders.customer_id → customers.id (2 of 3 distinct values are among 3 keys, none twice)",
        "orders.product → products.product (2 of 2 distinct values are among 3 keys, none twice)",
    ]
    assert not any(key.declared for key in shop.keys)
    assert stylobate.database(tmp_path, propose=False).keys == ()
    assert shop.join("orders", without=["products"]).schema.names == ("orders", "customers")


def test_two_columns_that_point_at_one_table_join_it_twice():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE airports (code VARCHAR PRIMARY KEY, height DOUBLE)")
    connection.execute(
        """CREATE TABLE flights (origin VARCHAR REFERENCES airports (code),
        goal VARCHAR REFERENCES airports (code), minutes DOUBLE)"""
    )
    connection.execute("INSERT INTO airports VALUES ('a', 1), ('b', 2)")
    connection.execute("INSERT INTO flights VALUES ('a', 'b', 9), ('b', 'a', 8), ('a', 'a', 1)")
    joined = stylobate.database(connection).join("flights")
    assert joined.columns == (
        "flights.minutes", "airports_by_goal.height", "airports_by_origin.height",
    )  # fmt: skip


def test_a_table_that_points_at_itself_is_joined_once():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE staff (id INT PRIMARY KEY, boss INT, pay DOUBLE)")
    connection.execute("INSERT INTO staff VALUES (1, NULL, 5), (2, 1, 3), (3, 1, 4)")
    staff = stylobate.database(connection).tables["staff"]
    joined = stylobate.join(staff, name="staff").with_(staff, on={"boss": "id"}, name="bosses")
    found = LinearRegression().fit(joined.with_(staff, on="id", name="again"), target="staff.pay",
                                   features=["again.pay"])  # fmt: skip
    assert found.coef_[0] == pytest.approx(1.0)
    assert joined.counts[0].matched == 2


def test_what_is_no_database_is_refused(tmp_path):
    with pytest.raises(InvalidDataError, match="there is no file"):
        stylobate.database(tmp_path / "nothing.duckdb")
    with pytest.raises(InvalidDataError, match="holds no CSV or Parquet file"):
        stylobate.database(tmp_path)
    with pytest.raises(UnsupportedDataError, match="is no database"):
        stylobate.database(3)
    memory = sqlite3.connect(":memory:")
    with pytest.raises(UnsupportedDataError, match="is in memory"):
        stylobate.database(memory)
    memory.close()
    shop = stylobate.database(of_duckdb(tmp_path))
    with pytest.raises(InvalidDataError, match=r"no table 'sales' in .*; there are orders"):
        shop.join("sales")


def test_keys_of_several_columns_and_of_other_names_are_proposed(tmp_path):
    hours = np.arange(6)
    polars.DataFrame(
        {"place": ["EWR", "JFK", "LGA", "EWR"], "goal": ["BOS", "ORD", "EWR", "BOS"],
         "hour": [0, 1, 1, 9], "late": [1.0, 2.0, 3.0, 4.0]}
    ).write_csv(tmp_path / "flights.csv")  # fmt: skip
    polars.DataFrame(
        {"place": np.repeat(["EWR", "JFK", "LGA"], 6), "hour": np.tile(hours, 3),
         "wind": np.arange(18.0)}
    ).write_csv(tmp_path / "weather.csv")  # fmt: skip
    polars.DataFrame(
        {"code": ["EWR", "JFK", "LGA", "BOS", "ORD"], "height": [1.0, 2.0, 3.0, 4.0, 5.0]}
    ).write_csv(tmp_path / "airports.csv")
    shop = stylobate.database(tmp_path)
    assert sorted(str(key).partition(" (")[0] for key in shop.keys) == [
        "flights.goal → airports.code",
        "flights.place → airports.code",
        "flights.place, flights.hour → weather.place, weather.hour",
        "weather.place → airports.code",
    ]
    joined = shop.join("flights")  # the weather's place is the flight's: its airport is there
    assert joined.schema.names == ("flights", "airports_by_place", "airports_by_goal", "weather")
    assert joined.counts[2].matched == 3


def test_columns_are_found_by_their_names(tmp_path):
    shop = stylobate.database(of_duckdb(tmp_path))
    assert shop.find("orders.days") == shop.find("days") == ("orders", "days")
    with pytest.raises(InvalidDataError, match=r"2 tables .*'chain'.*'orders.chain', 'shops.ch"):
        shop.find("chain")
    with pytest.raises(InvalidDataError, match=r"orders has no column 'day'.*mean 'orders.days'"):
        shop.find("orders.day")
    with pytest.raises(InvalidDataError, match=r"write table.column.* mean 'orders.days'"):
        shop.find("order.days")


def test_a_database_is_learnt_from_by_the_table_of_the_target(tmp_path):
    shop = stylobate.database(of_sqlite(tmp_path))
    found = LinearRegression().fit(shop, target="orders.days", features=["size", "warmth"])
    expected = LinearRegression().fit(
        shop.join("orders"), target="days", features=["size", "warmth"]
    )
    np.testing.assert_array_equal(found.coef_, expected.coef_)
    assert found.predict({"chain": [1], "shop": [2]}).shape == (1,)
    with pytest.raises(InvalidDataError, match=r"of which table are the rows\?.*target='table.col"):
        PCA(1).fit(shop)
    assert shop["orders"] is shop.tables["orders"]
    with pytest.raises(InvalidDataError, match=r"no table 'Orders'.*Did you mean 'orders'"):
        shop["Orders"]


def test_tables_that_point_at_each_other_are_joined_once():
    shops = {"id": [1, 2], "head": [7, 8], "size": [3.0, 4.0]}
    staff = {"id": [7, 8, 9], "shop": [1, 2, 2], "pay": [5.0, 6.0, 4.0]}
    keys = [
        ForeignKey("shops", ("head",), "staff", ("id",), True, "declared"),
        ForeignKey("staff", ("shop",), "shops", ("id",), True, "declared"),
    ]
    found = stylobate.joins.Database("by hand", {"shops": shops, "staff": staff}, keys)
    joined = found.join("staff")  # a shop's head is not joined again: that would go on for ever
    assert joined.schema.names == ("staff", "shops")
    assert joined.head()["shops.size"].tolist() == [3.0, 4.0, 4.0]


def test_one_file_is_no_database(tmp_path):
    polars.DataFrame({"id": [1, 2]}).write_csv(tmp_path / "one.csv")
    with pytest.raises(InvalidDataError, match=r"one.csv' is one table; pass the folder it is in"):
        stylobate.database(tmp_path / "one.csv")
