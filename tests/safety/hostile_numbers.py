"""Finite numbers that arithmetic cannot hold: every estimator either answers in numbers or refuses.

`main` tries every public estimator on every case and counts the outcomes; `scripts/fuzz_numbers`
is its command. An outcome is "finite", "refused" (a sentence of this library), "told" (NaN or
infinity with a warning of ours), "silent" (without one) or "raw" (an error of the inside).
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from stylobate.base.discovery import all_estimators
from stylobate.exceptions import StylobateError, StylobateWarning
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import answers, as_array, fitted, problem_for, takes_weights

HUGE = np.finfo(np.float64).max
LEAST = 5e-324
SIZES = {"1e155": 1e155, "1e300": 1e300, "max": HUGE}
SEEN = ("predict", "predict_proba", "decision_function", "transform")

Case = tuple[Any, Any, Any, Any]  # X, y and weights to fit; rows to ask about

# infinities that are right answers: why
MEANT = {
    ("OPTICS", "core_distances_"): "a row without neighbours is no core at any distance",
    ("OPTICS", "reachability_"): "the first row is reached from nowhere",
}


def _scaled(values: Any, size: float) -> Any:
    """`values` brought to the size, the largest number at most."""
    values = np.asarray(values, dtype=np.float64)
    top = np.abs(values).max() or 1.0
    return values / top * size


def cases(estimator: Any) -> Iterator[tuple[str, Callable[[], Case]]]:
    """Names of the cases that apply to an estimator, and what makes each."""
    problem = problem_for(estimator)
    x, y = problem.X, problem.y
    numeric = y is not None and y.dtype.kind == "f"

    def one(column: Any) -> Any:
        changed = x.copy()
        changed[:, 0] = column
        return changed

    for name, size in SIZES.items():
        yield f"X of {name}", lambda s=size: (_scaled(x, s), y, None, _scaled(x, s))
        yield f"a column of {name}", lambda s=size: (one(_scaled(x[:, 0], s)),) * 1 + (
            y, None, one(_scaled(x[:, 0], s)))  # fmt: skip
        yield f"asked at {name}", lambda s=size: (x, y, None, _scaled(x, s))
        if numeric:
            yield f"y of {name}", lambda s=size: (x, _scaled(y, s), None, x)
        if takes_weights(estimator):
            yield f"weights of {name}", lambda s=size: (x, y, np.full(len(x), s), x)
            yield f"a weight of {name}", lambda s=size: (x, y, np.append(s, np.ones(len(x) - 1)), x)
    yield "denormal X", lambda: (x * LEAST * 64, y, None, x * LEAST * 64)
    yield "a denormal column", lambda: (one(x[:, 0] * LEAST * 64), y, None, x)
    yield "asked at denormals", lambda: (x, y, None, x * LEAST * 64)
    if numeric:
        yield "denormal y", lambda: (x, y * LEAST * 64, None, x)
        yield "constant y", lambda: (x, np.full_like(y, 2.0), None, x)
    if takes_weights(estimator):
        yield "denormal weights", lambda: (x, y, np.full(len(x), LEAST), x)
    yield "constant X", lambda: (np.full_like(x, 3.0), y, None, np.full_like(x, 3.0))
    yield "a constant column", lambda: (one(3.0), y, None, one(3.0))
    yield "one row", lambda: (x[:1], None if y is None else y[:1], None, x[:1])


def outcome(estimator: Any, case: Callable[[], Case]) -> tuple[str, str]:
    """What becomes of a case, and what is to be said of it."""
    who = type(estimator).__name__
    x, y, weights, asked = case()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            found = answers(fitted(estimator, x, y, weights), asked)
        except StylobateError as error:
            return "refused", str(error)
        except Exception as error:
            return "raw", f"{type(error).__name__}: {error}"
    bad = [
        name
        for name, value in found.items()
        if name in (*SEEN, "coef_", "intercept_") or name.endswith("_")
        if as_array(value).dtype.kind == "f" and not np.isfinite(as_array(value)).all()
        if (who, name) not in MEANT
    ]
    if not bad:
        return "finite", ""
    told = any(issubclass(each.category, StylobateWarning) for each in heard)
    return ("told" if told else "silent"), ", ".join(bad)


def tables() -> list[Any]:
    """An instance of every estimator that learns from a table of numbers."""
    found = [example_of(kind) for kind in all_estimators()]
    return [
        each
        for each in found
        if each._tags().two_d and not each._tags().text and not each._tags().pairwise
    ]


def main(arguments: list[str]) -> int:
    """Try all, or those whose name or case holds a given text; print what is wrong and counts."""
    wanted = arguments[0] if arguments else ""
    counts: Counter[str] = Counter()
    for estimator in tables():
        for name, case in cases(estimator):
            label = f"{type(estimator).__name__}: {name}"
            if wanted not in label:
                continue
            kind, said = outcome(estimator, case)
            counts[kind] += 1
            if kind in ("silent", "raw"):
                print(f"{kind:7} {label}: {said[:160]}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if counts["silent"] or counts["raw"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
