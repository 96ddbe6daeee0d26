"""Model files of every estimator with one attribute deleted, of another type or another shape.

Run as a program (``altered_attributes.py [TEXT]``) it loads such files of all estimators whose name
holds the text, asks the models that load, and prints what came of it. A file is refused when it is
loaded or its model answers; an error of the inside afterwards ("late") is what must not happen.
"""

from __future__ import annotations

import copy
import json
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import mutations
import numpy as np

import stylobate
from stylobate.base.discovery import all_estimators
from stylobate.exceptions import ModelFileError, StylobateError
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import METHODS, fitted, problem_for

Parts = tuple[dict[str, Any], dict[str, Any]]  # the document and the arrays of a file
INSTEAD = {"a text": "x", "nothing": None, "a number": 3, "a list": [1, "x"], "negative": -7}


def without_records(value: Any) -> Any:
    """A document that says of no estimator what it had learnt, as the first version's did."""
    if isinstance(value, dict):
        return {name: without_records(each) for name, each in value.items() if name != "learnt"}
    return [without_records(each) for each in value] if isinstance(value, list) else value


def unrecorded(document: dict[str, Any], arrays: dict[str, Any]) -> Iterator[tuple[str, Parts]]:
    """Parts of files of the first version, each with one attribute of the model deleted."""
    plain = without_records(document) | {"format_version": [1, 0]}
    for name in plain["model"]["state"]:
        changed = copy.deepcopy(plain)
        del changed["model"]["state"][name]
        yield f"{name} deleted", (changed, arrays)


def altered(document: dict[str, Any], arrays: dict[str, Any]) -> Iterator[tuple[str, Parts]]:
    """Parts of files, each with one attribute of the model changed, and what was done to it."""
    state = document["model"]["state"]
    for name in state:
        changed = copy.deepcopy(document)
        del changed["model"]["state"][name]
        yield f"{name} deleted", (changed, arrays)
        for what, new in INSTEAD.items():
            if type(new) is not type(state[name]):
                changed = copy.deepcopy(document)
                changed["model"]["state"][name] = new
                yield f"{name} {what}", (changed, arrays)
        tensor = state[name].get("tensor") if isinstance(state[name], dict) else None
        if tensor in arrays:
            dtype, values = arrays[tensor]
            for what, new in {
                "shorter": values[:-1],
                "flat and longer": np.append(values.ravel(), values.ravel()[:1]),
                "one more axis": values[None],
            }.items():
                yield f"{name} {what}", (document, arrays | {tensor: (dtype, new)})


def outcome(parts: Parts, rows: Any) -> tuple[str, str]:
    """What becomes of a file of these parts."""
    try:
        loaded = stylobate.load(mutations.packed(*parts))
    except ModelFileError as error:
        return "refused", str(error)
    except Exception as error:
        return "raw", f"{type(error).__name__}: {error}"
    for method in METHODS:
        try:
            if hasattr(loaded, method):
                getattr(loaded, method)(rows)
        except StylobateError:
            continue
        except Exception as error:
            return "late", f"{method}: {type(error).__name__}: {error}"
    return "answers", ""


def run(kind: Any, every: int = 1, ways: Any = altered) -> tuple[Counter[str], list[str]]:
    """One in `every` files of an estimator: counts of outcomes, and what is wrong."""
    counts: Counter[str] = Counter()
    wrong = []
    estimator = example_of(kind)
    if not estimator._tags().two_d:  # of labels alone
        return counts, wrong
    problem = problem_for(estimator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = fitted(estimator, problem.X, problem.y)
        for place, (what, parts) in enumerate(ways(*mutations.parts_of(model))):
            if place % every:
                continue
            found, said = outcome(parts, problem.X[:3])
            counts[found] += 1
            if found in ("late", "raw"):
                wrong.append(f"{kind.__name__}: {what}: {found}: {said[:150]}")
    return counts, wrong


if __name__ == "__main__":
    total: Counter[str] = Counter()
    for each in all_estimators():
        if "".join(sys.argv[1:]) in each.__name__:
            counts, wrong = run(each)
            total += counts
            print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
    print(json.dumps(total))
