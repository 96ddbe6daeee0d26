"""Made-up data: draw by draw what scikit-learn's generators give for the same seed."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.datasets as theirs

from stylobate import datasets as ours
from stylobate.exceptions import InvalidParameterError

CASES = [
    ("make_classification", {}),
    ("make_classification", {"n_samples": 57, "n_features": 9, "n_informative": 4, "n_classes": 3}),
    ("make_classification", {"n_features": 40, "n_informative": 33, "n_repeated": 3}),
    ("make_classification", {"weights": [0.9], "flip_y": 0.3, "shift": None, "scale": None}),
    ("make_classification", {"hypercube": False, "shuffle": False, "n_informative": 10}),
    ("make_classification", {"n_informative": 1, "n_clusters_per_class": 1, "n_redundant": 0}),
    ("make_gaussian_quantiles", {}),
    ("make_gaussian_quantiles", {"mean": [1.0, 2.0], "cov": 3.0, "n_samples": 50, "n_classes": 4}),
    ("make_hastie_10_2", {"n_samples": 60}),
    ("make_multilabel_classification", {"return_distributions": True}),
    ("make_multilabel_classification", {"allow_unlabeled": False, "n_labels": 1, "sparse": True}),
    ("make_multilabel_classification", {"return_indicator": "sparse"}),
    ("make_biclusters", {"shape": (30, 20), "n_clusters": 3, "noise": 1.0}),
    ("make_biclusters", {"shape": (30, 20), "n_clusters": 3, "shuffle": False}),
    ("make_checkerboard", {"shape": (30, 20), "n_clusters": (4, 3), "noise": 1.0}),
    ("make_checkerboard", {"shape": (12, 12), "n_clusters": 2}),
    ("make_low_rank_matrix", {"n_samples": 30, "n_features": 20}),
    (
        "make_sparse_coded_signal",
        {"n_samples": 7, "n_components": 8, "n_features": 6, "n_nonzero_coefs": 2},
    ),
    ("make_sparse_spd_matrix", {"n_dim": 20, "alpha": 0.7}),
    ("make_sparse_spd_matrix", {"n_dim": 20, "norm_diag": True, "sparse_format": "csc"}),
    ("make_spd_matrix", {"n_dim": 5}),
    ("make_friedman1", {"noise": 0.5}),
    ("make_friedman2", {"noise": 0.5}),
    ("make_friedman3", {"noise": 0.5}),
    ("make_regression", {"coef": True, "noise": 2.0, "n_targets": 2}),
    ("make_regression", {"effective_rank": 4, "n_features": 12, "shuffle": False, "bias": 3.0}),
    ("make_sparse_uncorrelated", {}),
    ("make_blobs", {"return_centers": True}),
    ("make_blobs", {"n_samples": [3, 5, 9], "cluster_std": [1.0, 2.0, 0.1], "n_features": 4}),
    ("make_blobs", {"n_samples": 11, "centers": [[0.0, 0.0, 1.0], [5.0, 5.0, 5.0]]}),
    ("make_circles", {"noise": 0.1}),
    ("make_circles", {"n_samples": (5, 9), "factor": 0.3, "shuffle": False}),
    ("make_moons", {"noise": 0.1, "n_samples": 33}),
    ("make_moons", {"n_samples": (5, 9)}),
    ("make_s_curve", {"noise": 0.1}),
    ("make_swiss_roll", {"noise": 0.1}),
    ("make_swiss_roll", {"noise": 0.1, "hole": True}),
]


def parts(answer):
    answer = answer if isinstance(answer, tuple | map) else (answer,)
    return [part.toarray() if sp.issparse(part) else np.asarray(part) for part in answer]


@pytest.mark.parametrize(("name", "options"), CASES, ids=lambda case: str(case)[:50])
@pytest.mark.parametrize("seed", [0, 7])
def test_draws_are_scikit_learns(name, options, seed):
    expected = getattr(theirs, name)(**options, random_state=seed)
    got = getattr(ours, name)(**options, random_state=seed)
    for a, b in zip(parts(expected), parts(got), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", sorted({name for name, _ in CASES}))
def test_parameters_are_scikit_learns(name):
    expected = inspect.signature(getattr(theirs, name)).parameters
    got = inspect.signature(getattr(ours, name)).parameters
    assert [(p.name, p.default, p.kind) for p in got.values()] == [
        (p.name, p.default, p.kind) for p in expected.values()
    ]


def test_columns_of_a_classification_are_told():
    expected = theirs.make_classification(random_state=3, n_repeated=2, return_X_y=False)
    got = ours.make_classification(random_state=3, n_repeated=2, return_X_y=False)
    assert got.feature_info == expected.feature_info
    assert got.parameters == expected.parameters


def test_global_seed_is_taken_where_none_is_given():
    np.random.seed(5)
    expected = theirs.make_blobs()[0]
    np.random.seed(5)
    np.testing.assert_array_equal(ours.make_blobs()[0], expected)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: ours.make_classification(n_features=3), "must sum to at most n_features=3"),
        (lambda: ours.make_classification(n_classes=9), r"2\*\*n_informative\(2\)=4"),
        (lambda: ours.make_classification(weights=[0.1, 0.2, 0.3]), "share of 2 classes"),
        (lambda: ours.make_moons((1, 2, 3)), "exactly two elements"),
        (lambda: ours.make_circles(factor=1.5), r"factor must be a number in \[0, 1\]"),
        (lambda: ours.make_blobs([3, 4], centers=[[0.0, 0.0]]), "not that of centers"),
        (lambda: ours.make_blobs(cluster_std=[1.0, 2.0]), "3 numbers"),
        (lambda: ours.make_friedman1(n_features=4), "at least 5"),
        (lambda: ours.make_s_curve(random_state="x"), "random_state must be an integer"),
        (lambda: ours.make_s_curve(noise=float("nan")), "noise must be a number"),
        (lambda: ours.make_gaussian_quantiles(n_samples=2), "at least n_classes"),
        (lambda: ours.make_checkerboard((4, 4), (1, 2, 3)), "two numbers"),
    ],
)
def test_refusals_say_what_would_be_right(call, told):
    with pytest.raises(InvalidParameterError, match=told):
        call()
