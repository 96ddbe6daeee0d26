"""Formulas run by databases and onnxruntime, held against the models they were made of."""

from __future__ import annotations

import sqlite3
from functools import cache

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
from postgres_server import HAS_POSTGRES, connection

TOLERANCE = 1e-9


@cache
def _duckdb():
    return duckdb.connect(config={"threads": 1})


def in_duckdb(sql, frame):
    _duckdb().register("data", frame)
    return _duckdb().execute(sql).df()


def in_sqlite(sql, frame):
    connection = sqlite3.connect(":memory:")
    frame.to_sql("data", connection, index=False)
    return pd.read_sql(sql, connection)


_TYPES = {"f": "DOUBLE PRECISION", "i": "BIGINT", "u": "BIGINT", "b": "BOOLEAN", "M": "TIMESTAMP"}


def in_postgres(sql, frame, nan=float("nan")):
    with connection().cursor() as cursor:
        cursor.execute(f"SET search_path TO {_prepared(cursor, frame, nan)}")
        cursor.execute(sql)
        found = [each.name for each in cursor.description]
        return pd.DataFrame(cursor.fetchall(), columns=found)


_last = {}  # the frame whose rows each schema holds


def _prepared(cursor, frame, nan):
    """The schema with the rows of a frame; many models in a row are asked about the same ones."""
    from psycopg.sql import SQL, Identifier

    schema = "with_nulls" if nan is None else "with_nan"
    key = (
        tuple(frame.columns),
        tuple(map(str, frame.dtypes)),
        repr(frame.to_numpy(dtype=object).tolist()),
    )
    if _last.get(schema) == key:
        return schema
    names = SQL(", ").join(map(Identifier, frame.columns))
    columns = [SQL("{} " + _type(frame[name])).format(Identifier(name)) for name in frame.columns]
    cursor.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}")
    cursor.execute(f"SET search_path TO {schema}")
    listed = SQL(", ").join(columns)
    cursor.execute(SQL("CREATE TABLE rows ({}, row_number SERIAL)").format(listed))
    with cursor.copy(SQL("COPY rows ({}) FROM STDIN").format(names)) as copy:
        gaps = [nan if frame[name].dtype.kind == "f" else None for name in frame.columns]
        for row in frame.itertuples(index=False):
            copy.write_row([_cell(*each) for each in zip(row, gaps, strict=True)])
    # a table has no order of its own
    ordered = SQL("CREATE VIEW data AS SELECT {} FROM rows ORDER BY row_number")
    cursor.execute(ordered.format(names))
    _last[schema] = key
    return schema


def _type(column):
    if column.dtype.kind == "O" and {type(v) for v in column.dropna()} == {bool}:
        return "BOOLEAN"
    return _TYPES.get(column.dtype.kind, "TEXT")


def in_ansi(sql, frame):
    """Standard SQL, which knows no NaN, on the server whose SQL is nearest to it."""
    return in_postgres(sql, frame, nan=None)


def _cell(value, nan):
    if isinstance(value, float):
        return value if value == value else nan
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    return value.item() if hasattr(value, "item") else value


ENGINES = {"duckdb": in_duckdb, "sqlite": in_sqlite}
if HAS_POSTGRES:
    ENGINES |= {"postgres": in_postgres, "ansi": in_ansi}


def in_onnx(model, frame):
    session = onnxruntime.InferenceSession(model.to_onnx().SerializeToString())
    given = {}
    for each in session.get_inputs():
        if each.name == "X":
            given["X"] = frame.to_numpy(dtype=np.float64)
        elif frame[each.name].dtype.kind == "M":
            moments = frame[each.name].to_numpy("datetime64[us]")
            seconds = moments.astype(np.int64) / 1e6
            given[each.name] = np.where(np.isnat(moments), np.nan, seconds)[:, None]
        elif "string" in each.type:
            texts = frame[each.name].astype(object)
            given[each.name] = texts.where(texts.notna(), "").to_numpy(dtype=object)[:, None]
        else:
            given[each.name] = frame[each.name].to_numpy(dtype=np.float64)[:, None]
    names = [each.name for each in session.get_outputs()]
    return dict(zip(names, session.run(None, given), strict=True))


def compare(found, expected):
    if expected.dtype.kind in "fiub":
        np.testing.assert_allclose(
            np.asarray(found, dtype=float), expected, rtol=TOLERANCE, atol=TOLERANCE
        )
    else:
        assert list(found) == list(expected)


def check(model, frame, *, onnx=True):
    """Predictions and probabilities of a fitted model from both databases and from ONNX."""
    predictions = model.predict(frame)
    chances = model.predict_proba(frame) if hasattr(model, "predict_proba") else None
    for name, run in ENGINES.items():
        found = run(model.to_sql(name), frame)
        if predictions.ndim == 2:
            compare(found[[f"prediction_{t}" for t in range(predictions.shape[1])]], predictions)
        else:
            compare(found["prediction"], predictions)
        if chances is not None:
            compare(found[[f"probability_{label}" for label in model.classes_]], chances)
    if onnx:
        found = in_onnx(model, frame)
        compare(found["prediction"], predictions)
        if chances is not None:
            compare(found["probabilities"], chances)


def check_columns(transformer, frame, *, onnx=True):
    expected = transformer.transform(frame)
    expected = expected.toarray() if hasattr(expected, "toarray") else np.asarray(expected)
    names = transformer.get_feature_names_out()
    for name, run in ENGINES.items():
        compare(run(transformer.to_sql(name), frame)[list(names)], expected.astype(float))
    if onnx:
        compare(in_onnx(transformer, frame)["columns"], expected.astype(float))
