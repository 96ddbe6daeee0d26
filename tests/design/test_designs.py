"""Designs against patsy's and R's, for every container, and back from files and databases."""

import duckdb
import numpy as np
import pandas as pd
import patsy
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr  # noqa: F401  (patsy evaluates in this module)

import stylobate
from stylobate.design import Design, Frame, terms_of
from stylobate.design.syntax import parse_expression, written

log = np.log  # patsy evaluates names here


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    n = 60
    return pd.DataFrame({
        "y": rng.normal(size=n), "x": rng.normal(size=n), "z": rng.uniform(1, 3, n),
        "a": rng.choice(list("pqr"), n), "b": rng.choice(["u", "v"], n),
        "k": rng.integers(0, 4, n), "w": rng.choice([True, False], n),
    })  # fmt: skip


FORMULAS = [
    "a * x + log(z)", "a * b", "a:b", "0 + a + b", "0 + a * b + x:a", "x:a", "a + x:a", "a / b",
    "C(a, Sum) * b", "C(k, Helmert)", "C(k, Poly)", "C(k, Treatment(2)) + x", "a * b * x - 1",
    "a:b:x", "bs(x, df=5)", "bs(x, knots=[-0.5, 0.5], degree=2)", "bs(x, df=4) * b", "w + x",
    "w:x", "a * b * k", "1", "x + x + a:x + x:a",
]  # fmt: skip
SPELT = {
    "(a + b + x)^2 - a:x": "(a + b + x)**2 - a:x",
    "I(x^2 + 1) + x": "I(x**2 + 1) + x",
    "center(x) + I(-x / z)": "center(x) + I(-x / z)",
    "(a + b)**2": "(a + b)**2",
}


@pytest.mark.parametrize("formula", [*FORMULAS, *SPELT])
def test_the_columns_are_patsys(formula, table):
    design = Design.fit(f"y ~ {formula}", Frame.of(table, "model"))
    ours = design.matrix(table)
    theirs = np.asarray(patsy.dmatrix(SPELT.get(formula, formula), table))
    assert ours.shape == theirs.shape
    # the same columns; patsy orders terms by their numbers first, R and we by their degree
    order = [int(np.argmin(np.abs(theirs - column[:, None]).max(axis=0))) for column in ours.T]
    assert sorted(order) == list(range(ours.shape[1]))
    assert np.isclose(ours, theirs[:, order], atol=1e-10).all()
    assert len(design.names) == len(set(design.names)) == ours.shape[1]


def test_published_contrasts_of_r():
    """contr.helmert(4), contr.poly(4) and contr.sum(3), as R prints them."""
    from stylobate.design.contrasts import contrast_matrix

    helmert = [[-1, -1, -1], [1, -1, -1], [0, 2, -1], [0, 0, 3]]
    assert contrast_matrix("Helmert", "abcd")[0].tolist() == helmert
    poly = [[-0.6708204, 0.5, -0.2236068], [-0.2236068, -0.5, 0.6708204],
            [0.2236068, -0.5, -0.6708204], [0.6708204, 0.5, 0.2236068]]  # fmt: skip
    assert np.isclose(contrast_matrix("Poly", "abcd")[0], poly, atol=1e-7).all()
    assert contrast_matrix("Sum", "abc")[0].tolist() == [[1, 0], [0, 1], [-1, -1]]


WOMEN = {
    "height": list(range(58, 73)),
    "weight": [115, 117, 120, 123, 126, 129, 132, 135, 139, 142, 146, 150, 154, 159, 164],
}


def test_published_splines_of_r():
    """summary(lm(weight ~ ns(height, df = 5), data = women)) and bs, of R's help pages."""
    fit = stylobate.model("weight ~ ns(height, df=5)", WOMEN)
    expected = [114.7447, 15.9474, 25.1695, 33.2582, 50.7894, 45.0363]
    assert np.isclose(fit.coef_, expected, atol=5e-5).all()
    errors = [0.2338, 0.3699, 0.4323, 0.3541, 0.6062, 0.2784]
    assert np.isclose(fit.summary().coefficients.std_error, errors, atol=5e-5).all()
    cubic = stylobate.model("weight ~ bs(height, df=5)", WOMEN)
    assert np.isclose(cubic.coef_[1:5], [3.4657, 13.0300, 27.6161, 40.8481], atol=5e-5).all()


