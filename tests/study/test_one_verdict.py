"""One verdict: the same test behind headline, warnings, leaderboard and terminal."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from stylobate import Study
from stylobate.cli.study_text import print_result
from stylobate.study.holdout.against_baseline import paired_difference
from stylobate.study.holdout.conclusion import conclude
from stylobate.study.holdout.verdict import _reach
from stylobate.study.page import study_page
from stylobate.study.question.question import ask
from stylobate.study.results import ScoreAnswer
from stylobate.study.results.few_rows import widened
from stylobate.study.search.choice import keeps_gain, within_error
from stylobate.study.table.table import read_study_table


def told(result):
    shown = io.StringIO()
    print_result(result, None, Console(file=shown, width=200))
    return shown.getvalue()


def study(y, x, **options):
    options = {"models": ["linear"], "time": 10} | options
    return Study({"x": x, "z": x[::-1].copy(), "y": y}, "y", **options).run()


@pytest.fixture(scope="module")
def signal():
    draw = np.random.default_rng(0)
    x = draw.normal(size=120)
    return study(2 * x + draw.normal(size=120), x)


@pytest.fixture(scope="module")
def noise():
    draw = np.random.default_rng(1)
    return study(draw.normal(size=120), draw.normal(size=120))


def test_a_signal_is_yes_everywhere(signal):
    assert signal.verdict.answer == "yes"
    assert signal.verdict.p_value < 1e-4
    assert not [w for w in signal.warnings if w.topic == "baseline"]
    assert signal.baseline.verdict == "worse"
    assert "Yes." in study_page(signal)
    assert signal.verdict.words in told(signal)
    assert "better than the baseline" in signal.holdout.words


def test_noise_is_hardly_everywhere(noise):
    assert noise.verdict.answer == "hardly"
    assert noise.choice.family == "baseline"
    assert [w.topic for w in noise.warnings if w.severe] == ["baseline"]
    assert noise.baseline.verdict in ("best", "within noise")
    page = study_page(noise)
    assert "Hardly." in page
    assert "Yes." not in page
    assert "No model is clearly better than the baseline" in told(noise)


def test_without_a_model_the_question_is_not_answered():
    draw = np.random.default_rng(2)
    x = draw.normal(size=60)

    class Broken:
        def get_params(self, deep=True):
            return {}

        def set_params(self, **params):
            return self

        def fit(self, X, y):
            raise ValueError("no")

        def predict(self, X):
            return np.zeros(len(X))

    result = study(2 * x, x, models={"broken": Broken()})
    assert result.verdict.answer == "not answered"
    assert "every model failed" in result.verdict.words
    assert "Not answered" in study_page(result)
    assert "Hardly" not in study_page(result)


def test_a_leak_enters_the_headline():
    draw = np.random.default_rng(3)
    y = draw.integers(0, 2, 300)
    leak = np.where(draw.random(300) < 0.995, y, 1 - y) + 0.01 * draw.normal(size=300)
    table = {"x": draw.normal(size=300), "leak": leak, "y": np.array(["no", "yes"])[y]}
    result = Study(table, "y", models=["logistic"], time=10).run()
    assert [w.column for w in result.warnings if w.topic == "leakage"] == ["leak"]
    assert result.verdict.answer == "too good"
    assert "probably a leak, by leak" in result.verdict.words
    assert "Too good to be true" in study_page(result)


def test_paired_losses_are_those_of_the_rows():
    """Against scikit-learn's metrics and SciPy's test of the same differences."""
    from scipy.stats import ttest_1samp
    from sklearn.metrics import mean_squared_error

    draw = np.random.default_rng(4)
    x = draw.normal(size=200)
    y = x + draw.normal(size=200)
    asked = ask(read_study_table({"x": x, "y": y}), "y")

    class Says:
        def __init__(self, values):
            self.values = values

        def predict(self, table):
            return self.values

    score = ScoreAnswer("neg_root_mean_squared_error", "rmse", 1.0, 0.9, 1.1, False)
    model, mean = Says(x), Says(np.full(200, y.mean()))
    found = paired_difference(asked, model, mean, None, y, None, (score, score), 0)
    gain = mean_squared_error(y, mean.values) - mean_squared_error(y, x)
    assert found.gain == pytest.approx(gain)
    gains = (y - y.mean()) ** 2 - (y - x) ** 2
    test = ttest_1samp(gains, 0.0, alternative="greater")
    assert found.p_value == pytest.approx(test.pvalue)
    low, high = ttest_1samp(gains, 0.0).confidence_interval()
    assert (found.low, found.high) == pytest.approx((low, high))
    # of pairs of equal rows the mean is the same and the interval that of half as many
    twice = [Says(np.repeat(each.values, 2)) for each in (model, mean)]
    units = np.repeat(np.arange(200), 2)
    same = paired_difference(asked, *twice, None, np.repeat(y, 2), units, (score, score), 0)
    assert (same.gain, same.low, same.high) == pytest.approx((gain, low, high))


def test_few_rows_are_tested_by_signs():
    draw = np.random.default_rng(5)
    asked = ask(read_study_table({"x": draw.normal(size=30), "y": draw.normal(size=30)}), "y")
    y = np.zeros(6)

    class Off:
        def __init__(self, by):
            self.by = by

        def predict(self, table):
            return np.asarray(self.by, dtype=float)

    score = ScoreAnswer("neg_root_mean_squared_error", "rmse", 1.0, None, None, False)
    better = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]
    found = paired_difference(asked, Off(better), Off([3.0] * 6), None, y, None, (score, score), 0)
    assert found.p_value == pytest.approx(1 / 64, abs=0.005)  # all six signs, of 2⁶


def test_no_interval_has_width_zero():
    from scipy.stats import binomtest

    low, high = widened("accuracy", 1.0, 1.0, 1.0, 12)
    exact = binomtest(12, 12).proportion_ci(method="exact")
    assert (low, high) == pytest.approx((exact.low, exact.high))
    assert widened("neg_root_mean_squared_error", 0.0, 0.0, 0.0, 12) == (None, None)
    assert widened("accuracy", 0.5, 0.3, 0.7, 12) == (0.3, 0.7)
    draw = np.random.default_rng(6)
    x = np.concatenate([draw.normal(-9, 1, 30), draw.normal(9, 1, 30)])
    table = {"x": x, "w": draw.normal(size=60), "y": np.repeat(["a", "b"], 30)}
    result = Study(table, "y", models=["lda"], time=10).run()
    assert result.holdout.scores[0].value == 1.0
    for row in (*result.leaderboard, *result.holdout.scores):
        assert row.low is None or row.low < row.high


def test_noise_is_that_of_paired_differences():
    """Hourly rentals: folds in time of very different size, and one model better in each."""
    worse, best = [405, 130, 280, 610, 720], [347, 110, 240, 530, 600]
    assert not within_error(worse, best, -1)
    assert within_error(best, best, -1)
    # by the error of the best one's own scores it would have passed
    error = np.std(best, ddof=1) / np.sqrt(5)
    assert np.mean(worse) - np.mean(best) < error


def with_folds(result, mine, plain, *, locked_p):
    """The result as it would be with other scores of the folds and of the locked rows."""
    rows = tuple(
        replace(row, scores=tuple(mine if not row.is_baseline else plain), mean=np.mean(mine))
        for row in result.leaderboard
    )
    found = replace(result.holdout.against_baseline, p_value=locked_p)
    holdout = replace(result.holdout, against_baseline=found)
    return replace(result, leaderboard=rows, holdout=holdout)


def test_what_the_locked_rows_tell_is_not_drowned_by_folds_that_differ(signal):
    """Folds in time of a growing series: one model is better in each, by very different amounts."""
    grown = with_folds(signal, [11, 90, 180, 300, 440], [60, 700, 1800, 4200, 6000], locked_p=0.004)
    few = replace(grown.split, training_rows=248)
    several = replace(grown, split=few, leaderboard=grown.leaderboard[:1] * 9 + grown.leaderboard)
    concluded = conclude(several)
    assert concluded.verdict.answer == "yes"
    assert "the folds differ too much" in concluded.verdict.words
    assert concluded.verdict.p_value <= 0.004
    alike = conclude(with_folds(signal, [1.0] * 5, [2.0, 2.1, 2.2, 2.1, 2.0], locked_p=0.2))
    assert alike.verdict.answer == "yes"
    assert "the locked rows alone are too few" in alike.verdict.words


def test_without_a_model_that_bends_nothing_is_answered(noise):
    """A straight line is no better than the mean, and there was no time for trees."""
    (line,) = [f for f in noise.families if f.name == "linear"]
    candidate = replace(line.candidates[0], key="tree", status="too slow", mean=None, scores=())
    tree = replace(
        line, name="tree", title="Decision tree", simplicity=50, candidates=(candidate,),
        best=None, status="left out",
    )  # fmt: skip
    concluded = conclude(replace(noise, families=(*noise.families, tree)))
    assert concluded.verdict.answer == "not answered"
    assert "nothing that bends (Decision tree)" in concluded.verdict.words
    page = study_page(concluded)
    assert "Hardly." not in page
    tried = replace(tree, best="tree", status="done")
    assert conclude(replace(noise, families=(*noise.families, tried))).verdict.answer == "hardly"


def test_two_scores_with_errors_agree_within_both():
    def score(value, low, high):
        return ScoreAnswer("neg_root_mean_squared_error", "rmse", value, low, high, False)

    cross_validated, locked = score(1619, 1503, 1735), score(1802, 1628, 1994)
    reach = _reach(locked, cross_validated)
    assert reach == pytest.approx(np.hypot(1802 - 1628, 1735 - 1619))
    assert reach > 1802 - 1619  # the locked rows' interval alone would have missed it
    assert _reach(cross_validated, locked) == reach
    assert _reach(score(1.0, None, None), locked) is None


def test_a_simpler_model_keeps_the_gain():
    """Few noisy folds: half of the gain would pass as noise."""
    assert within_error([0.30, 0.60, 0.30], [0.60, 0.50, 0.40], 1)
    assert not keeps_gain(0.38, 0.50, 0.26, 1)
    assert keeps_gain(0.495, 0.50, 0.26, 1)
    assert keeps_gain(10.1, 10.0, 20.0, -1)
    assert not keeps_gain(11.0, 10.0, 20.0, -1)
