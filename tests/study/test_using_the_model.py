"""What a page says about using its model, done to the letter."""

from __future__ import annotations

import html
import re

import numpy as np
import pandas as pd
import pytest

from stylobate import Study
from stylobate.study.page.using import using


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
    assert (known["rows"]["predicted"] == likeliest).all()
    assert (known["rows"]["predicted"] == known["rows"]["survived"]).mean() > 0.7
