"""Rows for tests of mixtures."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture(scope="session")
def groups():
    """Rows of four Gaussians that overlap, each with a covariance of its own."""
    rng = np.random.default_rng(3)
    parts = [
        rng.normal(size=(150, 3)) @ rng.normal(size=(3, 3)) + rng.normal(size=3) * 3.0
        for _ in range(4)
    ]
    return rng.permutation(np.concatenate(parts))