def test_natural_splines_are_straight_beyond_the_ends():
    frame = Frame.of(WOMEN, "model")
    design = Design.fit("weight ~ ns(height, df=4)", frame)
    knots = np.quantile(WOMEN["height"], [0.25, 0.5, 0.75])
    basis = design.matrix(WOMEN)
    h = np.array(WOMEN["height"], dtype=float)
    # the same space as truncated powers with the constraints of natural splines
    ends = np.array([58.0, *knots, 72.0])

    def cube(t):
        return np.maximum(h - t, 0.0) ** 3

    last = ends[-1]
    powers = [(cube(t) - cube(last)) / (last - t) for t in ends[:-1]]
    natural = np.column_stack([np.ones_like(h), h, *(p - powers[-1] for p in powers[:-1])])
    assert basis.shape[1] == natural.shape[1] == 5
    rest = natural - basis @ np.linalg.lstsq(basis, natural, rcond=None)[0]
    assert np.abs(rest).max() < 1e-8 * np.abs(natural).max()
    far = design.matrix({"height": [80.0, 90.0, 100.0], "weight": [0, 0, 0]})
    assert np.isclose(far[2] - far[1], far[1] - far[0], atol=1e-9).all()


def test_polynomials_of_r():
    """poly(1:5, 2), as R prints it; and as columns of new rows."""
    frame = Frame.of({"x": [1, 2, 3, 4, 5]}, "model")
    design = Design.fit("~ poly(x, 2)", frame)
    first = [-0.6324555, -0.3162278, 0, 0.3162278, 0.6324555]
    second = [0.5345225, -0.2672612, -0.5345225, -0.2672612, 0.5345225]
    assert np.isclose(design.matrix(frame)[:, 1:].T, [first, second], atol=1e-7).all()
    new = design.matrix({"x": [6.0]})[0, 1:]
    assert np.isclose(new, [0.9486833, 1.8708287], atol=1e-7).all()


@pytest.mark.parametrize("make", [pl.DataFrame, pa.Table.from_pandas, dict, pl.LazyFrame])
def test_every_container(make, table):
    data = make({name: table[name].to_numpy() for name in table} if make is dict else table)
    formula = "y ~ C(a, Sum) * x + w + bs(z, df=4)"
    ours, plain = stylobate.model(formula, data), stylobate.model(formula, table)
    assert ours.names_ == plain.names_
    assert (ours.coef_ == plain.coef_).all()
    assert (ours.predict(data) == plain.predict(table)).all()


def test_categories_keep_their_order(table):
    kind = pd.CategoricalDtype(["r", "q", "p", "never"])
    ordered = table.assign(a=table.a.astype(kind))
    names = Design.fit("y ~ a", Frame.of(ordered, "model")).names
    assert names == ("(Intercept)", "a[q]", "a[p]")


def test_prediction_remembers_the_fit(table):
    fit = stylobate.model("y ~ scale(k) + poly(z, 3) + bs(x, df=5) + a", table)
    whole = fit.predict(table)
    assert np.isclose(fit.predict(table.iloc[7:9]), whole[7:9], atol=1e-12).all()


R_SPELLINGS = {
    "factor(k) * x": "C(k) * x",
    "as.factor(a) + base::log(z)": "C(a) + log(z)",
    "np.log(z) + log(z, 10)": "log(z) + log10(z)",
    "log(z, base = 3)": "I(log(z) / log(3))",
    "ordered(k)": "C(k, Poly)",
    "factor(a, levels = c('r', 'q', 'p'))": "C(a, levels=['r', 'q', 'p'])",
    "relevel(factor(a), ref = 'q')": "C(a, Treatment('q'))",
    "relevel(a, 'q')": "C(a, Treatment('q'))",
    "C(a, contr.treatment(3, base = 2))": "C(a, Treatment('q'))",
    "C(a, contr.SAS)": "C(a, Treatment('r'))",
    "C(a, contr.sum) + C(k, contr.helmert)": "C(a, Sum) + C(k, Helmert)",
    "splines::bs(x, knots = c(-0.5, 0.5))": "bs(x, knots=[-0.5, 0.5])",
    "Q('x') + as.numeric(w)": "x + I(w)",
    "a %in% b": "a:b",
}


@pytest.mark.parametrize("formula", R_SPELLINGS)
def test_spellings_of_r(formula, table):
    frame = Frame.of(table, "model")
    ours, plain = (Design.fit(f"y ~ {f}", frame) for f in (formula, R_SPELLINGS[formula]))
    assert ours.names == plain.names
    assert (ours.matrix(table) == plain.matrix(table)).all()


