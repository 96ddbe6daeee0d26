"""Where reference data are, and designs shared by the parity tests."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The shared reference data, or a skip."""
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("STYLOBATE_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"reference data not found at {folder}; set STYLOBATE_DATA")
    return folder


@pytest.fixture(scope="session")
def make_data():
    """`make_data(n, p, targets, weighted)`: correlated columns of uneven scale, noisy targets."""

    def make(n=80, p=5, targets=1, weighted=False, seed=0):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, p)) @ (np.eye(p) + 0.4 * rng.normal(size=(p, p)))
        X = X * 10.0 ** rng.uniform(-0.5, 0.5, p) + rng.normal(size=p)
        Y = X @ rng.normal(size=(p, targets)) + 2.0 + rng.normal(size=(n, targets))
        w = rng.uniform(0.2, 3.0, n) if weighted else None
        return X, (Y[:, 0] if targets == 1 else Y), w

    return make
