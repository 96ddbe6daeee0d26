"""Covariances as estimators, against scikit-learn's and against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.covariance as theirs
from numpy.testing import assert_allclose

import stylobate.covariance as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError


@pytest.fixture
def rows():
    draw = np.random.default_rng(0)
    mixing = draw.normal(size=(6, 6))
    return draw.normal(size=(80, 6)) @ mixing + 5.0


@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize(
    "name", ["EmpiricalCovariance", "ShrunkCovariance", "LedoitWolf", "OAS", "GraphicalLasso"]
)
def test_as_scikit_learn(rows, name, centred):
    options = {"assume_centered": centred}
    if name == "GraphicalLasso":
        options |= {"alpha": 0.5, "tol": 1e-8, "enet_tol": 1e-10, "max_iter": 1000}
    a = getattr(ours, name)(**options).fit(rows)
    b = getattr(theirs, name)(**options).fit(rows)
    for attribute in ("location_", "covariance_", "precision_"):
        expected = getattr(b, attribute)
        assert_allclose(
            getattr(a, attribute), expected, atol=1e-6 * np.abs(expected).max(), rtol=1e-6
        )
    assert_allclose(a.score(rows), b.score(rows))
    assert_allclose(a.mahalanobis(rows), b.mahalanobis(rows), rtol=1e-5)
    for norm in ("frobenius", "spectral"):
        assert_allclose(
            a.error_norm(np.eye(6), norm=norm, squared=False),
            b.error_norm(np.eye(6), norm=norm, squared=False),
        )


def test_merged_parts_are_the_whole(rows):
    whole = ours.OAS().fit(rows)
    parts = ours.OAS().partial_fit(rows[:30]).partial_fit(rows[30:])
    assert_allclose(parts.covariance_, whole.covariance_, rtol=1e-12)
    assert_allclose(parts.shrinkage_, whole.shrinkage_, rtol=1e-12)


@pytest.mark.parametrize("alpha", [0.01, 0.1, 0.5])
def test_the_sparse_precision_is_optimal(rows, alpha):
    """The subgradient of the objective holds 0: S − W = −α sign K where K is not 0, within else."""
    correlation = np.corrcoef(rows.T)
    covariance, precision, costs = ours.graphical_lasso(
        correlation, alpha, tol=1e-10, enet_tol=1e-12, max_iter=1000, return_costs=True
    )
    assert_allclose(covariance @ precision, np.eye(6), atol=1e-5)
    off = ~np.eye(6, dtype=bool)
    force = (covariance - correlation)[off]
    linked = np.abs(precision[off]) > 1e-10
    assert_allclose(force[linked], alpha * np.sign(precision[off][linked]), atol=1e-6)
    assert np.abs(force).max() <= alpha + 1e-8
    assert abs(costs[-1][1]) < 1e-8
    assert (np.diff([cost for cost, _ in costs]) < 1e-9).all()


def test_the_penalty_is_chosen_as_by_scikit_learn(rows):
    options = {"alphas": [0.8, 0.4, 0.1], "cv": 3, "tol": 1e-6, "enet_tol": 1e-9, "max_iter": 1000}
    a = ours.GraphicalLassoCV(**options).fit(rows)
    b = theirs.GraphicalLassoCV(**options).fit(rows)
    assert a.alpha_ == b.alpha_
    assert_allclose(a.cv_results_["mean_test_score"], b.cv_results_["mean_test_score"], rtol=1e-3)
    finer = ours.GraphicalLassoCV(alphas=3, n_refinements=2, cv=3).fit(rows)
    assert len(finer.cv_results_["alphas"]) == 3 * 2 + 1


@pytest.mark.parametrize("shape", [(60, 3), (700, 4), (1700, 3)])
def test_outliers_do_not_move_the_robust_covariance(shape):
    draw = np.random.default_rng(1)
    rows = draw.normal(size=shape) * 2.0
    far = shape[0] // 4
    rows[:far] += 50.0
    model = ours.MinCovDet(random_state=0).fit(rows)
    clean = rows[far:]
    assert not model.support_[:far].any()
    assert_allclose(model.location_, clean.mean(axis=0), atol=0.5)
    assert_allclose(np.diag(model.covariance_), clean.var(axis=0), rtol=0.35)
    reference = theirs.MinCovDet(random_state=0).fit(rows)
    size = [np.linalg.slogdet(each.raw_covariance_)[1] for each in (model, reference)]
    assert size[0] <= size[1] + 0.02  # as concentrated as the rows that scikit-learn finds


def test_one_column_is_searched_exactly():
    values = np.array([[0.0], [1.0], [1.1], [1.3], [9.0], [20.0]])
    _, covariance, support, _ = ours.fast_mcd(values)
    best = min(np.var(values[i : i + 4]) for i in range(3))
    assert_allclose(covariance, best)
    assert support.tolist() == [True, True, True, True, False, False]


def test_the_envelope_tells_outliers():
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(200, 3))
    rows[:10] += 15.0
    model = ours.EllipticEnvelope(contamination=0.05, random_state=0).fit(rows)
    assert (model.predict(rows[:10]) == -1).all()
    assert (model.predict(rows) == -1).sum() == 10
    assert_allclose(model.decision_function(rows), -model.mahalanobis(rows) - model.offset_)
    assert model.score(rows, model.predict(rows)) == 1.0


def test_refusals(rows):
    with pytest.raises(InvalidDataError, match="must be square"):
        ours.graphical_lasso(rows, 0.1)
    with pytest.raises(InvalidDataError, match="square matrix"):
        ours.GraphicalLasso(covariance="precomputed").fit(rows)
    with pytest.raises(InvalidDataError, match="equal to 0"):
        ours.MinCovDet().fit(np.repeat([[0.1], [0.5]], [8, 2], axis=0))
    with pytest.raises(InvalidParameterError, match="support_fraction"):
        ours.fast_mcd(rows, support_fraction=2.0)
    with pytest.raises(NotImplementedError, match="norm"):
        ours.OAS().fit(rows).error_norm(np.eye(6), norm="nuclear")
