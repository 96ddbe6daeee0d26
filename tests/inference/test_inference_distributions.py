"""Tails against closed forms, where the answer is known to every digit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from stylobate.exceptions import InvalidParameterError
from stylobate.inference.distributions import chi2_p, f_p, two_sided_p, two_sided_quantile


@pytest.mark.parametrize("t", [0.0, 0.5, 3.0, 50.0, 1e4, 1e8])
def test_t_tail_of_two_degrees_of_freedom(t):
    # P(|T| >= t) = 1 - t / sqrt(2 + t²), written without cancellation
    root = math.sqrt(2 + t * t)
    exact = 2 / (root * (root + t))
    assert float(two_sided_p(t, 2)) == pytest.approx(exact, rel=1e-12)
    assert float(two_sided_p(-t, 2)) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("f", [0.1, 3.0, 500.0, 1e6])
@pytest.mark.parametrize("df", [3, 40, 300])
def test_f_tail_of_two_numerator_degrees_of_freedom(f, df):
    assert f_p(f, 2, df) == pytest.approx((1 + 2 * f / df) ** (-df / 2), rel=1e-11)


@pytest.mark.parametrize("x", [0.1, 10.0, 300.0, 1300.0])
def test_chi2_tail_of_two_degrees_of_freedom(x):
    assert chi2_p(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)


def test_far_tails_do_not_vanish():
    assert float(two_sided_p(40.0, 1000)) == pytest.approx(2 * stats.t.sf(40.0, 1000), rel=1e-10)
    assert float(two_sided_p(35.0, math.inf)) == pytest.approx(math.erfc(35 / math.sqrt(2)))
    assert f_p(math.inf, 3, 5) == 0.0
    assert float(two_sided_p(math.inf, 5)) == 0.0


@pytest.mark.parametrize("df", [1, 2, 7.5, 300, math.inf])
@pytest.mark.parametrize("level", [1e-6, 0.5, 0.95, 1 - 1e-9])
def test_quantile_inverts_the_tail(level, df):
    q = two_sided_quantile(level, df)
    assert float(two_sided_p(q, df)) == pytest.approx(1 - level, rel=1e-7)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, -0.1, np.nan])
def test_level_outside_the_unit_interval_is_refused(level):
    with pytest.raises(InvalidParameterError, match="level must be a number strictly between"):
        two_sided_quantile(level, 3)
