"""What it takes to get the same numbers again."""

from __future__ import annotations

from stylobate.report import (
    Cell,
    Child,
    Heading,
    Html,
    Row,
    duration,
    facts,
    listing,
    number_cell,
    section,
    table,
    tag,
)
from stylobate.study.results import StudyResult


def reproducing(result: StudyResult) -> Html | None:
    """Command, seed, versions, fingerprint of the data, and where the time went."""
    found = result.reproduction
    if found is None and not result.timings:
        return None
    parts: list[Child] = []
    if found is not None:
        pairs: list[tuple[Child, Child]] = [
            ("Seed", str(found.seed)),
            ("Threads", str(found.threads)),
            ("Fingerprint of the data", tag("code", found.fingerprint)),
            ("Begun", found.started),
            ("Machine", found.platform),
            *((key, value) for key, value in found.versions.items()),
        ]
        parts += [listing(found.command.splitlines() or [""]), facts(pairs)]
    return section(
        "reproducing",
        "Reproduce",
        parts,
        _timings(result),
        lead="Fits of the same data with the same seed and versions give the same numbers, with "
        "any number of threads. How many of them there is time for depends on the machine; in the "
        "same folder the command goes by what is recorded there.",
    )


def _timings(result: StudyResult) -> Html | None:
    if not result.timings:
        return None
    counted = any(each.fits for each in result.timings)
    headings = [Heading("Stage"), Heading("Time", numeric=True)]
    headings += [Heading("Fits", numeric=True)] if counted else []
    rows = []
    for each in result.timings:
        cells = [
            Cell(each.stage, each.stage, heads=True),
            Cell(duration(each.seconds), each.seconds),
        ]
        if counted:
            cells.append(number_cell(each.fits) if each.fits else Cell("–"))
        rows.append(Row(cells))
    made = table(headings, rows, caption="Time of each stage", limit=None)
    return tag("div", tag("h3", "Where the time went"), made)
