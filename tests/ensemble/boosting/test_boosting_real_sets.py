"""As accurate as scikit-learn and LightGBM on real tables, by a paired test of the held-out losses."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

ITERATIONS = 40


@pytest.fixture(scope="module")
def folder():
    root = Path(__file__).resolve().parents[3]
    found = Path(os.environ.get("STYLOBATE_DATA", root.parent / "shared" / "data"))
    if not found.is_dir():
        pytest.skip(f"real data not found at {found}; set STYLOBATE_DATA")
    return found


def table(folder, name):
    pandas = pytest.importorskip("pandas")
    if name == "higgs":
        frame = pandas.read_parquet(folder / "tabular" / "higgs_7500.parquet")
        y = frame.pop("label").to_numpy().astype(int)
        return frame.select_dtypes("number"), y
    if name == "breast cancer":
        frame = pandas.read_csv(folder / "basic" / "breast_cancer.csv")
        return frame.drop(columns="target"), frame["target"].astype("category").cat.codes.to_numpy()
    if name == "housing":
        frame = pandas.read_csv(folder / "basic" / "california_housing.csv.gz").iloc[:6000]
        y = np.log(frame.pop("median_house_value").to_numpy())
        return frame.assign(ocean_proximity=frame["ocean_proximity"].astype("category")), y
    frame = pandas.read_csv(folder / "tabular" / "adult.csv.gz", na_values="?").iloc[:6000]
    y = (frame.pop("income").str.strip() == ">50K").to_numpy().astype(int)
    frame = frame.drop(columns="split")
    words = [name for name in frame if not pandas.api.types.is_numeric_dtype(frame[name])]
    return frame.astype(dict.fromkeys(words, "category")), y


def losses(model, x, y, classes):
    """The loss of every row."""
    if not classes:
        return (y - model.predict(x)) ** 2
    p = np.clip(np.asarray(model.predict_proba(x))[np.arange(len(y)), y], 1e-12, 1.0)
    return -np.log(p)


def peers(classes):
    from sklearn import ensemble

    kind = "HistGradientBoosting" + ("Classifier" if classes else "Regressor")
    yield getattr(ensemble, kind)(max_iter=ITERATIONS, early_stopping=False)
    lightgbm = pytest.importorskip("lightgbm")
    kind = "LGBMClassifier" if classes else "LGBMRegressor"
    yield getattr(lightgbm, kind)(n_estimators=ITERATIONS, n_jobs=1, verbose=-1)


@pytest.mark.filterwarnings("ignore")  # what the peers say is not ours to judge
@pytest.mark.parametrize("name", ["breast cancer", "higgs", "adult", "housing"])
def test_as_accurate_as_the_peers(folder, name):
    if not (folder / "basic").is_dir() or not (folder / "tabular").is_dir():
        pytest.skip("these tables are not there")
    x, y = table(folder, name)
    classes = name != "housing"
    draw = np.random.default_rng(0)
    order = draw.permutation(len(y))
    held, train = order[: len(y) // 3], order[len(y) // 3 :]
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    ours = kind(max_iter=ITERATIONS, early_stopping=False, random_state=0)
    ours.fit(x.iloc[train], y[train])
    mine = losses(ours, x.iloc[held], y[held], classes)
    with threadpool_limits(1):
        for peer in peers(classes):
            theirs = losses(peer.fit(x.iloc[train], y[train]), x.iloc[held], y[held], classes)
            worse = mine - theirs
            error = worse.std(ddof=1) / np.sqrt(len(worse))
            assert worse.mean() <= 3.0 * error + 1e-12, (name, type(peer).__name__)
