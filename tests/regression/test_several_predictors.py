"""Families whose rows have several predictors: effects, means, intervals and influence."""

import numpy as np
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf

import stylobate
from stylobate import model

CASES = [
    ("visits ~ a + x", "zero_inflated_poisson", {"zeros": "~ z"}),
    ("crowd ~ a * x", "zero_inflated_negative_binomial", {}),
    ("grade ~ a + x", "ordinal", {}),
    ("grade ~ a + x", "ordinal", {"link": "probit"}),
    ("spread ~ a + x", "negative_binomial", {}),
]


def fitted(table, case):
    formula, family, more = case
    return model(formula, table, family, **more)


def predicted(fit, table):
    """Means, or chances of classes, from the model's own predictions."""
    if fit.family == "ordinal":
        return fit.predict_proba(table)
    return fit.predict(table)[:, None]


def delta_errors(fit, of):
    """Standard errors of `of()` from its differences in all parameters."""
    beta, h, slopes = fit.coef_.copy(), 1e-6, []
    for j in range(len(beta)):
        ends = []
        for sign in (1, -1):
            fit.coef_ = beta + sign * h * np.eye(len(beta))[j]
            ends.append(np.ravel(of()))
        slopes.append((ends[0] - ends[1]) / (2 * h))
    fit.coef_ = beta
    jacobian = np.array(slopes).T
    return np.sqrt(np.einsum("ij,jk,ik->i", jacobian, fit.estimates().covariance, jacobian))


