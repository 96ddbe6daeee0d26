"""Explaining keeps to its share of the time."""

from __future__ import annotations

import re

import numpy as np

from stylobate import Study


def test_refits_for_intervals_are_as_many_as_there_is_time_for():
    """Logistic regression of several classes has no intervals of its own: rows are resampled."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(3000, 12))
    y = np.array(list("abcdef"))[np.argmax(x[:, :6] + draw.gumbel(size=(3000, 6)), axis=1)]
    table = {f"c{j}": x[:, j] for j in range(12)} | {"y": y}
    coefficients = {}
    for time in (0.5, 1000.0):
        result = Study(table, "y", models=["logistic"], time=time).run()
        coefficients[time] = result.explanation.coefficients
        assert len(coefficients[time]) == 6 * 12
    assert all(each.low is None for each in coefficients[0.5])
    assert all(each.low < each.value < each.high for each in coefficients[1000.0])


def test_no_learning_curve_that_would_take_longer_than_its_share(tmp_path):
    """What the first fold takes is recorded, and a study that goes on decides by the record."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(400, 3))
    table = {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": x[:, 0] + draw.normal(size=400)}
    quick = Study(table, "y", models=["linear"], time=20, folder=tmp_path / "quick").run()
    assert quick.learning_curve is not None
    (log,) = [p for p in (tmp_path / "quick" / "progress").glob("*.jsonl") if "hold" not in p.name]
    text = log.read_text(encoding="utf-8")
    name = "seconds of the curve's first fold"
    (line,) = [each for each in text.splitlines() if name in each]
    assert float(line.rpartition(":")[2].strip(" }")) < 2.0
    slow = re.sub(r"[\d.e-]+(?=\}*$)", "2.1", line)  # a tenth of the time is 2 s
    (tmp_path / "slow" / "progress").mkdir(parents=True)
    (tmp_path / "slow" / "progress" / log.name).write_text(
        text.replace(line, slow), encoding="utf-8"
    )
    again = Study(table, "y", models=["linear"], time=20, folder=tmp_path / "slow").run()
    assert again.learning_curve is None
