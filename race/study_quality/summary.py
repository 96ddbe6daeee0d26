"""The bench as text: a line for each table, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence

from race.study_quality.judging import Bout

_GOAL = 0.8


def line(bout: Bout) -> str:
    """One table: its scores, the best marked, and what the study said."""
    best = max((e.score for e in bout.entries.values() if e.score == e.score), default=0.0)
    parts = [f"{bout.name:<24} {bout.metric:<8} {bout.rows:>7}×{bout.columns:<4}"]
    for name, entry in bout.entries.items():
        if entry.failure:
            parts.append(f"{name} failed: {entry.failure}")
        else:
            mark = "*" if entry.score == best else " "
            parts.append(f"{name} {abs(entry.score):.5g}{mark} ({entry.seconds:.0f} s)")
    parts.append(f"baseline {abs(bout.baseline):.5g}")
    said = bout.entries.get("study")
    if said is not None and not said.failure:
        words = ", ".join(str(each) for each in said.said.values())
        place = "first or within noise" if bout.first_or_within else "BEHIND"
        parts.append(f"{place}; {words}")
        if bout.wrong_verdict:
            parts.append(f"WRONG VERDICT: {bout.wrong_verdict}")
        if bout.below:
            parts.append("BELOW THE BASELINE")
    return " | ".join(parts)


def summary(bouts: Sequence[Bout]) -> str:
    """How often the study is first or within noise of it, below the baseline, wrong."""
    judged = [each for each in bouts if "study" in each.entries]
    if not judged:
        return "no study took part"
    near = [each for each in judged if each.first_or_within]
    behind = ", ".join(each.name for each in judged if not each.first_or_within)
    below = ", ".join(each.name for each in judged if each.below)
    wrong = "; ".join(f"{b.name}: {b.wrong_verdict}" for b in judged if b.wrong_verdict)
    share = len(near) / len(judged)
    return "\n".join([
        f"{len(near)} of {len(judged)} tables first or within noise of the first "
        f"({100 * share:.0f} %, goal {100 * _GOAL:.0f} %)",
        f"behind: {behind or 'none'}",
        f"below the baseline: {below or 'none'}",
        f"wrong verdicts: {wrong or 'none'}",
    ])  # fmt: skip
