"""Least squares with two absorbed factors."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._designs import make_panel


def ours(data: Data) -> Any:
    from stylobate import model

    names = [f"x{j}" for j in range(data["X"].shape[1])]
    table: dict[str, Any] = dict(zip(names, data["X"].T, strict=True))
    table |= {"y": data["y"], "firm": data["firm"], "year": data["year"]}
    return model("y ~ " + " + ".join(names), table, absorb=["firm", "year"]).coef_


def pyfixest(data: Data) -> Any:
    import pandas as pd
    from pyfixest import feols

    names = [f"x{j}" for j in range(data["X"].shape[1])]
    table = pd.DataFrame(data["X"], columns=names)
    table["y"], table["firm"], table["year"] = data["y"], data["firm"], data["year"]
    return feols("y ~ " + " + ".join(names) + " | firm + year", table).coef().to_numpy()


def linearmodels(data: Data) -> Any:
    import pandas as pd
    from linearmodels.iv.absorbing import AbsorbingLS

    absorbed = pd.DataFrame({"firm": data["firm"], "year": data["year"]}).astype("category")
    return AbsorbingLS(data["y"], data["X"], absorb=absorbed).fit().params.to_numpy()


def alternating(data: Data) -> Any:
    """By hand: means of levels taken out in turn until nothing moves."""
    codes = [np.unique(data[name], return_inverse=True)[1] for name in ("firm", "year")]
    counts = [np.bincount(code).astype(float) for code in codes]
    columns = np.column_stack([data["X"], data["y"]])
    for _ in range(200):
        before = columns.copy()
        for code, count in zip(codes, counts, strict=True):
            for j in range(columns.shape[1]):
                columns[:, j] -= (np.bincount(code, columns[:, j]) / count)[code]
        if np.abs(before - columns).max() < 1e-10:
            break
    return np.linalg.lstsq(columns[:, :-1], columns[:, -1])[0]


def quality(coef: Any, data: Data) -> float:
    """The distance from the coefficients that two exact sweeps give."""
    from stylobate.optimize.absorption import Absorption

    codes = tuple(np.unique(data[name], return_inverse=True)[1] for name in ("firm", "year"))
    rest = Absorption(codes, None).residuals(np.column_stack([data["X"], data["y"]]))
    residual = rest[:, -1] - rest[:, :-1] @ np.asarray(coef)
    return float(residual @ residual)


def work(size: Size) -> tuple[float, float]:
    """One look at every entry and label."""
    entries = size["rows"] * (size["columns"] + 3)
    return 2.0 * entries, 8.0 * entries


WORKLOAD = Workload(
    name="fixed_effects",
    title="least squares with two absorbed factors",
    sizes={
        "small": {"rows": 2_000, "columns": 3, "firms": 100, "years": 10},
        "standard": {"rows": 1_000_000, "columns": 5, "firms": 100_000, "years": 1_000},
        "large": {"rows": 3_000_000, "columns": 10, "firms": 300_000, "years": 2_000},
    },
    make=make_panel,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("pyfixest", "pyfixest", pyfixest),
        Contender("linearmodels", "linearmodels", linearmodels),
        Contender("by hand", "numpy", alternating, "reference"),
    ),
    quality=quality,
    floor=work,
    goals=(Faster("peers", 2.0),),
)
