"""Whole numbers of 128 bits, which polars has and NumPy has not, are what those of 64 bits are."""

import warnings

import numpy as np
import pytest

from stylobate.base import clone
from stylobate.splits.value_numbers import numpy_of
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of

pl = pytest.importorskip("polars")

KINDS = [
    kind
    for kind in all_estimators()
    if not (example_of(kind)._tags().text or example_of(kind)._tags().pairwise)
]
TARGETS = ("LabelBinarizer", "LabelEncoder", "MultiLabelBinarizer")  # fit(y)


def outcome(kind, dtype):
    """What fit and transform or predict give on columns and labels of a type, or their refusal."""
    rng = np.random.default_rng(0)
    X = pl.DataFrame({name: pl.Series(rng.integers(1, 9, 60), dtype=dtype) for name in "ab"})
    y = pl.Series([0, 1] * 30, dtype=dtype)
    estimator = clone(example_of(kind))
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = estimator.fit(y) if kind.__name__ in TARGETS else estimator.fit(X, y)
            given = y if kind.__name__ in TARGETS else X
            found = [getattr(model, name)(given) for name in ("predict", "transform")
                     if hasattr(model, name)]  # fmt: skip
        except Exception as error:
            return type(error), str(error).replace("Int64", "…").replace("Int128", "…")
    return [as_numbers(each) for each in found]


def as_numbers(found):
    if isinstance(found, pl.DataFrame):
        return found.cast(pl.Float64).to_numpy()
    return np.asarray(found.toarray() if hasattr(found, "toarray") else found)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_estimators_take_them(kind):
    wide, plain = outcome(kind, pl.Int128), outcome(kind, pl.Int64)
    if isinstance(plain, tuple):
        assert wide == plain
        return
    for found, expected in zip(wide, plain, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_as_arrays():
    assert numpy_of(pl.Series([1, 2], dtype=pl.Int128)).dtype == np.int64
    assert numpy_of(pl.Series([1, 2**100], dtype=pl.Int128)).tolist() == [1, 2**100]
    np.testing.assert_array_equal(numpy_of(pl.Series([1, None], dtype=pl.Int128)), [1.0, np.nan])
