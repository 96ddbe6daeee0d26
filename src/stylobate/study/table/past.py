"""The target's own past as columns: what it was some steps before, and means up to then.

A forecast h steps ahead knows the targets up to h steps before its row, and no later one. All lags
are h or more, so that no column of a row holds anything that is not known when it is predicted.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator
from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.study.table.steps import Steps

_NEAR = 3  # lags from the horizon on
_FAR = 0.2  # of the series, that the longest lag may reach back
_WINDOWS = (3, 12)  # steps of the means, besides those of seasons


@dataclass(frozen=True)
class PastPlan:
    """Which steps back are looked at.

    Attributes
    ----------
    target : str
    horizon : int
        Steps between the last known target and the row that is predicted.
    lags : tuple of int
    windows : tuple of int
        Lengths of the means, each of which ends `horizon` steps before the row.
    """

    target: str
    horizon: int
    lags: tuple[int, ...]
    windows: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns made."""
        before = [f"{self.target} {lag} before" for lag in self.lags]
        means = [f"{self.target} mean of {w} up to {self.horizon} before" for w in self.windows]
        return (*before, *means)


def plan_of(target: str, horizon: int, steps: Steps, n_steps: int, *, numbers: bool) -> PastPlan:
    """The nearest lags, and those of the seasons that steps of this length have.

    >>> from stylobate.study.table.steps import steps_of
    >>> hours = np.arange("2024-01-01", "2024-03-01", dtype="M8[h]")
    >>> steps = steps_of("hour", hours.astype("M8[us]").astype(float), dates=True)
    >>> plan_of("load", 2, steps, len(hours), numbers=True).lags
    (2, 3, 4, 24, 168)
    """
    seasons = [-(-horizon // season) * season for season in steps.seasons]
    wanted = [*range(horizon, horizon + _NEAR), *seasons]
    farthest = max(_FAR * n_steps, float(horizon))
    lags = sorted({lag for lag in wanted if lag <= farthest})
    windows = sorted({w for w in (*_WINDOWS, *steps.seasons) if w + horizon <= farthest})
    return PastPlan(target, horizon, tuple(lags), tuple(windows) if numbers else ())


class PastOfTarget(BaseEstimator):
    """A step that adds the target's past to rows; it remembers the targets of the fit.

    Parameters
    ----------
    plan : PastPlan
    series : Steps
    notation : str or None
        How the time column writes dates.
    columns : tuple of str
        What the next step takes, the past included.
    """

    schema_: Schema  # of the columns of new rows, as commands that read files want to know

    def __init__(
        self, plan: PastPlan, series: Steps, notation: str | None, columns: tuple[str, ...]
    ) -> None:
        self.plan = plan
        self.series = series
        self.notation = notation
        self.columns = columns

    def fit(self, X: Any, y: Any) -> PastOfTarget:
        """Remember the targets of all rows of a table.

        Parameters
        ----------
        X : ColumnTable
            With the time column.
        y : array
            Numbers or labels, one of each row.
        """
        table = X if isinstance(X, ColumnTable) else ColumnTable(X)
        places = self._places(table)
        held = [name for name in self.columns if name not in self.plan.names]
        held += [self.series.name] * (self.series.name not in held)
        self.feature_names_in_ = np.array(held, dtype=object)
        self.n_features_in_ = len(held)
        self.history_ = empty(int(places.max()) + 1, y)
        self.history_[places] = y
        return self

    def transform(self, X: Any) -> ColumnTable:
        """The rows with their past; targets the rows carry along extend what is remembered."""
        table = _table(X)
        if all(name in table.columns for name in self.plan.names):
            return table.select(self.columns)
        places = self._places(table)
        history = self._known(table, places)
        made = past_columns(self.plan, history, places)
        self._warn(history, places)
        held = {name: table[name] for name in table.columns}
        return ColumnTable({**held, **made}).select(self.columns)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of what the next step takes."""
        return np.array(self.columns, dtype=object)

    def _warn(self, history: NDArray[Any], places: NDArray[np.intp]) -> None:
        known = np.flatnonzero(~_missing(history))
        late = places - self.plan.horizon > (known[-1] if len(known) else -1)
        if late.any():
            warnings.warn(
                f"{int(late.sum())} of {len(late)} rows are more than {self.plan.horizon} steps "
                f"after the last known {self.plan.target}; the past they need is missing, and "
                "they are predicted as if it were typical. Give rows with the targets known by "
                "now, or repeat the study with them.",
                StylobateWarning,
                stacklevel=3,
            )

    def _places(self, table: ColumnTable) -> NDArray[np.intp]:
        from stylobate.preprocessing.table.parts import numbers_of
        from stylobate.preprocessing.time_and_place.dates import moments_of

        values = table[self.series.name]
        if self.series.dates:
            dates = moments_of(values, self.notation)
            moments = np.where(np.isnat(dates), np.nan, dates.astype(np.int64))
        else:
            moments = numbers_of(values)
        if not np.isfinite(moments).all():
            raise InvalidDataError(
                f"{self.series.name!r} is missing or no moment in "
                f"{int((~np.isfinite(moments)).sum())} rows; their past cannot be found."
            )
        return self.series.places(moments)

    def _known(self, table: ColumnTable, places: NDArray[np.intp]) -> NDArray[Any]:
        """The targets remembered, and those of the rows where none is."""
        length = max(len(self.history_), int(places.max(initial=0)) + 1)
        history = empty(length, self.history_)
        history[: len(self.history_)] = self.history_
        if self.plan.target in table.columns:
            given = table[self.plan.target]
            new = (places >= 0) & _missing(history[np.maximum(places, 0)]) & ~_missing(given)
            history[places[new]] = given[new]
        return history


def past_columns(
    plan: PastPlan, history: NDArray[Any], places: NDArray[np.intp]
) -> dict[str, NDArray[Any]]:
    """The columns of rows at some places of a series, missing where there was nothing yet."""
    made = [_at(history, places - lag) for lag in plan.lags]
    for window in plan.windows:
        back = plan.horizon + np.arange(window)
        values = np.array([_at(history, places - each) for each in back], dtype=np.float64)
        known = np.isfinite(values)
        count = known.sum(axis=0)
        sums = np.where(known, values, 0.0).sum(axis=0)
        made.append(np.where(2 * count >= window, sums / np.maximum(count, 1), np.nan))
    return dict(zip(plan.names, made, strict=True))


def _at(history: NDArray[Any], places: NDArray[np.intp]) -> NDArray[Any]:
    inside = (places >= 0) & (places < len(history))
    found = empty(len(places), history)
    found[inside] = history[places[inside]]
    return found


def empty(length: int, like: Any) -> NDArray[Any]:
    """Missing values of the type of some targets."""
    if np.asarray(like).dtype.kind in "fiu":
        return np.full(length, np.nan)
    return np.full(length, None, dtype=object)


def _missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    return np.array([value is None or value != value for value in values.tolist()], dtype=bool)


def _table(rows: Any) -> ColumnTable:
    if isinstance(rows, ColumnTable):
        return rows
    return ColumnTable({str(name): np.asarray(rows[name]) for name in rows.columns})