COMPUTED = {
    "I(x > 0.2)": lambda t: t.x > 0.2,
    "I(k <= 1)": lambda t: t.k <= 1,
    "I(k != 2)": lambda t: t.k != 2,
    "I(a == 'p')": lambda t: t.a == "p",
    "I('p' != a)": lambda t: t.a != "p",
    "I((x > 0) * z)": lambda t: (t.x > 0) * t.z,
    "ifelse(x > 0, z, -x)": lambda t: np.where(t.x > 0, t.z, -t.x),
    "pmax(x, 0)": lambda t: np.maximum(t.x, 0),
    "pmin(x, z, 0.5)": lambda t: np.minimum(np.minimum(t.x, t.z), 0.5),
    "I(k %% 2)": lambda t: t.k % 2,
    "floor(z * 3)": lambda t: np.floor(t.z * 3),
    "ceiling(z * 3)": lambda t: np.ceil(t.z * 3),
}


@pytest.mark.parametrize("formula", COMPUTED)
def test_comparisons_and_choices(formula, table):
    """As columns of the design, of new rows, and in the database; missing stays missing."""
    fit = stylobate.model(f"y ~ {formula}", table)
    expected = np.asarray(COMPUTED[formula](table), dtype=float)
    assert np.isclose(fit.design_.matrix(table)[:, 1], expected, atol=1e-15).all()
    con = duckdb.connect()
    con.register("data", table)
    found = con.sql(fit.to_sql()).df()["prediction"].to_numpy()
    assert np.isclose(found, fit.predict(table), rtol=1e-12).all()
    read = fit.design_.columns[0]
    con.register("data", table.assign(**{read: None}))
    assert con.sql(fit.to_sql()).df()["prediction"].isna().all()


def test_the_bar_absorbs(table, tmp_path):
    bar = stylobate.model("y ~ x + z | a + factor(k)", table)
    plain = stylobate.model("y ~ x + z", table, absorb=["a", "k"])
    assert (bar.coef_ == plain.coef_).all()
    every = stylobate.model("y ~ . | a + k", table[["y", "x", "z", "a", "k"]])
    assert every.names_ == ("x", "z")
    again = stylobate.load(bar.save(tmp_path / "fit.stylobate"))
    assert (again.predict(table) == plain.predict(table)).all()
    assert bar.feature_names_in_.tolist() == ["x", "z", "a", "k"]


def test_a_term_is_tested_by_any_of_its_names(table):
    fit = stylobate.model("y ~ factor(k) + x", table)
    assert fit.test("factor(k)").p == fit.test("C(k)").p
    assert np.isclose(fit.test("factor(k)").p, fit.anova(3)["C(k)"]["p"], rtol=1e-10)


def test_labels_that_are_compared(table):
    fit = stylobate.model("y ~ I(a == 'p') + x + b", table)
    assert fit.effects().names == ("x", "b[v]")
    common = table.a.mode()[0]
    at = {"a": [common], "x": [table.x.mean()], "b": ["u"]}
    assert np.isclose(fit.means("b").estimate[0], fit.predict(at)[0], rtol=1e-12)


@pytest.mark.parametrize("family", ["gaussian", "poisson", "binomial"])
def test_sql_says_the_same(table, family):
    target = {"gaussian": "y", "poisson": "k", "binomial": "b"}[family]
    right = "a * x + exp(x / 5) + I(x^2) + poly(z, 2) + C(w) + offset(z / 10)"
    right += " + bs(log(z), df=4)" if family == "poisson" else ""
    right = "a * x + ns(z, df=3)" if family == "binomial" else right
    fit = stylobate.model(f"{target} ~ {right}", table, family)
    con = duckdb.connect()
    con.register("data", table)
    found = con.sql(fit.to_sql()).df()["prediction"].to_numpy()
    assert np.isclose(found, fit.mean(table), rtol=1e-10, atol=1e-12).all()
    strange = table.assign(a="unseen")
    con.register("data", strange)
    assert con.sql(fit.to_sql()).df()["prediction"].isna().all()


@pytest.mark.parametrize(
    ("family", "target"),
    [("gaussian", "y"), ("binomial", "b"), ("poisson", "k"), ("ordinal", "k"),
     ("zero_inflated_poisson", "k")],
)  # fmt: skip
def test_files_carry_the_formula(table, family, target, tmp_path):
    fit = stylobate.model(f"{target} ~ a * x + ns(z, df=3)", table, family)
    again = stylobate.load(fit.save(tmp_path / "fit.stylobate"))
    assert again.formula == fit.formula
    chosen = "predict_proba" if family in ("ordinal", "binomial") else "predict"
    assert (getattr(again, chosen)(table) == getattr(fit, chosen)(table)).all()
    assert str(again.summary()) == str(fit.summary())
    with pytest.raises(ValueError, match="pass data"):
        again.estimates(covariance="HC0")
    if family == "gaussian":
        found = again.estimates(covariance="HC3", data=table).std_error
        assert (found == fit.estimates(covariance="HC3").std_error).all()


