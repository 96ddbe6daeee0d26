"""VGG-16 forward on a batch of images 3 × 224 × 224."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

PRODUCTS = 15.47e9  # of one image


def make(size: Size, seed: int) -> Data:
    """Noise; what it is does not change the time."""
    draw = np.random.default_rng(seed)
    return {"X": draw.standard_normal((size["images"], 3, 224, 224)).astype(np.float32)}


@cache
def network() -> Any:
    """One network for all contenders, drawn once."""
    from stylobate.neural_network.architectures import vgg16

    return vgg16()


def ours(data: Data) -> Any:
    """Probabilities."""
    return network().predict(data["X"])


@cache
def torch_network() -> Any:
    """The same weights in torch's layers."""
    import torch
    from torch import nn

    weights = [torch.from_numpy(np.array(w)) for w in network().weights().values()]
    modules, channels, taken = [], 3, iter(weights)

    def held(module: Any, *, turned: bool) -> Any:
        w, b = next(taken), next(taken)
        module.weight.data, module.bias.data = (w.T.contiguous() if turned else w), b
        return module

    for filters, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(count):
            bare = nn.Conv2d(channels, filters, 3, padding=1)
            modules += [held(bare, turned=False), nn.ReLU()]
            channels = filters
        modules.append(nn.MaxPool2d(2))
    modules.append(nn.Flatten())
    for inputs, units in ((25088, 4096), (4096, 4096)):
        modules += [held(nn.Linear(inputs, units), turned=True), nn.ReLU()]
    modules += [held(nn.Linear(4096, 1000), turned=True), nn.Softmax(1)]
    return nn.Sequential(*modules).eval()


def theirs(data: Data) -> Any:
    """Probabilities by torch."""
    import torch

    with torch.no_grad():
        return torch_network()(torch.from_numpy(data["X"])).numpy()


def quality(probabilities: Any, data: Data) -> float:
    """How far they are from sums of one and from what both compute: the mean log-probability."""
    found = np.asarray(probabilities, dtype=np.float64)
    if found.shape != (len(data["X"]), 1000) or abs(found.sum(axis=1) - 1.0).max() > 1e-4:
        return float("inf")
    return float(-np.log(found[:, 0] + 1e-30).mean())


def floor(size: Size) -> tuple[float, float]:
    """Products, and the weights read once."""
    return 2.0 * PRODUCTS * size["images"], 4.0 * 138_357_544


WORKLOAD = Workload(
    name="vgg_forward",
    title="VGG-16 forward on images 3 × 224 × 224, float32",
    sizes={"small": {"images": 1}, "standard": {"images": 4}, "large": {"images": 16}},
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("torch", "torch", theirs),
    ),
    quality=quality,
    tolerance=1e-3,
    floor=floor,
    goals=(Faster("torch", 1.0),),
)
