"""What a page says about using its model, done to the letter."""

from __future__ import annotations

import html
import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from stylobate import Study, load
from stylobate.cli.app import app
from stylobate.formula import formula_text
from stylobate.study.page.mistakes import mistakes
from stylobate.study.page.usage import using


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    """A study of a small table with columns the model does not use, and its folder."""
    folder = tmp_path_factory.mktemp("using")
    rng = np.random.default_rng(0)
    n = 160
    rows = pd.DataFrame(
        {
            "name": [f"person {k}, number {k * 7919 % 1009}" for k in range(n)],
            "age": rng.normal(40, 10, n).round(1),
            "sex": rng.choice(["male", "female"], n),
            "port": rng.choice(["C", "Q", "S"], n),
        }
    )
    rows["survived"] = ((rows["sex"] == "female") + rng.normal(0, 0.5, n) > 0.5).astype(int)
    rows.to_csv(folder / "new.csv", index=False)
    study = Study(
        str(folder / "new.csv"), "survived", models=["logistic"], time=10, cv=3, folder=folder
    )
    return study.run(), folder


def listings(section) -> list[str]:
    """What is copied from each listing of a page."""
    found = re.findall(r"<pre[^>]*>(.*?)</pre>", str(section), flags=re.DOTALL)
    lines = [re.findall(r"<code>(.*?)</code>", each, flags=re.DOTALL) for each in found]
    return [html.unescape("\n".join(each)) for each in lines]


def test_the_python_shown_runs_on_the_file_studied(studied, monkeypatch):
    result, folder = studied
    monkeypatch.chdir(folder)
    (python,) = [each for each in listings(using(result)) if "import stylobate" in each]
    known: dict = {}
    exec(python, known)
    assert known["probabilities"].shape == (160, 2)
    likeliest = known["model"].classes_[known["probabilities"].argmax(axis=1)]
    assert (known["predicted"] == likeliest).all()
    actual = pd.read_csv("new.csv")["survived"]
    assert (known["predicted"] == actual).mean() > 0.7


def test_the_command_about_a_mistake_is_about_that_row(studied, monkeypatch):
    """Rows are numbered from 1 in the table and in the command, as on the command line."""
    result, folder = studied
    monkeypatch.chdir(folder)
    page = mistakes(result)
    worst = result.explanation.mistakes[0]
    (command,) = listings(page)
    assert command.endswith(f" --row {worst.row + 1}")
    assert f">{worst.row + 1}</th>" in str(page)
    assert "has seen this one" in str(page)
    done = CliRunner().invoke(app, [*shlex.split(command)[1:], "--json"])
    assert done.exit_code == 0, done.output
    held = {each["column"]: each["value"] for each in json.loads(done.stdout)["contributions"]}
    assert float(held["age"]) == worst.values["age"]
    assert held["sex"] == worst.values["sex"]


def test_the_formula_is_in_the_units_of_the_table(studied):
    """Worked out by hand for a row, it gives the log-odds of the saved model."""
    result, folder = studied
    formula = result.explanation.formula
    assert formula.startswith("log-odds of (survived = 1) = ")
    terms = re.findall(r"([+−]) ([\d.e-]+)·(\S+)", formula)
    row = {"age": 55.0, "sex_male": 1.0, "port_C": 0.0, "port_Q": 1.0, "port_S": 0.0}
    assert {name for _, _, name in terms} == set(row)
    total = float(re.match(r".* = (-?[\d.e-]+)", formula)[1].replace("−", "-"))
    total += sum(float(size) * row[name] * (-1) ** (sign == "−") for sign, size, name in terms)
    model = load(folder / "model.stylobate")
    asked = pd.DataFrame({"age": [55.0], "sex": ["male"], "port": ["Q"]})
    assert total == pytest.approx(model.decision_function(asked)[0], abs=0.05)
    other = formula_text(model, target="survived")
    age = {name: float(size) for _, size, name in terms}["age"]
    assert float(re.search(r"([\d.e-]+)·age\b", other)[1]) == pytest.approx(age, rel=0.01)
