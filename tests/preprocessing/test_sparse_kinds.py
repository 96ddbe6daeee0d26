"""Sparse results are of the kind scikit-learn gives: matrices, or arrays where arrays came in."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.impute
import sklearn.preprocessing
from scipy import sparse

import stylobate.impute
import stylobate.preprocessing

NUMBERS = np.round(np.random.default_rng(0).random((12, 2)), 1)
WORDS = np.array([["a"], ["b"], ["c"]], dtype=object)


@pytest.mark.parametrize(
    ("name", "parameters", "data"),
    [
        ("OneHotEncoder", {}, WORDS),
        ("KBinsDiscretizer", {"n_bins": 2, "quantile_method": "averaged_inverted_cdf"}, NUMBERS),
        ("SplineTransformer", {"sparse_output": True}, NUMBERS),
        ("LabelBinarizer", {"sparse_output": True}, ["a", "b", "c"]),
        ("MultiLabelBinarizer", {"sparse_output": True}, [["a", "b"], ["c"]]),
    ],
)
def test_from_dense_input(name, parameters, data):
    ours = getattr(stylobate.preprocessing, name)(**parameters).fit_transform(data)
    theirs = getattr(sklearn.preprocessing, name)(**parameters).fit_transform(data)
    assert type(ours) is type(theirs)
    assert (ours != theirs).nnz == 0 or abs(ours - theirs).max() < 1e-12


@pytest.mark.parametrize("name", ["MaxAbsScaler", "StandardScaler", "Normalizer", "SimpleImputer"])
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "csr_array", "csc_array"])
def test_from_sparse_input(name, kind):
    data = getattr(sparse, kind)(NUMBERS)
    parameters = {"with_mean": False} if name == "StandardScaler" else {}
    package = "impute" if name == "SimpleImputer" else "preprocessing"
    maker = getattr(getattr(stylobate, package), name)
    out = maker(**parameters).fit_transform(data)
    assert isinstance(out, sparse.sparray) == isinstance(data, sparse.sparray)
