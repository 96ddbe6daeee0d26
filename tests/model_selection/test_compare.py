"""Comparisons of models: numbers against their references, words, pictures, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from stylobate.datasets import load_diabetes
from stylobate.exceptions import FitFailedWarning, InvalidDataError, InvalidParameterError
from stylobate.inference import corrected_resampled_t_test, holm, mcnemar_test, sign_test
from stylobate.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from stylobate.model_selection import (
    Comparison,
    KFold,
    compare,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)

X, Y = load_diabetes(return_X_y=True)
HIGH = np.where(Y > 140, "high", "low")
REGRESSORS = {
    "least squares": LinearRegression(),
    "ridge": Ridge(0.1),
    "tree": DecisionTreeRegressor(random_state=0),
}
CLASSIFIERS = {
    "ours": LogisticRegression(),
    "theirs": TheirLogistic(),
    "tree": DecisionTreeClassifier(random_state=0),
}


class Broken(DummyRegressor):
    """A model that cannot be fitted."""

    def fit(self, X, y, sample_weight=None):
        raise RuntimeError("no luck")


class Interrupted(DummyRegressor):
    """A model during whose fit the user presses Ctrl-C."""

    def fit(self, X, y, sample_weight=None):
        raise KeyboardInterrupt


@pytest.fixture(scope="module")
def regression() -> Comparison:
    return compare(REGRESSORS, X, Y, cv=10)


@pytest.fixture(scope="module")
def classification() -> Comparison:
    return compare(CLASSIFIERS, X, HIGH)


def test_scores_are_those_of_cross_validation(regression, classification):
    for name, model in REGRESSORS.items():
        expected = cross_val_score(model, X, Y, cv=10)
        np.testing.assert_allclose(regression.scores[name], expected, rtol=1e-9)
    for name, model in CLASSIFIERS.items():
        np.testing.assert_allclose(classification.scores[name], cross_val_score(model, X, HIGH))
    means = [regression.scores[name].mean() for name in regression.names]
    assert means == sorted(means, reverse=True)
    assert regression.best == regression.reference == regression.names[0]


def test_intervals_and_tests_of_regressors(regression):
    # Ten folds of 442 rows: two of 45 and eight of 44.
    ratio = np.mean([45 / 397] * 2 + [44 / 398] * 8)
    assert regression.test_to_train == pytest.approx(ratio)
    mean, low, high = regression.interval("tree")
    scores = regression.scores["tree"]
    half = 2.2621571627409915 * np.sqrt((0.1 + ratio) * scores.var(ddof=1))
    assert (mean, low, high) == pytest.approx((scores.mean(), mean - half, mean + half))
    pair = regression.test("ridge", "tree")
    t = corrected_resampled_t_test(
        regression.scores["ridge"], scores, test_to_train=ratio, level=0.95
    )
    assert pair.t.p == pytest.approx(t.p)
    assert pair.mcnemar is None
    errors = {n: -np.abs(Y - cross_val_predict(REGRESSORS[n], X, Y, cv=10)) for n in REGRESSORS}
    assert pair.sign.details == sign_test(errors["ridge"], errors["tree"]).details


def test_mcnemar_of_classifiers(classification):
    predicted = {n: cross_val_predict(m, X, HIGH) for n, m in CLASSIFIERS.items()}
    expected = mcnemar_test(HIGH, predicted["ours"], predicted["tree"])
    pair = classification.test("ours", "tree")
    assert pair.mcnemar.details == expected.details
    assert pair.mcnemar.p == expected.p
    wins = classification.scores["ours"] > classification.scores["tree"]
    assert pair.sign.details["wins"] == wins.sum()


def test_p_values_are_adjusted_for_all_pairs(regression):
    assert len(regression.pairs) == 3
    adjusted = [pair.adjusted["t"] for pair in regression.pairs]
    np.testing.assert_allclose(adjusted, holm([pair.t.p for pair in regression.pairs]))
    one = compare(REGRESSORS, X, Y, cv=10, reference="least squares")
    assert [pair.second for pair in one.pairs] == ["least squares"] * 2
    raw = [pair.t.p for pair in one.pairs]
    np.testing.assert_allclose([pair.adjusted["t"] for pair in one.pairs], holm(raw))
    assert one.verdict("least squares") == "reference"
    assert one.test("ridge", "tree").adjusted["t"] == one.test("ridge", "tree").t.p


def test_verdicts_and_words(regression):
    others = [name for name in REGRESSORS if name not in (regression.best, "tree")]
    assert regression.verdict("tree") == "worse"
    assert regression.within_noise == tuple(others)
    text = str(regression)
    assert f"Best R²: {regression.best}" in text
    assert f"Within noise of {regression.best}: {others[0]} (" in text
    assert "Worse than" in text
    assert "Holm" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    # a difference and its opposite
    assert regression.test("tree", "ridge").difference == pytest.approx(
        -regression.test("ridge", "tree").difference
    )


def test_losses_are_shown_as_losses():
    found = compare([Ridge(0.1), Ridge(10.0)], X, Y, scoring="neg_mean_squared_error")
    assert found.best == "Ridge(alpha=0.1)"
    assert (found.scores[found.best] < 0).all()
    mean = -found.scores[found.best].mean()
    assert f"Best mean squared error: Ridge(alpha=0.1), {mean:.0f} (" in found.words()
    assert "more, p" in found.words()  # the other has the larger error
    assert "less is better" in str(found)


def test_frames(regression):
    frame = regression.to_frame()
    assert list(frame["model"]) == list(regression.names)
    assert frame["verdict"][2] == "worse"
    np.testing.assert_allclose(frame["mean_score"][0], regression.scores[regression.best].mean())
    polars = regression.to_frame("polars")
    assert polars["p_t_holm"].to_list()[1:] == list(frame["p_t_holm"])[1:]


def test_html_escapes_names():
    found = compare({"<b>": Ridge(), "other": LinearRegression()}, X, Y, cv=3)
    page = found._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_picture(regression, tmp_path):
    ax = regression.plot()
    assert [text.get_text() for text in ax.get_yticklabels()] == list(regression.names)
    dots = ax.get_lines()[0]
    np.testing.assert_allclose(dots.get_xdata(), regression.scores[regression.best])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["best", "within noise", "worse"]
    ax.figure.savefig(tmp_path / "comparison.png")
    assert regression.plot(ax) is ax


def test_repeated_splits_have_no_tests_by_row():
    splits = [s for seed in (0, 1) for s in KFold(5, shuffle=True, random_state=seed).split(X)]
    found = compare([Ridge(0.1), DummyRegressor()], X, Y, cv=splits)
    assert (found.n_splits, found.outcomes) == (10, None)
    (pair,) = found.pairs
    assert pair.sign is None
    assert pair.t.p < 0.01


def test_one_split():
    found = compare(CLASSIFIERS, X, HIGH, cv=[(np.arange(300), np.arange(300, 442))])
    assert found.verdict("tree") in ("not tested", "best")
    assert found.test("ours", "tree").mcnemar is not None
    assert "One split" in str(found)
    assert np.isnan(found.interval("ours")[1])
    found.plot()


def test_names_of_a_list():
    found = compare([Ridge(0.1), Ridge(1.0), Lasso()], X, Y, cv=3)
    assert set(found.scores) == {"Ridge(alpha=0.1)", "Ridge()", "Lasso"}
    assert set(compare([("a", Ridge()), ("b", Ridge())], X, Y, cv=3).scores) == {"a", "b"}
    assert set(compare(Ridge(), X, Y, cv=3).scores) == {"Ridge"}
    assert "1 model by R²" in str(compare(Ridge(), X, Y, cv=3))


def test_the_same_model_twice_is_within_noise():
    found = compare({"one": Ridge(0.1), "two": Ridge(0.1)}, X, Y)
    (pair,) = found.pairs
    assert (pair.t.p, pair.sign.p, found.within_noise) == (1.0, 1.0, ("two",))
    assert "Within noise of one: two" in str(found)


def test_a_model_that_fails_does_not_stop_the_others():
    with pytest.warns(FitFailedWarning, match="every fit of 'broken' failed"):
        found = compare({"broken": Broken(), **REGRESSORS}, X, Y, cv=4)
    assert found.names[-1] == "broken"
    assert found.verdict("broken") == "failed"
    assert found.test("ridge", "tree").t is not None
    assert "With failed fits" in str(found)
    found.plot()
    with pytest.raises(RuntimeError, match="no luck"):
        compare({"broken": Broken()}, X, Y, error_score="raise")
    with pytest.warns(FitFailedWarning), pytest.raises(InvalidDataError, match="every model"):
        compare({"broken": Broken()}, X, Y)


def test_progress_and_interruption(capsys):
    with pytest.raises(KeyboardInterrupt):
        compare({"ridge": Ridge(), "stopped": Interrupted()}, X, Y, verbose=1)
    assert capsys.readouterr().out.startswith("[1/2] ridge: R² 0.4")


def test_jobs_and_weights():
    weights = np.linspace(0.1, 2.0, len(Y))
    models = {"ridge": Ridge(0.1), "lasso": Lasso(0.1)}
    alone = compare(models, X, Y, params={"sample_weight": weights})
    together = compare(models, X, Y, params={"sample_weight": weights}, n_jobs=2)
    for name, model in models.items():
        expected = cross_validate(model, X, Y, params={"sample_weight": weights})["test_score"]
        np.testing.assert_allclose(alone.scores[name], expected, rtol=1e-9)
        np.testing.assert_array_equal(alone.scores[name], together.scores[name])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"models": {}}, InvalidParameterError, "models is empty"),
        ({"models": []}, InvalidParameterError, "models is empty"),
        ({"models": "ridge"}, InvalidParameterError, "mapping of names"),
        ({"models": [Ridge(), Ridge()]}, InvalidParameterError, "stands for 2 models"),
        ({"models": [("a", Ridge()), ("a", Lasso())]}, InvalidParameterError, "'a' stands for 2"),
        ({"models": [Ridge]}, InvalidParameterError, "give an instance"),
        ({"models": {"a": 3}}, InvalidParameterError, "no fit method"),
        (
            {"models": CLASSIFIERS, "y": Y + 0.5},
            InvalidDataError,
            "'ours' is a classifier and y is continuous",
        ),
        (
            {"models": [DummyClassifier(), Ridge()], "y": Y > 140},
            InvalidParameterError,
            "not the same measure",
        ),
        ({"cv": 1000}, InvalidParameterError, "1000"),
        ({"reference": "forest"}, InvalidParameterError, "none of the models: ridge"),
        ({"confidence": 95}, InvalidParameterError, "confidence must be"),
        ({"scoring": "r3"}, InvalidParameterError, "r3"),
        ({"scoring": ["r2", "neg_max_error"]}, InvalidParameterError, "one scoring"),
        ({"y": Y[:-1]}, InvalidDataError, "inconsistent"),
    ],
)
def test_refusals(arguments, error, message):
    given = {"models": {"ridge": Ridge()}, "X": X, "y": Y, **arguments}
    with pytest.raises(error, match=message):
        compare(**given)
