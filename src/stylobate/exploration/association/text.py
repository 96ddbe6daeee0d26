"""Associations in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stylobate.data.words import aligned
from stylobate.exploration.association.value import WORDS, Association
from stylobate.inference.summary.text import number, p_value

if TYPE_CHECKING:
    from stylobate.exploration.association.collection import Associations


def associations_text(found: Associations, shown: int = 10) -> str:
    """The strongest pairs as a table, then what else is worth knowing."""
    pairs = len(found.names) * (len(found.names) - 1) // 2
    lines = [f"Associations of {len(found.names)} columns ({pairs} pairs, {found.rows} rows)"]
    best = found.strongest(shown)
    if best:
        lines += ["", *aligned(_rows(best, found.level))]
        if len(found.strongest(None)) > len(best):
            lines.append(f"… {len(found.strongest(None)) - len(best)} more in .strongest(None)")
        if any(each.note for each in best):
            lines.append("* with rare categories put together; .note says how many")
    hidden = found.hidden(3)
    if hidden:
        lines += [
            "",
            "More than r, ρ or η shows (a curve, clusters, another spread); see .hidden():",
        ]
        lines += [f"  {each}" for each in hidden]
    if found.left_out:
        parts = [f"{name} ({kind})" for name, kind in found.left_out.items()]
        more = "" if len(parts) <= 8 else f" and {len(parts) - 8} more"
        lines += ["", f"Left out: {', '.join(parts[:8])}{more}"]
    return "\n".join(line.rstrip() for line in lines)


def _rows(best: Sequence[Association], level: float) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        ("a", "b", "measure", "value", f"{100 * level:g} % interval", "q", "rows")
    ]
    for each in best:
        low, high = each.low, each.high
        span = "-" if low is None or high is None else f"{number(low, 3)} to {number(high, 3)}"
        value = number(each.value if each.value is not None else float("nan"), 3)
        q = p_value(float("nan") if each.q_value is None else each.q_value)
        measure = WORDS[each.measure] + (" *" if each.note else "")
        rows.append((each.a, each.b, measure, value, span, q, str(each.n)))
    return rows
