"""Fixtures of the robust regressions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from robust_data import Array, make


@pytest.fixture
def heavy() -> tuple[Array, Array]:
    return make(200, 3)
