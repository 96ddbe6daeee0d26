"""Naive Bayes classifiers against scikit-learn and against densities of SciPy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.naive_bayes as theirs
from scipy import sparse
from scipy.stats import norm

import stylobate.naive_bayes as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.model_selection import cross_val_predict, cross_val_score

RNG = np.random.default_rng(3)
LABELS = np.array(["art", "sport", "trade"])
CODES = RNG.integers(0, 3, 240)
Y = LABELS[CODES]
COUNTS = RNG.poisson(np.array([[1, 2, 0.3, 3, 1], [2, 0.4, 1, 1, 2], [0.2, 1, 3, 1, 1]])[CODES])
NUMBERS = RNG.normal(size=(240, 5)) * [1, 10, 0.1, 3, 1] + 100.0 + CODES[:, None]
WEIGHTS = RNG.integers(1, 4, 240).astype(float)
PRIOR = [0.2, 0.3, 0.5]
ALPHAS = [0.5, 1.0, 2.0, 0.1, 3.0]

CASES = [
    ("GaussianNB", NUMBERS, {}),
    ("GaussianNB", NUMBERS, {"priors": PRIOR}),
    ("GaussianNB", NUMBERS, {"var_smoothing": 1e-2}),
    *[
        (name, COUNTS, options)
        for name in ("MultinomialNB", "BernoulliNB", "ComplementNB")
        for options in (
            {},
            {"alpha": 0.2},
            {"alpha": ALPHAS},
            {"fit_prior": False},
            {"class_prior": PRIOR},
        )
        if name != "BernoulliNB" or "alpha" not in options or options["alpha"] is not ALPHAS
    ],
    ("ComplementNB", COUNTS, {"norm": True}),
    ("BernoulliNB", NUMBERS, {"binarize": 100.0}),
    ("BernoulliNB", (COUNTS > 1).astype(float), {"binarize": None}),
    *[
        ("CategoricalNB", COUNTS, options)
        for options in (
            {},
            {"alpha": 0.2},
            {"min_categories": 30},
            {"min_categories": [20, 21, 22, 23, 24]},
            {"fit_prior": False},
            {"class_prior": PRIOR},
        )
    ],
]
ATTRIBUTES = ["theta_", "var_", "class_prior_", "class_count_", "epsilon_", "feature_all_"]
ATTRIBUTES += ["feature_count_", "feature_log_prob_", "class_log_prior_", "n_categories_"]


def pair(name, options):
    return getattr(ours, name)(**options), getattr(theirs, name)(**options)


def check_same(mine, other, X, rtol=1e-9):
    for name in ATTRIBUTES:
        assert hasattr(mine, name) == hasattr(other, name), name
        if not hasattr(mine, name):
            continue
        values = (getattr(mine, name), getattr(other, name))
        each = zip(*values, strict=True) if isinstance(values[0], list) else [values]
        for a, b in each:
            np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-12, err_msg=name)
    np.testing.assert_array_equal(mine.classes_, other.classes_)
    for method in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        found, expected = getattr(mine, method)(X), getattr(other, method)(X)
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=1e-9, err_msg=method)
    np.testing.assert_array_equal(mine.predict(X), other.predict(X))


@pytest.mark.parametrize(("name", "X", "options"), CASES)
@pytest.mark.parametrize("weighted", [False, True])
def test_same_as_scikit_learn(name, X, options, weighted):
    mine, other = pair(name, options)
    if not weighted:
        check_same(mine.fit(X, Y), other.fit(X, Y), X)
        return
    # theirs takes epsilon_ from rows without weights: a weight of 3 is three rows here
    rows = np.repeat(np.arange(len(X)), WEIGHTS.astype(int))
    check_same(mine.fit(X, Y, sample_weight=WEIGHTS), other.fit(X[rows], Y[rows]), X)


@pytest.mark.parametrize("name", ["MultinomialNB", "BernoulliNB", "ComplementNB"])
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("alpha", [1.0, 0.0])
def test_same_from_sparse_and_frames(name, kind, alpha):
    counts = COUNTS.astype(float)
    counts[Y == "art", 1] = 0.0  # never seen in a class
    X = kind(counts)
    mine, other = pair(name, {"alpha": alpha})
    if hasattr(X, "tocsr"):
        if name == "BernoulliNB" and alpha == 0.0:
            return  # theirs holds 0·∞
        with np.errstate(divide="ignore", invalid="ignore"):
            check_same(mine.fit(X, Y), other.fit(X, Y), X)
        return
    X.columns = list("abcde")
    plain = type(mine)(alpha=alpha).fit(counts, Y)
    np.testing.assert_array_equal(mine.fit(X, Y).predict_proba(X), plain.predict_proba(counts))
    assert mine.feature_names_in_.tolist() == list("abcde")


@pytest.mark.parametrize(("name", "X", "options"), CASES)
def test_partial_fit_and_batches_are_fit(name, X, options):
    mine = getattr(ours, name)
    if options.get("min_categories") is None and name == "CategoricalNB":
        options = options | {"min_categories": int(X.max()) + 1}
    whole = mine(**options).fit(X, Y, sample_weight=WEIGHTS)
    cuts = [slice(0, 50), slice(50, 51), slice(51, 240)]
    grown = mine(**options)
    for cut in cuts:
        grown.partial_fit(X[cut], Y[cut], classes=LABELS, sample_weight=WEIGHTS[cut])
    batched = mine(**options).fit_batches([(X[cut], Y[cut], WEIGHTS[cut]) for cut in cuts])
    for other in (grown, batched):
        assert other.classes_.tolist() == LABELS.tolist()
        np.testing.assert_allclose(
            other.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-9, atol=1e-10
        )


def test_batches_may_bring_new_classes():
    order = np.argsort(CODES, kind="stable")[::-1]  # the last class comes first
    model = ours.GaussianNB().fit_batches(
        [(NUMBERS[part], Y[part]) for part in np.array_split(order, 7)]
    )
    whole = ours.GaussianNB().fit(NUMBERS, Y)
    assert model.classes_.tolist() == LABELS.tolist()
    np.testing.assert_allclose(model.var_, whole.var_, rtol=1e-10)


def test_bernoulli_with_one_alpha_per_column():
    """scikit-learn accepts these and then fails; the formula is the same column by column."""
    model = ours.BernoulliNB(alpha=ALPHAS).fit(COUNTS, Y)
    for j, alpha in enumerate(ALPHAS):
        alone = theirs.BernoulliNB(alpha=alpha).fit(COUNTS[:, [j]], Y)
        np.testing.assert_allclose(model.feature_log_prob_[:, [j]], alone.feature_log_prob_)


def test_gaussian_posterior_by_hand():
    model = ours.GaussianNB(var_smoothing=0.0).fit(NUMBERS, Y)
    x = NUMBERS[:20] + 0.3
    joint = np.empty((20, 3))
    for c in range(3):
        own = NUMBERS[c == CODES]
        density = norm.pdf(x, own.mean(axis=0), own.std(axis=0)).prod(axis=1)
        joint[:, c] = density * np.mean(c == CODES)
    np.testing.assert_allclose(
        model.predict_proba(x), joint / joint.sum(axis=1, keepdims=True), rtol=1e-9
    )


def test_hundreds_of_columns_neither_over_nor_underflow():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, 300)
    X = rng.normal(size=(300, 800)) + codes[:, None]
    model = ours.GaussianNB().fit(X, codes)
    shares, logs = model.predict_proba(X), model.predict_log_proba(X)
    assert np.isfinite(logs).all()
    assert logs.min() < -100  # beyond what a product of densities could tell
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(np.exp(logs), shares, rtol=1e-12, atol=1e-300)


def test_a_large_mean_costs_no_digits():
    shifted = NUMBERS.round(6) + 1e6
    model = ours.GaussianNB().fit(shifted, Y)
    near = ours.GaussianNB().fit(shifted - 1e6, Y)
    np.testing.assert_allclose(
        model.predict_log_proba(shifted), near.predict_log_proba(shifted - 1e6), rtol=1e-4
    )


def test_folds_are_fitted_from_their_moments(caplog):
    with caplog.at_level("INFO", logger="stylobate.model_selection"):
        scores = cross_val_score(ours.GaussianNB(), NUMBERS, Y, cv=4)
    assert "4 of them from statistics of the folds, 0 on the rows" in caplog.text
    from sklearn.model_selection import cross_val_score as reference

    np.testing.assert_allclose(scores, reference(theirs.GaussianNB(), NUMBERS, Y, cv=4))
    labels = cross_val_predict(ours.MultinomialNB(), COUNTS, Y, cv=3)
    assert set(labels) <= set(LABELS)


# --- bad input ------------------------------------------------------------------------------------


def test_rows_that_are_all_equal_give_the_prior():
    model = ours.GaussianNB().fit(np.full((5, 3), 7.0), [0, 0, 0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([[7.0] * 3, [8.0] * 3]), [[0.6, 0.4]] * 2)


def test_a_class_with_one_row_has_an_answer():
    model = ours.GaussianNB().fit([[0.0], [1.0], [9.0]], ["a", "a", "b"])
    assert model.predict([[9.0], [0.2]]).tolist() == ["b", "a"]
    with pytest.raises(InvalidDataError, match="set var_smoothing to a positive number"):
        ours.GaussianNB(var_smoothing=0).fit([[0.0], [1.0], [9.0]], ["a", "a", "b"])


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "CategoricalNB"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_negative_counts_are_refused(name, kind):
    if name == "CategoricalNB" and kind is not np.asarray:
        return
    with pytest.raises(InvalidDataError, match="Negative values in data"):
        getattr(ours, name)().fit(kind([[1.0, -2.0], [0.0, 1.0]]), [0, 1])


def test_unseen_categories_are_named():
    model = ours.CategoricalNB().fit([[0], [1]], [0, 1])
    with pytest.raises(InvalidDataError, match="column 0 of X holds the category 5"):
        model.predict([[5]])
    ours.CategoricalNB(min_categories=6).fit([[0], [1]], [0, 1]).predict([[5]])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"priors": [0.5, 0.5]}, "number of priors must match number of classes"),
        ({"priors": [0.5, 0.2, 0.2]}, "sum of the priors should be 1, got 0.9"),
        ({"priors": [-0.5, 0.5, 1.0]}, "priors must be non-negative"),
    ],
)
def test_bad_priors_are_refused(options, words):
    with pytest.raises(InvalidParameterError, match=words):
        ours.GaussianNB(**options).fit(NUMBERS, Y)


def test_alpha_is_raised_unless_forced():
    with pytest.warns(StylobateWarning, match="alpha too small"):
        raised = ours.MultinomialNB(alpha=0, force_alpha=False).fit(COUNTS, Y)
    assert np.isfinite(raised.feature_log_prob_).all()
    with pytest.raises(InvalidParameterError, match="2 elements instead of 5"):
        ours.BernoulliNB(alpha=[1.0, 2.0]).fit(COUNTS, Y)


@pytest.mark.parametrize("name", ["MultinomialNB", "BernoulliNB", "CategoricalNB"])
def test_no_smoothing_excludes_but_never_gives_nan(name):
    X, y = np.array([[3, 0], [0, 2], [0, 1]]), ["a", "b", "b"]
    model = getattr(ours, name)(alpha=0.0).fit(X, y)
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares, [[1, 0], [0, 1], [0, 1]], atol=1e-12)
    if name != "CategoricalNB":
        assert np.isfinite(model.predict_proba([[1, 1]])).all()  # neither class allows it


def test_partial_fit_says_what_it_needs():
    with pytest.raises(InvalidDataError, match="classes must be passed on the first call"):
        ours.GaussianNB().partial_fit(NUMBERS, Y)
    model = ours.GaussianNB().partial_fit(NUMBERS, Y, classes=LABELS)
    with pytest.raises(InvalidDataError, match="not the same as on last call"):
        model.partial_fit(NUMBERS, Y, classes=["x", "y"])
    with pytest.raises(InvalidDataError, match=r"label\(s\) \['music'\] in y do not exist"):
        model.partial_fit(NUMBERS[:1], ["music"])


def test_nan_is_refused_at_prediction_too():
    model = ours.GaussianNB().fit(NUMBERS, Y)
    wrong = NUMBERS.copy()
    wrong[100, 2] = np.nan
    with pytest.raises(InvalidDataError, match="NaN"):
        model.predict(wrong)
    with pytest.raises(InvalidDataError, match="NaN"):
        ours.GaussianNB().fit(wrong, Y)
