"""One answer from every engine: memory = batches = partial_fit = merged = subtracted and merged."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from stylobate.base import clone, is_regressor
from stylobate.base.learning import LearnsFromStatistic
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError
from stylobate.sources import KnownStatistic, MemorySource, StreamSource
from stylobate.statistics import Moments, TriangularFactor
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import answers

CUTS = [0, 1, 40, 41, 300, 700]
EVIDENCE = ("dual_gap_", "n_iter_")  # of how far an answer is from the best: mere rounding


def settings_of():
    """Settings that ask for every way of learning from a statistic; some do not apply."""
    yield {}
    yield {"fit_intercept": False}
    yield from ({"solver": each} for each in ("cholesky", "qr", "svd", "gradient_descent", "gram"))
    yield {"positive": True}
    yield {"positive": True, "solver": "lbfgs"}
    yield {"cv": "gcv"}
    yield {"cv": "gcv", "alphas": [1e-3, 1.0, 50.0]}


def variants():
    """Every regressor of one pass, and each of its settings, that learns from batches."""
    for kind in all_estimators():
        plain = example_of(kind)
        if not is_regressor(plain):
            continue
        if not isinstance(plain, LearnsFromStatistic):  # see test_transformers_on_streams.py
            continue
        names = plain.get_params()
        for setting in settings_of():
            if not setting.keys() <= names.keys():
                continue
            model = clone(plain).set_params(**setting)
            try:
                model._check_parameters()
            except InvalidParameterError:
                continue
            if model._tags().tier == "one pass" and hasattr(model, "fit_batches"):
                yield pytest.param(model, id=str(model))


VARIANTS = list(variants())
EACH = pytest.mark.parametrize("model", VARIANTS)


def data(n_targets=1, weighted=False, n=CUTS[-1]):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, 4)) + np.array([0.0, 5.0, -2.0, 1.0])
    Y = X @ rng.normal(size=(4, n_targets)) + 3.0 + rng.normal(size=(n, n_targets))
    w = rng.integers(0, 3, n).astype(float) if weighted else None
    if weighted:
        w[CUTS[:-1]] = 1.0
    return X, (Y[:, 0] if n_targets == 1 else Y), w


def batches(X, y, w, cuts=CUTS):
    spans = [slice(a, b) for a, b in pairwise(cuts)]
    return [(X[s], y[s]) if w is None else (X[s], y[s], w[s]) for s in spans]


def same(one, other, X, tolerance):
    first, second = answers(one, X), answers(other, X)
    assert first.keys() == second.keys()
    for name, value in first.items():
        if name in EVIDENCE:
            continue
        scale = np.abs(value).max(initial=0.0)
        assert np.abs(value - second[name]).max(initial=0.0) <= tolerance * scale, name


def tolerance_of(model):
    parameters = model.get_params()
    if parameters.get("solver") in ("gradient_descent", "lbfgs") or "radius" in parameters:
        return 1e-5
    return 1e-6 if "warm_start" in parameters else 1e-11


def targets_for(model, y):
    """y with a column where the model wants several targets, one of them where it takes one."""
    if np.ndim(y) > 1 and not model._tags().multi_output:
        return y[:, 0]
    return y if model._tags().single_output or np.ndim(y) > 1 else y[:, None]


@pytest.fixture(params=[(1, False), (1, True), (3, False), (3, True)], ids=str)
def problem(request):
    return data(*request.param)


def test_estimators_that_learn_from_batches_are_found():
    assert {type(each.values[0]).__name__ for each in VARIANTS} >= {
        "LinearRegression",
        "Ridge",
        "RidgeCV",
        "ConstrainedRidge",
        "Lasso",
        "ElasticNet",
        "MultiTaskLasso",
        "ConstrainedLasso",
    }


@EACH
def test_batches_of_every_kind(model, problem):
    X, y, w = problem
    y = targets_for(model, y)
    whole = clone(model).fit(X, y, w)
    parts = batches(X, y, w)
    for each in (parts, lambda: iter(parts), iter(parts), (part for part in parts)):
        same(whole, clone(model).fit_batches(each), X, tolerance_of(model))


@EACH
def test_partial_fit(model, problem):
    X, y, w = problem
    y = targets_for(model, y)
    whole, step = clone(model).fit(X, y, w), clone(model)
    for part in batches(X, y, w):
        assert step.partial_fit(*part) is step
    same(whole, step, X, tolerance_of(model))


@EACH
def test_partial_fit_goes_on_after_fit(model, problem):
    X, y, w = problem
    y = targets_for(model, y)
    first, *rest = batches(X, y, w, [0, 300, 500, 700])
    whole, step = clone(model).fit(X, y, w), clone(model).fit(*first)
    for part in rest:
        step.partial_fit(*part)
    same(whole, step, X, tolerance_of(model))


@EACH
def test_merged_and_subtracted_statistics(model, problem):
    X, y, w = problem
    y = targets_for(model, y)
    whole = clone(model).fit(X, y, w)
    parts = [clone(model).partial_fit(*part).statistic_ for part in batches(X, y, w)]
    merged = parts[-1]
    for part in parts[:-1]:
        merged = part.merge(merged)
    found = [merged]
    if merged.subtractable:
        found.append(merged.subtract(parts[3]).merge(parts[3]))
    for statistic in found:
        engine = clone(model).partial_fit(*batches(X, y, w)[0])  # for shapes and names
        engine._learn(KnownStatistic(statistic, np.ndim(y) == 1))
        same(whole, engine, X, tolerance_of(model))


@EACH
def test_a_second_fit_forgets_the_first(model):
    X, y, _ = data()
    y = targets_for(model, y)
    again = clone(model).fit(X[:100], y[:100])
    again.fit_batches(batches(X, y, None))
    same(clone(model).fit(X, y), again, X, tolerance_of(model))
    again.fit(X[:300], y[:300]).partial_fit(X[300:], y[300:])
    same(clone(model).fit(X, y), again, X, tolerance_of(model))


@EACH
def test_sparse_batches(model):
    X, y, w = data(weighted=True)
    y = targets_for(model, y)
    X = np.where(np.abs(X) < 0.7, 0.0, X)
    parts = [(sparse.csr_array(x), *rest) for x, *rest in batches(X, y, w)]
    same(clone(model).fit(X, y, w), clone(model).fit_batches(parts), X, tolerance_of(model))


@EACH
def test_refusals(model):
    X, y, _ = data()
    y = targets_for(model, y)
    with pytest.raises(InvalidDataError, match="no batch to learn from"):
        clone(model).fit_batches([])
    with pytest.raises(InvalidDataError, match="a batch must be"):
        clone(model).fit_batches([X])
    with pytest.raises(InvalidDataError, match="features"):
        clone(model).fit_batches([(X, y), (X[:, :3], y)])
    with pytest.raises(InvalidDataError, match="features"):
        clone(model).partial_fit(X, y).partial_fit(X[:, :2], y)
    bad = X.copy()
    bad[45, 1] = np.nan
    with pytest.raises(InvalidDataError, match="row 5, column 1"):
        clone(model).fit_batches(batches(bad[40:], y[40:], None, [0, 660]))


# --- ill-conditioned rows -----------------------------------------------------------------------


def nearly_dependent(noise, n=700):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 3))
    X = np.column_stack([X, X[:, 0] + noise * rng.normal(size=n)])
    return X, X @ [1.0, 2.0, 3.0, 4.0] + 0.1 * rng.normal(size=n)


@pytest.mark.parametrize("noise", [1e-5, 1e-8])
def test_batches_that_can_be_read_again_lose_no_digits(noise):
    from stylobate.linear_model import LinearRegression

    X, y = nearly_dependent(noise, n=2100)  # too many for 32-digit arithmetic without being asked
    parts = batches(X, y, None, [*CUTS, 2100])
    reference = np.linalg.lstsq(np.column_stack([np.ones(2100), X]), y, rcond=None)[0]
    in_memory = LinearRegression().fit(X, y)
    for each in (parts, lambda: iter(parts)):
        model = LinearRegression().fit_batches(each)
        assert model.solver_ == "qr"
        assert "back to the rows" in model.solver_reason_
        assert model.solver_reason_ == in_memory.solver_reason_
        assert model.coef_ == pytest.approx(reference[1:], rel=1e-13 / noise)


@pytest.mark.parametrize("noise", [1e-5, 1e-9, 0.0])
def test_batches_read_once_say_that_digits_are_lost(noise):
    from stylobate.linear_model import LinearRegression

    X, y = nearly_dependent(noise)
    model = LinearRegression().fit_batches(iter(batches(X, y, None)))
    assert np.isfinite(model.coef_).all()
    assert "lost" in model.solver_reason_
    residual = y - model.predict(X)
    best = np.linalg.lstsq(np.column_stack([np.ones(700), X]), y, rcond=None)[0]
    least = y - best[0] - X @ best[1:]
    # moments cannot tell 1e-9 of noise from none: one direction, one part in 700, is given up
    assert residual @ residual <= (least @ least) * (1 + (2e-2 if noise == 1e-9 else 1e-6))
    if noise == 0.0:
        assert model.coef_[0] == pytest.approx(model.coef_[3], rel=1e-9)  # least norm
        assert model.rank_ == 3


# --- sources by themselves ----------------------------------------------------------------------


def reader(model):
    return lambda batch: model._read(*batch, reset=True, check_finite="deferred")


def test_sources_agree_and_say_what_they_are():
    from stylobate.linear_model import Ridge

    X, y, _ = data()
    read = reader(Ridge())
    memory = MemorySource(read((X, y)))
    rows = [Batch(*each) for each in batches(X, y, None)]
    source = StreamSource(Stream(lambda: iter(rows)), read, "test")
    reader_ = iter(rows)
    once = StreamSource(Stream(lambda: reader_, repeatable=False), read, "test")
    assert [each.capabilities.repeatable for each in (memory, source, once)] == [True, True, False]
    assert memory.capabilities.rows_in_memory
    assert memory.rows().n_rows == 700
    assert not source.capabilities.rows_in_memory
    with pytest.raises(UnsupportedDataError, match="needs all rows in memory"):
        source.rows()
    for recipe in (Moments, TriangularFactor):
        whole, parts = memory.compute(recipe), source.compute(recipe)
        assert parts.n_rows == whole.n_rows == 700
    once.compute(Moments)
    with pytest.raises(InvalidDataError, match="only once"):
        once.compute(Moments)
    known = KnownStatistic(memory.compute(Moments))
    assert known.compute(Moments) is known.statistic
    with pytest.raises(InvalidDataError, match="Only Moments of these rows are known"):
        known.compute(TriangularFactor)
    folds = memory.compute_parts(Moments, [slice(0, 100), np.arange(100, 700)])
    assert folds[0].merge(folds[1]).scatter == pytest.approx(known.statistic.scatter, rel=1e-11)
