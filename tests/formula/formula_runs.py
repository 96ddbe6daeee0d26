"""Formulas run by databases and onnxruntime, held against the models they were made of."""

from __future__ import annotations

import sqlite3

import duckdb
import numpy as np
import onnxruntime
import pandas as pd

TOLERANCE = 1e-9


def in_duckdb(sql, frame):
    connection = duckdb.connect()
    connection.register("data", frame)
    return connection.execute(sql).df()


def in_sqlite(sql, frame):
    connection = sqlite3.connect(":memory:")
    frame.to_sql("data", connection, index=False)
    return pd.read_sql(sql, connection)


ENGINES = {"duckdb": in_duckdb, "sqlite": in_sqlite}


def in_onnx(model, frame):
    session = onnxruntime.InferenceSession(model.to_onnx().SerializeToString())
    given = {}
    for each in session.get_inputs():
        if each.name == "X":
            given["X"] = frame.to_numpy(dtype=np.float64)
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
