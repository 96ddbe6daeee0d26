"""Input that once ended in an error of the inside: a right answer now, or a sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.stats import poisson

from stylobate.data.kinds import infer_schema
from stylobate.datasets import load_diabetes
from stylobate.decision import BayesRule
from stylobate.dummy import DummyClassifier
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.exploration import explore
from stylobate.feature_selection import SelectKBest, f_regression
from stylobate.impute import MissingIndicator
from stylobate.inference import likelihood_ratio_test, variance_inflation
from stylobate.linear_model import LinearRegression, LogisticRegressionCV, Ridge
from stylobate.metrics import accuracy_score, f1_score
from stylobate.model_selection import GridSearchCV, GroupKFold, learning_curve
from stylobate.plot import plot_histogram
from stylobate.preprocessing import PowerTransformer
from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor

rng = np.random.default_rng(0)
X, y = rng.standard_normal((60, 3)), rng.standard_normal(60)
WORDS = ["a", "b"] * 30


def test_labels_and_groups_of_pyarrow():
    tree = DecisionTreeClassifier().fit(X, pa.array(WORDS))
    assert tree.score(X, WORDS) == 1.0
    assert len(list(GroupKFold(2).split(X, y, pa.array(WORDS)))) == 2


def test_a_series_is_no_table_of_a_tree():
    with pytest.raises(InvalidDataError, match="Expected a 2-dimensional container"):
        DecisionTreeClassifier().fit(pd.Series(X[:, 0]), WORDS)


@pytest.mark.parametrize("rows", [3, np.float64(2.0), None])
def test_a_number_has_no_rows_to_search_over(rows):
    with pytest.raises((InvalidDataError, InvalidParameterError)):
        GridSearchCV(Ridge(), {"alpha": [1.0]}).fit(rows, y)


def test_squares_beyond_double_precision():
    with pytest.raises(InvalidDataError, match="squares of y are too large"):
        SelectKBest(f_regression, k=1).fit(X, np.abs(y) * 1e155)
    with pytest.raises(InvalidDataError, match="squares of column 1 of X are too large"):
        f_regression(X * [1.0, 1e160, 1.0], y)


def test_labels_larger_than_any_integer():
    huge = np.where(y > 0, 1.7e308, -1.7e308)
    assert accuracy_score(huge, huge) == 1.0
    assert accuracy_score([1e308, -1e308], [1e308, 1e308]) == 0.5
    assert LogisticRegressionCV(Cs=2, cv=2).fit(X, huge).classes_.tolist() == [-1.7e308, 1.7e308]
    with pytest.raises(InvalidDataError, match="y_true contains infinity"):
        f1_score([0, 1, np.inf], [0, 1, 1])


def test_imputers_of_odd_frames():
    with pytest.raises(InvalidDataError, match="'a' of X holds lists"):
        MissingIndicator().fit(pd.DataFrame({"a": [[1], [2]]}))
    twice = pd.DataFrame([[1, np.nan], [2, 3]], columns=["a", "a"])
    assert MissingIndicator().fit(twice).features_.tolist() == [1]
    with pytest.raises(InvalidDataError, match="minimum of 1 sample"):
        DummyClassifier().fit(np.zeros((0, 2)), [])


def test_discrete_laws_are_called_so():
    with pytest.raises(InvalidParameterError, match="law of class 0 is discrete"):
        BayesRule([poisson(2), poisson(5)])


@pytest.mark.parametrize("method", ["yeo-johnson", "box-cox"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(("middle", "tail"), [(100.0, 1.0), (1e4, 1.0), (1e4, -1.0)])  # power 3930
def test_powers_of_columns_far_from_zero_keep_their_digits(method, sign, middle, tail):
    from decimal import Decimal, localcontext

    if method == "box-cox" and sign < 0:
        return
    far = sign * (middle + tail * rng.gamma(2.0, 1.0, (60, 1)))
    scaler = PowerTransformer(method).fit(far)
    bent = scaler.transform(far)
    np.testing.assert_allclose(scaler.inverse_transform(bent), far, rtol=1e-12)
    with localcontext() as context:  # by the definition, with digits enough
        context.prec = 200
        power = Decimal(float(scaler.lambdas_[0]))
        power = power if sign > 0 else 2 - power
        base = [Decimal(abs(v)) + (method == "yeo-johnson") for v in far[:, 0].tolist()]
        # standardisation forgets the unit and the constant of (bᵖ − 1) / p
        images = [int(sign) * (b / base[0]) ** power / power for b in base]
        mean = sum(images) / len(images)
        spread = (sum((v - mean) ** 2 for v in images) / len(images)).sqrt()
        exact = [float((v - mean) / spread) for v in images]
    np.testing.assert_allclose(bent[:, 0], exact, rtol=1e-9, atol=1e-10)
    with pytest.warns(StylobateWarning, match="cannot hold or tell apart"):
        PowerTransformer(method, standardize=False).fit(far)


def test_rules_say_where_missing_values_go():
    frame = pd.DataFrame({"c": ["a", "b", None, None] * 10})
    rules = DecisionTreeClassifier().fit(frame, [0, 0, 1, 1] * 10).rules()
    assert any("c is missing or new then 1" in rule for rule in rules)
    rules = DecisionTreeClassifier().fit(frame, [0, 1, 1, 1] * 10).rules()
    assert any("c in {b} or missing then 1" in rule for rule in rules)


def test_scores_that_fall_are_not_called_flat():
    rows, target = load_diabetes(return_X_y=True)
    curve = learning_curve(DecisionTreeRegressor(random_state=0), rows, target, cv=5)
    means = curve.test_scores.mean(axis=1)
    assert means[-1] < means[0] - 0.2
    said = str(curve.advice())
    assert "got worse with more rows" in said.replace("\n  ", " ")
    assert "flat" not in said


def test_missing_words_beyond_the_sample_count_in_complete_rows():
    frame = pd.DataFrame({"s": ["M", "F", "NA", "M"] * 50})
    text = str(explore(frame, sample=100))
    assert "25 % of the cells missing" in text
    assert "100 %)" not in text


def test_codes_that_begin_with_zero_are_no_ranges():
    column = infer_schema(pd.DataFrame({"id": ["05000335", "05000339", "70-3103"] * 10}))["id"]
    assert column.kind == "nominal"


def test_names_of_frames_reach_diagnostics():
    found = variance_inflation(pd.DataFrame(X, columns=["u", "v", "w"]))
    assert found.names == ("u", "v", "w")


def test_nested_least_squares_have_a_likelihood_ratio():
    from scipy.stats import chi2

    small, large = LinearRegression().fit(X[:, :2], y), LinearRegression().fit(X, y)
    rss = [((y - m.predict(X[:, : m.n_features_in_])) ** 2).sum() for m in (small, large)]
    ratio = 60 * np.log(rss[0] / rss[1])
    found = likelihood_ratio_test(small, large)
    np.testing.assert_allclose([found.statistic, found.p], [ratio, chi2.sf(ratio, 1)], rtol=1e-9)


def test_histograms_take_numpys_rules():
    ax = plot_histogram(y, bins="fd")
    assert len(ax.patches) == len(np.histogram_bin_edges(y, "fd")) - 1
    with pytest.raises(InvalidParameterError, match="NumPy's rules"):
        plot_histogram(y, bins="wide")
