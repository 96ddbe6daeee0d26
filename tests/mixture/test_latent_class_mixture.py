"""LatentClassMixture against other mixtures, brute force, and its own claims."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate import read
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
)
from stylobate.mixture import GaussianMixture, LatentClassMixture, class_rows


@pytest.fixture(scope="module")
def frame():
    """Three classes of numbers and categories, a tenth of the cells missing."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 600)
    columns = {
        "length": rng.normal([0.0, 5.0, 10.0], 1.0, (600, 3))[np.arange(600), true],
        "weight": rng.normal([1e4, 1e4, 3e4], 2e3, (600, 3))[np.arange(600), true],
        "colour": np.array(["red", "green", "blue"])[(true + (rng.random(600) < 0.1)) % 3],
        "shape": np.where(rng.random(600) < 0.2 + 0.3 * true, "round", "square"),
    }
    table = pd.DataFrame(columns)
    return table.mask(rng.random(table.shape) < 0.1), true


def test_numbers_alone_are_a_diagonal_gaussian_mixture(groups):
    ours = LatentClassMixture(3, tol=1e-12, max_iter=3000, random_state=0).fit(groups)
    theirs = GaussianMixture(
        3, covariance_type="diag", reg_covar=0.0, tol=1e-12, max_iter=3000,
        weights_init=ours.weights_, means_init=ours.means_, precisions_init=1.0 / ours.variances_,
    ).fit(groups)  # fmt: skip
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-4, atol=1e-4)
    assert ours.score(groups) == pytest.approx(theirs.score(groups), rel=1e-9)
    assert ours._n_parameters() == theirs._n_parameters()
    assert ours.bic(groups) == pytest.approx(theirs.bic(groups), rel=1e-8)


def test_densities_of_categories_sum_to_one_over_all_rows():
    rng = np.random.default_rng(1)
    values = [["a", "b", "c"], ["x", "y"], ["p", "q", "r", "s"]]
    rows = pd.DataFrame({f"c{j}": rng.choice(each, 300) for j, each in enumerate(values)})
    model = LatentClassMixture(2, n_init=2, random_state=0, max_iter=2000).fit(rows)
    every = pd.DataFrame(list(itertools.product(*values)), columns=rows.columns)
    assert np.exp(model.score_samples(every)).sum() == pytest.approx(1.0, rel=1e-12)
    # the density of a row with a hole is the sum over all that the hole may be
    hole = every[every.c1 == "x"].copy()
    hole["c1"] = None
    summed = np.exp(model.score_samples(every)).reshape(3, 2, 4).sum(axis=1).ravel()
    np.testing.assert_allclose(np.exp(model.score_samples(hole)), summed, rtol=1e-12)


def test_a_missing_number_is_integrated_out(frame):
    rows, _ = frame
    model = LatentClassMixture(3, random_state=0).fit(rows)
    grid = np.linspace(-15.0, 25.0, 4001)
    many = pd.DataFrame({"length": grid, "weight": 1.5e4, "colour": "red", "shape": "round"})
    total = np.trapezoid(np.exp(model.score_samples(many)), grid)
    hole = many.iloc[:1].assign(length=np.nan)
    assert np.exp(model.score_samples(hole)[0]) == pytest.approx(total, rel=1e-8)


def test_classes_are_found_and_described(frame):
    rows, true = frame
    model = LatentClassMixture(3, random_state=0).fit(rows)
    labels = model.predict(rows)
    pairs = np.zeros((3, 3))
    np.add.at(pairs, (true, labels), 1)
    assert pairs.max(axis=1).sum() / len(rows) > 0.95
    np.testing.assert_allclose(np.sort(model.means_[:, 0]), [0.0, 5.0, 10.0], atol=0.4)
    assert model.probabilities_[:2] == [None, None]
    assert [each.shape for each in model.probabilities_[2:]] == [(3, 3), (3, 2)]
    assert np.isnan(model.means_[:, 2:]).all()
    assert model.categories_.of[2].tolist() == ["blue", "green", "red"]
    np.testing.assert_allclose(model.probabilities_[2].sum(axis=1), 1.0)
    assert (np.diff(model.weights_) <= 0.0).all()
    same = model.predict(polars.from_pandas(rows))
    assert np.array_equal(same, labels)


def test_the_order_and_the_number_of_rows_do_not_matter(frame):
    rows, _ = frame
    rows = rows.iloc[:200]
    weights = np.random.default_rng(0).integers(1, 4, len(rows))
    whole = rows.loc[rows.index.repeat(weights)].sample(frac=1.0, random_state=0)
    by_weight = LatentClassMixture(3, random_state=0).fit(rows, sample_weight=weights)
    by_rows = LatentClassMixture(3, random_state=0).fit(whole)
    np.testing.assert_allclose(by_weight.means_, by_rows.means_, rtol=1e-6)
    np.testing.assert_allclose(by_weight.weights_, by_rows.weights_, rtol=1e-6)


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(4, 50), k=st.integers(1, 4), alpha=st.sampled_from([0.0, 0.5]),
    seed=st.integers(0, 2**31),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")
def test_no_iteration_lowers_the_likelihood(n, k, alpha, seed):
    rng = np.random.default_rng(seed)
    rows = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.choice(list("xyz"), n), "c": rng.integers(0, 2, n)}
    ).mask(rng.random((n, 3)) < 0.2)
    model = LatentClassMixture(
        k, alpha=alpha, n_init=1, max_iter=40, tol=0.0, random_state=seed % 2**32
    ).fit(rows)
    bounds = np.array(model.lower_bounds_)
    assert (np.diff(bounds) > -1e-9 * np.maximum(1.0, abs(bounds[1:]))).all()


