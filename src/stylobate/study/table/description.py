"""The table and its target in the study's own values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.report import number, shortened
from stylobate.study.question.question import Asked
from stylobate.study.results import ColumnNote, DataSummary, FeatureStrength, TargetSummary
from stylobate.study.table.table import StudyTable, plain_cell
from stylobate.study.table.thinning import some

_SAMPLE_ROWS, _SAMPLE_COLUMNS, _SAMPLE_LETTERS = 5, 12, 200  # of the rows a page shows


def describe(
    table: StudyTable,
    asked: Asked,
    profile: Any,
    left_out: Mapping[str, str],
    training: Indices,
    seed: int = 0,
) -> DataSummary:
    """What is in the table, what becomes of its columns, and what each says about the target.

    Parameters
    ----------
    table, asked
    profile : Profile or None
        What exploring found.
    left_out : mapping of str to str
        Columns that are no features, with the reason.
    training : array of int
        Positions of the rows that may be looked at.
    seed : int
        Of the rows shown.
    """
    special = {
        asked.question.target: "target",
        asked.question.group: "group",
    }
    notes = []
    for column in table.schema:
        use = special.get(column.name, "left out" if column.name in left_out else "feature")
        reason = left_out.get(column.name, column.reason)
        notes.append(
            ColumnNote(column.name, column.kind, column.n_missing, column.n_distinct, use, reason)
        )
    repeated = 0 if profile is None else int(getattr(profile.duplicates, "rows", 0) or 0)
    said = [*table.notes, *asked.left_out]
    return DataSummary(
        table.n_rows, tuple(notes), _target(asked), _strengths(profile), repeated, tuple(said),
        _sample(table, asked, left_out, some(training, _SAMPLE_ROWS, seed)),
    )  # fmt: skip


def _sample(
    table: StudyTable, asked: Asked, left_out: Mapping[str, str], positions: Indices
) -> tuple[dict[str, Any], ...]:
    """A few rows: the target and the first columns that take part."""
    target = asked.question.target
    names = [name for name in table.columns.columns if name not in left_out and name != target]
    shown = table.columns.select([target, *names[: _SAMPLE_COLUMNS - 1]])
    rows = asked.rows[positions]
    codes = {each.name for each in table.schema if each.kind in ("nominal", "binary", "ordinal")}
    cells = {
        name: [_shown(value, as_text=name in codes) for value in shown[name][rows]]
        for name in shown.columns
    }
    return tuple({name: cells[name][k] for name in cells} for k in range(len(rows)))


def _shown(value: Any, *, as_text: bool) -> Any:
    """A cell; numbers that name something (a postal code) as they are written."""
    cell = plain_cell(value)
    if as_text and isinstance(cell, int | float) and not isinstance(cell, bool):
        cell = f"{cell:.0f}" if float(cell).is_integer() else str(cell)
    return shortened(cell, _SAMPLE_LETTERS) if isinstance(cell, str) else cell


def _target(asked: Asked) -> TargetSummary:
    y = asked.y
    if asked.question.task == "regression":
        quantiles = np.quantile(y, [0, 0.25, 0.5, 0.75, 1])
        ends = [number(q, 4) for q in quantiles]
        return TargetSummary(
            asked.missing,
            mean=float(y.mean()),
            deviation=float(y.std(ddof=1)),
            quantiles=tuple(float(q) for q in quantiles),
            words=f"From {ends[0]} to {ends[4]}, half of the rows between {ends[1]} and {ends[3]}.",
        )
    counts = np.bincount(y.astype(np.intp), minlength=len(asked.labels))
    shares = counts / counts.sum()
    classes = tuple(
        (str(label), int(n), float(share))
        for label, n, share in zip(asked.labels, counts, shares, strict=True)
    )
    commonest = int(counts.argmax())
    return TargetSummary(
        asked.missing,
        classes=classes,
        words=f"Always naming {asked.labels[commonest]} would be right in "
        f"{100 * shares[commonest]:.3g} % of the rows.",
    )


def _strengths(profile: Any) -> tuple[FeatureStrength, ...]:
    target = None if profile is None else profile.target
    if target is None:
        return ()
    found = []
    for each in target.features:
        explains = float(each.explains) if each.explains is not None else 0.0
        found.append(
            FeatureStrength(
                each.name, explains, each.measure, _number(each.value), _number(each.low),
                _number(each.high),
            )
        )  # fmt: skip
    return tuple(found)


def _number(value: Any) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)
