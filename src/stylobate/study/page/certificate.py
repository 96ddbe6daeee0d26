"""What the final fit proves of itself, and its diagnostics."""

from __future__ import annotations

from typing import Any

from stylobate.report import (
    Child,
    Html,
    duration,
    facts,
    finite,
    listing,
    number,
    section,
    shortened,
    tag,
)
from stylobate.study.results import FinalModel, StudyResult

_MOST_LINES = 120
_NAMES = {
    "objective": "what the fit makes least",
    "primal": "its value at the answer",
    "dual": "bound that no answer goes below",
    "gap": "gap between the two",
    "relative_gap": "the same, relative",
    "kkt": "worst violation of optimality (KKT)",
    "condition": "condition number",
    "digits": "digits to be trusted",
}


def certificate(result: StudyResult) -> Html | None:
    """The certificate in words and numbers, the solver, the summary of the fit."""
    found = result.model
    if found is None:
        return None
    return section(
        "certificate",
        "Certificate and diagnostics",
        _words(found),
        _numbers(found),
        _diagnostics(found),
        lead=f"The model of the file was fitted to all {number(found.rows)} rows in "
        f"{duration(found.seconds)}, the hold-out included; its scores are those above.",
    )


def _words(found: FinalModel) -> list[Child]:
    parts: list[Child] = []
    if found.certificate_words:
        parts.append(tag("p", tag("strong", found.certificate_words), class_="said"))
    elif found.certificate is None:
        text = (
            "This kind of model has no certificate: its fit is not the solution of one convex "
            "problem whose distance from the best could be bounded."
        )
        parts.append(tag("p", text, class_="said"))
    if found.solver:
        parts.append(tag("p", found.solver, class_="quiet"))
    return parts


def _numbers(found: FinalModel) -> Html | None:
    if not found.certificate:
        return None
    pairs: list[tuple[Child, Child]] = [
        (_NAMES.get(key, key.replace("_", " ")), _value(value))
        for key, value in found.certificate.items()
        if not isinstance(value, dict | list) and value != found.certificate_words
    ]
    return facts(pairs)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if finite(value) is not None:
        return number(value, 4)
    return "–" if value is None else shortened(str(value), 300)


def _diagnostics(found: FinalModel) -> Html | None:
    if not found.diagnostics:
        return None
    lines = found.diagnostics.splitlines()
    return tag(
        "details",
        tag("summary", "Summary of the fit"),
        listing(lines[:_MOST_LINES]),
        class_="rest",
    )
