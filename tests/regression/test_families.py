"""Families against statsmodels: coefficients, errors, likelihoods, deviances."""

import numpy as np
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.miscmodels.ordinal_model import OrderedModel
from statsmodels.tools.numdiff import approx_hess3

from stylobate import model

OURS, THEIRS = "a * x + log(z)", "a * x + np.log(z)"
LINKS = {
    "logit": sm.families.links.Logit,
    "probit": sm.families.links.Probit,
    "cloglog": sm.families.links.CLogLog,
    "loglog": sm.families.links.LogLog,
    "cauchit": sm.families.links.Cauchy,
}


def same(ours, theirs, rtol=1e-8):
    names = {
        name: name.replace("Intercept", "(Intercept)").replace("[T.", "[").replace("np.", "")
        for name in theirs.params.index
    }
    found = ours.summary().coefficients
    kept = [name for name in names if names[name] in found.names]
    assert len(kept) == len(ours.design_.names)
    for attribute, field in (("params", "estimate"), ("bse", "std_error"), ("pvalues", "p")):
        values = getattr(theirs, attribute)
        mine = np.array([found[names[name]][field] for name in kept])
        scale = np.abs(np.array([theirs.bse[name] for name in kept]))
        atol = rtol * (scale if attribute != "pvalues" else 1.0)
        assert (np.abs(mine - values[kept].to_numpy()) <= atol + rtol * np.abs(mine)).all()


@pytest.mark.parametrize("link", LINKS)
def test_binary_targets(table, link):
    ours = model(f"label ~ {OURS}", table, "binomial", link=link)
    family = sm.families.Binomial(LINKS[link]())
    theirs = smf.glm(f"label ~ {THEIRS}", table, family=family).fit(tol=1e-14, maxiter=500)
    same(ours, theirs, 5e-8)
    summary = ours.summary()
    assert np.isclose(summary.log_likelihood, theirs.llf, rtol=1e-12)
    assert np.isclose(summary.deviance, theirs.deviance, rtol=1e-12)
    assert np.isclose(summary.null_deviance, theirs.null_deviance, rtol=1e-12)
    assert ours.certificate_.proved == (link == "logit")
    assert ours.certificate_.relative_gap < 1e-12


@pytest.mark.parametrize(
    ("family", "theirs", "scale"),
    [("poisson", sm.families.Poisson, None), ("quasi_poisson", sm.families.Poisson, "X2")],
)
def test_counts_with_exposure(table, family, theirs, scale):
    ours = model(f"count ~ {OURS}", table, family, exposure="t")
    again = model(f"count ~ {OURS} + offset(log(t))", table, family)
    peer = smf.glm(f"count ~ {THEIRS}", table, family=theirs(), exposure=table.t)
    peer = peer.fit(tol=1e-14, **({} if scale is None else {"scale": scale}))
    if scale is None:
        same(ours, peer)
        assert np.isclose(ours.summary().log_likelihood, peer.llf, rtol=1e-12)
    else:  # statsmodels takes the normal law here, R and we Student's t
        errors = ours.summary().coefficients.std_error
        assert np.isclose(np.sort(errors), np.sort(peer.bse), rtol=1e-9).all()
    assert (ours.coef_ == again.coef_).all()
    new = table.head(3)
    expected = peer.predict(new, exposure=new.t)
    assert np.isclose(ours.predict(new, exposure="t"), expected, rtol=1e-10).all()


@pytest.mark.parametrize(
    ("family", "theirs"),
    [("gamma", sm.families.Gamma), ("inverse_gaussian", sm.families.InverseGaussian)],
)
def test_amounts(table, family, theirs):
    ours = model(f"amount ~ {OURS}", table, family)
    peer = smf.glm(f"amount ~ {THEIRS}", table, family=theirs(sm.families.links.Log()))
    peer = peer.fit(tol=1e-14, maxiter=300)
    summary = ours.summary()
    assert np.isclose(np.sort(summary.coefficients.std_error), np.sort(peer.bse), rtol=1e-9).all()
    assert np.isclose(np.sort(ours.coef_), np.sort(peer.params), atol=1e-12).all()
    assert np.isclose(summary.log_likelihood, peer.llf, rtol=1e-12)
    assert np.isclose(summary.dispersion, peer.scale, rtol=1e-10)


