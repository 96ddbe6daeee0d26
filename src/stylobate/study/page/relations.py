"""The tables of a study of a database: drawn, listed, and what each is worth."""

from __future__ import annotations

from typing import Literal

from stylobate.report import (
    Cell,
    Heading,
    Html,
    Row,
    charts,
    name,
    number,
    number_cell,
    percent,
    section,
    table,
    tag,
    text_cell,
)
from stylobate.study.results import RelatedTable, Relations, StudyResult, TableWorth

from .words import reach, score

_PILLS = {"earned its place": "good", "better left out": "bad"}
_STYLES: dict[str, Literal["kept", "idle"]] = {
    "earned its place": "kept",
    "could be left out": "idle",
    "better left out": "idle",
}


def relations(result: StudyResult) -> Html | None:
    """Tables and keys, and which of them the model needs; None of a study of one table."""
    found = result.relations
    if found is None:
        return None
    time = (
        f"Rows of other tables count up to the moment of a row ({found.moment}), and not at it. "
        if found.moment
        else ""
    )
    return section(
        "tables",
        "Tables",
        tag("p", found.words, class_="said") if found.words else None,
        tag("div", charts.tree(_nodes(found), title=_alone(found)), class_="scroll"),
        tag("p", _key(found), class_="quiet"),
        _worth(found, result),
        _listed(found),
        lead=f"Rows of {found.facts} are predicted. {time}",
    )


def _alone(found: Relations) -> str:
    shown = [each.name for each in found.tables if each.role != "left out"]
    return f"Tables: {', '.join(shown)}"


def _key(found: Relations) -> str:
    left = any(_is_left(each) for each in found.tables)
    said = "To the right what a row points at, looked up by its key"
    said += "; to the left tables of which several rows belong to one, aggregated." if left else "."
    if found.worth:
        said += " A frame in colour: the model needs it; a broken line: it could be left out."
    return said


def _is_left(each: RelatedTable) -> bool:
    return each.role in ("aggregated", "earlier rows")


def _nodes(found: Relations) -> list[charts.Node]:
    verdicts = {one.tables[0]: one.verdict for one in found.worth}
    nodes = [charts.Node(found.facts, "predicted", style="root")]
    for each in found.tables:
        if each.role in ("facts", "left out"):
            continue
        verdict = verdicts.get(each.name)
        count = f"{each.columns:,} column{'' if each.columns == 1 else 's'}"
        nodes.append(
            charts.Node(
                each.name,
                f"{each.role}, {count}",
                found.facts if _is_left(each) else each.parent,
                "left" if _is_left(each) else "right",
                _STYLES.get(verdict or "", "plain"),
                each.key,
            )
        )  # fmt: skip
    return nodes


def _worth(found: Relations, result: StudyResult) -> Html | None:
    if not found.worth:
        return None
    metric = result.question.metric
    headings = [
        Heading("Without"),
        Heading(metric.label[:1].upper() + metric.label[1:], numeric=True),
        Heading("Worse by", numeric=True, hint="Mean over folds of the paired differences"),
        Heading("95% interval", hint="Corrected for training parts that overlap"),
        Heading("So"),
    ]
    every = [*found.worth, *([] if found.together is None else [found.together])]
    made = [_row(each) for each in every]
    shown = table(headings, made, caption="What the score loses without tables", limit=None)
    text = (
        f"{found.model} was fitted again on the same folds without the columns of each table, and "
        "of those reached through it. Tables that say the same can each be left out, not both: "
        "the last row leaves several out at once."
        if found.together is not None
        else f"{found.model} was fitted again on the same folds without the columns of each table, "
        "and of those reached through it."
    )
    return tag("div", tag("h3", "What each table is worth"), shown, tag("p", text, class_="quiet"))


def _row(each: TableWorth) -> Row:
    also = f" (with {', '.join(each.through)})" if each.through else ""
    shown = ", ".join(each.tables)
    return Row(
        [
            Cell([name(shown, 200), tag("small", also)], shown, text=True, heads=True),
            Cell(score(each.mean), each.mean),
            Cell(score(each.loss), each.loss),
            Cell(reach(each.low, each.high)),
            Cell(tag("span", each.verdict, class_=f"pill {_PILLS.get(each.verdict, '')}"),
                 each.verdict),
        ]
    )  # fmt: skip


def _listed(found: Relations) -> Html:
    headings = [
        Heading("Table"),
        Heading("Role"),
        Heading("Columns", numeric=True),
        Heading("Rows that find a match", numeric=True),
        Heading("Key"),
        Heading("Known from, and how"),
    ]
    made = [
        Row(
            [
                Cell(name(each.name), each.name, text=True, heads=True),
                Cell(each.role, each.role),
                number_cell(each.columns),
                Cell(_matches(each), each.matched / each.rows if each.rows else None),
                text_cell(each.key or "–", 160),
                text_cell("; ".join(filter(None, (each.evidence, each.reason))) or "–", 220),
            ]
        )
        for each in found.tables
    ]
    return tag(
        "div",
        tag("h3", "All tables"),
        table(headings, made, caption="Tables and their keys", limit=None),
    )


def _matches(each: RelatedTable) -> str:
    if not each.rows:
        return "–"
    return f"{number(each.matched)} of {number(each.rows)} ({percent(each.matched / each.rows)})"
