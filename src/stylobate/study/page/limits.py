"""What to mind: warnings of the study, and what such a study cannot say."""

from __future__ import annotations

from stylobate.report import Child, Html, number, section, shortened, warnings
from stylobate.study.results import StudyResult

_FEW_ROWS = 200


def limits(result: StudyResult) -> Html:
    """Warnings first, then the limits every such answer has."""
    items: list[tuple[str, Child]] = [
        ("high" if each.severe else "medium", shortened(each.text, 2000))
        for each in result.warnings
    ]
    if result.model is not None:
        items += [("medium", shortened(text, 2000)) for text in result.model.warnings]
    items += [("info", text) for text in _always(result)]
    return section("limits", "Limits and warnings", warnings(items))


def _always(result: StudyResult) -> list[str]:
    texts = [
        "The scores hold for rows that come about as these did. Where the world changes, measure "
        "again.",
        "What the model relies on need not cause the target: it may only go with what does.",
    ]
    if result.holdout is not None:
        times = "once" if result.holdout.questions == 1 else f"{result.holdout.questions} times"
        texts.append(
            f"The locked rows were asked {times}. A model that is changed after looking at this "
            "page needs new rows to be judged by."
        )
        if result.holdout.rows < _FEW_ROWS:
            texts.append(
                f"{number(result.holdout.rows)} locked rows tell a score only roughly: mind its "
                "interval."
            )
    return texts
