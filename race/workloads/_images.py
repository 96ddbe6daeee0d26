"""What the races of networks for images share."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data, Size

RATE, BATCH = 0.001, 64


def make(size: Size, seed: int) -> Data:
    """Images 28 × 28 of ten smooth patterns, scaled and very noisy; float32."""
    generator = np.random.default_rng(seed)
    waves = generator.standard_normal((10, 7, 7)).repeat(4, axis=1).repeat(4, axis=2)
    y = generator.integers(0, 10, size["rows"])
    images = waves[y] * generator.uniform(0.5, 1.5, (size["rows"], 1, 1))
    images += 4.0 * generator.standard_normal(images.shape)
    made: dict[str, Any] = {"X": images[:, np.newaxis].astype(np.float32), "y": y}
    return made


def lenet(data: Data) -> Any:
    """Probabilities after one epoch of Adam on LeNet with rectifiers, ours."""
    from stylobate.neural_network import (
        Activation,
        Conv2d,
        Dense,
        Flatten,
        MaxPool2d,
        Network,
    )
    from stylobate.optimize import Adam

    relu = Activation("relu")
    layers = [
        Conv2d(6, 5, padding=2), relu, MaxPool2d(2), Conv2d(16, 5), relu, MaxPool2d(2),
        Flatten(), Dense(120, "he"), relu, Dense(84, "he"), relu, Dense(10), Activation("softmax"),
    ]  # fmt: skip
    network = Network(layers, (1, 28, 28), dtype="float32")
    found = network.train(data["X"], data["y"], "cross_entropy", method=Adam(RATE, batch=BATCH),
                          epochs=1, progress=False)  # fmt: skip
    return found.network.predict(data["X"])


def torch_lenet(data: Data, *, channels_last: bool) -> Any:
    """The same network and steps in torch."""
    import torch

    torch.manual_seed(0)
    nn = torch.nn
    kind = torch.channels_last if channels_last else torch.contiguous_format
    network = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84),
        nn.ReLU(), nn.Linear(84, 10),
    ).to(memory_format=kind)  # fmt: skip
    for module in network:  # begun as ours is
        if hasattr(module, "weight"):
            last = module is network[-1]
            (nn.init.xavier_uniform_ if last else nn.init.kaiming_normal_)(module.weight)
            nn.init.zeros_(module.bias)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    x = torch.from_numpy(data["X"]).to(memory_format=kind)
    y = torch.from_numpy(data["y"])
    for rows in torch.randperm(len(x)).split(BATCH):
        optimizer.zero_grad()
        nn.functional.cross_entropy(network(x[rows]), y[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        return torch.softmax(network(x), 1).numpy()