def test_negative_binomial(table):
    ours = model(f"spread ~ {OURS}", table, "negative_binomial")
    peer = smf.negativebinomial(f"spread ~ {THEIRS}", table)
    peer = peer.fit(disp=0, method="newton", maxiter=200, tol=1e-14)
    same(ours, peer)
    row = ours.summary().coefficients["log(alpha)"]
    alpha = np.exp(row["estimate"])
    assert np.isclose(alpha, peer.params["alpha"], rtol=1e-9)
    assert np.isclose(alpha * row["std_error"], peer.bse["alpha"], rtol=1e-8)  # delta method
    assert np.isclose(ours.summary().log_likelihood, peer.llf, rtol=1e-12)


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_classes_in_order(table, link):
    ours = model(f"grade ~ {OURS}", table, "ordinal", link=link)
    x = ours.design_.matrix(table)[:, 1:]
    peer = OrderedModel(table.grade, x, distr=link).fit(
        disp=0, method="bfgs", gtol=1e-9, warn_convergence=False
    )
    summary = ours.summary()
    assert np.isclose(summary.log_likelihood, peer.llf, rtol=1e-12)
    k = x.shape[1]
    assert np.isclose(ours.coef_[:k], peer.params[:k], atol=1e-6).all()
    assert np.isclose(summary.coefficients.std_error[:k], peer.bse[:k], rtol=1e-4).all()
    cuts = peer.params.to_numpy()[k:]
    assert np.isclose(ours.coef_[k:], np.cumsum([cuts[0], *np.exp(cuts[1:])]), atol=1e-6).all()
    chances = ours.predict_proba(table.head(5))
    assert np.isclose(chances, peer.predict(x[:5]), atol=1e-6).all()
    assert (ours.predict(table.head(5)) == chances.argmax(axis=1)).all()


def test_two_ordered_classes_are_binary_regression(table):
    ordered = model("label ~ x + b", table, "ordinal")
    binary = model("label ~ x + b", table, "binomial")
    assert np.isclose(ordered.coef_[:2], [binary.coef_[1], binary.coef_[2]], atol=1e-10).all()
    assert np.isclose(ordered.coef_[2], -binary.coef_[0], atol=1e-10)
    mine, theirs = (m.summary().coefficients for m in (ordered, binary))
    assert np.isclose(mine.std_error[:2], theirs.std_error[1:], rtol=1e-9).all()


def test_zero_inflated_counts(table):
    ours = model("visits ~ a + x", table, "zero_inflated_poisson", zeros="~ x")
    x, zero = ours.design_.matrix(table), ours.zero_design_.matrix(table)
    start = np.r_[ours.coef_[-2:], ours.coef_[:-2]] + 0.01
    peer = sm.ZeroInflatedPoisson(table.visits, x, exog_infl=zero)
    peer = peer.fit(disp=0, method="newton", maxiter=200, tol=1e-13, start_params=start)
    mine = np.r_[ours.coef_[-2:], ours.coef_[:-2]]
    assert np.isclose(mine, peer.params, atol=1e-8).all()
    # the Hessian of statsmodels is not that of its own likelihood: differences of that one are
    information = -approx_hess3(peer.params.to_numpy(), peer.model.loglike)
    errors = ours.estimates().std_error
    expected = np.sqrt(np.diag(np.linalg.inv(information)))
    assert np.isclose(np.r_[errors[-2:], errors[:-2]], expected, rtol=1e-4).all()
    assert np.isclose(ours.summary().log_likelihood, peer.llf, rtol=1e-12)
    assert np.isclose(
        ours.predict(table.head(4)), peer.predict(x[:4], exog_infl=zero[:4]), rtol=1e-7
    ).all()


def test_zero_inflated_negative_binomial_reaches_a_maximum(table):
    ours = model("visits ~ x", table, "zero_inflated_negative_binomial")
    poisson = model("visits ~ x", table, "zero_inflated_poisson")
    assert ours.likelihood_fit_.converged
    assert ours.likelihood_fit_.log_likelihood >= poisson.likelihood_fit_.log_likelihood - 1e-6


@pytest.mark.parametrize("kind", ["HC0", "cluster", "HAC"])
def test_sandwiches(table, kind):
    ours = model("count ~ a + x", table, "poisson")
    asked = {
        "HC0": ({}, {"cov_type": "HC0"}),
        "cluster": ({"groups": "g"}, {"cov_type": "cluster", "cov_kwds": {"groups": table.g}}),
        "HAC": ({"lags": 3}, {"cov_type": "HAC", "cov_kwds": {"maxlags": 3}}),
    }[kind]
    peer = smf.glm("count ~ a + x", table, family=sm.families.Poisson()).fit(tol=1e-14, **asked[1])
    found = ours.estimates(covariance=kind, **asked[0]).std_error
    factor = 1.0
    if kind == "HAC":  # statsmodels multiplies by n/(n − k) here
        factor = np.sqrt(len(table) / (len(table) - 4)) if peer.cov_kwds["use_correction"] else 1.0
    assert np.isclose(np.sort(found) * factor, np.sort(peer.bse), rtol=1e-8).all()


