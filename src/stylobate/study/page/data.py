"""The data: its size, the target, what each column is and says alone, and how rows were split."""

from __future__ import annotations

from stylobate.exploration.page.associations import measure_name
from stylobate.report import (
    Cell,
    Heading,
    Html,
    Kinds,
    Row,
    charts,
    facts,
    group,
    name,
    number,
    number_cell,
    percent,
    section,
    shortened,
    table,
    tag,
    text_cell,
)
from stylobate.study.results import ColumnNote, FeatureStrength, StudyResult, TargetSummary

from .words import sentence

_SHOWN = 30


def data(result: StudyResult) -> Html:
    """The table, its target, its columns and its split."""
    found = result.data
    lead = (
        f"{number(found.rows)} rows and {len(found.columns):,} columns from "
        f"{shortened(result.question.source, 200)}. {sentence(result.question.reason)}"
    )
    return section(
        "data",
        "Data",
        tag("div", _target(found.target), _split(result), class_="pair"),
        _strengths(found.strengths),
        _columns(found.columns, found.rows),
        _rows(result),
        _notes(result),
        lead=lead,
    )


def _target(target: TargetSummary) -> Html:
    parts: list[Html | None] = [tag("h3", "The target")]
    if target.words:
        parts.append(tag("p", sentence(target.words), class_="said"))
    if target.classes:
        items = [
            charts.Bar(name(label, 24), rows, share) for label, rows, share in target.classes[:20]
        ]
        parts.append(charts.bars(items, title="Rows of each class"))
        if len(target.classes) > len(items):
            more = len(target.classes) - len(items)
            parts.append(tag("p", f"And {more:,} more classes.", class_="quiet"))
    elif target.quantiles:
        names = ("Smallest", "Lower quartile", "Median", "Upper quartile", "Largest")
        pairs = list(zip(names, map(number, target.quantiles), strict=False))
        pairs += [("Mean", number(target.mean)), ("Std. deviation", number(target.deviation))]
        parts.append(facts(pairs, two=True))
    if target.missing:
        text = f"{number(target.missing)} rows without a target were left out."
        parts.append(tag("p", text, class_="quiet"))
    return tag("div", parts)


def _split(result: StudyResult) -> Html:
    split = result.split
    return tag(
        "div",
        tag("h3", "Which rows train and which judge"),
        tag("p", sentence(split.how), class_="said"),
        tag("p", sentence(split.why), class_="quiet"),
        facts(
            [
                ("To train and to choose", number(split.training_rows)),
                ("Folds", number(split.folds)),
                ("Locked away until the end", number(split.holdout_rows)),
            ]
        ),
    )


def _strengths(strengths: tuple[FeatureStrength, ...]) -> Html | None:
    if not strengths:
        return None
    rows = [
        Row(
            [
                Cell(name(each.name), each.name, text=True, heads=True),
                Cell(
                    [charts.share_bar(each.explains, width=80), " ", percent(each.explains)],
                    each.explains,
                ),
                Cell(measure_name(each.measure), each.measure),
                number_cell(each.value, 3),
            ]
        )
        for each in strengths
    ]
    headings = [
        Heading("Column"),
        Heading("Explains alone", hint="Share of the target’s variance or entropy, less chance’s"),
        Heading("Measure", hint="AUC: ½ says nothing, 0 or 1 all; the others: 0 nothing, 1 all"),
        Heading("Value", numeric=True),
    ]
    made = table(headings, rows, caption="What each column alone says", limit=12)
    seen = (
        "Seen in the training rows alone, as are leaks and repeated rows: the locked rows only "
        "helped to read the table, to tell what its columns hold and to count the target."
    )
    return tag(
        "div",
        tag("h3", "What each column alone says about the target"),
        made,
        tag("p", seen, class_="quiet"),
    )


def _columns(columns: tuple[ColumnNote, ...], rows: int) -> Html:
    headings = [
        Heading("Column"),
        Heading("Kind"),
        Heading("Missing", numeric=True),
        Heading("Distinct", numeric=True),
        Heading("Use"),
        Heading("Why"),
    ]
    made = [
        Row(
            [
                Cell(name(each.name), each.name, text=True, heads=True),
                Cell(tag("span", each.kind, class_="kind"), each.kind),
                Cell(percent(each.missing / rows if rows else 0.0), float(each.missing)),
                number_cell(each.distinct),
                Cell(each.use, each.use),
                text_cell(each.reason, 160),
            ],
            kind=each.use,
        )
        for each in columns
    ]
    counts: dict[str, int] = {}
    for each in columns:
        counts[each.use] = counts.get(each.use, 0) + 1
    listed = table(headings, made, caption="Columns of the table", limit=_SHOWN)
    content = group(
        listed,
        search="Find a column",
        kinds=Kinds("Use", counts),
        total=len(columns),
        noun="columns",
    )
    return tag("div", tag("h3", "Columns"), content)


def _rows(result: StudyResult) -> Html | None:
    """A few rows as they are, of the columns that take part."""
    sample = result.data.sample
    if not sample:
        return None
    names = list(sample[0])
    headings = [Heading(shortened(each, 30), sortable=False) for each in names]
    made = [Row([_cell(row[each]) for each in names]) for row in sample]
    left = sum(each.use != "left out" for each in result.data.columns) - len(names)
    more = f" {left:,} more columns are not shown." if left > 0 else ""
    return tag(
        "div",
        tag("h3", "Some rows"),
        table(headings, made, caption="Some training rows", limit=None),
        tag("p", f"{len(sample)} of the training rows, drawn at random.{more}", class_="quiet"),
    )


def _cell(value: object) -> Cell:
    if value is None:
        return Cell(tag("em", "missing"))
    return Cell(number(value)) if isinstance(value, int | float) else text_cell(value, 60)


def _notes(result: StudyResult) -> Html | None:
    notes = [*result.data.notes]
    if result.data.duplicate_rows:
        notes.append(
            f"{number(result.data.duplicate_rows)} of the training rows repeat another one."
        )
    if not notes:
        return None
    items = (tag("li", shortened(note, 2000)) for note in notes)
    return tag("div", tag("h3", "Notes on the data"), tag("ul", items, class_="notes"))
