"""Chords, slopes and supporting planes of functions whose convexity is known."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidDataError
from stylobate.optimize import (
    L1Ball,
    check_subgradient,
    convexity,
    directional_derivative,
    set_convexity,
)

NOT_CONVEX = {
    "minus absolute": lambda x: -abs(x[0]),
    "two valleys": lambda x: min(abs(x[0] + 1), abs(x[0] - 1)),
    "mistakes": lambda x: float(x[0] < 0),
    "rounded count": lambda x: float(np.sum(np.abs(np.round(x, 1)) > 0)),
    "sine": lambda x: np.sin(3 * x[0]),
    "saddle": lambda x: x[0] * x[-1] if len(x) > 1 else -(x[0] ** 2),
    "root": lambda x: float(np.sqrt(abs(x[0]))),
}
CONVEX = {
    "absolute": lambda x: float(np.abs(x).sum()),
    "largest": lambda x: float(np.max(x)),
    "hinge": lambda x: max(0.0, 1.0 - x[0]),
    "soft maximum": lambda x: float(np.log(np.exp(x).sum())),
    "plane": lambda x: 1e6 + 3.0 * x[0],
    "domain": lambda x: -float(np.log(x[0])) if x[0] > 0 else np.inf,
    "constant": lambda x: 7.0,
}


@pytest.mark.parametrize("name", NOT_CONVEX)
@pytest.mark.parametrize("n", [1, 2])
def test_counterexamples_are_found_and_true(name, n):
    function = NOT_CONVEX[name]
    report = convexity(function, -2.0 * np.ones(n), 2.0 * np.ones(n))
    assert not report.convex
    assert str(report).startswith("Not convex: at x = ")
    if report.chord is not None:
        c = report.chord
        straight = (1 - c.t) * function(c.x) + c.t * function(c.z)
        assert function(c.point) - straight == pytest.approx(c.above)
        assert c.above > 0


@pytest.mark.parametrize("name", CONVEX)
@pytest.mark.parametrize("n", [1, 3])
def test_nothing_speaks_against_convex_functions(name, n):
    report = convexity(CONVEX[name], -2.0 * np.ones(n), 2.0 * np.ones(n))
    assert report.convex, str(report)
    assert report.witness is None


def test_a_domain_with_a_hole_is_not_convex():
    report = convexity(lambda x: 0.0 if abs(x[0]) > 0.5 else np.inf, [-1.0], [1.0])
    assert not report.convex
    assert abs(report.witness[0]) <= 0.5


def test_sets():
    assert set_convexity(L1Ball(1.0), [-1, -1], [1, 1]).convex
    ring = set_convexity(lambda x: 0.5 < np.hypot(*x) < 1, [-1, -1], [1, 1])
    assert not ring.convex
    assert not 0.5 < np.hypot(*ring.witness) < 1
    assert "is outside, but lies between" in str(ring)
    ball = set_convexity(L1Ball(1.0), [-1, -1], [1, 1])
    assert str(ball) == "Nothing speaks against convex: 2000 chords tried (no proof)."
    with pytest.raises(InvalidDataError, match="0 of 2000 random points"):
        set_convexity(lambda x: False, [0.0], [1.0])


@pytest.mark.parametrize(
    ("function", "x", "d", "slope"),
    [
        (lambda x: abs(x[0]), [0.0], [-2.0], 2.0),
        (lambda x: max(x[0], 3 * x[1]), [0.0, 0.0], [1.0, 1.0], 3.0),
        (lambda x: np.exp(x[0]) * x[1] ** 3, [0.3, 2.0], [1.0, -1.0], np.exp(0.3) * (8 - 12)),
    ],
)
def test_slopes_from_one_side(function, x, d, slope):
    assert directional_derivative(function, x, d) == pytest.approx(slope, rel=1e-7)


def test_subgradients_of_the_l1_norm():
    """Those at (0, 2) are [−1, 1] × {1}."""
    for g, right in [
        ((0.3, 1.0), True),
        ((-1.0, 1.0), True),
        ((1.1, 1.0), False),
        ((0, 0.9), False),
    ]:
        check = check_subgradient(lambda x: np.abs(x).sum(), [0.0, 2.0], g, [-3, -3], [3, 3])
        assert check.holds is right
        if not right:
            z = check.witness
            plane = 2.0 + np.dot(g, z - np.array([0.0, 2.0]))
            assert plane - np.abs(z).sum() == pytest.approx(check.below)
            assert "below the plane" in str(check)


def test_nan_is_refused():
    with pytest.raises(InvalidDataError, match="NaN"):
        convexity(lambda x: np.nan, [0.0], [1.0])
