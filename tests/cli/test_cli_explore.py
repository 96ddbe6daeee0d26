"""`stylobate explore`: text, JSON, a page, one column, and refusals in a sentence."""

from __future__ import annotations

import json
import sqlite3

import pytest

from stylobate.exceptions import InvalidDataError

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


def test_kinds_that_do_not_fit_and_advice_in_options(run, table):
    path = table(PEOPLE)
    refused = run("explore", path, "--kinds", "name=numeric")
    assert refused.exit_code == 2
    assert "'name' cannot be numeric" in " ".join(refused.stderr.split())
    refused = run("explore", path, "--target", "name")
    assert "--kinds name=nominal" in " ".join(refused.stderr.split())
    assert "schema=" not in refused.stderr
    codes = "zip,x\n" + "".join(f"{10000 + 37 * i % 9000},{i % 5}\n" for i in range(200))
    shown = " ".join(
        run("explore", table(codes, "codes.csv"), "--kinds", "zip=numeric").stdout.split()
    )
    assert "--kinds zip=nominal" in shown
    assert "schema=" not in shown


class Interrupted:
    """A producer of rows that was interrupted while it read, as DuckDB says so."""

    def __arrow_c_stream__(self, requested_schema=None):
        raise RuntimeError("Invalid Input Error: Query interrupted")


def test_an_interrupt_that_the_producer_noticed_is_an_interrupt():
    from stylobate.data.arrow import column_batches

    with pytest.raises(KeyboardInterrupt):
        list(column_batches(Interrupted()))


@pytest.mark.parametrize(
    "error",
    [
        InvalidDataError("read: x.csv: it cannot be read: INTERRUPT Error: Interrupted!"),
        RuntimeError("Query interrupted"),
    ],
)
def test_interrupted_commands_end_with_130(monkeypatch, error):
    from stylobate.cli import exploring, main

    def opened(*_):
        raise error

    monkeypatch.setattr(exploring, "open_source", opened)
    with pytest.raises(SystemExit) as ended:
        main(["explore", "x.csv"])
    assert ended.value.code == 130
