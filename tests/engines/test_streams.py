"""Every estimator on every source its tier promises: streams give the answer of memory.

Generated from the estimators there are: what is of the tier "all rows" collects a stream (and
refuses more than the limit), all others learn from passes over it.
"""

from __future__ import annotations

import warnings
from itertools import pairwise

import duckdb
import numpy as np
import polars
import pytest

import stylobate
from stylobate.base import clone
from stylobate.base.tags import TIERS
from stylobate.data.streams import Batch, Stream
from stylobate.engines import windows
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.linear_model import (
    LogisticRegressionCV,
    PenalizedRegression,
    QuantileRegressor,
    Ridge,
)
from stylobate.linear_model.stochastic.model import StochasticLinear
from stylobate.model_selection import HashKFold
from stylobate.model_selection.search.base import BaseSearchCV
from stylobate.optimize.robust import check_loss, quantile_passes
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import answers, problem_for
from stylobate.testing.sameness import assert_same

CUTS = [0, 1, 20, 21, 60, 90]
ROWS = CUTS[-1]
# how much of an answer is evidence of the way and not the answer
EVIDENCE = {"dual_gap_", "n_iter_", "trace_"}
_PENALISED = (
    "GroupLasso", "MCPRegressor", "PenalizedRegression", "SCADRegressor", "SparseGroupLasso",
)  # fmt: skip
# iterations that end at a tolerance rather than at the last digit
LOOSE = {
    "HuberRegressor": 1e-6,
    "LADRegressor": 1e-9,  # a vertex of a basis found on other ways
    "MultiTaskElasticNetCV": 1e-7,  # errors along paths that end at a gap of tol=1e-4
    "MultiTaskLassoCV": 1e-7,
    **dict.fromkeys(_PENALISED, 1e-8),
    "QuantileRegressor": 1e-9,
    "PowerTransformer": 1e-6,  # a minimum has half of the digits of its function
}
_OWN = "memory computes its score over all rows at once"
_FOLDS = "folds are summed over windows, in memory over their own rows"
# {estimator: why the answer has the digits of memory, 1e-10, and not its bits}
ROUNDED = {
    **dict.fromkeys(
        ("GenericUnivariateSelect", "SelectFdr", "SelectFpr", "SelectFwe", "SelectKBest"), _OWN
    ),
    **dict.fromkeys(("SelectPercentile", "VarianceThreshold", "NearestCentroid"), _OWN),
    **dict.fromkeys(
        ("ElasticNetCV", "LassoCV", "MultiTaskElasticNetCV", "MultiTaskLassoCV"), _FOLDS
    ),
    **dict.fromkeys(("AdaptiveSearchCV", "GridSearchCV", "RandomizedSearchCV"), _FOLDS),
    **dict.fromkeys(("HalvingGridSearchCV", "HalvingRandomSearchCV"), _FOLDS),
    "NaiveBayes": "sums of batches are merged, in memory there is one",
    **dict.fromkeys(
        ("LatentClassMixture", "LatentDirichletAllocation", "NMF"),
        "sums of batches are merged, in memory there is one",
    ),
    "KMeans": "memory moves the rows that change their centre from sum to sum",
    **dict.fromkeys(
        _PENALISED, "solved from a triangular factor, or step statistics, not from rows"
    ),
    **dict.fromkeys(("HuberRegressor", "PowerTransformer"), "other steps to the same minimum"),
    **dict.fromkeys(("LADRegressor", "QuantileRegressor"), "other rows are near the line at last"),
    **dict.fromkeys(("SGDClassifier", "SGDRegressor"), "weights are scaled anew in every window"),
}
ESTIMATORS = [
    pytest.param(example_of(kind), id=kind.__name__)
    for kind in all_estimators()
    if example_of(kind)._tags().two_d and not example_of(kind)._tags().text
]
# estimators whose way over a stream is another with other parameters
ESTIMATORS += [
    pytest.param(PenalizedRegression(loss, penalty=penalty, alpha=0.05), id=f"Penalized-{loss}")
    for loss, penalty in (("huber", "l1"), ("poisson", "mcp"), ("gamma", "scad"))
]
STREAMING = [each for each in ESTIMATORS if not each.values[0]._needs_rows]


def source_of(name, X, y, folder):
    """The rows as a source of some kind, and how to fit to it."""
    if name == "batches":
        parts = [Batch(X[a:b], None if y is None else y[a:b]) for a, b in pairwise(CUTS)]
        return Stream(lambda: iter(parts), "batches"), {}
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])}
    names = []
    if y is not None:
        targets = y[:, None] if y.ndim == 1 else y
        names = [f"y{j}" for j in range(targets.shape[1])]
        columns |= dict(zip(names, targets.T, strict=True))
    frame = polars.DataFrame(columns)
    if name == "parquet":
        path = folder / "rows.parquet"
        frame.write_parquet(path, row_group_size=17)
        rows = stylobate.read(path)
    elif name == "csv":
        path = folder / "rows.csv"
        frame.write_csv(path)
        rows = stylobate.read(path)
    elif name == "duckdb":
        path = folder / "rows.duckdb"
        connection = duckdb.connect(str(path))
        connection.execute("CREATE TABLE rows AS SELECT * FROM frame")
        connection.close()
        rows = stylobate.read(path, table="rows")
    elif name == "lazy":
        rows = frame.lazy()
    else:
        rows = frame.to_arrow().to_reader(max_chunksize=13)
    target = None if y is None else names[0] if y.ndim == 1 else names
    return rows, {} if target is None else {"target": target}


@pytest.fixture(params=["one window", "many windows"])
def small_windows(request, monkeypatch):
    """Windows of 16 rows, so that few rows are enough to have several."""
    if request.param == "many windows":
        shrink(monkeypatch)


