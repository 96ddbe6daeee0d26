"""`stylobate fit`: its numbers against statsmodels and scikit-learn, its words by eye."""

from __future__ import annotations

import json

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge

LINE = "x,y\n" + "".join(f"{i},{2 * i + i % 3}\n" for i in range(20))


def answer(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def diabetes():
    return load_diabetes(return_X_y=True, scaled=False)


def test_least_squares_is_that_of_statsmodels(run, diabetes):
    told = answer(run("fit", "diabetes", "--target", "target", "--json"))
    expected = sm.OLS(diabetes[1], sm.add_constant(diabetes[0])).fit()
    table = told["summary"]["coefficients"]
    np.testing.assert_allclose(table["estimate"], expected.params, rtol=1e-8)
    np.testing.assert_allclose(table["std_error"], expected.bse, rtol=1e-8)
    np.testing.assert_allclose(table["p"], expected.pvalues, rtol=1e-6)
    assert told["summary"]["r2"] == pytest.approx(expected.rsquared)
    assert told["certificate"]["optimal"] is True
    cook = expected.get_influence().cooks_distance[0]
    assert told["influential_rows"]["row"] == np.argsort(cook)[::-1][:3].tolist()


def test_robust_covariance_features_and_level(run, diabetes):
    arguments = ("--features", "bmi, bp", "--covariance", "HC3", "--level", "0.9")
    told = answer(run("fit", "diabetes", "--target", "target", *arguments, "--json"))
    expected = sm.OLS(diabetes[1], sm.add_constant(diabetes[0][:, [2, 3]])).fit(
        cov_type="HC3", use_t=True
    )
    table = told["summary"]["coefficients"]
    assert told["features"] == ["bmi", "bp"]
    np.testing.assert_allclose(table["std_error"], expected.bse, rtol=1e-8)
    np.testing.assert_allclose(table["ci_low"], expected.conf_int(0.1)[:, 0], rtol=1e-8)


def test_ridge_is_scikit_learns(run, diabetes):
    told = answer(run("fit", "diabetes", "--target", "target", "--alpha", "50", "--json"))
    expected = Ridge(50.0).fit(*diabetes)
    estimate = told["summary"]["coefficients"]["estimate"]
    np.testing.assert_allclose(estimate, [expected.intercept_, *expected.coef_], rtol=1e-7)
    assert told["model"] == "Ridge"
    assert told["influential_rows"] is None
    assert told["summary"]["coefficients"]["std_error"][0] is None


def test_the_best_penalty_is_the_one_leaving_out_each_row_finds(run, table):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(25, 4)), rng.normal(size=25)
    rows = "\n".join(",".join(map(repr, row)) for row in np.column_stack([x, y]).tolist())
    path = table(f"a,b,c,d,y\n{rows}\n")
    alphas = [0.1, 3.0, 40.0]
    told = answer(run("fit", path, "--target", "y", "--alphas", "0.1,3,40", "--json"))
    kept = [np.arange(25) != i for i in range(25)]
    errors = [
        sum(
            (Ridge(alpha).fit(x[k], y[k]).predict(x[i : i + 1])[0] - y[i]) ** 2
            for i, k in enumerate(kept)
        )
        for alpha in alphas
    ]
    assert told["alpha"] == alphas[int(np.argmin(errors))]


def test_missing_rows_are_counted_and_row_numbers_are_those_of_the_file(run, table):
    lines = LINE.splitlines()
    lines[1:1] = ["NA,3", "4,"]  # two rows above all others
    lines[-1] = "19,400"  # by far the most influential: row 21 of the file
    told = answer(run("fit", table("\n".join(lines)), "--target", "y", "--json"))
    assert told["rows"] == {"read": 22, "used": 20}
    assert told["influential_rows"]["row"][0] == 21


def test_the_text_has_its_parts_in_order_and_fits_the_terminal(run):
    result = run("fit", "penguins", "--target", "body_mass_g")
    assert result.exit_code == 0
    parts = (
        "penguins: body_mass_g from bill_length_mm",
        "Left out because not numeric: species, island, sex.",
        "Dropped because a value is missing: 2 of 344 rows.",
        "Linear regression of body_mass_g",
        "Certificate. Optimal",
        "Solver: ",
        "3 most influential rows",
    )
    positions = [result.stdout.find(part) for part in parts]
    assert positions == sorted(positions)
    assert positions[0] == 0
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize("options", [("--alpha", "1"), ("--alphas", "1,10")])
def test_the_text_names_the_penalty(run, options):
    text = run("fit", "diabetes", "--target", "target", *options).stdout
    assert "Penalty: alpha = 1" in text
    assert "none with a penalty" in text


def test_a_column_without_a_name_is_no_feature(run, table):
    text = ",x,y\n" + "".join(f"{i},{i % 4},{i % 5}\n" for i in range(9))
    result = run("fit", table(text), "--target", "y")
    assert "y from x (9 rows)" in result.stdout
    assert "it has no name" in result.stdout


@pytest.mark.parametrize("text", ["x,y\n1,2\n1,2\n1,3\n", "x,z,y\n1,2,3\n2,4,1\n3,6,2\n4,8,4\n"])
def test_constant_and_dependent_columns_have_an_answer(run, table, text):
    result = run("fit", table(text), "--target", "y")
    assert result.exit_code == 0
    assert "linearly dependent" in " ".join(result.stdout.split())
