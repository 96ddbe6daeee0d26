"""Damaged sparse matrices are refused by name before anyone slices them.

SciPy reads and writes foreign memory when it slices them, so every call is made in a process of its
own, and one that ends the process is a failure like any other.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import stylobate

PROGRAM = Path(__file__).parent / "damaged_sparse.py"
UNREAD = "they never look at X but to count its rows, as in scikit-learn"
PASSED_ON = "with validate=False, the default, whatever comes is passed on, as in scikit-learn"
# {call: reason}
ACCEPTED = {
    **{f"DummyClassifier.{m}": UNREAD for m in ("fit", "predict", "predict_proba", "score")},
    **{f"DummyRegressor.{m}": UNREAD for m in ("fit", "predict", "score")},
    **{f"FunctionTransformer.{m}": PASSED_ON for m in ("fit", "transform")},
    "stylobate.splits.splits_of": "splitters count rows",
    "stylobate.data.streams.is_stream": "it asks what kind of container X is",
    "stylobate.data.streams.open_rows": "rows in memory are handed to `fit`, which looks at them",
}


def lines_of(what: str) -> Iterator[list[str]]:
    """Number, call and outcome of every call; a call that ended the process says so."""
    source = str(Path(stylobate.__file__).parents[1])
    skip = 0
    while True:
        done = subprocess.run(
            [sys.executable, str(PROGRAM), what, str(skip)],
            env={**os.environ, "PYTHONPATH": source},
            capture_output=True,
            text=True,
            timeout=600,
        )
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        if done.returncode == 0:
            yield from lines
            return
        assert lines, done.stderr
        lines[-1][2] = f"ended the process with {done.returncode}"
        yield from lines
        skip = int(lines[-1][0]) + 1


@pytest.mark.parametrize("what", ["estimators", "functions", "targets"])
def test_damaged_matrices_are_refused(what):
    found = {call: outcome for _, call, outcome in lines_of(what)}
    assert len(found) > 100
    refused = ("InvalidDataError", "UnsupportedDataError")  # the second: no sparse input at all
    wrong = {c: o for c, o in found.items() if o not in refused}
    exempt = {call for call in wrong if call.partition(",")[0] in ACCEPTED}
    assert {c: o for c, o in wrong.items() if c not in exempt} == {}
    needed = {c for c in ACCEPTED if c.startswith("stylobate.") == (what == "functions")}
    assert {call.partition(",")[0] for call in exempt} == (set() if what == "targets" else needed)
