"""The certified linear regressions of NIST's Statistical Reference Datasets.

Digits are counted as NIST does: −log₁₀ of the relative error (absolute where the certified value is
0), at most 15. What the numbers carry is found by solving the problem as it stands in double
precision in exact rational arithmetic: no method can be asked for more.

https://www.itl.nist.gov/div898/strd/lls/lls.shtml
"""

from __future__ import annotations

import json
import math
import warnings
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import scipy.linalg
import statsmodels.api as sm

from stylobate.linear_model import LinearRegression

DEGREES = {"Norris": 1, "Pontius": 2, "NoInt1": 1, "NoInt2": 1, "Filip": 10}
NAMES = [*DEGREES, "Longley", *(f"Wampler{i}" for i in range(1, 6))]
HARD = ("Filip", "Wampler4", "Wampler5")  # six digits are asked for, nine elsewhere


@pytest.fixture(scope="module")
def certified(data_folder):
    return json.loads((data_folder / "reference/nist_strd/certified.json").read_text())["linear"]


class Problem:
    """A design in double precision, with and without its column of ones, and certified values."""

    def __init__(self, x, y, coef, std_error, residual_sd, r2, *, intercept=True):
        self.x, self.y, self.intercept = np.asarray(x, float), np.asarray(y, float), intercept
        self.coef, self.std_error = np.asarray(coef, float), np.asarray(std_error, float)
        self.scalars = np.array([residual_sd, r2])
        ones = np.ones((len(self.y), int(intercept)))
        self.design = np.hstack([ones, self.x])

    @classmethod
    def of(cls, name, entry):
        x = np.array(entry["x"])
        degree = DEGREES.get(name, 5)
        x = x if x.ndim == 2 else np.column_stack([x**k for k in range(1, degree + 1)])
        return cls(
            x,
            entry["y"],
            list(entry["params"].values()),
            list(entry["std_err"].values()),
            entry["residual_sd"],
            entry["r_squared"],
            intercept=entry["intercept"],
        )

    def ours(self, **settings):
        model = LinearRegression(fit_intercept=self.intercept, **settings).fit(self.x, self.y)
        summary = model.summary()
        own = np.r_[model.intercept_, model.coef_] if self.intercept else model.coef_
        assert np.array_equal(summary.coefficients.estimate, own)
        scalars = np.array([summary.residual_std, summary.r2])
        return own, summary.coefficients.std_error, scalars

    def exact(self):
        """Coefficients, standard errors, residual deviation and R² without any rounding."""
        rows = [[Fraction(v) for v in row] for row in self.design.tolist()]
        y = [Fraction(v) for v in self.y.tolist()]
        k = len(rows[0])
        system = [
            [sum(r[i] * r[j] for r in rows) for j in range(k)]
            + [sum(r[i] * t for r, t in zip(rows, y, strict=True))]
            + [Fraction(i == j) for j in range(k)]
            for i in range(k)
        ]
        for i in range(k):  # Gauss–Jordan; a Gram needs no pivoting
            system[i] = [v / system[i][i] for v in system[i]]
            for j in (j for j in range(k) if j != i):
                f = system[j][i]
                system[j] = [a - f * b for a, b in zip(system[j], system[i], strict=True)]
        coef = [row[k] for row in system]
        fitted = [sum(a * b for a, b in zip(r, coef, strict=True)) for r in rows]
        rss = sum((t - f) ** 2 for t, f in zip(y, fitted, strict=True))
        centre = sum(y) / len(y) if self.intercept else Fraction(0)
        tss = sum((t - centre) ** 2 for t in y)
        variance = rss / (len(y) - k)
        errors = [math.sqrt(variance * system[i][k + 1 + i]) for i in range(k)]
        scalars = np.array([math.sqrt(variance), float(1 - rss / tss)])
        return np.array([float(c) for c in coef]), np.array(errors), scalars

    def peers(self):
        """Coefficients by each peer, and standard errors by statsmodels."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # statsmodels calls Filip rank-deficient
            theirs = sm.OLS(self.y, self.design).fit()
            coefs = [
                np.linalg.lstsq(self.design, self.y, rcond=None)[0],
                scipy.linalg.lstsq(self.design, self.y)[0],
                scipy.linalg.lstsq(self.design, self.y, lapack_driver="gelsy")[0],
                theirs.params,
            ]
            return coefs, theirs.bse


def digits(found, certified):
    error = np.abs(found - certified) / np.where(certified == 0, 1.0, np.abs(certified))
    return float(np.clip(-np.log10(np.maximum(error, 1e-15)), 0.0, 15.0).min())


def check(name, problem):
    coef, std_error, scalars = problem.ours()
    exact_coef, exact_error, exact_scalars = problem.exact()
    # the answer to the problem as it stands in double precision, to the last digits
    assert coef == pytest.approx(exact_coef, rel=4e-16, abs=0.0)
    assert std_error == pytest.approx(exact_error, rel=2e-15, abs=1e-18)  # a perfect fit: 0
    assert scalars == pytest.approx(exact_scalars, rel=2e-15, abs=1e-16)
    asked = 6.0 if name in HARD else 9.0
    peer_coefs, peer_errors = problem.peers()
    for ours, certified, exact, theirs in (
        (coef, problem.coef, exact_coef, peer_coefs),
        (std_error, problem.std_error, exact_error, [peer_errors]),
    ):
        carried, found = digits(exact, certified), digits(ours, certified)
        assert found >= carried - 0.05
        assert found >= min(asked, carried - 0.05)
        # a peer's rounding can land nearer to the certified value than the numbers it was given
        assert found >= min(max(digits(each, certified) for each in theirs), carried - 0.05)
        assert digits(ours, exact) >= max(digits(each, exact) for each in theirs)
        assert found >= (7.5 if name == "Filip" else 13.0)  # what all this comes to
    assert digits(scalars, problem.scalars) >= min(
        digits(exact_scalars, problem.scalars) - 0.05, 13
    )


@pytest.mark.parametrize("name", NAMES)
def test_certified_values(name, certified):
    check(name, Problem.of(name, certified[name]))


def test_longley_from_statsmodels():
    data = sm.datasets.longley.load_pandas()
    coef = [
        -3482258.63459582, 15.0618722713733, -0.358191792925910e-01, -2.02022980381683,
        -1.03322686717359, -0.511041056535807e-01, 1829.15146461355,
    ]  # fmt: skip
    std_error = [
        890420.383607373, 84.9149257747669, 0.334910077722432e-01, 0.488399681651699,
        0.214274163161675, 0.226073200069370, 455.478499142212,
    ]  # fmt: skip
    exog = data.exog.to_numpy(float)
    problem = Problem(exog, data.endog, coef, std_error, 304.854073561965, 0.995479004577296)
    check("Longley", problem)


WAMPLER_NOISE = [
    759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048, 2048, -2048, 1838, -2048, 2048,
    -2048, 2523, -2048, 2048, -2048, 759,
]  # fmt: skip
WAMPLER_ERRORS = [2152.32624678170, 2363.55173469681, 779.343524331583, 101.475507550350,
                  5.64566512170752, 0.112324854679312]  # fmt: skip


@cache
def wampler(which):
    """Wampler's polynomials of degree 5 on x = 0, …, 20, from their formulas."""
    x = np.arange(21.0)
    powers = np.column_stack([x**k for k in range(1, 6)])
    if which == 2:
        coef = 0.1 ** np.arange(6)
        y = [float(sum(Fraction(round(v)) ** k / 10**k for k in range(6))) for v in x]
        return Problem(powers, y, coef, np.zeros(6), 0.0, 1.0)
    size = {1: 0, 3: 1, 4: 100, 5: 10_000}[which]
    y = 1.0 + powers.sum(axis=1) + size * np.array(WAMPLER_NOISE)
    errors = np.array(WAMPLER_ERRORS) * size
    r2 = {1: 1.0, 3: 0.999995559025820, 4: 0.957478440825662, 5: 0.224668921574940e-02}[which]
    return Problem(powers, y, np.ones(6), errors, 2360.14502379268 * size, r2)


