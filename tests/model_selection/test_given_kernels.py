"""Rows given by their kernel with each other are cut into parts on both sides."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stylobate.kernel_ridge import KernelRidge
from stylobate.model_selection import cross_val_predict, cross_val_score
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import KernelCenterer


@pytest.mark.parametrize("centred", [False, True])
def test_predictions_and_scores_of_given_kernels(centred):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(30, 4))
    y = X @ [1.0, 2.0, 3.0, 4.0]
    kernel = X @ X.T
    given = KernelRidge(kernel="precomputed", alpha=0.1)
    if centred:
        given = make_pipeline(KernelCenterer(), given)
        found = cross_val_predict(given, kernel, y, cv=3)
        assert found.shape == y.shape
        assert np.corrcoef(found, y)[0, 1] > 0.99
        return
    plain = KernelRidge(kernel="linear", alpha=0.1)
    assert_allclose(cross_val_predict(given, kernel, y, cv=3), cross_val_predict(plain, X, y, cv=3))
    assert_allclose(cross_val_score(given, kernel, y, cv=3), cross_val_score(plain, X, y, cv=3))
