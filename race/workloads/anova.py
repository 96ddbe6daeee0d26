"""A type II table of two crossed factors and a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

FORMULA = "y ~ C(a) * C(b) + x"


def make(size: Size, seed: int) -> Data:
    """Cells of unequal size."""
    rng = np.random.default_rng(seed)
    n = size["rows"]
    a, b = rng.binomial(size["levels"] - 1, 0.5, n), rng.integers(0, size["levels"], n)
    a[: size["levels"]], b[: size["levels"]] = np.arange(size["levels"]), 0
    x = rng.normal(size=n)
    y = 0.1 * a + x + rng.normal(size=n)
    return {"a": a.astype(float), "b": b.astype(float), "x": x, "y": y}


def ours(data: Data) -> Any:
    from stylobate import model

    return model(FORMULA, dict(data)).anova(2).sum_sq


def statsmodels(data: Data) -> Any:
    import pandas as pd
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    table = anova_lm(ols(FORMULA, pd.DataFrame(data)).fit(), typ=2)
    names = ["C(a)", "C(b)", "x", "C(a):C(b)", "Residual"]
    return table["sum_sq"].loc[names].to_numpy()


def quality(squares: Any, data: Data) -> float:
    """The sums of squares themselves: all contenders' are compared with the best's."""
    return float(np.abs(np.asarray(squares)).sum())


WORKLOAD = Workload(
    name="anova",
    title="analysis of variance, type II",
    sizes={
        "small": {"rows": 2_000, "levels": 4},
        "standard": {"rows": 200_000, "levels": 6},
        "large": {"rows": 1_000_000, "levels": 8},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("statsmodels", "statsmodels", statsmodels),
    ),
    quality=quality,
    goals=(Faster("peers", 2.0),),
)
