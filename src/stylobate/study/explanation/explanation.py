"""The chosen model explained: what it uses, how it depends on it, where it is wrong."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Column
from stylobate.exceptions import StylobateError
from stylobate.inspection import partial_dependence, permutation_importance, worst_mistakes
from stylobate.report import shortened
from stylobate.study.explanation.coefficients import coefficients_of, formula_of
from stylobate.study.explanation.moments_grid import moments_grid
from stylobate.study.explanation.shuffles import Shuffles
from stylobate.study.explanation.together import collinear_groups
from stylobate.study.output.sentences import counted
from stylobate.study.question.question import Asked
from stylobate.study.results import (
    MOST_CATEGORIES,
    Choice,
    Coefficient,
    DependencePoints,
    Explanation,
    Importance,
    Mistake,
)
from stylobate.study.search.families import BASELINE
from stylobate.study.search.whole_model import WholeModel
from stylobate.study.table.table import plain_cell
from stylobate.study.table.thinning import some

EXPLAINED_ROWS = 2000  # of the hold-out that importances come from
_CURVE_ROWS = 300
_FEATURES, _GRID = 4, 20  # curves, and points of each
_MISTAKES = 8


def explain(
    asked: Asked,
    choice: Choice,
    final: WholeModel,
    trained: WholeModel,
    table: ColumnTable,
    holdout: NDArray[np.intp],
    y_all: NDArray[Any],
    rows: NDArray[np.intp],
    seed: int,
    shuffles: Shuffles,
    refits: int,
) -> Explanation:
    """Explain the final model, and the one that never saw the hold-out on the hold-out.

    Parameters
    ----------
    final, trained : Fitted
        To all rows, and to the training rows.
    table : ColumnTable
        Features of all rows that take part.
    holdout : array of int
        Positions of the locked rows among them.
    y_all : array
        Targets of all of them.
    rows : array of int
        Their numbers in the source.
    shuffles : Shuffles
        Which columns there is time to shuffle, and how often.
    refits : int
        How many fits to resampled rows there is time for.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        coefficients, note = coefficients_of(final, asked, y_all, seed, refits)
        chosen = some(holdout, EXPLAINED_ROWS, seed)
        together = collinear_groups(table[chosen].select(shuffles.columns))
        importances = _importances(
            asked, trained, table[chosen], y_all[chosen], seed, shuffles, together
        )
        strongest = [
            together.get(each.name, [each.name])[0]
            for each in importances[:_FEATURES]
            if each.mean > 0
        ]
        dependence = _dependence(asked, trained, table[some(holdout, _CURVE_ROWS, seed)], strongest)
        mistakes = _mistakes(asked, trained, table, holdout, y_all, rows)
    said = f"{len(chosen)} rows of the hold-out, {shuffles.words(len(table.columns))}"
    if together:
        said += "; columns that say nearly the same are shuffled together, as in a + b"
    return Explanation(
        _words(asked, choice, final, coefficients, importances, len(table.columns)),
        formula_of(final, asked),
        coefficients,
        note,
        importances,
        f"How much {asked.question.metric.label} gets worse when a column is shuffled ({said}).",
        dependence,
        mistakes,
    )


def _importances(
    asked: Asked,
    trained: WholeModel,
    table: ColumnTable,
    y: NDArray[Any],
    seed: int,
    shuffles: Shuffles,
    together: dict[str, list[str]],
) -> tuple[Importance, ...]:
    features = None
    if len(shuffles.columns) < len(table.columns):
        held = {name for group in together.values() for name in group}
        features = [*together, *(name for name in shuffles.columns if name not in held)]
    found: Any = permutation_importance(
        trained.pipeline, table, y, scoring=asked.scorer, n_repeats=shuffles.repeats,
        random_state=seed, groups=together or None, features=features,
    )  # fmt: skip
    listed = []
    for k, name in enumerate(found.feature_names):
        low, high = _number(found.importances_low[k]), _number(found.importances_high[k])
        listed.append(Importance(str(name), float(found.importances_mean[k]), low, high))
    return tuple(sorted(listed, key=lambda each: -each.mean))


def _dependence(
    asked: Asked, trained: WholeModel, table: ColumnTable, names: list[str]
) -> tuple[DependencePoints, ...]:
    found = []
    for name in names:
        column = _column(trained, name)
        if column is not None and column.kind == "text":  # which no few values stand for
            continue
        own = None if column is None else moments_grid(table[name], column)
        try:
            made: Any = partial_dependence(
                trained.pipeline, table, [name], grid_resolution=_GRID, kind="both",
                custom_values=None if own is None else {name: own.values},
            )  # fmt: skip
        except (StylobateError, ValueError, TypeError):
            continue
        points = _points(asked, name, made)
        if own is None:
            found += [_commonest_first(each, table[name]) for each in points]
        else:
            found += [replace(each, kind="categories", grid=own.labels) for each in points]
    return tuple(found)


