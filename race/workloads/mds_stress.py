"""Metric scaling by stress."""

from __future__ import annotations

import warnings
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

ITERATIONS = 300


def make(size: Size, seed: int) -> Data:
    from scipy.spatial.distance import cdist

    generator = np.random.default_rng(seed)
    centres = 3.0 * generator.standard_normal((8, 12))
    rows = centres[generator.integers(0, 8, size["rows"])]
    rows = rows + generator.standard_normal(rows.shape)
    return {"D": cdist(rows, rows)}


def placed(data: Data, package: str, **options: Any) -> Any:
    """Positions by a package's class, from the same random start."""
    model = import_module(f"{package}.manifold").MDS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (
            model(
                2,
                metric="precomputed",
                init="random",
                max_iter=ITERATIONS,
                random_state=0,
                **options,
            )
            .fit(data["D"])
            .embedding_
        )


def quality(found: Any, data: Data) -> float:
    """The stress."""
    from scipy.spatial.distance import cdist

    return float(0.5 * ((cdist(found, found) - data["D"]) ** 2).sum())


def floor(size: Size) -> tuple[float, float]:
    """A hundred looks at all pairs."""
    pairs = float(size["rows"]) ** 2
    return 100.0 * 12.0 * pairs, 800.0 * pairs


WORKLOAD = Workload(
    name="mds_stress",
    title=f"metric scaling by stress, at most {ITERATIONS} iterations",
    sizes={"small": {"rows": 150}, "standard": {"rows": 1_000}, "large": {"rows": 4_000}},
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(placed, package="stylobate", eps=1e-9), "ours"),
        Contender(
            "ours smacof",
            "stylobate",
            partial(placed, package="stylobate", solver="smacof"),
            "reference",
        ),
        Contender("sklearn", "sklearn", partial(placed, package="sklearn", eps=0.0)),
    ),
    quality=quality,
    tolerance=0.02,  # another local minimum may end a little above
    floor=floor,
    goals=(Faster("sklearn", 15.0),),
)
