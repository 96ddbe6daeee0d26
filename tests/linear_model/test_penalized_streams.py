"""Losses and penalties on streams: the answers and proofs of memory, a pass for every step."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate.data.streams import Batch, Stream
from stylobate.engines import windows
from stylobate.exceptions import ConvergenceWarning, InvalidDataError
from stylobate.linear_model import PenalizedRegression
from stylobate.losses import Gamma, Huber, Logistic, Poisson, Tweedie

RNG = np.random.default_rng(2)
X = RNG.normal(size=(400, 12)) + 5.0
Y = X[:, :3] @ [2.0, -3.0, 0.4] + 7.0 + RNG.normal(size=400)
WEIGHTS = RNG.integers(0, 3, 400).astype(float)
CUTS = [0, 3, 200, 400]


def stream_of(weights=None, x=X, y=Y, *, repeatable=False):
    cuts = [*CUTS[:-1], len(y)]
    spans = [slice(a, b) for a, b in pairwise(cuts)]
    parts = [Batch(x[s], y[s], None if weights is None else weights[s]) for s in spans]
    return Stream(lambda: iter(parts), "rows", repeatable=repeatable)


@pytest.fixture
def small_windows(monkeypatch):
    monkeypatch.setattr(windows, "MOST_ROWS", 64)
    monkeypatch.setattr(windows, "UNIT_ROWS", 64)


@pytest.mark.parametrize("penalty", ["l1", "l2", "elasticnet", "mcp", "scad"])
@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"positive": True}])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.usefixtures("small_windows")
def test_answers_are_those_of_memory(penalty, options, weighted):
    weights = WEIGHTS if weighted else None
    model = PenalizedRegression(penalty=penalty, alpha=0.2, **options)
    memory = PenalizedRegression(**model.get_params()).fit(X, Y, weights)
    stream = stream_of(weights)
    found = model.fit(stream)
    assert stream.passes == 1
    assert np.allclose(found.coef_, memory.coef_, rtol=1e-6, atol=1e-7)
    assert found.intercept_ == pytest.approx(memory.intercept_, rel=1e-6, abs=1e-6)
    assert found.certificate_.primal == pytest.approx(memory.certificate_.primal, rel=1e-7)
    assert found.certificate_.proved == memory.certificate_.proved
    if found.certificate_.proved:
        assert found.certificate_.relative_gap < 1e-6


TRUTH = np.zeros(12)
TRUTH[:3] = [0.6, -0.5, 0.3]
Z = (X - 5.0) @ TRUTH
TARGETS = {
    Huber(0.6): Z + RNG.standard_t(2, size=400),
    Logistic(): (Z + RNG.logistic(size=400) > 0).astype(float),
    Poisson(): RNG.poisson(np.exp(Z)).astype(float),
    Gamma(): np.exp(Z) * RNG.gamma(3.0, 1 / 3.0, 400),
    Tweedie(1.5): RNG.poisson(np.exp(Z)) * RNG.gamma(2.0, 0.5, 400),
}


@pytest.mark.parametrize("loss", TARGETS, ids=str)
@pytest.mark.parametrize("penalty", ["l1", "l2", "elasticnet", "mcp", "scad"])
@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"positive": True}])
@pytest.mark.usefixtures("small_windows")
def test_other_losses_take_a_pass_per_step(loss, penalty, options):
    x = X if options.get("fit_intercept", True) else X - 5.0
    y, weights = TARGETS[loss], WEIGHTS if penalty in ("l1", "mcp") else None
    model = PenalizedRegression(loss, penalty=penalty, alpha=0.05, **options)
    assert model._tags().tier == "one pass per iteration"
    memory = PenalizedRegression(**model.get_params()).fit(x, y, weights)
    stream = stream_of(weights, x, y, repeatable=True)
    found = model.fit(stream)
    np.testing.assert_allclose(found.coef_, memory.coef_, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(found.coef_ != 0, memory.coef_ != 0)
    assert found.intercept_ == pytest.approx(memory.intercept_, rel=1e-6, abs=1e-6)
    assert found.certificate_.kkt <= 1e-9
    assert found.certificate_.proved == memory.certificate_.proved
    assert found.certificate_.primal == pytest.approx(memory.certificate_.primal, rel=1e-8)
    if found.certificate_.proved:
        assert found.certificate_.relative_gap < 1e-6
    assert stream.passes <= 60


def test_warm_starts_go_on_from_the_last_answer():
    y = TARGETS[Poisson()]
    model = PenalizedRegression("poisson", penalty="mcp", alpha=0.05, warm_start=True)
    first = model.fit(stream_of(None, X, y, repeatable=True)).coef_
    stream = stream_of(None, X, y, repeatable=True)
    np.testing.assert_allclose(model.fit(stream).coef_, first, atol=1e-9)
    assert stream.passes <= 6  # moments, the two ends, and the proof


def test_streams_refuse_what_memory_refuses():
    with pytest.raises(InvalidDataError, match=r"Gamma loss takes targets in \(0, inf\)"):
        PenalizedRegression("gamma").fit(stream_of(None, X, np.zeros(400), repeatable=True))
    with pytest.raises(InvalidDataError, match="only once"):
        PenalizedRegression("huber").fit(stream_of())
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        PenalizedRegression("poisson", alpha=0.01, max_iter=1).fit(
            stream_of(None, X, TARGETS[Poisson()], repeatable=True)
        )


@pytest.mark.usefixtures("small_windows")
def test_all_rows_far_out_of_the_quadratic_zone():
    y = 1e5 * (X[:, 0] - 5.0) + RNG.standard_t(1, size=400)
    memory = PenalizedRegression("huber", alpha=0.1).fit(X, y)
    found = PenalizedRegression("huber", alpha=0.1).fit(stream_of(None, X, y, repeatable=True))
    np.testing.assert_allclose(found.coef_, memory.coef_, rtol=1e-7, atol=1e-4)
    assert found.certificate_.kkt <= 1e-9
