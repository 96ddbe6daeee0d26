"""Rows explained: terms of additive models, Shapley values by brute force; worst mistakes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.svm import LinearSVC

from stylobate.datasets import load_diabetes
from stylobate.discriminant_analysis import LinearDiscriminantAnalysis
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inspection import explain_row, worst_mistakes
from stylobate.inspection.shapley import sampled
from stylobate.linear_model import LinearRegression, LogisticRegression
from stylobate.naive_bayes import GaussianNB, NaiveBayes
from stylobate.neighbors import KNeighborsClassifier
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder
from stylobate.tree import DecisionTreeClassifier

X, Y = load_diabetes(return_X_y=True, as_frame=True)
THREE = np.digitize(Y, [100, 180])
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "age": RNG.normal(30, 10, 300).round(1),
        "sex": RNG.choice(["male", "female"], 300),
        "class": pd.Categorical(RNG.choice(["1st", "2nd", "3rd"], 300)),
    }
)
FRAME.loc[::7, "age"] = np.nan
SAVED = np.where(2 * (FRAME["sex"] == "female") + RNG.normal(size=300) > 1, "yes", "no")


def test_linear_contributions_are_coefficient_times_distance_from_the_mean():
    model = LinearRegression().fit(X, Y)
    why = explain_row(model, X.iloc[3], X, max_background=1000)
    assert np.allclose(why.contributions, model.coef_ * (X.iloc[3] - X.mean()))
    assert why.base + why.contributions.sum() == pytest.approx(model.predict(X.iloc[[3]])[0])
    assert not why.std_errors.any()
    alone = explain_row(model, X.iloc[3])  # the model remembers its means
    assert np.allclose(alone.contributions, why.contributions)


@pytest.mark.parametrize(
    "model", [LogisticRegression(), GaussianNB(), LinearDiscriminantAnalysis()]
)
@pytest.mark.parametrize("y", [THREE > 0, THREE], ids=["two", "three"])
def test_classifiers_that_add_up(model, y):
    model.fit(X, y)
    why = explain_row(model, X.iloc[5], X)
    assert why.method.startswith("exact: the model adds up")
    assert why.base + why.contributions.sum() == pytest.approx(why.prediction)
    if y.dtype == bool:
        odds = np.diff(model.predict_log_proba(X.iloc[[5]])[0])[0]
        assert why.prediction == pytest.approx(odds, rel=1e-6)
        assert why.scale == "log-odds"
        against = explain_row(model, X.iloc[5], X, output=False)
        assert np.allclose(against.contributions, -why.contributions)


@pytest.mark.parametrize(
    "convert", [lambda f: f, pl.from_pandas, lambda f: pl.from_pandas(f).to_arrow()]
)
def test_pipelines_are_explained_by_raw_columns(convert):
    rows = convert(FRAME)
    model = make_pipeline(TableEncoder(scale=True), LogisticRegression()).fit(rows, SAVED)
    row = {"age": 33.0, "sex": "female", "class": "3rd"}
    why = explain_row(model, row, rows, max_background=300)
    encoder, last = model.steps[0][1], model.steps[1][1]
    names = list(encoder.get_feature_names_out())
    x = np.asarray(encoder.transform(convert(FRAME.iloc[:1].assign(**row))))[0]
    mean = np.asarray(encoder.transform(rows)).mean(axis=0)
    terms = dict(zip(names, last.coef_[0] * (x - mean), strict=True))
    by_hand = [sum(v for k, v in terms.items() if k.startswith(column)) for column in FRAME]
    assert np.allclose(why.contributions, by_hand)
    assert why.order[0] == 1
    assert "sex = female" in str(why)
    assert "odds ×" in str(why)


def test_missing_unseen_and_unknown():
    model = make_pipeline(TableEncoder(), LogisticRegression()).fit(FRAME, SAVED)
    why = explain_row(model, {"sex": "other", "class": "4th"}, FRAME)
    assert "age missing" in str(why)
    assert "class: '4th' was never seen, taken as 2nd." in str(why)
    assert len(why.notes) == 2
    assert np.isfinite(why.contributions).all()
    assert "typical row" in str(explain_row(model, {"age": 80.0}))
    with pytest.raises(InvalidParameterError, match="did you mean 'sex'"):
        explain_row(model, {"sexx": "male"}, FRAME)


@pytest.mark.parametrize("options", [{}, {"categories": "codes"}, {"many": "target"}])
def test_a_typical_row_has_the_commonest_categories(options):
    """Against a row of medians and commonest categories, which is written down here by hand."""
    tenth = np.arange(300) % 10
    port = np.where(tenth < 6, "S", np.where(tenth < 9, "C", "Q"))
    rows = FRAME.assign(age=FRAME["age"].fillna(30.0), port=port)
    saved = (port == "S").astype(int) ^ (np.arange(300) % 11 == 0)
    last = DecisionTreeClassifier(max_depth=3) if "categories" in options else LogisticRegression()
    model = make_pipeline(TableEncoder(max_categories=2, **options), last).fit(rows, saved)
    by_hand = pd.DataFrame(
        {
            "age": [rows["age"].median()],
            **{name: [rows[name].value_counts().index[0]] for name in ("sex", "class", "port")},
        }
    )
    row = by_hand.assign(port="Q").iloc[0].to_dict()
    alone, given = explain_row(model, row), explain_row(model, row, by_hand)
    assert alone.base == pytest.approx(given.base)
    assert np.allclose(alone.contributions, given.contributions)
    assert alone.contributions[list(alone.names).index("port")] < 0
    assert "port S" in alone.against


def shapley_by_hand(f, x, background):
    p = len(x)
    total = np.zeros(p)
    for order in permutations(range(p)):
        for b in background:
            z, before = b.copy(), f(b)
            for c in order:
                z[c] = x[c]
                after = f(z)
                total[c] += after - before
                before = after
    return total / (len(background) * len(list(permutations(range(p)))))


def test_exact_shapley_values_by_brute_force():
    rows = X[["bmi", "bp", "s5"]].to_numpy()
    model = RandomForestRegressor(3, max_depth=4, random_state=0).fit(rows, Y)
    why = explain_row(model, rows[0], rows[:8])
    assert why.method == "exact Shapley values of all 8 subsets"
    by_hand = shapley_by_hand(lambda z: model.predict([z])[0], rows[0], rows[:8])
    assert np.allclose(why.contributions, by_hand)


def test_sampled_shapley_values_are_within_their_errors():
    p, n = 6, 10
    background, x = RNG.normal(size=(n, p)), RNG.normal(size=p)

    def f(z):
        return z[:, 0] * z[:, 1] + np.maximum(z[:, 2], z[:, 3]) + z[:, 4]

    def hybrid(masks, rows):
        return f(np.where(masks, x, background[rows]))

    base = f(background).mean()
    found = sampled(hybrid, p, n, base, 400, 0)
    truth = shapley_by_hand(lambda z: f(z[None])[0], x, background)
    assert (np.abs(found.values - truth) <= 4 * found.errors + 1e-12).all()
    assert found.values.sum() + base == pytest.approx(f(x[None])[0])  # they add up all the same
    assert found.errors[5] == 0.0
    assert found.errors[0] > 0.0


def test_many_columns_of_a_forest_are_sampled():
    model = RandomForestClassifier(5, random_state=0).fit(X, THREE)
    why = explain_row(model, X.iloc[0], X, max_background=50)
    assert why.scale == "probability"
    assert "sampled from" in str(why)
    assert why.base + why.contributions.sum() == pytest.approx(why.prediction)
    assert "±" in str(why)
    assert explain_row(model, X.iloc[0], X, max_background=50).contributions == pytest.approx(
        why.contributions
    )
    assert why.to_frame("polars").shape == (10, 4)


def test_other_models():
    margin = explain_row(LinearSVC().fit(X, THREE > 0), X.iloc[0], X)
    assert margin.scale == "margin"
    nearest = explain_row(
        KNeighborsClassifier(3).fit(X[["bmi", "s5"]], THREE),
        X[["bmi", "s5"]].iloc[0],
        X[["bmi", "s5"]],
    )
    assert nearest.scale == "probability"
    mixed = NaiveBayes().fit(FRAME, SAVED)
    why = explain_row(mixed, FRAME.iloc[1], FRAME)
    assert why.method.startswith("exact: the model adds up")


@pytest.mark.parametrize(
    ("x", "options", "error", "message"),
    [
        (X.iloc[:2], {}, InvalidDataError, "one row, got 2"),
        ([1.0, 2.0], {}, InvalidDataError, "2 values and the model 10"),
        (X.iloc[0], {"max_background": 0}, InvalidParameterError, "max_background"),
        (X.iloc[0], {"output": "nine"}, InvalidParameterError, "one of the classes"),
    ],
)
def test_refusals(x, options, error, message):
    model = LogisticRegression().fit(X, THREE)
    with pytest.raises(error, match=message):
        explain_row(model, x, X, **options)
    with pytest.raises(InvalidParameterError, match="pass background"):
        explain_row(RandomForestClassifier(2).fit(X, THREE), X.iloc[0])


def test_worst_mistakes_of_classes_and_numbers():
    model = make_pipeline(TableEncoder(), LogisticRegression()).fit(FRAME, SAVED)
    worst = worst_mistakes(model, FRAME, SAVED, n=4)
    given = model.predict_proba(FRAME)[np.arange(300), (SAVED == "yes").astype(int)]
    assert [each.row for each in worst] == np.argsort(given, kind="stable")[:4].tolist()
    assert worst[0].probability == pytest.approx(given.min())
    assert "to which it gave" in str(worst)
    numbers = LinearRegression().fit(X, Y)
    errors = numbers.predict(X) - Y.to_numpy()
    found = worst_mistakes(numbers, X, Y, n=3)
    assert [each.error for each in found] == pytest.approx(
        errors[np.argsort(-np.abs(errors))[:3]].tolist()
    )
    assert found.to_frame().shape == (3, 14)
    svm = LinearSVC().fit(X, THREE)
    assert worst_mistakes(svm, X, THREE, n=1).loss_label == "margin on the wrong side"
    with pytest.raises(InvalidDataError, match="one entry"):
        worst_mistakes(numbers, X, Y[:3])
    with pytest.raises(InvalidParameterError, match="n must be"):
        worst_mistakes(numbers, X, Y, n=0)


def test_a_class_the_model_never_saw():
    model = LogisticRegression().fit(X, THREE > 0)
    worst = worst_mistakes(model, X, np.where(THREE > 0, "alien", "no"), n=2)
    assert worst[0].probability == 0.0


@pytest.mark.parametrize("y", [Y, THREE > 0, THREE], ids=["number", "two", "three"])
@pytest.mark.parametrize("family", ["tree", "boosting"])
def test_trees_are_taken_apart_exactly(family, y):
    """Trees' own Shapley values against all subsets of the columns by brute force."""
    from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor

    numbers = y is Y
    if family == "tree":
        model = (DecisionTreeRegressor if numbers else DecisionTreeClassifier)(max_depth=4)
    else:
        kind = HistGradientBoostingRegressor if numbers else HistGradientBoostingClassifier
        model = kind(max_iter=8)
    rows = X[["bmi", "bp", "s5"]]
    model.fit(rows, y)
    why = explain_row(model, rows.iloc[0], rows, max_background=6)
    assert why.method == "exact Shapley values of the trees"
    assert why.base + why.contributions.sum() == pytest.approx(why.prediction)

    class Hidden:  # the same answers, from a model that is not known to be trees
        classes_ = getattr(model, "classes_", None)
        _estimator_type = "regressor" if numbers else "classifier"

        def __sklearn_tags__(self):
            return model.__sklearn_tags__()

    for name in ("predict", "predict_proba", "decision_function"):
        if hasattr(model, name):
            setattr(Hidden, name, staticmethod(getattr(model, name)))
    by_subsets = explain_row(Hidden(), rows.iloc[0], rows, max_background=6)
    assert by_subsets.scale == why.scale
    assert np.allclose(why.contributions, by_subsets.contributions)
