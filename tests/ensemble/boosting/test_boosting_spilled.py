"""Boosting of streams whose bins, scores and gradients are in files: the trees of memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stylobate
from stylobate.data.streams import Batch, Stream
from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from stylobate.ensemble.boosting import stream_fit

N = 12_000
RNG = np.random.default_rng(5)
X = RNG.normal(size=(N, 3)).round(2)
MEAN = np.exp(0.5 * X[:, 0])
TARGETS = {
    "squared_error": X[:, 0] + RNG.normal(size=N),
    "absolute_error": X[:, 0] + RNG.standard_t(2, size=N),
    "huber": X[:, 0] + RNG.standard_t(2, size=N),
    "poisson": RNG.poisson(MEAN).astype(float),
}
LABELS = {2: (X[:, 0] > RNG.normal(size=N)).astype(int), 3: RNG.poisson(MEAN).clip(max=2)}
MODELS = [
    pytest.param(
        HistGradientBoostingRegressor(loss=loss, max_iter=4, random_state=0, early_stopping=False),
        TARGETS[loss],
        id=loss,
    )
    for loss in TARGETS
] + [
    pytest.param(
        HistGradientBoostingClassifier(max_iter=4, random_state=0, early_stopping=stops),
        LABELS[k],
        id=f"{k} classes, early_stopping={stops}",
    )
    for k in LABELS
    for stops in (False, True)
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("model", "y"), MODELS)
def test_spilled_fits_have_the_trees_of_memory(model, y, weighted, monkeypatch):
    monkeypatch.setattr(stream_fit, "KEPT_BYTES", 0)
    weights = RNG.integers(1, 4, N).astype(float) if weighted else None
    spans = [slice(a, a + 5_000) for a in range(0, N, 5_000)]
    parts = [Batch(X[s], y[s], None if weights is None else weights[s]) for s in spans]
    whole = model.fit(X, y, weights)
    expected = whole.predict(X[:500]), whole.train_score_, whole.validation_score_, whole.baseline_
    found = model.fit(Stream(lambda: iter(parts), "rows"))
    given = found.predict(X[:500]), found.train_score_, found.validation_score_, found.baseline_
    for ours, theirs in zip(given, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


PROGRAM = """
import resource, sys
import numpy as np
from stylobate.data.streams import Batch, Stream
from stylobate.ensemble import HistGradientBoostingClassifier
from stylobate.ensemble.boosting import stream_fit
stream_fit.KEPT_BYTES = 1 << 20
rows, step = 1_500_000, 50_000
def batches():
    for first in range(0, rows, step):
        rng = np.random.default_rng(first)
        x = rng.random((step, 2), dtype=np.float32)
        yield Batch(x, (x[:, 0] > rng.random(step)).astype(np.int8))
def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
def fit(rows_now):
    global rows
    rows = rows_now
    HistGradientBoostingClassifier(max_iter=2, random_state=0, early_stopping=EARLY).fit(
        Stream(batches, "rows"))
fit(500_000)
before = most()
fit(3_500_000)
print((most() - before) / 3_000_000)
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="resident memory as Linux tells it"
)
@pytest.mark.parametrize(("stops", "allowed"), [(False, 38.0), (True, 38.0)])
def test_a_row_takes_few_bytes_of_memory(stops, allowed):
    """A target, its place in the tree, and little else: 22 million rows in far less than 1 GB."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("EARLY", str(stops))],
        env={"PYTHONPATH": str(Path(stylobate.__file__).parents[1]), "STYLOBATE_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert float(done.stdout) < allowed, done.stderr
