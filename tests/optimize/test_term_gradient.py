"""Gradients of single terms of an empirical risk."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.losses import Logistic
from stylobate.optimize import EmpiricalRisk

RNG = np.random.default_rng(0)
RISK = EmpiricalRisk(Logistic(), RNG.normal(size=(9, 3)), RNG.integers(0, 2, 9), l2=0.1)


def test_terms_average_to_the_gradient():
    w = np.array([0.3, -1.0, 2.0])
    terms = [RISK.term_gradient(w, i) for i in range(RISK.n_terms)]
    np.testing.assert_allclose(np.mean(terms, axis=0), RISK.gradient(w), rtol=1e-13)
    mask = np.arange(9) < 4
    np.testing.assert_allclose(RISK.term_gradient(w, mask), np.mean(terms[:4], axis=0), rtol=1e-13)
    np.testing.assert_array_equal(RISK.term_gradient(w, -1), terms[8])


@pytest.mark.parametrize("rows", [9, -10, [], 0.5, "first", [[0]], [True, False]])
def test_what_is_no_row_is_refused(rows):
    with pytest.raises(InvalidParameterError, match="from 0 to 8"):
        RISK.term_gradient(np.zeros(3), rows)
