"""A study's page, put together from its sections."""

from __future__ import annotations

from collections.abc import Callable

from stylobate.report import Child, Html, document, number, shortened, tag
from stylobate.study.output.sentences import short_source
from stylobate.study.results import StudyResult

from .answer import answer
from .certificate import certificate
from .data import data
from .leaderboard import leaderboard
from .limits import limits
from .mistakes import mistakes
from .model import model
from .quality import quality
from .relations import relations
from .reproduction import reproducing
from .tried import tried
from .usage import using
from .words import sentence

_SECTIONS: tuple[tuple[str, str, Callable[[StudyResult], Html | None]], ...] = (
    # for those who decide
    ("answer", "Answer", answer),
    ("quality", "How good", quality),
    ("model", "The model", model),
    ("mistakes", "Mistakes", mistakes),
    ("tables", "Tables", relations),
    ("limits", "Limits", limits),
    ("using", "Predict", using),
    # for those who check
    ("leaderboard", "Leaderboard", leaderboard),
    ("tried", "What was tried", tried),
    ("data", "Data", data),
    ("certificate", "Certificate", certificate),
    ("reproducing", "Reproduce", reproducing),
)


def study_page(result: StudyResult) -> str:
    """A study as one page that needs nothing but itself.

    Whatever comes from the table is shown as text: names, cells and titles are never markup, links
    or formulas. Sections a partial study has not come to are left out, and the top says so.

    Parameters
    ----------
    result : StudyResult
        What a study found.

    Returns
    -------
    str
        HTML, for a file with the encoding UTF-8.
    """
    made: list[tuple[str, str, Html]] = []
    for identifier, heading, build in _SECTIONS:
        content = build(result)
        if content is not None:
            made.append((identifier, heading, content))
    question = result.question
    return document(
        f"{shortened(question.target, 80)} in {shortened(short_source(question.source), 120)}",
        _banner(result),
        [content for _, _, content in made],
        subtitle=_subtitle(result),
        links=[(identifier, heading) for identifier, heading, _ in made],
    )


def _subtitle(result: StudyResult) -> list[Child]:
    tasks = {"binary": "two classes", "multiclass": "several classes", "regression": "a number"}
    parts: list[Child] = [
        f"Study of {tasks[result.question.task]}: ",
        tag("strong", f"{number(result.data.rows)} rows, {len(result.data.columns):,} columns"),
    ]
    if result.reproduction is not None:
        parts.append(f", {result.reproduction.started[:10]}")
    return parts


def _banner(result: StudyResult) -> Html | None:
    if result.status == "complete":
        return None
    reason = result.reason or "it was stopped before its end"
    return tag("p", "This study is not complete. ", sentence(reason), class_="banner", role="alert")
