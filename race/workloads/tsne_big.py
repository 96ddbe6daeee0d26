"""t-SNE of as many rows as MNIST has."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Workload
from race.workloads._maps import digit_like_rows, divergence, opentsne, ours

ITERATIONS = 750


WORKLOAD = Workload(
    name="tsne_big",
    title=f"t-SNE of many rows, {ITERATIONS} iterations",
    sizes={
        "small": {"rows": 4000, "columns": 20},
        "standard": {"rows": 70_000, "columns": 50},
        "large": {"rows": 200_000, "columns": 50},
    },
    make=digit_like_rows,
    contenders=(
        Contender("ours", "stylobate", partial(ours, iterations=ITERATIONS), "ours"),
        Contender("openTSNE fft", "openTSNE", partial(opentsne, iterations=ITERATIONS)),
    ),
    quality=divergence,
    tolerance=0.02,
    goals=(Faster("openTSNE", 3.0),),
)
