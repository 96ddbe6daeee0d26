"""Quantiles, splines, functions, bumps and waves as SQL and ONNX; what has none says why."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from formula_runs import ENGINES, check, check_columns, compare
from scipy.special import ndtri

from stylobate.base.discovery import all_estimators
from stylobate.compose import TransformedTargetRegressor, make_column_transformer
from stylobate.ensemble import RandomForestRegressor, RandomTreesEmbedding
from stylobate.exceptions import FormulaError
from stylobate.formula.curves import normal_quantile
from stylobate.formula.elementwise import RULES
from stylobate.formula.expressions import Column, number
from stylobate.impute import MissingIndicator, SimpleImputer
from stylobate.kernel_approximation import Nystroem, RBFSampler, SkewedChi2Sampler
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.neighbors import KNeighborsRegressor, NearestCentroid
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import (
    FunctionTransformer,
    PowerTransformer,
    QuantileTransformer,
    RBFFeatures,
    SplineTransformer,
    StandardScaler,
)
from stylobate.testing.discovery import example_of

RNG = np.random.default_rng(5)
X = pd.DataFrame({"a": RNG.normal(size=80), "b c": RNG.exponential(size=80).round(1) * 1e3})
Y = 2.0 * X["a"] + np.sin(X["b c"] / 500.0)
LABELS = np.array(["low", "it's", "top"])[np.digitize(Y, [-1.5, 0.5])]


def beyond(frame):
    """Rows of the fit, between them, at their ends and far outside."""
    wide = pd.DataFrame({name: np.linspace(-3, 3, 21) * frame[name].abs().max() for name in frame})
    return pd.concat([frame, wide], ignore_index=True)


@pytest.mark.parametrize("output", ["uniform", "normal"])
@pytest.mark.parametrize("count", [1, 2, 7, 80])
def test_quantiles(output, count):
    """The second column has ties, which get the middle of their shares."""
    model = QuantileTransformer(n_quantiles=count, output_distribution=output).fit(X)
    rows = beyond(X)
    rows.loc[[3, 90], "a"] = np.nan
    check_columns(model, rows)


def test_a_thousand_quantiles_and_columns_without_a_value():
    frame = pd.DataFrame({"a": RNG.normal(size=1200), "gone": np.nan, "same": 3.0})
    check_columns(QuantileTransformer(output_distribution="normal").fit(frame), frame[:90])


def test_normal_quantiles_to_the_last_digits():
    from stylobate.formula.dialects import dialect
    from stylobate.formula.sql import select

    shares = np.concatenate([np.geomspace(1e-7, 0.5, 300), 1.0 - np.geomspace(1e-7, 0.5, 300)])
    made = {"z": normal_quantile(number(Column("p")), 1e-9)}
    found = ENGINES["duckdb"](select(made, dialect("duckdb"), "data"), pd.DataFrame({"p": shares}))
    np.testing.assert_allclose(found["z"], ndtri(shares), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("extrapolation", ["constant", "linear", "continue", "periodic", "error"])
@pytest.mark.parametrize("degree", [0, 1, 3])
@pytest.mark.parametrize("knots", ["uniform", "quantile"])
def test_splines(extrapolation, degree, knots):
    model = SplineTransformer(
        degree=degree, extrapolation=extrapolation, knots=knots, include_bias=degree != 1
    ).fit(X)
    rows = X if extrapolation == "error" else beyond(X)
    check_columns(model, rows)


def test_splines_of_missing_and_refused_numbers():
    rows = X.copy()
    rows.iloc[4, 0] = np.nan
    check_columns(SplineTransformer(handle_missing="zeros").fit(rows), rows)
    model = SplineTransformer(extrapolation="error").fit(X)
    rows.iloc[5, 0] = 1e6
    for name, run in ENGINES.items():
        gone = run(model.to_sql(name), rows).iloc[:, :7].isna().all(axis=1)
        assert np.flatnonzero(gone).tolist() == [4, 5], name


@pytest.mark.parametrize("function", list(RULES), ids=lambda each: each.__name__)
def test_functions_of_numpy(function):
    """What has no finite value is NULL."""
    rows = pd.DataFrame({"x": [0.25, 1.0, 2.5, -0.5, -3.0, 0.0, 7.0, np.nan, 1e-9]})
    model = FunctionTransformer(function).fit(rows)
    with np.errstate(all="ignore"):
        expected = np.array(model.transform(rows), dtype=float)
    expected[~np.isfinite(expected)] = np.nan
    for name, run in ENGINES.items():
        compare(run(model.to_sql(name), rows)[["x"]], expected)
    good = rows[np.isfinite(expected[:, 0])].reset_index(drop=True)
    check_columns(FunctionTransformer(function, feature_names_out="one-to-one").fit(good), good)


def test_functions_within_a_model():
    logs = make_column_transformer(
        (FunctionTransformer(np.log1p), ["b c"]), remainder=StandardScaler()
    )
    check(make_pipeline(logs, QuantileTransformer(n_quantiles=20), Ridge()).fit(X, Y), X)
    check(make_pipeline(FunctionTransformer(), LinearRegression()).fit(X, Y), X)


def test_functions_without_a_formula_are_told():
    own = FunctionTransformer(lambda x: x + 1).fit(X)
    with pytest.raises(FormulaError, match=r"<lambda> has no formula .* numpy\.log1p"):
        own.to_sql()
    with pytest.raises(FormulaError, match="square with arguments has no formula"):
        FunctionTransformer(np.square, kw_args={"dtype": float}).fit(X).to_onnx()
    with pytest.raises(FormulaError, match="fit it to a table first"):
        FunctionTransformer().to_sql()


@pytest.mark.parametrize(
    "model",
    [
        RBFFeatures(n_centers=4, random_state=0), RBFSampler(n_components=5, random_state=0),
        Nystroem(n_components=4, random_state=0), RandomTreesEmbedding(2, random_state=0),
        SkewedChi2Sampler(skewedness=9.0, n_components=3, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)  # fmt: skip
def test_maps_of_rows(model):
    frame = pd.DataFrame(StandardScaler().fit_transform(X), columns=["a", "b c"])
    check_columns(model.fit(frame), frame)


def test_kernels_without_a_formula_are_told():
    with pytest.raises(FormulaError, match="kernel='rbf' has"):
        Nystroem("polynomial", n_components=3).fit(X).to_sql()


def test_where_values_are_missing():
    rows = X.copy()
    rows.iloc[[1, 5], 1] = np.nan
    model = MissingIndicator().fit(rows)
    check_columns(model, rows)
    rows.iloc[7, 0] = np.nan
    for name, run in ENGINES.items():
        found = run(model.to_sql(name), rows)["missingindicator_b c"]
        assert np.flatnonzero(found.isna()).tolist() == [7], name  # transform refuses the row
    check_columns(MissingIndicator(error_on_new=False).fit(X.mask(X > 900)), rows)
    check_columns(MissingIndicator(features="all").fit(rows), rows)
    with pytest.raises(FormulaError, match="missing_values=0 has no formula"):
        MissingIndicator(missing_values=0).fit(X).to_sql()


@pytest.mark.parametrize(
    "imputer",
    [
        SimpleImputer(), SimpleImputer(strategy="most_frequent"),
        SimpleImputer(strategy="constant", fill_value=-7.5),
        SimpleImputer(strategy=np.max), SimpleImputer(strategy="constant", add_indicator=True),
        SimpleImputer(keep_empty_features=True, add_indicator=True),
        SimpleImputer(strategy="median"),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:Skipping features")
def test_every_way_to_impute(imputer):
    rows = X.copy() if callable(imputer.strategy) else X.assign(gone=np.nan)
    rows.iloc[[2, 9], 0] = np.nan
    check_columns(imputer.fit(rows), rows)


@pytest.mark.parametrize(
    "model",
    [NearestCentroid(), NearestCentroid(metric="manhattan"), NearestCentroid(priors="empirical")],
    ids=repr,
)
@pytest.mark.parametrize("labels", [LABELS, Y > 0], ids=["three", "two"])
def test_nearest_centres(model, labels):
    check(model.fit(X, labels), X)


@pytest.mark.parametrize(
    "model",
    [
        TransformedTargetRegressor(Ridge(), func=np.log, inverse_func=np.exp),
        TransformedTargetRegressor(Ridge(), func=np.sqrt, inverse_func=np.square),
        TransformedTargetRegressor(LinearRegression(), transformer=StandardScaler()),
        TransformedTargetRegressor(RandomForestRegressor(3, max_depth=3, random_state=0)),
        TransformedTargetRegressor(transformer=FunctionTransformer(np.log1p, np.expm1)),
    ],
)
def test_targets_taken_back(model):
    check(model.fit(X, np.exp(Y / 3.0)), X)


def test_targets_that_cannot_be_taken_back_are_told():
    model = TransformedTargetRegressor(Ridge(), transformer=PowerTransformer()).fit(X, Y)
    with pytest.raises(FormulaError, match="PowerTransformer did to the target is not taken back"):
        model.to_sql()
    near = TransformedTargetRegressor(KNeighborsRegressor()).fit(X, Y)
    with pytest.raises(AttributeError, match="its part KNeighborsRegressor has no formula: it"):
        near.to_sql()


@pytest.mark.parametrize("kind", all_estimators(), ids=lambda kind: kind.__name__)
def test_every_estimator_has_a_formula_or_says_what_would_do(kind):
    model = example_of(kind)
    if hasattr(kind, "_formula"):
        return
    with pytest.raises(AttributeError) as told:
        model.to_sql  # noqa: B018
    words = str(told.value)
    assert "its answers are not written down" not in words, words
    assert ";" in words, "what would do instead is named after a semicolon"
    if hasattr(kind, "_onnx_graph"):  # a graph of matrices, which SQL has not
        assert callable(model.to_onnx)
        return
    with pytest.raises(AttributeError, match="has no to_onnx"):
        model.to_onnx  # noqa: B018


def test_the_part_without_a_formula_is_named():
    model = make_pipeline(StandardScaler(), KNeighborsRegressor())
    with pytest.raises(
        AttributeError, match="its part KNeighborsRegressor has no formula: it look"
    ):
        model.fit(X, Y).to_sql()
    columns = make_column_transformer((KNeighborsRegressor(), ["a"]))
    assert hasattr(columns, "to_sql")  # which columns work is known after the fit
    model = make_pipeline(StandardScaler(), LogisticRegression())
    assert hasattr(model, "to_sql")
