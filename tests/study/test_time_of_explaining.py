"""Explaining keeps to its share of the time, by what was recorded of it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from stylobate import Study

CURVE, REFIT = "seconds of the curve's first fold", "seconds of a refit"


def studied(folder):
    """Logistic regression of three classes, which has no intervals of its own."""
    draw = np.random.default_rng(0)
    x = draw.normal(size=(400, 3))
    y = np.array(list("abc"))[np.argmax(x + draw.gumbel(size=(400, 3)), axis=1)]
    table = {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": y}
    return Study(table, "y", models=["logistic"], time=20, folder=folder).run()


@pytest.mark.parametrize("fact", [CURVE, REFIT])
def test_what_would_take_longer_than_its_share_is_left_out(tmp_path, fact):
    """A study that goes on decides by the record, in which the step has become slow."""
    quick = studied(tmp_path / "quick")
    assert quick.learning_curve is not None
    assert len(quick.explanation.coefficients) == 9
    assert all(each.low < each.value < each.high for each in quick.explanation.coefficients)
    (log,) = [p for p in (tmp_path / "quick/progress").glob("*.jsonl") if "hold" not in p.name]
    text = log.read_text(encoding="utf-8")
    (line,) = [each for each in text.splitlines() if fact in each]
    slow = re.sub(r"[\d.e-]+(?=\}*$)", "2.1", line)  # a tenth of the time is 2 s
    (tmp_path / "slow/progress").mkdir(parents=True)
    changed = tmp_path / "slow/progress" / log.name
    changed.write_text(text.replace(line, slow), encoding="utf-8")
    again = studied(tmp_path / "slow")
    assert (again.learning_curve is None) == (fact == CURVE)
    assert all((each.low is None) == (fact == REFIT) for each in again.explanation.coefficients)
