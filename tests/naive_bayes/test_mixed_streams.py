"""NaiveBayes of mixed columns on streams: the models of memory, by two passes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import stylobate
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError, StylobateError
from stylobate.naive_bayes import NaiveBayes

RNG = np.random.default_rng(6)
N = 600
CODES = RNG.integers(0, 3, N)
Y = np.array(["ant", "bee", "cat"])[CODES]
WEIGHTS = RNG.integers(0, 3, N).astype(float)
FRAME = pl.DataFrame(
    {
        "size": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N) + CODES + 1e6),
        "legs": RNG.poisson(2.0 + CODES),
        "eyes": RNG.poisson(5.0 - CODES),
        "wings": RNG.random(N) < 0.2 + 0.3 * CODES,
        "price": [f"{value:.2f}".replace(".", ",") for value in RNG.gamma(2.0 + CODES)],
        "colour": RNG.choice(["red", "green", "blue", "grey"], N),
        "note": pl.Series([None if k % 7 else "late" for k in range(N)], dtype=pl.String),
    }
)
MODELS = {"legs": "poisson", "eyes": "multinomial", "wings": "bernoulli"}


def stream_of(weights=None, y=Y, frame=FRAME, cuts=(0, 1, 37, 300, N)):
    spans = [slice(a, b) for a, b in pairwise(cuts)]
    parts = [Batch(frame[s], y[s], None if weights is None else weights[s]) for s in spans]
    return Stream(lambda: iter(parts), "rows")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("models", [None, MODELS, {**MODELS, "price": "ignore"}])
@pytest.mark.parametrize("alpha", [1.0, 0.0])
def test_the_models_of_memory(weighted, models, alpha):
    weights = WEIGHTS if weighted else None
    memory = NaiveBayes(models=models, alpha=alpha).fit(FRAME, Y, weights)
    stream = stream_of(weights)
    found = NaiveBayes(models=models, alpha=alpha).fit(stream)
    assert stream.passes == 2
    assert found.models_ == memory.models_
    assert [each.kind for each in found.schema_] == [each.kind for each in memory.schema_]
    np.testing.assert_array_equal(found.classes_, memory.classes_)
    np.testing.assert_allclose(found.class_count_, memory.class_count_, rtol=1e-12)
    ours, theirs = (each.predict_joint_log_proba(FRAME) for each in (found, memory))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(found.feature_names_in_, memory.feature_names_in_)


def test_a_parquet_file(tmp_path):
    path = tmp_path / "animals.parquet"
    FRAME.with_columns(kind=pl.Series(Y)).write_parquet(path, row_group_size=50)
    found = NaiveBayes().fit(stylobate.read(path), target="kind")
    expected = NaiveBayes().fit(FRAME, Y)
    np.testing.assert_allclose(
        found.predict_log_proba(FRAME), expected.predict_log_proba(FRAME), rtol=1e-9, atol=1e-9
    )


def test_a_class_whose_values_are_all_missing_takes_the_columns_own():
    frame = pl.DataFrame({"a": [1.0, 2.0, None, None], "b": ["x", "y", "x", None]})
    y = np.array([0, 0, 1, 1])
    found = NaiveBayes(models={"a": "gaussian"}).fit(stream_of(None, y, frame, (0, 2, 4)))
    memory = NaiveBayes(models={"a": "gaussian"}).fit(frame, y)
    np.testing.assert_allclose(found.features_[0].mean, [1.5, 1.5])
    np.testing.assert_allclose(
        found.predict_joint_log_proba(frame), memory.predict_joint_log_proba(frame), rtol=1e-12
    )


def test_kernel_densities_need_all_rows():
    assert NaiveBayes()._tags().tier == "several passes"
    assert NaiveBayes(models={"size": "kde"})._tags().tier == "all rows"
    assert NaiveBayes(models="kde")._tags().tier == "all rows"


def test_refusals():
    with pytest.raises(InvalidDataError, match="only once"):
        NaiveBayes().fit(Stream(lambda: iter([Batch(FRAME, Y)]), repeatable=False))
    with pytest.raises(InvalidDataError, match=r"holds -1, and a poisson model is for counts"):
        NaiveBayes(models={"legs": "poisson"}).fit(
            stream_of(frame=FRAME.with_columns(legs=pl.col("legs") - 1))
        )
    with pytest.raises(InvalidDataError, match="has no rows to learn from"):
        NaiveBayes().fit(stream_of(np.zeros(N)))
    other = [Batch(FRAME[:300], Y[:300]), Batch(FRAME[300:].rename({"legs": "feet"}), Y[300:])]
    with pytest.raises(StylobateError, match="feet"):
        NaiveBayes().fit(Stream(lambda: iter(other), "rows"))
