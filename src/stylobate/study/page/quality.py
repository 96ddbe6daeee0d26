"""How good the model is on rows it has never seen, in numbers and pictures."""

from __future__ import annotations

from stylobate.report import (
    Cell,
    Child,
    Heading,
    Html,
    Row,
    charts,
    name,
    number,
    percent,
    section,
    table,
    tag,
)
from stylobate.study.results import CurvePoints, HoldoutAnswer, StudyResult

from .costs import costs
from .words import score

_MOST_CLASSES = 12  # of a confusion matrix that is drawn
_NARROW_CLASSES = 4  # of one that fits beside other pictures


def quality(result: StudyResult) -> Html | None:
    """Scores on the locked rows, pictures of them, and the learning curve."""
    found, curve = result.holdout, result.learning_curve
    if found is None and curve is None:
        return None
    pictures: list[Child] = []
    if found is not None:
        pictures = [
            _confusion(found, result),
            _roc(found),
            _precision_recall(found, result),
            _calibration(found),
            _predicted(found, result),
            _residuals(found, result),
        ]
    pictures.append(_learning(curve, result))
    return section(
        "quality",
        "How good it is",
        _scores(found, result) if found is not None else None,
        tag("div", pictures, class_="multiples spaced"),
        costs(found, result) if found is not None else None,
        lead=_lead(found) if found is not None else None,
    )


def _lead(found: HoldoutAnswer) -> str:
    times = "once" if found.questions == 1 else f"{found.questions:,} times"
    return (
        f"{number(found.rows)} rows were locked away before anything was fitted, and were asked "
        f"{times}. {found.words}{_promised(found)}"
    )


def _promised(found: HoldoutAnswer) -> str:
    words = found.conformity.words if found.conformity is not None else ""
    return f" {words}" if words else ""


def _scores(found: HoldoutAnswer, result: StudyResult) -> Html:
    headings = [
        Heading("Score on new rows"),
        Heading("Value", numeric=True),
        Heading("95% interval", numeric=True, sortable=False),
        Heading("Baseline", numeric=True),
        Heading("Better is", sortable=False),
    ]
    simple = {each.name: each.value for each in found.baseline}
    rows = [
        Row(
            [
                Cell(each.label, each.label, heads=True),
                Cell(score(each.value), each.value),
                Cell(
                    f"{score(each.low)} to {score(each.high)}"
                    if each.low is not None and each.high is not None
                    else "–"
                ),
                Cell(score(simple.get(each.name)), simple.get(each.name)),
                Cell("more" if each.greater_is_better else "less"),
            ],
            chosen=at == 0,
        )
        for at, each in enumerate(found.scores)
    ]
    return table(headings, rows, caption="Scores on rows never seen", limit=None)


def _figure(title: str, words: Child, *content: Child, broad: bool = False) -> Html:
    """A picture with its title; a broad one has the width of the page."""
    return tag(
        "figure",
        tag("figcaption", tag("strong", title)),
        content,
        tag("p", words, class_="quiet"),
        class_="broad" if broad else None,
    )


def _confusion(found: HoldoutAnswer, result: StudyResult) -> Html | None:
    matrix, classes = found.confusion, result.question.classes
    if not matrix or len(matrix) != len(classes):
        return None
    if len(matrix) > _MOST_CLASSES:
        return _confused(found, result)
    head = tag(
        "tr",
        tag("th", "true ↓ said →", scope="col"),
        (tag("th", name(label, 16), scope="col") for label in classes),
    )
    rows = []
    for label, counts in zip(classes, matrix, strict=True):
        whole = sum(counts) or 1
        cells = (_confusion_cell(count, count / whole) for count in counts)
        rows.append(tag("tr", tag("th", name(label, 16), scope="row"), cells))
    drawn = tag(
        "table",
        tag("caption", "Confusion matrix"),
        tag("thead", head),
        tag("tbody", rows),
        class_="cells plain",
    )
    words = "rows by what they are and what was said; shares of each true class"
    broad = len(matrix) > _NARROW_CLASSES
    return _figure("Confusion", words, tag("div", drawn, class_="scroll", tabindex=0), broad=broad)


def _confusion_cell(count: int, share: float) -> Html:
    if not count:
        return tag("td", "0", class_="none")
    return tag("td", number(count), tag("small", percent(share)), class_=_shade(share))


