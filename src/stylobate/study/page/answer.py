"""The first thing on the page: question, answer, and the figures behind it."""

from __future__ import annotations

from stylobate.report import Child, Html, duration, number, section, tag, tiles, warnings
from stylobate.study.results import StudyResult

from .words import (
    answer_of,
    answer_words,
    baseline_score,
    finished,
    question_words,
    reach,
    score,
    sentence,
)


def answer(result: StudyResult) -> Html:
    """One question, one answer, a few figures, and what must not be overlooked."""
    severe = [("high", each.text) for each in result.warnings if each.severe]
    return section(
        "answer",
        "Question and answer",
        tag("p", question_words(result), class_="question"),
        tag("p", answer_words(result), class_="answer"),
        _split_words(result),
        tiles(_figures(result)),
        tag("div", warnings(severe), class_="spaced") if severe else None,
    )


def _split_words(result: StudyResult) -> Html | None:
    """How rows were split where they are tied together, and what a random split would claim."""
    parts = [sentence(result.split.noticed)] if result.split.noticed else []
    parts += [result.random_split.words] if result.random_split is not None else []
    return tag("p", " ".join(parts), class_="said") if parts else None


def _figures(result: StudyResult) -> list[tuple[Child, Child, Child]]:
    metric, found = result.question.metric, answer_of(result)
    figures: list[tuple[Child, Child, Child]] = []
    if found is not None:
        ends = reach(found.low, found.high, metric, share=True)
        figures.append(
            (
                f"{metric.label[:1].upper()}{metric.label[1:]}, new rows",
                score(found.value, metric, share=True),
                f"95%: {ends}" if ends != "–" else "",
            )
        )
    chosen = next((row for row in result.leaderboard if row.is_chosen), None)
    if chosen is not None:
        ends = reach(chosen.low, chosen.high, metric, share=True)
        figures.append(
            (
                "Cross-validated",
                score(chosen.mean, metric, share=True),
                f"{result.split.folds} folds" + (f", {ends}" if ends != "–" else ""),
            )
        )
    baseline = baseline_score(result)
    if baseline is not None:
        figures.append(("Baseline", score(baseline, metric, share=True), "the simplest answer"))
    settings, fitted = finished(result)
    if fitted:
        word = "family" if fitted == 1 else "families"
        figures.append(("Models tried", number(settings), f"of {fitted} {word}"))
    rows = result.split
    figures.append(
        ("Rows", number(rows.training_rows), f"and {number(rows.holdout_rows)} locked away")
    )
    spent = sum(each.seconds for each in result.timings)
    if spent > 0:
        figures.append(("Took", duration(spent), ""))
    return figures
