"""The report as a picture: one panel per bout, bars of time relative to ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from race.results import Bout, Entry, Report, seconds_text, size_text
from race.table import outcome

_COLOURS = {"ours": "#c0392b", "peer": "#2c6fa6", "reference": "#8a8a8a"}
_ROW = 0.3  # inches per contender


def draw(report: Report, path: Path) -> None:
    """Draw every bout; the file's ending says the format."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = [len(b.entries) for b in report.bouts] or [1]
    figure = Figure(figsize=(10, _ROW * sum(rows) + 0.8 * len(rows) + 0.8), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(rows), 1, squeeze=False, height_ratios=[n + 1 for n in rows])
    for bout, axes in zip(report.bouts, panels[:, 0], strict=False):
        _panel(bout, axes)
    busy = ", one core busy" if report.busy else ""
    title = f"Time relative to ours, shorter is better ({report.threads} threads{busy})"
    figure.suptitle(title, fontsize=12)
    figure.legend(handles=_legend(), loc="outside lower center", ncols=5, fontsize=8, frameon=False)
    figure.savefig(path, dpi=120)


def _legend() -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        *(Patch(color=colour, label=kind) for kind, colour in _COLOURS.items()),
        Patch(fill=False, hatch="////", label="does not count: answer not good enough"),
        Line2D([], [], color="black", linestyle=":", label="floor"),
    ]


def _panel(bout: Bout, axes: Any) -> None:
    ours = bout.ours
    base = ours.best if ours is not None else None
    unit = base or min((e.best for e in bout.entries if e.best), default=1.0)
    ranked = sorted(bout.entries, key=lambda e: e.best if e.best is not None else float("inf"))
    lengths = [(e.best or 0.0) / unit for e in ranked]
    marks = [1.0, *filter(None, lengths), *([bout.floor / unit] if bout.floor else [])]
    left, right = min(marks) / 1.5, max(marks)
    axes.set_xscale("log")
    # a quarter of the width stays free on the right, for the labels
    axes.set_xlim(left, right * (right / left) ** 0.33)
    axes.set_ylim(len(ranked) - 0.5, -0.5)
    for row, (entry, length) in enumerate(zip(ranked, lengths, strict=True)):
        _bar(axes, row, entry, length, left)
    if base:
        axes.axvline(1.0, color=_COLOURS["ours"], linewidth=1)
    if bout.floor:
        axes.axvline(bout.floor / unit, color="black", linewidth=1.5, linestyle=":")
    axes.set_yticks(range(len(ranked)), [e.name for e in ranked], fontsize=8)
    against = "" if base else "; relative to the fastest (no time of ours)"
    title = f"{bout.workload}, {bout.size_name}: {size_text(bout.size) or bout.title}{against}"
    axes.set_title(title, loc="left", fontsize=9)
    axes.tick_params(axis="x", labelsize=7)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.spines[["top", "right"]].set_visible(False)


def _bar(axes: Any, row: int, entry: Entry, length: float, left: float) -> None:
    if not length:
        words = outcome(entry)
        text = words if len(words) <= 90 else words[:90] + "…"
        axes.text(left * 1.05, row, text, va="center", fontsize=7, style="italic")
        return
    style = {} if entry.counts else {"hatch": "////", "fill": False}
    colour = _COLOURS[entry.kind]
    axes.barh(row, length - left, left=left, height=0.7, color=colour, edgecolor=colour, **style)
    label = f" {length:.3g} x ({seconds_text(entry.best or 0.0)})"
    axes.text(length, row, label, va="center", fontsize=7)
