"""A fitted pipeline that is asked about the same rows many times, and looks at them once."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from stylobate.data.column_table import ColumnTable
from stylobate.pipeline import Pipeline

_METHODS = ("predict", "predict_proba", "decision_function")


def asked_once(pipeline: Pipeline, table: ColumnTable) -> Pipeline:
    """A copy that encodes a table once and keeps what it answers about it.

    A hold-out is judged by several metrics, a curve and a confusion matrix, all of the same
    predictions. Other rows are answered as the pipeline answers them.

    Parameters
    ----------
    pipeline : fitted Pipeline
    table : ColumnTable
        The rows that will be asked about.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import LinearRegression
    >>> from stylobate.preprocessing import TableEncoder
    >>> table = ColumnTable({"a": np.array([1.0, 2.0, 3.0])})
    >>> made = Pipeline([("table", TableEncoder()), ("model", LinearRegression())])
    >>> twin = asked_once(made.fit(table, [1.0, 2.0, 3.0]), table)
    >>> twin.predict(table) is twin.predict(table), twin.predict(table).round(6).tolist()
    (True, [1.0, 2.0, 3.0])
    """
    twin: Any = copy(pipeline)
    twin._before_last = _encoded(pipeline, table)
    for name in _METHODS:
        if hasattr(pipeline, name):
            # the class's own method, with the copy as its pipeline: it finds the encoded rows
            setattr(twin, name, _kept(getattr(type(pipeline), name).__get__(twin), table))
    return twin  # type: ignore[no-any-return]


def _encoded(pipeline: Pipeline, table: ColumnTable) -> Callable[..., Any]:
    """What the steps before the last make of rows, whichever method of the last asks for them."""
    encoded: list[Any] = []

    def before_last(X: Any, given: dict[str, Any]) -> Any:
        routed = any(arguments for step in given.values() for arguments in step.values())
        if X is not table or routed:
            return pipeline._before_last(X, given)
        if not encoded:
            encoded.append(pipeline._before_last(X, given))
        return encoded[0]

    return before_last


def _kept(method: Callable[..., Any], table: ColumnTable) -> Callable[..., Any]:
    answers: list[Any] = []

    def answer(X: Any, *args: Any, **params: Any) -> Any:
        if X is not table or args or params:
            return method(X, *args, **params)
        if not answers:
            answers.append(method(X))
        return answers[0]

    return answer
