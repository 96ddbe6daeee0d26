"""The one-standard-error rule of every cross-validated linear model, against its definition."""

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import (
    ElasticNetCV,
    LassoCV,
    LogisticRegressionCV,
    MultiTaskElasticNetCV,
    MultiTaskLassoCV,
    RidgeClassifierCV,
    RidgeCV,
)
from stylobate.linear_model.shared.selection_rule import chosen_setting


def rows(n=60, p=12, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X[:, :3] @ [1.0, -0.8, 0.5] + 1.5 * rng.normal(size=n)


def by_definition(losses, strengths):
    """Written out loop by loop."""
    means = [sum(each) / len(each) for each in losses]
    best = means.index(min(means))
    k = len(losses[best])
    spread = sum((x - means[best]) ** 2 for x in losses[best]) / (k - 1)
    bound = means[best] + (spread / k) ** 0.5
    return max(s for s, mean in zip(strengths, means, strict=True) if mean <= bound)


@pytest.mark.parametrize("model", [LassoCV, ElasticNetCV])
@pytest.mark.parametrize("n", [30, 200])
def test_the_paths_of_the_lasso_and_the_elastic_net(model, n):
    X, y = rows(n)
    best, simple = model(cv=6).fit(X, y), model(cv=6, selection_rule="1se").fit(X, y)
    np.testing.assert_array_equal(best.mse_path_, simple.mse_path_)
    assert simple.alpha_ == by_definition(best.mse_path_.tolist(), best.alphas_.tolist())
    assert simple.alpha_ > best.alpha_
    assert np.count_nonzero(simple.coef_) <= np.count_nonzero(best.coef_)


def test_of_several_ratios_the_best_one_is_kept():
    X, y = rows()
    best = ElasticNetCV(l1_ratio=[0.3, 0.9], alphas=30).fit(X, y)
    simple = ElasticNetCV(l1_ratio=[0.3, 0.9], alphas=30, selection_rule="1se").fit(X, y)
    at = [0.3, 0.9].index(best.l1_ratio_)
    assert simple.l1_ratio_ == best.l1_ratio_
    assert simple.alpha_ == by_definition(best.mse_path_[at].tolist(), best.alphas_[at].tolist())


@pytest.mark.parametrize("model", [MultiTaskLassoCV, MultiTaskElasticNetCV])
def test_several_targets(model):
    X, y = rows()
    Y = np.column_stack([y, y[::-1]])
    simple = model(alphas=20, selection_rule="1se").fit(X, Y)
    assert simple.alpha_ == by_definition(simple.mse_path_.tolist(), simple.alphas_.tolist())


def test_ridge_by_folds_and_by_leaving_rows_out():
    X, y = rows()
    alphas = np.geomspace(0.1, 1000.0, 12)
    folds = RidgeCV(alphas, cv=6, selection_rule="1se").fit(X, y)
    assert folds.alpha_ == by_definition((-folds.cv_scores_).tolist(), alphas.tolist())
    left = RidgeCV(alphas, store_cv_results=True).fit(X, y)
    rule = RidgeCV(alphas, selection_rule="1se").fit(X, y)
    assert rule.alpha_ == by_definition(left.cv_results_.T.tolist(), alphas.tolist())
    assert rule.alpha_ > left.alpha_
    np.testing.assert_allclose(rule.cv_scores_, left.cv_scores_, rtol=1e-10)


def test_ridge_of_each_target():
    X, y = rows()
    Y = np.column_stack([y, np.roll(y, 1)])
    alphas = np.geomspace(0.1, 1000.0, 12)
    both = RidgeCV(alphas, alpha_per_target=True, selection_rule="1se").fit(X, Y)
    alone = [RidgeCV(alphas, selection_rule="1se").fit(X, t).alpha_ for t in Y.T]
    assert both.alpha_.tolist() == alone


def test_classifiers():
    X, y = rows(120)
    labels = y > 0
    alphas = np.geomspace(0.1, 1000.0, 12)
    ridge = RidgeClassifierCV(alphas, cv=5, selection_rule="1se").fit(X, labels)
    assert ridge.alpha_ == by_definition((-ridge.cv_scores_).tolist(), alphas.tolist())
    named = {"l1_ratios": (1.0,), "scoring": "neg_log_loss", "use_legacy_attributes": False}
    logistic = LogisticRegressionCV(**named, Cs=12, selection_rule="1se").fit(X, labels)
    losses = -logistic.scores_[:, 0].T
    strength = by_definition(losses.tolist(), (-np.log(logistic.Cs_)).tolist())
    assert -np.log(logistic.C_) == strength
    assert logistic.C_ < LogisticRegressionCV(**named, Cs=12).fit(X, labels).C_


def test_the_rule_needs_a_spread_and_never_takes_a_weaker_penalty():
    assert chosen_setting([[1.0], [2.0]], [1.0, 2.0], "1se") == 0
    # the weaker penalty is as good, but the best one stays
    assert chosen_setting([[1.0, 3.0], [1.0, 2.9]], [0.1, 1.0], "1se") == 1


def test_bad_input():
    X, y = rows()
    with pytest.raises(InvalidParameterError, match="selection_rule"):
        LassoCV(selection_rule="2se").fit(X, y)
    with pytest.raises(InvalidParameterError, match="give a number of folds"):
        RidgeCV(cv="gcv", selection_rule="1se").fit(X, y)
    with pytest.raises(InvalidParameterError, match="refit=True"):
        LogisticRegressionCV(refit=False, selection_rule="1se").fit(X, y > 0)
