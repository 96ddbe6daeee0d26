"""Tables of every kind of column under every kind of name: databases say what `predict` says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from formula_runs import ENGINES, compare
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from stylobate.ensemble import HistGradientBoostingRegressor
from stylobate.exceptions import FormulaError, StylobateError
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import OneHotEncoder, OrdinalEncoder, TableEncoder, TargetEncoder
from stylobate.tree import DecisionTreeClassifier

ROWS = 24
RNG = np.random.default_rng(3)
NAMES = [
    "order", "SELECT * FROM data; --", "ünï😀", "a'b\"c", "input", "prediction", "x\ty\n", "step",
    "value_1", "日本語", "%s {0}", "null", "end", "user",
]  # fmt: skip
TEXTS = ["", " ", "a", " a", "A", "a\t", "\u00a0b", "NA", "n/a", "None", "it's", '"', "日本語", "0",
         "1e3", "true", "\\n", "%", "--", "?", "ß", None]  # fmt: skip
# smaller ones stop PostgreSQL, which refuses products that underflow
NUMBERS = [0.0, -0.0, 1.5, -2.25, 1e-100, -1e-99, 1e15, -1e15, 0.1, 1 / 3, 1e-9, float("nan")]
WHOLE = [0, 1, -1, 7, 2**31, 2**53, 2**53 + 1, 2**53 + 2, -(2**53) - 1, 2**62 + 1, -(2**62)]


def column(values, dtype):
    few = st.lists(st.sampled_from(values), min_size=2, max_size=6, unique_by=repr)
    cells = few.flatmap(lambda some: st.lists(st.sampled_from(some), min_size=ROWS, max_size=ROWS))
    return cells.map(lambda listed: pd.array(listed, dtype=dtype))


COLUMNS = st.one_of(
    column([True, False], bool),
    column([True, False, None], object),
    column([0, 1, 2, 3, -4], np.int64),
    column(NUMBERS, np.float64),
    column(TEXTS, object),
    column([float(np.float32(0.1)), 2.5, -1.0], np.float32),
)
TABLES = st.lists(COLUMNS, min_size=1, max_size=4).flatmap(
    lambda made: st.lists(
        st.sampled_from(NAMES), min_size=len(made), max_size=len(made), unique=True
    ).map(lambda names: pd.DataFrame(dict(zip(names, made, strict=True))))
)
MODELS = [
    lambda: make_pipeline(TableEncoder(), Ridge()),
    lambda: make_pipeline(TableEncoder(), LogisticRegression(C=0.1)),
    lambda: HistGradientBoostingRegressor(max_iter=3, min_samples_leaf=2),
    lambda: DecisionTreeClassifier(max_depth=4),
    lambda: make_pipeline(OneHotEncoder(handle_unknown="ignore"), Ridge()),
]


def truths_of(frame, model):
    """What standard SQL has to be told: columns of truth values that are numbers to the model."""
    if isinstance(model[0] if hasattr(model, "steps") else model, OneHotEncoder):
        return []
    return [name for name in frame if _is_truth(frame[name])]


def _is_truth(values):
    return {type(value) for value in values.dropna().tolist()} == {bool}


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(frame=TABLES, number=st.integers(0, len(MODELS) - 1))
@pytest.mark.filterwarnings("ignore")
def test_tables_of_every_kind(frame, number):
    model = MODELS[number]()
    y = np.arange(ROWS) % 5 - frame.iloc[:, 0].isna().to_numpy()
    labels = np.where(y > 1, "top", np.where(y > 0, "it's", "low"))
    last = model[-1] if hasattr(model, "steps") else model
    try:
        model.fit(frame, labels if hasattr(last, "predict_proba") else y)
    except StylobateError:  # columns that say nothing, texts a tree cannot use …
        reject()
    expected = model.predict(frame)
    for name, run in ENGINES.items():
        truths = truths_of(frame, model) if name == "ansi" else None
        if name == "ansi" and _has_other_spaces(frame):
            continue
        compare(run(model.to_sql(name, truths=truths), frame)["prediction"], expected)


def _has_other_spaces(frame):
    """Standard SQL trims plain spaces only."""
    texts = [v for name in frame for v in frame[name].tolist() if isinstance(v, str)]
    return any(text.strip() != text.strip(" ") for text in texts)


FLAGS = pd.DataFrame({"flag": RNG.random(30) > 0.5, "x": RNG.normal(size=30)})


def test_truth_values_are_numbers_in_postgres():
    """The server makes no numbers of truth values; nor of singles what a text of them says."""
    target = FLAGS["flag"] + FLAGS["x"]
    model = Ridge().fit(FLAGS, target)
    for name, run in ENGINES.items():
        compare(run(model.to_sql(name, truths=["flag"]), FLAGS)["prediction"], model.predict(FLAGS))
        if name != "ansi":
            compare(run(model.to_sql(name), FLAGS)["prediction"], model.predict(FLAGS))
    assert "PG_TYPEOF" not in model.to_sql("postgres", truths="flag")


@pytest.mark.skipif("postgres" not in ENGINES, reason="needs PostgreSQL")
def test_every_type_of_number_of_postgres():
    from postgres_server import connection

    model = Ridge().fit(FLAGS.astype(float), FLAGS["x"])
    with connection().cursor() as cursor:
        for type_, text in [
            ("REAL", "0.1"), ("NUMERIC", "0.1"), ("NUMERIC", "NaN"), ("SMALLINT", "3"),
            ("BOOLEAN", "t"), ("BIGINT", str(2**53 + 1)), ("DOUBLE PRECISION", "0.1"),
            ("TEXT", "2.5"), ("REAL", "NaN"),
        ]:  # fmt: skip
            cursor.execute("DROP TABLE IF EXISTS one CASCADE")
            cursor.execute(f"CREATE TABLE one AS SELECT CAST('{text}' AS {type_}) AS flag, 0 AS x")
            found = cursor.execute(model.to_sql("postgres", "one")).fetchone()[0]
            if text == "NaN":
                assert found is None
                continue
            given = {"REAL": float(np.float32(0.1)), "BOOLEAN": 1.0}.get(type_)
            row = pd.DataFrame({"flag": [float(text) if given is None else given], "x": [0.0]})
            assert found == pytest.approx(float(model.predict(row)[0]), rel=1e-12), type_


@pytest.mark.parametrize(
    "encoder",
    [OneHotEncoder(handle_unknown="ignore"), OrdinalEncoder(), TargetEncoder(cv=2), TableEncoder()],
    ids=lambda each: type(each).__name__,
)
def test_whole_numbers_that_doubles_cannot_tell_apart(encoder):
    keys = np.array(WHOLE * 4)
    frame = pd.DataFrame({"key": keys})
    if isinstance(encoder, TableEncoder):
        encoder.set_params(kinds={"key": "nominal"})
    model = make_pipeline(encoder, Ridge(alpha=1e-3)).fit(frame, np.arange(len(keys)) % 11.0)
    for name, run in ENGINES.items():
        compare(run(model.to_sql(name), frame)["prediction"], model.predict(frame))
    with pytest.raises(FormulaError, match="beyond 2\\^53"):
        model.to_onnx()
    far = OneHotEncoder().fit(pd.DataFrame({"key": np.array([2**63, 1], dtype=np.uint64)}))
    with pytest.raises(FormulaError, match="more digits than databases"):
        far.to_sql()


def test_spaces_of_every_kind_are_trimmed():
    frame = pd.DataFrame({"s": ["a", "\ta", "b\n", "\u00a0b", "\u3000a ", " n/a\t", "c"] * 5})
    model = make_pipeline(TableEncoder(kinds={"s": "nominal"}), Ridge()).fit(
        frame, np.arange(35.0) % 7
    )
    for name in ENGINES.keys() - {"ansi"}:
        compare(ENGINES[name](model.to_sql(name), frame)["prediction"], model.predict(frame))
