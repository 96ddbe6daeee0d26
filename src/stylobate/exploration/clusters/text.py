"""A report on clusters as text, at most 100 characters a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.exploration.chosen_columns import left_out_text
from stylobate.exploration.clusters.methods import TITLES
from stylobate.exploration.text.words import paragraph, printable
from stylobate.report import percent

if TYPE_CHECKING:
    from stylobate.exploration.clusters.report import ClusterProfile, ClusterReport

_MOST_CELLS = 8  # of a typical row


def report_text(report: ClusterReport) -> str:
    """Head, number of clusters, each cluster, notes."""
    parts = [_head(report), *map(_cluster, report.clusters), _notes(report)]
    return "\n\n".join(part for part in parts if part)


def _head(report: ClusterReport) -> str:
    count = len(report.columns)
    rows = f"{report.rows:,} rows, compared by {count} column{'s' * (count != 1)}"
    lines = [printable(f"{report.source}: {rows}"), paragraph(report.sentence)]
    lines.append(paragraph(f"Method: {TITLES[report.method]}; {report.method_reason}."))
    if report.left_out:
        lines.append(paragraph(f"Left out: {left_out_text(report.left_out)}."))
    return "\n".join(lines)


def _cluster(cluster: ClusterProfile) -> str:
    rows = f"{cluster.size:,} row{'s' * (cluster.size != 1)} ({percent(cluster.share)})"
    head = f"{cluster.title.capitalize()}: {rows}"
    if cluster.silhouette is not None:
        head += f", silhouette {cluster.silhouette:.2f}"
    lines = [head]
    lines += [paragraph(trait.words, "· ") for trait in cluster.traits]
    if not cluster.traits:
        lines.append(paragraph(cluster.words, "· "))
    cells = list(cluster.typical.items())
    shown = ", ".join(f"{name} {value[:40]}" for name, value in cells[:_MOST_CELLS])
    more = ", …" if len(cells) > _MOST_CELLS else ""
    lines.append(paragraph(f"typical: row {cluster.typical_row + 1} ({shown}{more})", "  "))
    return "\n".join(lines)


def _notes(report: ClusterReport) -> str:
    if not report.notes:
        return ""
    return "\n".join(["Notes", *(paragraph(f"{note}.", "· ") for note in report.notes)])
