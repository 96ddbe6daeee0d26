"""The chosen model: in words, as a formula, by its coefficients, by what it relies on."""

from __future__ import annotations

from stylobate.report import (
    Cell,
    Child,
    Heading,
    Html,
    Row,
    charts,
    listing,
    name,
    number,
    p_value,
    section,
    table,
    tag,
)
from stylobate.study.results import (
    MOST_CATEGORIES,
    Coefficient,
    DependencePoints,
    Explanation,
    Importance,
    StudyResult,
)

from .words import score, settings

_SHOWN = 25
_CLASSES_SHOWN = 3  # whose curves are shown for each column


def model(result: StudyResult) -> Html | None:
    """What was chosen and how it works."""
    choice, found = result.choice, result.explanation
    if choice is None:
        return None
    parts: list[Child] = []
    if found is not None:
        parts += [
            tag("p", found.words, class_="said") if found.words else None,
            _formula(found),
            _importances(found),
            _coefficients(found),
            _dependence(found, result),
        ]
    if result.model is not None:
        parts.append(
            tag(
                "details",
                tag("summary", "The model as Python writes it"),
                listing(result.model.repr.splitlines()),
                class_="rest",
            )
        )
    title = choice.title[:1].upper() + choice.title[1:]
    lead = f"{title} ({settings(choice.params)}). {choice.reason}"
    return section("model", "The chosen model", parts, lead=lead)


def _formula(found: Explanation) -> Html | None:
    if not found.formula:
        return None
    lines = found.formula.splitlines()
    shown = listing(lines[:_SHOWN])
    rest = None
    if len(lines) > _SHOWN:
        rest = tag(
            "details",
            tag("summary", f"{len(lines) - _SHOWN:,} more lines"),
            listing(lines[_SHOWN:400]),
            class_="rest",
        )
    note = "Columns in their own units, a missing number as its median; of a category 1 or 0."
    return tag("div", tag("h3", "As a formula"), tag("p", note, class_="quiet"), shown, rest)


def _importances(found: Explanation) -> Html | None:
    if not found.importances:
        return None
    listed = sorted(found.importances, key=lambda each: -each.mean)
    lane = charts.Lane.over(
        [charts.Estimate(each.mean, each.low, each.high) for each in listed], 0.0
    )
    headings = [
        Heading("Column"),
        Heading("Fall of the score, 95% interval", sortable=False, below=lane.axis()),
        Heading("Fall", numeric=True),
        Heading("Interval", numeric=True, sortable=False),
    ]
    rows = [_importance(each, lane) for each in listed]
    return tag(
        "div",
        tag("h3", "What it relies on"),
        tag("p", found.importance_note, class_="quiet") if found.importance_note else None,
        table(headings, rows, caption="Importance of the columns", limit=15),
    )


def _importance(each: Importance, lane: charts.Lane) -> Row:
    unclear = each.low is not None and each.low <= 0.0
    mark = lane.mark(charts.Estimate(each.mean, each.low, each.high), weak=unclear)
    ends = "–"
    if each.low is not None and each.high is not None:
        ends = f"{score(each.low)} to {score(each.high)}"
    return Row(
        [
            Cell(name(each.name), each.name, text=True, heads=True),
            Cell(mark),
            Cell(score(each.mean), each.mean),
            Cell(ends),
        ]
    )


def _coefficients(found: Explanation) -> Html | None:
    if not found.coefficients:
        return None
    listed = sorted(found.coefficients, key=lambda each: -abs(each.value))
    several = any(each.of_class is not None for each in listed)
    tested = any(each.p_value is not None for each in listed)
    lane = charts.Lane.over(
        [charts.Estimate(each.value, each.low, each.high) for each in listed[:60]], 0.0
    )
    headings = [
        Heading("Term"),
        *([Heading("For class")] if several else []),
        Heading("Coefficient, 95% interval", sortable=False, below=lane.axis()),
        Heading("Coefficient", numeric=True),
        Heading("Interval", numeric=True, sortable=False),
        *([Heading("p", numeric=True)] if tested else []),
    ]
    rows = [_coefficient(each, lane, several, tested) for each in listed]
    return tag(
        "div",
        tag("h3", "Coefficients"),
        tag("p", found.coefficient_note, class_="quiet") if found.coefficient_note else None,
        table(headings, rows, caption="Coefficients", limit=20),
    )


