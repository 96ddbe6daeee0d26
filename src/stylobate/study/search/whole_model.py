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
from stylobate.data.streams import Batch, Stream
from stylobate.model_selection.validation.stream_data import learns_from
from stylobate.pipeline import Pipeline
from stylobate.study.question.question import Asked
from stylobate.study.search.encoding import as_design, extra_of, make_encoder
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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = _prepared(asked, family, setting, table, schema, y, labelled)
        order = drawn_order(len(y), 0)
        made.model.fit(made.x[order], _target(asked, y, labelled)[order])
    return made.finished(started, caught)


def fit_whole_stream(
    asked: Asked,
    family: Family,
    setting: Setting,
    table: ColumnTable,
    schema: Schema,
    y: NDArray[Any],
    rows: Stream,
    *,
    labelled: bool = False,
) -> WholeModel | None:
    """Fit the model to a stream, its encoder to the rows in memory; None where it needs those.

    Parameters
    ----------
    table : ColumnTable
        A sample of the rows.
    y : array
        Its targets.
    rows : Stream
        Features and targets (numbers or codes) of all rows.
    """
    started = perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = _prepared(asked, family, setting, table, schema, y, labelled)
        if not learns_from(made.model, rows):
            return None
        labels = asked.labels if labelled and len(asked.labels) else None
        made.model._fit_stream(rows.map_batches(_Encoded(made.encoder, labels)))
    return made.finished(started, caught)


@dataclass(frozen=True, eq=False)
class _Encoded:
    """The rows of a batch as the model takes them, in the table's labels or in codes."""

    encoder: Any
    labels: NDArray[Any] | None

    def __call__(self, batch: Batch, first: int) -> Batch:
        x = batch.x if self.encoder is None else as_design(self.encoder.transform(batch.x))
        return Batch(x, batch.y if self.labels is None else self.labels[batch.y.astype(np.intp)])


@dataclass(frozen=True, eq=False)
class _Prepared:
    """A model that is still to be fitted, behind an encoder that is."""

    encoder: Any
    model: Any  # with what decides by costs, if there are any
    inner: Any
    x: Any
    names: tuple[str, ...]

    def finished(self, started: float, caught: list[Any]) -> WholeModel:
        """The whole model, when the model has been fitted."""
        model = self.model
        steps = [(MODEL, model)]
        if self.encoder is not None:
            steps.insert(0, (ENCODER, self.encoder))
        said = tuple(dict.fromkeys(str(each.message) for each in caught))
        innermost = getattr(model, "estimator_", model) if model is not self.inner else model
        spent = perf_counter() - started
        return WholeModel(Pipeline(steps), innermost, self.x, self.names, spent, said)


def _prepared(
    asked: Asked,
    family: Family,
    setting: Setting,
    table: ColumnTable,
    schema: Schema,
    y: NDArray[Any],
    labelled: bool,
) -> _Prepared:
    kinds = {column.name: column.kind for column in schema}
    task = asked.question.task
    encoder = make_encoder(family.encoding, kinds if labelled else schema, task)
    x: Any = table
    names = table.columns
    extra: dict[str, Any] = {}
    if encoder is not None:
        x = as_design(encoder.fit_transform(table, y))
        names = tuple(str(name) for name in encoder.get_feature_names_out())
        extra = extra_of(encoder, family.encoding)
    inner = family.model(setting, **extra)
    return _Prepared(encoder, _deciding(inner, asked, labelled), inner, x, names)


def _target(asked: Asked, y: NDArray[Any], labelled: bool) -> NDArray[Any]:
    return asked.labelled(y.astype(np.intp)) if labelled and len(asked.labels) else y


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
