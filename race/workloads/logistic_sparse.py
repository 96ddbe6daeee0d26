"""Logistic regression of text-like rows: many columns, few of them in each row."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _classes
from race.workloads._classes import Margins


def make(size: Size, seed: int) -> Data:
    """Rows of length one with words of very different frequencies; a tenth of them matter."""
    generator = np.random.default_rng(seed)
    rows, columns, entries = size["rows"], size["columns"], size["entries"]
    words = (columns * generator.random((rows, entries)) ** 2).astype(np.int64)
    values = generator.exponential(size=(rows, entries))
    values /= np.sqrt((values**2).sum(axis=1, keepdims=True))
    w = generator.standard_normal(columns) * (generator.random(columns) < 0.1)
    z = (values * w[words]).sum(axis=1)
    y = generator.random(rows) < 1.0 / (1.0 + np.exp(-4.0 * z / z.std()))
    return {
        "values": values.ravel(),
        "words": words.ravel().astype(np.float64),
        "entries": np.array([float(entries), float(columns)]),
        "y": y.astype(np.float64),
    }


def rows_of(data: Data) -> Any:
    """The rows as CSR; kept with the data, so that it is made once."""
    from scipy import sparse

    kept: dict[str, Any] = data
    if "csr" not in kept:
        entries, columns = (int(number) for number in data["entries"])
        offsets = np.arange(0, len(data["words"]) + 1, entries, dtype=np.int32)
        shape = (len(data["y"]), columns)
        x = sparse.csr_array((data["values"], data["words"].astype(np.int32), offsets), shape)
        x.sum_duplicates()
        kept["csr"] = x
    return kept["csr"]


def ours(data: Data) -> Margins:
    return _classes.ours(rows_of(data), data["y"])


def sklearn(data: Data, solver: str) -> Margins:
    return _classes.sklearn(rows_of(data), data["y"], solver)


def liblinear(data: Data, method: int) -> Margins:
    from scipy import sparse

    return _classes.liblinear(sparse.csr_matrix(rows_of(data)), data["y"], method)


def snapml(data: Data) -> Margins:
    from scipy import sparse

    return _classes.snapml(sparse.csr_matrix(rows_of(data)), data["y"])


def quality(answer: Margins, data: Data) -> float:
    return _classes.objective(rows_of(data), data["y"], answer)


def work(size: Size) -> tuple[float, float]:
    """A dozen gradients over the entries."""
    entries = size["rows"] * size["entries"]
    return 12.0 * 4 * entries, 12.0 * 12 * entries


WORKLOAD = Workload(
    name="logistic_sparse",
    title="logistic regression of sparse rows, C = 1",
    sizes={
        "small": {"rows": 1_000, "columns": 2_000, "entries": 20},
        "standard": {"rows": 50_000, "columns": 100_000, "entries": 50},
        "large": {"rows": 500_000, "columns": 1_000_000, "entries": 50},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        *(
            Contender(f"sklearn {s}", "sklearn", partial(sklearn, solver=s))
            for s in _classes.SOLVERS
            if s != "newton-cholesky"  # a Hessian of 1e5 × 1e5
        ),
        Contender("liblinear primal", "liblinear", partial(liblinear, method=0)),
        Contender("liblinear dual", "liblinear", partial(liblinear, method=7)),
        Contender("snapml", "snapml", snapml),
    ),
    quality=quality,
    tolerance=1e-4,  # LIBLINEAR's default answer is no better
    floor=work,
    goals=(Faster("peers", 2.0),),
)
