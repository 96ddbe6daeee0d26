"""Bad input is answered in one sentence that says what would be right."""

import numpy as np
import pytest

from stylobate import model


def test_separation_is_told(table):
    apart = table.assign(label=(table.x > 0).astype(int))
    with pytest.warns(UserWarning, match=r"completely separated by a combination of .*x") as said:
        fit = model("label ~ x + z", apart, "binomial", link="probit")
    assert "add a penalty" in str(said[0].message)
    assert np.isnan(fit.summary().coefficients["x"]["std_error"])
    ordered = table.assign(grade=np.digitize(table.x, [-0.5, 0.5]))
    with pytest.warns(UserWarning, match="separated"):
        model("grade ~ x", ordered, "ordinal")
    zeros = table.assign(count=np.where(table.a == "q", 0, table["count"] + 1))
    with pytest.warns(UserWarning, match=r"y is 0 in all \d+ rows|Y is 0 in all \d+ rows"):
        model("count ~ a + x", zeros, "poisson")


def test_a_level_with_one_class_is_named(table):
    rare = table.assign(a=np.where((table.index < 12), "rare", table.a))
    rare.loc[:11, "label"] = 1
    with pytest.warns(UserWarning, match=r"a\[rare\]"):
        fit = model("label ~ a + x", rare, "binomial")
    others = model("label ~ a + x", rare[rare.a != "rare"], "binomial")
    assert np.isclose(fit.coef_[-1], others.coef_[-1], atol=1e-6)


@pytest.mark.parametrize(
    ("formula", "family", "message"),
    [
        ("I(count - 2) ~ x", "poisson", "must be counts or amounts, 0 or more, got -"),
        ("y ~ x", "gamma", "must be positive"),
        ("y ~ x", "binomial", "must be 0 and 1, shares in"),
        ("y ~ x", "negative_binomial", "0 or more"),
        ("I(count / 2) ~ x", "zero_inflated_poisson", "whole counts"),
        ("a ~ x", "binomial", "has 3 levels"),
        ("a ~ x", "ordinal", "the order of the texts"),
        ("a ~ x", "poisson", "explains numbers"),
    ],
)
def test_targets(table, formula, family, message):
    with pytest.raises(ValueError, match=message):
        model(formula, table, family)


def test_words_of_parameters(table):
    with pytest.raises(ValueError, match="no family 'poison'; did you mean 'poisson'"):
        model("count ~ x", table, "poison")
    with pytest.raises(ValueError, match="has the links log, identity, sqrt"):
        model("count ~ x", table, "poisson", link="logit")
    with pytest.raises(ValueError, match="exposure must be positive"):
        model("count ~ x", table.assign(t=0.0), "poisson", exposure="t")
    fit = model("y ~ x", table)
    with pytest.raises(ValueError, match="at least two groups"):
        fit.estimates(covariance="cluster", groups=np.zeros(len(table)))
    with pytest.raises(ValueError, match="lags must be a whole number"):
        fit.estimates(covariance="HAC", lags=-1)
    with pytest.raises(ValueError, match="there is no column 'xx'; did you mean 'x'"):
        fit.effects("xx")
    with pytest.raises(ValueError, match="type must be 1, 2 or 3"):
        fit.anova(4)
    with pytest.raises(ValueError, match="give the smaller model first"):
        model("y ~ x + z", table).compare(fit)
    with pytest.raises(ValueError, match="different numbers of rows"):
        fit.compare(model("y ~ x + z", table.head(50)))


def test_counts_without_overdispersion():
    rng = np.random.default_rng(0)
    even = {"y": rng.binomial(4, 0.5, 300), "x": rng.normal(size=300)}
    with pytest.raises(ValueError, match=r"alpha would be 0 .* use family='poisson'"):
        model("y ~ x", even, "negative_binomial")


def test_before_the_fit(table):
    from stylobate.regression import FormulaModel

    with pytest.raises(ValueError, match="not fitted"):
        FormulaModel("y ~ x").predict(table)
    assert repr(FormulaModel("y ~ x", family="poisson")) == (
        "FormulaModel(family='poisson', formula='y ~ x')"
    )
