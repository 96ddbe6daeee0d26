"""Tables with every kind of target, drawn once."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest


@pytest.fixture(scope="session")
def reference_data():
    """The shared reference data, or a skip."""
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("STYLOBATE_DATA", root.parent / "shared" / "data")) / "reference"
    if not folder.is_dir():
        pytest.skip(f"reference data not found at {folder}; set STYLOBATE_DATA")
    return folder


@pytest.fixture(scope="session")
def table():
    rng = np.random.default_rng(0)
    n = 400
    d = pd.DataFrame({
        "x": rng.normal(size=n), "z": rng.uniform(1, 3, n), "a": rng.choice(list("pqr"), n),
        "b": rng.choice(["u", "v"], n), "t": rng.uniform(0.5, 2, n), "g": rng.integers(0, 30, n),
        "h": rng.integers(0, 12, n),
    })  # fmt: skip
    eta = 0.3 + 0.5 * d.x - 0.4 * (d.a == "q") + 0.2 * np.log(d.z)
    d["y"] = eta + rng.normal(size=n)
    d["count"] = rng.poisson(np.exp(eta) * d.t)
    d["spread"] = rng.negative_binomial(2, 2 / (2 + np.exp(eta)))
    d["label"] = (eta + rng.logistic(size=n) > 0).astype(int)
    d["amount"] = rng.gamma(2, np.exp(eta) / 2)
    d["grade"] = np.digitize(eta + rng.logistic(size=n), [-0.5, 0.5, 1.5])
    d["visits"] = np.where(rng.uniform(size=n) < 0.3, 0, rng.poisson(np.exp(eta)))
    crowd = rng.negative_binomial(3, 3 / (3 + np.exp(1 + eta)))
    d["crowd"] = np.where(rng.uniform(size=n) < 0.3, 0, crowd)
    return d
