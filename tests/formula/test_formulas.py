"""Models as SQL and ONNX: run by databases and onnxruntime, they say what `predict` says."""

from __future__ import annotations

import sqlite3

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import pytest
from formula_runs import ENGINES, check, check_columns, compare, in_duckdb, in_onnx
from hypothesis import given
from hypothesis import strategies as st

import stylobate
from stylobate.compose import ColumnTransformer
from stylobate.datasets import load_titanic
from stylobate.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from stylobate.exceptions import FormulaError, InvalidParameterError, NotFittedError
from stylobate.feature_selection import SelectKBest, f_classif
from stylobate.formula.dialects import DIALECTS, dialect
from stylobate.impute import SimpleImputer
from stylobate.linear_model import (
    GammaRegressor,
    HuberRegressor,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    MultiTaskLasso,
    Perceptron,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
    SGDRegressor,
    TweedieRegressor,
)
from stylobate.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    TunedThresholdClassifierCV,
)
from stylobate.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MultinomialNB,
    NaiveBayes,
)
from stylobate.neighbors import KNeighborsClassifier
from stylobate.pipeline import FeatureUnion, Pipeline, make_pipeline
from stylobate.preprocessing import (
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
    TableEncoder,
    TargetEncoder,
)

RNG = np.random.default_rng(7)
NUMBERS = pd.DataFrame(
    RNG.standard_normal((60, 3)) * [1, 30, 0.01] + [0, 5, -3], columns=["a", "b c", 'd"']
)
TARGET = NUMBERS.to_numpy() @ [1.0, -0.2, 30.0] + RNG.standard_normal(60)
COUNTS = pd.DataFrame(RNG.poisson(3, (60, 3)).astype(float), columns=["a", "b", "c"])
THREE = np.array(["low", "it's", 'hi"gh'])[np.digitize(TARGET, [-95, -90])]
TWO = np.median(TARGET) < TARGET