def test_shares_of_trials(table):
    rng = np.random.default_rng(1)
    trials = rng.integers(1, 9, len(table))
    d = table.assign(won=rng.binomial(trials, 0.4), trials=trials)
    d["lost"] = d.trials - d.won
    ours = model("cbind(won, lost) ~ x", d, "binomial")
    peer = smf.glm("won + lost ~ x", d, family=sm.families.Binomial()).fit(tol=1e-14)
    same(ours, peer)
    assert np.isclose(ours.summary().log_likelihood, peer.llf, rtol=1e-12)
    again = model("I(won / trials) ~ x", d, "binomial", weights="trials")
    assert np.isclose(ours.coef_, again.coef_, atol=1e-13).all()


def test_residuals_and_influence(table):
    ours = model("count ~ a + x", table, "poisson", exposure="t")
    peer = smf.glm("count ~ a + x", table, family=sm.families.Poisson(), exposure=table.t)
    peer = peer.fit(tol=1e-14)
    for kind in ("deviance", "pearson", "response", "working"):
        expected = getattr(peer, f"resid_{kind}")
        assert np.isclose(ours.residuals(kind), expected, atol=1e-8).all()
    theirs, mine = peer.get_influence(), ours.influence()
    assert np.isclose(mine.leverage, theirs.hat_matrix_diag, rtol=1e-8).all()
    assert np.isclose(mine.cooks_distance, theirs.cooks_distance[0], rtol=1e-7).all()
    assert np.isclose(mine.studentized, theirs.resid_studentized, atol=1e-8).all()
    without = model("count ~ a + x", table.drop(index=mine.most(1)), "poisson", exposure="t")
    change = (ours.coef_ - without.coef_) / ours.estimates().std_error
    assert np.isclose(mine.dfbetas[mine.most(1)[0]], change, atol=0.1 * np.abs(change).max()).all()


@pytest.mark.parametrize(
    ("target", "family"),
    [("label", "binomial"), ("count", "poisson"), ("amount", "gamma"), ("grade", "ordinal"),
     ("spread", "negative_binomial"), ("visits", "zero_inflated_poisson"), ("y", "gaussian")],
)  # fmt: skip
def test_quantile_residuals_are_normal_where_the_model_is_right(target, family, table):
    from scipy.stats import kstest

    extra = {"exposure": "t"} if target == "count" else {}
    found = model(f"{target} ~ {OURS}", table, family, **extra)
    residuals = found.residuals("quantile", random_state=0)
    assert kstest(residuals, "norm").pvalue > 0.01
    assert (residuals == found.residuals("quantile", random_state=0)).all()


def test_intervals_of_counts(table):
    ours = model("count ~ x", table, "poisson")
    peer = smf.glm("count ~ x", table, family=sm.families.Poisson()).fit(tol=1e-14)
    new = table.head(5)
    frame = peer.get_prediction(new).summary_frame()
    found = ours.predict_interval(new)
    assert np.isclose(found.lower, frame["mean_ci_lower"], rtol=1e-8).all()
    assert np.isclose(found.upper, frame["mean_ci_upper"], rtol=1e-8).all()


def test_prediction_intervals_cover():
    rng = np.random.default_rng(3)
    x = rng.normal(size=4000)
    y = rng.negative_binomial(3, 3 / (3 + np.exp(0.5 + 0.4 * x)))
    fit = model("y ~ x", {"x": x[:300], "y": y[:300]}, "negative_binomial")
    found = fit.predict_interval({"x": x[300:]}, kind="prediction", level=0.9)
    assert 0.015 < (y[300:] > found.upper).mean() < 0.06  # by at most the jumps less than 0.05
    assert (y[300:] < found.lower).mean() < 0.06
    amount = rng.gamma(2.0, np.exp(x) / 2.0)
    fit = model("y ~ x", {"x": x[:300], "y": amount[:300]}, "gamma")
    found = fit.predict_interval({"x": x[300:]}, kind="prediction", level=0.9)
    inside = (found.lower <= amount[300:]) & (amount[300:] <= found.upper)
    assert 0.87 < inside.mean() < 0.93
