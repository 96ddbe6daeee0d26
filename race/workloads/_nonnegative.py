"""What the workloads on non-negative factors share: contenders, and the loss they reach."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data

K = 20
ITERATIONS = 50


def factors(package: str, x: Any, **settings: Any) -> Any:
    """H and the error of a fixed number of iterations: every contender makes the same steps."""
    kind = import_module(f"{package}.decomposition").NMF
    model = kind(K, init="random", random_state=0, max_iter=ITERATIONS, tol=0.0, **settings)
    return model.fit(x).reconstruction_err_


def contenders(table_of: Callable[[Data], Any]) -> tuple[Contender, ...]:
    """Ours and scikit-learn's."""
    return (
        Contender("ours", "stylobate", lambda data: factors("stylobate", table_of(data)), "ours"),
        Contender("sklearn", "sklearn", lambda data: factors("sklearn", table_of(data))),
    )


def quality(error: Any, data: Data) -> float:
    """The norm of what the factors miss."""
    return float(error)


GOALS = (Faster("sklearn", 3.0),)