@pytest.mark.parametrize(
    "model",
    [
        LinearRegression(), Ridge(), LassoCV(cv=3), HuberRegressor(), SGDRegressor(random_state=0),
        QuantileRegressor(), LinearRegression(fit_intercept=False), MultiTaskLasso(alpha=0.1),
    ],
    ids=lambda model: type(model).__name__,
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")
def test_linear_regressors(model):
    scaled = (NUMBERS - NUMBERS.mean()) / NUMBERS.std()
    y = np.column_stack([TARGET, -TARGET]) if "MultiTask" in type(model).__name__ else TARGET
    check(model.fit(scaled, y), scaled)


@pytest.mark.parametrize(
    "model",
    [PoissonRegressor(), GammaRegressor(), TweedieRegressor(power=1.5), TweedieRegressor(power=0)],
    ids=repr,
)
def test_generalized_linear_models(model):
    check(model.fit(COUNTS, COUNTS["a"] + 1.0), COUNTS)


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(), RidgeClassifier(), Perceptron(random_state=0),
        SGDClassifier(loss="log_loss", random_state=0),
        SGDClassifier(loss="modified_huber", random_state=0), SGDClassifier(random_state=0),
        GaussianNB(), LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis(),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("labels", [THREE, TWO, TWO.astype(int)], ids=["three", "bool", "int"])
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")
def test_classifiers_of_numbers(model, labels):
    scaled = (NUMBERS - NUMBERS.mean()) / NUMBERS.std()
    check(model.fit(scaled, labels), scaled)


@pytest.mark.parametrize(
    "model",
    [MultinomialNB(), ComplementNB(), BernoulliNB(binarize=2.0), BernoulliNB(), CategoricalNB()],
    ids=repr,
)
def test_naive_bayes_of_counts(model):
    check(model.fit(COUNTS, THREE), COUNTS)


def test_without_names_there_is_one_input():
    X = NUMBERS.to_numpy()
    model = LogisticRegression().fit(X, THREE)
    session = onnxruntime.InferenceSession(model.to_onnx().SerializeToString())
    assert [each.name for each in session.get_inputs()] == ["X"]
    found = session.run(None, {"X": X})
    assert list(found[0]) == list(model.predict(X))
    frame = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    assert list(in_duckdb(model.to_sql(), frame)["prediction"]) == list(model.predict(X))


@pytest.mark.parametrize(
    "scaler",
    [
        StandardScaler(), StandardScaler(with_mean=False), MinMaxScaler(clip=True), RobustScaler(),
        MaxAbsScaler(), MaxAbsScaler(clip=True),
        SimpleImputer(strategy="median", add_indicator=True),
        KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf"),
        KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf"),
        FeatureUnion([("a", StandardScaler()), ("b", MinMaxScaler())], transformer_weights={"b": 2}),  # noqa: E501
    ],
    ids=repr,
)  # fmt: skip
def test_transformers_of_numbers(scaler):
    frame = NUMBERS.copy()
    if isinstance(scaler, SimpleImputer):
        frame.iloc[3, 0] = frame.iloc[5, 2] = np.nan
    check_columns(scaler.fit(frame[:40] if not isinstance(scaler, SimpleImputer) else frame), frame)


HOSTILE = pd.DataFrame(
    {
        'na"me; DROP TABLE data; --': [
            "it's",
            'say "x"',
            "\\n'); --",
            "%s {0}",
            None,
            "日本語",
            "it's",
        ],
        "Ünïcode 'q'": ["a", "A", " a", "b", "b", "a", "A"],
        "flag": [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0],
    }
)


@pytest.mark.parametrize(
    "encoder",
    [
        OneHotEncoder(), OneHotEncoder(handle_unknown="ignore", drop="if_binary"),
        OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=2),
        OrdinalEncoder(), OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
        TargetEncoder(cv=2, smooth=1.0),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:Found unknown categories")
def test_encoders_of_hostile_names_and_categories(encoder):
    y = np.arange(7.0)
    encoder.fit(HOSTILE, y)
    frame = HOSTILE.copy()
    if getattr(encoder, "handle_unknown", "error") != "error":
        frame.loc[1] = ["never seen", "never seen", 7.0]
        frame.loc[2] = [None, "a", 1.0]
    if isinstance(encoder, OrdinalEncoder) and encoder.handle_unknown == "error":
        return_nan = encoder.transform(frame)
        found = in_duckdb(encoder.to_sql(), frame)
        assert np.array_equal(found.to_numpy(dtype=float), return_nan, equal_nan=True)
        return
    expected = encoder.transform(frame)
    expected = expected.toarray() if hasattr(expected, "toarray") else expected
    for name, run in ENGINES.items():
        found = run(encoder.to_sql(name), frame).to_numpy(dtype=float)
        assert np.allclose(found, expected, equal_nan=True, rtol=0, atol=1e-15), name
    found = in_onnx(encoder, frame)["columns"]
    assert np.allclose(found, expected, equal_nan=True)


def test_unknown_categories_are_null_where_predict_refuses():
    frame = pd.DataFrame({"s": ["a", "b", "a", "b"]})
    model = make_pipeline(OneHotEncoder(), LogisticRegression()).fit(frame, [0, 1, 0, 1])
    new = pd.DataFrame({"s": ["a", "z", None]})
    for name, run in ENGINES.items():
        found = run(model.to_sql(name), new)
        assert found["prediction"].isna().tolist() == [False, True, True]
        assert found["probability_1"].isna().tolist() == [False, True, True]


def test_missing_numbers_are_null_where_predict_refuses():
    model = LogisticRegression().fit(NUMBERS, THREE)
    frame = NUMBERS.copy()
    frame.iloc[2, 1] = np.nan
    for name, run in ENGINES.items():
        found = run(model.to_sql(name), frame)
        assert found["prediction"].isna().sum() == 1
        assert found["prediction"].isna()[2]


@pytest.fixture(scope="module")
def titanic():
    X, y = load_titanic(return_X_y=True, as_frame=True)
    return X, np.asarray(y)


def test_titanic_by_a_table_encoder(titanic):
    X, y = titanic
    for scale in (False, True):
        model = make_pipeline(TableEncoder(scale=scale), LogisticRegression(max_iter=2000))
        model.fit(X, y)
        check(model, X)


def test_penguins_by_columns():
    X = stylobate.read("penguins").to_frame("pandas").dropna(subset=["sex"]).reset_index(drop=True)
    y = X.pop("species").to_numpy()
    X = X.astype({name: object for name in X.columns if X[name].dtype.kind not in "fi"})
    X.loc[7, "island"] = X.loc[9, "sex"] = None
    texts = [name for name in X.columns if X[name].dtype.kind == "O"]
    assert texts
    filling = SimpleImputer(strategy="most_frequent")
    model = Pipeline(
        [
            ("columns", ColumnTransformer(
                [("texts", make_pipeline(filling, OneHotEncoder()), texts)],
                remainder=make_pipeline(SimpleImputer(), StandardScaler()),
            )),
            ("best", SelectKBest(f_classif, k=5)),
            ("model", LogisticRegression()),
        ]
    )  # fmt: skip
    check(model.fit(X, y), X)


def test_naive_bayes_of_every_kind_of_column(titanic):
    X, y = titanic
    X = X.copy()
    X["count"] = RNG.poisson(2, len(X))
    X["parts"], X["others"] = RNG.poisson(3, len(X)), RNG.poisson(1, len(X))
    X["class"] = X["class"].astype(object)
    X.loc[5, ["class", "age", "count"]] = None
    models = {"count": "poisson", "parts": "multinomial", "others": "multinomial"}
    new = X.copy()
    new.loc[7, "class"] = 9
    check(NaiveBayes(models=models).fit(X, y), new)
    with pytest.raises(FormulaError, match="kernel density of column 'age'"):
        NaiveBayes(models={"age": "kde"}).fit(X, y).to_sql()


def test_a_search_is_its_best_model(titanic):
    X, y = titanic
    search = GridSearchCV(
        make_pipeline(TableEncoder(), LogisticRegression(max_iter=2000)),
        {"logisticregression__C": [0.1, 1.0]}, cv=3,
    )  # fmt: skip
    check(search.fit(X, y), X, onnx=False)


@pytest.mark.parametrize("positive", [None, 0])
def test_thresholds(positive):
    scaled = (NUMBERS - NUMBERS.mean()) / NUMBERS.std()
    fixed = FixedThresholdClassifier(LogisticRegression(), threshold=0.3, pos_label=positive)
    check(fixed.fit(scaled, TWO.astype(int)), scaled)
    if positive is None:
        tuned = TunedThresholdClassifierCV(LogisticRegression(), cv=3)
        check(tuned.fit(scaled, TWO.astype(int)), scaled)


def test_many_columns_do_not_nest_too_deep():
    X = pd.DataFrame(RNG.standard_normal((10, 1100)), columns=[f"c{i}" for i in range(1100)])
    model = Ridge().fit(X, X["c0"])
    found = in_duckdb(model.to_sql(), X)
    compare(found["prediction"], model.predict(X))


def test_columns_to_keep_and_names_of_tables(titanic):
    frame = NUMBERS.assign(key=range(60), score=1.0)
    model = LogisticRegression().fit(NUMBERS, TWO)
    found = in_duckdb(model.to_sql(keep=["key", "score"]), frame)
    assert list(found.columns[:3]) == ["key", "score", "prediction"]
    connection = duckdb.connect()
    connection.register("plain", frame)
    connection.execute('CREATE SCHEMA "my s"; CREATE TABLE "my s"."t""x" AS FROM plain')
    rows = connection.execute(model.to_sql(table='my s.t"x', keep="key")).fetchall()
    assert len(rows) == 60
    with pytest.raises(FormulaError, match="'Prediction' to keep has the name of an output"):
        model.to_sql(keep=["Prediction"])


def test_what_has_no_formula_is_told(titanic):
    model = KNeighborsClassifier().fit(NUMBERS, TWO)
    assert not hasattr(model, "to_sql")
    assert not hasattr(make_pipeline(StandardScaler(), KNeighborsClassifier()), "to_onnx")
    with pytest.raises(InvalidParameterError, match="dialect must be one of duckdb, sqlite"):
        Ridge().fit(NUMBERS, TARGET).to_sql("oracle")
    with pytest.raises(NotFittedError):
        Ridge().to_sql()
    nul = OneHotEncoder().fit(pd.DataFrame({"a": ["x\0y", "z"]}))
    with pytest.raises(FormulaError, match="NUL"):
        nul.to_sql()


def test_every_dialect_writes_the_same_model():
    model = LogisticRegression().fit(NUMBERS, THREE)
    texts = {name: model.to_sql(name) for name in DIALECTS}
    assert "GREATEST" in texts["postgres"]
    assert "MAX(" in texts["sqlite"]
    assert "DOUBLE PRECISION" in texts["ansi"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_every_digit(value):
    text = dialect("duckdb").literal(value)
    assert "e" in text
    assert float(text) == value
    assert np.copysign(1, float(text)) == np.copysign(1, value)


IN_DUCKDB, IN_SQLITE = duckdb.connect(), sqlite3.connect(":memory:")


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_texts_and_names_survive_quoting(text):
    sql = f"SELECT {dialect('duckdb').literal(text)} AS {dialect('duckdb').quoted('x' + text)}"
    found = IN_DUCKDB.execute(sql)
    assert found.fetchone()[0] == text
    found = IN_SQLITE.execute(sql)
    assert found.fetchone()[0] == text
    assert found.description[0][0] == "x" + text
