"""Studies try support vector machines: scaled, with probabilities, on tables that suit them."""

import numpy as np
import pandas as pd
import pytest

from stylobate import Study, load
from stylobate.calibration import CalibratedClassifierCV
from stylobate.svm import SVC, SVR


@pytest.fixture
def rings():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(160, 2))
    y = np.where((X**2).sum(axis=1) > 1.3, "out", "in")
    return pd.DataFrame({"a": 1e3 * X[:, 0], "b": 1e-3 * X[:, 1], "ring": y})


def studied(table, target, folder, **options):
    result = Study(table, target, time=20, cv=3, folder=folder, **options).run()
    return result, load(folder / "model.stylobate")


def test_rings_by_probabilities(rings, tmp_path, without_pictures):
    result, model = studied(rings, "ring", tmp_path, models=["svm", "logistic"], metric="log_loss")
    assert result.choice.key.startswith("svm(C=")
    calibrated = model[-1]
    assert type(calibrated) is CalibratedClassifierCV
    assert type(calibrated.calibrated_classifiers_[0].estimator) is SVC
    chances = model.predict_proba(rings[["a", "b"]])
    assert (model.classes_[chances.argmax(axis=1)] == rings["ring"]).mean() > 0.9


def test_numbers_in_any_units(tmp_path, without_pictures):
    rng = np.random.default_rng(1)
    x = rng.uniform(-3.0, 3.0, 120)
    table = pd.DataFrame({"x": x, "y": 1e5 * (np.sin(2.0 * x) + 0.05 * rng.normal(size=120))})
    _, model = studied(table, "y", tmp_path, models=["svm", "linear"])
    machine, scale = model[-1], table["y"].std()
    assert type(machine) is SVR
    assert 0.03 * scale < machine.epsilon < 0.3 * scale


def test_many_rows_are_left_to_others():
    from stylobate.base.study_role import role_of

    for kind in (SVC, SVR):
        assert role_of(kind).max_rows == 5_000