@pytest.mark.parametrize("case", CASES)
def test_effects_are_differences_of_predictions(table, case):
    fit = fitted(table, case)
    found = fit.effects()
    base, other = (predicted(fit, table.assign(a=v)).mean(axis=0) for v in "pq")
    names = [n for n in found.names if n.startswith("a[q]")]
    mine = np.array([found[n]["estimate"] for n in names])
    np.testing.assert_allclose(mine, other - base, atol=1e-13)
    up, down = (predicted(fit, table.assign(x=table.x + h)).mean(axis=0) for h in (1e-5, -1e-5))
    names = [n for n in found.names if n == "x" or n.startswith("x on")]
    mine = np.array([found[n]["estimate"] for n in names])
    np.testing.assert_allclose(mine, (up - down) / 2e-5, atol=1e-8)
    errors = delta_errors(fit, lambda: fit.effects().estimate)
    np.testing.assert_allclose(found.std_error, errors, rtol=2e-5)
    if fit.family == "ordinal":
        assert np.isclose(sum(found[f"x on P({c})"]["estimate"] for c in range(4)), 0, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_intervals_of_means_and_chances(table, case):
    fit, new = fitted(table, case), table.head(5)
    found = fit.predict_interval(new)
    expected = predicted(fit, new)
    np.testing.assert_allclose(found.mean.reshape(expected.shape), expected, rtol=1e-12)
    errors = delta_errors(fit, lambda: predicted(fit, new))
    np.testing.assert_allclose(found.std_error.ravel(), errors, rtol=1e-5)
    assert ((found.lower > 0) & (found.lower < found.mean) & (found.mean < found.upper)).all()
    assert fit.family != "ordinal" or (found.upper < 1).all()
    assert "confidence intervals" in repr(found)


def test_means_of_levels(table):
    fit = model("visits ~ a + x", table, "zero_inflated_poisson", zeros="~ b + z")
    found = fit.means("a")
    grid = [
        np.mean([fit.predict({"a": [v], "x": [table.x.mean()], "b": [w], "z": [table.z.mean()]})
                 for w in "uv"])
        for v in "pqr"
    ]  # fmt: skip
    np.testing.assert_allclose(found.estimate, grid, rtol=1e-12)
    fit = model("grade ~ a + x", table, "ordinal")
    found = fit.means("a", at={"x": 1.0})
    expected = fit.predict_proba({"a": list("pqr"), "x": [1.0] * 3})
    np.testing.assert_allclose(found.estimate, expected.ravel(), rtol=1e-12)
    assert found.names[1] == "p: P(1)"
    with pytest.raises(ValueError, match="no column 'xx'; did you mean 'x'"):
        fit.means("a", at={"xx": 1.0})


def test_zero_inflated_predictions_cover():
    rng = np.random.default_rng(5)
    x = rng.normal(size=3000)
    y = np.where(rng.uniform(size=3000) < 0.25, 0, rng.poisson(np.exp(1.5 + 0.4 * x)))
    fit = model("y ~ x", {"x": x[:400], "y": y[:400]}, "zero_inflated_poisson")
    found = fit.predict_interval({"x": x[400:]}, kind="prediction", level=0.9)
    assert (y[400:] > found.upper).mean() < 0.06
    np.testing.assert_allclose(found.mean, fit.predict({"x": x[400:]}), rtol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_influence_is_what_leaving_out_does(table, case):
    fit = fitted(table, case)
    found = fit.influence()
    assert np.isclose(found.leverage.sum(), len(fit.coef_), rtol=1e-9)
    errors = fit.estimates().std_error
    for row in (*found.most(2), 7):
        change = (fit.coef_ - fitted(table.drop(index=row), case).coef_) / errors
        assert np.abs(found.dfbetas[row] - change).max() <= 0.1 * np.abs(change).max()


def test_negative_binomial_residuals_are_those_of_the_glm(table):
    fit = model("spread ~ a + x", table, "negative_binomial")
    family = sm.families.NegativeBinomial(alpha=float(np.exp(fit.coef_[-1])))
    peer = smf.glm("spread ~ a + x", table, family=family).fit(tol=1e-14)
    for kind in ("deviance", "working"):
        np.testing.assert_allclose(fit.residuals(kind), getattr(peer, f"resid_{kind}"), atol=1e-6)


def test_exposures_and_weights_come_with_the_table(table, tmp_path):
    """A model from a file looks at the columns of the fit, and refuses what it cannot know."""
    asked = {"exposure": "t", "weights": "z"}
    fit = model("count ~ x", table, "poisson", **asked)
    again = stylobate.load(fit.save(tmp_path / "fit.stylobate"))
    for covariance in ("HC0", "HC1"):
        mine = fit.estimates(covariance=covariance)
        for other in (again, fit):
            found = other.estimates(covariance=covariance, data=table)
            np.testing.assert_array_equal(found.covariance, mine.covariance)
    np.testing.assert_array_equal(again.residuals(data=table), fit.residuals())
    np.testing.assert_array_equal(again.effects(data=table).estimate, fit.effects().estimate)
    unnamed = model("count ~ x", table, "poisson", exposure=table.t.to_numpy())
    with pytest.raises(ValueError, match=r"had exposure= as an array.*name of a column"):
        unnamed.residuals(data=table)
    plain = model("y ~ x", table, weights="z")
    again = stylobate.load(plain.save(tmp_path / "plain.stylobate"))
    found = again.estimates(covariance="HC3", data=table).covariance
    np.testing.assert_array_equal(found, plain.estimates(covariance="HC3").covariance)


def test_the_effect_of_an_offset_column_is_not_zero(table):
    fit = model("count ~ x + offset(log(t))", table, "poisson")
    found = fit.effects("t")["t"]["estimate"]
    assert np.isclose(found, (fit.predict(table) / table.t).mean(), rtol=1e-8)


def test_effects_beside_absorbed_factors(table):
    swept, plain = model("y ~ x * z", table, absorb="g"), model("y ~ x * z + C(g)", table)
    for name in ("x", "z"):
        one, two = swept.effects(name)[name], plain.effects(name)[name]
        for field in ("estimate", "std_error"):
            assert np.isclose(one[field], two[field], rtol=1e-8)
    with pytest.raises(ValueError, match="at no level of the absorbed factors"):
        model("y ~ a", table, absorb="g").means("a")
    pairs = [model("y ~ a", table, absorb="g"), model("y ~ a + C(g)", table)]
    one, two = (each.pairwise("a") for each in pairs)
    np.testing.assert_allclose(one.estimate, two.estimate, rtol=1e-8)


def test_zeros_without_overdispersion_are_told():
    rng = np.random.default_rng(0)
    x = rng.normal(size=500)
    even = np.where(rng.uniform(size=500) < 0.3, 0, rng.binomial(5, 0.6, 500))
    with pytest.warns(UserWarning, match=r"no more than Poisson's.*family='zero_inflated_poisson'"):
        model("y ~ x", {"y": even, "x": x}, "zero_inflated_negative_binomial")
