"""Every estimator on every engine gives the answer of memory, or says in a sentence why not.

Generated from the estimators there are. Rows stay on the cluster, so estimators that need all of
them in memory refuse.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from stylobate.base import clone
from stylobate.exceptions import UnsupportedDataError
from stylobate.linear_model import LogisticRegressionCV, QuantileRegressor
from stylobate.model_selection import HashKFold
from stylobate.model_selection.search.base import BaseSearchCV
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import answers, problem_for
from stylobate.testing.sameness import assert_same

pytest.importorskip("pandas")

ROWS = 90
EVIDENCE = {"dual_gap_", "n_iter_", "trace_"}
# iterations that end at a tolerance; sums of other partitions have other last digits
LOOSE = {
    # memory keeps gradients in single precision, a cluster 40 bits of them
    **dict.fromkeys(("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"), 1e-6),
    "HuberRegressor": 1e-6,
    "LADRegressor": 1e-9,
    "MultiTaskElasticNetCV": 1e-7,
    "MultiTaskLassoCV": 1e-7,
    "PenalizedRegression": 1e-8,
    **dict.fromkeys(("GroupLasso", "MCPRegressor", "SCADRegressor", "SparseGroupLasso"), 1e-8),
    "PowerTransformer": 1e-6,
    "QuantileRegressor": 1e-9,
}
ROUNDING = 1e-9
# {estimator: why it looks at the rows one after the other, so that a cluster's are refused}
ONE_AFTER_THE_OTHER = {
    "IncrementalPCA": "its batches of rows grow the answer in turn",
    "LatentDirichletAllocation": "documents draw where they start one after the other",
    "NMF": "the weights of rows are kept in their order",
    "Perceptron": "a step for each row",
    "SGDClassifier": "a step for each row",
    "SGDRegressor": "a step for each row",
}
# all rows are needed, and workers are sent what is needed of them
SHARED = {
    "ExtraTreesClassifier", "ExtraTreesRegressor", "KNeighborsClassifier", "KNeighborsRegressor",
    "NearestNeighbors", "RadiusNeighborsClassifier", "RadiusNeighborsRegressor",
    "RandomForestClassifier", "RandomForestRegressor",
}  # fmt: skip
ESTIMATORS = [
    pytest.param(example_of(kind), id=kind.__name__)
    for kind in all_estimators()
    if example_of(kind)._tags().two_d and not example_of(kind)._tags().text
]
LEARNING = [each for each in ESTIMATORS if not each.values[0]._needs_rows]
LEARNING += [each for each in ESTIMATORS if each.id in SHARED]
REFUSED = [each for each in ESTIMATORS if each not in LEARNING]


def frame_of(problem):
    import pandas as pd

    columns = {f"x{j}": problem.X[:, j] for j in range(problem.X.shape[1])}
    roles = {"features": list(columns)}
    if problem.y is not None:
        targets = problem.y[:, None] if problem.y.ndim == 1 else problem.y
        names = [f"y{j}" for j in range(targets.shape[1])]
        columns |= dict(zip(names, targets.T, strict=True))
        roles["target"] = names[0] if problem.y.ndim == 1 else names
    return pd.DataFrame(columns), roles


def fitted(model, *args, **options):
    twin = clone(model)
    if "random_state" in twin.get_params():
        twin.set_params(random_state=0)
    if isinstance(twin, BaseSearchCV | LogisticRegressionCV):
        twin.set_params(cv=HashKFold(5))
    if isinstance(twin, QuantileRegressor):
        twin.set_params(quantile=0.37, alpha=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return twin.fit(*args, **options)


def plain_answers(model, X):
    found = {k: v for k, v in answers(model, X).items() if k not in EVIDENCE}
    return {k: v.astype(object) if v.dtype.kind in "UO" else v for k, v in found.items()}


def check(model, engine, pieces):
    problem = problem_for(model, n_rows=ROWS)
    frame, roles = frame_of(problem)
    X = frame[roles["features"]]
    if type(model).__name__ in ONE_AFTER_THE_OTHER:
        with pytest.raises(UnsupportedDataError, match="cluster"):
            fitted(model, engine.rows(pieces(frame)), **roles)
        return
    found = fitted(model, engine.rows(pieces(frame)), **roles)
    expected = fitted(model, X, problem.y)
    tolerance = LOOSE.get(type(model).__name__, ROUNDING)
    assert_same(plain_answers(expected, X), plain_answers(found, X), tolerance=tolerance)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("model", LEARNING)
def test_dask_gives_the_answer_of_memory(model, dask_engine, pieces):
    check(model, dask_engine, pieces)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", ["ray", "spark"])
@pytest.mark.parametrize("model", LEARNING)
def test_other_engines_give_the_answer_of_memory(model, name, engines, pieces):
    check(model, engines(name), pieces)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("model", REFUSED)
def test_rows_are_not_collected(model, dask_engine, pieces):
    problem = problem_for(model, n_rows=ROWS)
    frame, roles = frame_of(problem)
    with pytest.raises(UnsupportedDataError, match="cluster"):
        fitted(model, dask_engine.rows(pieces(frame)), **roles)


def test_exceptions_are_needed():
    known = {each.id for each in LEARNING}
    assert ONE_AFTER_THE_OTHER.keys() <= known
    assert LOOSE.keys() | SHARED <= known
    assert np.isfinite(list(LOOSE.values())).all()
