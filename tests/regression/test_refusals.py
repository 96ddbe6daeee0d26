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


def test_why_columns_overlap(table):
    """The factor that follows from another, the combination without rows, the constant column."""
    twin = table.assign(twin=table.a.map(str.upper), one=1.0)
    with pytest.warns(UserWarning, match="follows from twin: each twin has one a only") as said:
        fit = model("y ~ a + twin", twin)
    assert len(said) == 1
    assert "a, twin add nothing" in str(fit.anova(3))
    with pytest.warns(UserWarning, match="one is the same in every row"):
        model("y ~ x + one", twin)
    levels = sorted(table.a.unique()), sorted(table.b.unique())
    gone = table[(table.a != levels[0][0]) | (table.b != levels[1][1])]
    with pytest.warns(UserWarning, match=f"no row has a='{levels[0][0]}' and b='{levels[1][1]}'"):
        model("y ~ a * b", gone)
    with pytest.warns(UserWarning, match="a follows from a, which is absorbed"):
        model("y ~ x + a", table, absorb="a")


def test_a_level_of_one_row_is_told(table):
    alone = table.assign(a=np.where(table.index == 3, "solo", table.a))
    fit = model("y ~ a + x", alone)
    assert fit.data_notes_[0].startswith("'solo' of a is in one row: the fit passes through")
    assert fit.data_notes_[0] in fit.summary().notes
    assert abs(alone.y[3] - fit.predict(alone)[3]) < 1e-10
    with pytest.warns(UserWarning, match="'solo' of a is in one row"):
        model("y ~ a * x", alone)
    assert model("y ~ a + x", table).data_notes_ == ()


def test_clusters_of_one_row_are_hc1(table):
    fit = model("y ~ x + z", table)
    found = fit.summary(covariance="cluster", groups=np.arange(len(table)))
    assert any("Every group has one row" in note for note in found.notes)
    want = fit.summary(covariance="HC1").coefficients
    np.testing.assert_allclose(found.coefficients.std_error, want.std_error, rtol=1e-12)
    pairs = fit.summary(covariance="cluster", groups=np.arange(len(table)) // 2)
    assert not any("Every group" in note for note in pairs.notes)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: model("y ~ xs", t), r"no column 'xs'; did you mean 'x'\?$"),
        (lambda t: model("y ~ lgo(z)", t), "no function 'lgo'"),
        (lambda t: model("y ~ (x + z", t), r"'\)' is missing"),
        (lambda t: model("y = x", t), "has no '~'"),
        (lambda t: model("n ~ x", t.assign(n=0), "poisson"), "n is 0 in every row"),
        (lambda t: model("n ~ x", t.assign(n=-1), "poisson"), "0 or more, got -1 in row 0"),
        (lambda t: model("y ~ a * b * x * z", t.head(5)), "5 rows do not determine"),
        (lambda t: model("y ~ a + x", t).pairwise("x"), r"x is a number in this formula"),
        (lambda t: model("y ~ a", t.assign(a="u")), "has one level, 'u'"),
        (lambda t: model("y ~ x", t, absorb="A1"), "no column 'A1'"),
    ],
)
def test_one_sentence(table, call, message):
    with pytest.raises(ValueError, match=message) as said:
        call(table)
    assert len(str(said.value)) < 300


def test_what_is_no_model_or_no_kind_is_refused(table):
    fit = model("y ~ x", table)
    with pytest.raises(ValueError, match=r"second model\(...\) fitted to the same rows, got 'y ~"):
        fit.compare("y ~ x + z")
    with pytest.raises(ValueError, match="the table of the fit goes to data="):
        fit.residuals(table)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("y ~ cut(x, c(0, 1))", r"'cut' in formulas; make a column of classes"),
        ("y ~ s(x)", r"curves are bs\(x, df=5\)"),
        ("y ~ interaction(a, b)", "written a:b"),
        ("y ~ factor(a, labels = c('u', 'v'))", "takes a column and levels"),
        ("y ~ relevel(a)", r"relevel\(city, ref='Oslo'\)"),
        ("y ~ C(a, contr.treatment(base = 7))", "counts the 3 levels from 1, got 7"),
        ("y ~ x + (1 | a)", "random effects, .*are not there; fixed ones are"),
        ("y ~ x | a:b", "behind the bar stand columns joined by"),
        ("y ~ x | aa", "no column 'aa'; did you mean 'a'"),
        ("y ~ I(a > 'p')", "compared with a column by == or !="),
        ("y ~ I(a == 1)", "holds texts where a number is computed"),
        ("y ~ pmax(x)", "pmax takes numbers"),
        ("y ~ the x", "names with spaces stand in backticks"),
    ],
)
def test_spellings_of_r_and_patsy_are_translated(table, formula, message):
    with pytest.raises(ValueError, match=message):
        model(formula, table)
