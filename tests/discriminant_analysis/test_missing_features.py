"""Generative models integrate missing features out and know their joint density."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal, norm

from stylobate.datasets import load_iris
from stylobate.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
)
from stylobate.exceptions import InvalidDataError
from stylobate.mixture import GaussianMixture
from stylobate.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB, NaiveBayes

X, Y = load_iris(return_X_y=True)
GAPS = X[::7].copy()
GAPS[0, 0] = GAPS[1, [1, 3]] = GAPS[2] = GAPS[5, 0] = np.nan


def densities(model):
    """Mean and covariance of each class, from the rows, divided by n."""
    groups = [X[c == Y] for c in range(3)]
    each = [np.cov(g.T, bias=True) for g in groups]
    if isinstance(model, LinearDiscriminantAnalysis):
        each = [np.mean(each, axis=0)] * 3  # classes of 50 rows each
    if isinstance(model, GaussianNB):
        each = [np.diag(np.diag(s)) for s in each]
    return [(g.mean(axis=0), s) for g, s in zip(groups, each, strict=True)]


MODELS = [
    LinearDiscriminantAnalysis(missing="marginalize"),
    LinearDiscriminantAnalysis(solver="lsqr", missing="marginalize"),
    QuadraticDiscriminantAnalysis(missing="marginalize"),
    QuadraticDiscriminantAnalysis(covariance_type="diag", missing="marginalize"),
    GaussianNB(var_smoothing=0.0, missing="marginalize"),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_missing_features_are_integrated_out(model):
    model.fit(X, Y)
    known = densities(GaussianNB() if getattr(model, "covariance_type", "") == "diag" else model)
    joint = np.empty((len(GAPS), 3))
    for i, row in enumerate(GAPS):
        there = np.flatnonzero(~np.isnan(row))
        for c, (mean, cov) in enumerate(known):
            part = multivariate_normal(mean[there], cov[np.ix_(there, there)]) if len(there) else 0
            joint[i, c] = np.log(1 / 3) + (part.logpdf(row[there]) if len(there) else 0.0)
    np.testing.assert_allclose(model.predict_joint_log_proba(GAPS), joint, rtol=1e-8, atol=1e-8)
    shares = np.exp(joint - joint.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(GAPS), shares, rtol=1e-7, atol=1e-12)
    np.testing.assert_array_equal(model.predict(GAPS), shares.argmax(axis=1))
    np.testing.assert_allclose(model.predict_proba(GAPS)[2], 1 / 3)  # nothing known: the priors
    # rows without gaps get what they get without the option, and gaps are refused by default
    plain = type(model)(**{**model.get_params(), "missing": "refuse"}).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))
    whole = plain.predict_joint_log_proba(X)
    whole -= np.log(np.exp(whole - whole.max(1, keepdims=True)).sum(1, keepdims=True)) + whole.max(
        1, keepdims=True
    )
    np.testing.assert_allclose(whole, plain.predict_log_proba(X), rtol=1e-7, atol=1e-7)
    with pytest.raises(InvalidDataError, match="NaN"):
        plain.predict(GAPS)


def test_one_feature_is_the_textbooks_posterior():
    """Two normal classes, the second column unknown: by hand from the first alone."""
    x = np.array([[0.0, 0.0], [2.0, 2.0], [4.0, 1.0], [6.0, 7.0]])
    model = GaussianNB(var_smoothing=0.0, missing="marginalize").fit(x, [0, 0, 1, 1])
    one, other = norm(1, 1).pdf(2.5), norm(5, 1).pdf(2.5)
    assert model.predict_proba([[2.5, np.nan]])[0, 1] == pytest.approx(other / (one + other))


def test_numbers_of_parameters():
    C, D = 3, 4
    assert LinearDiscriminantAnalysis().fit(X, Y).n_parameters_ == C * D + D * (D + 1) // 2 + C - 1
    full = QuadraticDiscriminantAnalysis()
    assert full.fit(X, Y).n_parameters_ == C * (D + D * (D + 1) // 2) + C - 1
    assert full.set_params(priors=[0.2, 0.3, 0.5]).fit(X, Y).n_parameters_ == C * 14
    assert GaussianNB().fit(X, Y).n_parameters_ == 2 * C * D + C - 1
    bits = (X.mean(axis=0) < X).astype(int)
    assert BernoulliNB().fit(bits, Y).n_parameters_ == C * D + C - 1
    assert MultinomialNB().fit(bits, Y).n_parameters_ == C * (D - 1) + C - 1
    assert CategoricalNB().fit(bits, Y).n_parameters_ == C * D + C - 1
    assert CategoricalNB(fit_prior=False).fit(bits, Y).n_parameters_ == C * D
    mixture = GaussianMixture(2, random_state=0).fit(X)
    assert mixture.n_parameters_ == 2 * 14 + 1
    frame = pd.DataFrame({"length": X[:, 0], "wide": np.where(X[:, 1] > 3, "yes", "no")})
    mixed = NaiveBayes(models={"length": "gaussian", "wide": "categorical"}).fit(frame, Y)
    assert mixed.n_parameters_ == 2 * C + C + C - 1


def test_without_a_density_there_is_none():
    doubled = np.column_stack([X, X[:, 0]])
    with pytest.raises(SingularCovarianceError, match="no density"):
        LinearDiscriminantAnalysis().fit(doubled, Y).predict_joint_log_proba(doubled)
