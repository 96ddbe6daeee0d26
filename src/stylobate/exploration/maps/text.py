"""Maps of rows as text, at most 100 characters a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.exploration.chosen_columns import left_out_text
from stylobate.exploration.text.words import paragraph, printable
from stylobate.report import number, percent

if TYPE_CHECKING:
    from stylobate.exploration.maps.neighborhoods import OutlyingRow, Separation
    from stylobate.exploration.maps.row_map import RowMap

_ROWS = 5  # outlying rows that are printed
_GROUPS = 8


def map_text(found: RowMap) -> str:
    """Head, maps, components, target, outlying rows, notes."""
    parts = [
        _head(found),
        *(
            "\n".join(
                [each.name, paragraph(f"{each.words}.", "· "), paragraph(f"{each.meaning}.", "· ")]
            )
            for each in found.maps
        ),
        _components(found),
        _separation(found.separation),
        _outliers(found.outliers),
        _notes(found),
    ]
    return "\n\n".join(part for part in parts if part)


def _head(found: RowMap) -> str:
    count = len(found.columns)
    rows = f"{found.rows:,} rows, compared by {count} column{'s' * (count != 1)}"
    lines = [printable(f"{found.source}: {rows}")]
    names = " and ".join(each.name for each in found.maps)
    lines.append(paragraph(f"Maps: {names} ({found.method_reason})."))
    if found.left_out:
        lines.append(paragraph(f"Left out: {left_out_text(found.left_out)}."))
    return "\n".join(lines)


def _components(found: RowMap) -> str:
    if not found.components:
        return ""
    lines = ["Principal components"]
    for at, each in enumerate(found.components, 1):
        lines.append(paragraph(f"{at} ({percent(each.share)} of the variance): {each.words}", "· "))
    return "\n".join(lines)


def separation_words(found: Separation) -> str:
    """How far neighbours agree in the target, in a sentence."""
    on_maps = ", ".join(f"{name} {percent(value)}" for name, value in found.by_map.items())
    if found.measure == "purity":
        return (
            f"{percent(found.among_rows)} of the nearest rows are of the same {found.target} "
            f"(by chance {percent(found.chance)}); on the maps: {on_maps}"
        )
    return (
        f"the mean of the nearest rows explains {percent(max(found.among_rows, 0.0))} of the "
        f"variance of {found.target} (by chance nothing); on the maps: {on_maps}"
    )


def _separation(found: Separation | None) -> str:
    if found is None:
        return ""
    lines = [printable(f"Target {found.target}"), paragraph(f"{separation_words(found)}.", "· ")]
    groups = list(found.groups.items())
    for name, (rows, purity) in groups[:_GROUPS]:
        lines.append(paragraph(f"{name[:60]}: {rows:,} rows, {percent(purity)} alike", "· "))
    if len(groups) > _GROUPS:
        lines.append(paragraph(f"and {len(groups) - _GROUPS} more groups", "· "))
    return "\n".join(lines)


def outlier_words(row: OutlyingRow) -> str:
    """Where a row is, how far out, and by which columns."""
    cells = ", ".join(f"{name} {value[:40]}" for name, value in row.columns.items())
    said = f"row {row.row + 1}: {number(row.ratio, 2)} × as far from its neighbours"
    return f"{said} ({cells})" if cells else said


def _outliers(rows: tuple[OutlyingRow, ...]) -> str:
    if not rows:
        return ""
    lines = ["Rows far from all others"]
    lines += [paragraph(outlier_words(row), "· ") for row in rows[:_ROWS]]
    if len(rows) > _ROWS:
        lines.append(paragraph(f"and {len(rows) - _ROWS} more", "· "))
    return "\n".join(lines)


def _notes(found: RowMap) -> str:
    if not found.notes:
        return ""
    return "\n".join(["Notes", *(paragraph(f"{note}.", "· ") for note in found.notes)])
