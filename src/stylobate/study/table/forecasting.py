"""A study of a series that is predicted some steps ahead: its target's past among the columns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema, infer_schema
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.study.output.sentences import counted
from stylobate.study.question.question import Asked
from stylobate.study.results import SplitPlan, StudyWarning
from stylobate.study.table.past import PastOfTarget, PastPlan, empty, past_columns, plan_of
from stylobate.study.table.steps import Steps, steps_of
from stylobate.study.table.structure import Structure
from stylobate.study.table.table import StudyTable

_TELLING = 0.6  # of the target's spread, below which steps from row to row are small


@dataclass(frozen=True)
class Forecast:
    """What is known of the series: the columns of its past, and its steps."""

    plan: PastPlan
    steps: Steps
    notation: str | None

    @property
    def words(self) -> str:
        """What the split means, to be added to it."""
        return (
            "Each row is predicted with the target known up to "
            f"{counted(self.plan.horizon, 'step')} before it "
            f"({len(self.plan.names)} columns of its past), in the folds and among the locked "
            "rows as well."
        )

    def step(self, table: StudyTable, asked: Asked, columns: tuple[str, ...]) -> PastOfTarget:
        """The step of the final pipeline that finds the past of new rows."""
        made = PastOfTarget(self.plan, self.steps, self.notation, columns)
        made.fit(table.columns[asked.rows], asked.labelled(asked.y))
        held = tuple(table.schema[str(name)] for name in made.feature_names_in_)
        made.schema_ = replace(table.schema, columns=held)
        return made


def with_past(
    table: StudyTable, asked: Asked, structure: Structure, horizon: int
) -> tuple[StudyTable, Forecast]:
    """The table with the target's past, known `horizon` steps before each row."""
    order = structure.order
    if order is None or len(order.names) > 1:
        raise InvalidParameterError(
            f"horizon={horizon} is for rows in the order of time, and which column tells it is not "
            "clear; name it (time_column)."
        )
    column = table.schema[order.names[0]]
    dates = column.kind == "datetime"
    steps = steps_of(column.name, order.moments, dates=dates)
    places = steps.places(order.moments)
    numbers = asked.question.task == "regression"
    plan = plan_of(asked.question.target, horizon, steps, int(places.max()) + 1, numbers=numbers)
    taken = [name for name in plan.names if name in table.columns.columns]
    if taken:
        raise InvalidParameterError(f"horizon: the table has a column {taken[0]!r}; rename it.")
    history = empty(int(places.max()) + 1, asked.labelled(asked.y))
    history[places] = asked.labelled(asked.y)
    made = {}
    for name, values in past_columns(plan, history, places).items():
        whole = empty(table.n_rows, values)
        whole[asked.rows] = values
        made[name] = whole
    columns = ColumnTable({**{n: table.columns[n] for n in table.columns.columns}, **made})
    found = _schema(ColumnTable(made), numbers)
    schema = replace(table.schema, columns=(*table.schema.columns, *found.columns))
    return replace(table, columns=columns, schema=schema), Forecast(plan, steps, column.notation)


def _schema(made: ColumnTable, numbers: bool) -> Schema:
    found = infer_schema(made)
    if not numbers:
        return found
    kept = tuple(replace(each, kind="numeric", reason="the target's past") for each in found)
    return replace(found, columns=kept)


def forecast_words(plan: SplitPlan, forecast: Forecast) -> SplitPlan:
    """The plan, with what is known of the past."""
    return replace(plan, how=f"{plan.how} {forecast.words}")


def past_is_telling(table: StudyTable, asked: Asked, structure: Structure) -> StudyWarning | None:
    """A hint, where the target hardly changes from one moment to the next and no horizon is given.

    The typical step from row to row is compared with the spread of the training rows' target.
    """
    order = structure.order
    if order is None or len(order.names) > 1 or asked.question.task != "regression":
        return None
    column = table.schema[order.names[0]]
    try:
        steps_of(column.name, order.moments, dates=column.kind == "datetime")
    except InvalidDataError:
        return None
    y = asked.y[np.argsort(order.moments, kind="stable")]
    y = y[: round(0.8 * len(y))]
    spread = float(np.std(y))
    step = float(np.sqrt(np.mean(np.diff(y) ** 2)))
    if spread == 0 or step > _TELLING * spread:
        return None
    text = (
        f"{asked.question.target} changes by {step:.3g} from one row to the next, and by "
        f"{spread:.3g} over all: its last values say much of the next one. If they are known when "
        "predictions are made, say how many steps ahead these are asked for (--horizon 1); here "
        "the whole stretch is predicted without them."
    )
    return StudyWarning("forecasting", text)
