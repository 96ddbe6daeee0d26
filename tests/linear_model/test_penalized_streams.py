"""Penalties of squared errors on streams: one pass, the answers and proofs of memory."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate.data.streams import Batch, Stream
from stylobate.engines import windows
from stylobate.linear_model import PenalizedRegression

RNG = np.random.default_rng(2)
X = RNG.normal(size=(400, 12)) + 5.0
Y = X[:, :3] @ [2.0, -3.0, 0.4] + 7.0 + RNG.normal(size=400)
WEIGHTS = RNG.integers(0, 3, 400).astype(float)
CUTS = [0, 3, 200, 400]


def stream_of(weights=None):
    spans = [slice(a, b) for a, b in pairwise(CUTS)]
    parts = [Batch(X[s], Y[s], None if weights is None else weights[s]) for s in spans]
    return Stream(lambda: iter(parts), "rows", repeatable=False)


@pytest.mark.parametrize("penalty", ["l1", "l2", "elasticnet", "mcp", "scad"])
@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"positive": True}])
@pytest.mark.parametrize("weighted", [False, True])
def test_answers_are_those_of_memory(penalty, options, weighted, monkeypatch):
    monkeypatch.setattr(windows, "MOST_ROWS", 64)
    monkeypatch.setattr(windows, "UNIT_ROWS", 64)
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


def test_other_losses_need_rows():
    assert PenalizedRegression()._tags().tier == "one pass"
    assert PenalizedRegression("huber")._tags().tier == "all rows"
