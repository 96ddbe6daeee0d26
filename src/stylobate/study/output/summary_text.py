"""A study's result in a few lines."""

from __future__ import annotations

from stylobate.report import number
from stylobate.study.output.sentences import short_source
from stylobate.study.results import LeaderRow, StudyResult

_SHOWN = 5  # rows of the leaderboard


def summary_text(result: StudyResult) -> str:
    """What was asked, the verdict, the scores and the first rows of the leaderboard."""
    question = result.question
    lines = [f"Study of {question.target} in {short_source(question.source)} ({result.status})"]
    if result.status == "partial":
        lines.append(f"  {result.reason}")
    if result.verdict is not None:
        lines.append(f"  {result.verdict.words}")
    if result.random_split is not None:
        lines.append(f"  {result.random_split.words}")
    if result.holdout is not None and result.holdout.scores:
        found, plain = result.holdout.scores[0], result.holdout.baseline[0]
        ends = ""
        if found.low is not None and found.high is not None:
            ends = f" ({number(found.low, 3)} to {number(found.high, 3)})"
        lines.append(
            f"  {question.metric.label} on {result.holdout.rows} locked rows: "
            f"{number(found.value, 4)}{ends}, baseline {number(plain.value, 4)}"
        )
    if result.holdout is not None and result.holdout.conformity is not None:
        promised = result.holdout.conformity.words
        lines += [f"  {promised}"] if promised else []
    if result.relations is not None and result.relations.words:
        lines.append(f"  {result.relations.words}")
    lines += [_line(row) for row in result.leaderboard[:_SHOWN]]
    if len(result.leaderboard) > _SHOWN:
        lines.append(f"    … {len(result.leaderboard) - _SHOWN} more in .leaderboard")
    severe = sum(each.severe for each in result.warnings)
    if result.warnings:
        lines.append(f"  {len(result.warnings)} warnings, {severe} severe, in .warnings")
    return "\n".join(lines)


def _line(row: LeaderRow) -> str:
    mark = "→" if row.is_chosen else " "
    return f"  {mark} {row.rank}. {row.title}: {number(row.mean, 4)} ({row.verdict})"