def _confused(found: HoldoutAnswer, result: StudyResult) -> Html | None:
    """Of many classes the pairs that are mixed up most, as no matrix of them can be read."""
    classes = result.question.classes
    pairs = [
        (count, true, said)
        for true, counts in enumerate(found.confusion)
        for said, count in enumerate(counts)
        if count and true != said
    ]
    if not pairs:
        return None
    shown = sorted(pairs, key=lambda each: (-each[0], each[1], each[2]))[:_MOST_CLASSES]
    headings = [
        Heading("True class"),
        Heading("Said"),
        Heading("Rows", numeric=True),
        Heading("Of the class", numeric=True),
    ]
    rows = [
        Row(
            [
                Cell(name(classes[true], 24), classes[true], text=True, heads=True),
                Cell(name(classes[said], 24), classes[said]),
                Cell(number(count), float(count)),
                Cell(
                    percent(count / sum(found.confusion[true])), count / sum(found.confusion[true])
                ),
            ]
        )
        for count, true, said in shown
    ]
    words = f"{len(pairs):,} pairs of {len(classes):,} classes are mixed up; these most often"
    drawn = table(headings, rows, caption="Classes mixed up most often", limit=None)
    return _figure("Confusion", words, drawn)


def _shade(share: float) -> str | None:
    level = min(round(9 * share), 9)
    return f"shade-{level}" if level else None


def _roc(found: HoldoutAnswer) -> Html | None:
    if len(found.roc) < 2:
        return None
    axes = charts.Axes("false alarms", "found", (0.0, 1.0), (0.0, 1.0), diagonal=True)
    drawn = charts.curves([charts.Curve(found.roc)], title="ROC curve", axes=axes)
    area = sum(
        (b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(found.roc, found.roc[1:], strict=False)
    )
    return _figure("ROC curve", f"area {area:.3f}; chance is the diagonal", drawn)


def _precision_recall(found: HoldoutAnswer, result: StudyResult) -> Html | None:
    """Precision follows from the rates and the number of rows of each class."""
    question = result.question
    if len(found.roc) < 2 or len(found.confusion) != 2 or question.positive is None:
        return None
    place = (
        question.classes.index(question.positive) if question.positive in question.classes else 1
    )
    positives, negatives = sum(found.confusion[place]), sum(found.confusion[1 - place])
    if not positives or not negatives:
        return None
    points = [
        (tpr, tpr * positives / (tpr * positives + fpr * negatives))
        for fpr, tpr in found.roc
        if tpr > 0.0
    ]
    points.insert(0, (0.0, points[0][1]))  # what is found first is as often right
    share = positives / (positives + negatives)
    axes = charts.Axes("found (recall)", "right (precision)", (0.0, 1.0), (0.0, 1.0))
    level = charts.Curve([(0.0, share), (1.0, share)], hue=charts.HUES)
    drawn = charts.curves([level, charts.Curve(points)], title="Precision and recall", axes=axes)
    words = f"of rows called {question.positive}; chance is {percent(share)}"
    return _figure("Precision and recall", words, drawn)


def _calibration(found: HoldoutAnswer) -> Html | None:
    if not found.calibration:
        return None
    points = [(predicted, observed) for predicted, observed, _ in found.calibration]
    axes = charts.Axes("predicted probability", "observed share", (0.0, 1.0), (0.0, 1.0), True)
    drawn = charts.curves([charts.Curve(points, dots=True)], title="Calibration", axes=axes)
    return _figure("Calibration", "on the diagonal probabilities mean what they say", drawn)


def _predicted(found: HoldoutAnswer, result: StudyResult) -> Html | None:
    if not found.points:
        return None
    ends = [value for pair in found.points for value in pair]
    both = (min(ends), max(ends))
    axes = charts.Axes("predicted", "actual", both, both, diagonal=True)
    pairs = [(predicted, actual) for actual, predicted in found.points]
    drawn = charts.cloud(pairs, title="Predicted and actual", axes=axes)
    words = f"{len(pairs):,} rows; right predictions lie on the diagonal"
    return _figure("Predicted and actual", words, drawn)


def _residuals(found: HoldoutAnswer, result: StudyResult) -> Html | None:
    if not found.points:
        return None
    pairs = [(predicted, actual - predicted) for actual, predicted in found.points]
    axes = charts.Axes("predicted", "actual − predicted", extra=(0.0,))
    drawn = charts.cloud(pairs, title="Residuals", axes=axes, level=0.0)
    return _figure("Residuals", "a pattern here is something the model misses", drawn)


def _learning(curve: CurvePoints | None, result: StudyResult) -> Html | None:
    if curve is None or not curve.sizes:
        return None
    lines = []
    for at, (mean, spread) in enumerate(
        ((curve.train, curve.train_deviation), (curve.test, curve.test_deviation))
    ):
        points = [(float(size), value) for size, value in zip(curve.sizes, mean, strict=True)]
        known = len(spread) == len(mean)
        low = [m - s for m, s in zip(mean, spread, strict=True)] if known else ()
        high = [m + s for m, s in zip(mean, spread, strict=True)] if known else ()
        lines.append(charts.Curve(points, low, high, hue=1 - at, dots=True))
    label = result.question.metric.label
    axes = charts.Axes("training rows", label)
    drawn = charts.curves(lines, title="Learning curve", axes=axes)
    legend = charts.key(["new rows", "rows it was trained on"])
    return _figure("Learning curve", curve.words, drawn, legend)
