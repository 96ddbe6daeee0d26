"""Improvements of one model over another: the notes' table, paired intervals, words."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.proportion import proportion_confint

from stylobate import metrics as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import (
    Improvement,
    confidence_interval,
    difference_interval,
    improvement,
    improvement_table,
)
from stylobate.metrics.intervals.paired import newcombe
from stylobate.metrics.intervals.shares import Share


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(20)
    t = rng.gamma(2.0, size=200)
    return t, t + rng.normal(size=200), t + 0.5 * rng.normal(size=200)


def test_the_notes_table():
    """Section 7.7.4: 0.8 → 0.9, 0.5 → 0.75 and 0.001 → 0.01."""
    table = improvement_table([0.8, 0.5, 0.001], [0.9, 0.75, 0.01])
    np.testing.assert_allclose([each.absolute for each in table], [0.1, 0.25, 0.009])
    np.testing.assert_allclose([each.relative for each in table], [0.125, 0.5, 9.0])
    # as the notes write them
    assert [f"{100 * each.relative:.0f}%" for each in table] == ["12%", "50%", "900%"]
    assert str(table).splitlines()[-1].split("   ")[-1].strip() == "900 %"
    assert len(table) == 3
    assert table[1].new == 0.75


def test_a_table_with_names():
    text = str(improvement_table([0.8], [0.9], ["accuracy"]))
    assert text.splitlines()[0].split() == ["accuracy"]
    with pytest.raises(InvalidDataError, match="they must be as many"):
        improvement_table([0.8], [0.9, 1.0])
    with pytest.raises(InvalidDataError, match="new=nan is no value"):
        Improvement(0.8, float("nan"))


def test_words():
    falls = Improvement(0.2, 0.15, "error rate", greater_is_better=False)
    assert str(falls).startswith("error rate falls from 0.2 to 0.15: 0.05 absolute, 25 % relative")
    assert falls.verdict == "better"
    assert Improvement(0.2, 0.15).verdict == "worse"
    assert str(Improvement(0.2, 0.2)) == "score stays at 0.2. No change, by these numbers alone."
    assert str(Improvement(0.0, 0.5)).startswith("score rises from 0 to 0.5: 0.5 absolute. ")
    assert np.isinf(Improvement(0.0, 0.5).relative)
    assert Improvement(-2.0, -1.0).relative == 0.5


def test_difference_of_losses_is_the_paired_t_interval(rows):
    t, old, new = rows
    gap = (t - new) ** 2 - (t - old) ** 2
    expected = scipy.stats.ttest_1samp(gap, 0).confidence_interval(0.9)
    found = difference_interval("mean_squared_error", t, old, new, confidence=0.9)
    assert tuple(found) == pytest.approx(tuple(expected))
    assert found.method == "t"
    assert found.estimate == pytest.approx(gap.mean())
    scorer = difference_interval("neg_mean_squared_error", t, old, new, confidence=0.9)
    assert (scorer.low, scorer.high) == (-found.high, -found.low)
    # pairing pays: the two intervals apart are wider
    apart = confidence_interval("mean_squared_error", t, old, confidence=0.9)
    assert found.width < apart.width * 1.2


def square_and_add(a, b, c, d):
    """Newcombe's method 10 for ((a, b), (c, d)), on the Wilson intervals of statsmodels."""
    n = a + b + c + d
    p, q = (a + b) / n, (a + c) / n
    (low_p, high_p), (low_q, high_q) = (
        proportion_confint(hits, n, method="wilson") for hits in (a + b, a + c)
    )
    product = a * d - b * c
    link = max(product - n / 2, 0) if product > 0 else product
    link /= np.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    below, above = (
        np.sqrt(x * x - 2 * link * x * z + z * z)
        for x, z in ((p - low_p, high_q - q), (high_p - p, q - low_q))
    )
    return p - q - below, p - q + above


@pytest.mark.parametrize("table", [(1, 1, 7, 12), (14, 5, 0, 22), (53, 16, 8, 9), (3, 9, 8, 2)])
def test_newcombe_is_square_and_add(table):
    one = np.repeat([True, True, False, False], table)
    other = np.repeat([True, False, True, False], table)
    found = newcombe(Share(other, None), Share(one, None), 0.95)
    assert tuple(found) == pytest.approx(square_and_add(*table))


