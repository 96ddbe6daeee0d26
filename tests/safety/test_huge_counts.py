"""Counts far beyond the rows: as good as all of them, or refused in a sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.preprocessing

import stylobate
from stylobate.cluster import AffinityPropagation, Birch, KMeans
from stylobate.ensemble import BaggingRegressor, RandomForestRegressor
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import ElasticNet, SGDClassifier, SGDRegressor
from stylobate.preprocessing import KernelCenterer, OneHotEncoder, PolynomialFeatures
from stylobate.tree import DecisionTreeRegressor

X = np.random.default_rng(0).normal(size=(30, 3))
Y = X @ [1.0, 2.0, 3.0]


@pytest.mark.parametrize("size", [10**12, 2**63 - 1])
def test_a_batch_of_more_rows_than_there_are_is_all_of_them(size):
    few, many = (
        SGDRegressor(batch_size=n, max_iter=20, tol=None, random_state=0).fit(X, Y)
        for n in (30, size)
    )
    assert np.array_equal(few.coef_, many.coef_)
    held = SGDClassifier(batch_size=size, early_stopping=True, max_iter=3, tol=None)
    assert np.isfinite(held.fit(X, Y > 0).coef_).all()


def test_patience_beyond_the_iterations_is_no_array():
    with pytest.warns(UserWarning, match="converge"):
        AffinityPropagation(max_iter=3, convergence_iter=10**12).fit(X)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeRegressor(max_depth=2**70),
        ElasticNet(max_iter=2**70),
        KMeans(3, max_iter=2**70),
        Birch(branching_factor=2**70),
        SGDRegressor(batch_size=2**63),
    ],
    ids=lambda model: type(model).__name__,
)
def test_counts_of_more_than_64_bits_are_refused(model):
    with pytest.raises(InvalidParameterError, match="which no 64-bit integer holds"):
        model.fit(X, Y)


def test_an_array_needs_no_names_of_its_columns():
    centerer = KernelCenterer().fit(X @ X.T)
    centerer._n_features_out = 1 << 40  # as a hostile file may say
    assert centerer.transform(X @ X.T).shape == (30, 30)


def test_files_that_promise_billions_of_columns_are_refused(tmp_path):
    centerer = KernelCenterer().fit(X @ X.T)
    centerer._n_features_out = 1 << 40
    stylobate.save(centerer, tmp_path / "model")
    with pytest.raises(stylobate.exceptions.ModelFileError, match="_n_features_out"):
        stylobate.load(tmp_path / "model")


def test_a_constant_column_of_numbers_that_was_dropped_comes_back():
    encoder = OneHotEncoder(drop="first").fit([[7], [7]])
    assert encoder.inverse_transform(encoder.transform([[7]])).tolist() == [[7]]


@pytest.mark.parametrize("draws", [10**12, 2**40])
@pytest.mark.parametrize("kind", [RandomForestRegressor, BaggingRegressor])
def test_more_draws_than_are_counted_are_refused(kind, draws):
    with pytest.raises(InvalidParameterError, match="rows to draw"):
        kind(n_estimators=2, max_samples=draws).fit(X, Y)


def test_a_degree_of_a_trillion_is_refused_at_once():
    with pytest.raises(stylobate.exceptions.InvalidDataError, match="choose a lower degree"):
        PolynomialFeatures(10**12).fit(X)
    for low, high, p in [(0, 3, 4), (2, 5, 3), (1, 1, 7), (4, 4, 2)]:
        given = np.ones((2, p))
        assert (
            PolynomialFeatures((low, high)).fit(given).n_output_features_
            == sklearn.preprocessing.PolynomialFeatures((low, high)).fit(given).n_output_features_
        )


def test_birch_gives_frames_back():
    frame = pd.DataFrame(X, index=[f"row {i}" for i in range(30)], columns=list("abc"))
    distances = Birch(n_clusters=None).fit(frame).transform(frame)
    assert list(distances.index) == list(frame.index)
    assert distances.columns[0] == "birch0"
