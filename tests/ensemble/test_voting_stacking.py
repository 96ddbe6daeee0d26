"""Voting and stacking against scikit-learn's, and what their parameters mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.ensemble as theirs
from scipy import sparse
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LinearRegression as TheirLine
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.model_selection import KFold as TheirKFold
from sklearn.naive_bayes import GaussianNB as TheirBayes
from sklearn.neighbors import KNeighborsRegressor as TheirNeighbours

from stylobate.compose import ColumnTransformer
from stylobate.ensemble import (
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NotFittedError
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.naive_bayes import GaussianNB
from stylobate.neighbors import KNeighborsClassifier
from stylobate.pipeline import make_pipeline
from stylobate.splits import KFold

X_R, Y_R = make_regression(90, 5, noise=20.0, random_state=0)
X_C, CODES = make_classification(150, 6, n_informative=4, n_classes=3, random_state=0)
Y_C = np.array(["low", "mid", "top"])[CODES]
CLASSIFIERS = [("a", TheirLogistic()), ("b", TheirBayes()), ("c", TheirLogistic(C=0.01))]
REGRESSORS = [("line", TheirLine()), ("near", TheirNeighbours()), ("ridge", TheirRidge(50.0))]


def both(name, *args, **options):
    ours = {
        "VotingClassifier": VotingClassifier,
        "VotingRegressor": VotingRegressor,
        "StackingClassifier": StackingClassifier,
        "StackingRegressor": StackingRegressor,
    }[name]
    return ours(*args, **options), getattr(theirs, name)(*args, **options)


@pytest.mark.parametrize("weights", [None, [1, 2, 5.5]])
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_voting_classifier_is_scikit_learns(voting, weights):
    pair = both("VotingClassifier", CLASSIFIERS, voting=voting, weights=weights)
    ours, other = (each.fit(X_C, Y_C) for each in pair)
    np.testing.assert_array_equal(ours.predict(X_C), other.predict(X_C))
    np.testing.assert_allclose(ours.transform(X_C), other.transform(X_C))
    assert list(ours.get_feature_names_out()) == list(other.get_feature_names_out())
    assert list(ours.named_estimators_) == list(other.named_estimators_)
    assert hasattr(ours, "predict_proba") == (voting == "soft")
    if voting == "soft":
        np.testing.assert_allclose(ours.predict_proba(X_C), other.predict_proba(X_C))
        loose = ours.set_params(flatten_transform=False).transform(X_C)
        assert loose.shape == (3, len(X_C), 3)


def test_voting_regressor_is_scikit_learns():
    weights = np.random.default_rng(0).integers(0, 4, len(X_R)).astype(float)
    regressors = [REGRESSORS[0], REGRESSORS[2]]
    pair = both("VotingRegressor", regressors, weights=[1, 3])
    ours, other = (each.fit(X_R, Y_R, sample_weight=weights) for each in pair)
    np.testing.assert_allclose(ours.predict(X_R), other.predict(X_R))
    np.testing.assert_allclose(ours.transform(X_R), other.transform(X_R))
    assert list(ours.get_feature_names_out()) == list(other.get_feature_names_out())


def test_dropped_members_have_no_say():
    full = VotingRegressor(REGRESSORS, weights=[1, 2, 3]).set_params(near="drop").fit(X_R, Y_R)
    left = VotingRegressor([REGRESSORS[0], REGRESSORS[2]], weights=[1, 3]).fit(X_R, Y_R)
    np.testing.assert_array_equal(full.predict(X_R), left.predict(X_R))
    assert full.named_estimators_["near"] == "drop"
    assert len(full.estimators_) == 2


@pytest.mark.parametrize(
    ("k", "method", "passthrough"),
    [(2, "auto", True), (3, "auto", False), (3, "predict", False), (2, "decision_function", True)],
)
def test_stacking_classifier_is_scikit_learns(k, method, passthrough):
    rows = k > CODES
    members = CLASSIFIERS if method != "decision_function" else [CLASSIFIERS[0], CLASSIFIERS[2]]
    pair = both(
        "StackingClassifier",
        members,
        TheirLogistic(),
        cv=4,
        stack_method=method,
        passthrough=passthrough,
    )
    ours, other = (each.fit(X_C[rows], Y_C[rows]) for each in pair)
    X = X_C[rows]
    np.testing.assert_allclose(ours.transform(X), other.transform(X))
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), other.decision_function(X), rtol=1e-5)
    np.testing.assert_array_equal(ours.predict(X), other.predict(X))
    assert list(ours.get_feature_names_out()) == list(other.get_feature_names_out())
    assert ours.stack_method_ == other.stack_method_


@pytest.mark.parametrize("passthrough", [False, True])
def test_stacking_regressor_is_scikit_learns(passthrough):
    cv = TheirKFold(3, shuffle=True, random_state=0)
    pair = both("StackingRegressor", REGRESSORS, TheirRidge(1.0), cv=cv, passthrough=passthrough)
    ours, other = (each.fit(X_R, Y_R) for each in pair)
    np.testing.assert_allclose(ours.predict(X_R), other.predict(X_R))
    np.testing.assert_allclose(ours.final_estimator_.coef_, other.final_estimator_.coef_)


def test_folds_from_statistics_give_the_same_stack():
    """Our linear models predict their folds from statistics; the answer is that of the rows."""
    ours = StackingRegressor([("a", LinearRegression()), ("b", Ridge(9.0))], Ridge()).fit(X_R, Y_R)
    members = [("a", TheirLine()), ("b", TheirRidge(9.0))]
    other = theirs.StackingRegressor(members, TheirRidge()).fit(X_R, Y_R)
    np.testing.assert_allclose(ours.predict(X_R), other.predict(X_R), rtol=1e-9)


def test_shuffled_folds_are_the_same_for_all_members():
    models = [("a", Ridge(1.0)), ("b", Ridge(1.0))]
    model = StackingRegressor(models, Ridge(1e-9), cv=KFold(3, shuffle=True)).fit(X_R, Y_R)
    first, second = model.final_estimator_.coef_
    assert first == pytest.approx(second)  # the same column twice


def test_prefit_members_are_used_as_they_are():
    members = [(name, model.fit(X_R[:45], Y_R[:45])) for name, model in REGRESSORS]
    pair = both("StackingRegressor", members, TheirRidge(), cv="prefit")
    ours, other = (each.fit(X_R[45:], Y_R[45:]) for each in pair)
    assert ours.estimators_[0] is members[0][1]
    np.testing.assert_allclose(ours.predict(X_R), other.predict(X_R))
    with pytest.raises(NotFittedError, match=r"'a' .* is not fitted"):
        StackingRegressor([("a", Ridge())], cv="prefit").fit(X_R, Y_R)


def test_sparse_rows_pass_through_sparse():
    X = sparse.csr_array(np.where(np.abs(X_R) > 1, X_R, 0.0))
    pair = both("StackingRegressor", [REGRESSORS[2]], TheirRidge(), passthrough=True)
    ours, other = (each.fit(X, Y_R) for each in pair)
    assert sparse.issparse(ours.transform(X))
    np.testing.assert_allclose(ours.predict(X), other.predict(X), rtol=1e-6)


def test_columns_by_name_inside_a_stack():
    """Members that choose columns by name get the frame."""
    frame = pd.DataFrame({"x": X_C[:, 0], "y": X_C[:, 1], "word": ["a", "b", "c"] * 50})
    choose = ColumnTransformer([("numbers", "passthrough", ["x", "y"])])
    members = [("m", make_pipeline(choose, LogisticRegression())), ("n", "drop")]
    stack = StackingClassifier(members).fit(frame, Y_C)
    vote = VotingClassifier(members, voting="soft").fit(frame, Y_C)
    assert stack.predict(frame).shape == vote.predict(frame).shape == (150,)
    with pytest.raises((InvalidDataError, TypeError), match="word"):
        StackingClassifier(members, passthrough=True).fit(frame, Y_C)


def test_transform_gives_back_the_frame_it_got():
    frame = pl.DataFrame(X_C, schema=[f"v{i}" for i in range(6)])
    made = VotingClassifier([("a", GaussianNB()), ("b", LogisticRegression())]).fit_transform(
        frame, Y_C
    )
    assert made.columns == ["votingclassifier_a", "votingclassifier_b"]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "non-empty list"),
        ([("a", "drop")], "All estimators are dropped"),
        ([("a", GaussianNB()), ("a", GaussianNB())], "not unique"),
        ([("a", GaussianNB)], "got estimator class instead"),
        ([("a", 3)], "must be an estimator or 'drop'"),
        ([("a", Ridge())], "should be a classifier"),
        ([GaussianNB()], "list of tuples"),
    ],
)
def test_lists_that_cannot_be(members, message):
    with pytest.raises(InvalidParameterError, match=message):
        VotingClassifier(members).fit(X_C, Y_C)


def test_more_refusals():
    members = [("a", GaussianNB()), ("b", KNeighborsClassifier())]
    with pytest.raises(InvalidParameterError, match="weights must be equal"):
        VotingClassifier(members, weights=[1.0]).fit(X_C, Y_C)
    with pytest.raises(InvalidParameterError, match=r"'b' .*does not support sample weights"):
        VotingClassifier(members).fit(X_C, Y_C, sample_weight=np.ones(150) * 2)
    with pytest.raises(InvalidParameterError, match="unexpected argument"):
        VotingClassifier(members).fit(X_C, Y_C, depth=3)
    with pytest.raises(NotImplementedError, match="Multilabel"):
        VotingClassifier(members).fit(X_C, np.eye(3)[CODES])
    with pytest.raises(InvalidParameterError, match="should be a classifier"):
        StackingClassifier(members, Ridge()).fit(X_C, Y_C)
    with pytest.raises(InvalidParameterError, match="does not implement"):
        StackingClassifier(members, stack_method="decision_function").fit(X_C, Y_C)
    with pytest.raises(InvalidDataError, match="estimator 'a'"):
        VotingClassifier(members).fit(np.where(X_C > 1, np.nan, X_C), Y_C)
