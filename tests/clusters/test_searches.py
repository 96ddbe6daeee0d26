"""Searches over models that fit into memory: their fits are shared out to the workers."""

from __future__ import annotations

import os

import joblib
import numpy as np
import pytest

from stylobate.linear_model import LogisticRegression
from stylobate.model_selection import GridSearchCV
from stylobate.preprocessing import FunctionTransformer

pytest.importorskip("pandas")


class WhoFits:
    """Notes which processes it was called in."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __call__(self, X):
        with open(os.path.join(self.folder, str(os.getpid())), "w"):
            return X


@pytest.mark.parametrize("name", ["dask", "ray"])
@pytest.mark.filterwarnings("ignore")
def test_fits_of_a_search_are_made_by_the_workers(name, engines, tmp_path):
    from stylobate.pipeline import make_pipeline

    engines(name)
    if name == "ray":
        from ray.util.joblib import register_ray

        register_ray()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    grid = {"logisticregression__C": [0.1, 1.0, 10.0]}
    made = make_pipeline(FunctionTransformer(WhoFits(tmp_path)), LogisticRegression())
    expected = GridSearchCV(made, grid, cv=3, refit=False).fit(X, y)
    assert os.listdir(tmp_path) == [str(os.getpid())]
    with joblib.parallel_config(backend=name):
        found = GridSearchCV(made, grid, cv=3, refit=False, n_jobs=-1).fit(X, y)
    assert len(os.listdir(tmp_path)) > 1
    np.testing.assert_array_equal(
        found.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"]
    )
    assert found.best_params_ == expected.best_params_
