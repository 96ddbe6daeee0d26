"""Stochastic gradient descent on streams: an epoch a pass, the steps of memory, proofs."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import polars
import pytest

import stylobate
from stylobate.data.streams import Batch, Stream
from stylobate.engines import windows
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.linear_model import Perceptron, SGDClassifier, SGDRegressor

RNG = np.random.default_rng(8)
X = RNG.normal(size=(300, 4))
Y = X @ [1.0, -2.0, 0.0, 0.5] + 0.7 + 0.3 * RNG.normal(size=300)
LABELS = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.3 * RNG.normal(size=300), [-0.5, 0.6])]
WEIGHTS = RNG.integers(0, 4, 300).astype(float)
CUTS = [0, 7, 130, 131, 300]


def stream_of(y, weights=None):
    parts = [
        Batch(X[a:b], y[a:b], None if weights is None else weights[a:b]) for a, b in pairwise(CUTS)
    ]
    return Stream(lambda: iter(parts), "rows")


@pytest.fixture
def small_windows(monkeypatch):
    monkeypatch.setattr(windows, "MOST_ROWS", 64)
    monkeypatch.setattr(windows, "UNIT_ROWS", 64)


def fitted(model, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*args, **options)


MODELS = [
    (SGDRegressor, {}, Y),
    (SGDRegressor, {"loss": "huber", "penalty": None, "learning_rate": "constant"}, Y),
    (SGDRegressor, {"average": 10}, Y),
    (SGDClassifier, {}, LABELS),
    # (long first steps, as of a small alpha, magnify rounding beyond all tolerances)
    (
        SGDClassifier,
        {"loss": "log_loss", "alpha": 0.1, "class_weight": "balanced", "average": True},
        LABELS,
    ),
    # (passive-aggressive steps end at a kink, so that rounding tells on which side)
    (SGDClassifier, {"learning_rate": "pa1", "eta0": 0.5, "penalty": None}, LABELS == "a"),
    (SGDClassifier, {"batch_size": 16, "class_weight": {"a": 2.0}}, LABELS),
    (Perceptron, {}, LABELS == "a"),
    (Perceptron, {"penalty": "l2"}, LABELS),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("kind", "options", "y"), MODELS)
def test_unshuffled_steps_are_those_of_memory(kind, options, y, weighted, small_windows):
    if weighted and "batch_size" in options:
        pytest.skip("rows of weight 0 are left out, so batches end elsewhere")
    weights = WEIGHTS if weighted else None
    model = kind(shuffle=False, max_iter=20, tol=1e-3, **options)
    memory = fitted(kind(**model.get_params()), X, y, sample_weight=weights)
    found = fitted(model, stream_of(y, weights))
    assert found.n_iter_ == memory.n_iter_
    assert found.t_ == memory.t_
    assert np.allclose(found.coef_, memory.coef_, rtol=1e-10, atol=1e-12)
    assert np.allclose(found.intercept_, memory.intercept_, rtol=1e-10, atol=1e-12)
    assert np.allclose(found.trace_.objective, memory.trace_.objective, rtol=1e-9)
    assert found.certificate_.primal == pytest.approx(memory.certificate_.primal, rel=1e-9)
    assert found.certificate_.kkt == pytest.approx(memory.certificate_.kkt, rel=1e-8)
    best = memory.certificate_.primal - memory.certificate_.gap
    assert found.certificate_.dual <= best + 1e-3 * abs(memory.certificate_.primal) + 1e-12


@pytest.mark.parametrize(("kind", "options", "y"), MODELS)
def test_one_window_is_shuffled_as_in_memory(kind, options, y):
    model = kind(max_iter=7, tol=None, random_state=3, **options)
    memory = fitted(kind(**model.get_params()), X, y)
    found = fitted(model, stream_of(y))
    assert np.allclose(found.coef_, memory.coef_, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet"])
def test_windows_that_are_shuffled_come_near_the_optimum(penalty, small_windows):
    options = {"alpha": 0.01, "penalty": penalty, "random_state": 0, "tol": 1e-5}
    memory = fitted(SGDRegressor(**options), X, Y)
    found = fitted(SGDRegressor(**options), stream_of(Y))
    assert found.certificate_.primal <= 1.02 * memory.certificate_.primal
    assert found.certificate_.dual <= memory.certificate_.primal  # weak duality


def test_updates_of_the_perceptron_are_numbered_as_in_memory(small_windows):
    memory = Perceptron(shuffle=False).fit(X, LABELS)
    found = Perceptron(shuffle=False).fit(stream_of(LABELS))
    for here, there in zip(found.history_, memory.history_, strict=True):
        assert (here.row == there.row).all()
        assert (here.step == there.step).all()
        assert (here.weights == there.weights).all()
    assert [m.tolist() for m in found.mistakes_] == [m.tolist() for m in memory.mistakes_]


def test_a_file_is_read_once_and_goes_on_with_partial_fit(tmp_path):
    path = tmp_path / "rows.parquet"
    polars.DataFrame({f"x{j}": X[:, j] for j in range(4)} | {"y": Y}).write_parquet(path)
    frame = polars.DataFrame(X, schema=[f"x{j}" for j in range(4)])
    found = SGDRegressor(random_state=0).fit(stylobate.read(path), target="y")
    assert found.score(frame, Y) > 0.9
    steps = found.t_
    assert found.partial_fit(frame, Y).t_ == steps + 300


def test_what_needs_rows_says_so():
    assert SGDClassifier()._tags().tier == "one pass per iteration"
    assert SGDClassifier(early_stopping=True)._tags().tier == "all rows"
    assert SGDRegressor(learning_rate="adaptive")._tags().tier == "all rows"
    parts = iter([Batch(X, Y)])
    with pytest.raises(InvalidDataError, match="only once"):
        SGDRegressor().fit(Stream(lambda: parts, "once", repeatable=False))


def test_numbers_that_leave_their_range(small_windows):
    wild = stream_of(Y)
    far = Stream(lambda: (batch._replace(x=1e100 * batch.x) for batch in wild), "far")
    with pytest.raises(NumericalError, match="left the range of double precision in epoch"):
        SGDRegressor(learning_rate="constant", eta0=1.0).fit(far)
