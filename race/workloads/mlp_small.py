"""A small perceptron, a hundred epochs of Adam."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Size, Workload
from race.workloads._networks import make, perceptron, quality, torch_perceptron

UNITS, EPOCHS = 100, 100


def floor(size: Size) -> tuple[float, float]:
    """Two products with the first layer's weights per row and epoch; the rows read once."""
    rows = EPOCHS * float(size["rows"])
    return 4.0 * rows * size["columns"] * UNITS, 4.0 * rows * size["columns"]


WORKLOAD = Workload(
    name="mlp_small",
    title="perceptron of 100 hidden units, 100 epoch(s) of Adam, float32",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 10_000, "columns": 20},
        "large": {"rows": 50_000, "columns": 20},
    },
    make=make,
    contenders=(
        Contender(
            "ours",
            "stylobate",
            partial(perceptron, package="stylobate", units=UNITS, epochs=EPOCHS),
            "ours",
        ),
        Contender(
            "sklearn",
            "sklearn",
            partial(perceptron, package="sklearn", units=UNITS, epochs=EPOCHS),
        ),
        Contender("torch", "torch", partial(torch_perceptron, units=UNITS, epochs=EPOCHS)),
    ),
    quality=quality,
    tolerance=0.1,  # torch draws other weights and orders
    floor=floor,
    goals=(Faster("peers", 3.0),),
)