def test_absorbed_factors_are_stored(table, tmp_path):
    fit = stylobate.model("y ~ x", table, absorb=["a", "k"])
    again = stylobate.load(fit.save(tmp_path / "fit.stylobate"))
    assert (again.predict(table) == fit.predict(table)).all()


# --- refusals -------------------------------------------------------------------------------------

REFUSALS = {
    "y ~ xx": "there is no column 'xx'; did you mean 'x'",
    "y ~ logg(z)": "There is no function 'logg' in formulas; did you mean log",
    "y ~ x +": "something is missing at the end",
    "y x": "a formula says 'target ~ terms'",
    "y ~ (x": "'\\)' is missing",
    "y ~ x $ z": "'\\$' has no meaning in a formula",
    "y ~ 3 + x": "3 is no term",
    "y ~ log(a)": "column 'a' holds texts where a number is computed",
    "y ~ log(x)": r"log\(x\) is nan in row",
    "y ~ C(a, Trearment)": "no contrast named 'Trearment'",
    "y ~ C(a, Treatment('s'))": "reference level 's' is none of",
    "y ~ bs(x, df=1)": "df must be at least 3",
    "y ~ poly(k, 9)": "the degree must be",
    "y ~ (a + b)^99": "whole number from 1 to 10",
    "y ~ __import__('os')": "no function '__import__'",
    "a ~ x": "explains numbers; use family='binomial'",
    "y ~ " + "(" * 200 + "x" + ")" * 200: "nested more than",
}


@pytest.mark.parametrize("formula", REFUSALS)
def test_typos_are_answered(formula, table):
    with pytest.raises(ValueError, match=REFUSALS[formula]):
        stylobate.model(formula, table)


def test_levels_of_new_rows_are_refused(table):
    fit = stylobate.model("y ~ a + x", table)
    with pytest.raises(ValueError, match="row 1 of factor 'a' is 'P', a level the fit did not see"):
        fit.predict({"a": ["p", "P"], "x": [0.0, 0.0]})
    with pytest.raises(ValueError, match="there is no column 'x'"):
        fit.predict({"a": ["p"], "X1": [0.0]})


def test_missing_values(table):
    holes = table.assign(x=table.x.where(table.index != 5), a=table.a.where(table.index != 9))
    with pytest.raises(ValueError, match=r"column 'a' is missing in 1 row.*missing='drop'"):
        stylobate.model("y ~ a + x", holes)
    fit = stylobate.model("y ~ a + x", holes, missing="drop")
    plain = stylobate.model("y ~ a + x", holes.drop(index=[5, 9]))
    assert fit.n_dropped_ == 2
    assert (fit.coef_ == plain.coef_).all()


def test_one_level_and_collinear_factors(table):
    with pytest.raises(ValueError, match="factor 'c' has one level"):
        stylobate.model("y ~ c", table.assign(c="only"))
    twice = table.assign(a2=table.a + "!")
    with pytest.warns(UserWarning, match="cannot be told apart from other columns"):
        fit = stylobate.model("y ~ a + a2", twice)
    assert fit.anova()["a2"]["df"] == 0
    gone = table[~((table.a == "p") & (table.b == "u"))]
    with pytest.warns(UserWarning, match="an empty cell"):
        fit = stylobate.model("y ~ a * b", gone)
    with pytest.raises(ValueError, match="empty cell"):
        fit.means("a")


NAMES = st.sampled_from(["a", "b", "c", "d"])


@given(st.recursive(NAMES, lambda parts: st.builds(
    lambda left, sign, right: f"({left} {sign} {right})", parts, st.sampled_from("+*:/"), parts),
    max_leaves=6))  # fmt: skip
def test_terms_are_patsys(text):
    ours = {frozenset(map(written, term)) for term in terms_of(f"~ {text}").terms}
    theirs = patsy.ModelDesc.from_formula(text).rhs_termlist
    expected = {frozenset(f.name() for f in term.factors) for term in theirs if term.factors}
    assert ours == expected
    again = written(parse_expression(text))
    assert terms_of(f"~ {again}").names == terms_of(f"~ {text}").names
