"""NaiveBayes of mixed columns: against single models, SciPy's densities, and sums by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import gaussian_kde, norm, poisson

from stylobate.datasets import load_penguins, load_titanic
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateError
from stylobate.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB, NaiveBayes

RNG = np.random.default_rng(8)
CODES = RNG.integers(0, 2, 200)
Y = np.array(["no", "yes"])[CODES]
NUMBERS = RNG.normal(size=(200, 3)) + CODES[:, None]
COUNTS = RNG.poisson(2.0 + CODES[:, None], (200, 3))


def test_one_model_for_all_columns_is_that_classifier():
    X = NUMBERS
    same = NaiveBayes(models="gaussian", var_smoothing=0.0).fit(X, Y)
    expected = GaussianNB(var_smoothing=0.0).fit(X, Y).predict_joint_log_proba(X)
    np.testing.assert_allclose(same.predict_joint_log_proba(X), expected, rtol=1e-10)
    pairs = [
        ("multinomial", COUNTS, MultinomialNB(alpha=0.5)),
        ("categorical", COUNTS % 4, CategoricalNB(alpha=0.5)),
        ("bernoulli", COUNTS > 2, BernoulliNB(alpha=0.5)),
    ]
    for name, table, single in pairs:
        mixed = NaiveBayes(models=name, alpha=0.5).fit(table, Y)
        found = mixed.predict_log_proba(table)
        expected = single.fit(table.astype(float), Y).predict_log_proba(table.astype(float))
        np.testing.assert_allclose(found, expected, 1e-9)


def test_mixture_by_hand_with_scipy():
    X = pd.DataFrame({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1], "n": COUNTS[:, 0]})
    X["colour"] = np.where(RNG.random(200) < 0.3 + 0.4 * CODES, "red", "blue")
    models = {"b": "kde", "n": "poisson"}
    model = NaiveBayes(models=models, alpha=0.0, var_smoothing=0.0).fit(X, Y)
    assert model.models_ == {"a": "gaussian", "b": "kde", "n": "poisson", "colour": "bernoulli"}
    expected = np.empty((200, 2))
    for c in range(2):
        own = X[c == CODES]
        kernel = gaussian_kde(own["b"], bw_method=len(own) ** -0.2 * np.sqrt(1 - 1 / len(own)))
        red = (own["colour"] == "red").mean()
        expected[:, c] = (
            np.log(np.mean(c == CODES))
            + norm.logpdf(X["a"], own["a"].mean(), own["a"].std(ddof=0))
            + kernel.logpdf(X["b"])
            + poisson.logpmf(X["n"], own["n"].mean())
            + np.log(np.where(X["colour"] == "red", red, 1 - red))
        )
    np.testing.assert_allclose(model.predict_joint_log_proba(X), expected, rtol=1e-7)


def test_missing_values_leave_the_product():
    X = pd.DataFrame({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1]})
    X.loc[::5, "a"] = np.nan
    model = NaiveBayes().fit(X, Y)
    seen = X["a"].notna().to_numpy()
    only_b = NaiveBayes().fit(X[["b"]], Y)
    np.testing.assert_allclose(
        model.predict_proba(X)[~seen], only_b.predict_proba(X[["b"]])[~seen], rtol=1e-12
    )
    own = X["a"][(Y == "yes") & seen]
    assert model.features_[0].mean[1] == pytest.approx(own.mean())
    nothing = model.predict_proba(pd.DataFrame({"a": [None], "b": [np.nan]}, dtype=float))
    np.testing.assert_allclose(nothing[0], model.class_prior_)


def test_explanation_adds_up():
    X, y = load_titanic(return_X_y=True, as_frame=True)
    model = NaiveBayes().fit(X, y)
    rows = X.head(20)
    why = model.explain(rows)
    np.testing.assert_allclose(why.scores, model.predict_joint_log_proba(rows), rtol=1e-12)
    assert why.contributions.shape == (20, len(model.models_), 2)
    text = str(why)
    assert all(name in text for name in model.models_)
    first, second = model.classes_.tolist()
    odds = why.log_odds(second, first).sum(axis=1) + np.diff(why.log_prior)
    shares = model.predict_proba(rows)
    np.testing.assert_allclose(odds, np.log(shares[:, 1] / shares[:, 0]), rtol=1e-9)


def test_penguins_with_their_gaps():
    X, y = load_penguins(target="species", return_X_y=True, as_frame=True)
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
    model = NaiveBayes(models={"body_mass_g": "kde"}).fit(X, y)
    assert model.score(X, y) > 0.9
    assert model.models_["body_mass_g"] == "kde"
    assert set(model.models_.values()) <= {"kde", "gaussian", "categorical", "bernoulli"}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_unseen_categories_favour_no_class(make):
    X = {"c": ["a", "a", "b", "b", "b", "c", "c"], "x": [1.0, 2, 3, 4, 5, 2, 9]}
    y = [0, 0, 1, 1, 1, 0, 1]
    model = NaiveBayes().fit(make(X), y)
    unseen = model.predict_proba(make({"c": ["zebra"], "x": [2.5]}))
    missing = model.predict_proba(make({"c": [None], "x": [2.5]}))
    np.testing.assert_array_equal(unseen, missing)


def test_wrong_models_are_refused_by_name():
    X = pd.DataFrame({"a": NUMBERS[:, 0], "n": COUNTS[:, 0]})
    cases = [
        ({"z": "gaussian"}, InvalidParameterError, "names the column 'z'"),
        ({"a": "normal"}, InvalidParameterError, "must be one of 'gaussian'"),
        ({"a": "poisson"}, InvalidDataError, "'a' holds .* a poisson model is for counts"),
        ({"a": "multinomial"}, InvalidDataError, "a multinomial model is for counts"),
        ({"n": "bernoulli"}, InvalidDataError, "Bernoulli model is for two; use 'categorical'"),
    ]
    for models, error, words in cases:
        with pytest.raises(error, match=words):
            NaiveBayes(models=models).fit(X, Y)
    with pytest.raises(InvalidDataError, match="does not vary within a class"):
        NaiveBayes(var_smoothing=0.0, models="gaussian").fit([[1.0], [2.0], [2.0]], [0, 1, 1])
    with pytest.raises(InvalidParameterError, match="sum of the priors"):
        NaiveBayes(priors=[0.5, 0.6]).fit(X, Y)


cells = st.one_of(
    st.none(), st.sampled_from(["a", "b", "", "7", "N/A"]), st.integers(-3, 3), st.floats(-9, 9)
)


@given(
    st.lists(st.tuples(cells, cells, st.booleans()), min_size=2, max_size=20),
    st.sampled_from([None, "gaussian", "categorical", "kde"]),
)
@settings(max_examples=80)
def test_any_table_is_refused_in_words_or_gives_probabilities(rows, models):
    X = pd.DataFrame([row[:2] for row in rows], columns=["a", "b"], dtype=object)
    y = [row[2] for row in rows]
    try:
        model = NaiveBayes(models=models).fit(X, y)
    except StylobateError:
        return
    shares = model.predict_proba(X)
    assert np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("size", [1.0, 1e-3, 1e145])  # the largest: beyond what the tree takes
def test_kernel_densities_are_scipy_s_whatever_the_unit(size):
    from scipy.stats import gaussian_kde

    rng = np.random.default_rng(1)
    x, y = rng.normal(size=400), rng.integers(0, 2, 400)
    asked = np.append(rng.normal(size=30), np.nan)
    model = NaiveBayes(models="kde", bandwidth="scott").fit(size * x[:, None], y)
    found = model.predict_joint_log_proba(size * asked[:, None]) - np.log(model.class_prior_)
    for c in range(2):
        own = x[y == c]
        width = own.std() * len(own) ** -0.2 / own.std(ddof=1)
        expected = gaussian_kde(own, bw_method=width).logpdf(asked[:-1]) - np.log(size)
        np.testing.assert_allclose(found[:-1, c], expected, rtol=1e-7, atol=1e-7)
    assert (found[-1] == 0.0).all()  # nothing observed


def test_numbers_are_read_the_same_from_arrays_frames_and_texts():
    import pandas as pd
    import polars as pl

    rng = np.random.default_rng(2)
    x = rng.poisson(3.0, size=(80, 2)).astype(float)
    x[::9, 0] = np.nan
    y = rng.integers(0, 3, 80)
    names = ["a", "b"]
    texts = pd.DataFrame(
        {n: ["" if np.isnan(v) else f"{v:g}" for v in x[:, j]] for j, n in enumerate(names)}
    )
    for models in ("gaussian", "poisson", "kde", "multinomial"):
        answers = [
            NaiveBayes(models=models).fit(table, y).predict_proba(table)
            for table in (
                pd.DataFrame(x, columns=names),
                pd.DataFrame(x, columns=names).astype("Int64"),
                pl.DataFrame(x, schema=names).fill_nan(None),
                texts,
            )
        ]
        for other in answers[1:]:
            np.testing.assert_allclose(other, answers[0], rtol=1e-9)
