"""Functions that are defined only somewhere."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize import BFGS, LBFGS, Backtracking, GradientDescent, Newton, Smooth, minimize

RNG = np.random.default_rng(0)
COSTS = RNG.uniform(0.5, 3.0, 6)


def barrier(outside: list[float]) -> Smooth:
    """c·x − Σ log x on the positive numbers; its minimum is at 1 / c."""

    def function(x):
        if np.any(np.real(x) <= 0.0):
            outside.append(float(np.min(np.real(x))))
        return COSTS @ x - np.log(x).sum()

    return Smooth(
        function, lambda x: COSTS - 1.0 / x, lambda x: np.diag(x**-2.0), convex=True,
        domain=lambda x: bool(np.all(x > 0.0)),
    )  # fmt: skip


@pytest.mark.parametrize(
    "method", [GradientDescent(step=Backtracking(start=10.0)), BFGS(), LBFGS(), Newton()]
)
def test_steps_stay_where_the_function_is_defined(method):
    asked_outside: list[float] = []
    found = minimize(barrier(asked_outside), np.full(6, 5.0), method=method)
    np.testing.assert_allclose(found.x, 1.0 / COSTS, rtol=1e-4)
    assert asked_outside == []


def test_outside_is_infinite_and_no_place_to_begin():
    function = barrier([])
    assert function.value(np.array([1.0, -1.0, 1.0, 1.0, 1.0, 1.0])) == np.inf
    with pytest.raises(InvalidDataError, match="outside the domain"):
        minimize(function, -np.ones(6), method=BFGS())


def test_a_domain_is_a_function():
    with pytest.raises(InvalidParameterError, match="domain must be a function"):
        Smooth(lambda x: x @ x, domain=3)
