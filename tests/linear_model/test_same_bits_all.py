"""Solvers that iterate give the same bits for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from stylobate import linear_model as lm
from stylobate import threads
from stylobate.base import clone

RNG = np.random.default_rng(0)
TALL = RNG.standard_normal((6000, 20))
WIDE = RNG.standard_normal((60, 300))
THIN = sparse.random_array((3000, 2000), density=0.004, rng=1, format="csr")
LINE = TALL[:, 0] + RNG.standard_normal(6000)
SHORT = WIDE[:, 0] + 0.1 * RNG.standard_normal(60)
COUNTS = RNG.poisson(2.0, 6000) + 1.0
CLASSES = RNG.integers(0, 4, 6000)
SIGNS = (LINE > 0).astype(int)

CASES = [
    (lm.Lasso(0.05), TALL, LINE),
    (lm.Lasso(0.05), WIDE, SHORT),
    (lm.LassoCV(), TALL, LINE),
    (lm.LassoCV(), WIDE, SHORT),
    (lm.MultiTaskLasso(0.1), TALL, np.column_stack([LINE, -LINE])),
    (lm.HuberRegressor(), TALL, LINE),
    (lm.QuantileRegressor(alpha=0.0), TALL, LINE),
    (lm.LogisticRegression(), TALL, SIGNS),
    (lm.LogisticRegression(), TALL, CLASSES),
    (lm.LogisticRegression(), THIN, RNG.integers(0, 2, 3000)),
    (lm.LogisticRegression(C=0.05, l1_ratio=1.0), TALL, SIGNS),
    (lm.PoissonRegressor(), TALL, COUNTS),
    (lm.GammaRegressor(), TALL, COUNTS),
    (lm.TweedieRegressor(power=1.5), TALL, COUNTS),
]


@pytest.mark.parametrize(
    ("model", "X", "y"), CASES, ids=[f"{number}-{case[0]}" for number, case in enumerate(CASES)]
)
def test_same_bits_for_any_number_of_threads(model, X, y):
    found = []
    for count in (1, 2, 5):
        with threads(count):
            found.append(clone(model).fit(X, y).coef_)
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])
