"""What features explain: fair to few and many categories, with missing values as a group."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exploration.association import CategoryColumn, category_column, number_column
from stylobate.exploration.target import analyse_target


def many(rng, n=6000, levels=600):
    return CategoryColumn("title", rng.integers(0, levels, n), tuple(range(levels)))


def test_all_categories_count_and_chance_does_not():
    rng = np.random.default_rng(0)
    title, noise = many(rng), many(rng)
    noise = CategoryColumn("noise", noise.codes, noise.labels)
    means = rng.normal(size=600)
    line = rng.normal(size=6000)
    target = number_column("y", means[title.codes] + 0.6 * line + 0.5 * rng.normal(size=6000))
    found = analyse_target([title, noise, number_column("x", line), target], "y")
    truth = means[title.codes].var() / target.values.var()
    assert [each.name for each in found.features] == ["title", "x", "noise"]
    assert found.of("title").explains == pytest.approx(truth, abs=0.02)
    assert found.of("noise").explains < 0.02
    by_title = {k: target.values[title.codes == k] for k in range(600)}
    within = sum(((v - v.mean()) ** 2).sum() for v in by_title.values() if len(v))
    k = sum(len(v) > 0 for v in by_title.values())
    adjusted = 1 - within / (6000 - k) / target.values.var(ddof=1)
    assert found.of("title").explains == pytest.approx(adjusted, rel=1e-9)


def test_classes_by_many_categories():
    rng = np.random.default_rng(1)
    title, noise = many(rng, levels=1500), many(rng, levels=1500)
    noise = CategoryColumn("noise", noise.codes, noise.labels)
    p = rng.choice([0.05, 0.95], 1500)
    up = rng.random(6000) < p[title.codes]
    found = analyse_target([title, noise, category_column("y", up.tolist())], "y")
    entropy = -(0.05 * np.log(0.05) + 0.95 * np.log(0.95))
    share = up.mean()
    whole = -(share * np.log(share) + (1 - share) * np.log(1 - share))
    assert found.of("title").explains == pytest.approx(1 - entropy / whole, abs=0.08)
    assert found.of("noise").explains < 0.02


@pytest.mark.parametrize("numeric", [True, False])
def test_being_missing_is_a_group(numeric):
    rng = np.random.default_rng(2)
    late = rng.random(2000) < 0.3
    delay = np.where(late, rng.exponential(10, 2000), np.nan)
    target = (
        number_column("y", 5.0 * late + rng.normal(size=2000))
        if numeric
        else category_column("y", np.where(rng.random(2000) < 0.02, ~late, late).tolist())
    )
    found = analyse_target([number_column("delay", delay), target], "y")
    assert found.of("delay").explains > 0.6
    assert "whether it is missing" in found.suspects[0].reason
    few = np.where(np.arange(2000) % 400 == 0, np.nan, rng.normal(size=2000))
    assert analyse_target([number_column("few", few), target], "y").of("few").explains < 0.02


def test_a_line_with_gaps_by_least_squares():
    rng = np.random.default_rng(3)
    x = rng.normal(size=900)
    y = x + rng.normal(size=900) * 0.3
    gone = rng.random(900) < 0.2
    y[gone] += 2
    found = analyse_target(
        [number_column("x", np.where(gone, np.nan, x)), number_column("y", y)], "y"
    )
    design = np.column_stack([np.ones(900), np.where(gone, 0, x), gone])
    left = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    adjusted = 1 - (left @ left) / 897 / y.var(ddof=1)
    assert found.of("x").explains == pytest.approx(adjusted, rel=1e-9)
