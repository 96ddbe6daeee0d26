"""What features explain: fair to few and many categories, with missing values as a group."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from stylobate.exploration.association import CategoryColumn, category_column, number_column
from stylobate.exploration.association.ratio import analysis_of_variance, group_sums
from stylobate.exploration.association.tables import cross_counts
from stylobate.exploration.target import analyse_target
from stylobate.exploration.target.interaction import class_interaction, numeric_interaction
from stylobate.exploration.target.two_factor import pair_effects


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


def test_a_feature_that_only_one_class_has():
    late = np.arange(400) % 4 == 0
    delay = number_column("delay", np.where(late, np.arange(400.0), np.nan))
    effect = analyse_target([delay, category_column("late", late.tolist())], "late").of("delay")
    assert effect.value is None
    assert effect.explains == pytest.approx(1, abs=0.02)
    assert "by being missing" in repr(effect)


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


@given(some.integers(0, 10_000), some.booleans())
@settings(max_examples=25)
def test_together_explain_no_less_than_each_alone(seed, numeric):
    rng = np.random.default_rng(seed)
    n, r, c = int(rng.integers(30, 400)), int(rng.integers(2, 9)), int(rng.integers(2, 9))
    a, b, y = rng.integers(0, r, n), rng.integers(0, c, n), rng.integers(0, 3, n)
    y = np.where(rng.random(n) < 0.3, a % 3, y)
    if numeric:
        sums = group_sums(y.astype(float), a * c + b, r * c)
        found = numeric_interaction(
            sums.n.reshape(r, c).astype(float), sums.mean.reshape(r, c), float(sums.scatter.sum())
        )
        alone = analysis_of_variance(group_sums(y.astype(float), a, r))
        assert found.raw[1] == pytest.approx(alone.explained)
        assert found.alone[0] == pytest.approx(alone.corrected)
    else:
        found = class_interaction(cross_counts(a * c + b, r * c, y, 3).reshape(r, c, 3) * 1.0)
        assert found.explains >= max(found.alone)
    assert found.raw[0] >= max(found.raw[1:]) - 1e-9


def test_pairs_use_more_categories_than_they_show():
    rng = np.random.default_rng(5)
    place = CategoryColumn("place", rng.integers(0, 30, 6000), tuple(range(30)))
    sex = CategoryColumn("sex", rng.integers(0, 2, 6000), ("f", "m"))
    y = rng.normal(size=30)[place.codes] + 0.5 * sex.codes + rng.normal(size=6000)
    found = analyse_target([place, sex, number_column("y", y)], "y")
    (pair,) = found.pairs
    assert pair.alone == pytest.approx([found.of(name).explains for name in (pair.a, pair.b)])
    assert pair.explains > sum(pair.alone) - 0.01
    assert len(pair.groups_a) <= 4
    assert pair.gain < 0.01
    assert "(alone" in repr(pair)


@pytest.mark.parametrize("share", [0.02, 0.5])
def test_sparse_cells_of_noise_are_no_interaction(share):
    small = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        weights = 1 / np.arange(1, 61)
        features = [
            CategoryColumn(name, rng.choice(60, 2000, p=weights / weights.sum()), tuple(range(60)))
            for name in "ab"
        ]
        classes = category_column("y", (rng.random(2000) < share).tolist())
        small.append(pair_effects(features, classes)[0].p_value < 0.01)
    assert sum(small) <= 3
