"""Tables with factors, for races of statisticians' questions."""

from __future__ import annotations

import numpy as np

from race.workload import Data, Size


def make_panel(size: Size, seed: int) -> Data:
    """Columns that vary within and between the levels of two factors."""
    rng = np.random.default_rng(seed)
    n, p = size["rows"], size["columns"]
    firm = rng.integers(0, size["firms"], n)
    year = rng.integers(0, size["years"], n)
    own = rng.normal(size=size["firms"])[firm] + rng.normal(size=size["years"])[year]
    x = rng.normal(size=(n, p)) + 0.5 * own[:, None]
    y = x @ np.linspace(1.0, 2.0, p) + own + rng.normal(size=n)
    return {"X": x, "y": y, "firm": firm.astype(float), "year": year.astype(float)}
