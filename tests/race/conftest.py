"""The race is a top-level package that is not installed: find it beside the tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


@pytest.fixture(scope="session")
def tiny_file() -> Path:
    """Path of the workload the harness is tried on."""
    return Path(__file__).parent / "tiny.py"
