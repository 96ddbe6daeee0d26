"""From a fitted model to SQL and ONNX."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stylobate.exceptions import FormulaError
from stylobate.formula.dialects import dialect as dialect_named
from stylobate.formula.expressions import Answer, Column, Expression
from stylobate.formula.sql import select
from stylobate.formula.without import without_formula


def has_formula(estimator: Any) -> bool:
    """Whether an estimator can be written as a formula (a fit may still not be)."""
    return getattr(estimator, "_formula", None) is not None


def formula_of(estimator: Any, columns: list[Expression]) -> Any:
    """The formula of a part of a model; refused in a sentence if it has none."""
    if not has_formula(estimator):
        raise FormulaError(
            f"{type(estimator).__name__} has no formula in SQL or ONNX, "
            f"{without_formula(estimator)}."
        )
    return estimator._formula(columns)


def inputs_of(estimator: Any) -> list[Expression]:
    """The columns a model takes, by name or x0, x1 and so on."""
    names = getattr(estimator, "feature_names_in_", None)
    if not hasattr(estimator, "n_features_in_"):
        raise FormulaError(
            f"{type(estimator).__name__} does not know its columns; fit it to a table first."
        )
    count = int(estimator.n_features_in_)
    known = [f"x{j}" for j in range(count)] if names is None else [str(name) for name in names]
    return [Column(name, place=j) for j, name in enumerate(known)]


def inputs_named(inputs: list[Expression]) -> list[str]:
    """The names of columns, for what is made of each of them and has no name of its own."""
    return [column.name for column in inputs if isinstance(column, Column)]


def outputs_of(estimator: Any) -> dict[str, Expression]:
    """What a model gives for a row, by name: predictions and probabilities, or columns."""
    estimator._check_fitted()
    inputs = inputs_of(estimator)
    found = formula_of(estimator, inputs)
    if not isinstance(found, Answer):
        named = hasattr(estimator, "get_feature_names_out")
        names = estimator.get_feature_names_out() if named else inputs_named(inputs)
        names = [str(name) for name in names]
        return dict(zip(names, found, strict=True))
    single = len(found.predictions) == 1
    outputs = {
        "prediction" if single else f"prediction_{t}": each
        for t, each in enumerate(found.predictions)
    }
    for label, each in zip(found.classes, found.probabilities, strict=bool(found.probabilities)):
        outputs[f"probability_{label}"] = each
    return outputs


def to_sql(
    estimator: Any,
    dialect: str = "duckdb",
    table: str = "data",
    keep: Sequence[str] = (),
    truths: Sequence[str] | None = None,
) -> str:
    """A SELECT that computes what a fitted model predicts for every row of a table.

    Parameters
    ----------
    estimator : estimator
        Fitted, of a kind that has a formula.
    dialect : {"duckdb", "sqlite", "postgres", "ansi"}, default="duckdb"
        Whose SQL.
    table : str, default="data"
        The table with the columns of the fit.
    keep : sequence of str, default=()
        Columns of the table to hand on, such as a key.
    truths : sequence of str, default=None
        Columns of the table that are BOOLEAN where the model takes numbers. Standard SQL makes no
        numbers of truth values, so that "ansi" has to be told; in "postgres" every column is looked
        at if none are named, which takes longer.

    Returns
    -------
    str
        Columns ``prediction`` and ``probability_…``, or the columns of a transformer.

    Examples
    --------
    >>> from stylobate.linear_model import LinearRegression
    >>> model = LinearRegression().fit([[0.0], [1.0]], [1.0, 3.0])
    >>> print(to_sql(model, "sqlite", "points"))
    WITH input AS MATERIALIZED (
    SELECT CAST("x0" AS REAL) AS "x0"
    FROM "points"
    )
    SELECT (1e0 + 2e0 * "x0") AS "prediction"
    FROM input
    """
    if isinstance(keep, str):
        keep = [keep]
    if isinstance(truths, str):
        truths = [truths]
    return select(outputs_of(estimator), dialect_named(dialect), table, keep, truths)


def to_onnx(estimator: Any, path: str | os.PathLike[str] | None = None) -> Any:
    """The ONNX graph of what a fitted model predicts, in double precision.

    Parameters
    ----------
    estimator : estimator
        Fitted, of a kind that has a formula, or a graph of its own as networks have.
    path : str or path, default=None
        Where to write it as well.

    Returns
    -------
    onnx.ModelProto
        With one input of shape (n, 1) for each column (numbers as double, texts as string, "" for
        a missing one, dates as double: seconds since 1970 in UTC, NaN for a missing one), or one
        input ``X`` of shape (n, p) if the model was fitted without names; outputs ``prediction`` of
        shape (n,) and ``probabilities`` of shape (n, k), or ``columns``. Texts are looked up as
        they are, or with one space before or after: trim others first.
    """
    try:
        import onnx
    except ImportError:
        raise FormulaError("to_onnx needs the package onnx; install it.") from None
    from stylobate.formula.onnx_model import graph_of

    estimator._check_fitted()
    if hasattr(estimator, "_onnx_graph"):  # one of matrices, for models of many products
        model = estimator._onnx_graph()
        if path is not None:
            onnx.save(model, str(Path(path)))
        return model
    inputs = inputs_of(estimator)
    found = formula_of(estimator, inputs)
    named = getattr(estimator, "feature_names_in_", None) is not None
    model = graph_of(found, inputs, named=named)
    if path is not None:
        onnx.save(model, str(Path(path)))
    return model
