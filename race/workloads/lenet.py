"""LeNet on images 28 × 28, one epoch of Adam."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Size, Workload
from race.workloads._images import lenet, make, torch_lenet
from race.workloads._networks import quality

# products of a pass forward: two convolutions and three dense layers
PRODUCTS = 6 * 25 * 784 + 16 * 150 * 100 + 400 * 120 + 120 * 84 + 84 * 10


def floor(size: Size) -> tuple[float, float]:
    """Forward, and back by weights and by inputs (not those of the first layer)."""
    return 2.0 * size["rows"] * (3.0 * PRODUCTS - 6 * 25 * 784), 4.0 * 784 * size["rows"]


WORKLOAD = Workload(
    name="lenet",
    title="LeNet on images 28 × 28, one epoch of Adam, float32",
    sizes={"small": {"rows": 1_000}, "standard": {"rows": 10_000}, "large": {"rows": 40_000}},
    make=make,
    contenders=(
        Contender("ours", "stylobate", lenet, "ours"),
        Contender("torch", "torch", partial(torch_lenet, channels_last=False)),
        Contender("torch channels-last", "torch", partial(torch_lenet, channels_last=True)),
    ),
    quality=quality,
    tolerance=0.5,  # torch draws other weights and orders, and one epoch is short
    floor=floor,
    goals=(Faster("peers", 2.5),),
)
