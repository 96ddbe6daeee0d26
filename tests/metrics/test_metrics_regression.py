"""Regression metrics: scikit-learn's answers for every argument, and refusals in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import metrics as theirs

from stylobate import metrics as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UndefinedMetricWarning

SEVERAL = [
    "mean_squared_error", "root_mean_squared_error", "mean_absolute_error",
    "median_absolute_error", "mean_absolute_percentage_error", "mean_pinball_loss", "r2_score",
    "explained_variance_score", "d2_pinball_score", "d2_absolute_error_score",
    "mean_squared_log_error", "root_mean_squared_log_error",
]  # fmt: skip
SINGLE = ["mean_poisson_deviance", "mean_gamma_deviance", "mean_tweedie_deviance",
          "d2_tweedie_score"]  # fmt: skip


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(7)
    y = rng.uniform(0.5, 5.0, size=(37, 3))
    weights = rng.uniform(size=37)
    weights[::5] = 0.0
    return y, y + rng.uniform(-0.4, 1.5, size=y.shape), weights


def same(name, *args, **kwargs):
    mine, other = getattr(ours, name)(*args, **kwargs), getattr(theirs, name)(*args, **kwargs)
    np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-14)
    assert np.shape(mine) == np.shape(other)
    assert np.ndim(mine) or type(mine) is float


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("multioutput", ["uniform_average", "raw_values", [0.2, 0.5, 0.3]], ids=str)
@pytest.mark.parametrize("name", SEVERAL)
def test_several_outputs(name, multioutput, weighted, numbers):
    y, p, w = numbers
    same(name, y, p, sample_weight=w if weighted else None, multioutput=multioutput)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", [*SEVERAL, *SINGLE])
def test_one_output(name, weighted, numbers):
    y, p, w = numbers
    same(name, y[:, 0], p[:, 0], sample_weight=w if weighted else None)


@pytest.mark.parametrize("name", ["r2_score", "explained_variance_score"])
def test_variance_weighted_and_constant_targets(name, numbers):
    y, p, w = numbers
    same(name, y, p, sample_weight=w, multioutput="variance_weighted")
    flat = np.column_stack([np.ones(5), np.arange(5.0), np.ones(5)])
    near = np.column_stack([np.ones(5), np.arange(5.0) + 0.5, np.full(5, 2.0)])
    near[0, 2] = 1.0
    for force in (True, False):
        with np.errstate(divide="ignore", invalid="ignore"):
            same(name, flat, near, multioutput="raw_values", force_finite=force)
    same(name, np.ones((5, 2)), np.ones((5, 2)), multioutput="variance_weighted")


@pytest.mark.parametrize("power", [-1, 0, 1, 1.5, 2, 2.5, 3])
@pytest.mark.parametrize("name", ["mean_tweedie_deviance", "d2_tweedie_score"])
def test_tweedie(name, power, numbers):
    y, p, w = numbers
    same(name, y[:, 0], p[:, 0], power=power, sample_weight=w)
    if 1 <= power < 2:
        same(name, np.append(y[:, 0], 0.0), np.append(p[:, 0], 1.0), power=power)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("name", ["mean_pinball_loss", "d2_pinball_score"])
def test_pinball(name, alpha, numbers):
    y, p, w = numbers
    same(name, y, p, alpha=alpha, sample_weight=w)
    same(name, y, p, alpha=alpha)


def test_max_error_and_containers(numbers):
    y, p, _ = numbers
    same("max_error", y[:, 0], p[:, 0])
    frame = pd.DataFrame(y)
    assert ours.mean_squared_error(frame, p) == pytest.approx(theirs.mean_squared_error(y, p))
    assert ours.r2_score([1, 2, 3], [1, 2, 4]) == 0.5


@given(
    arrays(np.float64, st.integers(2, 30), elements=st.floats(-1e3, 1e3)),
    st.integers(0, 2**31),
    st.sampled_from(
        [
            "mean_squared_error",
            "mean_absolute_error",
            "median_absolute_error",
            "r2_score",
            "explained_variance_score",
            "d2_absolute_error_score",
            "mean_pinball_loss",
        ]
    ),
)
def test_anything(y, seed, name):
    rng = np.random.default_rng(seed)
    p = y + rng.choice([0.0, 1.0, -2.5], size=len(y))
    w = rng.integers(0, 3, size=len(y)).astype(float)
    w[0] = 1.0
    for weights in (None, w):
        mine = getattr(ours, name)(y, p, sample_weight=weights)
        other = getattr(theirs, name)(y, p, sample_weight=weights)
        if abs(other) < 1e6:  # else: a target that varies by rounding only
            assert mine == pytest.approx(other, rel=1e-9, abs=1e-9)


def test_one_row_is_told():
    for name in ("r2_score", "d2_tweedie_score", "d2_pinball_score", "d2_absolute_error_score"):
        with pytest.warns(UndefinedMetricWarning, match="less than two samples"):
            assert np.isnan(getattr(ours, name)([1.0], [2.0]))
    with pytest.warns(theirs._regression.UndefinedMetricWarning):
        ours.r2_score([1.0], [2.0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ours.mean_squared_error([1, 2], [1, 2, 3]), "inconsistent numbers of samples"),
        (lambda: ours.mean_squared_error([[1, 2]], [[1, 2, 3]]), "different number of output"),
        (lambda: ours.mean_squared_error([], []), "minimum of 1 sample"),
        (lambda: ours.mean_squared_error([1, np.nan], [1, 2]), "NaN"),
        (lambda: ours.mean_squared_error([1, 2], [1, np.inf]), "infinit"),
        (lambda: ours.mean_squared_error([1, 2], [1, 2], sample_weight=[1, -1]), "Negative"),
        (lambda: ours.mean_squared_error([1, 2], [1, 2], sample_weight=[0, 0]), "zero"),
        (lambda: ours.r2_score([1, 2], [1, 2], multioutput="mean"), "multioutput must be"),
        (lambda: ours.mean_squared_error([1, 2], [1, 2], multioutput=[1.0]), "useful only"),
        (
            lambda: ours.mean_squared_error([[1, 2]], [[1, 2]], multioutput=[1.0]),
            "equally many custom weights",
        ),
        (lambda: ours.max_error([[1, 2]], [[1, 2]]), "Multioutput not supported"),
        (lambda: ours.mean_poisson_deviance([1, 2], [0, 1]), "strictly positive y_pred"),
        (lambda: ours.mean_gamma_deviance([0, 2], [1, 1]), "strictly positive y and"),
        (lambda: ours.mean_tweedie_deviance([1], [1], power=0.5), "power must be"),
        (lambda: ours.mean_pinball_loss([1], [1], alpha=2), "alpha must be"),
        (lambda: ours.mean_squared_log_error([-1.5], [1]), "less than or equal to -1"),
    ],
)
def test_refusals(call, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        call()
