"""Rows for tests of clusterings."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture(scope="session")
def blobs():
    """Rows about five centres that overlap a little, and the centre of each."""
    rng = np.random.default_rng(5)
    centres = rng.uniform(-8.0, 8.0, (5, 3))
    labels = rng.integers(0, 5, 500)
    return centres[labels] + rng.standard_normal((500, 3)), labels


@pytest.fixture(scope="session")
def noise():
    """Rows without clusters."""
    return np.random.default_rng(6).standard_normal((700, 12))