def _column(trained: WholeModel, name: str) -> Column | None:
    """What a column was found to be, where the model has an encoder."""
    schema = getattr(trained.pipeline.steps[0][1], "schema_", ())
    return next((each for each in schema if each.name == name), None)


def _commonest_first(points: DependencePoints, column: NDArray[Any]) -> DependencePoints:
    """Categories by how often they occur, where there are more than a page shows."""
    if points.kind == "numbers" or len(points.grid) <= MOST_CATEGORIES:
        return points
    counts = Counter(map(str, column.tolist()))
    order = sorted(range(len(points.grid)), key=lambda k: -counts[points.grid[k]])
    grid, mean, low, high = (
        tuple(values[k] for k in order)
        for values in (points.grid, points.mean, points.low, points.high)
    )
    return replace(points, grid=grid, mean=mean, low=low, high=high)


def _points(asked: Asked, name: str, made: Any) -> list[DependencePoints]:
    """A curve for each output that is shown: numbers, the positive class, or every class."""
    grid = np.asarray(made["grid_values"][0])
    average = np.asarray(made["average"])
    own = np.asarray(made["individual"])
    numbers = grid.dtype.kind in "iufb" and not bool(made.categorical[0])
    values = tuple(float(v) for v in grid) if numbers else tuple(str(v) for v in grid)
    points = []
    for k in range(len(average)):
        label = None
        if asked.question.task == "binary":
            label = asked.question.positive
        elif asked.question.task == "multiclass" and len(average) == len(asked.labels):
            label = str(asked.labels[k])
        low, high = np.quantile(own[k], [0.25, 0.75], axis=0)
        points.append(
            DependencePoints(
                name, "numbers" if numbers else "categories", values, tuple(map(float, average[k])),
                tuple(map(float, low)), tuple(map(float, high)), label,
            )
        )  # fmt: skip
    return points


def _mistakes(
    asked: Asked,
    trained: WholeModel,
    table: ColumnTable,
    holdout: NDArray[np.intp],
    y_all: NDArray[Any],
    rows: NDArray[np.intp],
) -> tuple[Mistake, ...]:
    """The locked rows the model got most wrong."""
    found = worst_mistakes(trained.pipeline, table[holdout], y_all[holdout], n=_MISTAKES)
    return tuple(
        Mistake(
            int(rows[holdout[each.row]]),
            _label(asked, each.actual),
            _label(asked, each.predicted),
            each.probability,
            each.error,
            {name: plain_cell(value) for name, value in each.values.items()},
        )
        for each in found
        if each.predicted != each.actual
    )


def _label(asked: Asked, value: Any) -> Any:
    return str(asked.labels[int(value)]) if len(asked.labels) else float(value)


def _words(
    asked: Asked,
    choice: Choice,
    final: WholeModel,
    coefficients: tuple[Coefficient, ...],
    importances: tuple[Importance, ...],
    n_columns: int,
) -> str:
    question = asked.question
    what = (
        question.target if question.positive is None else f"{question.target} = {question.positive}"
    )
    if choice.family == BASELINE:
        return f"{choice.title} predicts {what} the same for every row, whatever its columns hold."
    said = [f"{choice.title} predicts {what} from {_columns(n_columns, len(final.names))}."]
    said += _relied_on(importances)
    clear = [
        c
        for c in coefficients
        if c.low is not None and c.high is not None and c.low * c.high > 0 and c.of_class is None
    ][:3]
    if clear and len(final.names) == 1:
        way = "rises" if clear[0].value > 0 else "falls"
        said.append(f"Its prediction {way} with {clear[0].name}.")
    elif clear:
        parts = [f"{shortened(c.name)} {'raises' if c.value > 0 else 'lowers'} it" for c in clear]
        said.append(f"Others held fixed, {', '.join(parts)}.")
    return " ".join(said)


def _relied_on(importances: tuple[Importance, ...]) -> list[str]:
    """The columns whose shuffling costs most, if it costs more than noise."""
    strong = [each for each in importances if each.mean > 0][:3]
    names = ", ".join(shortened(each.name) for each in strong)
    if not importances:
        return []
    if not strong:
        return ["Shuffling any one column hardly changes its score."]
    if any(each.low is None or each.low > 0 for each in strong):
        return [f"It relies most on {names}."]
    return [f"No column by itself matters by more than noise; those that matter most are {names}."]


def _columns(given: int, encoded: int) -> str:
    """How many columns there are, and how many numbers they become.

    >>> _columns(3, 5), _columns(1, 1)
    ('3 columns, encoded as 5 numbers', '1 column')
    """
    said = counted(given, "column")
    return said if encoded == given else f"{said}, encoded as {counted(encoded, 'number')}"


def _number(value: Any) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)
