"""Support vector classification of text-like rows, a linear kernel, to a gap that is verified."""

from __future__ import annotations

from functools import partial
from importlib import import_module

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._svm import C, Machine, dense_weights, kept
from race.workloads.logistic_sparse import make, rows_of

TOLERANCES = (1e-4, 1e-5, 1e-6)  # of peers: the loosest that reaches the gap counts


def fitted(data: Data, package: str, tol: float) -> Machine:
    """A package's SVC with a linear kernel."""
    kind = import_module(f"{package}.svm").SVC
    return kept(kind(C=C, kernel="linear", tol=tol).fit(rows_of(data), data["y"]))


def relative_gap(answer: Machine, data: Data) -> float:
    """Primal minus dual value, relative to the primal; inf if infeasible."""
    x, y = rows_of(data), np.where(data["y"] > 0, 1.0, -1.0)
    weights = dense_weights(answer, len(y))
    signed = weights * y
    if signed.min() < -1e-12 or signed.max() > C * (1 + 1e-12) or abs(weights.sum()) > 1e-6 * C:
        return float("inf")
    w = x.T @ weights
    square = float(w @ w)
    short = np.maximum(0.0, 1.0 - y * (x @ w + answer.offset))
    primal = 0.5 * square + C * float(short.sum())
    return (primal - (float(signed.sum()) - 0.5 * square)) / primal


def quality(answer: Machine, data: Data) -> float:
    """One and the relative gap: what counts is within 1e-6 of none."""
    return 1.0 + relative_gap(answer, data)


def notes(answer: Machine, data: Data) -> str:
    return f"gap {relative_gap(answer, data):.1e}, {len(answer.support)} support vectors"


def floor(size: Size) -> tuple[float, float]:
    """Every row against the support vectors, about half of the rows, once."""
    rows, entries = float(size["rows"]), float(size["entries"])
    return rows * rows * entries, 12.0 * rows * entries


WORKLOAD = Workload(
    name="svc_sparse",
    title="support vector classification of sparse rows, linear kernel, C = 1",
    sizes={
        "small": {"rows": 1_000, "columns": 5_000, "entries": 50},
        "standard": {"rows": 10_000, "columns": 20_000, "entries": 60},
        "large": {"rows": 30_000, "columns": 50_000, "entries": 80},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(fitted, package="stylobate", tol=1e-3), "ours"),
        *(
            Contender(f"{package} {tol:g}", package, partial(fitted, package=package, tol=tol))
            for package in ("sklearn", "sklearnex")
            for tol in TOLERANCES
        ),
    ),
    quality=quality,
    tolerance=1e-6,
    floor=floor,
    notes=notes,
    goals=(Faster("peers", 3.0),),
)
