"""Terminal tables of about 80 columns, in plain characters."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from stylobate.inference.checks.influence import WorstRows
    from stylobate.inference.glm.summary import GLMSummary
    from stylobate.inference.summary.regression import Coefficients, RegressionSummary

WIDTH = 80
WHOLE = 18  # names up to this are never cut, even if a line gets a little longer than WIDTH
MAX_ROWS = 60  # longer tables are cut; the data are all in `.coefficients`
_NUMBER_WIDTH = 9  # a column whose decimal points cannot be aligned in this is right-aligned

EVIDENCE = (("strong", 0.001), ("clear", 0.01), ("some", 0.05), ("weak", 0.1))


def number(value: float, digits: int = 4) -> str:
    """A number in at most nine characters: fixed where readable, else scientific.

    >>> [number(v) for v in (3.14159, -0.00123456, 123456.7, 1.5e-7, float("nan"))]
    ['3.142', '-0.001235', '123457', '1.50e-07', '-']
    """
    if math.isnan(value):
        return "-"
    if value == 0 or math.isinf(value):
        return f"{value:.0f}"
    magnitude = math.floor(math.log10(abs(value)))
    if not -3 <= magnitude <= 6:
        return f"{value:.{2 if -100 < magnitude < 100 else 1}e}"
    return f"{value:.{max(digits - 1 - magnitude, 0)}f}"


def p_value(p: float) -> str:
    """Three decimals, or `<0.001`.

    >>> p_value(0.0321), p_value(1e-12)
    ('0.032', '<0.001')
    """
    if math.isnan(p):
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def evidence(p: float) -> str:
    """Evidence against a zero coefficient, in a word.

    >>> evidence(0.003), evidence(0.4)
    ('clear', 'none')
    """
    if math.isnan(p):
        return "-"
    return next((word for word, bound in EVIDENCE if p < bound), "none")


def interval_label(level: float) -> str:
    """The level of an interval, as a heading.

    >>> interval_label(0.95)
    '95% interval'
    """
    return f"{100 * level:.4g}% interval"


def covariance_label(summary: RegressionSummary | GLMSummary) -> str:
    """How standard errors and p-values were obtained, in words."""
    kind = summary.covariance_type
    if np.isnan(summary.coefficients.std_error).all():
        return "no standard errors (see the notes)"
    if not summary.df_inference:
        return f"{kind} standard errors"
    law = "normal law" if summary.distribution == "normal" else f"t({summary.df_inference:g})"
    return f"{kind} standard errors, {law}"


def size_label(summary: RegressionSummary | GLMSummary) -> str:
    """Rows, weights and degrees of freedom."""
    plural = "" if summary.n == 1 else "s"
    weighted = "" if summary.weight_sum == summary.n else f" (weights {number(summary.weight_sum)})"
    return f"{summary.n} row{plural}{weighted}, {summary.df_residual} residual degrees of freedom"


def measures(summary: RegressionSummary) -> list[tuple[str, str]]:
    """The measures of fit as (label, value), in reading order."""
    df1, df2 = summary.f_df
    return [
        ("R²", number(summary.r2)),
        ("adjusted R²", number(summary.adjusted_r2)),
        (f"F({df1}, {df2:g})", number(summary.f)),
        ("p of F", p_value(summary.f_p)),
        ("residual std", number(summary.residual_std)),
        ("condition number", number(summary.condition)),
        ("log-likelihood", number(summary.log_likelihood)),
        ("deviance", number(summary.deviance)),
        ("AIC", number(summary.aic)),
        ("BIC", number(summary.bic)),
    ]


def aligned(cells: Sequence[str]) -> list[str]:
    """Cells of equal width, decimal points under each other where that stays narrow.

    >>> aligned(["1.5", "-20.25"])
    ['  1.5 ', '-20.25']
    """
    tails = [len(cell) - cell.find(".") if "." in cell else 0 for cell in cells]
    tail = max(tails, default=0)
    padded = [cell + " " * (tail - own) for cell, own in zip(cells, tails, strict=True)]
    width = max(map(len, padded), default=0)
    if width > _NUMBER_WIDTH or any("e" in cell for cell in cells):
        padded, width = list(cells), max(map(len, cells), default=0)
    return [cell.rjust(width) for cell in padded]


def shortened(name: str, width: int) -> str:
    """A name in at most `width` characters, its middle left out if need be.

    >>> shortened("a_very_long_name", 10)
    'a_ver…name'
    """
    name = "".join(c if c.isprintable() else "?" for c in name)
    if len(name) <= width:
        return name
    tail = (width - 1) // 2
    return f"{name[: width - 1 - tail]}…{name[len(name) - tail :]}"


def distinct_labels(names: Sequence[str], width: int) -> list[str]:
    """Names shortened to `width`, or as little more as keeps different names different.

    >>> distinct_labels(["length_of_the_bill_mm", "length_of_the_beak_mm", "year"], 8)
    ['leng…l_mm', 'leng…k_mm', 'year']
    """
    longest = max(map(len, names), default=0)
    for room in range(width, max(longest, width) + 1):
        labels = [shortened(name, len(name) if len(name) <= WHOLE else room) for name in names]
        if len(set(labels)) == len(set(names)):
            break
    return labels


def table(names: Sequence[str], columns: Iterable[tuple[str, Sequence[str]]], head: str) -> str:
    """Names on the left, aligned columns after, a rule below the heading."""
    body = []
    for heading, cells in columns:
        cells = aligned(cells)
        width = max(len(heading), max(map(len, cells), default=0))
        body.append([heading.rjust(width), *(cell.rjust(width) for cell in cells)])
    left = WIDTH - sum(len(column[0]) + 2 for column in body)
    labels = distinct_labels((head, *names), max(left, 8))
    width = max(map(len, labels))
    lines = [
        "  ".join([label.ljust(width), *cells]).rstrip()
        for label, *cells in zip(labels, *body, strict=True)
    ]
    rule = "-" * max(map(len, lines))
    return "\n".join([lines[0], rule, *lines[1:]])


def notes_text(notes: Sequence[str]) -> str:
    """Numbered notes, wrapped."""
    if not notes:
        return ""
    wrapped = [
        textwrap.fill(note, WIDTH, initial_indent=f"{i}. ", subsequent_indent="   ")
        for i, note in enumerate(notes, 1)
    ]
    return "\n\nNotes\n" + "\n".join(wrapped)


def coefficients_text(c: Coefficients, level: float, statistic: str) -> str:
    """A table of coefficients, cut if very long."""
    shown = slice(MAX_ROWS)
    columns = [
        ("estimate", [number(v) for v in c.estimate[shown]]),
        ("std error", [number(v, 3) for v in c.std_error[shown]]),
        (statistic, [_t(v) for v in c.t[shown]]),
        ("p", [p_value(v) for v in c.p[shown]]),
        (interval_label(level), _intervals(c.ci_low[shown], c.ci_high[shown])),
    ]
    words = [evidence(v) for v in c.p[shown]]
    width = max(len("signal"), *map(len, words))
    columns.append(("signal", [word.ljust(width) for word in words]))
    body = table(c.names[shown], columns, "")
    more = len(c) - MAX_ROWS
    if more > 0:
        body += f"\n… {more} more coefficients in .coefficients"
    return body


def legend() -> str:
    """What the words of the signal column mean."""
    return "signal against zero: " + ", ".join(f"{word} p<{p:g}" for word, p in EVIDENCE)


def statistic_label(distribution: str) -> str:
    """The heading of the test statistics."""
    return "z" if distribution == "normal" else "t"


def summary_text(summary: RegressionSummary) -> str:
    """The summary as a terminal table."""
    statistic = statistic_label(summary.distribution)
    body = coefficients_text(summary.coefficients, summary.level, statistic)
    head = (
        f"Linear regression of {shortened(summary.target, WIDTH - 21)}\n"
        f"{size_label(summary)}\n{covariance_label(summary)}"
    )
    pairs = pairs_text(measures(summary))
    return f"{head}\n\n{body}\n{legend()}\n\n{pairs}{notes_text(summary.notes)}"


def _t(value: float) -> str:
    if math.isnan(value) or math.isinf(value):
        return number(value)
    return f"{value:.2f}" if abs(value) < 1e4 else f"{value:.{int(abs(value) < 1e100)}e}"


def _intervals(low: Iterable[float], high: Iterable[float]) -> list[str]:
    lows, highs = (aligned([number(v) for v in side]) for side in (low, high))
    return [f"{a}  {b}" for a, b in zip(lows, highs, strict=True)]


def pairs_text(items: list[tuple[str, str]]) -> str:
    """Label–value pairs, two to a line."""
    halves = (items[::2], items[1::2])
    formatted = []
    for half in halves:
        label = max(len(name) for name, _ in half)
        cells = aligned([value for _, value in half])
        formatted.append(
            [f"{name:<{label}}  {c}" for (name, _), c in zip(half, cells, strict=True)]
        )
    return "\n".join(f"{a}      {b}".rstrip() for a, b in zip(*formatted, strict=True))


def worst_text(worst: WorstRows) -> str:
    """The most influential rows as a terminal table."""
    headings = {
        "residuals": "residual",
        "externally_studentized": "student",
        "leverage": "leverage",
        "cooks_distance": "Cook",
        "dffits": "DFFITS",
        "covratio": "covratio",
    }
    columns = [
        (heading, [number(v, 3) for v in worst.columns[name]]) for name, heading in headings.items()
    ]
    k, n = worst.rank, max(worst.n_rows, 1)
    guide = (
        f"Worth a look: |student| > 3, leverage > {number(2 * k / n, 3)}, "
        f"Cook > {number(4 / n, 3)}, |DFFITS| > {number(2 * math.sqrt(k / n), 3)}, "
        f"|covratio - 1| > {number(3 * k / n, 3)}."
    )
    title = f"{len(worst.rows)} most influential rows (counted from 0), by {headings[worst.by]}"
    body = table([str(row) for row in worst.rows], columns, "row")
    return f"{title}\n\n{body}\n{textwrap.fill(guide, WIDTH)}{notes_text(worst.notes)}"
