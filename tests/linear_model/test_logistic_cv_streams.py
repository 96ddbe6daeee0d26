"""LogisticRegressionCV on streams: folds by row numbers, the fits and scores of memory."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.data.streams import Batch, Stream
from stylobate.engines import windows
from stylobate.exceptions import ConvergenceWarning, InvalidDataError
from stylobate.linear_model import LogisticRegression, LogisticRegressionCV
from stylobate.model_selection import HashKFold

RNG = np.random.default_rng(4)
N = 700
X = RNG.normal(size=(N, 4)) + np.array([3.0, 0.0, -1.0, 20.0])
WEIGHTS = RNG.integers(1, 4, N).astype(float)
CS = [1e-3, 0.1, 10.0]


def labels(k):
    z = (X - X.mean(axis=0)) @ RNG.normal(size=(4, k))
    return np.array(["ant", "bee", "cat"])[(z + RNG.gumbel(size=z.shape)).argmax(axis=1)]


TARGETS = {2: labels(2), 3: labels(3)}


@pytest.fixture(autouse=True)
def small_windows(monkeypatch):
    monkeypatch.setattr(windows, "MOST_ROWS", 64)
    monkeypatch.setattr(windows, "UNIT_ROWS", 64)


def stream_of(y, weights=None, x=X):
    spans = [slice(a, a + 101) for a in range(0, len(y), 101)]
    parts = [Batch(x[s], y[s], None if weights is None else weights[s]) for s in spans]
    return Stream(lambda: iter(parts), "rows")


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scoring": "neg_log_loss", "class_weight": "balanced"},
        {"scoring": "roc_auc_ovr", "refit": False},  # which asks for the rows of a fold at once
        {"fit_intercept": False, "use_legacy_attributes": False},
    ],
)
def test_the_fits_and_scores_of_memory(k, options):
    y, weights = TARGETS[k], WEIGHTS if "class_weight" in options else None
    model = LogisticRegressionCV(Cs=CS, cv=4, **options)
    assert model._tags().tier == "one pass per iteration"
    memory = LogisticRegressionCV(Cs=CS, cv=HashKFold(4), **options).fit(X, y, weights)
    stream = stream_of(y, weights)
    found = model.fit(stream)
    for name in ("coef_", "intercept_", "C_", "Cs_", "l1_ratio_"):
        ours, theirs = getattr(found, name), getattr(memory, name)
        if None not in np.ravel(theirs):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-10, err_msg=name)
    for name in ("scores_", "coefs_paths_"):
        ours, theirs = getattr(found, name), getattr(memory, name)
        for key in theirs if isinstance(theirs, dict) else [...]:
            np.testing.assert_allclose(ours[key], theirs[key], rtol=1e-8, atol=1e-9, err_msg=name)
    np.testing.assert_array_equal(found.classes_, memory.classes_)
    assert stream.passes < 40  # not folds × Cs × Newton steps


def test_every_fold_is_a_fit_of_its_training_rows():
    y = TARGETS[2]
    found = LogisticRegressionCV(Cs=CS, cv=3, use_legacy_attributes=False).fit(stream_of(y))
    for fold, (train, test) in enumerate(HashKFold(3).split(X)):
        for c, strength in enumerate(CS):
            alone = LogisticRegression(C=strength, tol=1e-10).fit(X[train], y[train])
            path = found.coefs_paths_[fold, 0, c, 0]
            expected = np.append(alone.coef_[0], alone.intercept_)
            np.testing.assert_allclose(path, expected, atol=1e-7)
            score = alone.score(X[test], y[test])
            assert found.scores_[fold, 0, c] == pytest.approx(score, abs=1e-12)
    best = CS[int(found.scores_.mean(axis=(0, 1)).argmax())]
    assert best == found.C_
    whole = LogisticRegression(C=best).fit(stream_of(y))
    np.testing.assert_array_equal(found.coef_, whole.coef_)


def test_what_needs_all_rows_says_so():
    for options in ({"cv": [([0], [1])]}, {"solver": "saga"}):
        assert LogisticRegressionCV(**options)._tags().tier == "all rows"
    assert LogisticRegression(l1_ratio=0.5, solver="coordinate_descent")._tags().tier == "all rows"


@pytest.mark.parametrize("k", [2, 3])  # of three classes the rows are collected
@pytest.mark.parametrize("options", [{}, {"class_weight": "balanced"}, {"fit_intercept": False}])
@pytest.mark.parametrize(("c", "ratio"), [(0.02, 1.0), (0.05, 0.5), (1.0, 1.0), (1e-5, 1.0)])
def test_an_l1_penalty_by_passes(k, options, c, ratio):
    y, weights = TARGETS[k], WEIGHTS if "class_weight" in options else None
    model = LogisticRegression(C=c, l1_ratio=ratio, tol=1e-8, **options)
    memory = LogisticRegression(C=c, l1_ratio=ratio, tol=1e-8, **options).fit(X, y, weights)
    stream = stream_of(y, weights)
    found = model.fit(stream)
    np.testing.assert_allclose(found.coef_, memory.coef_, atol=1e-6)
    np.testing.assert_allclose(found.intercept_, memory.intercept_, atol=1e-5)
    np.testing.assert_array_equal(found.coef_ == 0.0, memory.coef_ == 0.0)
    ours, theirs = found.certificate_, memory.certificate_
    assert ours.proved
    assert ours.relative_gap <= 1e-10
    assert ours.primal == pytest.approx(theirs.primal, rel=1e-9)
    if k == 2:
        assert 4 <= stream.passes <= 30
        assert found.n_iter_[0] == max(len(found.trace_.objective) - 1, 1)
        assert found.trace_.objective[-1] == pytest.approx(ours.primal, rel=1e-9)


def test_steps_that_end_before_the_gap_is_reached_are_told():
    with pytest.warns(ConvergenceWarning, match="after 1 iteration"):
        LogisticRegression(l1_ratio=1.0, C=10.0, tol=1e-9, max_iter=1).fit(stream_of(TARGETS[2]))


@pytest.mark.parametrize("k", [2, 3])
def test_ratios_of_l1_are_chosen_as_in_memory(k):
    y, options = TARGETS[k], {"l1_ratios": [0.0, 0.5, 1.0], "use_legacy_attributes": False}
    options |= {"tol": 1e-9, "scoring": "neg_log_loss"}
    memory = LogisticRegressionCV(Cs=CS, cv=HashKFold(3), **options).fit(X, y)
    found = LogisticRegressionCV(Cs=CS, cv=HashKFold(3), **options).fit(stream_of(y))
    assert (found.C_, found.l1_ratio_) == (memory.C_, memory.l1_ratio_)
    np.testing.assert_allclose(found.scores_, memory.scores_, atol=1e-6)  # the gap is of the fits
    np.testing.assert_allclose(found.coefs_paths_, memory.coefs_paths_, atol=2e-5)
    assert found.coefs_paths_.shape == memory.coefs_paths_.shape == (3, 3, 3, (1, 3)[k == 3], 5)
    np.testing.assert_allclose(found.coef_, memory.coef_, atol=1e-6)


def test_refusals_end_the_solvers_of_all_folds():
    y = np.where(np.arange(N) == np.flatnonzero(HashKFold(4).folds_of(0, N) == 2)[0], "rare", "b")
    with pytest.raises(InvalidDataError, match=r"outside fold 2 .* the class 'rare'"):
        LogisticRegressionCV(Cs=CS, cv=4).fit(stream_of(y))
    with pytest.raises(InvalidDataError, match="only once"):
        LogisticRegressionCV().fit(Stream(lambda: iter([Batch(X, TARGETS[2])]), repeatable=False))
    read = []

    def failing():
        read.append(1)
        if len(read) == 6:
            raise OSError("the disk is gone")
        yield Batch(X, TARGETS[2])

    with pytest.raises(OSError, match="the disk is gone"):
        LogisticRegressionCV(Cs=CS, cv=4).fit(Stream(failing, "rows"))
