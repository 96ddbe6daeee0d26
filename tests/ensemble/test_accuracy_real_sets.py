"""Trees, forests and boosting on real tables: never worse than their peers by a paired test.

Five folds; every row is predicted once by models that have not seen it, ours and the peer's with
the same parameters and the same folds. The differences of the rows' losses have a mean and a
standard error, and ours may not be worse by more than three of them.
"""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from stylobate import datasets, ensemble, tree

FOLDS = 5


def table(name):
    if name == "titanic":
        frame = datasets.load_titanic(as_frame=True).frame
        y = frame["survived"].astype("category").cat.codes.to_numpy().astype(int)
        codes = frame[["class", "sex"]].apply(lambda each: each.astype("category").cat.codes)
        return np.column_stack([codes, frame["age"]]).astype(float), y
    return getattr(datasets, f"load_{name}")(return_X_y=True)


def losses(model, x, y, name):
    """Of every row: squared error, zero-one loss (trees), Brier score (forests) or log-loss."""
    if name == "diabetes":
        return (y - model.predict(x)) ** 2
    if hasattr(model, "tree_"):
        return (model.predict(x) != y).astype(float)
    p = np.asarray(model.predict_proba(x))
    if hasattr(model, "estimators_"):
        return ((p - np.eye(p.shape[1])[y]) ** 2).sum(axis=1)
    return -np.log(np.clip(p[np.arange(len(y)), y], 1e-12, 1.0))


def contenders(family, kind):
    """Ours, then each peer, with the same parameters."""
    import sklearn.ensemble
    import sklearn.tree

    if family == "tree":
        options = {"min_samples_leaf": 5, "random_state": 0}
        yield getattr(tree, f"DecisionTree{kind}")(**options)
        yield getattr(sklearn.tree, f"DecisionTree{kind}")(**options)
    elif family == "forest":
        options = {"n_estimators": 25, "max_features": 0.4, "random_state": 0}
        yield getattr(ensemble, f"RandomForest{kind}")(**options)
        yield getattr(sklearn.ensemble, f"RandomForest{kind}")(**options)
    elif family == "extra trees":
        options = {"n_estimators": 25, "max_features": 0.4, "random_state": 0}
        yield getattr(ensemble, f"ExtraTrees{kind}")(**options)
        yield getattr(sklearn.ensemble, f"ExtraTrees{kind}")(**options)
    else:
        options = {"max_iter": 25, "early_stopping": False, "random_state": 0}
        yield getattr(ensemble, f"HistGradientBoosting{kind}")(**options)
        yield getattr(sklearn.ensemble, f"HistGradientBoosting{kind}")(**options)
        lightgbm = pytest.importorskip("lightgbm")
        yield getattr(lightgbm, f"LGBM{kind}")(n_estimators=25, n_jobs=1, verbose=-1)


@pytest.mark.filterwarnings("ignore")  # what the peers say is not ours to judge
@pytest.mark.parametrize("name", ["breast_cancer", "diabetes", "iris", "titanic", "wine"])
@pytest.mark.parametrize("family", ["tree", "forest", "extra trees", "boosting"])
def test_as_accurate_as_the_peers(family, name):
    x, y = table(name)
    kind = "Regressor" if name == "diabetes" else "Classifier"
    order = np.random.default_rng(1).permutation(len(y))
    found = {}
    with threadpool_limits(1):
        for fold in range(FOLDS):
            held = order[fold::FOLDS]
            train = np.setdiff1d(order, held)
            for model in contenders(family, kind):
                fitted = model.fit(x[train], y[train])
                each = found.setdefault(type(model).__module__.split(".")[0], np.empty(len(y)))
                each[held] = losses(fitted, x[held], y[held], name)
    ours = found.pop("stylobate")
    for peer, theirs in found.items():
        worse = ours - theirs
        error = worse.std(ddof=1) / np.sqrt(len(worse))
        assert worse.mean() <= 3.0 * error + 1e-12, (peer, worse.mean(), error)
