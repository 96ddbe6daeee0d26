"""The average of the best families' models: one more row of the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.study_role import StudyRole
from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema
from stylobate.pipeline import Pipeline
from stylobate.study.question.question import Asked
from stylobate.study.results import LeaderRow
from stylobate.study.search.encoding import extra_of, make_encoder
from stylobate.study.search.families import ENSEMBLE, Family, Setting

_MEMBERS = 3
_LEAST_SIMPLE = 1000
_FEW_VALUES = 20  # of a category that is encoded alike whatever the rows
_SEEN_ROWS = 2000  # that an encoder is shown to tell which of its columns are categories


def ensemble_of(
    asked: Asked,
    families: Sequence[Family],
    leaderboard: Sequence[LeaderRow],
    table: ColumnTable,
    y: NDArray[Any],
    schema: Schema,
) -> Family | None:
    """The mean of the predictions (of classes: of the probabilities) of the best three families.

    Parameters
    ----------
    asked : Asked
    families : sequence of Family
    leaderboard : sequence of LeaderRow
        The best first.
    table, y
        Features and targets of the training rows.
    schema : Schema
        What they are.

    Returns
    -------
    Family or None
        None where fewer than two families can take part.
    """
    by_name = {each.name: each for each in families}
    members: list[tuple[str, Any]] = []
    titles, keys = [], []
    for row in leaderboard:
        if row.is_baseline or row.verdict in ("unstable", "failed") or row.family in dict(members):
            continue
        family = by_name[row.family]
        setting = next((each for each in family.settings if each.key == row.key), None)
        if setting is None or len(members) == _MEMBERS:
            continue
        member = _member(family, setting, table, y, schema, asked)
        if member is not None:
            members.append((family.name, member))
            titles.append(family.role.title)
            keys.append(setting.key)
    if len(members) < 2:
        return None
    title = f"Average of {', '.join(titles[:-1])} and {titles[-1]}"
    role = StudyRole(ENSEMBLE, title, _LEAST_SIMPLE, encoding="table")
    template = _average(members, asked)
    key = Setting(f"{ENSEMBLE}({' + '.join(keys)})", ENSEMBLE, {}, 0)
    return Family(role, type(template), (key,), template=template)


def _member(
    family: Family,
    setting: Setting,
    table: ColumnTable,
    y: NDArray[Any],
    schema: Schema,
    asked: Asked,
) -> Any:
    """A family's encoder and model as one; None where it gives no probabilities."""
    classes = asked.question.task != "regression"
    task = asked.question.task
    encoder = make_encoder(family.encoding, schema, task)
    extra: dict[str, Any] = {}
    if encoder is not None:
        if family.encoding == "codes" and not _varies(schema):
            few = np.arange(min(len(table), _SEEN_ROWS))
            extra = extra_of(encoder.fit(table[few], y[few]), family.encoding)
        encoder = make_encoder(family.encoding, {each.name: each.kind for each in schema}, task)
    model = family.model(setting, **extra)
    if classes and not hasattr(model, "predict_proba"):
        return None
    return model if encoder is None else Pipeline([("table", encoder), ("model", model)])


def _varies(schema: Schema) -> bool:
    """Whether the columns of an encoded table may depend on the rows an encoder is shown."""
    return any(
        each.kind == "text" or (each.kind == "nominal" and each.n_distinct > _FEW_VALUES)
        for each in schema
    )


def _average(members: list[tuple[str, Any]], asked: Asked) -> Any:
    from stylobate.ensemble import VotingClassifier, VotingRegressor

    if asked.question.task == "regression":
        return VotingRegressor(members)
    return VotingClassifier(members, voting="soft")
