"""What the races of networks share: rows whose classes a network can learn, and their log-loss."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from race.workload import Data, Size

RATE = 0.001


def make(size: Size, seed: int) -> Data:
    """Classes by the largest of ten random non-linear functions; float32."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((size["rows"], size["columns"])).astype(np.float32)
    inner = generator.standard_normal((size["columns"], 30)) / np.sqrt(size["columns"])
    scores = np.tanh(2.0 * (x @ inner)) @ generator.standard_normal((30, 10))
    return {"X": x, "y": scores.argmax(axis=1)}


def perceptron(data: Data, package: str, *, units: int, epochs: int) -> Any:
    """Probabilities of the rows after some epochs of Adam, batches of 200."""
    import warnings

    kind = import_module(f"{package}.neural_network").MLPClassifier
    model = kind((units,), batch_size=200, max_iter=epochs, tol=0.0, n_iter_no_change=epochs,
                 learning_rate_init=RATE, random_state=0)  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the epochs end before convergence, as asked for
        model.fit(data["X"], data["y"])
    return model.predict_proba(data["X"])


def torch_perceptron(data: Data, *, units: int, epochs: int) -> Any:
    """The same network and steps in torch."""
    import torch

    torch.manual_seed(0)
    x, y = torch.from_numpy(data["X"]), torch.from_numpy(data["y"])
    network = torch.nn.Sequential(
        torch.nn.Linear(x.shape[1], units), torch.nn.ReLU(), torch.nn.Linear(units, 10)
    )
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(200):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(network(x[rows]), y[rows]).backward()
            optimizer.step()
    with torch.no_grad():
        return torch.softmax(network(x), 1).numpy()


def quality(probabilities: Any, data: Data) -> float:
    """The mean log-loss."""
    chosen = np.asarray(probabilities)[np.arange(len(data["y"])), data["y"]]
    return float(-np.log(np.maximum(chosen, 1e-7)).mean())
