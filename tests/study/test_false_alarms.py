"""What a study notices is there: of columns drawn independently it notices nothing."""

from __future__ import annotations

import warnings

import numpy as np

from race.study_quality.false_alarms import alarms, drawn_table


def test_independent_columns_raise_no_alarm():
    draw = np.random.default_rng(11)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [alarms(drawn_table(draw), "target") for _ in range(12)]
    assert found == [[]] * 12


def test_what_is_there_raises_its_alarm():
    draw = np.random.default_rng(12)
    n = 400
    table = {f"x{k}": draw.normal(size=n) for k in range(4)}
    y = draw.normal(size=n)
    days = np.datetime64("2021-01-01") + np.sort(draw.integers(0, 900, n)).astype("m8[D]")
    assert alarms({**table, "day": days, "target": y}, "target") == ["time order"]
    again = np.concatenate([np.arange(n), np.arange(80)])
    twice = {name: values[again] for name, values in table.items()}
    assert alarms({**twice, "target": y[again]}, "target") == ["repeats"]
    assert "copy of the target" in alarms({**table, "copy": 2.0 * y, "target": y}, "target")
