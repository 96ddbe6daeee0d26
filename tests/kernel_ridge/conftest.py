"""Rows, targets and weights shared by the tests of kernel ridge."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture(scope="session")
def rows():
    return np.random.default_rng(0).normal(size=(120, 4))


@pytest.fixture(scope="session")
def targets(rows):
    return np.column_stack([np.sin(2.0 * rows[:, 0]) + rows[:, 1], rows[:, 2] ** 2 - 1.0])


@pytest.fixture(scope="session")
def weights(rows):
    drawn = np.random.default_rng(1).random(len(rows))
    drawn[[3, 50]] = 0.0
    return drawn
