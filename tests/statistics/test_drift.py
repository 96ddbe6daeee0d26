"""Windows by subtraction and forgetting by weights, against refits to the rows they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.data import read_table
from stylobate.discriminant_analysis import LinearDiscriminantAnalysis
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import (
    Lasso,
    LinearRegression,
    PoissonRegressor,
    Ridge,
    RidgeClassifier,
)
from stylobate.naive_bayes import GaussianNB
from stylobate.statistics import Forgetting, Moments, QuantileSketch, SlidingWindow

SIZES = [40, 1, 25, 60, 30, 30, 7, 80, 40, 33] * 9


def parts_of(model, *, labels=False, jump=0.0):
    """Parts whose rows and coefficients drift, and the statistic of each."""
    rng = np.random.default_rng(5)
    found = []
    for number, size in enumerate(SIZES):
        X = rng.normal(size=(size, 3)) + np.array([number, 50.0, -1.0])
        if number == 20:
            X += jump
        y = X @ [1.0, 0.1 * number, -1.0] + rng.normal(size=size)
        if labels:
            y = (y > np.median(y)).astype(int) + (number > 30) * rng.integers(0, 2, size)
        found.append((X, y))
    kind = model._statistic
    statistics = [kind.of(model._read(X, y, reset=True, check_finite="deferred")) for X, y in found]
    return found, statistics


MODELS = [
    (LinearRegression(), "coef_", False),
    (Ridge(alpha=2.0), "coef_", False),
    (Lasso(alpha=0.1), "coef_", False),
    (GaussianNB(), "theta_", True),
    (GaussianNB(), "var_", True),
    (LinearDiscriminantAnalysis(solver="lsqr"), "coef_", True),
]
EACH = pytest.mark.parametrize(("model", "name", "labels"), MODELS, ids=lambda each: str(each))


@EACH
@pytest.mark.parametrize("jump", [0.0, 1e6])
def test_a_window_is_a_fit_to_its_rows(model, name, labels, jump):
    rows, statistics = parts_of(model, labels=labels, jump=jump)
    window = SlidingWindow(5, refresh=20)
    for k, part in enumerate(statistics):
        window = window.add(part)
        if k < 4 or (k - 2) % 6:
            continue
        assert len(window.parts) == 5
        X, y = (np.concatenate(each) for each in zip(*rows[k - 4 : k + 1], strict=True))
        if 20 in range(k - 4, k + 1) and jump:
            continue  # of such rows a refit itself has few digits
        whole = type(model)(**model.get_params()).fit(X, y)
        found = type(model)(**model.get_params()).fit_statistic(window.statistic)
        assert getattr(found, name) == pytest.approx(getattr(whole, name), rel=1e-6, abs=1e-7)
        assert found.predict(X[:5]) == pytest.approx(whole.predict(X[:5]), rel=1e-6)


@pytest.mark.parametrize("jump", [0.0, 1e6])
def test_subtraction_loses_no_digits_that_matter(jump):
    _, statistics = parts_of(Ridge(), jump=jump)
    window = SlidingWindow(5, refresh=10**6)
    for k, part in enumerate(statistics):
        window = window.add(part)
        anew = statistics[max(0, k - 4)]
        for each in statistics[max(0, k - 4) + 1 : k + 1]:
            anew = anew.merge(each)
        lengths = anew.column_lengths()
        error = np.abs(window.statistic.scatter - anew.scatter) / np.outer(lengths, lengths)
        assert error.max() < 1e-9
        assert window.statistic.n_rows == anew.n_rows


def test_the_parts_are_merged_anew_now_and_then():
    _, statistics = parts_of(Ridge())
    window = SlidingWindow(3, refresh=4)
    steps = []
    for part in statistics[:14]:
        window = window.add(part)
        steps.append(window.steps)
    assert steps == [0, 0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]


def test_a_window_of_what_cannot_be_subtracted():
    columns = [np.arange(k, k + 50.0) for k in range(0, 500, 50)]
    window = SlidingWindow(3)
    for each in columns:
        window = window.add(QuantileSketch.of(each))
    assert window.statistic.quantile(0.5) == pytest.approx(424.5, abs=1.0)


@EACH
@pytest.mark.parametrize("half_life", [10, 200.0, 1e9])
def test_forgetting_is_a_fit_with_weights(model, name, labels, half_life):
    rows, statistics = parts_of(model, labels=labels)
    rows, statistics = rows[:40], statistics[:40]
    seen = Forgetting(half_life)
    for part in statistics:
        seen = seen.add(part)
    sizes = np.array([len(y) for _, y in rows])
    later = sizes.sum() - np.cumsum(sizes)
    weights = np.repeat(2.0 ** (-later / half_life), sizes)
    X, y = (np.concatenate(each) for each in zip(*rows, strict=True))
    if isinstance(model, LinearDiscriminantAnalysis):
        table = model._read(X, y, weights, reset=True, check_finite="deferred")
        expected = model._statistic.of(table)
        assert seen.statistic.mean == pytest.approx(expected.mean, rel=1e-9)
        assert seen.statistic.scatter == pytest.approx(expected.scatter, rel=1e-9)
        return
    whole = type(model)(**model.get_params()).fit(X, y, weights)
    found = type(model)(**model.get_params()).fit_statistic(seen.statistic)
    assert getattr(found, name) == pytest.approx(getattr(whole, name), rel=1e-6, abs=1e-7)


def test_forgetting_follows_what_changes():
    rng = np.random.default_rng(0)
    seen = Forgetting(half_life=200)
    for slope in np.repeat([1.0, -3.0], 20):
        x = rng.normal(size=(100, 1))
        part = Moments.of(read_table(x, slope * x[:, 0], owner="test"))
        seen = seen.add(part)
    assert Ridge(alpha=1e-9).fit_statistic(seen.statistic).coef_[0] == pytest.approx(-3.0, abs=0.01)


def test_everything_is_forgotten_at_once():
    table = read_table([[1.0], [2.0]], [1.0, 2.0], owner="test")
    seen = Forgetting(1e-9).add(Moments.of(table)).add(Moments.of(table))
    assert seen.statistic.weight == 2.0


def test_refusals():
    for wrong in (0, -1, True, 1.5):
        with pytest.raises(InvalidParameterError, match="length must be"):
            SlidingWindow(wrong)
        if wrong is not True and wrong != 1.5:
            with pytest.raises(InvalidParameterError, match="half_life must be"):
                Forgetting(wrong)
    sketch = QuantileSketch.of(np.arange(5.0))
    with pytest.raises(InvalidDataError, match="QuantileSketch cannot be made to count less"):
        Forgetting(5).add(sketch).add(sketch)
    with pytest.raises(InvalidDataError, match="learns from Moments"):
        Ridge().fit_statistic(sketch)
    for model in (RidgeClassifier(), PoissonRegressor(), Ridge(solver="saga")):
        assert not hasattr(model, "fit_statistic")
