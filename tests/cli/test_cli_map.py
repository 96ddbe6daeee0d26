"""`stylobate map`: what it writes and prints, and refusals in a sentence."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest


def shop(n=60, seed=0):
    """Customers with names, dates, gaps, words and a column that says nothing."""
    draw = np.random.default_rng(seed)
    lines = ["id,age,spent,drink,since,shop"]
    for i in range(n):
        old = i % 2
        age = "" if i == 4 else f"{(62 if old else 24) + 3 * draw.normal():.1f}"
        spent = f"${(900 if old else 120) + 40 * draw.normal():,.2f}"
        drink = "NA" if i == 6 else "milk" if i % 9 == 0 else "coffee" if old else "tea"
        lines.append(f'C{i:05d},{age},"{spent}",{drink},2024-{1 + 6 * old:02d}-{1 + i % 28:02d},A')
    return "\n".join(lines) + "\n"


def test_the_folder_holds_page_and_coordinates(run, table, tmp_path):
    out = tmp_path / "made"
    result = run("map", table(shop()), "--target", "drink", "--method", "pca", "--out", out)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("table.csv: 60 rows, compared by 3 columns")
    said = " ".join(result.stdout.split())
    for words in (
        "Left out: id (identifier)", "shop (constant)", "drink (the target)", "one cell is missing",
        "of the 15 nearest rows on the map", "are of the same drink (by chance", "map.html",
    ):  # fmt: skip
        assert words in said, words
    assert max(map(len, result.stdout.split("\n\nPage:")[0].splitlines())) <= 100
    assert "comparing rows" in result.stderr
    with (out / "coordinates.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["row"] for row in rows] == [str(i + 1) for i in range(60)]
    assert all(np.isfinite(float(row["pca_x"])) for row in rows)
    assert (out / "map.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_json_quiet_and_sample(run, table, tmp_path):
    out = tmp_path / "made"
    options = ("--method", "pca", "--sample", "40", "--out", out, "--color", "age")
    result = run("map", table(shop(200)), *options, "--json")
    told = json.loads(result.stdout)
    assert told["used_rows"] == 40
    assert told["color"] == "age"
    assert [each["name"] for each in told["maps"]] == ["PCA", "PCA 3 and 4"]
    assert told["files"]["page"] == str(out / "map.html")
    result = run("map", table(shop()), "--method", "pca", "--out", out, "--quiet")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize(("method", "title"), [("tsne", "t-SNE"), ("umap", "UMAP")])
def test_neighbour_embeddings(method, title, run, tmp_path):
    out = tmp_path / method
    result = run("map", "iris", "--target", "species", "--method", method, "--out", out)
    assert result.exit_code == 0, result.output
    assert f"\n{title}\n" in result.stdout
    header = (out / "coordinates.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.endswith(f"{method}_x,{method}_y,{method}_neighbors_kept")


REFUSED = {
    "no such file": (("nowhere.csv",), "There is no file 'nowhere.csv'"),
    "a misspelt target": (("iris", "--target", "specis"), "--target names no column 'specis'."),
    "a misspelt colour": (("iris", "--color", "specis"), "Did you mean 'species'?"),
    "a misspelt column": (("iris", "--columns", "sepal_lenth"), "--columns names no column"),
    "a method unknown": (("iris", "--method", "magic"), "--method must be one of auto, pca"),
    "a sample of one": (("iris", "--sample", "1"), "--sample must be"),
    "a neighbour": (("iris", "--neighbors", "1"), "--neighbors must be"),
    "no perplexity": (("iris", "--perplexity", "0"), "--perplexity must be"),
    "a seed below 0": (("iris", "--seed", "-3"), "--seed must be"),
    "a kind unknown": (("iris", "--kinds", "species=words"), "must be one of"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_sentences_and_leave_nothing(name, run, tmp_path):
    arguments, words = REFUSED[name]
    result = run("map", *arguments, "--out", tmp_path / "deep" / "out")
    assert result.exit_code == 2, result.output
    assert words in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.output
    assert "map_rows" not in result.output
    assert not (tmp_path / "deep").exists()


FILES = {
    "empty": (b"", "is empty"),
    "a header alone": (b"x,y\n", "has no rows"),
    "two rows": (b"x,y\n1,2\n2,3\n", "a map needs 5 at least"),
    "constants": (b"x,y\n" + b"1,a\n" * 9, "No column of table.csv tells rows apart"),
    "infinity": (b"x,y\n" + b"1,2\n2,inf\n3,4\n" * 3, "holds an infinite number"),
}


@pytest.mark.parametrize("name", FILES)
def test_hostile_files(name, run, table, tmp_path):
    content, words = FILES[name]
    result = run("map", table(content), "--out", tmp_path / "out")
    assert result.exit_code == 2, result.output
    assert words in " ".join(result.stderr.split())
    assert not (tmp_path / "out").exists()


def test_ctrl_c_ends_in_a_sentence(table, tmp_path):
    draw = np.random.default_rng(0)
    rows = "\n".join(",".join(f"{v:.4f}" for v in row) for row in draw.normal(size=(6000, 8)))
    source = table(",".join("abcdefgh") + "\n" + rows + "\n")
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-m", "stylobate", "map", str(source), "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ},
    )  # fmt: skip
    for line in process.stderr:
        if "drawing by" in line:
            break
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopped by Ctrl-C" in said
    assert "Traceback" not in said
    assert not out.exists()
