"""Dictionaries and sparse components: against scikit-learn and the laws of their objective."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from sklearn import decomposition as peer

from stylobate.decomposition import (
    DictionaryLearning,
    MiniBatchDictionaryLearning,
    MiniBatchSparsePCA,
    SparsePCA,
    dict_learning,
    dict_learning_online,
    sparse_encode,
)
from stylobate.exceptions import InvalidDataError
from stylobate.parallel import threads


def rows(n=40, p=8, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) @ rng.normal(size=(p, p))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # theirs alone
@pytest.mark.parametrize("method", ["lars", "cd"])
@pytest.mark.parametrize("k", [3, 8, 11])
def test_dictionary_of_scikit_learn(method, k):
    settings = {"alpha": 0.5, "max_iter": 8, "fit_algorithm": method, "random_state": 0}
    theirs = peer.DictionaryLearning(k, **settings)
    ours = DictionaryLearning(k, **settings)
    codes, others = ours.fit_transform(rows()), theirs.fit_transform(rows())
    # their coordinate descent stops at 1e-4 of a column's size; least angles are exact
    loose = (2e-3, 1e-3) if method == "cd" else (1e-8, 1e-8)
    np.testing.assert_allclose(codes, others, atol=loose[0])
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=loose[1])
    np.testing.assert_allclose(ours.error_, theirs.error_, rtol=1e-5)
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.parametrize("method", ["lars", "cd"])
def test_batches_of_scikit_learn(method):
    settings = {"alpha": 0.5, "batch_size": 7, "max_iter": 4, "fit_algorithm": method}
    theirs = peer.MiniBatchDictionaryLearning(5, random_state=1, **settings).fit(rows())
    ours = MiniBatchDictionaryLearning(5, random_state=1, **settings).fit(rows())
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-5)
    assert (ours.n_iter_, ours.n_steps_) == (theirs.n_iter_, theirs.n_steps_)
    theirs = peer.MiniBatchDictionaryLearning(5, random_state=1, **settings)
    ours = MiniBatchDictionaryLearning(5, random_state=1, **settings)
    for seed in range(4):
        ours.partial_fit(rows(12, seed=seed))
        theirs.partial_fit(rows(12, seed=seed))
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-5)


@pytest.mark.parametrize("method", ["lars", "cd"])
def test_sparse_components_of_scikit_learn(method):
    x = rows(30, 10)
    settings = {"alpha": 1.0, "random_state": 0, "method": method, "max_iter": 60}
    theirs, ours = peer.SparsePCA(4, **settings).fit(x), SparsePCA(4, **settings).fit(x)
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-4)
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), atol=1e-3)
    np.testing.assert_allclose(ours.error_[-1], theirs.error_[-1], rtol=1e-7)
    theirs = peer.MiniBatchSparsePCA(4, **settings).fit(x)
    ours = MiniBatchSparsePCA(4, **settings).fit(x)
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-4)


def test_atoms_that_made_the_rows_are_found():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(6, 12))
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    codes = rng.laplace(size=(600, 6)) * (rng.uniform(size=(600, 6)) < 0.3) * 5.0
    model = DictionaryLearning(6, alpha=0.1, random_state=0, tol=1e-6).fit(codes @ atoms)
    likeness = np.abs(model.components_ @ atoms.T)
    pairs = linear_sum_assignment(-likeness)
    assert likeness[pairs].min() > 0.98


def test_objective_falls_and_certificate_holds():
    x = rows(60, 6)
    code, dictionary, errors, turns = dict_learning(
        x, 4, alpha=0.3, max_iter=40, random_state=0, return_n_iter=True
    )
    assert turns == len(errors)
    assert (np.diff(errors) <= 1e-9 * errors[0]).all()
    assert (np.linalg.norm(dictionary, axis=1) <= 1 + 1e-12).all()
    proof = DictionaryLearning(4, alpha=0.3, max_iter=40, random_state=0).fit(x).certificate_

    def objective(code):
        return 0.5 * ((x - code @ dictionary) ** 2).sum() + 0.3 * np.abs(code).sum()

    assert proof.objective == pytest.approx(objective(code))
    gained = objective(code) - objective(sparse_encode(x, dictionary, alpha=0.3))
    assert 0.0 <= gained <= proof.gap * (1 + 1e-9) + 1e-12
    assert proof.gap <= gained + 1e-6 * proof.objective
    assert "within" in proof.verdict


def test_settled_dictionary_is_stationary():
    proof = SparsePCA(3, alpha=0.5, tol=0.0, max_iter=600, random_state=0).fit(rows(25, 6))
    assert proof.certificate_.stationary
    assert proof.certificate_.relative_gap < 1e-6


def test_positive_dictionary_and_codes():
    x = np.abs(rows())
    model = DictionaryLearning(
        4, fit_algorithm="cd", positive_code=True, positive_dict=True, random_state=0, max_iter=10
    )
    assert (model.fit_transform(x) >= 0).all()
    assert (model.components_ >= 0).all()
    with pytest.raises(ValueError, match="Positive constraint"):
        DictionaryLearning(4, positive_code=True).fit(x)


def test_online_function_and_single_precision():
    x = rows().astype(np.float32)
    code, dictionary = dict_learning_online(x, 3, max_iter=2, batch_size=10, random_state=0)
    assert code.dtype == dictionary.dtype == np.float32
    alone = dict_learning_online(x, 3, max_iter=2, batch_size=10, random_state=0, return_code=False)
    np.testing.assert_array_equal(alone, dictionary)
    assert SparsePCA(2, max_iter=3).fit_transform(x).dtype == np.float32


def test_starts_must_fit_the_rows():
    with pytest.raises(InvalidDataError, match="code_init must be a finite matrix of 40 rows"):
        DictionaryLearning(2, code_init=np.ones((3, 2)), dict_init=np.ones((2, 8))).fit(rows())
    start = np.eye(2, 8)
    model = DictionaryLearning(2, code_init=np.ones((40, 2)), dict_init=start, max_iter=0)
    np.testing.assert_array_equal(model.fit(rows()).components_, start)


@pytest.mark.parametrize(
    "x",
    [np.ones((5, 3)), np.zeros((4, 3)), rows(1, 4), rows(3, 7), np.repeat(rows(4, 3), 3, axis=0)],
    ids=["constant", "zero", "one row", "wide", "repeats"],
)
@pytest.mark.parametrize("kind", [DictionaryLearning, SparsePCA, MiniBatchDictionaryLearning])
def test_odd_rows_get_finite_answers(x, kind):
    model = kind(2, random_state=0, max_iter=5).fit(x)
    assert np.isfinite(model.components_).all()
    assert np.isfinite(model.transform(x)).all()


def test_callbacks_are_called():
    seen = []
    DictionaryLearning(2, max_iter=11, tol=0.0, callback=seen.append, random_state=0).fit(rows())
    assert len(seen) == 3
    assert {"code", "dictionary", "errors"} <= seen[0].keys()


def test_same_bits_whatever_the_threads():
    found = []
    for count in (1, 2, 7):
        with threads(count):
            model = DictionaryLearning(5, max_iter=4, random_state=0).fit(rows(300))
        found.append(model.components_.tobytes())
    assert found[0] == found[1] == found[2]
