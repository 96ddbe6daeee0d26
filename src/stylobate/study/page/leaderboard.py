"""The leaderboard: dots and intervals of the families' best settings, and tests of differences."""

from __future__ import annotations

from stylobate.report import (
    Cell,
    Child,
    Heading,
    Html,
    Row,
    charts,
    duration,
    name,
    p_value,
    section,
    table,
    tag,
)
from stylobate.study.results import LeaderRow, StudyResult

from .words import SHORT, reach, score, settings

_PILLS = {
    "best": "good",
    "within noise": "fair",
    "likely worse": "bad",
    "unstable": "bad",
    "worse": "bad",
    "failed": "bad",
}


def leaderboard(result: StudyResult) -> Html | None:
    """One row for each family's best setting, the best first."""
    if not result.leaderboard:
        return None
    rows = list(result.leaderboard)
    baseline = result.baseline
    if baseline is not None and all(row.key != baseline.key for row in rows):
        rows.append(baseline)
    lane = charts.Lane.over(map(_estimate, rows), None if baseline is None else baseline.mean)
    made = table(
        _headings(result, lane),
        [_row(row, lane) for row in rows],
        caption="Leaderboard",
        limit=None,
    )
    return section(
        "leaderboard",
        "Leaderboard",
        made,
        tag("p", _reading(result), class_="quiet"),
        _chosen(result),
        lead=_lead(result),
    )


def _chosen(result: StudyResult) -> Html | None:
    choice = result.choice
    if choice is None:
        return None
    return tag(
        "p", "Chosen: ", tag("strong", name(choice.title)), ". ", choice.reason, class_="said"
    )


def _lead(result: StudyResult) -> str:
    metric = result.question.metric
    way = "more" if metric.greater_is_better else "less"
    return (
        f"The best setting of each family, and the chosen one, by {metric.label} ({way} is "
        f"better), over {result.split.folds} folds of the training rows. Differences are tested "
        "against the best."
    )


def _headings(result: StudyResult, lane: charts.Lane) -> list[Heading]:
    label = result.question.metric.label
    short = SHORT.get(label, label[:1].upper() + label[1:])
    return [
        Heading("#", numeric=True),
        Heading("Model"),
        Heading("Mean and 95% interval", sortable=False, below=lane.axis()),
        Heading(short, numeric=True, hint=label if label in SHORT else None),
        Heading(
            "To the best", numeric=True, hint="Difference of mean scores; interval adjusted as p"
        ),
        Heading(
            "p",
            numeric=True,
            hint="Paired test on the folds, adjusted for all tests against the best (Holm); that "
            "of the baseline was planned beforehand and is not",
        ),
        Heading("Verdict"),
        Heading("Time", numeric=True),
    ]


def _estimate(row: LeaderRow) -> charts.Estimate:
    return charts.Estimate(row.mean, row.low, row.high, row.scores)


def _row(row: LeaderRow, lane: charts.Lane) -> Row:
    apart: Child = "–"
    if row.difference is not None:
        sign = "+" if row.difference > 0 else ""
        shown = sign + score(row.difference)
        apart = _with_ends(shown, row.difference_low, row.difference_high)
    verdict = tag("span", row.verdict, class_=f"pill {_PILLS.get(row.verdict, '')}")
    marks: list[Child] = [verdict]
    if row.is_chosen:
        marks += [" ", tag("span", "chosen", class_="pill good")]
    if row.is_baseline:
        marks += [" ", tag("span", "baseline", class_="pill")]
    return Row(
        [
            Cell(str(row.rank), float(row.rank)),
            Cell(
                [tag("strong", name(row.title)), " ", tag("small", settings(row.params))],
                row.title,
                text=True,
                heads=True,
            ),
            Cell(lane.mark(_estimate(row), strong=row.is_chosen, weak=row.is_baseline)),
            Cell(_with_ends(score(row.mean), row.low, row.high), row.mean),
            Cell(apart, row.difference),
            Cell(p_value(row.p_value), row.p_value),
            Cell(marks, row.verdict),
            Cell(duration(row.seconds), row.seconds),
        ],
        chosen=row.is_chosen,
    )


def _with_ends(value: str, low: float | None, high: float | None) -> list[Child]:
    """A value above its interval: side by side they would push the last column off the page."""
    ends = reach(low, high)
    return [value, tag("div", tag("small", ends)) if ends != "–" else None]


def _reading(result: StudyResult) -> str:
    text = "Thin marks are single folds; intervals allow for training parts that overlap."
    if result.baseline is not None:
        text += " The upright line is the baseline."
    return text
