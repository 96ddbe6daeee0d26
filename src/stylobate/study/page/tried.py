"""What was tried: families of models, how the table was given to them, and every setting."""

from __future__ import annotations

from stylobate.report import (
    Cell,
    Child,
    Heading,
    Html,
    Row,
    cards,
    duration,
    name,
    number_cell,
    section,
    shortened,
    table,
    tag,
)
from stylobate.study.results import Candidate, FamilyTried, StudyResult

from .words import finished, score, sentence, settings

_ENCODINGS = {
    "scaled": "numbers scaled to mean 0 and deviation 1, a column of 0 and 1 for each category",
    "plain": "numbers as they are, a column of 0 and 1 for each category",
    "codes": "numbers as they are, categories as such",
    "ordinal": "numbers as they are, categories numbered",
    "table": "columns as they are",
}
_STATUS = {"done": "fair", "cut short": "bad", "failed": "bad", "left out": ""}


def tried(result: StudyResult) -> Html | None:
    """Families in a table, their settings folded away below."""
    if not result.families:
        return None
    count, families = finished(result)
    lead = (
        f"{count:,} settings of {families:,} families, each scored by "
        f"{result.question.metric.label} on {result.split.folds} folds. "
        f"{sentence(result.question.metric.reason)}"
    )
    opened = [_card(family, result) for family in result.families if family.candidates]
    return section(
        "tried",
        "What was tried",
        _families(result),
        _encodings(result),
        cards("Every setting", opened) if opened else None,
        lead=lead,
    )


def _families(result: StudyResult) -> Html:
    headings = [
        Heading("Family"),
        Heading("Given the table as", hint="How columns become what a model can use; see below"),
        Heading("Settings", numeric=True),
        Heading("Best score", numeric=True),
        Heading("Time", numeric=True),
        Heading("Outcome"),
    ]
    rows = []
    for family in result.families:
        best = next((each for each in family.candidates if each.key == family.best), None)
        seconds = sum(each.seconds for each in family.candidates)
        outcome = tag("span", family.status, class_=f"pill {_STATUS.get(family.status, '')}")
        rows.append(
            Row(
                [
                    Cell(
                        [tag("strong", name(family.title)), " ", tag("small", family.estimator)],
                        family.title,
                        text=True,
                        heads=True,
                    ),
                    Cell(family.encoding, family.encoding),
                    number_cell(len(family.candidates)),
                    Cell(
                        score(best.mean) if best else "–",
                        best.mean if best else None,
                    ),
                    Cell(duration(seconds) if seconds else "–", seconds or None),
                    Cell(_outcome(outcome, family.note), family.status),
                ]
            )
        )
    return table(headings, rows, caption="Families of models", limit=None)


def _encodings(result: StudyResult) -> Html | None:
    """What the words of the table mean, of those that occur."""
    used = {each.encoding for each in result.families}
    said = [f"{word}: {means}" for word, means in _ENCODINGS.items() if word in used]
    return tag("p", f"{'; '.join(said)}.", class_="quiet") if said else None


def _outcome(pill: Html, note: str) -> list[Child]:
    return [pill, " ", tag("small", shortened(note, 300))] if note else [pill]


def _card(family: FamilyTried, result: StudyResult) -> Html:
    headings = [
        Heading("Setting"),
        Heading(f"Mean {result.question.metric.label}", numeric=True),
        Heading("Standard error", numeric=True),
        Heading("Folds"),
        Heading("Time", numeric=True),
        Heading("Note"),
    ]
    rows = [_candidate(each, each.key == family.best) for each in family.candidates]
    count = len(family.candidates)
    return tag(
        "details",
        tag(
            "summary",
            tag("span", name(family.title), class_="name", data_text=True),
            tag("small", f"{count:,} setting" + ("s" if count != 1 else "")),
        ),
        tag(
            "div",
            table(headings, rows, caption=f"Settings of {family.title}", limit=30),
            class_="card whole",
        ),
    )


def _candidate(each: Candidate, best: bool) -> Row:
    status = "" if each.status == "done" else each.status
    note = " ".join(filter(None, (status and f"{status}:", each.note)))
    return Row(
        [
            Cell(settings(each.params), each.key, heads=True),
            Cell(score(each.mean), each.mean),
            Cell(score(each.standard_error), each.standard_error),
            Cell(tag("small", ", ".join(score(value) for value in each.scores[:20]))),
            Cell(duration(each.seconds), each.seconds),
            Cell(shortened(note, 300), note),
        ],
        chosen=best,
    )
