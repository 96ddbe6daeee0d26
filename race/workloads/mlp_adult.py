"""A perceptron on the Adult table, to the same log-loss."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._tables import make_numbers, quality

UNITS, EPOCHS = 64, 10


def perceptron(data: Data, package: str) -> Any:
    """Probabilities of held-out rows after ten epochs of Adam, the same steps for all."""
    import warnings

    kind = import_module(f"{package}.neural_network").MLPClassifier
    model = kind((UNITS,), max_iter=EPOCHS, tol=0.0, n_iter_no_change=EPOCHS, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the epochs end before convergence, as asked for
        model.fit(data["X"], data["y"])
    return model.predict_proba(data["held"])


def floor(size: Size) -> tuple[float, float]:
    """Two products with the first layer's weights per row and epoch; the rows read once."""
    rows = 0.75 * EPOCHS * float(size["rows"])
    return 4.0 * rows * 90 * UNITS, 4.0 * rows * 90


WORKLOAD = Workload(
    name="mlp_adult",
    title=f"Adult as numbers, perceptron of {UNITS} hidden units, {EPOCHS} epochs of Adam, float32",
    sizes={"small": {"rows": 4_000}, "standard": {"rows": 48_842}},
    make=make_numbers,
    contenders=(
        Contender("ours", "stylobate", partial(perceptron, package="stylobate"), "ours"),
        Contender("sklearn", "sklearn", partial(perceptron, package="sklearn")),
    ),
    quality=quality,
    tolerance=1e-3,
    floor=floor,
    goals=(Faster("peers", 1.5),),
)
