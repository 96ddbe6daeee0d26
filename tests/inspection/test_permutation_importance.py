"""Permutation importance against scikit-learn's, by raw columns, with intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.inspection import permutation_importance as theirs
from sklearn.linear_model import LogisticRegression as TheirLogistic

from stylobate.datasets import load_diabetes
from stylobate.exceptions import InvalidParameterError
from stylobate.inspection import permutation_importance
from stylobate.linear_model import LinearRegression, LogisticRegression
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder

X, Y = load_diabetes(return_X_y=True, as_frame=True)
X, Y = X.iloc[:150, :6], Y.iloc[:150]
HIGH = (Y > 140).astype(int)


@pytest.mark.parametrize("frame", [np.asarray, lambda x: x], ids=["array", "pandas"])
@pytest.mark.parametrize(
    ("model", "y", "scoring"),
    [
        (LinearRegression(), Y, None),
        (LinearRegression(), Y, "neg_mean_absolute_error"),
        (LogisticRegression(C=100.0), HIGH, None),
        (LogisticRegression(C=100.0), HIGH, "roc_auc"),
        (LogisticRegression(C=100.0), HIGH, "neg_log_loss"),
        (TheirLogistic(C=100.0), HIGH, "f1"),
    ],
)
def test_same_shuffles_and_falls_as_scikit_learn(model, y, scoring, frame):
    rows = frame(X)
    model.fit(rows, y)
    ours = permutation_importance(model, rows, y, scoring=scoring, n_repeats=2, random_state=3)
    reference = theirs(model, rows, y, scoring=scoring, n_repeats=2, random_state=3)
    for key in ("importances", "importances_mean", "importances_std"):
        assert np.allclose(ours[key], reference[key], atol=1e-12)
    assert np.isfinite(ours.importances_low).all()
    assert (ours.importances_low <= ours.importances_mean).all()


def test_several_scores_weights_and_jobs():
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(Y))
    model = LogisticRegression(C=100.0).fit(X, HIGH)
    options = {"scoring": ["roc_auc", "accuracy"], "random_state": 0, "sample_weight": weights}
    ours = permutation_importance(model, X, HIGH, n_jobs=2, **options)
    reference = theirs(model, X, HIGH, **options)
    assert set(ours) == {"roc_auc", "accuracy"}
    for name, each in ours.items():
        assert np.allclose(each.importances, reference[name].importances, atol=1e-12)
        assert each.score_label in ("ROC AUC", "accuracy")
    own = permutation_importance(
        model, X, HIGH, scoring=lambda m, a, b: {"hits": (m.predict(a) == b).mean()}, random_state=0
    )
    assert own["hits"].importances.shape == (6, 5)


def test_intervals_hold_the_importance_in_most_samples():
    """A known linear model: the fall of −MSE is 2 w² Var(x) for an independent column."""
    hits, rng = 0, np.random.default_rng(0)
    model = LinearRegression().fit(np.eye(3), [2.0, 1.0, 0.0])
    model.coef_, model.intercept_ = np.array([1.0, 0.5, 0.0]), 0.0
    for _ in range(40):
        rows = rng.normal(size=(150, 3))
        y = rows @ [1.0, 0.5, 0.0] + rng.normal(size=150)
        found = permutation_importance(
            model,
            rows,
            y,
            scoring="neg_mean_squared_error",
            n_repeats=3,
            random_state=rng.integers(99),
        )
        hits += found.importances_low[0] <= 2.0 <= found.importances_high[0]
        assert abs(found.importances_low[2]) + abs(found.importances_high[2]) < 1e-12
    assert 32 <= hits <= 40


def mixed(n=200):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "city": rng.choice(["Rome", "Paris", "Oslo"], n),
            "age": rng.normal(40, 10, n),
            "twin": 0.0,
            "when": pd.to_datetime("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
        }
    )
    frame["twin"] = frame["age"]
    y = np.where((frame["city"] == "Rome") + 0.05 * (frame["age"] - 40) > 0.4, "yes", "no")
    return frame, y


@pytest.mark.parametrize(
    "convert", [lambda f: f, pl.from_pandas, lambda f: pl.from_pandas(f).to_arrow()]
)
def test_raw_columns_of_a_pipeline_in_any_frame(convert):
    frame, y = mixed()
    rows = convert(frame)
    model = make_pipeline(TableEncoder(), LogisticRegression(C=10.0)).fit(rows, y)
    found = permutation_importance(model, rows, y, random_state=0)
    assert found.feature_names == ("city", "age", "twin", "when")
    reference = permutation_importance(
        make_pipeline(TableEncoder(), LogisticRegression(C=10.0)).fit(frame, y),
        frame,
        y,
        random_state=0,
    )
    assert np.allclose(found.importances, reference.importances)
    assert found.importances_mean[0] > 0.2


def test_columns_that_say_the_same_are_shuffled_together():
    frame, y = mixed()
    model = make_pipeline(TableEncoder(scale=True), LogisticRegression(C=0.1)).fit(frame, y)
    alone = permutation_importance(
        model, frame, y, random_state=0, scoring="neg_log_loss", n_repeats=10
    )
    together = permutation_importance(
        model,
        frame,
        y,
        random_state=0,
        scoring="neg_log_loss",
        n_repeats=10,
        groups={"ages": ["age", 2]},
    )
    assert together.feature_names == ("city", "ages", "when")
    assert together.importances_mean[1] > 1.3 * alone.importances_mean[1:3].max()
    assert "ages" in str(together)
    assert together.to_frame().shape == (3, 4)


def test_sparse_rows_and_a_sample():
    rows = sparse.random_array((100, 5), density=0.4, rng=np.random.default_rng(0), format="csr")
    y = rows.toarray() @ [3.0, 0.0, 0.0, 1.0, 0.0]
    model = LinearRegression().fit(rows, y)
    dense = permutation_importance(model, rows.toarray(), y, random_state=0)
    assert np.allclose(
        permutation_importance(model, rows, y, random_state=0).importances, dense.importances
    )
    some = permutation_importance(model, rows.toarray(), y, random_state=0, max_samples=0.5)
    assert some.order[0] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_repeats": 0}, "n_repeats must be"),
        ({"max_samples": 2.0}, "max_samples must be"),
        ({"max_samples": 10_000}, "max_samples must be"),
        ({"groups": ["bmi"]}, "groups must map"),
        ({"groups": {"a": ["bmy"]}}, "did you mean 'bmi'"),
        ({"groups": {"a": ["bmi"], "b": ["bmi"]}}, "twice: bmi"),
        ({"groups": {"a": []}}, "a group is empty"),
    ],
)
def test_refusals(options, message):
    model = LinearRegression().fit(X, Y)
    with pytest.raises(InvalidParameterError, match=message):
        permutation_importance(model, X, Y, **options)