@pytest.mark.parametrize("which", [1, 2, 3, 4, 5])
def test_wamplers_from_their_formulas(which):
    check(f"Wampler{which}", wampler(which))


@pytest.mark.parametrize("which", [1, 2, 3, 4, 5])
def test_the_formulas_are_the_data(which, certified):
    entry = Problem.of(f"Wampler{which}", certified[f"Wampler{which}"])
    assert np.array_equal(wampler(which).x, entry.x)
    assert np.array_equal(wampler(which).y, entry.y)
    assert wampler(which).coef == pytest.approx(entry.coef, rel=1e-15)
    assert wampler(which).std_error == pytest.approx(entry.std_error, rel=1e-14)
    assert wampler(which).scalars == pytest.approx(entry.scalars, rel=1e-14)


@pytest.mark.parametrize("solver", ["qr", "svd", "cholesky"])
def test_other_solvers_keep_the_digits_their_method_has(solver, certified):
    for name in NAMES:
        problem = Problem.of(name, certified[name])
        least = {"qr": 7.5, "svd": 6.0, "cholesky": 4.5}[solver]
        if name == "Filip":  # the Gram of Filip has no digit left, and the solver says so
            least = {"qr": 7.5, "svd": 4.0, "cholesky": 0.0}[solver]
        assert digits(problem.ours(solver=solver)[0], problem.coef) >= least, name
