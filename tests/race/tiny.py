"""A workload of milliseconds, with one contender for everything that can go wrong."""

from __future__ import annotations

import os
import time

import numpy as np

from race.goals import Faster, Within
from race.workload import Contender, Data, Size, Workload


def make(size: Size, seed: int) -> Data:
    return {"x": np.random.default_rng(seed).standard_normal(size["rows"])}


def mean(data: Data) -> float:
    """Minimise Σ(x - m)²."""
    return float(data["x"].mean())


def slow_mean(data: Data) -> float:
    time.sleep(0.05)
    return mean(data)


def wrong(data: Data) -> float:
    return 0.5


def not_a_number(data: Data) -> float:
    return float("nan")


def absent(data: Data) -> float:
    import a_package_nobody_has  # noqa: F401

    return mean(data)


def fails(data: Data) -> float:
    raise ValueError("first line\nsecond line")


def dies(data: Data) -> float:
    os._exit(3)


def endless(data: Data) -> float:
    while True:
        time.sleep(1)


def prints(data: Data) -> float:
    print("{'status': 'confusing'}", flush=True)
    return mean(data)


def hungry(data: Data) -> float:
    block = np.ones(8_000_000)
    return mean(data) + 0.0 * float(block[0])


def quality(solution: float, data: Data) -> float:
    return float(((data["x"] - solution) ** 2).sum())


WORKLOAD = Workload(
    name="tiny",
    title="the mean",
    sizes={"small": {"rows": 10}, "standard": {"rows": 1000}},
    make=make,
    contenders=(
        Contender("ours", "numpy", slow_mean, "ours"),
        Contender("mean", "numpy", mean),
        Contender("wrong", "numpy", wrong),
        Contender("nan", "numpy", not_a_number),
        Contender("absent", "a_package_nobody_has", absent),
        Contender("fails", "numpy", fails),
        Contender("dies", "numpy", dies),
        Contender("endless", "numpy", endless),
        Contender("prints", "numpy", prints),
        Contender("hungry", "numpy", hungry, "reference"),
    ),
    quality=quality,
    floor=lambda size: (float(size["rows"]), 8.0 * size["rows"]),
    notes=lambda solution, data: f"m = {solution:.3f}",
    goals=(Faster("peers", 2.0), Within("mean", 10.0)),
)
