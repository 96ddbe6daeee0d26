"""The summary as HTML for notebooks; colours are those of the page, light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from .text import (
    covariance_label,
    evidence,
    interval_label,
    measures,
    number,
    p_value,
    size_label,
)

if TYPE_CHECKING:
    from .summary import RegressionSummary

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
    return (
        f'{_STYLE}<div class="stylobate-summary">'
        f"<div><strong>Linear regression of {escape(summary.target)}</strong><br>"
        f'<span class="quiet">{escape(size_label(summary))}; '
        f"{escape(covariance_label(summary))}</span></div>"
        f"{_coefficients(summary)}{_measures(summary)}{_notes(summary.notes)}</div>"
    )


def _coefficients(summary: RegressionSummary) -> str:
    c = summary.coefficients
    statistic = "z" if summary.distribution == "normal" else "t"
    heads = ["", "estimate", "std error", statistic, "p"]
    head = "".join(f'<th scope="col">{h}</th>' for h in heads)
    head += f'<th scope="col" colspan="2">{interval_label(summary.level)}</th>'
    head += '<th scope="col">signal</th>'
    columns = zip(c.names, c.estimate, c.std_error, c.t, c.p, c.ci_low, c.ci_high, strict=True)
    rows = []
    for name, estimate, error, t, p, low, high in columns:
        cells = [number(estimate), number(error, 3), number(t), p_value(p)]
        cells += [number(low), number(high), evidence(p)]
        data = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        quiet = "" if p < 0.1 else ' class="quiet"'
        rows.append(f'<tr{quiet}><th scope="row">{escape(name)}</th>{data}</tr>')
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _measures(summary: RegressionSummary) -> str:
    items = measures(summary)
    rows = []
    for pair in zip(items[::2], items[1::2], strict=True):
        cells = "".join(f'<th scope="row">{escape(a)}</th><td>{escape(b)}</td>' for a, b in pair)
        rows.append(f"<tr>{cells}</tr>")
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _notes(notes: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f"<ol>{items}</ol>" if items else ""
