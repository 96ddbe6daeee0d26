"""`stylobate study` and `predict` with the tables of a database or of a folder."""

from __future__ import annotations

import json

import duckdb
import numpy as np
import pytest

QUICK = ("--models", "ridge", "--time", "5", "--cv", "3", "--split", "random")
STATEMENTS = (
    "SELECT setseed(0.5)",
    """CREATE TABLE customers AS SELECT i AS id, 30 + 20 * random() AS age FROM range(60) t(i)""",
    """CREATE TABLE orders AS SELECT i AS number, (i * 7) % 60 AS customer_id,
        round(10 * random(), 2) AS price FROM range(240) t(i)""",
    """ALTER TABLE orders ADD COLUMN days DOUBLE""",
    """UPDATE orders SET days = price + (SELECT age FROM customers c WHERE c.id = customer_id)
        + random()""",
)


@pytest.fixture
def shop(tmp_path):
    """A DuckDB file without declared keys."""
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in STATEMENTS:
            connection.execute(statement)
    return path


def test_a_database_is_studied_and_its_facts_predicted(run, shop, tmp_path):
    out = tmp_path / "made"
    result = run("study", shop, "--target", "orders.days", "--out", out, *QUICK)
    assert result.exit_code == 0, result.output
    text = " ".join(result.stdout.split())
    assert "Tables: rows of orders; looked up: customers." in text
    assert "Tables that earned their place: customers" in text
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "What each table is worth" in page
    told = json.loads((out / "study.json").read_text(encoding="utf-8"))
    assert told["relations"]["worth"][0]["tables"] == ["customers"]
    assert "--target orders.days" in told["reproduction"]["command"]
    rows = tmp_path / "new.csv"
    rows.write_text("customer_id,price\n3,1.5\n7,8.0\n", encoding="utf-8")
    answers = run("predict", out / "model.stylobate", rows)
    assert answers.exit_code == 0, answers.output
    found = [float(line.split(",")[1]) for line in answers.stdout.splitlines()[1:]]
    with duckdb.connect(str(shop), read_only=True) as connection:
        ages = connection.execute("SELECT age FROM customers WHERE id IN (3, 7) ORDER BY id")
        expected = [age + price for (age,), price in zip(ages.fetchall(), (1.5, 8.0), strict=True)]
    np.testing.assert_allclose(found, expected, atol=1.5)


def test_one_table_of_a_database_and_a_folder_of_tables(run, shop, tmp_path):
    out = tmp_path / "one"
    alone = run("study", shop, "--table", "orders", "--target", "days", "--out", out, *QUICK)
    assert alone.exit_code == 0, alone.output
    assert "Tables:" not in alone.stdout
    folder = tmp_path / "shop"
    folder.mkdir()
    with duckdb.connect(str(shop), read_only=True) as connection:
        for name in ("orders", "customers"):
            connection.execute(f"COPY {name} TO '{folder}/{name}.csv'")
    several = run(
        "study", folder, "--target", "orders.days", "--drop", "customers.*",
        "--out", tmp_path / "several", *QUICK,
    )  # fmt: skip
    assert several.exit_code == 0, several.output
    assert "left out: customers" in " ".join(several.stdout.split())


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ((), ("Say which column", "--target table.column", "customers, orders")),
        (("--target", "orders.dais"), ("orders has no column 'dais'", "'orders.days'")),
        (("--target", "sales.days"), ("write table.column", "customers, orders")),
        (("--target", "orders.days", "--drop", "shops.*"), ("there is no table 'shops'",)),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(run, shop, tmp_path, target, words):
    result = run("study", shop, *target, "--out", tmp_path / "made", *QUICK)
    assert result.exit_code == 2, result.output
    text = " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    for each in words:
        assert each in text, text
    assert not (tmp_path / "made").exists()
