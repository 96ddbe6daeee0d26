"""Covariances, fixed effects and the bootstrap against statsmodels, dummies and brute force."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy.linalg import fractional_matrix_power

from stylobate import model
from stylobate.inference.bootstrap import bootstrap, bootstrap_least_squares
from stylobate.linear_model import LinearRegression, QuantileRegressor
from stylobate.optimize.absorption import Absorption


@pytest.mark.parametrize(
    ("kind", "ours", "theirs"),
    [
        ("HAC", {"lags": 3}, {"maxlags": 3}),
        ("cluster", {"groups": "g"}, {"groups": "g"}),
        ("cluster", {"groups": ["g", "h"]}, {"groups": ["g", "h"]}),
    ],
)
def test_covariances_of_statsmodels(table, kind, ours, theirs):
    theirs = {k: table[v].to_numpy() if k == "groups" else v for k, v in theirs.items()}
    peer = smf.ols("y ~ a * x", table).fit(cov_type=kind, cov_kwds=theirs)
    found = model("y ~ a * x", table).estimates(covariance=kind, **ours)
    assert np.isclose(np.sort(found.std_error), np.sort(peer.bse), rtol=1e-10).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_bias_reduced_clusters_by_their_definition(table, weighted):
    """CR2 and CR3 with the hat matrix written out."""
    w = table.t.to_numpy() if weighted else np.ones(len(table))
    fit = model("y ~ x + b", table, weights=w if weighted else None)
    x = fit.design_.matrix(table) * np.sqrt(w)[:, None]
    e = np.sqrt(w) * (table.y - fit.predict(table)).to_numpy()
    bread = np.linalg.inv(x.T @ x)
    for kind, power in (("CR2", -0.5), ("CR3", -1.0)):
        meat = np.zeros((3, 3))
        for g in np.unique(table.h):
            rows = np.flatnonzero(table.h == g)
            slack = np.eye(len(rows)) - x[rows] @ bread @ x[rows].T
            score = x[rows].T @ np.real(fractional_matrix_power(slack, power)) @ e[rows]
            meat += np.outer(score, score)
        found = fit.estimates(covariance=kind, groups="h")
        assert np.isclose(found.covariance, bread @ meat @ bread, rtol=1e-9, atol=1e-14).all()
        assert found.df == 11


def test_cr3_is_the_jackknife_of_groups(table):
    fit = model("y ~ x + b", table)
    changes = [
        model("y ~ x + b", table[table.h != g]).coef_ - fit.coef_ for g in np.unique(table.h)
    ]
    found = fit.estimates(covariance="CR3", groups="h").covariance
    assert np.isclose(found, np.array(changes).T @ np.array(changes), rtol=1e-9).all()


def test_estimators_know_the_new_covariances(table):
    x, y = table[["x", "z"]], table.y
    fit = LinearRegression().fit(x, y)
    peer = sm.OLS(y, sm.add_constant(x)).fit(cov_type="HAC", cov_kwds={"maxlags": 2})
    found = fit.summary(x, y, covariance="HAC", lags=2).coefficients.std_error
    assert np.isclose(found, peer.bse, rtol=1e-10).all()
    assert "CR2 (30 groups)" in str(fit.summary(x, y, covariance="CR2", groups=table.g))


# --- fixed effects --------------------------------------------------------------------------------


@pytest.mark.parametrize("factors", [["g"], ["g", "h"], ["g", "h", "b"]])
@pytest.mark.parametrize("weighted", [False, True])
def test_absorbed_factors_equal_dummies(table, factors, weighted):
    weights = table.t.to_numpy() if weighted else None
    ours = model("y ~ x + log(z)", table, absorb=factors, weights=weights)
    dummies = "y ~ x + log(z) + " + " + ".join(f"C({name})" for name in factors)
    whole = model(dummies, table, weights=weights)
    crossing = {"covariance": "cluster", "groups": table.index % 17}
    for asked in ({}, {"covariance": "HC1"}, crossing):
        mine, theirs = ours.summary(**asked).coefficients, whole.summary(**asked).coefficients
        for name in ours.names_:
            for field in ("estimate", "std_error", "p"):
                assert np.isclose(mine[name][field], theirs[name][field], rtol=1e-9, atol=1e-14)
    assert ours.summary().df_residual == whole.summary().df_residual
    assert np.isclose(ours.predict(table), whole.predict(table), atol=1e-11).all()
    assert np.isclose(ours.summary().log_likelihood, whole.summary().log_likelihood, rtol=1e-12)


@pytest.mark.filterwarnings("ignore:model. g.1.")  # dummies of g follow from those of part
@pytest.mark.parametrize("factors", [["g"], ["g", "h"], ["h", "g", "part"]])
def test_levels_within_the_clusters_are_not_counted_twice(table, factors):
    """fixest's K: an absorbed factor whose levels lie within the clusters counts as one."""
    d = table.assign(part=table.g * 2 + (table.x > 0))
    ours = model("y ~ x + z", d, absorb=factors)
    whole = model("y ~ x + z + " + " + ".join(f"C({name})" for name in factors), d)
    for groups in ("g", ["g", "b"]):
        found = ours.estimates(covariance="cluster", groups=groups).std_error
        dummies = whole.estimates(covariance="cluster", groups=groups)
        counted = whole.linear_fit().rank  # levels of h are left, and one for the others
        left = 2 + 1 + (11 if "h" in factors else 0)
        factor = np.sqrt((len(d) - counted) / (len(d) - left))
        for j, name in enumerate(ours.names_):
            expected = dummies.std_error[dummies.names.index(name)] * factor
            assert np.isclose(found[j], expected, rtol=1e-9)
        told = ours.summary(covariance="cluster", groups=groups).coefficients.std_error
        assert np.isclose(told, found, rtol=1e-12).all()


