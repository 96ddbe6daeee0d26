"""Sweeps over both non-negative factors: the same steps written out, for every kind of table."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from stylobate import set_threads
from stylobate.decomposition.nonnegative import table as tables
from stylobate.decomposition.nonnegative.table import NonnegativeTable, Sweep


def _swept(w, cross, gram, how):
    """One sweep by the formula, coordinate after coordinate of all rows."""
    w, met = w.copy(), 0.0
    gram = gram + how.l2 * np.eye(len(gram))
    for t in how.order:
        slope = w @ gram[t] - cross[:, t] + how.l1
        met += np.abs(np.where((w[:, t] == 0) & (slope > 0), 0.0, slope)).sum()
        w[:, t] = np.maximum(w[:, t] - slope / gram[t, t], 0.0)
    return w, met


KINDS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "single": lambda x: x.astype(np.float32),
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "csr single": lambda x: sparse.csr_array(x.astype(np.float32)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("narrow", [True, False])
def test_sweeps_follow_the_formula(kind, narrow, monkeypatch):
    monkeypatch.setattr(tables, "_NARROW", 10**6 if narrow else 0)
    draws = np.random.default_rng(0)
    n, p, k = 1203, 77, 5
    x = draws.integers(0, 4, size=(n, p)).astype(float)
    w, f = draws.gamma(1.0, size=(n, k)), draws.gamma(1.0, size=(p, k))
    w[draws.random(w.shape) < 0.2] = 0.0
    of_w = Sweep(0.3, 0.1, np.array([3, 0, 4, 1, 2]))
    of_f = Sweep(0.2, 0.4, np.arange(5))
    wanted_w, met_w = _swept(w, x @ f, f.T @ f, of_w)
    wanted_f, met_f = _swept(f, x.T @ wanted_w, wanted_w.T @ wanted_w, of_f)
    found = []
    before = set_threads(1)
    try:
        for threads in (1, 2, 7):
            set_threads(threads)
            own, other = w.copy(), f.copy()
            met = NonnegativeTable(KINDS[kind](x), "X").sweep(own, other, of_w, of_f)
            found.append((own, other, met))
    finally:
        set_threads(before)
    own, other, met = found[0]
    np.testing.assert_allclose(own, wanted_w, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(other, wanted_f, rtol=1e-9, atol=1e-12)
    assert met == pytest.approx(met_w + met_f, rel=1e-10)
    for again in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], again, strict=True))
