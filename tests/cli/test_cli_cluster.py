"""`stylobate cluster`: what it writes and prints, new rows, and refusals in a sentence."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest


def shop(n=90, seed=0):
    """Customers with names, dates, gaps, words and a column that says nothing."""
    draw = np.random.default_rng(seed)
    lines = ["id,age,spent,drink,since,remark,shop"]
    for i in range(n):
        old = i % 2
        age = "" if i == 4 else f"{(62 if old else 24) + 3 * draw.normal():.1f}"
        spent = f"${(900 if old else 120) + 40 * draw.normal():,.2f}"
        drink = "NA" if i == 6 else "milk" if i % 9 == 0 else "coffee" if old else "tea"
        day = f"2024-{1 + 6 * old:02d}-{1 + i % 28:02d}"
        lines.append(f'C{i:05d},{age},"{spent}",{drink},{day},"said {i} things about it {i}",Riga')
    return "\n".join(lines) + "\n"


def labels_of(folder):
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_folder_holds_everything_and_predicts(run, table, tmp_path):
    out = tmp_path / "made"
    source = table(shop())
    result = run("cluster", source, "--k", "2", "--out", out, "--keep", "id,age")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("table.csv: 90 rows, compared by 4 columns")
    told = (
        "2 clusters, as asked for.", "Left out: id (identifier); remark", "shop (constant)",
        "higher age", "drink is", "cells are missing", "stylobate predict",
    )  # fmt: skip
    for words in told:
        assert words in " ".join(result.stdout.split()), words
    assert max(len(line) for line in result.stdout.split("\n\nReport:")[0].splitlines()) <= 100
    assert "clustering" in result.stderr
    rows = labels_of(out)
    assert list(rows[0]) == ["row", "id", "age", "cluster", "certainty"]
    assert [row["row"] for row in rows] == [str(i + 1) for i in range(90)]
    old = {row["cluster"] for row in rows[1::2]}
    young = {row["cluster"] for row in rows[::2]}
    assert len(old) == len(young) == 1
    assert old != young
    assert (out / "report.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    told = json.loads((out / "clusters.json").read_text(encoding="utf-8"))
    assert told["method"] == "kmedoids"
    new = run("predict", out / "model.stylobate", source)
    assert new.exit_code == 0, new.output
    predicted = [line.split(",")[1] for line in new.stdout.splitlines()[1:]]
    assert predicted == [row["cluster"] for row in rows]


def test_numbers_alone_by_kmeans_and_the_number_found(run, tmp_path):
    out = tmp_path / "iris"
    result = run("cluster", "iris", "--drop", "species", "--out", out, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["method"] == "kmeans"
    assert told["n_clusters"] == told["evidence"]["best"]
    assert told["n_clusters"] in (2, 3)  # setosa is apart, the others overlap
    assert told["files"]["labels"] == str(out / "labels.csv")
    assert {row["cluster"] for row in labels_of(out)[:50]} == {labels_of(out)[0]["cluster"]}


def test_penguins_and_titanic_find_groups_that_mean_something(run, tmp_path):
    result = run("cluster", "penguins", "--k", "3", "--out", tmp_path / "p", "--columns",
                 "bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g")  # fmt: skip
    assert result.exit_code == 0, result.output
    from stylobate import read

    species = read("penguins").to_frame("numpy")["species"].astype(str)
    found = np.array([int(row["cluster"]) for row in labels_of(tmp_path / "p")])
    gentoo = found[species == "Gentoo"]
    assert (gentoo == np.bincount(gentoo).argmax()).mean() > 0.95
    result = run("cluster", "titanic", "--k", "2", "--out", tmp_path / "t")
    assert result.exit_code == 0, result.output
    assert "Left out:" in result.stdout
    assert "against" in result.stdout


def test_quiet_says_nothing_parquet_is_written(run, table, tmp_path):
    from stylobate import read

    out = tmp_path / "made"
    result = run("cluster", table(shop()), "--k", "2", "--out", out, "--quiet", "--parquet")
    assert (result.exit_code, result.output) == (0, "")
    written = read(out / "labels.parquet").to_frame("numpy")
    assert written["row"].tolist() == list(range(1, 91))
    assert 0.0 < written["certainty"].max() <= 1.0


def test_all_rows_of_a_sampled_file_get_a_label(run, table, tmp_path):
    out = tmp_path / "made"
    result = run("cluster", table(shop(400)), "--k", "2", "--out", out, "--sample", "60")
    assert result.exit_code == 0, result.output
    assert "60 of 400 rows" in result.stdout
    rows = labels_of(out)
    assert len(rows) == 400
    assert len({row["cluster"] for row in rows[::2]}) == 1


REFUSED = {
    "no such file": (("nowhere.csv",), "There is no file 'nowhere.csv'"),
    "a misspelt data set": (("pengiuns",), "Did you mean 'penguins'?"),
    "a misspelt column": (("iris", "--columns", "sepal_lenth"), "--columns names no column"),
    "a misspelt column to drop": (("iris", "--drop", "specis"), "Did you mean 'species'?"),
    "a number in words": (("iris", "--k", "three"), "--k must be auto or a whole number"),
    "no clusters": (("iris", "--k", "0"), "--k must be 'auto' or a whole number from 1 on"),
    "too many": (("iris", "--k", "5000"), "different rows in the columns used, too few for --k"),
    "a method unknown": (("iris", "--method", "magic"), "--method must be one of auto, kmeans"),
    "a count for HDBSCAN": (("iris", "--k", "3", "--method", "hdbscan"), "leave --k out"),
    "a sample of one": (("iris", "--sample", "1"), "--sample must be"),
    "a kind unknown": (("iris", "--kinds", "species=words"), "must be one of"),
    "a column to keep unknown": (("iris", "--keep", "sepal"), "--keep: "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_sentences_and_leave_nothing(name, run, tmp_path):
    arguments, words = REFUSED[name]
    out = tmp_path / "deep" / "out"
    result = run("cluster", *arguments, "--out", out)
    assert result.exit_code == 2, result.output
    assert words in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.output
    assert "describe_clusters" not in result.output
    assert not (tmp_path / "deep").exists()


FILES = {
    "empty": (b"", "is empty"),
    "a header alone": (b"x,y\n", "has no rows"),
    "two rows": (b"x,y\n1,2\n2,3\n", "clusters need 4 at least"),
    "noise": (
        bytes(np.random.RandomState(0).randint(128, 256, 4000, dtype=np.uint8)),
        "not a text",
    ),
    "constants": (b"x,y\n" + b"1,a\n" * 9, "No column of table.csv tells rows apart"),
    "infinity": (b"x,y\n" + b"1,2\n2,inf\n3,4\n" * 3, "holds an infinite number"),
    "huge numbers": (b"x\n" + b"1e300\n2e299\n4.5\n7.25\n" * 9, "too large to compare"),
    "identifiers": (b"id\n" + b"".join(b"K%05d\n" % i for i in range(60)), "No column"),
}


@pytest.mark.parametrize("name", FILES)
def test_hostile_files(name, run, table, tmp_path):
    content, words = FILES[name]
    result = run("cluster", table(content), "--out", tmp_path / "out")
    assert result.exit_code == 2, result.output
    assert words in " ".join(result.stderr.split())
    assert not (tmp_path / "out").exists()


def test_a_file_where_the_folder_should_be(run, table):
    path = table("x,y\n1,2\n")
    result = run("cluster", "iris", "--out", path)
    assert result.exit_code == 2
    assert "is a file; give a folder" in " ".join(result.stderr.split())


def test_ctrl_c_ends_in_a_sentence(table, tmp_path):
    source = table(shop(4000))
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-m", "stylobate", "cluster", str(source), "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ},
    )  # fmt: skip
    for line in process.stderr:
        if "counting clusters" in line:
            break
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopped by Ctrl-C" in said
    assert "Traceback" not in said
    assert not out.exists()
