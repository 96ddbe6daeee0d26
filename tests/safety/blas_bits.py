"""What every estimator learns and answers, as one hash for each: a line of output per estimator.

Run as a program with other numbers of BLAS threads (see `test_blas_bits.py`).
"""

from __future__ import annotations

import hashlib
import signal
import sys
import warnings
from typing import Any

import numpy as np

from stylobate.base import clone
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import answers, problem_for

ROWS, COLUMNS, SECONDS = 500, 260, 4
TIMES = 6  # as often the rows are asked about: products of many rows are cut by the threads too


def table(estimator: Any) -> tuple[Any, Any]:
    """A few hundred columns: enough for BLAS to cut its sums by the number of its threads."""
    problem = problem_for(estimator, ROWS, COLUMNS)
    X = problem.X
    if X.shape[1] == COLUMNS and not estimator._tags().categorical:
        X = X + np.round(np.random.default_rng(3).uniform(0, 0.9, X.shape), 3)  # longer sums round
    return X, problem.y


def hash_of(estimator: Any) -> str:
    model = clone(estimator)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    X, y = table(model)
    model.fit(X, y) if y is not None else model.fit(X)
    found = hashlib.sha256()
    wide = isinstance(X, np.ndarray) and X.shape[1:] == (COLUMNS,)
    for name, value in sorted(answers(model, np.tile(X, (TIMES, 1)) if wide else X[:50]).items()):
        if value.dtype.kind in "biufc":
            found.update(name.encode() + np.ascontiguousarray(value).tobytes())
    return found.hexdigest()


def too_long(*_: Any) -> None:
    raise TimeoutError


def main(names: list[str]) -> None:
    signal.signal(signal.SIGALRM, too_long)
    warnings.simplefilter("ignore")
    for kind in all_estimators():
        if names and kind.__name__ not in names:
            continue
        signal.alarm(SECONDS)
        try:
            said = hash_of(example_of(kind))
        except Exception as error:
            said = f"none: {type(error).__name__}: {error}"[:150].replace("\n", " ")
        finally:
            signal.alarm(0)
        print(kind.__name__, said, sep="\t", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
