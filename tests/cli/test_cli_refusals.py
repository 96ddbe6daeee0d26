"""Wrong arguments and hostile files: one or two sentences, exit status 2, no traceback."""

from __future__ import annotations

import numpy as np
import pytest

ARGUMENTS = [
    (("fit", "pengiuns"), "Did you mean 'penguins'?"),
    (("fit", "no/such/file.csv", "--target", "y"), "There is no file 'no/such/file.csv'"),
    (("fit", "penguins"), "Say which column to predict with --target"),
    (("fit", "penguins", "--target", "bodymass_g"), "Did you mean 'body_mass_g'?"),
    (("fit", "penguins", "--target", "species"), "'species' is not numeric"),
    (("fit", "penguins", "--target", ""), "There is no column ''"),
    (("fit", "penguins", "--target", "year", "--features", "yaer"), "Did you mean 'year'?"),
    (("fit", "penguins", "--target", "year", "--features", "sex"), "'sex' is not numeric"),
    (("fit", "penguins", "--target", "year", "--features", "year"), "'year' is the target"),
    (("fit", "penguins", "--target", "year", "--features", " , "), "names no column"),
    (
        ("fit", "penguins", "--target", "year", "--features", "body_mass_g,body_mass_g"),
        "listed twice",
    ),
    (
        ("fit", "penguins", "--target", "year", "--alpha", "-1"),
        "alpha must be a number in [0, inf)",
    ),
    (("fit", "penguins", "--target", "year", "--alphas", "1,two"), "--alphas must be numbers"),
    (("fit", "penguins", "--target", "year", "--alphas", "1", "--alpha", "1"), "one of the two"),
    (
        ("fit", "penguins", "--target", "year", "--alpha", "1", "--covariance", "HC3"),
        "--covariance HC3 has no use with a penalty",
    ),
    (("fit", "penguins", "--target", "year", "--level", "95"), "strictly between 0 and 1"),
    (("fit", "penguins", "--target", "year", "--covariance", "HC9"), "HC9"),
    (("fit", "penguins", "--target", "year", "--alpha", "much"), "--alpha"),
    (("study",), "study"),
]


def refused(result, words):
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(("arguments", "words"), ARGUMENTS, ids=lambda each: str(each)[:60])
def test_wrong_arguments(run, arguments, words):
    refused(run(*arguments), words)


FILES = [
    (b"", "is empty"),
    (b"x,y\n", "has a header and no rows"),
    (bytes(np.random.RandomState(0).randint(128, 256, 4000, dtype=np.uint8)), "not a text file"),
    (b"PK\x03\x04\x00\x00\x00", "zip archive"),
    (b"x,y\n" + b"1" * (17 << 20), "longer than 16 MiB"),
    (b'x,y\n1,"2\n', "a quote is misplaced"),
    (b"x,y\n1,2\n2,inf\n3,4\n", "'y' is infinite in row 2"),
    (b"x,y\n1,NA\nNA,2\n", "Each of the 2 rows has a missing value"),
    (b"x,y\n1,2\n", "too few for 1 feature"),
    (b"x,y\na,2\nb,3\n", "No column but 'y' holds numbers"),
    (b"x,y\n1,1e300\n2,3e300\n3,1e300\n4,0\n", "too large"),
]


@pytest.mark.parametrize(("content", "words"), FILES, ids=[words for _, words in FILES])
def test_hostile_files(run, table, content, words):
    refused(run("fit", table(content), "--target", "y"), words)


def test_a_directory(run, tmp_path):
    refused(run("fit", tmp_path), "this is a folder")


def test_a_name_no_file_system_takes(run):
    refused(run("fit", "a\0b"), "cannot be read")


def test_a_file_with_a_byte_order_mark_is_fine(run, table):
    path = table(b"\xef\xbb\xbfy,x\n1,2\n2,3\n4,9\n")
    assert run("fit", path, "--target", "y").exit_code == 0


READ = [
    "y,x\n1,2\n2,3\n4,9\n".encode("utf-16"),
    b"y;x\n1;2\n2;3\n4;9\n",
    b"y,x,y\n1,2,3\n2,3,5\n4,9,8\n3,5,5\n",  # the second y is y_2
    b"y,x\n1,2\n2,3\n4,9\n7\n",  # a row too short has a missing value
]


@pytest.mark.parametrize("content", READ)
def test_files_that_are_only_unusual_are_read(run, table, content):
    assert run("fit", table(content), "--target", "y").exit_code == 0


def test_control_characters_do_not_reach_the_terminal(run, table):
    path = table(b"x\x1b[31m,y\n1,2\n2,2\n5,4\n")
    result = run("fit", path, "--target", "y")
    assert result.exit_code == 0
    assert "\x1b" not in result.output


def test_a_table_of_a_database(run, tmp_path):
    import sqlite3

    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE one (x REAL, y REAL)")
        connection.execute("CREATE TABLE two (x REAL)")
        connection.executemany("INSERT INTO one VALUES (?, ?)", [(1, 2), (2, 3), (4, 9)])
    connection.close()
    refused(run("fit", path, "--target", "y"), "There are: one, two")
    assert run("fit", path, "--target", "y", "--table", "one").exit_code == 0
    query = "SELECT x * 2 AS x, y FROM one"
    assert run("fit", path, "--target", "y", "--query", query).exit_code == 0
