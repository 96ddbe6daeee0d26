"""t-SNE of ten thousand rows."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Workload
from race.workloads._maps import digit_like_rows, divergence, opentsne, ours, sklearn, sklearnex

ITERATIONS = 500


WORKLOAD = Workload(
    name="tsne",
    title=f"t-SNE, {ITERATIONS} iterations",
    sizes={
        "small": {"rows": 1000, "columns": 20},
        "standard": {"rows": 10_000, "columns": 50},
        "large": {"rows": 30_000, "columns": 50},
    },
    make=digit_like_rows,
    contenders=(
        Contender("ours", "stylobate", partial(ours, iterations=ITERATIONS), "ours"),
        Contender("sklearnex", "sklearnex", partial(sklearnex, iterations=ITERATIONS)),
        Contender("openTSNE fft", "openTSNE", partial(opentsne, iterations=ITERATIONS)),
        Contender("sklearn", "sklearn", partial(sklearn, iterations=ITERATIONS)),
    ),
    quality=divergence,
    tolerance=0.2,  # scikit-learn's late steps are short, and end higher
    goals=(Faster("sklearnex", 1.8), Faster("openTSNE", 4.0)),
)
