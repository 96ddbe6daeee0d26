"""Codes over a dictionary: against scikit-learn, brute force, and the laws of each method."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from sklearn import decomposition as peer
from sklearn.utils import estimator_checks

from stylobate import _core
from stylobate.decomposition import SparseCoder, sparse_encode
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.parallel import threads

ALGORITHMS = ("lasso_lars", "lasso_cd", "lars", "omp", "threshold")


def problem(n=30, atoms=9, p=6, seed=0):
    rng = np.random.default_rng(seed)
    dictionary = rng.normal(size=(atoms, p))
    dictionary /= np.linalg.norm(dictionary, axis=1, keepdims=True)
    return rng.normal(size=(n, p)) * 3.0, dictionary


def objectives(x, code, dictionary, alpha=0.4):
    left = x - code @ dictionary
    return 0.5 * (left**2).sum(axis=1) + alpha * np.abs(code).sum(axis=1)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # theirs alone
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("atoms", [3, 6, 15])
def test_codes_of_scikit_learn(algorithm, atoms):
    x, dictionary = problem(atoms=atoms)
    settings = {"algorithm": algorithm, "alpha": 0.4, "n_nonzero_coefs": 3}
    theirs = peer.sparse_encode(x, dictionary, **settings)
    ours = sparse_encode(x, dictionary, **settings)
    if algorithm == "lasso_cd":  # theirs ends at its tolerance: the objective is no higher here
        assert (objectives(x, ours, dictionary) <= objectives(x, theirs, dictionary) + 1e-6).all()
    else:
        np.testing.assert_allclose(ours, theirs, atol=1e-10)


@pytest.mark.parametrize("algorithm", ["lasso_lars", "lasso_cd"])
@pytest.mark.parametrize("positive", [False, True])
def test_lasso_codes_satisfy_their_conditions(algorithm, positive):
    x, dictionary = problem(atoms=12)
    code = sparse_encode(x, dictionary, algorithm=algorithm, alpha=0.7, positive=positive)
    slope = (x - code @ dictionary) @ dictionary.T
    used = code != 0.0
    np.testing.assert_allclose(slope[used], 0.7 * np.sign(code[used]), atol=1e-3)
    assert (np.where(used, 0.0, slope if positive else np.abs(slope)) <= 0.7 + 1e-3).all()
    if positive:
        assert (code >= 0.0).all()


def test_matching_pursuit_takes_the_steps_of_its_definition():
    x, dictionary = problem(n=5, atoms=8, p=6)
    ours = sparse_encode(x, dictionary, algorithm="omp", n_nonzero_coefs=3)
    for row, code in zip(x, ours, strict=True):
        support: list[int] = []
        left = row
        for _ in range(3):
            support.append(int(np.argmax(np.abs(dictionary @ left))))
            fit = np.linalg.lstsq(dictionary[support].T, row, rcond=None)[0]
            left = row - fit @ dictionary[support]
        np.testing.assert_allclose(code[support], fit, atol=1e-12)
        assert set(np.flatnonzero(code)) == set(support)


def test_least_angle_codes_end_at_least_squares():
    x, dictionary = problem(n=10, atoms=5, p=8)
    ours = sparse_encode(x, dictionary, algorithm="lars", n_nonzero_coefs=5)
    best = np.linalg.lstsq(dictionary.T, x.T, rcond=None)[0].T
    np.testing.assert_allclose(ours, best, atol=1e-10)


def test_one_atom_is_the_best_of_all():
    x, dictionary = problem()
    ours = sparse_encode(x, dictionary, algorithm="omp", n_nonzero_coefs=1)
    errors = [
        ((x - np.outer(x @ atom, atom)) ** 2).sum(axis=1) for atom in dictionary
    ]  # atoms have length 1
    np.testing.assert_allclose(
        ((x - ours @ dictionary) ** 2).sum(axis=1), np.min(errors, axis=0), rtol=1e-12
    )


@pytest.mark.parametrize("way", ["matching", "least_angle"])
def test_repeated_and_zero_atoms_do_no_harm(way):
    x, dictionary = problem(atoms=4)
    more = np.vstack([dictionary, dictionary, np.zeros((1, 6))])
    code = _core.pursue(more @ more.T, x @ more.T, 9, way)
    assert np.isfinite(code).all()
    assert (np.count_nonzero(code, axis=1) <= 4).all()
    best = np.linalg.lstsq(dictionary.T, x.T, rcond=None)[0].T
    np.testing.assert_allclose(code @ more, best @ dictionary, atol=1e-8)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_same_bits_whatever_the_threads(algorithm):
    x, dictionary = problem(n=700, atoms=20, p=10)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(sparse_encode(x, dictionary, algorithm=algorithm, alpha=0.3).tobytes())
    assert found[0] == found[1] == found[2]


def test_known_products_are_used():
    x, dictionary = problem()
    gram, cov = dictionary @ dictionary.T, dictionary @ x.T
    for algorithm in ALGORITHMS:
        plain = sparse_encode(x, dictionary, algorithm=algorithm)
        np.testing.assert_allclose(
            sparse_encode(x, dictionary, algorithm=algorithm, gram=gram, cov=cov), plain, atol=1e-9
        )
    with pytest.raises(InvalidDataError, match="gram must be"):
        sparse_encode(x, dictionary, gram=gram[:2])


def test_refusals():
    x, dictionary = problem()
    with pytest.raises(InvalidDataError, match="different numbers of features"):
        sparse_encode(x[:, :3], dictionary)
    with pytest.raises(InvalidParameterError, match="one of lasso_lars"):
        sparse_encode(x, dictionary, algorithm="magic")
    for algorithm, positive in itertools.product(("omp", "lars"), [True]):
        with pytest.raises(ValueError, match="Positive constraint not supported"):
            sparse_encode(x, dictionary, algorithm=algorithm, positive=positive)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        sparse_encode(x, dictionary, algorithm="lasso_cd", alpha=1e-3, max_iter=1)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_coder_keeps_the_kind_and_splits_signs(kind):
    x, dictionary = problem()
    coder = SparseCoder(
        dictionary.astype(kind), transform_algorithm="lasso_lars", transform_alpha=0.1
    )
    codes = coder.transform(x.astype(kind))
    assert codes.dtype == kind
    split = coder.set_params(split_sign=True).fit(x.astype(kind)).transform(x.astype(kind))
    np.testing.assert_allclose(split[:, :9] - split[:, 9:], codes, atol=1e-6)
    assert (split >= 0.0).all()
    np.testing.assert_allclose(coder.inverse_transform(split), codes @ dictionary, atol=1e-5)
    assert coder.get_feature_names_out().tolist()[:2] == ["sparsecoder0", "sparsecoder1"]


def test_coder_on_frames_without_fit():
    import pandas as pd

    x, dictionary = problem()
    frame = pd.DataFrame(x, columns=list("abcdef"))
    codes = SparseCoder(dictionary).transform(frame)
    assert list(codes.columns) == [f"sparsecoder{j}" for j in range(9)]


# {check: columns of the rows it makes}; a dictionary must have as many
CHECKS = {
    "check_estimators_dtypes": 5,
    "check_dtype_object": 10,
    "check_transformers_unfitted_stateless": 5,
    "check_fit_idempotent": 2,
    "check_transformer_preserve_dtypes": 3,
    "check_set_output_transform": 5,
    "check_set_output_transform_pandas": 5,
    "check_dataframe_column_names_consistency": 8,
    "check_estimators_overwrite_params": 2,
    "check_estimators_fit_returns_self": 2,
    "check_readonly_memmap_input": 2,
    "check_n_features_in_after_fitting": 4,
    "check_n_features_in": 2,
    "check_fit2d_1sample": 10,
    "check_fit2d_1feature": 1,
    "check_dict_unchanged": 3,
    "check_estimators_pickle": 3,
    "check_estimators_nan_inf": 3,
    "check_transformer_general": 3,
    "check_transformer_n_iter": 3,
}


@pytest.mark.parametrize("name", CHECKS)
def test_coder_passes_checks_of_scikit_learn(name):
    """With a dictionary for the columns each check uses, as scikit-learn grants its own."""
    coder = SparseCoder(np.random.default_rng(0).normal(size=(5, CHECKS[name])))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        getattr(estimator_checks, name)("SparseCoder", coder)
