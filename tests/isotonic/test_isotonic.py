"""Isotonic regression against scikit-learn, quadratic programs written out, and its own laws."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.isotonic as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from stylobate import load
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.isotonic import IsotonicRegression, check_increasing, isotonic_regression
from stylobate.isotonic.certificate import isotonic_certificate

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False, width=32)
RNG = np.random.default_rng(3)


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(
            arrays(float, n, elements=NUMBERS), arrays(float, n, elements=st.floats(0.125, 8))
        )
    )
)
@settings(max_examples=60, deadline=None)
def test_the_dual_proves_every_answer(data):
    y, w = data
    fitted = isotonic_regression(y, sample_weight=w)
    assert (np.diff(fitted) >= 0).all()
    scale = np.abs(y).max() + 1.0
    np.testing.assert_allclose(
        fitted, theirs.isotonic_regression(y, sample_weight=w), atol=1e-9 * scale
    )
    proof = isotonic_certificate(y, w, fitted, None, None)
    assert proof.kkt < 1e-12
    assert proof.gap <= 1e-12 * max(proof.primal, scale**2 * w.sum())


@given(arrays(float, 7, elements=st.floats(-3, 3, width=32)), st.booleans())
@settings(max_examples=25, deadline=None)
def test_bounds_by_a_general_solver(y, increasing):
    found = isotonic_regression(y, y_min=-1.0, y_max=0.75, increasing=increasing)
    sign = 1.0 if increasing else -1.0
    rule = {"type": "ineq", "fun": lambda t: sign * np.diff(t)}
    best = minimize(lambda t: ((t - y) ** 2).sum(), np.zeros(7), jac=lambda t: 2 * (t - y),
                    bounds=[(-1.0, 0.75)] * 7, constraints=rule, method="SLSQP",
                    options={"ftol": 1e-12})  # fmt: skip
    assert ((found - y) ** 2).sum() <= best.fun + 1e-6
    order = slice(None) if increasing else slice(None, None, -1)
    proof = isotonic_certificate(y[order], np.ones(7), found[order], -1.0, 0.75)
    assert proof.gap <= 1e-12 * max(proof.primal, 1.0)


def test_a_wrong_answer_is_not_certified():
    y, w = np.array([1.0, 0.0, 2.0]), np.ones(3)
    for wrong in ([0.5, 0.6, 2.0], [0.0, 0.0, 2.0], [0.5, 0.5, 1.5]):
        proof = isotonic_certificate(y, w, np.array(wrong), None, None)
        best = 0.25
        assert proof.kkt > 1e-3
        assert proof.dual <= best <= proof.primal + 1e-15


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("increasing", [True, False, "auto"])
@pytest.mark.parametrize("bounds", [(None, None), (-0.5, 0.4)])
def test_as_scikit_learn(dtype, increasing, bounds):
    x = np.round(RNG.random(200), 2).astype(dtype)
    y = (np.sin(4 * x) - x + 0.3 * RNG.normal(size=200)).astype(dtype)
    w = RNG.integers(0, 4, 200)
    options = {"increasing": increasing, "y_min": bounds[0], "y_max": bounds[1]}
    for outside in ("clip", "nan"):
        options["out_of_bounds"] = outside
        mine = IsotonicRegression(**options).fit(x, y, w)
        other = theirs.IsotonicRegression(**options).fit(x, y, w)
        where = np.linspace(-0.2, 1.2, 57).astype(dtype)
        close = {"atol": 1e-6 if dtype == np.float32 else 1e-12}
        np.testing.assert_allclose(mine.predict(where), other.predict(where), **close)
        assert mine.predict(where).dtype == dtype
        np.testing.assert_array_equal(mine.X_thresholds_, other.X_thresholds_)
        assert (mine.increasing_, mine.X_min_, mine.X_max_) == (
            other.increasing_, other.X_min_, other.X_max_)  # fmt: skip
        assert mine.certificate_.optimal


def test_weights_are_repetitions_and_order_does_not_matter():
    x, y, w = RNG.integers(0, 9, 40) / 4, RNG.normal(size=40), RNG.integers(0, 3, 40)
    model = IsotonicRegression().fit(x, y, w)
    many = IsotonicRegression().fit(np.repeat(x, w), np.repeat(y, w))
    np.testing.assert_allclose(model.y_thresholds_, many.y_thresholds_, atol=1e-14)
    order = RNG.permutation(40)
    again = IsotonicRegression().fit(x[order], y[order], w[order])
    np.testing.assert_array_equal(model.y_thresholds_, again.y_thresholds_)


def test_chains_of_near_values_are_cut_as_theirs():
    x = np.cumsum(np.full(30, 4e-16)) + np.repeat([0.0, 0.5], 15)
    y = RNG.normal(size=30)
    mine, other = IsotonicRegression().fit(x, y), theirs.IsotonicRegression().fit(x, y)
    np.testing.assert_array_equal(mine.X_thresholds_, other.X_thresholds_)
    np.testing.assert_allclose(mine.y_thresholds_, other.y_thresholds_, atol=1e-12)


def test_direction():
    assert check_increasing([0, 1, 2, 3, 4, 5], [0, 1.5, 2.7, 2.6, 9, 10])
    with pytest.warns(StylobateWarning, match="spans zero"):
        check_increasing([0, 1, 2, 3, 4, 5], [0, -1, 2, -3, 4, -5])
    with pytest.warns(StylobateWarning, match="spans zero"):
        assert not check_increasing([1, 2, 3, 4], [5, 5, 5, 5])
    with pytest.raises(InvalidDataError, match="inconsistent"):
        check_increasing([1, 2], [1, 2, 3])


def test_containers_and_files(tmp_path):
    x, y = np.arange(6.0), np.array([1.0, 3.0, 2.0, 4.0, 3.0, 5.0])
    want = IsotonicRegression().fit(x, y).predict(x)
    for kind in (list, pd.Series, pl.Series, lambda a: a[:, None],
                 lambda a: pd.DataFrame({"a": a}), lambda a: pl.DataFrame({"a": a})):  # fmt: skip
        model = IsotonicRegression().fit(kind(x), y)
        np.testing.assert_array_equal(model.predict(kind(x)), want)
    assert list(model.transform(pl.DataFrame({"a": x})).columns) == ["isotonicregression0"]
    model.set_output(transform="pandas")
    assert isinstance(model.transform(x), pd.DataFrame)
    path = model.save(tmp_path / "model")
    np.testing.assert_array_equal(load(path).predict(x), want)
    readonly = x.copy()
    readonly.flags.writeable = False
    np.testing.assert_array_equal(IsotonicRegression().fit(readonly, y).predict(readonly), want)


def test_one_point_and_constants():
    assert IsotonicRegression().fit([1.0], [2.0]).predict([0.0, 9.0]).tolist() == [2.0, 2.0]
    flat = IsotonicRegression(out_of_bounds="clip").fit([1, 1, 1], [1, 2, 3])
    assert flat.predict([0, 5]).tolist() == [2.0, 2.0]
    assert flat.f_(np.array([1.0])).tolist() == [2.0]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: IsotonicRegression().fit(np.ones((3, 2)), [1, 2, 3]), "1d array"),
        (lambda: IsotonicRegression().fit([1, 2], [1, 2, 3]), "y"),
        (lambda: IsotonicRegression().fit([1, np.nan], [1, 2]), "NaN"),
        (lambda: IsotonicRegression().fit([1, 2], None), "requires y"),
        (lambda: IsotonicRegression().fit([], []), "0"),
        (lambda: isotonic_regression([1, 2], sample_weight=[0, 1]), "greater than zero"),
        (lambda: IsotonicRegression(out_of_bounds="raise").fit([1, 2], [1, 2]).predict([3]),
         "above the interpolation range"),
    ],
)  # fmt: skip
def test_refusals(call, words):
    with pytest.raises(InvalidDataError, match=words):
        call()
    with pytest.raises(InvalidParameterError):
        IsotonicRegression(increasing="down").fit([1, 2], [1, 2])


def test_bounds_that_leave_nothing_are_refused():
    with pytest.raises(InvalidParameterError, match="y_min=2 is above y_max=1"):
        IsotonicRegression(y_min=2, y_max=1).fit([1, 2, 3], [1, 2, 3])
