"""Dates, places, products, powers, ensembles and baselines as SQL and ONNX."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from formula_runs import ENGINES, check, check_columns, compare, in_duckdb, in_onnx

from stylobate.decision import CostSensitiveClassifier
from stylobate.dummy import DummyClassifier, DummyRegressor
from stylobate.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from stylobate.exceptions import FormulaError
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from stylobate.naive_bayes import GaussianNB
from stylobate.neighbors import KNeighborsClassifier
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import (
    Binarizer,
    DatetimeEncoder,
    GeoEncoder,
    Normalizer,
    OneHotEncoder,
    PolynomialFeatures,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
    TableEncoder,
)
from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor

RNG = np.random.default_rng(11)
X = pd.DataFrame(RNG.normal(size=(80, 3)), columns=["a", 'b"', "c c"])
Y = 2 * X["a"] - X['b"'] ** 2 + RNG.normal(size=80) / 3
TWO = np.where(Y.median() < Y, "yes", "no")
THREE = np.array(["low", "it's", "top"])[np.digitize(Y, [-1.5, 0.5])]


def moments(n=70):
    """Every kind of day: before 1970, leap days, turns of years and centuries, any second."""
    odd = ["1899-12-31", "1900-03-01", "1969-12-31 23:59:59", "1970-01-01", "2000-02-29 12:30:01"]
    odd += ["2000-03-01", "2024-02-29 23:59:59", "2024-12-31", "2100-02-28", "2100-03-01"]
    some = RNG.integers(-2_000_000_000, 4_000_000_000, n - len(odd))
    return pd.to_datetime(odd + [str(np.datetime64(int(s), "s")) for s in some], format="ISO8601")


@pytest.mark.parametrize("scale", [False, True])
def test_dates_of_a_table(scale):
    when = moments()
    frame = pd.DataFrame({"when": when, "x": RNG.normal(size=len(when))})
    frame.loc[[12, 30], "when"] = pd.NaT
    y = when.month.to_numpy() + frame["x"]
    encoder = TableEncoder(scale=scale, kinds={"when": "datetime"}).fit(frame)
    assert "when_missing" in encoder.get_feature_names_out()
    assert "when_hour_sin" in encoder.get_feature_names_out()
    check_columns(encoder, frame)
    check(make_pipeline(TableEncoder(scale=scale), Ridge()).fit(frame, y), frame)


def test_dates_alone():
    frame = pd.DataFrame({"d": moments().normalize()})
    encoder = DatetimeEncoder().fit(frame)
    check_columns(encoder, frame)


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%d/%m/%Y", "%d %b %Y"])
def test_dates_that_are_texts(form):
    when = moments()[4:]
    frame = pd.DataFrame({"d": when.strftime(form).astype(object), "x": np.arange(len(when))})
    frame.loc[3, "d"] = "n/a"
    encoder = TableEncoder(kinds={"d": "datetime"}).fit(frame)
    assert encoder.schema_["d"].notation == form
    expected = np.asarray(encoder.transform(frame), dtype=float)
    for name, run in ENGINES.items():
        iso = form.startswith("%Y-%m-%d")
        if not iso and name in ("sqlite", "ansi"):
            with pytest.raises(FormulaError, match="store them as dates first"):
                encoder.to_sql(name)
            continue
        clean = frame.assign(d=frame["d"].where(frame["d"] != "n/a")) if name == "ansi" else frame
        compare(run(encoder.to_sql(name), clean).astype(float), expected)


def test_moments_with_a_time_zone_count_in_utc():
    when = moments()[4:].tz_localize("UTC").tz_convert("Asia/Tokyo")
    frame = pd.DataFrame({"when": when, "x": np.arange(float(len(when)))})
    encoder = DatetimeEncoder().fit(frame[["when"]])
    found = in_duckdb(encoder.to_sql("duckdb"), frame)
    compare(found, np.asarray(encoder.transform(frame[["when"]]), dtype=float))


def test_places():
    frame = pd.DataFrame(
        {"lat": RNG.uniform(-90, 90, 60), "lon": RNG.uniform(-180, 180, 60), "x": range(60)}
    )
    frame.loc[4, "lat"] = frame.loc[9, "lon"] = np.nan
    kinds = {"lat": "geospatial", "lon": "geospatial"}
    for scale in (False, True):
        encoder = TableEncoder(scale=scale, kinds=kinds).fit(frame)
        check_columns(encoder, frame)
    whole = frame.dropna()[["lat", "lon"]].reset_index(drop=True)
    far = GeoEncoder(points=[[48.1, 11.6], [-33.9, 151.2]]).fit(whole)
    check_columns(far, whole, onnx=False)
    with pytest.raises(FormulaError, match="asin of a double is not computed by onnxruntime"):
        far.to_onnx()


@pytest.mark.parametrize(
    "transformer",
    [
        PolynomialFeatures(3), PolynomialFeatures(2, interaction_only=True, include_bias=False),
        PolynomialFeatures((2, 3)), PowerTransformer(), PowerTransformer(standardize=False),
        Binarizer(threshold=0.3), Normalizer(), Normalizer("l1"), Normalizer("max"),
    ],
    ids=repr,
)  # fmt: skip
def test_products_powers_and_norms(transformer):
    frame = X.copy()
    if isinstance(transformer, Normalizer):
        frame.iloc[3] = 0.0
    check_columns(transformer.fit(frame), frame)


def test_box_cox_of_what_is_not_positive_is_null():
    frame = np.exp(X)
    model = PowerTransformer("box-cox").fit(frame)
    check_columns(model, frame)
    frame.iloc[2, 0] = -1.0
    for name, run in ENGINES.items():
        assert run(model.to_sql(name), frame).iloc[:, 0].isna().sum() == 1, name


def test_powers_of_zero_and_two():
    model = PowerTransformer(standardize=False).fit(X)
    for power in (0.0, 2.0, 1.0):
        model.lambdas_ = np.full(3, power)
        check_columns(model, X)


STUMPS = DecisionTreeClassifier(max_depth=1)


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(n_estimators=12, random_state=0),
        AdaBoostClassifier(LogisticRegression(), n_estimators=4, random_state=0),
        BaggingClassifier(n_estimators=6, max_features=2, random_state=0),
        BaggingClassifier(RidgeClassifier(), n_estimators=5, random_state=0),
        BaggingClassifier(LogisticRegression(), n_estimators=3, random_state=0),
        VotingClassifier([("a", LogisticRegression()), ("b", GaussianNB()), ("c", STUMPS)]),
        VotingClassifier(
            [("a", LogisticRegression()), ("b", GaussianNB())], voting="soft", weights=[1, 3]
        ),
        StackingClassifier([("a", GaussianNB()), ("b", RidgeClassifier()), ("c", STUMPS)], cv=3),
        StackingClassifier([("a", GaussianNB())], DecisionTreeClassifier(max_depth=3), cv=3,
                           passthrough=True, stack_method="predict"),
        DummyClassifier(), DummyClassifier(strategy="most_frequent"),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("labels", [TWO, THREE, TWO == "yes"], ids=["two", "three", "bool"])
def test_several_classifiers(model, labels):
    onnx = not isinstance(model, DummyClassifier)  # no input, so nothing says how many rows
    check(model.fit(X, labels), X, onnx=onnx)


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostRegressor(n_estimators=10, random_state=0),
        AdaBoostRegressor(LinearRegression(), n_estimators=4, random_state=0),
        BaggingRegressor(n_estimators=5, max_features=2, random_state=0),
        VotingRegressor([("a", Ridge()), ("b", DecisionTreeRegressor(max_depth=3))], weights=[1, 2]),  # noqa: E501
        StackingRegressor([("a", Ridge()), ("b", DecisionTreeRegressor(max_depth=3))], cv=3,
                          passthrough=True),
        DummyRegressor(), DummyRegressor(strategy="median"),
    ],
    ids=repr,
)  # fmt: skip
def test_several_regressors(model):
    check(model.fit(X, Y), X, onnx=not isinstance(model, DummyRegressor))


def test_members_may_read_one_column_in_different_ways():
    frame = pd.DataFrame({"s": ["a", " a", "unknown", "b", None, "b"] * 6})
    y = np.arange(36.0) % 6
    model = VotingRegressor(
        [
            ("trimmed", make_pipeline(TableEncoder(), Ridge())),
            ("as it is", make_pipeline(OneHotEncoder(), Ridge())),
        ]
    ).fit(frame, y)
    check(model, frame, onnx=False)


def test_members_without_a_formula_are_told():
    model = VotingClassifier([("a", GaussianNB()), ("b", KNeighborsClassifier())]).fit(X, TWO)
    with pytest.raises(AttributeError, match="to_sql"):
        model.to_sql()
    with pytest.raises(FormulaError, match="the same of every row"):
        DummyClassifier().fit(X, TWO).to_onnx()
    with pytest.raises(FormulaError, match="not drawn at random"):
        DummyClassifier(strategy="uniform", random_state=0).fit(X, TWO).to_sql()


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_decisions_by_cost(labels):
    classes = np.unique(labels)
    cost = RNG.uniform(1, 9, (len(classes), len(classes)))
    np.fill_diagonal(cost, 0.0)
    inner = make_pipeline(StandardScaler(), LogisticRegression())
    check(CostSensitiveClassifier(inner, cost=cost).fit(X, labels), X)


def test_long_names_stay_apart():
    """PostgreSQL looks at 63 bytes of a name."""
    long = "ä" * 40
    frame = X.set_axis([f"{long}1", f"{long}2", "short"], axis=1)
    wide = LogisticRegression().fit(frame, TWO)
    for name in ("duckdb", "sqlite"):
        found = ENGINES[name](wide.to_sql(name), frame)
        compare(found["prediction"], wide.predict(frame))
    if "postgres" in ENGINES:
        steps = make_pipeline(TableEncoder(), LogisticRegression())
        label = "x" * 70
        one = X[["a"]].rename(columns={"a": label[:63]})
        check(steps.fit(one, TWO), one, onnx=False)


def test_hashed_words_are_told():
    frame = pd.DataFrame({"t": [f"some words of row {k} and more of them" for k in range(30)]})
    encoder = TableEncoder(text="hash", kinds={"t": "text"}).fit(frame)
    with pytest.raises(FormulaError, match="counted by a hash"):
        encoder.to_sql()


AMOUNTS = {
    "money": [f"${k % 9 + 1},{k % 7}00.50" for k in range(50)]
    + ["-$5", "$-5", "($1,200)", "$ 3.50", "$3e-2", "12$", "n/a", "", " $7 ", ".5", "5.", "-3"],
    "shares": [f"{k % 100} %" for k in range(50)]
    + ["(12%)", "-3%", "+4.5%", "0%", "0.5 %", "100%", None, "45 %", "7%", "8%", "9%", "1e1%"],
    "comma": [f"{k % 9},{k % 7}5 €" for k in range(50)]
    + ["1.234,50 €", "-2,5 €", "\u22122,5 €", "(3 €)", ",5 €", "1'200 €"] + ["7 €"] * 6,
}  # fmt: skip


@pytest.mark.parametrize("name", list(AMOUNTS))
def test_amounts_written_as_texts(name):
    frame = pd.DataFrame({"m": AMOUNTS[name], "x": np.arange(62.0)})
    frame["m"] = frame["m"].astype(object)
    encoder = TableEncoder().fit(frame)
    assert encoder.schema_["m"].notation
    new = frame.copy()
    new.loc[:8, "m"] = ["007", "1,2,3", "about 5", "(5", "5)", "$", "unknown", "1.2.3", "5 %  x"]
    for rows in (frame, new):
        expected = np.asarray(encoder.transform(rows), dtype=float)
        for engine in ENGINES.keys() & {"duckdb", "postgres"}:
            compare(ENGINES[engine](encoder.to_sql(engine), rows), expected)
    with pytest.raises(FormulaError, match="make it a column of numbers first"):
        encoder.to_sql("sqlite")
    with pytest.raises(FormulaError, match="which ONNX cannot take apart"):
        encoder.to_onnx()


def test_texts_with_a_space_around_them_and_missing_words_in_onnx():
    frame = pd.DataFrame({"s": ["a", "b", "n/a", "a", "b", None] * 5})
    model = make_pipeline(TableEncoder(), Ridge()).fit(frame, np.arange(30.0) % 6)
    new = pd.DataFrame({"s": [" a", "b ", " b ", "N/A", "NA", "", "c"]})
    compare(in_onnx(model, new)["prediction"], model.predict(new))


@pytest.mark.parametrize(
    "scaler",
    [
        StandardScaler(),
        StandardScaler(with_mean=False),
        StandardScaler(with_std=False),
        RobustScaler(),
    ],
    ids=repr,
)
def test_formulas_after_a_scaler_are_in_the_units_of_the_table(scaler):
    from stylobate.formula import formula_text

    exact = 3.0 + 2.0 * X["a"] - 0.5 * X["c c"]
    model = make_pipeline(scaler, LinearRegression()).fit(X[["a", "c c"]] * 10, exact)
    assert formula_text(model, digits=3) == "y = 3 + 0.2·a − 0.05·c c"
