"""Scorers: every name scikit-learn has for our metrics, on its estimators and on ours."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn import metrics as theirs
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.svm import LinearSVC

from stylobate import metrics as ours
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import Ridge

NAMES = ours.get_scorer_names()
SAMPLES = {name for name in NAMES if name.endswith("_samples")}


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 4))
    return x, np.exp(0.3 * x[:, 0] + 0.2 * rng.normal(size=60)), rng.uniform(size=60)


def test_names_are_scikit_learns():
    assert set(NAMES) == set(theirs.get_scorer_names())
    assert sorted(NAMES) == NAMES


RATIOS = ("neg_negative_likelihood_ratio", "positive_likelihood_ratio")  # theirs take no weights
CLUSTERING = {
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "completeness_score",
    "fowlkes_mallows_score",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "rand_score",
    "v_measure_score",
}  # of which neither theirs nor ours take weights


@pytest.mark.filterwarnings("ignore:'k' .2. greater than or equal")
@pytest.mark.filterwarnings("ignore:Clustering metrics expects discrete values")
@pytest.mark.parametrize("name", sorted(set(NAMES) - SAMPLES))
@pytest.mark.parametrize("kind", ["regressor", "two classes", "three classes"])
def test_the_same_scores(name, kind, rows):
    x, y, w = rows
    if kind == "regressor":
        model = PoissonRegressor().fit(x, y)
    else:
        y = np.digitize(y, [1.0] if kind == "two classes" else [0.8, 1.3])
        model = LogisticRegression().fit(x, y)
    try:
        want = theirs.get_scorer(name)(model, x, y)
    except (ValueError, AttributeError):
        with pytest.raises((ValueError, AttributeError)):
            ours.get_scorer(name)(model, x, y)
        return
    got = ours.get_scorer(name)(model, x, y)
    assert got == pytest.approx(want, rel=1e-12)
    unweighted = {"neg_max_error", "roc_auc_ovo", "roc_auc_ovo_weighted", *RATIOS} | CLUSTERING
    if name not in unweighted:
        weighted = ours.get_scorer(name)(model, x, y, sample_weight=w)
        assert weighted == pytest.approx(
            theirs.get_scorer(name)(model, x, y, sample_weight=w), rel=1e-12
        )


def test_margins_probabilities_and_positive_labels(rows):
    x, y, _ = rows
    text = np.where(y > 1, "yes", "no")
    svc, logistic = LinearSVC().fit(x, text), LogisticRegression().fit(x, text)
    for model in (svc, logistic):
        assert ours.get_scorer("roc_auc")(model, x, text) == pytest.approx(
            theirs.get_scorer("roc_auc")(model, x, text)
        )
    for label in ("no", "yes"):
        options = {"response_method": ("decision_function", "predict_proba"), "pos_label": label}
        for model in (svc, logistic):
            mine = ours.make_scorer(ours.average_precision_score, **options)
            other = theirs.make_scorer(theirs.average_precision_score, **options)
            assert mine(model, x, text) == pytest.approx(other(model, x, text))
    assert ours.get_scorer("neg_log_loss")(logistic, x[:1], text[:1]) < 0  # one class among them


def test_check_scoring(rows):
    x, y, _ = rows
    model = Ridge().fit(x, y)
    own = ours.check_scoring(model)
    assert own(model, x, y) == model.score(x, y)
    many = ours.check_scoring(model, ["r2", "neg_mean_absolute_error"])(model, x, y)
    assert many["r2"] == pytest.approx(model.score(x, y))
    assert len(many) == 2
    assert ours.check_scoring(scoring={"mine": lambda m, a, b: 3.0})(model, x, y) == {"mine": 3.0}
    assert ours.check_scoring(object(), allow_none=True) is None
    again = pickle.loads(pickle.dumps(ours.get_scorer("roc_auc")))
    assert again == ours.get_scorer("roc_auc") != ours.get_scorer("r2")
    assert hash(again) == hash(ours.get_scorer("roc_auc"))
    assert theirs.check_scoring(model, ours.get_scorer("r2"))(model, x, y) == many["r2"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ours.get_scorer("r_squared"), "not a valid scoring value.*valid options\\.$"),
        (lambda: ours.get_scorer("neg_mean_square_error"), "neg_mean_squared_error"),
        (lambda: ours.check_scoring(object()), "should have a 'score' method"),
        (lambda: ours.check_scoring(Ridge(), ours.r2_score), "metric function rather than"),
        (lambda: ours.check_scoring(Ridge(), theirs.r2_score), "metric function rather than"),
        (lambda: ours.check_scoring(Ridge(), 3), "scoring must be"),
        (lambda: ours.check_scoring(Ridge(), []), "at least one"),
        (lambda: ours.check_scoring(Ridge(), ["r2", "r2"]), "twice"),
        (lambda: ours.check_scoring(Ridge(), {1: "r2"}), "names as keys"),
        (lambda: ours.make_scorer("r2"), "must be callable"),
        (lambda: ours.make_scorer(ours.r2_score, response_method="score"), "response_method"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InvalidParameterError, match=words):
        call()


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("mse", "neg_mean_squared_error"),
        ("RMSE", "neg_root_mean_squared_error"),
        ("mae", "neg_mean_absolute_error"),
        ("auc", "roc_auc"),
        ("f1_score", "f1"),
    ],
)
def test_what_people_call_a_score_leads_to_its_name(short, name):
    with pytest.raises(ValueError, match=rf"close: {name}\b"):
        ours.get_scorer(short)
    with pytest.raises(ValueError, match=r"valid options\.$"):
        ours.get_scorer("xyzzy")
