"""What mistakes cost: false alarms and misses where one costs more than the other."""

from __future__ import annotations

from dataclasses import dataclass

from stylobate.report import Cell, Heading, Html, Row, name, number, percent, table, tag
from stylobate.study.results import HoldoutAnswer, StudyResult

_RATIOS = (1, 2, 5, 10, 20, 50)  # false alarms that one miss costs


@dataclass(frozen=True, slots=True)
class Decision:
    """The cheapest threshold on some rows.

    Attributes
    ----------
    false_alarms, misses : float
        Shares of all rows.
    cost : float
        Per row, in false alarms.
    simple : float
        The cost of the cheaper of two rules without a model: never, and always.
    """

    false_alarms: float
    misses: float
    cost: float
    simple: float


def cheapest(
    roc: tuple[tuple[float, float], ...], positives: int, negatives: int, ratio: float
) -> Decision:
    """The cheapest decision on the ROC curve, where a miss costs so many false alarms.

    Parameters
    ----------
    roc : tuple of (false positive rate, true positive rate)
    positives, negatives : int
        Rows that are, and are not, what is looked for.
    ratio : float
        What a miss costs, in false alarms.

    Examples
    --------
    >>> found = cheapest(((0.0, 0.0), (0.1, 0.8), (1.0, 1.0)), 20, 80, 5)
    >>> [round(each, 2) for each in (found.false_alarms, found.misses, found.cost, found.simple)]
    [0.08, 0.04, 0.28, 0.8]
    """
    rows = positives + negatives
    share, other = positives / rows, negatives / rows
    pairs = [(false * other, (1.0 - true) * share) for false, true in roc]
    pairs += [(0.0, share), (other, 0.0)]
    alarms, misses = min(pairs, key=lambda pair: pair[0] + ratio * pair[1])
    return Decision(alarms, misses, alarms + ratio * misses, min(ratio * share, other))


def costs(found: HoldoutAnswer, result: StudyResult) -> Html | None:
    """A table of what decisions would cost; None but for two classes that are ranked."""
    question = result.question
    if len(found.roc) < 2 or len(found.confusion) != 2 or question.positive not in question.classes:
        return None
    place = question.classes.index(question.positive)
    positives, negatives = sum(found.confusion[place]), sum(found.confusion[1 - place])
    if not positives or not negatives:
        return None
    headings = [
        Heading("A miss costs", numeric=True, hint="as many false alarms"),
        Heading("False alarms", numeric=True, hint="of 1,000 rows"),
        Heading("Misses", numeric=True, hint="of 1,000 rows"),
        Heading("Cost per row", numeric=True, hint="in false alarms"),
        Heading("Without a model", numeric=True, hint="always or never, whichever is cheaper"),
        Heading("Saved", numeric=True),
    ]
    made = [(ratio, cheapest(found.roc, positives, negatives, ratio)) for ratio in _RATIOS]
    lead = (
        " is a false alarm, overlooking one a miss; both are told of 1,000 rows, costs in false "
        "alarms. Thresholds are the best on the locked rows, so new rows will cost a little more."
    )
    if question.costs is None:
        lead += " A model that decides by its costs: --cost 1:5 (a false alarm, a miss)."
    return tag(
        "div",
        tag("h3", "What mistakes cost"),
        tag("p", "Calling a row ", name(question.positive), " wrongly", lead, class_="quiet"),
        table(
            headings, [_row(ratio, each) for ratio, each in made],
            caption="What mistakes cost", limit=None,
        ),
    )  # fmt: skip


def _row(ratio: int, found: Decision) -> Row:
    saved = 1.0 - found.cost / found.simple
    return Row(
        [
            Cell(f"{ratio} ×", float(ratio), heads=True),
            Cell(number(1000 * found.false_alarms, 3), found.false_alarms),
            Cell(number(1000 * found.misses, 3), found.misses),
            Cell(number(found.cost, 3), found.cost),
            Cell(number(found.simple, 3), found.simple),
            Cell(percent(saved), saved),
        ]
    )