def _coefficient(each: Coefficient, lane: charts.Lane, several: bool, tested: bool) -> Row:
    unclear = each.low is not None and each.high is not None and each.low <= 0.0 <= each.high
    ends = "–"
    if each.low is not None and each.high is not None:
        ends = f"{number(each.low, 3)} to {number(each.high, 3)}"
    return Row(
        [
            Cell(name(each.name), each.name, text=True, heads=True),
            *([Cell(name(each.of_class or "–"), each.of_class)] if several else []),
            Cell(lane.mark(charts.Estimate(each.value, each.low, each.high), weak=unclear)),
            Cell(number(each.value, 4), each.value),
            Cell(ends),
            *([Cell(p_value(each.p_value), each.p_value)] if tested else []),
        ]
    )


def _dependence(found: Explanation, result: StudyResult) -> Html | None:
    if not found.dependence:
        return None
    what = _predicted(found, result)
    shown, folded = _most_telling(found.dependence)
    figures = [_one(each, what) for each in shown]
    note = (
        "The mean prediction when a column is set to a value in all rows, the others as they are; "
        "the band holds the middle half of the rows. It shows what the model says, not causes."
    )
    note += _dates_left_out(found, result)
    return tag(
        "div",
        tag("h3", "How the prediction depends on a column"),
        tag("p", note, class_="quiet"),
        tag("div", figures, class_="multiples spaced"),
        _folded(folded, what),
    )


def _most_telling(
    listed: tuple[DependencePoints, ...],
) -> tuple[list[DependencePoints], list[DependencePoints]]:
    """Of each column the curves of the classes it moves most; and the other ones."""
    shown, folded = [], []
    for feature in dict.fromkeys(each.feature for each in listed):
        own = [each for each in listed if each.feature == feature]
        moved = sorted(own, key=lambda each: -_range(each))[:_CLASSES_SHOWN]
        shown += [each for each in own if any(each is one for one in moved)]
        folded += [each for each in own if not any(each is one for one in moved)]
    return shown, folded


def _range(each: DependencePoints) -> float:
    return max(each.mean, default=0.0) - min(each.mean, default=0.0)


def _folded(listed: list[DependencePoints], what: str) -> Html | None:
    if not listed:
        return None
    figures = [_one(each, what) for each in listed]
    return tag(
        "details",
        tag("summary", f"{len(listed)} more, of classes that these columns move less"),
        tag("div", figures, class_="multiples spaced"),
        class_="rest",
    )


def _dates_left_out(found: Explanation, result: StudyResult) -> str:
    """A sentence about dates that matter as much as the columns drawn."""
    drawn = {each.feature for each in found.dependence}
    least = min((each.mean for each in found.importances if each.name in drawn), default=0.0)
    strong = {each.name for each in found.importances if each.mean >= max(least, 0.0)} - drawn
    dates = [c.name for c in result.data.columns if c.name in strong and c.kind == "datetime"]
    return f" Dates are not drawn: {', '.join(dates)}." if dates else ""


def _predicted(found: Explanation, result: StudyResult) -> str:
    """What is drawn: not every classifier gives probabilities."""
    if result.question.task == "regression":
        return "prediction"
    values = [value for each in found.dependence for value in (*each.mean, *each.low, *each.high)]
    return "probability" if all(0.0 <= value <= 1.0 for value in values) else "score"


def _one(each: DependencePoints, what: str) -> Html:
    of = f" of {each.of_class}" if each.of_class else ""
    title = f"Mean {what}{of} by {each.feature}"
    if each.kind == "numbers":
        pairs = list(zip((float(value) for value in each.grid), each.mean, strict=True))
        line = charts.Curve(pairs, each.low, each.high, dots=len(pairs) <= 12)
        axes = charts.Axes(height=190.0)
        drawn = charts.curves([line], title=title, axes=axes)
    else:
        drawn = _categories(each, title)
    caption = tag(
        "figcaption", tag("strong", name(each.feature)), tag("small", f" mean {what}{of}")
    )
    return tag("figure", caption, drawn)


def _categories(each: DependencePoints, title: str) -> Html:
    lows = each.low or (None,) * len(each.mean)
    highs = each.high or (None,) * len(each.mean)
    listed = [
        charts.Estimate(mean, low, high)
        for mean, low, high in zip(each.mean, lows, highs, strict=True)
    ]
    lane = charts.Lane.over(listed, width=170.0)
    rows = (
        tag(
            "tr",
            tag("th", name(label, 24), scope="row"),
            tag("td", lane.mark(estimate)),
            tag("td", number(estimate.value, 3), class_="n"),
        )
        for label, estimate in list(zip(each.grid, listed, strict=True))[:MOST_CATEGORIES]
    )
    drawn = tag("table", tag("caption", title), tag("tbody", rows), class_="bars")
    more = len(listed) - MOST_CATEGORIES
    if more <= 0:
        return drawn
    note = f"The {MOST_CATEGORIES} commonest; {more:,} more are not shown."
    return tag("div", drawn, tag("p", note, class_="quiet"))
