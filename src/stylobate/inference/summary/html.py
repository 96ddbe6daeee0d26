"""The summary as HTML for notebooks; colours are those of the page, light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from stylobate.inference.summary.text import (
    covariance_label,
    evidence,
    interval_label,
    measures,
    number,
    p_value,
    size_label,
    statistic_label,
)

if TYPE_CHECKING:
    from stylobate.inference.summary.regression import Coefficients, RegressionSummary

_STYLE = """<style>
.stylobate-summary{color:inherit;font-size:.9em;line-height:1.4}
.stylobate-summary table{border-collapse:collapse;background:transparent;color:inherit}
.stylobate-summary table{margin:.5em 0}
.stylobate-summary th,.stylobate-summary td{padding:.15em .7em;border:0;background:transparent}
.stylobate-summary td{text-align:right;font-variant-numeric:tabular-nums}
.stylobate-summary th{text-align:right;font-weight:600}
.stylobate-summary tbody th,.stylobate-summary thead th:first-child{text-align:left}
.stylobate-summary thead th{border-bottom:1px solid currentColor}
.stylobate-summary .quiet{opacity:.6}
.stylobate-summary caption{text-align:left;color:inherit}
</style>"""


def summary_html(summary: RegressionSummary) -> str:
    """The whole summary, every name escaped."""
    statistic = statistic_label(summary.distribution)
    return page(
        f"Linear regression of {summary.target}",
        f"{size_label(summary)}; {covariance_label(summary)}",
        coefficients_html(summary.coefficients, summary.level, statistic),
        measures_html(measures(summary)),
        summary.notes,
    )


def page(title: str, subtitle: str, tables: str, numbers: str, notes: Sequence[str]) -> str:
    """Heading, tables (already HTML), numbers (likewise) and notes in one block."""
    return (
        f'{_STYLE}<div class="stylobate-summary">'
        f"<div><strong>{escape(title)}</strong><br>"
        f'<span class="quiet">{escape(subtitle)}</span></div>'
        f"{tables}{numbers}{_notes(notes)}</div>"
    )


def coefficients_html(c: Coefficients, level: float, statistic: str, caption: str = "") -> str:
    """A table of coefficients."""
    heads = ["", "estimate", "std error", statistic, "p"]
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    head += f'<th scope="col" colspan="2">{interval_label(level)}</th>'
    head += '<th scope="col">signal</th>'
    columns = zip(c.names, c.estimate, c.std_error, c.t, c.p, c.ci_low, c.ci_high, strict=True)
    rows = []
    for name, estimate, error, t, p, low, high in columns:
        cells = [number(estimate), number(error, 3), number(t), p_value(p)]
        cells += [number(low), number(high), evidence(p)]
        data = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        quiet = "" if p < 0.1 else ' class="quiet"'
        rows.append(f'<tr{quiet}><th scope="row">{escape(name)}</th>{data}</tr>')
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def measures_html(items: Sequence[tuple[str, str]]) -> str:
    """Label–value pairs, two to a row."""
    rows = []
    for pair in zip(items[::2], items[1::2], strict=True):
        cells = "".join(f'<th scope="row">{escape(a)}</th><td>{escape(b)}</td>' for a, b in pair)
        rows.append(f"<tr>{cells}</tr>")
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _notes(notes: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f"<ol>{items}</ol>" if items else ""
