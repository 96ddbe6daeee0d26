"""Mixtures in model files: the same answers, and a refusal of parts that do not fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import stylobate
from stylobate.exceptions import ModelFileError
from stylobate.mixture import BayesianGaussianMixture, GaussianMixture, LatentClassMixture


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("model", [GaussianMixture, BayesianGaussianMixture])
def test_files_give_the_same_answers(groups, tmp_path, model, kind):
    fitted = model(n_components=3, covariance_type=kind, random_state=0, max_iter=300).fit(groups)
    stylobate.save(fitted, tmp_path / "model")
    loaded = stylobate.load(tmp_path / "model")
    assert np.array_equal(loaded.predict_proba(groups), fitted.predict_proba(groups))
    assert np.array_equal(loaded.sample(3)[0], fitted.sample(3)[0])
    assert loaded.lower_bounds_ == fitted.lower_bounds_


def test_parts_that_do_not_fit_are_refused(groups, tmp_path):
    model = GaussianMixture(3, random_state=0).fit(groups)
    model.precisions_cholesky_ = model.precisions_cholesky_[:2]
    stylobate.save(model, tmp_path / "model")
    with pytest.raises(ModelFileError, match="precisions_cholesky_"):
        stylobate.load(tmp_path / "model")


def test_latent_classes_in_files(groups, tmp_path):
    frame = pd.DataFrame({"x": groups[:, 0], "kind": np.where(groups[:, 1] > 0, "a", "b")})
    model = LatentClassMixture(2, random_state=0, max_iter=2000).fit(frame)
    stylobate.save(model, tmp_path / "classes")
    loaded = stylobate.load(tmp_path / "classes")
    assert np.array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    assert loaded.categories_.of[1].tolist() == ["a", "b"]
    model._scales = replace(model._scales, center=np.zeros(2))
    stylobate.save(model, tmp_path / "broken")
    with pytest.raises(ModelFileError, match="other columns"):
        stylobate.load(tmp_path / "broken")
