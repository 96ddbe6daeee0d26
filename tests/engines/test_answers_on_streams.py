"""Models fitted to named columns pick these from any source, whatever else it holds."""

from __future__ import annotations

import warnings

import numpy as np
import polars
import pytest

from stylobate.base import clone
from stylobate.exceptions import StylobateError
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import as_array, problem_for

METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform")
TABULAR = [
    pytest.param(kind, id=kind.__name__)
    for kind in all_estimators()
    if example_of(kind)._tags().two_d
    and not example_of(kind)._tags().text
    and not example_of(kind)._tags().pairwise
    and any(hasattr(kind, method) for method in METHODS)
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", TABULAR)
def test_a_source_that_still_holds_the_target(kind):
    model = clone(example_of(kind))
    problem = problem_for(model)
    X, y = problem.X, problem.y
    names = [f"x{j}" for j in range(X.shape[1])]
    frame = polars.DataFrame(dict(zip(names, X.T, strict=True)))
    more = frame.with_columns(target=polars.Series(np.arange(len(X))), other=polars.lit("words"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(frame, y)
        except StylobateError as refused:
            pytest.skip(str(refused))
    for method in METHODS:
        if not hasattr(model, method):
            continue
        expected = getattr(model, method)(frame)
        found = getattr(model, method)(more.lazy().select("other", "target", *reversed(names)))
        if method == "transform":
            found = np.concatenate([as_array(batch.x) for batch in found])
        np.testing.assert_array_equal(as_array(found), as_array(expected), method)