def test_what_was_never_seen(frame):
    rows, _ = frame
    model = LatentClassMixture(3, random_state=0).fit(rows)
    new = pd.DataFrame({"length": [0.1], "weight": [1e4], "colour": ["violet"], "shape": ["round"]})
    hole = new.assign(colour=None)
    np.testing.assert_allclose(model.predict_proba(new), model.predict_proba(hole))
    nothing = pd.DataFrame(
        {"length": [np.nan], "weight": [np.nan], "colour": [None], "shape": [None]}
    )
    np.testing.assert_allclose(model.predict_proba(nothing)[0], model.weights_)
    assert model.score_samples(nothing)[0] == pytest.approx(0.0, abs=1e-12)


def test_hostile_rows():
    with pytest.raises(InvalidDataError, match="Expected n_samples >= n_components"):
        LatentClassMixture(3).fit([[1.0], [2.0]])
    constant = LatentClassMixture(2, random_state=0).fit(np.ones((6, 2)))
    np.testing.assert_allclose(constant.means_, 1.0)
    empty = LatentClassMixture(2, random_state=0).fit([[np.nan, 1.0], [np.nan, 2.0], [np.nan, 9.0]])
    assert np.isfinite(empty.means_).all()
    with pytest.raises(NumericalError, match="column 0"):
        LatentClassMixture(1).fit([[1e300], [-1e300]])
    with pytest.warns(ConvergenceWarning, match="max_iter=1 "):
        LatentClassMixture(2, max_iter=1, random_state=0).fit(np.arange(20.0)[:, None])


# --- rows that are read on request ----------------------------------------------------------------


def same_mixture(one, other):
    assert [None if c is None else c.tolist() for c in one.categories_.of] == [
        None if c is None else c.tolist() for c in other.categories_.of
    ]
    for name in ("weights_", "means_", "variances_", "lower_bound_"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-9)
    for mine, theirs in zip(one.probabilities_, other.probabilities_, strict=True):
        if mine is not None:
            np.testing.assert_allclose(mine, theirs, atol=1e-10)


@pytest.mark.parametrize("seed_rows", [10_000, 150])
def test_a_file_gives_the_answer_of_memory(frame, tmp_path, monkeypatch, seed_rows):
    monkeypatch.setattr(class_rows, "SEED_ROWS", seed_rows)
    rows, _ = frame
    path = tmp_path / "rows.parquet"
    polars.from_pandas(rows).write_parquet(path, row_group_size=70)
    model = LatentClassMixture(3, n_init=4, random_state=0)
    same_mixture(model.fit(read(path)), LatentClassMixture(3, n_init=4, random_state=0).fit(rows))
    assert model.feature_names_in_.tolist() == list(rows.columns)
    assert np.array_equal(model.predict(read(path)), model.predict(rows))
    assert model.score(read(path)) == pytest.approx(model.score(rows), rel=1e-12)


def test_batches_with_weights_and_passes_of_all_starts_together(frame):
    rows, _ = frame
    weights = np.random.default_rng(0).integers(0, 3, len(rows)).astype(float)
    parts = [Batch(rows[a : a + 77], None, weights[a : a + 77]) for a in range(0, 600, 77)]
    stream = Stream(lambda: iter(parts), "batches")
    model = LatentClassMixture(2, random_state=1, n_init=3, max_iter=60).fit(stream)
    memory = LatentClassMixture(2, random_state=1, n_init=3, max_iter=60)
    same_mixture(model, memory.fit(rows, sample_weight=weights))
    assert stream.passes <= 60 + 3  # categories, scales, iterations of all starts, the certificate


def test_batches_that_can_be_read_once_are_refused(frame):
    rows, _ = frame
    once = Stream(lambda: iter([Batch(rows)]), "a reader", repeatable=False)
    with pytest.raises(InvalidDataError, match="every iteration needs a pass"):
        LatentClassMixture(2).fit(once)


# --- drawing --------------------------------------------------------------------------------------


def test_rows_drawn_are_as_the_mixture_says(frame):
    rows, _ = frame
    model = LatentClassMixture(3, random_state=0).fit(rows)
    drawn, labels = model.sample(20_000)
    np.testing.assert_allclose(np.bincount(labels) / len(labels), model.weights_, atol=0.015)
    for c in range(3):
        of_class = drawn[labels == c]
        numbers = of_class[:, :2].astype(float)
        spread = np.sqrt(model.variances_[c, :2])
        assert (abs(numbers.mean(axis=0) - model.means_[c, :2]) < 0.06 * spread).all()
        np.testing.assert_allclose(numbers.std(axis=0), spread, rtol=0.05)
        for j in (2, 3):
            shares = [(of_class[:, j] == each).mean() for each in model.categories_.of[j]]
            np.testing.assert_allclose(shares, model.probabilities_[j][c], atol=0.03)
    again = LatentClassMixture(3, random_state=0).fit(
        pd.DataFrame(drawn, columns=rows.columns).infer_objects()
    )
    np.testing.assert_allclose(again.means_[:, 0], model.means_[:, 0], atol=0.3)


def test_rows_of_numbers_are_drawn_as_numbers(groups):
    model = LatentClassMixture(2, random_state=0).fit(groups)
    drawn, labels = model.sample(7)
    assert drawn.dtype == np.float64
    assert drawn.shape == (7, groups.shape[1])
    assert (np.diff(labels) >= 0).all()
    with pytest.raises(InvalidParameterError, match="n_samples"):
        model.sample(0)