def test_nested_and_disconnected_levels():
    rng = np.random.default_rng(0)
    n = 300
    firm = rng.integers(0, 20, n)
    region = firm // 5  # every firm in one region: nothing to add
    island = np.where(firm < 10, 0, 1)
    worker = rng.integers(0, 30, n) + 100 * island  # two groups that no worker connects
    frame = {"y": rng.normal(size=n), "x": rng.normal(size=n), "firm": firm, "region": region,
             "worker": worker}  # fmt: skip
    nested = model("y ~ x", frame, absorb=["firm", "region"])
    alone = model("y ~ x", frame, absorb="firm")
    assert np.isclose(nested.coef_, alone.coef_, atol=1e-13)
    assert nested.summary().df_residual == alone.summary().df_residual
    apart = model("y ~ x", frame, absorb=["firm", "worker"])
    marks = np.column_stack([each[:, None] == np.unique(each) for each in (firm, worker)])
    assert apart.absorbed_rank_ == np.linalg.matrix_rank(marks.astype(float))
    x = np.column_stack([marks, frame["x"]])
    assert np.isclose(apart.coef_[0], np.linalg.lstsq(x, frame["y"], rcond=None)[0][-1], atol=1e-12)


def test_residuals_are_orthogonal_to_every_level():
    rng = np.random.default_rng(1)
    n = 20_000
    codes = [np.unique(rng.zipf(1.3, n) % g, return_inverse=True)[1] for g in (3000, 700, 40)]
    columns = rng.normal(size=(n, 3)) + rng.normal(size=3000)[codes[0] % 3000][:, None]
    rest = Absorption(tuple(codes), None).residuals(columns)
    for code in codes:
        sums = np.array([np.bincount(code, column) for column in rest.T])
        assert np.abs(sums).max() < 1e-8
    again = Absorption(tuple(codes), None).residuals(rest)
    assert np.isclose(again, rest, atol=1e-10).all()


def test_an_absorbed_level_that_is_new_is_refused(table):
    named = table.assign(city=np.array(["Oslo", "Rome", "Paris"])[table.g % 3])
    fit = model("y ~ x", named, absorb="city")
    with pytest.raises(ValueError, match="a level the fit did not see; did you mean 'Paris'"):
        fit.predict({"x": [0.0], "city": ["Pari"]})
    with pytest.raises(ValueError, match="HC1"):
        fit.summary(covariance="HC3")
    with pytest.warns(UserWarning, match="cannot be told apart"):
        model("y ~ x + I(g * 1.0)", table, absorb="g")


# --- the bootstrap --------------------------------------------------------------------------------


def test_samples_are_refits(table):
    """The algebra gives what refits to the drawn rows give."""
    from stylobate.inference import bootstrap as module

    x = np.column_stack([np.ones(len(table)), table[["x", "z"]]])
    y = table.y.to_numpy()
    found = bootstrap_least_squares(x, y, ("a", "b", "c"), n_samples=5, random_state=3)
    rng = np.random.default_rng(3)
    ((counts, rows),) = module._draws(len(y), None, 5, rng)  # one block
    assert (counts.sum(axis=1) == len(y)).all()
    for sample, weights in zip(found.samples, counts, strict=True):
        expected = sm.WLS(y[rows], x[rows], weights=weights).fit().params
        assert np.isclose(sample, expected, rtol=1e-10).all()


