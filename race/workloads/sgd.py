"""A linear support vector machine by five epochs of stochastic gradient descent."""

from __future__ import annotations

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, line_of

ALPHA = 1e-4
EPOCHS = 5


def make(size: Size, seed: int) -> Data:
    """Noisy labels of a random hyperplane; columns of mean 0 and variance 1."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((size["rows"], size["columns"]))
    margin = x @ generator.standard_normal(size["columns"])
    margin += 0.5 * np.sqrt(size["columns"]) * generator.standard_normal(len(x))
    return {"X": x, "y": (margin > 0).astype(np.float64)}


def ours(data: Data) -> Line:
    from stylobate.linear_model import SGDClassifier

    model = SGDClassifier(alpha=ALPHA, max_iter=EPOCHS, tol=None, random_state=0, average=True)
    return line_of(model.fit(data["X"], data["y"]))


def sklearn(data: Data) -> Line:
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(alpha=ALPHA, max_iter=EPOCHS, tol=None, random_state=0, average=True)
    return line_of(model.fit(data["X"], data["y"]))


def quality(line: Line, data: Data) -> float:
    """The mean hinge loss plus the penalty."""
    margins = (2.0 * data["y"] - 1.0) * (data["X"] @ line.coef + line.intercept)
    hinge = np.maximum(0.0, 1.0 - margins).mean()
    return float(hinge + 0.5 * ALPHA * line.coef @ line.coef)


def work(size: Size) -> tuple[float, float]:
    """A product and an update per row and epoch, and the rows read that often."""
    numbers = EPOCHS * size["rows"] * size["columns"]
    return 4.0 * numbers, 8.0 * numbers


WORKLOAD = Workload(
    name="sgd",
    title=f"averaged SGD, hinge loss, {EPOCHS} epochs",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 100_000, "columns": 100},
        "large": {"rows": 1_000_000, "columns": 100},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
    ),
    quality=quality,
    tolerance=0.05,  # of two random orders neither is the better one
    floor=work,
    goals=(Faster("peers", 1.5),),
)
