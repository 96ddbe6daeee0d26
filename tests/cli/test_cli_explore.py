"""`stylobate explore`: text, JSON, a page, one column, and refusals in a sentence."""

from __future__ import annotations

import json
import sqlite3

import pytest

PEOPLE = "name,age,city\n" + "".join(
    f"n{i},{20 + i % 40},{'Riga' if i % 3 else 'Oslo'}\n" for i in range(60)
)


def test_text_tells_of_every_column_and_fits(run, table):
    result = run("explore", table(PEOPLE))
    assert result.exit_code == 0
    assert result.stdout.startswith("table.csv: 60 rows × 3 columns")
    for word in ("name", "age", "city", "identifier", "What to mind"):
        assert word in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_json_is_the_profile(run, table):
    told = json.loads(run("explore", table(PEOPLE), "--json", "--target", "city").stdout)
    assert told["rows"] == 60
    assert told["target"]["name"] == "city"
    assert [each["name"] for each in told["variables"]] == ["name", "age", "city"]


def test_shipped_data_and_one_column(run):
    text = run("explore", "penguins", "--column", "bill_length_mm").stdout
    assert text.startswith("bill_length_mm: numeric")
    assert "box plot" in text
    told = json.loads(run("explore", "penguins", "--column", "sex", "--json").stdout)
    assert told["missing"] == 11


def test_kinds_and_sample(run, table):
    path = table(PEOPLE)
    told = json.loads(run("explore", path, "--kinds", "age=nominal", "--json").stdout)
    assert told["variables"][1]["kind"] == "nominal"
    told = json.loads(run("explore", path, "--sample", "20", "--json").stdout)
    assert told["sampled_rows"] == 20


def test_a_page_is_written(run, table, tmp_path):
    page = tmp_path / "out.html"
    assert run("explore", table(PEOPLE), "--html", page).exit_code == 0
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def test_tables_and_queries_of_a_database(run, tmp_path):
    path = tmp_path / "people.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (age INTEGER)")
        connection.executemany("INSERT INTO people VALUES (?)", [(i,) for i in range(30)])
        connection.execute("CREATE TABLE places (x REAL)")
    connection.close()
    told = json.loads(run("explore", path, "--table", "people", "--json").stdout)
    assert told["rows"] == 30
    query = "SELECT age FROM people WHERE age < 10"
    assert json.loads(run("explore", path, "--query", query, "--json").stdout)["rows"] == 10


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.csv",), "There is no file 'nowhere.csv'"),
        (("pengiuns",), "Did you mean 'penguins'?"),
        (("penguins", "--target", "spices"), "Did you mean 'species'?"),
        (("penguins", "--column", "sexx"), "Did you mean 'sex'?"),
        (("penguins", "--kinds", "sex"), "--kinds must be names and kinds"),
        (("penguins", "--kinds", "sex=words"), "must be one of"),
        (("penguins", "--sample", "0"), "sample=0"),
        (("penguins", "--html", "/no/such/folder/x.html"), "cannot be written"),
    ],
)
def test_refusals_are_sentences(run, arguments, words):
    result = run("explore", *arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
