"""A comparison of models as tables and sentences, for terminals and notebooks."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.inference.summary.html import page
from stylobate.inference.summary.text import WIDTH, interval_label, notes_text, p_value, table

if TYPE_CHECKING:
    from stylobate.model_selection.comparison.result import Comparison, PairTests

_KINDS = {"t": "p", "mcnemar": "McNemar p", "sign": "sign p"}


def columns(c: Comparison) -> dict[str, list[Any]]:
    """Plain columns, one entry per model; scores with the sign of the scorer."""
    intervals = [c.interval(name) for name in c.names]
    pairs = [None if n == c.reference else c.against_reference(n) for n in c.names]
    nan = float("nan")
    found: dict[str, list[Any]] = {
        "model": list(c.names),
        "mean_score": [mean for mean, _, _ in intervals],
        "low": [low for _, low, _ in intervals],
        "high": [high for _, _, high in intervals],
        "fit_time": [float(np.mean(c.fit_times[name])) for name in c.names],
        "difference": [0.0 if pair is None else pair.difference for pair in pairs],
        "difference_low": [0.0 if pair is None else pair.interval[0] for pair in pairs],
        "difference_high": [0.0 if pair is None else pair.interval[1] for pair in pairs],
    }
    for kind in _KINDS:
        tests = [None if pair is None else getattr(pair, kind) for pair in pairs]
        found[f"p_{kind}"] = [nan if test is None else test.p for test in tests]
        found[f"p_{kind}_holm"] = [nan if p is None else p.adjusted[kind] for p in pairs]
    return found | {"verdict": [c.verdict(name) for name in c.names]}


def sentences(c: Comparison) -> list[str]:
    """Best, within noise, worse; what cannot be seen."""
    mean, low, high = c.score.shown(np.array(c.interval(c.best)))
    unit = _unit([high - low])
    said = [f"Best {c.score.label}: {c.best}, {_fixed(mean, unit)}"]
    if c.n_splits > 1:
        ends = sorted((low, high))
        said[0] += f" ({interval_label(c.confidence)} {_fixed(ends[0], unit)} to "
        said[0] += f"{_fixed(ends[1], unit)})"
    said[0] += "."
    for verdict, start in (
        ("within noise", "Within noise of"),
        ("worse", "Worse than"),
        ("better", "Better than"),
        ("failed", "With failed fits, and so not compared with"),
    ):
        named = [name for name in c.names if c.verdict(name) == verdict]
        if named:
            about = ", ".join(_against(c, name) for name in named)
            said.append(f"{start} {c.reference}: {about}.")
    return [*said, *_unseen(c)]


def _against(c: Comparison, name: str) -> str:
    pair = c.against_reference(name)
    if pair.t is None:
        return name
    p = p_value(pair.adjusted["t"])
    away = c.score.shown(pair.difference)
    more = "more" if away > 0.0 else "less"
    size = _fixed(abs(away), _unit([pair.interval[1] - pair.interval[0]]))
    return f"{name} ({size} {more}, p {p if p.startswith('<') else f'= {p}'})"


def _unseen(c: Comparison) -> list[str]:
    """How large a difference would have to be."""
    if c.n_splits < 2:
        return ["One split has no interval and no test of the scores; take several."]
    named = c.within_noise
    if not named:
        return []
    ends = [c.against_reference(name).interval for name in named]
    halves = [0.5 * (high - low) for low, high in ends if high > low]
    if not halves:
        return []
    sizes = [_fixed(v, _unit([2.0 * v])) for v in (min(halves), max(halves))]
    size = sizes[0] if sizes[0] == sizes[1] else f"{sizes[0]} to {sizes[1]}, depending on the model"
    return [
        f"{c.n_splits} splits of {c.n_rows} rows cannot show differences from {c.reference} "
        f"smaller than about {size}."
    ]


def explanations(c: Comparison) -> list[str]:
    """How intervals and p-values were made."""
    said = list(c.notes)
    if c.n_splits > 1:
        said.append(
            f"Intervals and p are those of the corrected resampled t test: the {c.n_splits} splits "
            f"share training rows ({c.test_to_train:.3g} test rows to one for training), so they "
            "are not independent."
        )
    if len(c.pairs) > 1:
        why = (
            f"for all {len(c.pairs)} pairs, since the best was chosen by the same scores"
            if c.chosen is None
            else f"for {len(c.pairs)} tests"
        )
        said.append(f"p-values are adjusted by Holm's method {why}; intervals are not.")
    if any(pair.mcnemar is not None for pair in c.pairs):
        said.append(
            "McNemar's test compares the rows that only one of two models gets right; the sign "
            "test counts splits. Both take the fitted models as they are."
        )
    elif any(pair.sign is not None for pair in c.pairs):
        said.append(
            "The sign test counts the rows for which one model is nearer than the other; it takes "
            "the fitted models as they are."
        )
    return said


def heading(c: Comparison) -> tuple[str, str]:
    """Title and subtitle."""
    count = len(c.names)
    return (
        f"{count} model{'' if count == 1 else 's'} by {c.score.label} ({c.score.better})",
        f"{c.n_splits} split{'' if c.n_splits == 1 else 's'} of {c.n_rows} rows",
    )


def comparison_text(c: Comparison) -> str:
    """Two tables, what they say, and how they were made."""
    title, subtitle = heading(c)
    parts = [f"{title}, {subtitle}", table(list(c.names), _score_columns(c), "model")]
    others = [name for name in c.names if name != c.reference]
    if others:
        parts.append(table(others, _difference_columns(c, others), _compared_with(c)))
    parts.append("\n".join(textwrap.fill(each, WIDTH) for each in sentences(c)))
    return "\n\n".join(parts) + notes_text(explanations(c))


def comparison_html(c: Comparison) -> str:
    """The same for notebooks."""
    title, subtitle = heading(c)
    tables = _html_table(list(c.names), _score_columns(c), "model")
    others = [name for name in c.names if name != c.reference]
    if others:
        tables += _html_table(others, _difference_columns(c, others), _compared_with(c))
    said = "".join(f"<p>{escape(each)}</p>" for each in sentences(c))
    return page(title, subtitle, tables, said, explanations(c))


def _html_table(names: Sequence[str], cells: Iterable[tuple[str, Sequence[str]]], head: str) -> str:
    titles, values = zip(*cells, strict=True)
    top = "".join(f'<th scope="col">{escape(each)}</th>' for each in (head, *titles))
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(cell.strip())}</td>" for cell in row)
        + "</tr>"
        for name, *row in zip(names, *values, strict=True)
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table>"


def _compared_with(c: Comparison) -> str:
    return f"minus {'the best' if c.chosen is None else c.reference}"


def _score_columns(c: Comparison) -> list[tuple[str, list[str]]]:
    found = c.score.shown(np.array([c.interval(name) for name in c.names]))
    unit = _unit(np.abs(found[:, 2] - found[:, 1]))
    shown = [
        (c.score.label, [_fixed(mean, unit) for mean in found[:, 0]]),
        (interval_label(c.confidence), [_range(row[1:], unit) for row in found]),
        ("fit time", [_time(float(np.mean(c.fit_times[name]))) for name in c.names]),
    ]
    return shown if c.n_splits > 1 else [shown[0], shown[2]]


def _difference_columns(c: Comparison, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    pairs = [c.against_reference(name) for name in names]
    ends = c.score.shown(np.array([pair.interval for pair in pairs]))
    units = [_unit([abs(high - low)]) for low, high in ends]
    away = [float(c.score.shown(pair.difference)) for pair in pairs]
    shown = [
        ("difference", [_fixed(d, unit) for d, unit in zip(away, units, strict=True)]),
        (interval_label(c.confidence), [_range(e, u) for e, u in zip(ends, units, strict=True)]),
        *((label, _p_cells(pairs, kind)) for kind, label in _KINDS.items()),
    ]
    shown = [each for each in shown if any(cell != "-" for cell in each[1])]
    verdicts = [c.verdict(name) for name in names]
    width = max(map(len, verdicts))
    return [*shown, ("verdict", [verdict.ljust(width) for verdict in verdicts])]


def _p_cells(pairs: Sequence[PairTests], kind: str) -> list[str]:
    return [p_value(pair.adjusted[kind]) for pair in pairs]


def _unit(widths: Any) -> int:
    """Decimals that show two digits of the smallest width; four digits if there is none."""
    known = [w for w in map(abs, widths) if w > 0.0 and math.isfinite(w)]
    return 4 if not known else int(np.clip(1 - math.floor(math.log10(min(known) / 2)), 0, 9))


def _fixed(value: float, decimals: int) -> str:
    if math.isnan(value):
        return "-"
    if abs(value) >= 1e6 or 0.0 < abs(value) < 1e-6:
        return f"{value:.2e}"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def _range(ends: Any, decimals: int) -> str:
    low, high = sorted(float(end) for end in ends)
    return "-" if math.isnan(low) else f"{_fixed(low, decimals)} to {_fixed(high, decimals)}"


def _time(seconds: float) -> str:
    if math.isnan(seconds):
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.0f} µs"
