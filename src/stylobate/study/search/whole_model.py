"""Whole models: encoder and estimator fitted to some rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema
from stylobate.pipeline import Pipeline
from stylobate.study.question.question import Asked
from stylobate.study.search.encoding import extra_of, make_encoder
from stylobate.study.search.families import Family, Setting
from stylobate.study.table.division import drawn_order

ENCODER, MODEL = "table", "model"


@dataclass(frozen=True, eq=False)
class WholeModel:
    """A pipeline with what was seen while it was fitted.

    Attributes
    ----------
    pipeline : Pipeline
        From the table's columns to predictions.
    model : estimator
        Its last step (inside the one that decides by costs, if there is one).
    x : array or ColumnTable
        What the model was fitted to, in the order of the table.
    names : tuple of str
        Names of its columns.
    seconds : float
    warnings : tuple of str
    """

    pipeline: Any
    model: Any
    x: Any
    names: tuple[str, ...]
    seconds: float
    warnings: tuple[str, ...]


def fit_whole(
    asked: Asked,
    family: Family,
    setting: Setting,
    table: ColumnTable,
    schema: Schema,
    y: NDArray[Any],
    *,
    labelled: bool = False,
) -> WholeModel:
    """Fit encoder and model to all rows of a table.

    Parameters
    ----------
    labelled : bool, default=False
        Whether the model shall speak of the table's own labels instead of class codes.
    """
    started = perf_counter()
    kinds = {column.name: column.kind for column in schema}
    encoder = make_encoder(family.encoding, kinds if labelled else schema)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        x: Any = table
        names = table.columns
        extra: dict[str, Any] = {}
        if encoder is not None:
            x = np.asarray(encoder.fit_transform(table))
            names = tuple(str(name) for name in encoder.get_feature_names_out())
            extra = extra_of(encoder, family.encoding)
        inner = family.model(setting, **extra)
        target = asked.labelled(y.astype(np.intp)) if labelled and len(asked.labels) else y
        model = _deciding(inner, asked, labelled)
        order = drawn_order(len(y), 0)
        model.fit(x[order], target[order])
    steps = [(MODEL, model)] if encoder is None else [(ENCODER, encoder), (MODEL, model)]
    said = tuple(dict.fromkeys(str(each.message) for each in caught))
    innermost = getattr(model, "estimator_", model) if model is not inner else model
    return WholeModel(Pipeline(steps), innermost, x, names, perf_counter() - started, said)


def _deciding(model: Any, asked: Asked, labelled: bool) -> Any:
    """The model, deciding by costs where there are any."""
    costs = asked.question.costs
    if costs is None:
        return model
    from stylobate.decision import CostSensitiveClassifier

    matrix = np.array([[0.0, costs.false_positive], [costs.false_negative, 0.0]])
    if labelled and asked.labels[0] > asked.labels[1]:  # costs go by the sorted labels
        matrix = matrix[::-1, ::-1]
    return CostSensitiveClassifier(model, cost=matrix)
