"""Tools under scikit-learn's names: the same answers, and refusals of the same kind."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.utils as theirs
import sklearn.utils.extmath
import sklearn.utils.multiclass
import sklearn.utils.random
import sklearn.utils.validation

from stylobate import utils
from stylobate.exceptions import NotFittedError
from stylobate.linear_model import Ridge

NAN = float("nan")
FRAME = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, 1.5, 2.5]})
ARRAYS = {
    "integers": np.arange(6).reshape(3, 2),
    "floats": np.arange(6, dtype=np.float32).reshape(3, 2),
    "list": [[1, 2], [3, 4]],
    "floats in a list": [[1.0, 2], [3, 4]],
    "truths": np.eye(2, dtype=bool),
    "objects": np.array([[1, 2.5], [3, 4]], dtype=object),
    "text": [["a", "b"], ["c", "d"]],
    "frame": FRAME,
    "vector": np.arange(3.0),
    "scalar": 3.0,
    "cube": np.zeros((2, 2, 2)),
    "nothing": np.zeros((0, 2)),
    "no columns": np.zeros((2, 0)),
    "nan": [[NAN, 1.0], [2.0, 3.0]],
    "infinite": [[np.inf, 1.0], [2.0, 3.0]],
    "negative": [[-1.0, 2.0]],
    "sparse": sp.csr_array(np.eye(3)),
    "coo": sp.coo_matrix(np.eye(3)),
    "complex": np.eye(2) * 1j,
    "ragged": [[1, 2], [3]],
    "words": "abc",
    "None": None,
    "dictionary": {"a": [1]},
}
SETTINGS = {
    "plain": {},
    "float": {"dtype": np.float64},
    "either": {"dtype": [np.float64, np.float32]},
    "as it is": {"dtype": None},
    "sparse too": {"accept_sparse": True},
    "csc": {"accept_sparse": ["csc"], "dtype": np.float32},
    "nan passes": {"ensure_all_finite": "allow-nan"},
    "all passes": {"ensure_all_finite": False},
    "any dimensions": {"ensure_2d": False, "allow_nd": True},
    "columns first": {"order": "F", "copy": True},
    "not negative": {"ensure_non_negative": True},
    "few rows": {"ensure_min_samples": 0, "ensure_min_features": 3},
}


def outcome(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (ValueError, TypeError) as error:
            return "refused", type(error)


def same(expected, got):
    if isinstance(expected, tuple) and len(expected) == 2 and isinstance(expected[0], str):
        assert isinstance(got, tuple), f"should be refused: {got}"
        assert got[0] == "refused"
        assert issubclass(got[1], ValueError) or issubclass(expected[1], TypeError)
        return
    assert not (isinstance(got, tuple) and isinstance(got[0], str)), f"refused: {got}"
    if sp.issparse(expected):
        assert (got.format, got.dtype) == (expected.format, expected.dtype)
        expected, got = expected.toarray(), got.toarray()
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", ARRAYS)
def test_check_array(kind, setting):
    given, options = ARRAYS[kind], SETTINGS[setting]
    expected = outcome(lambda: theirs.check_array(given, **options))
    got = outcome(lambda: utils.check_array(given, **options))
    same(expected, got)
    if isinstance(got, np.ndarray) and options.get("order"):
        assert got.flags.f_contiguous


TARGETS = {
    "labels": ["a", "b", "a"],
    "numbers": [1.0, 2.5, 3.0],
    "column": [[1], [0], [1]],
    "two columns": [[1, 0], [0, 1], [1, 1]],
    "short": [1, 2],
    "None": None,
    "nan": [1.0, NAN, 2.0],
    "objects": np.array([1, 2, 3], dtype=object),
}


@pytest.mark.parametrize("options", [{}, {"multi_output": True}, {"y_numeric": True}], ids=str)
@pytest.mark.parametrize("kind", TARGETS)
def test_check_X_y(kind, options):
    y = TARGETS[kind]
    expected = outcome(lambda: theirs.check_X_y(FRAME, y, **options))
    got = outcome(lambda: utils.check_X_y(FRAME, y, **options))
    if isinstance(expected[0], str):  # refused
        same(expected, got)
    else:
        for a, b in zip(expected, got, strict=True):
            same(a, b)


DRAWS = [
    ("resample", {}),
    ("resample", {"n_samples": 20}),
    ("resample", {"replace": False, "n_samples": 4}),
    ("resample", {"stratify": [0, 0, 0, 0, 1, 1, 1, 2, 2, 2], "n_samples": 5}),
    ("resample", {"sample_weight": np.arange(10.0)}),
    ("shuffle", {}),
    ("shuffle", {"n_samples": 3}),
]


@pytest.mark.parametrize(("name", "options"), DRAWS, ids=str)
def test_the_same_rows_are_drawn(name, options):
    x, y = np.arange(20.0).reshape(10, 2), list("abcdefghij")
    for seed in range(3):
        expected = getattr(theirs, name)(x, y, sp.csr_array(x), random_state=seed, **options)
        got = getattr(utils, name)(x, y, sp.csr_array(x), random_state=seed, **options)
        np.testing.assert_array_equal(got[0], expected[0])
        assert got[1] == expected[1]
        np.testing.assert_array_equal(got[2].toarray(), expected[2].toarray())
    assert list(utils.resample(FRAME, random_state=0).index) == list(
        theirs.resample(FRAME, random_state=0).index
    )


def test_slices():
    for n in (1, 5, 12):
        for k in (1, 3, 5):
            assert list(utils.gen_batches(n, k)) == list(theirs.gen_batches(n, k))
            assert list(utils.gen_even_slices(n, k)) == list(theirs.gen_even_slices(n, k))
    batches = {"min_batch_size": 2}
    assert list(utils.gen_batches(7, 3, **batches)) == list(theirs.gen_batches(7, 3, **batches))


def test_weights_of_classes():
    y = np.array(["a", "b", "b", "c", "b"])
    for weight in ("balanced", None, {"a": 2.0, "b": 0.5, "c": 1.0}):
        np.testing.assert_allclose(
            utils.compute_class_weight(weight, classes=np.unique(y), y=y),
            theirs.compute_class_weight(weight, classes=np.unique(y), y=y),
        )
        np.testing.assert_allclose(
            utils.compute_sample_weight(weight, y), theirs.compute_sample_weight(weight, y)
        )
    sample = [0, 1, 1, 4]
    np.testing.assert_allclose(
        utils.compute_sample_weight("balanced", y, indices=sample),
        theirs.compute_sample_weight("balanced", y, indices=sample),
    )
    two = np.array([[0, 1], [0, 0], [1, 0]])
    np.testing.assert_allclose(
        utils.compute_sample_weight("balanced", two), theirs.compute_sample_weight("balanced", two)
    )


def test_kinds_of_targets_and_labels():
    ours, others = utils.multiclass, sklearn.utils.multiclass
    for y in ([1, 2, 3], ["a", "b"], [[0, 1], [1, 1]], [0.5, 1.0], [[1, 2], [3, 4]]):
        assert ours.type_of_target(y) == others.type_of_target(y)
        assert ours.is_multilabel(np.array(y)) == others.is_multilabel(np.array(y))
        same(
            outcome(lambda y=y: others.unique_labels(y)), outcome(lambda y=y: ours.unique_labels(y))
        )
    np.testing.assert_array_equal(ours.unique_labels([3, 5], [1, 2, 5]), [1, 2, 3, 5])
    y = np.array([[1, 0], [2, 0], [2, 3]])
    for a, b in zip(others.class_distribution(y), ours.class_distribution(y), strict=True):
        for one, other in zip(a, b, strict=True):
            np.testing.assert_allclose(other, one)


def test_small_computations():
    ours, others = utils.extmath, sklearn.utils.extmath
    x = np.random.default_rng(0).normal(size=(4, 3))
    np.testing.assert_allclose(ours.softmax(x * 1000), others.softmax(x * 1000))
    np.testing.assert_allclose(ours.row_norms(x), others.row_norms(x))
    np.testing.assert_allclose(ours.row_norms(sp.csr_array(x), squared=True), (x**2).sum(axis=1))
    np.testing.assert_allclose(ours.fast_logdet(x.T @ x), others.fast_logdet(x.T @ x))
    np.testing.assert_array_equal(
        ours.cartesian([[1, 2], [3, 4, 5]]), others.cartesian([[1, 2], [3, 4, 5]])
    )
    votes, weights = np.random.default_rng(1).integers(0, 3, (5, 4)), np.ones((5, 4))
    for a, b in zip(
        others.weighted_mode(votes, weights, axis=1),
        ours.weighted_mode(votes, weights, axis=1),
        strict=True,
    ):
        np.testing.assert_allclose(b, a)


def test_whether_it_is_fitted():
    with pytest.raises(NotFittedError, match="This Ridge instance is not fitted yet"):
        utils.validation.check_is_fitted(Ridge())
    fitted = Ridge().fit([[0.0], [1.0]], [0.0, 1.0])
    utils.validation.check_is_fitted(fitted, ["coef_", "intercept_"])
    with pytest.raises(NotFittedError, match="no Ridge"):
        utils.validation.check_is_fitted(fitted, "nothing_", msg="no %(name)s")
    with pytest.raises(TypeError, match="not an instance"):
        utils.validation.check_is_fitted(Ridge)


def test_an_estimator_of_ones_own():
    from stylobate.base import BaseEstimator, TransformerMixin
    from stylobate.model_selection import cross_val_score
    from stylobate.pipeline import make_pipeline

    class Centre(TransformerMixin, BaseEstimator):
        def fit(self, X, y=None):
            self.mean_ = utils.validation.validate_data(self, X, dtype=float).mean(axis=0)
            return self

        def transform(self, X):
            utils.validation.check_is_fitted(self)
            return utils.validation.validate_data(self, X, reset=False) - self.mean_

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(30, 2)), columns=["a", "b"])
    assert cross_val_score(make_pipeline(Centre(), Ridge()), frame, frame["a"]).min() > 0.5
    with pytest.raises(ValueError, match="feature names should match"):
        Centre().fit(frame).transform(frame[["b", "a"]])
    with pytest.raises(ValueError, match="expecting 2 features"):
        Centre().fit(frame.to_numpy()).transform(np.ones((3, 5)))


def test_integers_without_repetition():
    for population, count in ((1000, 5), (100, 50), (10, 10), (10, 0)):
        expected = theirs.random.sample_without_replacement(population, count, random_state=3)
        got = utils.random.sample_without_replacement(population, count, random_state=3)
        np.testing.assert_array_equal(got, expected)