def shrink(monkeypatch):
    """Have windows and first samples hold few rows."""
    monkeypatch.setattr(windows, "MOST_ROWS", 16)
    monkeypatch.setattr(windows, "UNIT_ROWS", 16)
    monkeypatch.setattr(quantile_passes, "SAMPLE_ROWS", 4)
    monkeypatch.setattr(check_loss, "LEAST_ROWS", 20)


def fitted(model, *args, **options):
    twin = clone(model)
    if "random_state" in twin.get_params():
        twin.set_params(random_state=0)
    if isinstance(
        twin, BaseSearchCV | LogisticRegressionCV
    ):  # the folds that a number of them means on streams
        twin.set_params(cv=HashKFold(5))
    if isinstance(twin, QuantileRegressor):  # the median of an even number of rows is no one point
        twin.set_params(quantile=0.37, alpha=0.01)
    if isinstance(twin, StochasticLinear):  # streams shuffle the rows of each window
        twin.set_params(shuffle=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return twin.fit(*args, **options)


def plain_answers(model, X):
    found = {k: v for k, v in answers(model, X).items() if k not in EVIDENCE}
    return {k: v.astype(object) if v.dtype.kind in "UO" else v for k, v in found.items()}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("source", ["batches", "parquet", "duckdb", "csv", "lazy"])
@pytest.mark.parametrize("model", STREAMING)
def test_a_stream_gives_the_answer_of_memory(model, source, tmp_path, small_windows):
    problem = problem_for(model, n_rows=ROWS)
    whole = fitted(model, problem.X, problem.y)
    rows, roles = source_of(source, problem.X, problem.y, tmp_path)
    found = fitted(model, rows, **roles)
    names = getattr(found, "feature_names_in_", None)
    shown = problem.X if names is None else polars.DataFrame(problem.X, schema=list(names))
    expected = fitted(model, shown, problem.y) if names is not None else whole
    name = type(model).__name__
    # the imputer reads frames column by column, and adds up a column as NumPy does
    rounded = name in ROUNDED or (name == "SimpleImputer" and source != "batches")
    tolerance = LOOSE.get(name, 1e-10) if rounded else 0.0
    assert_same(plain_answers(expected, shown), plain_answers(found, shown), tolerance=tolerance)


@pytest.mark.parametrize(
    "model", [each for each in STREAMING if type(each.values[0]).__name__ in ROUNDED]
)
def test_exceptions_from_the_same_bits_are_needed(model, monkeypatch):
    shrink(monkeypatch)
    problem = problem_for(model, n_rows=ROWS)
    expected = plain_answers(fitted(model, problem.X, problem.y), problem.X)
    rows, roles = source_of("batches", problem.X, problem.y, None)
    with pytest.raises(AssertionError):
        assert_same(expected, plain_answers(fitted(model, rows, **roles), problem.X))


@pytest.mark.parametrize("model", ESTIMATORS)
def test_tiers_say_what_is_so(model):
    tags = model._tags()
    assert tags.tier in TIERS
    assert model._needs_rows == (tags.tier == "all rows"), tags.tier
    assert hasattr(model, "fit_batches") == (tags.tier != "all rows")


@pytest.mark.parametrize("model", [each for each in ESTIMATORS if each.values[0]._needs_rows])
def test_all_rows_are_collected_up_to_the_limit(model, tmp_path):
    problem = problem_for(model, n_rows=ROWS)
    rows, roles = source_of("batches", problem.X, problem.y, tmp_path)
    limited = stylobate.config_context(collect_limit=100)
    with limited, pytest.raises(UnsupportedDataError, match="in memory"):
        fitted(model, rows, **roles)
    expected = plain_answers(fitted(model, problem.X, problem.y), problem.X)
    assert_same(expected, plain_answers(fitted(model, rows, **roles), problem.X))


ONE_PASS = [each for each in STREAMING if each.values[0]._tags().tier == "one pass"]


@pytest.mark.parametrize("model", STREAMING)
def test_a_reader_is_enough_for_one_pass_and_refused_for_more(model, tmp_path):
    problem = problem_for(model, n_rows=ROWS)
    rows, roles = source_of("reader", problem.X, problem.y, tmp_path)
    tier = model._tags().tier
    if tier == "one pass per iteration":
        with pytest.raises(InvalidDataError, match="only once"):
            fitted(model, rows, **roles)
        return
    try:
        fitted(model, rows, **roles)
    except InvalidDataError as refused:  # few rows may need no second pass
        if tier != "several passes" or "only once" not in str(refused):
            raise


@pytest.mark.parametrize("chosen", [slice(0, 20), slice(20, 60), slice(21, 90)])
def test_a_part_of_the_rows_may_weigh_nothing(chosen, small_windows):
    problem = problem_for(Ridge(), n_rows=ROWS)
    weights = np.ones(ROWS)
    weights[chosen] = 0.0
    spans = [slice(a, b) for a, b in pairwise(CUTS)]
    parts = [Batch(problem.X[s], problem.y[s], weights[s]) for s in spans]
    found = Ridge().fit(Stream(lambda: iter(parts)))
    expected = Ridge().fit(problem.X, problem.y, weights)
    assert np.allclose(found.coef_, expected.coef_, rtol=1e-10, atol=0.0)
    assert np.isclose(found.intercept_, expected.intercept_, rtol=1e-10)
    none = [Batch(part.x, part.y, np.zeros(len(part.x))) for part in parts]
    with pytest.raises(InvalidDataError, match="zero everywhere"):
        Ridge().fit(Stream(lambda: iter(none)))