def test_difference_of_shares(rows):
    rng = np.random.default_rng(21)
    y = rng.integers(0, 2, 120)
    old, new = (np.where(rng.random(120) < share, y, 1 - y) for share in (0.7, 0.85))
    found = difference_interval("accuracy", y, old, new)
    assert found.method == "newcombe"
    assert found.estimate == pytest.approx((new == y).mean() - (old == y).mean())
    resampled = difference_interval("accuracy", y, old, new, method="bca", random_state=0)
    assert tuple(found) == pytest.approx(tuple(resampled), abs=0.02)
    for name in ("precision", "f1", "f1_macro"):
        delta = difference_interval(name, y, old, new)
        resampled = difference_interval(name, y, old, new, method="percentile", random_state=0)
        assert delta.method == "delta"
        assert tuple(delta) == pytest.approx(tuple(resampled), abs=0.02)
    same = difference_interval("accuracy", y, old, old)
    assert same.low <= 0 <= same.high


def test_report_of_two_models(rows):
    t, old, new = rows
    change = improvement(t, old, new, "neg_root_mean_squared_error")
    assert change.metric == "root mean squared error"
    assert not change.greater_is_better
    assert change.old == pytest.approx(ours.root_mean_squared_error(t, old))
    assert change.verdict == "better"
    assert change.interval.high < 0
    assert change.relative_interval.estimate == pytest.approx(change.relative)
    assert -1 < change.relative_interval.low < change.relative < change.relative_interval.high < 0
    text = str(change)
    assert text.startswith("root mean squared error falls from ")
    assert "95 % interval of the difference" in text
    assert "the new model is better" in text
    worse = improvement(t, new, old, "mean_absolute_error")
    assert worse.verdict == "worse"
    assert "the new model is worse" in repr(worse)
    alike = improvement(t, old, old + 1e-3 * np.sin(np.arange(200)), "r2")
    assert alike.verdict == "undecided"
    assert "do not tell which" in str(alike)


def test_relative_interval_is_that_of_resampled_ratios(rows):
    t, old, new = rows
    change = improvement(t, old, new, "mean_squared_error")
    resampled = improvement(t, old, new, "mean_squared_error", method="percentile", random_state=0)
    assert tuple(change.relative_interval) == pytest.approx(
        tuple(resampled.relative_interval), abs=0.03
    )


def test_several_metrics_and_functions_of_ones_own(rows):
    t, old, new = rows
    table = improvement(t, old, new, ["mean_absolute_error", "r2"])
    assert [each.verdict for each in table] == ["better", "better"]
    assert "verdict" in str(table)

    def biggest(y_true, y_pred):
        return float(np.abs(y_true - y_pred).max())

    own = improvement(
        t, old, new, biggest, greater_is_better=False, n_resamples=200, random_state=0
    )
    assert own.metric == "biggest"
    assert own.verdict == "better"
    assert own.interval.method == "bootstrap, bca"


def test_perfect_and_negative_values(rows):
    t, old, _ = rows
    perfect = improvement(t, old, t, "mean_squared_error")
    assert perfect.new == 0
    assert perfect.relative == -1
    assert perfect.relative_interval.low == pytest.approx(-1)
    poor = improvement(t, t.mean() - 3 * t, old, "r2")
    assert poor.old < 0
    assert poor.relative_interval is None
    assert poor.verdict == "better"


def test_bad_input_is_refused_in_words(rows):
    t, old, new = rows
    with pytest.raises(InvalidDataError, match="y_true has 200 rows and new 199"):
        improvement(t, old, new[1:], "r2")
    with pytest.raises(InvalidDataError, match="old is empty"):
        difference_interval("r2", t, [], new)
    with pytest.raises(InvalidDataError, match="NaN"):
        improvement(t, old, np.where(t > 1, np.nan, new), "r2")
    with pytest.raises(InvalidDataError, match="weights are negative"):
        improvement(t, old, new, "r2", sample_weight=-np.ones(200))
    with pytest.raises(InvalidParameterError, match="empty list"):
        improvement(t, old, new, [])
    with pytest.raises(InvalidParameterError, match="'newcombe' is for shares"):
        difference_interval("r2", t, old, new, method="newcombe")
    with pytest.raises(InvalidParameterError, match="'delong' is for the area"):
        difference_interval("r2", t, old, new, method="delong")
    with pytest.raises(InvalidParameterError, match="needs to know what each row adds"):
        difference_interval("neg_max_error", t, old, new, method="t")
    with pytest.raises(InvalidParameterError, match="confidence must be"):
        improvement(t, old, new, "r2", confidence=0)
    with pytest.raises(InvalidDataError, match="cannot be seen from 1 row"):
        difference_interval("mean_squared_error", [1.0], [2.0], [3.0])