@pytest.mark.parametrize("kind", ["pairs", "wild"])
@pytest.mark.parametrize("groups", [None, "h"])
def test_errors_are_those_of_the_sandwich(table, kind, groups):
    fit = model("y ~ x + z", table)
    found = fit.bootstrap(kind=kind, groups=groups, n_samples=4000, random_state=0)
    plain = {"covariance": "HC0"} if groups is None else {"covariance": "cluster", "groups": groups}
    expected = fit.estimates(**plain).std_error
    ratio = found.std_error / expected
    assert (np.abs(ratio - 1.0) < (0.05 if groups is None else 0.3)).all()
    again = fit.bootstrap(kind=kind, groups=groups, n_samples=4000, random_state=0)
    assert (found.samples == again.samples).all()


def test_intervals_cover():
    rng = np.random.default_rng(5)
    inside = []
    for seed in range(300):
        x = np.column_stack([np.ones(80), rng.normal(size=80)])
        y = x @ [1.0, 2.0] + rng.normal(size=80) * (0.5 + np.abs(x[:, 1]))
        found = bootstrap_least_squares(x, y, ("a", "b"), n_samples=300, random_state=seed)
        low, high = found.confidence_interval(0.9, "bias-corrected")[1]
        inside.append(low <= 2.0 <= high)
    assert 0.82 < np.mean(inside) < 0.94


def test_bootstrap_of_families_and_estimators(table):
    counts = model("count ~ x", table, "poisson", exposure="t")
    found = counts.bootstrap(n_samples=200, random_state=0)
    expected = counts.estimates(covariance="HC0").std_error
    assert (np.abs(found.std_error / expected - 1.0) < 0.25).all()
    median = model("y ~ x", table, estimator=QuantileRegressor(alpha=0.0))
    assert median.bootstrap(n_samples=20, random_state=0).samples.shape == (20, 2)
    assert median.summary().coefficients.names == ("intercept", "x")
    again = bootstrap(lambda rows: table.y.to_numpy()[rows].mean(), len(table), n_samples=500,
                      random_state=0)  # fmt: skip
    assert np.isclose(again.std_error[0], table.y.std() / 20, rtol=0.15)


def test_samples_without_a_level_are_counted():
    frame = pd.DataFrame({"y": np.arange(20.0), "g": ["a"] * 18 + ["b"] * 2})
    found = model("y ~ g", frame).bootstrap(n_samples=500, random_state=0)
    lost = len(found.samples) - len(found.complete)
    assert 20 < lost < 120  # e⁻² of them draw neither row of b
    assert "did not determine" in str(found)


# --- families -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "family", "more"),
    [("label", "binomial", {}), ("count", "poisson", {"exposure": "t"}),
     ("amount", "gamma", {"weights": "t"}), ("label", "binomial", {"link": "probit"})],
)  # fmt: skip
def test_leverages_of_families_by_the_working_model(table, target, family, more):
    """Weighted least squares of the last step, refitted by hand."""
    fit = model(f"{target} ~ a + x", table, family, **more)
    x = fit.design_.matrix(table)
    likelihood, rows = fit.likelihood_model, fit._rows()
    at = likelihood.likelihood().at(rows.y, likelihood.predictors(rows).at(fit.coef_))
    w = (np.ones(len(x)) if rows.weights is None else rows.weights) * at.expected[:, 0, 0]
    u = at.slope[:, 0] * (1.0 if rows.weights is None else rows.weights)
    working = x @ fit.coef_ + u / w  # the target of the last step
    names = [f"x{j}" for j in range(x.shape[1])]
    frame = {"y": working, "w": w, **dict(zip(names, x.T, strict=True))}
    peer = model("y ~ 0 + " + " + ".join(names), frame, weights="w")
    for kind, groups in (("HC2", None), ("HC3", None), ("CR2", table.g), ("CR3", table.g)):
        groups = None if groups is None else groups.to_numpy()
        found = fit.estimates(covariance=kind, groups=groups)
        expected = peer.estimates(covariance=kind, groups=groups)
        assert np.isclose(found.covariance, expected.covariance, rtol=1e-6, atol=1e-12).all()
        assert np.isinf(found.df) == (groups is None and family != "gamma")
    with pytest.raises(ValueError, match="groups are used by 'cluster', 'CR2' and 'CR3'"):
        fit.estimates(covariance="HC3", groups="g")
    with pytest.raises(ValueError, match="takes one column of groups"):
        fit.estimates(covariance="CR2", groups=["g", "h"])
    with pytest.raises(ValueError, match="must be one of"):
        model("spread ~ x", table, "negative_binomial").estimates(covariance="HC3")
